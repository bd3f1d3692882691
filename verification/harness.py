"""What the cases share: reading decks, running the program as a user does, comparing numbers.

A case is a folder verification/cases/NAME with README.md and compare.py, which has `compare(case)`.
Standard library only.
"""
import csv
import hashlib
import importlib.util
import json
import math
import os
import pathlib
import re
import resource
import shutil
import subprocess
import time

import judging

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "verification" / "cases"

# Ranks on one machine, also as root in a container and with more ranks than cores.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl": "self,vader",  # no search for networks
    "OMPI_MCA_hwloc_base_binding_policy": "none",  # two calls of mpirun would share the first core
}
# Lines of a README: "Label: slow (N minutes)" keeps a case out of ./scree test and of ./scree verify, "Label: alone" makes
# it run without another beside it (it takes all cores).
_LABEL = re.compile(r"^Label: (slow|alone)(?: \((\d+) minutes\))?", re.MULTILINE)
_QUICK = 8.0  # s of a case without label: a guess, from which the order follows
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def read_deck(path):
    """The values of a deck; comments are dropped, but not what looks like one inside a string."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    return json.loads(_COMMENT.sub(lambda match: match.group(1) or "", text))


def load(name):
    """The module cases/NAME/compare.py. Files beside it can be imported by it."""
    spec = importlib.util.spec_from_file_location(name, CASES / name / "compare.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_table(path):
    """{column: [values]} of a CSV file with a header; what is no number stays text."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    columns = {name: [] for name in rows[0]}
    for row in rows[1:]:
        for name, text in zip(columns, row):
            try:
                columns[name].append(float(text))
            except ValueError:
                columns[name].append(text)
    return columns


class CaseError(Exception):
    """The case could not be run to its end: the program failed, or wrote something else than expected."""


class Run:
    """A finished run: where its results lie, and what it came to."""

    def __init__(self, folder, output, wall_seconds, core_seconds, status=0):
        self.folder = folder
        self.output = output
        self.wall_seconds = wall_seconds
        self.core_seconds = core_seconds  # user + system, all ranks
        self.status = status
        report = folder / "report.json"
        self.report = json.loads(report.read_text(encoding="utf-8")) if report.exists() else None

    def history(self, name):
        return read_table(self.folder / name)

    def bytes(self, name):
        return (self.folder / name).read_bytes()

    def contacts(self):
        """Yields (time, table) per contact file, in order of time."""
        index = read_table(self.folder / "contacts_index.csv")
        for name, when in zip(index["file"], index["time"]):
            yield when, read_table(self.folder / name)

    def last_contacts(self):
        index = read_table(self.folder / "contacts_index.csv")
        return read_table(self.folder / index["file"][-1])


class Program:
    """The built program, run in folders of its own below `work`. resume: what this binary has run to its end there, with the
    same deck in the same way, is taken as it lies; files that a deck names are taken to be the same."""

    def __init__(self, binary, work, checker=None, resume=False):
        self.binary = pathlib.Path(binary).resolve()
        self.checker = pathlib.Path(checker).resolve() if checker else None
        self.work = pathlib.Path(work).resolve()
        self.resume = resume

    def run(self, deck, name, ranks=1, options=(), trace=False, timeout=None, accept=(0,)):
        """Writes `deck` (a dict) and runs it. Relative files of the deck are looked for in its folder.
        Raises CaseError unless the program exits with a status that is in `accept`."""
        folder = self.work / name
        folder.mkdir(parents=True, exist_ok=True)
        deck = json.loads(json.dumps(deck))
        deck.setdefault("output", {})["directory"] = "results"
        text = json.dumps(deck, indent=1)
        of = {"deck": text, "binary": hashlib.sha256(self.binary.read_bytes()).hexdigest(), "ranks": ranks,
              "options": list(options), "trace": trace}
        finished = folder / "finished.json"
        if self.resume and finished.exists():
            done = json.loads(finished.read_text(encoding="utf-8"))
            if done["of"] == of:
                return Run(folder / "results", (folder / "output.txt").read_text(encoding="utf-8", errors="replace"),
                           done["wall_seconds"], done["core_seconds"])
        finished.unlink(missing_ok=True)
        for old in folder.glob("intersections.*.txt"):
            old.unlink()
        # Of a version that kept no list of its files, the program would replace none.
        shutil.rmtree(folder / "results", ignore_errors=True)
        (folder / "deck.json").write_text(text, encoding="utf-8")
        command = [str(self.binary), "run", "deck.json", *options]
        if ranks > 1:
            command = ["mpirun", "-n", str(ranks), *command]
        environment = {**os.environ, **ENVIRONMENT}
        if trace:
            for old in folder.glob("trace.*"):
                old.unlink()
            environment["SCREE_TRACE"] = str(folder / "trace")
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        with open(folder / "output.txt", "w", encoding="utf-8") as out:
            try:
                status = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                        stdout=out, stderr=subprocess.STDOUT, timeout=timeout).returncode
            except subprocess.TimeoutExpired as error:
                raise CaseError(f"{name}: still running after {timeout:g} s; its output: {folder}/output.txt") from error
        wall = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cores = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        output = (folder / "output.txt").read_text(encoding="utf-8", errors="replace")
        if status not in accept:
            tail = "\n".join("    " + line for line in output.splitlines()[-15:])
            raise CaseError(f"{name}: exit status {status} of {' '.join(command)} in {folder}\n{tail}")
        if status == 0:
            finished.write_text(json.dumps({"of": of, "wall_seconds": wall, "core_seconds": cores}), encoding="utf-8")
        return Run(folder / "results", output, wall, cores, status)

    def intersections(self, name, depth=0.0, between=True):
        """(number of intersections deeper than `depth` [m] and of passages between states, smallest separation [m], states)
        of the traced run `name`, found by the independent test. `between` False leaves passages out: quasi-static states are
        far from each other. The trace, which may be large, is removed."""
        folder = self.work / name
        kept = folder / f"intersections.{depth:g}{'' if between else '.states'}.txt"  # the trace is gone when a run is resumed
        if not (self.resume and kept.exists()):
            command = [str(self.checker), str(folder / "trace"), str(depth)] + ([] if between else ["states"])
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode not in (0, 1):
                raise CaseError(f"{name}: {done.stdout}{done.stderr}")
            kept.write_text(done.stdout, encoding="utf-8")
        for file in folder.glob("trace.*"):
            file.unlink()
        told = kept.read_text(encoding="utf-8")
        count = sum(int(number) for number in re.findall(r"^(?:intersections|passages) (\d+)", told, re.MULTILINE))
        states = int(re.search(r"^states (\d+)", told, re.MULTILINE).group(1))
        smallest = re.search(r"^smallest separation (\S+)", told, re.MULTILINE)
        return count, float(smallest.group(1)) if smallest else math.inf, states


class Case(Program, judging.Comparisons):
    """A verification case: runs the program, and judges what comes out."""

    def __init__(self, name, binary, work, checker=None, resume=False):
        self.folder = CASES / name
        Program.__init__(self, binary, pathlib.Path(work) / name, checker, resume)
        judging.Comparisons.__init__(self, name, (self.folder / "README.md").read_text(encoding="utf-8"))
        labels = dict(_LABEL.findall(self.readme))
        self.is_slow, self.is_alone = "slow" in labels, "alone" in labels
        self.expected_seconds = 60.0 * float(labels.get("slow") or 0) or _QUICK

    def no_intersection(self, name):
        """No two bodies of any accepted state of the traced run `name` intersect."""
        count, smallest, states = self.intersections(name)
        self.none(f"{name}: intersections in {states} states", count,
                  "separating axes in long double, independent of contact/", states > 1)
        self.tell(f"{name}: smallest separation", f"{smallest:.3e} m")


def column_until(table, name, until):
    """Values of a column at times up to `until` [s]."""
    return [value for t, value in zip(table["time"], table[name]) if t <= until]


def slope(x, y):
    """Least-squares slope of y over x."""
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def rms(values):
    values = list(values)
    return math.sqrt(sum(v * v for v in values) / len(values))


def turned_angle(table, row):
    """Angle [rad] between the orientation in a row of a body's history and that in its first row."""
    a, b = ([table[c][i] for c in ("qw", "qx", "qy", "qz")] for i in (0, row))
    # The vector part of b a^-1: sharp for small angles, unlike the arc cosine of the scalar part.
    w, x, y, z = a
    v = (w * b[1] - x * b[0] - (b[2] * z - b[3] * y),
         w * b[2] - y * b[0] - (b[3] * x - b[1] * z),
         w * b[3] - z * b[0] - (b[1] * y - b[2] * x))
    return 2 * math.asin(min(1.0, math.sqrt(sum(c * c for c in v))))
