#!/usr/bin/env python3
"""Runs are killed at random moments (kill -9) and continued: every output file has to be that of a run that nobody killed.

  verification/restarts.py BINARY [SCENE...] [--kills N] [--ranks 1 2] [--seed N] [--also WHAT...]

Same number of ranks: files equal byte for byte, checkpoints too, wall-clock times in report.json aside. Other numbers of ranks: final
positions equal to the tolerance of the scene. Also tested: truncated, foreign, older and newer checkpoints, an end after that of the deck,
a full disk, a limit on file sizes.
"""
import argparse
import contextlib
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402
import restart_decks  # noqa: E402

WALL_CLOCK = ("phase_seconds", "wall_seconds", "ranks")
KILLED = -9
CHECKPOINTS_WITHOUT_ROOM = 20


def command(binary, ranks, *arguments):
    program = [str(binary), *map(str, arguments)]
    return program if ranks == 1 else ["mpirun", "-n", str(ranks), *program]


def ranks_of(mpirun):
    """Processes that mpirun has started."""
    found = subprocess.run(["pgrep", "-P", str(mpirun.pid)], capture_output=True, text=True, check=False).stdout
    return [int(one) for one in found.split()]


def checkpoints_of(folder):
    """@returns those of a run that may be under way: a run makes its folder, tries whether it can write there, and may remove it."""
    try:
        return sorted(path for path in folder.iterdir() if path.match("checkpoint.*.h5"))
    except FileNotFoundError:
        return []


class Runner:
    def __init__(self, binary, folder, seed=1):
        self.binary, self.folder = binary, folder
        self.environment = {**os.environ, **harness.ENVIRONMENT}
        self.chance = random.Random(seed)

    def call(self, *arguments, ranks=1, status=0):
        """Output of a call that has to end with this status."""
        done = subprocess.run(command(self.binary, ranks, *arguments), cwd=self.folder, env=self.environment, timeout=1200,
                              capture_output=True, text=True, check=False)
        if status is not None and done.returncode != status:
            raise AssertionError(f"{' '.join(map(str, arguments))} on {ranks} ranks: status {done.returncode}, expected {status}:\n"
                                 f"{done.stdout[-500:]}\n{done.stderr[-1000:]}")
        return done.stdout + done.stderr

    def kill(self, results, after, *arguments, ranks=1):
        """Kills a call so many seconds after its first checkpoint was there. @returns whether it still ran."""
        with open(self.folder / "killed.log", "w", encoding="utf-8") as log:
            process = subprocess.Popen(command(self.binary, ranks, *arguments), cwd=self.folder, env=self.environment,
                                       stdout=log, stderr=log, start_new_session=True)
        while process.poll() is None and not checkpoints_of(self.folder / results):
            time.sleep(0.005)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            pass
        alive = process.poll() is None
        if alive:  # of mpirun the ranks are children in groups of their own
            for one in ranks_of(process):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if not alive and process.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, arguments))}: status {process.returncode}:\n"
                                 + (self.folder / "killed.log").read_text()[-1000:])
        for _ in range(200):
            if not alive or subprocess.run(["pgrep", "-f", str(self.folder / results)], capture_output=True, check=False).returncode:
                break
            time.sleep(0.05)
        return alive


def files_of(folder):
    """{name: content} of what a run leaves; checkpoints too."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        name = str(path.relative_to(folder))
        content = path.read_bytes()
        if name == "report.json":
            report = json.loads(content)
            content = json.dumps({key: value for key, value in report.items() if key not in WALL_CLOCK}).encode()
        found[name] = content
    return found


def differences(reference, other):
    wrong = [f"{name} is missing" for name in reference.keys() - other.keys()]
    wrong += [f"{name} is one too many" for name in other.keys() - reference.keys()]
    for name in reference.keys() & other.keys():
        a, b = reference[name], other[name]
        if a != b:
            at = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            wrong.append(f"{name}: {len(a)} and {len(b)} bytes, first difference at {at}: "
                         f"{a[max(0, at - 40):at + 40]!r} | {b[max(0, at - 40):at + 40]!r}")
    return sorted(wrong)


def run_killed(runner, name, ranks, seconds, kills):
    """Runs a deck and kills it up to so often, at moments that are uniform over a run. @returns the number of the last checkpoint at each
    kill, and the time that a run took which was not killed (infinite if none)."""
    killed = runner.folder / "killed"
    shutil.rmtree(killed, ignore_errors=True)
    hits = []
    arguments = ["run", f"{name}.json", "--output", killed]
    for _ in range(kills):
        start = time.time()
        if not runner.kill("killed", runner.chance.uniform(0, seconds), *arguments, ranks=ranks):
            return hits, time.time() - start
        files = checkpoints_of(killed)
        if not files:
            break
        hits.append(int(files[-1].name.split(".")[1]))
        arguments = ["resume", killed]
    runner.call(*arguments, ranks=ranks)
    return hits, float("inf")


def same_bits(runner, name, ranks, kills):
    """Rounds of a run that is killed up to three times and continued each time, until it was killed so often."""
    shutil.rmtree(runner.folder / "whole", ignore_errors=True)
    start = time.time()
    runner.call("run", f"{name}.json", "--output", runner.folder / "whole", ranks=ranks)
    seconds = time.time() - start
    reference = files_of(runner.folder / "whole")
    wrong = []
    if not checkpoints_of(runner.folder / "whole"):
        wrong.append("no checkpoint was written")
    hits, rounds = [], 0
    while len(hits) < kills and rounds < 20 + 4 * kills and len(wrong) < 20:
        found, shorter = run_killed(runner, name, ranks, seconds, min(3, kills - len(hits)))
        hits += found
        if shorter < seconds:  # beside other programs a run may take several times as long
            seconds = shorter
        rounds += 1
        wrong += [f"round {rounds}: {what}" for what in differences(reference, files_of(runner.folder / "killed"))]
    if len(hits) < kills:
        wrong.append(f"killed {len(hits)} times in {rounds} runs, expected {kills}")
    after = " ".join(f"{n}:{hits.count(n)}" for n in sorted(set(hits)))
    print(f"  {name} on {ranks}: {seconds:.1f} s, {rounds} runs killed {len(hits)} times (after checkpoint {after}), {len(reference)} files: "
          f"{'equal' if not wrong else 'DIFFERENT'}", flush=True)
    return [f"{name} on {ranks}: {what}" for what in wrong]


def positions(folder):
    with open(folder / "final.csv", encoding="utf-8") as file:
        header = file.readline().strip().split(",")
        first = header.index("x")
        return [list(map(float, line.split(",")[first:first + 3])) for line in file]


def other_ranks(runner, name, tolerance):
    """Two ranks to the middle, then 1, 3 and 4: final positions within a tolerance of those of two ranks to the end."""
    wrong = []
    shutil.rmtree(runner.folder / "whole", ignore_errors=True)
    runner.call("run", f"{name}.json", "--output", runner.folder / "whole", ranks=2)
    expected = positions(runner.folder / "whole")
    contacts = json.loads((runner.folder / "whole" / "report.json").read_text())["max_contacts"]
    middle = checkpoints_of(runner.folder / "whole")[1].name
    for ranks in (1, 3, 4):
        shutil.rmtree(runner.folder / "killed", ignore_errors=True)
        shutil.copytree(runner.folder / "whole", runner.folder / "killed")
        for later in checkpoints_of(runner.folder / "killed"):
            if later.name > middle:
                later.unlink()
        text = runner.call("resume", runner.folder / "killed", ranks=ranks)
        found = positions(runner.folder / "killed")
        far = harness_largest(abs(a - b) for one, two in zip(expected, found) for a, b in zip(one, two))
        print(f"  {name}: 2 ranks, then {ranks}: largest difference of a coordinate {far:.2g} m ({tolerance:g}), {contacts} contacts", flush=True)
        if "Completed: " not in text or contacts == 0:
            wrong.append(f"{name}: 2 ranks, then {ranks}: nothing was left to do, or no contact: {text[-300:]}")
        if len(found) != len(expected) or not far <= tolerance:
            wrong.append(f"{name}: 2 ranks, then {ranks}: differs by {far} m, {len(found)} of {len(expected)} bodies")
    return wrong


def harness_largest(values):
    from judging import largest
    return largest(list(values) or [0.0])


def cut(path):
    os.truncate(path, path.stat().st_size // 2)


def foreign(path):
    path.write_text("not HDF5\n")


def flip(path):
    """Bits of the position of the first body; the middle of a file may be room that HDF5 does not use."""
    content = bytearray(path.read_bytes())
    at = content.index(struct.pack("<d", positions(path.parent)[0][0]))
    content[at:at + 8] = bytes(255 - byte for byte in content[at:at + 8])
    path.write_bytes(bytes(content))


def of_version(version):
    """In the bytes of the file, as this Python may lack h5py: name, type and dimension of an attribute stand before its value."""
    def damage(path):
        content = bytearray(path.read_bytes())
        name, before = b"format_version\0\0", 16 + 8
        at = content.index(name) + len(name) + before
        if not 1 <= struct.unpack_from("<q", content, at)[0] < 99:
            raise AssertionError(f"{path.name}: its format version is not where it is expected")
        struct.pack_into("<q", content, at, version)
        path.write_bytes(bytes(content))
    return damage


# (name, what is done to the newest checkpoint, part of the message)
DAMAGES = [("cut", cut, "not whole"), ("foreign", foreign, "no HDF5 file"), ("flipped", flip, "damaged"),
           ("older", of_version(0), "of an older version of Scree"), ("newer", of_version(99), "of a newer version of Scree")]


def damaged(runner):
    """The newest checkpoint is truncated, replaced or of another version: the one before it is taken, with a message."""
    wrong = []
    for ranks in (1, 2, 4):
        wrong += damaged_on(runner, ranks)
    return wrong


def damaged_on(runner, ranks):
    wrong = []
    name = "bonded"
    shutil.rmtree(runner.folder / "whole", ignore_errors=True)
    runner.call("run", f"{name}.json", "--output", runner.folder / "whole", ranks=ranks)
    reference = files_of(runner.folder / "whole")
    for what, damage, message in DAMAGES:
        shutil.rmtree(runner.folder / "killed", ignore_errors=True)
        shutil.copytree(runner.folder / "whole", runner.folder / "killed")
        damage(checkpoints_of(runner.folder / "killed")[-1])
        faults = [] if message in runner.call("check", runner.folder / "killed") else [f"scree check does not say \"{message}\""]
        text = runner.call("resume", runner.folder / "killed", ranks=ranks)
        if message not in text or "The one before it is taken" not in text:
            faults.append(f"no message: {text[-400:]}")
        faults += differences(reference, files_of(runner.folder / "killed"))
        print(f"  newest checkpoint {what}, {ranks} ranks: {'the one before it is taken' if not faults else 'WRONG'}", flush=True)
        wrong += [f"{what} on {ranks}: {fault}" for fault in faults]
    for path in checkpoints_of(runner.folder / "killed"):
        cut(path)
    if "none of its checkpoints can be read" not in runner.call("resume", runner.folder / "killed", status=2, ranks=ranks):
        wrong.append(f"all damaged on {ranks}: no message")
    return wrong


def longer(runner):
    """A run that has ended is continued: no row that the longer run does not have."""
    name = "inlet"
    deck = json.loads((runner.folder / f"{name}.json").read_text())
    runner.call("run", f"{name}.json", "--output", runner.folder / "killed")
    if "the run is complete" not in runner.call("resume", runner.folder / "killed"):
        return ["resume of a run that has ended does not say so"]
    end = 1.5 * deck["time"]["end"]
    text = runner.call("resume", runner.folder / "killed", "--end", end)
    rows = (runner.folder / "killed" / "sparse.csv").read_text().splitlines()[1:]
    times = [float(row.split(",")[0]) for row in rows]
    every = next(h["every"] for h in deck["output"]["histories"] if h["file"] == "sparse.csv")
    wrong = [] if "Completed: " in text else ["the longer run does not come to its end"]
    steps = deck["time"]["step"]["max"]
    for k, t in enumerate(times[:-1]):
        if not -1e-9 <= t - k * every <= steps:
            wrong.append(f"sparse.csv: row {k} is at {t} s, expected {k * every} s")
            break
    if abs(times[-1] - end) > 1e-9:
        wrong.append(f"sparse.csv ends at {times[-1]} s, expected {end} s")
    wrong += same_shapes(runner)
    print(f"  end after that of the deck: {'right' if not wrong else wrong}", flush=True)
    return wrong


def same_shapes(runner):
    """A longer run of shapes that stand in the deck in another order than that of their names: each body keeps its own."""
    deck = json.loads((runner.folder / "inlet.json").read_text())
    deck["shapes"] = {"pebble": {"type": "sphere", "radius": 0.01}, "grain": {"type": "sphere", "radius": 0.008}}
    deck.pop("outlets")  # whose bodies would be missing in the list of the longer run
    deck["output"]["histories"] = []
    for inlet in deck["inlets"]:
        inlet["shape"] = {"pebble": 0.3, "grain": 0.7}
    (runner.folder / "mixture.json").write_text(json.dumps(deck))
    shutil.rmtree(runner.folder / "killed", ignore_errors=True)
    runner.call("run", "mixture.json", "--output", runner.folder / "killed")
    final = runner.folder / "killed" / "final.csv"
    before = harness.read_table(final)["shape"]
    runner.call("resume", runner.folder / "killed", "--end", 1.5 * deck["time"]["end"])
    after = harness.read_table(final)["shape"][:len(before)]
    if len(set(before)) == 2 and before == after:
        return []
    return [f"longer run of a mixture: shapes were {before}, are {after}"]


def rows_of(file):
    lines = file.read_text(encoding="utf-8").splitlines()
    return [dict(zip(lines[0].split(","), map(float, line.split(",")))) for line in lines[1:]]


def other_deck(runner):
    """Another deck starts from a checkpoint: springs and bonds are those of its state, and what does not fit is named."""
    wrong = []
    for name, column, ranks in (("bonded", "bond_energy", 2), ("bonded", "bonds", 1), ("box_of_blocks", "friction_elastic_energy", 1)):
        shutil.rmtree(runner.folder / "filled", ignore_errors=True)
        runner.call("run", f"{name}.json", "--output", runner.folder / "filled")
        last = rows_of(runner.folder / "filled" / "each.csv")[-1]
        deck = json.loads((runner.folder / f"{name}.json").read_text())
        files = sorted((runner.folder / "filled").glob("checkpoint.*.h5"))
        deck["bodies"] = [{"checkpoint": os.path.relpath(files[-1], runner.folder)}]
        deck["time"]["end"] /= 10
        deck["output"].pop("checkpoint")
        (runner.folder / "other.json").write_text(json.dumps(deck))
        runner.call("run", "other.json", "--output", runner.folder / "other", ranks=ranks)
        first = rows_of(runner.folder / "other" / "each.csv")[0]
        print(f"  {name}, another deck on {ranks}: {column} {last[column]:.9g} at the checkpoint, {first[column]:.9g} at the start", flush=True)
        if last[column] == 0 or abs(first[column] - last[column]) > 1e-9 * abs(last[column]):
            wrong.append(f"{name}: {column} is {last[column]} at the checkpoint and {first[column]} at the start of the other deck")
        deck["boundaries"][0]["name"] = "another"
        deck.pop("bonds", None)
        (runner.folder / "other.json").write_text(json.dumps(deck))
        text = runner.call("check", "other.json", status=None)
        what = 'bonds, because this deck has no "bonds"' if name == "bonded" else 'contacts with boundary "box"'
        if what not in text:
            wrong.append(f"another deck: the log does not name {what}: {text[:500]}")
        shape = next(iter(deck["shapes"].values()))
        shape |= {"radius": 0.045} if "radius" in shape else {"size": [0.1, 0.1, 0.09]}
        deck["materials"] = {"stone": deck["materials"].pop("rock")}
        deck["boundaries"][0]["material"] = "stone"
        deck["analysis"] = "dynamc"
        (runner.folder / "other.json").write_text(json.dumps(deck))
        text = runner.call("check", "other.json", status=2)
        for what in ("has a bounding radius", 'have the material "rock", which is not defined', '/analysis: got "dynamc"'):
            if what not in text:
                wrong.append(f"another deck: no message on {what}: {text[:500]}")
    return wrong


def fill(disk, leave):
    """Another program takes the disk but for so many bytes."""
    with open(disk / "filler", "wb", buffering=0) as file:
        while (room := os.statvfs(disk)).f_bavail * room.f_frsize > leave:
            file.write(bytes(min(4096, room.f_bavail * room.f_frsize - leave + 1)))


def full_disk(runner, size="8m", leave=100000, counts=(1, 2)):
    """Another program fills the disk: checkpoints before are whole, the run ends in order, or continues with a warning."""
    disk = runner.folder / "disk"
    disk.mkdir(exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], capture_output=True, check=False).returncode:
        print("  full disk: cannot mount a tmpfs here, left out", flush=True)
        return []

    def take_room(_process, _ranks):
        fill(disk, leave)
    try:
        wrong = []
        for ranks in counts:
            for policy in ("stop", "continue"):
                wrong += without_room(runner, "full disk", policy, ranks, disk / policy, take_room, (disk / "filler").unlink)
        return wrong
    finally:
        subprocess.run(["umount", disk], check=False)


def file_limit(runner, most=60000, counts=(1, 2)):
    """Files may not grow beyond a limit (ulimit -f), as with a quota: the same as a full disk."""
    def limit(process, ranks):
        for one in [process.pid] if ranks == 1 else ranks_of(process):
            resource.prlimit(one, resource.RLIMIT_FSIZE, (most, most))

    wrong = []
    for ranks in counts:
        for policy in ("stop", "continue"):
            wrong += without_room(runner, "file limit", policy, ranks, runner.folder / "limited", limit, lambda: None)
    return wrong


def run_that_loses_room(runner, ranks, results, take_room):
    """Runs full.json, whose room is taken after its first checkpoint. @returns its exit status; None if it was nearly done by then."""
    with open(runner.folder / "full.log", "w", encoding="utf-8") as log:
        run = subprocess.Popen(command(runner.binary, ranks, "run", "full.json", "--output", results), cwd=runner.folder,
                               env=runner.environment, stdout=log, stderr=log)
        try:
            while run.poll() is None and not checkpoints_of(results):
                time.sleep(0.002)
            take_room(run, ranks)
            written = [int(path.name.split(".")[1]) for path in checkpoints_of(results)]
            late = any(number > CHECKPOINTS_WITHOUT_ROOM // 2 for number in written)
            ended = run.wait(600)
        finally:
            run.kill()  # a test that failed leaves nothing that still writes into its folder
            run.wait()
    return None if late else ended


def without_room(runner, what, policy, ranks, results, take_room, give_room):
    """A run that finds no room for checkpoints after its first one. @returns what is wrong."""
    deck = json.loads((runner.folder / "box_of_blocks.json").read_text())
    every = deck["time"]["end"] / CHECKPOINTS_WITHOUT_ROOM
    deck["output"] = {"histories": [{"file": "sparse.csv", "every": every}], "final_state": "final.csv",
                      "checkpoint": {"every": every, "on_failure": policy}}
    (runner.folder / "full.json").write_text(json.dumps(deck))
    for _ in range(10):
        ended = run_that_loses_room(runner, ranks, results, take_room)
        if ended is not None:
            break
        give_room()
        shutil.rmtree(results)
    else:
        return [f"{what}, {policy}, {ranks} ranks: ten runs were too quick for the test"]
    text = (runner.folder / "full.log").read_text()
    left = runner.call("check", results)
    status = 1 if policy == "stop" else 0
    faults = [] if ended == status else [f"exit status {ended}, expected {status}: {text[-600:]}"]
    whole = [line for line in left.splitlines() if "t = " in line]
    if not whole or "cannot be read" in left:
        faults.append(f"checkpoints are not whole: {left}")
    faults += [f"{path.name} is left" for path in results.glob("*tmp")]
    # A disk that fills up ends the run before a checkpoint fails, and the room kept for it takes one of the last state.
    if policy == "stop" and "The run can be continued from" not in text and "cannot be written: File too large" not in text:
        faults.append(f"no checkpoint of the last state, and no reason: {text[-600:]}")
    if policy == "continue":
        warnings = [one["code"] for one in json.loads((results / "report.json").read_text())["warnings"]]
        if "checkpoint_failed" not in warnings:
            faults.append(f"no warning: {warnings}")
    give_room()
    if policy == "stop" and "end time reached at t = 0.4 s" not in runner.call("resume", results, ranks=ranks):
        faults.append("the run does not continue when there is room again")
    print(f"  {what}, {policy}, {ranks} ranks: {len(whole)} whole checkpoints; {'right' if not faults else 'WRONG'}", flush=True)
    shutil.rmtree(results)
    return [f"{what}, {policy}, {ranks} ranks: {fault}" for fault in faults]


def ended(runner):
    """Ctrl-C, SIGTERM and a step that fails leave a checkpoint of the last state."""
    wrong = []
    results = runner.folder / "ended"
    deck = json.loads((runner.folder / "box_of_blocks.json").read_text())
    deck["output"]["checkpoint"] = {}
    deck["time"]["end"] = 1e4  # the signal comes before, however quick the machine is
    (runner.folder / "ended.json").write_text(json.dumps(deck))
    deck["solver"] = {"newton": {"max_iterations": 2}}
    deck["time"]["step"]["min"] = 5e-5
    (runner.folder / "failing.json").write_text(json.dumps(deck))
    for what, number, status in (("Ctrl-C", signal.SIGINT, 130), ("SIGTERM", signal.SIGTERM, 130), ("a step that fails", None, 1)):
        shutil.rmtree(results, ignore_errors=True)
        name = "failing.json" if number is None else "ended.json"
        run = subprocess.Popen(command(runner.binary, 1, "run", name, "--output", results), cwd=runner.folder, env=runner.environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while run.poll() is None and not (results / "each.csv").exists():
            time.sleep(0.01)
        if number is not None:
            time.sleep(0.3)
            run.send_signal(number)
        faults = [] if run.wait(100) == status else [f"exit status {run.returncode}, expected {status}"]
        files = list(results.glob("checkpoint.*.h5"))
        row = rows_of(results / "each.csv")[-1]
        last = row["step_number"]
        text = runner.call("check", results)
        if len(files) != 1 or f"step {last:.0f}," not in text:
            faults.append(f"{len(files)} checkpoints, last step {last:.0f}: {text}")
        elif number is not None:
            runner.call("resume", results, "--end", row["time"] + 0.02)
            steps = [row["step_number"] for row in rows_of(results / "each.csv")]
            if steps != list(range(len(steps))):
                faults.append("each.csv does not have each step once")
        print(f"  {what}: {'a checkpoint of the last state' if not faults else 'WRONG'}", flush=True)
        wrong += [f"{what}: {fault}" for fault in faults]
    return wrong


def last_moments(runner):
    """A run that is killed between its last checkpoint and its report: what is missing is written."""
    wrong = []
    for name in ("bonded", "two_step"):
        for checkpoint, at_once in ((None, False), ({"every": 0.3, "keep": 1}, True)):
            deck = json.loads((runner.folder / f"{name}.json").read_text())
            deck["output"]["checkpoint"] |= checkpoint or {}
            (runner.folder / "last.json").write_text(json.dumps(deck))
            for folder in ("whole", "killed"):
                shutil.rmtree(runner.folder / folder, ignore_errors=True)
                runner.call("run", "last.json", "--output", runner.folder / folder)
            reference = files_of(runner.folder / "whole")
            (runner.folder / "killed" / "report.json").unlink()
            (runner.folder / "killed" / "final.csv").unlink()
            (runner.folder / "killed" / ".scree_reserve").write_text("room")
            text = runner.call("resume", runner.folder / "killed")
            found = files_of(runner.folder / "killed")
            if at_once and name == "two_step":  # what the solver computed in the last step is not saved
                for changed in ("each.csv", "sparse.csv", "report.json"):
                    reference.pop(changed)
                    found.pop(changed, None)
            faults = differences(reference, found)
            if ("killed before its last outputs" in text) == at_once:
                faults.append(f"message: {text[:300]}")
            print(f"  {name}, killed in its last moments, {'one checkpoint' if at_once else 'several checkpoints'}: "
                  f"{'equal' if not faults else 'DIFFERENT'}", flush=True)
            wrong += [f"last moments, {name}: {fault}" for fault in faults]
    return wrong


def places(runner):
    """A run is continued from other folders, without its deck, beside a run that still runs, and after one of another deck."""
    wrong = []

    def expect(what, holds, text=""):
        if not holds:
            wrong.append(f"places: {what}: {text[-600:]}")

    home = runner.folder / "home"
    (home / "sub").mkdir(parents=True)
    (home / "lift.csv").write_text("time,x,y,z\n0,0,0,0\n1,0,0,0.01\n")
    deck = json.loads((runner.folder / "bonded.json").read_text())
    deck["boundaries"][0]["motion"] = {"table": "lift.csv"}
    (home / "deck.json").write_text(json.dumps(deck))
    there = Runner(runner.binary, home)
    there.call("run", "deck.json", "--output", "whole")
    files = checkpoints_of(home / "whole")
    expect("a file instead of a folder", "is a file; expected the results folder" in there.call("resume", files[-1], status=2))
    for number in ("nan", "-1"):
        expect(f"--end {number}", "after that of the checkpoint" in there.call("resume", "whole", f"--end={number}", status=2))

    # Twice from other folders: the second time the checkpoint is one that a continued run has written.
    def begun(end):
        shutil.rmtree(home / "moved", ignore_errors=True)
        there.call("run", "deck.json", "--output", "begun", "--end", end)
        os.rename(home / "begun", home / "moved")
    begun(0.2 * deck["time"]["end"])
    (home / "deck.json").unlink()
    (home / "link").symlink_to(home / "moved")
    for where, results, arguments in ((home / "sub", "../moved", ["--end", 0.7 * deck["time"]["end"]]), (pathlib.Path("/"), home / "link", [])):
        text = Runner(runner.binary, where).call("resume", results, *arguments, status=None)
        expect(f"continued from {where}", "Completed: " in text, text)
    last = rows_of(home / "moved" / "each.csv")[-1]["time"]
    expect("its end", last == deck["time"]["end"], str(last))

    # Another run of the folder: it still runs, or has replaced files.
    long = json.loads((runner.folder / "box_of_blocks.json").read_text())
    long["time"]["end"] = 100
    long["output"] = {"histories": [{"file": "each.csv"}], "checkpoint": {"every": 0.5}}
    (home / "long.json").write_text(json.dumps(long))
    with open(home / "long.log", "w", encoding="utf-8") as log:
        run = subprocess.Popen(command(runner.binary, 1, "run", "long.json", "--output", "shared"), cwd=home, env=runner.environment,
                               stdout=log, stderr=log)
        try:
            while run.poll() is None and not checkpoints_of(home / "shared"):
                time.sleep(0.002)
            text = there.call("resume", "shared", status=2)
            expect("resumed while it runs", "another run writes to it" in text, text)
            run.send_signal(signal.SIGINT)
            expect("the run continues until Ctrl-C", run.wait(100) == 130)
        finally:
            run.kill()
            run.wait()
    deck["boundaries"][0].pop("motion")
    deck["output"] = {"histories": [{"file": "each.csv"}], "final_state": "final.csv"}
    (home / "other.json").write_text(json.dumps(deck))
    there.call("run", "other.json", "--output", "shared")
    before = files_of(home / "shared")
    text = there.call("resume", "shared", "--end", 100, status=2)
    expect("resumed after a run of another deck", "is that of another deck" in text, text)
    expect("files of the other deck", files_of(home / "shared") == before)
    print(f"  other folders, runs that share one: {'right' if not wrong else 'WRONG'}", flush=True)
    return wrong


OTHERS = {"last_moments": last_moments, "places": places, "ended": ended, "damaged": damaged, "longer": longer, "other_deck": other_deck, "full_disk": full_disk, "file_limit": file_limit}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("scene", nargs="*", help="; ".join(restart_decks.SCENES))
    parser.add_argument("--kills", type=int, default=2, help="per scene")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--also", nargs="*", default=[], choices=["ranks", *OTHERS], help="what is tested beside scenes")
    arguments = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory(prefix="scree_restarts_") as folder:
        runner = Runner(arguments.binary.resolve(), pathlib.Path(folder), arguments.seed)
        for name, make in restart_decks.SCENES.items():
            (runner.folder / f"{name}.json").write_text(json.dumps(make()), encoding="utf-8")
        for name in arguments.scene or ([] if arguments.also else restart_decks.SCENES):
            for ranks in arguments.ranks:
                wrong += same_bits(runner, name, ranks, arguments.kills)
        for what in arguments.also:
            if what == "ranks":
                for name, (make, tolerance) in restart_decks.OTHER_RANKS.items():
                    (runner.folder / f"{name}.json").write_text(json.dumps(make()), encoding="utf-8")
                    wrong += other_ranks(runner, name, tolerance)
            else:
                wrong += OTHERS[what](runner)
    for what in wrong:
        print("FAIL", what)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
