"""Scree and a plate on springs, coupled by preCICE: ./scree couple precice [--results DIR] [--only NAME ...]

Each run starts both programs with the deck and the configuration of this folder, and is compared with the exact solution or with
the same coupling in one process. The figures are printed and written to DIR/measured.json.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "verification"))
from judging import largest  # noqa: E402
LIMIT = 300  # seconds per run
RUNS = ("exact", "oblique", "subcycles", "short", "ranks", "restart", "gone", "nan")


class Both:
    """A run of both programs in a folder of its own."""

    def __init__(self, build, folder, deck=None, config=None):
        self.scree, self.plate = build / "scree", build / "inputs/coupling/sprung_plate"
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        text = "\n".join(line for line in (HERE / "deck.json").read_text(encoding="utf-8").splitlines() if not line.strip().startswith("//"))
        self.deck = json.loads(text)
        (deck or (lambda _: None))(self.deck)
        (folder / "deck.json").write_text(json.dumps(self.deck, indent=1), encoding="utf-8")
        text = (HERE / "precice-config.xml").read_text(encoding="utf-8")
        for old, new in (config or {}).items():
            if text.count(old) != 1:
                raise SystemExit(f"precice-config.xml: \"{old}\" is expected once")
            text = text.replace(old, new)
        (folder / "precice-config.xml").write_text(text, encoding="utf-8")

    def run(self, plate=(), scree=("run", "deck.json"), ranks=1, out="plate.csv"):
        """Exit states of both."""
        launch = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        with open(self.folder / "scree.log", "w", encoding="utf-8") as one, open(self.folder / "plate.log", "w", encoding="utf-8") as two:
            started = [subprocess.Popen([*launch, str(self.scree), *scree], cwd=self.folder, stdout=one, stderr=one, env=environment),
                       subprocess.Popen([str(self.plate), *plate, "--out", out], cwd=self.folder, stdout=two, stderr=two, env=environment)]
            try:
                return [program.wait(LIMIT) for program in started]
            except subprocess.TimeoutExpired:
                return [program.poll() for program in started]
            finally:
                for program in started:
                    if program.poll() is None:
                        program.kill()

    def good(self, *arguments, **more):
        if (states := self.run(*arguments, **more)) != [0, 0]:
            raise SystemExit(f"{self.folder}: exit states {states}\n{(self.folder / 'scree.log').read_text()[-2000:]}"
                             f"{(self.folder / 'plate.log').read_text()[-2000:]}")
        return self.table(more.get("out", "plate.csv"))

    def alone(self, *options):
        """The same in one process."""
        subprocess.run([str(self.plate), "--deck", "deck.json", *options, "--out", "alone.csv"], cwd=self.folder, check=True, timeout=LIMIT)
        return self.table("alone.csv")

    def table(self, name):
        with open(self.folder / name, encoding="utf-8") as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def farthest(one, other, keys=("heave", "turn_x", "turn_y", "force")):
    """Largest difference of two tables, over the largest value of the column."""
    if len(one) != len(other):
        return math.inf
    worst = 0.0
    for key in keys:
        size = largest(abs(row[key]) for row in other)
        if size != 0:
            worst = largest([worst, largest(abs(a[key] - b[key]) for a, b in zip(one, other)) / size])
    return worst


def exact(time, mass, speed, stiffness, plate_mass, spring):
    """Heave of the plate [m] and force [N] while a ball with a linear contact touches it."""
    # z'' = -k/m (z - w), w'' = k/M (z - w) - s/M w, and w downwards; two modes
    a, b, c = stiffness / mass, stiffness / plate_mass, spring / plate_mass
    mean, root = (a + b + c) / 2, math.sqrt(((a + b + c) / 2) ** 2 - a * c)
    ball = heave = 0.0
    for square in (mean - root, mean + root):
        omega = math.sqrt(square)
        # amplitudes of the mode (1, r), from z' = speed, w' = 0
        r, other = 1 - square / a, 1 - (2 * mean - square) / a
        amplitude = speed * -other / (r - other) / omega
        ball += amplitude * math.sin(omega * time)
        heave += r * amplitude * math.sin(omega * time)
    return heave, stiffness * (ball - heave)


def measure(build, results, only):
    rows = []

    def tell(run, quantity, value, limit=None):
        passed = limit is None or value <= limit
        rows.append({"run": run, "quantity": quantity, "measured": value, "limit": limit, "passed": passed})
        print(f"{run:12} {quantity:62} {value:12.4g}" + ("" if limit is None else f"   at most {limit:<8.2g} {'PASS' if passed else 'FAIL'}"),
              flush=True)

    def iterations(run, table):
        counts = [row["solutions"] for row in table]
        tell(run, "solutions per window, mean", sum(counts) / len(counts))
        tell(run, "solutions per window, largest", largest(counts))

    def oblique(deck):
        # Beside the middle, friction, damping, weight: all three motions of the plate.
        deck["gravity"] = [0, 0, -9.81]
        deck["bodies"][0].update(position=[0.2, -0.11, 0.05], velocity=[0.5, 0.3, -1])
        deck["interfaces"][0]["normal"]["damping"] = 20
        deck["interfaces"][0]["friction"] = {"static": 0.4, "dynamic": 0.4, "stiffness": 5e4}

    wanted = lambda name: not only or name in only
    mass = 4 / 3 * math.pi * 0.05 ** 3 * 2500

    if wanted("exact"):
        errors = []
        for size in (2e-4, 1e-4, 5e-5):
            both = Both(build, results / f"exact_{size:g}", lambda deck, h=size: deck["time"].update(step=h),
                        {'time-window-size value="1e-4"': f'time-window-size value="{size:g}"', 'max-time value="0.008"': 'max-time value="0.004"'})
            table = both.good(["--window", str(size)])
            reference = [exact(row["time"], mass, 1.0, 1e5, 0.5, 2e4) for row in table]
            peak = largest(force for _, force in reference)
            errors.append(largest(abs(row["force"] + force) for row, (_, force) in zip(table, reference)) / peak)
            tell("exact", f"window {size:g} s: largest error of the force, over its peak", errors[-1])
            iterations(f"exact {size:g}", table)
        tell("exact", "2 - order of the error in the window", 2 - math.log2(errors[1] / errors[2]), 0.2)

    if wanted("oblique"):
        both = Both(build, results / "oblique", oblique)
        table = both.good()
        tell("oblique", "difference to one process", farthest(table, both.alone()), 1e-7)
        iterations("oblique", table)

    if wanted("subcycles"):
        # Ten steps of Scree in a window, four of the plate, windows long enough for q of about 1/2.
        both = Both(build, results / "subcycles", oblique, {'time-window-size value="1e-4"': 'time-window-size value="1e-3"'})
        table = both.good(["--window", "1e-3", "--substeps", "4"])
        tell("subcycles", "difference to one process", farthest(table, both.alone("--window", "1e-3", "--substeps", "4")), 1e-7)
        iterations("subcycles", table)

    if wanted("short"):
        both = Both(build, results / "short", oblique, {'time-window-size value="1e-4"': 'time-window-size value="3e-4"'})
        table = both.good(["--window", "3e-4"])
        tell("short", "difference to one process, last window 2e-4 s", farthest(table, both.alone("--window", "3e-4")), 1e-7)
        tell("short", "end less 0.008 s", abs(table[-1]["time"] - 0.008), 1e-12)

    if wanted("ranks"):
        one = Both(build, results / "ranks_1", oblique).good()
        two = Both(build, results / "ranks_2", oblique).good(ranks=2)
        tell("ranks", "difference of 2 ranks to 1", farthest(two, one), 1e-7)

    if wanted("restart"):
        half = {'max-time value="0.008"': 'max-time value="0.004"'}
        whole = Both(build, results / "whole", oblique).good()
        both = Both(build, results / "restart", oblique, half)
        first = both.good(["--save", "state.txt"])
        second = both.good(["--start", "state.txt"], ("resume", "results"), out="second.csv")
        # Forces of one process over the two runs: the plate's state has no force, which its first window interpolates from.
        tell("restart", "difference of two halves to the whole", farthest(first + second, whole, ("heave", "turn_x", "turn_y", "force")), 1e-7)

    if wanted("gone"):
        both = Both(build, results / "gone", oblique)
        states = both.run(["--stop-after", "30"])
        log = (both.folder / "scree.log").read_text(encoding="utf-8")
        tell("gone", "partner gone: no clear end of Scree", 0 if states[0] not in (0, None) and states[0] > 0 and "saved" in log else 1, 0)

    if wanted("nan"):
        both = Both(build, results / "nan", oblique)
        states = both.run(["--spoil-after", "30"])
        log = (both.folder / "scree.log").read_text(encoding="utf-8")
        tell("nan", "NaN of the partner: no clear end of Scree", 0 if states[0] not in (0, None) and states[0] > 0 and "saved" in log else 1, 0)

    results.mkdir(parents=True, exist_ok=True)
    (results / "measured.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return all(row["passed"] for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="build folder")
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path("results/coupled_precice"))
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=RUNS, help=", ".join(RUNS))
    options = parser.parse_args()
    sys.exit(0 if measure(options.build.resolve(), options.results.resolve(), options.only) else 1)


if __name__ == "__main__":
    main()
