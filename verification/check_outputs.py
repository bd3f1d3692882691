#!/usr/bin/env python3
"""Runs small decks as a user does: what a run leaves in its output directory, what it replaces there, and that nothing
else is touched. Usage: check_outputs.py BINARY [--ranks 1 2]"""
import argparse
import copy
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402

LIST = "scree_files.txt"
DECK = {
    "time": {"end": 0.01, "step": 1e-3},
    "gravity": [0, 0, -9.81],
    "materials": {"rock": {"density": 2000, "young": 1e7, "poisson": 0.25}},
    "shapes": {"block": {"type": "box", "size": [0.1, 0.1, 0.1]}},
    "bodies": [{"shape": "block", "material": "rock", "position": [0, 0, 0.1]},
               {"shape": "block", "material": "rock", "position": [0.2, 0, 0.1]}],
    "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock"}],
    "interfaces": [{"between": ["*", "*"], "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e12}}],
    "output": {"directory": "results", "vtk": {"every": 1e-3}, "contacts": {"every": 1e-3},
               "histories": [{"file": "energy.csv"}, {"file": "sub/deep/one.csv", "body": 0}], "final_state": "final.csv"},
}


class Scene:
    """An empty folder with a deck, and what the program does there."""

    def __init__(self, binary, folder, ranks=1):
        self.binary, self.folder, self.ranks = binary, folder, ranks
        folder.mkdir()
        self.faults = []
        self.deck = copy.deepcopy(DECK)

    def program(self, command, *options, deck="deck.json", environment=()):
        """(status, standard output, standard error)"""
        (self.folder / deck).write_text(json.dumps(self.deck), encoding="utf-8")
        return self.call(command, deck, *options, environment=environment)

    def call(self, *arguments, environment=(), limit=None):
        """(status, standard output, standard error) with the decks as they are; `limit` of memory [bytes]"""
        launcher = ["mpirun", "-n", str(self.ranks)] if self.ranks > 1 else []
        done = subprocess.run([*launcher, str(self.binary), *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, check=False, env={**os.environ, **harness.ENVIRONMENT, **dict(environment)},
                              preexec_fn=limit and (lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))))
        return done.returncode, done.stdout, done.stderr

    def expect(self, what, holds):
        if not holds:
            self.faults.append(what)

    def files(self, below="."):
        """{path: content} of all files, and {path: None} of folders and links."""
        base = self.folder / below
        return {str(p.relative_to(base)): p.read_bytes() if p.is_file() and not p.is_symlink() else None
                for p in sorted(base.rglob("*"))}

    def end_of(self, below="results"):
        """How the run ended, by its report; nothing without one."""
        path = self.folder / below / "report.json"
        report = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return tuple(report.get(key) for key in ("exit_status", "ended_by", "message"))

    def listed(self, below="results"):
        lines = (self.folder / below / LIST).read_text(encoding="utf-8").splitlines()
        return {line.split(" ", 1)[1] for line in lines[1:] if line.startswith("file ")}

    def run(self, *options, **named):
        status, out, err = self.program("run", *options, **named)
        self.expect(f"run: status {status}: {err}", status == 0)
        return out

    def refused(self, says, *options, **named):
        """run and check end with status 2 and the message, and change nothing."""
        for command in ("check", "run"):
            (self.folder / named.get("deck", "deck.json")).write_text(json.dumps(self.deck), encoding="utf-8")
            before = self.files()
            status, _, err = self.program(command, *options, **named)
            self.expect(f"{command}: status {status}, expected 2 and \"{says}\": {err}", status == 2 and says in err)
            self.expect(f"{command} changed files", self.files() == before)


def everything_is_listed(scene):
    scene.run()
    written = {name for name, content in scene.files("results").items() if content is not None}
    scene.expect(f"not listed: {written - scene.listed() - {LIST}}", written <= scene.listed() | {LIST})
    scene.expect("incomplete files", not any("scree-tmp" in name for name in written))
    before = set(scene.files("results"))
    out = scene.run()
    scene.expect("a second run leaves others", set(scene.files("results")) == before)
    scene.expect("says nothing of replaced files", "of an earlier run in \"results\" are replaced" in out)


def shorter_run(scene):
    """No mixture of two runs: fewer frames, no pictures at all."""
    scene.run()
    (scene.folder / "results/vtk/notes.txt").write_text("mine", encoding="utf-8")
    scene.deck["time"]["end"] = 0.004
    out = scene.run()
    names = set(scene.files("results"))
    scene.expect("old frames are left", "vtk/bodies_000004.pvtp" in names and "vtk/bodies_000005.pvtp" not in names)
    scene.expect("old contacts are left", "contacts.000005.csv" not in names)
    scene.expect("a file of the user is gone", (scene.folder / "results/vtk/notes.txt").exists())
    scene.expect("does not report files that are kept", "kept: \"vtk/notes.txt\"" in out)
    scene.deck["output"] = {"directory": "results"}
    scene.run()
    names = {name for name, content in scene.files("results").items() if content is not None}
    scene.expect(f"left: {names}", names == {LIST, "report.json", "vtk/notes.txt"})


def two_decks(scene):
    """A run removes nothing of another deck but what it writes itself."""
    scene.run(deck="a.json")
    scene.deck["output"] = {"directory": "results", "histories": [{"file": "b.csv"}]}
    scene.run(deck="b.json")
    names = set(scene.files("results"))
    scene.expect("files of the other deck are gone", {"energy.csv", "vtk/bodies_000010.pvtp", "b.csv"} <= names)
    scene.deck = copy.deepcopy(DECK)
    scene.deck["time"]["end"] = 0.002
    scene.run(deck="a.json")
    names = set(scene.files("results"))
    scene.expect("b.csv is gone", "b.csv" in names)
    scene.expect("old frames are left", "vtk/bodies_000010.pvtp" not in names)


def files_of_others(scene):
    (scene.folder / "results").mkdir()
    for name in ("energy.csv", "contacts.000500.csv", "report.json"):
        (scene.folder / "results" / name).write_text("mine", encoding="utf-8")
        scene.refused(f"contains 1 file with names of this run's output that no earlier run has listed in {LIST}: \"{name}\"")
        (scene.folder / "results" / name).unlink()
    scene.run()


def faults_of_a_mesh(scene):
    """The file that shows the faults of a mesh replaces only listed files, and is listed."""
    (scene.folder / "open.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", encoding="utf-8")
    scene.deck["shapes"]["block"] = {"type": "polyhedron", "file": "open.obj"}
    commands = (["run"], ["check", "--mesh-faults", "results"])
    picture = scene.folder / "results/block_faults.vtp"
    picture.parent.mkdir()
    picture.write_text("mine", encoding="utf-8")
    for command in commands:
        status, _, err = scene.program(*command)
        scene.expect(f"{command}: status {status}: {err}",
                     status == 2 and f"{picture.name}\" exists, and no earlier run has listed it in {LIST}" in err
                     and "scree check deck.json --mesh-faults DIR" in err)
        scene.expect(f"{command} changed files", scene.files("results") == {picture.name: b"mine"})
    picture.unlink()
    for command in commands:  # the second replaces the file of the first
        status, _, err = scene.program(*command)
        scene.expect(f"{command}: status {status}: {err}", status == 2 and f"{picture.name}: the faults of this mesh" in err)
        scene.expect("is not listed", set(scene.files("results")) == {picture.name, LIST} and scene.listed() == {picture.name})
    scene.deck = copy.deepcopy(DECK)
    scene.run()
    scene.expect("the faults of an earlier deck are left", not picture.exists())


def names_that_lead_out(scene):
    (scene.folder / "victim.csv").write_text("mine", encoding="utf-8")
    for name in ("../victim.csv", "../deck.json", str(scene.folder / "victim.csv"), "x/../../victim.csv"):
        for target, key in ((scene.deck["output"], "final_state"), (scene.deck["output"]["histories"][0], "file")):
            good, target[key] = target[key], name
            scene.refused("; expected a name ")
            target[key] = good
    (scene.folder / "results").mkdir()
    (scene.folder / "elsewhere").mkdir()
    for link in ("sub", "vtk", "energy.csv", "sub/deep"):
        path = scene.folder / "results" / link
        path.parent.mkdir(exist_ok=True)
        path.symlink_to(scene.folder / ("victim.csv" if link == "energy.csv" else "elsewhere"))
        scene.refused("is a symbolic link; ")
        path.unlink()
    (scene.folder / "results/sub").rmdir()
    (scene.folder / "results" / LIST).write_text("file ../victim.csv\n", encoding="utf-8")
    scene.refused("not written by Scree")
    (scene.folder / "results" / LIST).unlink()
    scene.run()
    scene.expect("the victim changed", (scene.folder / "victim.csv").read_text(encoding="utf-8") == "mine")


def options_for_petsc(scene):
    """PETSc would open, and empty, each file that an option names."""
    file = "would write or load a file"
    scene.deck["solver"] = {"linear": "iterative"}
    for option in ("-scree_snes_monitor :deck.json", "-log_view :deck.json", "-scree_ksp_view ascii:deck.json",
                   "-log_trace deck.json", "-info deck", "-history deck.json"):
        scene.refused(file, "--", *option.split())
        scene.deck["solver"]["petsc_options"] = option
        scene.refused(f'/solver/petsc_options: "{option}" {file}')
        del scene.deck["solver"]["petsc_options"]
    scene.refused('command line: "cg" does not belong to an option', "--", "cg")
    scene.refused('"-options_file" is not supported', "--", "-options_file", "none")
    scene.refused("must be", "--", "-scree_snes_max_it", "-5")
    scene.expect("no log", "Stages" in scene.run("--", "-log_view", "::ascii_info_detail", "-scree_ksp_monitor"))


def what_the_deck_reads(scene):
    state = "shape,x,y,z\nblock,0,0,0.5\n"
    (scene.folder / "start.csv").write_text(state, encoding="utf-8")
    scene.deck["bodies"].append({"material": "rock", "file": "start.csv"})
    scene.deck["output"]["directory"] = "."
    scene.deck["output"]["final_state"] = "start.csv"
    scene.refused("which is the output file")
    scene.deck["output"]["final_state"] = "deck.json"
    scene.refused("which is the output file")
    scene.deck["output"]["final_state"] = "final.csv"
    scene.run()
    os.link(scene.folder / "final.csv", scene.folder / "other.csv")
    kept = (scene.folder / "other.csv").read_bytes()
    scene.deck["bodies"] = [{"file": "other.csv"}]  # another name of a file that is replaced
    scene.run()
    scene.expect("a file that the deck reads changed", (scene.folder / "other.csv").read_bytes() == kept)
    scene.expect("start.csv changed", (scene.folder / "start.csv").read_text(encoding="utf-8") == state)


def nothing_behind(scene):
    """Status 2 leaves nothing, wherever it is found."""
    for name in ("results", "results/a/b"):
        scene.deck["output"]["directory"] = name
        scene.deck["bodies"][1]["position"] = [0.05, 0, 0.1]
        before = set(scene.files())
        status, _, err = scene.program("run", environment={"SCREE_TRACE": str(scene.folder / "trace")})
        scene.expect(f"overlap: status {status}: {err}", status == 2)
        scene.expect(f"left: {set(scene.files()) - before}", set(scene.files()) - {"deck.json"} == before - {"deck.json"})
    scene.deck["bodies"][1]["position"] = [0.2, 0, 0.1]
    scene.deck["output"]["directory"] = "results"
    scene.run()
    (scene.folder / "deck.json").write_text("", encoding="utf-8")
    before = scene.files("results")
    scene.deck["bodies"][1]["position"] = [0.05, 0, 0.1]
    status, _, _ = scene.program("run")
    scene.expect("an overlap replaced results", status == 2 and scene.files("results") == before)


def wait_for_output(scene, results="results"):
    limit = time.monotonic() + 60
    while not (scene.folder / results / "contacts.000003.csv").exists() and time.monotonic() < limit:
        time.sleep(0.01)


def killed(scene):
    """What a killed run has left is listed, and replaced by the next."""
    scene.deck["time"]["end"] = 100
    (scene.folder / "deck.json").write_text(json.dumps(scene.deck), encoding="utf-8")
    with subprocess.Popen([str(scene.binary), "run", "deck.json"], cwd=scene.folder, stdout=subprocess.DEVNULL,
                          env={**os.environ, **harness.ENVIRONMENT}) as process:
        wait_for_output(scene)
        status, _, err = scene.program("run")
        scene.expect(f"a second run: status {status}: {err}", status == 2 and "another run is writing to \"results\"" in err)
        process.send_signal(signal.SIGKILL)
    written = {name.removesuffix(".scree-tmp") for name, content in scene.files("results").items() if content is not None}
    scene.expect(f"not listed: {written - scene.listed()}", written <= scene.listed() | {LIST})
    scene.deck["time"]["end"] = 0.002
    scene.run()
    scene.expect("left", "contacts.000003.csv" not in scene.files("results"))


def hang_up(scene):
    """A terminal that is closed ends the run as Ctrl-C does, also if its signal comes twice; under nohup it does not."""
    scene.deck["time"]["end"] = 100
    (scene.folder / "deck.json").write_text(json.dumps(scene.deck), encoding="utf-8")
    for name, action in (("a terminal", signal.SIG_DFL), ("nohup", signal.SIG_IGN)):
        with subprocess.Popen([str(scene.binary), "run", "deck.json", "--output", f"results/{name}"], cwd=scene.folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **harness.ENVIRONMENT},
                              preexec_fn=lambda action=action: signal.signal(signal.SIGHUP, action)) as process:
            wait_for_output(scene, f"results/{name}")
            for _ in range(2):
                process.send_signal(signal.SIGHUP)
                time.sleep(0.05)
            if action == signal.SIG_IGN:
                time.sleep(1)
                scene.expect(f"{name}: status {process.poll()} after SIGHUP", process.poll() is None)
                process.send_signal(signal.SIGTERM)
            status = process.wait(timeout=60)
        scene.expect(f"{name}: status {status}, expected 130", status == 130)
        scene.expect(f"{name}: no last state", "last_state.csv" in scene.files(f"results/{name}"))
        scene.expect(f"{name}: ended as {scene.end_of(f'results/{name}')}", scene.end_of(f"results/{name}") == (130, "interrupt", ""))


def reader_goes(scene):
    """A run continues without its log; a status does not depend on whether somebody reads the message."""
    reader, pipe = os.pipe()
    os.close(reader)
    for end, expected in ((0.01, 0), (-1, 2)):
        scene.deck["time"]["end"] = end
        (scene.folder / "deck.json").write_text(json.dumps(scene.deck), encoding="utf-8")
        done = subprocess.run([str(scene.binary), "run", "deck.json"], cwd=scene.folder, stdout=pipe, stderr=pipe, timeout=120,
                              check=False, env={**os.environ, **harness.ENVIRONMENT})
        scene.expect(f"end {end}: status {done.returncode}, expected {expected}", done.returncode == expected)
    os.close(pipe)
    scene.expect("results are missing", "final.csv" in scene.files("results"))
    scene.expect(f"ended as {scene.end_of()}", scene.end_of() == (0, "end time", ""))


def output_that_fails(scene):
    """A file that cannot be written, as on a full disk, ends the run with a state to continue from."""
    scene.deck["time"]["end"] = 100
    (scene.folder / "deck.json").write_text(json.dumps(scene.deck), encoding="utf-8")
    with subprocess.Popen([str(scene.binary), "run", "deck.json"], cwd=scene.folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, env={**os.environ, **harness.ENVIRONMENT}) as process:
        wait_for_output(scene)
        (scene.folder / "results/contacts.000800.csv.scree-tmp").write_text("mine", encoding="utf-8")
        err = process.communicate(timeout=120)[1]
    scene.expect(f"status {process.returncode}: {err}", process.returncode == 1
                 and "contacts.000800.csv.scree-tmp: cannot be written: File exists." in err
                 and "The state of t = 0.8 s has been saved in results/last_state.csv" in err)
    scene.expect("no report, or a reserve is left", {"report.json"} == {"report.json", ".scree_reserve"} & set(
        scene.files("results")))
    status, ended_by, message = scene.end_of()
    scene.expect(f"ended as {scene.end_of()}", (status, ended_by) == (1, "failure") and "File exists" in message and message in err)
    state = scene.folder / "results/last_state.csv"
    scene.expect("no state was saved", state.exists() and len(state.read_text(encoding="utf-8").splitlines()) == 3)


def volume(scene):
    """Output that cannot fit is refused before it is written; the volume is reported."""
    scene.expect("is not reported", "output: vtk 11 states, 55 files, about 1" in scene.run())
    scene.deck["time"] = {"end": 1000.0, "step": {"initial": 1e-4, "min": 1e-9, "max": 1e-3}}
    scene.deck["output"]["vtk"]["every"] = 1e-12
    scene.deck["output"]["directory"] = "new"
    scene.refused("1e-12 s is below the smallest step, 1e-09 s; 0 writes every accepted step")


def last_body_leaves(scene):
    """Histories have the last body that leaves, when it leaves, and the end of the run."""
    scene.deck["time"] = {"end": 0.5, "step": {"initial": 1e-3, "min": 1e-9, "max": 1e-2}}
    del scene.deck["boundaries"]
    scene.deck["bodies"][1]["position"] = [1, 0, 0.2]
    scene.deck["outlets"] = [{"name": "o", "region": {"min": [-2, -2, -9], "max": [2, 2, -0.5]}}]
    scene.deck["output"] = {"directory": "results", "histories": [
        {"file": "e.csv", "columns": ["time", "bodies", "left"]},
        {"file": "o.csv", "outlet": "o", "columns": ["time", "step", "bodies"]}]}
    scene.run()
    for name in ("e.csv", "o.csv"):
        rows = [line.split(",") for line in (scene.folder / "results" / name).read_text(encoding="utf-8").splitlines()[1:]]
        gone = [float(row[0]) for row in rows if row[2] == "2"]
        scene.expect(f"{name}: the last body leaves at {gone[:1]}, not at 0.39 s", gone and abs(gone[0] - 0.39) < 0.02)
        scene.expect(f"{name}: ends at {rows[-1]}", float(rows[-1][0]) == 0.5 and rows[-1][2] == "2")
    report = json.loads((scene.folder / "results/report.json").read_text(encoding="utf-8"))
    scene.expect("the run did not end at its time", report["time"] == 0.5)


def check_of_the_start(scene):
    """The check warns of what a run warns of before its first step."""
    scene.deck["bodies"] = [{"shape": "ball", "material": "rock", "position": [0, 0, 0.04]}]
    scene.deck["shapes"] = {"ball": {"type": "sphere", "radius": 0.05}}
    scene.deck["interfaces"][0]["normal"] = {"law": "hooke", "stiffness": 1e6}
    for command in ("check", "run"):
        status, _, errors = scene.program(command)
        scene.expect(f"{command}: status {status}, {errors}", status == 0 and "initial contacts: stored energy 50 J" in errors)


def links_in_a_circle(scene):
    """A deck that cannot be looked at is an error of the input."""
    (scene.folder / "loop.json").symlink_to("loop.json")
    for command in ("check", "run"):
        status, _, errors = scene.call(command, "loop.json")
        scene.expect(f"{command}: status {status}, {errors}",
                     status == 2 and errors.startswith("loop.json: cannot be read: circular symbolic links (ELOOP)."))


def folders_without_a_checkpoint(scene):
    """A folder that cannot be continued is an error for check and resume."""
    (scene.folder / "empty").mkdir()
    scene.run()
    for folder, said in (("empty", "no results of Scree"), ("results", "it has no checkpoint")):
        for command in ("check", "resume"):
            status, _, errors = scene.call(command, folder)
            scene.expect(f"{command} {folder}: status {status}, {errors}", status == 2 and said in errors)


def too_little_memory(scene):
    """The check refuses what a run refuses."""
    places = [f"{k % 50},{k // 50 % 50},{k // 2500 + 1}" for k in range(100000)]
    (scene.folder / "many.csv").write_text("\n".join(["x,y,z", *places, ""]), encoding="utf-8")
    scene.deck["bodies"] = [{"file": "many.csv", "shape": "block", "material": "rock"}]
    scene.deck["output"] = {}
    (scene.folder / "deck.json").write_text(json.dumps(scene.deck), encoding="utf-8")
    said = "/bodies: requires at least 0.25 GB of memory for a run of 100000 bodies"
    for limit in range(200 << 20, 1200 << 20, 100 << 20):
        if said in scene.call("run", "deck.json", limit=limit)[2]:
            break
    status, _, errors = scene.call("check", "deck.json", limit=limit)
    scene.expect(f"check with {limit} bytes: status {status}, {errors}", status == 2 and said in errors)


def without_precice(scene):
    """The check knows whether the build has the library that the deck needs."""
    scene.deck["boundaries"][0] = {
        "name": "plate", "type": "surface", "material": "rock", "motion": "coupled",
        "vertices": [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], "faces": [[0, 1, 2], [0, 2, 3]]}
    scene.deck["coupling"] = {"type": "precice", "config": "none.xml", "participant": "Scree", "surfaces": [
        {"boundary": "plate", "mesh": "M", "displacement": "D", "force": "F"}]}
    message = "/coupling/type: this build has no preCICE; "
    if message in scene.program("run")[2]:
        scene.refused(message)


SCENES = {
    1: [everything_is_listed, shorter_run, two_decks, files_of_others, faults_of_a_mesh, names_that_lead_out,
        what_the_deck_reads, nothing_behind, killed, hang_up, reader_goes, output_that_fails, volume, options_for_petsc,
        last_body_leaves, check_of_the_start, links_in_a_circle, folders_without_a_checkpoint,
        too_little_memory, without_precice],
    2: [shorter_run, files_of_others, nothing_behind, last_body_leaves],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, nargs="+", default=list(SCENES))
    arguments = parser.parse_args()
    binary = arguments.binary.resolve()
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for ranks in arguments.ranks:
            for play in SCENES[ranks]:
                scene = Scene(binary, pathlib.Path(scratch) / f"{play.__name__}_{ranks}", ranks)
                play(scene)
                failed += bool(scene.faults)
                print(f"{'FAIL' if scene.faults else 'PASS'} {play.__name__}, {ranks} rank(s)", *scene.faults, sep="\n    ",
                      flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
