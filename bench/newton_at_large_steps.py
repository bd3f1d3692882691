#!/usr/bin/env python3
"""Newton iterations of fixed steps beyond the period of the contacts: spheres, cubes and superquadrics.

Each scene falls and comes to rest under the integrator "energy", the default (theory 11), or under implicit Euler, the
trapezoidal rule with phi = 1: it takes energy out of impacts that it does not resolve, where other methods may put some in
(theory 09 section 4). With --before PROGRAM an older program runs the same decks."""
import argparse
import csv
import itertools
import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402
from common import GRAVITY, harness  # noqa: E402

sys.path.insert(0, str(harness.CASES / "superquadric_settling"))
import compare  # noqa: E402
import yade_cubes  # noqa: E402

RELATIVE, ITERATIONS = 1e-4, 60  # 1e-4 of the weight or 1e-6 of the contact forces; a step that takes more is rejected
STATE = ("x", "y", "z", "vx", "vy", "vz", "radius")


def run_of(integrator, end, step):
    return {"gravity": [0, 0, -GRAVITY], "integrator": integrator, "time": {"end": end, "step": step},
            "solver": {"newton": {"relative": RELATIVE, "max_iterations": ITERATIONS}},
            "output": {"histories": [{"file": "steps.csv", "every": step,
                                      "columns": ["time", "step", "newton_iterations", "kinetic_energy", "contacts"]}],
                       "final_state": "final.csv"}}


def spheres(folder, integrator, end, step, count=200, young=1e9):
    """Spheres of 18 to 22 mm dropped into a box of 0.12 m, Hertz and Mindlin, friction 0.3, restitution 0.5."""
    draw, radius, side = random.Random(1), 0.01, 0.12
    per = int(side / (2.4 * radius))
    rows = []
    for k in range(count):
        place = [(k % per + 0.5) * side / per, (k // per % per + 0.5) * side / per, (k // per ** 2 + 0.7) * 2.6 * radius]
        place = [x + 2 * radius * draw.uniform(-0.04, 0.04) if axis < 2 else x for axis, x in enumerate(place)]
        speed = [draw.uniform(-0.2, 0.2) - (0.5 if axis == 2 else 0) for axis in range(3)]
        rows.append([*place, *speed, radius * draw.uniform(0.9, 1.1)])
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "start.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([STATE, *rows])
    return run_of(integrator, end, step) | {
        "title": "spheres fill a box in large steps",
        "materials": {"ball": {"density": 2500, "young": young, "poisson": 0.25}, "wall": {"density": 2500}},
        "shapes": {"ball": {"type": "sphere", "radius": radius}},
        "bodies": [{"shape": "ball", "material": "ball", "file": "start.csv"}],
        "boundaries": [{"name": "box", "type": "box", "min": [0, 0, 0], "max": [side, side, 2], "open": ["+z"],
                        "material": "wall"}],
        "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz", "restitution": 0.5},
                        "friction": {"static": 0.3, "stiffness": "mindlin"}}]}


def cubes(folder, integrator, end, step):
    """125 cubes of 0.1 m and 2 kg of the YADE reference, barrier law of theory 09."""
    rows = yade_cubes.initial(common.ROOT / "bench/reference/yade_polyhedra", 125, 0)
    common.write_state(folder / "start.csv", rows)
    return common.deck_of("start.csv", 1.0, 6.0, end) | run_of(integrator, end, step)


def superquadrics(folder, integrator, end, step, young=1e9):
    """The quarter of the start of the case superquadric_settling that lies in x, y < 0.05 m, in a cell of 0.05 m."""
    start = harness.read_table(compare.FOLDER / "start.csv")
    wide = compare.WIDTH / 2
    inside = [k for k, (x, y) in enumerate(zip(start["x"], start["y"])) if 0 <= x < wide - 0.006 and 0 <= y < wide - 0.006]
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "start.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(start)
        writer.writerows([column[k] for column in start.values()] for k in inside)
    deck = compare.deck_of(4, step, "start.csv", young) | run_of(integrator, end, step)
    deck["periodic"] = {axis: [0, wide] for axis in "xy"}
    return deck


#        scene, name, end [s], steps [s] with the most iterations per step on average
SCENES = ((spheres, "spheres, 1e9 Pa", 0.3, ((1e-4, None), (1e-3, 12), (2e-3, 15), (5e-3, 25))),
          (cubes, "cubes, barrier", 1.0, ((2e-3, 8), (5e-3, 15), (1e-2, 25))),
          (superquadrics, "superquadrics, 1e9 Pa", 0.25, ((1e-4, None), (1e-3, 12))))


INTEGRATORS = {"energy": {"type": "energy"}, "euler": {"type": "trapezoidal", "phi": 1}}


def figures(program, make, integrator, end, step, name):
    """Row of one run: steps, mean, 95th percentile and largest number of iterations, cuts, trials, CPU time."""
    folder = program.work / name
    deck = make(folder, integrator, end, step)
    run = program.run(deck, name, accept=(0, 1, 3), timeout=1200)
    if run.report is None:
        return None
    steps, total = run.report["steps"], run.report["newton_iterations"]
    each = sorted(run.history("steps.csv")["newton_iterations"][1:]) or [math.nan]
    return {"steps": steps, "mean": total / max(steps, 1), "95 %": each[int(0.95 * (len(each) - 1))], "most": each[-1],
            "cuts": run.report["cuts"], "CPU s": run.core_seconds, "end": run.report["time"]}


def main(ratios):
    parser = argparse.ArgumentParser(description=__doc__)
    common.add_options(parser, "newton_at_large_steps")
    parser.add_argument("--before", help="an older program, to compare with")
    parser.add_argument("--scenes", nargs="+", default=["spheres"],
                        choices=[make.__name__ for make, *_ in SCENES])
    parser.add_argument("--steps", type=float, nargs="+", default=[1e-4, 1e-3], help="[s]; larger ones take minutes, as most are rejected")
    parser.add_argument("--integrators", nargs="+", default=["energy"], choices=INTEGRATORS)
    parser.add_argument("--end", type=float, help="of all runs [s]")
    arguments = common.parse(parser, "newton_at_large_steps")
    rows = []
    for make, what, end, steps in SCENES:
        if make.__name__ not in arguments.scenes:
            continue
        for step, most in steps:
            if step not in arguments.steps:
                continue
            programs = [(label, binary) for label, binary in (("before", arguments.before), ("", arguments.binary)) if binary]
            for integrator, (label, binary) in itertools.product(arguments.integrators, programs):
                program = harness.Program(binary, arguments.work / (label or "now"))
                row = figures(program, make, INTEGRATORS[integrator], arguments.end or end, step,
                              f"{make.__name__}_{integrator}_{step:g}")
                rows.append([what, f"{1e3 * step:g}", f"{integrator} {label}", *(f"{value:.4g}" for value in row.values())])
                print(json.dumps(rows[-1]), flush=True)
                if most and not label:
                    ratios.at_most(f"{what}, {1e3 * step:g} ms, {integrator}: iterations per step", row["mean"], most,
                                   "theory 09 section 2")
    common.table(["scene", "step [ms]", "integrator", "steps", "mean", "95 %", "most", "cuts", "CPU s", "end [s]"], rows)


if __name__ == "__main__":
    sys.exit(common.main_of("newton_at_large_steps", __doc__, main))
