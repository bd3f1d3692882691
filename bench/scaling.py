#!/usr/bin/env python3
"""Cost per step against the number of bodies, 100 to 10 000, at equal filling height and equal state."""
import argparse
import math
import os
import pathlib
import random
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402
from common import harness  # noqa: E402
from judging import largest, smallest  # noqa: E402

LAYERS, PITCH = 4, 0.19  # as the YADE reference: no overlap at any orientation (diagonal 0.173 m)
AIM = 1.15
FEWEST = 1000  # bodies in all realisations of one size: the state of 100 bodies alone is chance


def columns_of(count):
    """Side of the square of columns that holds about `count` cubes in LAYERS layers."""
    return max(1, round(math.sqrt(count / LAYERS)))


def initial(side, seed):
    """LAYERS layers of side x side turned cubes, with random velocities."""
    draw = random.Random(seed)
    rows = []
    for k in range(LAYERS):
        for j in range(side):
            for i in range(side):
                q = [draw.gauss(0, 1) for _ in range(4)]
                norm = math.sqrt(sum(c * c for c in q))
                rows.append([0.12 + PITCH * i, 0.12 + PITCH * j, 0.12 + PITCH * k, *(c / norm for c in q),
                             *(draw.uniform(-1, 1) for _ in range(3)), *(draw.uniform(-5, 5) for _ in range(3))])
    return rows


def deck_of(csv_file, side, end, step):
    """`step` fixed: the adaptive step follows the hardest of all impacts, which is harder where there are more."""
    deck = common.deck_of(csv_file, 0.24 - PITCH + PITCH * side, 6.0, end)
    deck["time"] = {"end": end, "step": step}
    deck["output"]["final_state"] = "final.csv"
    return deck


def measure(program, arguments, count):
    """Figures of `count` cubes, the mean over as many realisations as make FEWEST bodies."""
    every = [measure_one(program, arguments, count, seed) for seed in range(11, 11 + max(1, FEWEST // count))]
    mean = {key: statistics.fmean(one[key] for one in every) for key in ("contacts", "cost", "newton", "krylov")}
    phases = {phase: sum(one["phases"].get(phase, 0) for one in every) for phase in every[0]["phases"]}
    return {**mean, "bodies": every[0]["bodies"], "realisations": len(every), "phases": phases,
            "spread": (smallest(one["cost"] for one in every), largest(one["cost"] for one in every))}


def measure_one(program, arguments, count, seed):
    """Settles `count` cubes, then measures `steps` steps from that state. Returns the figures."""
    side = columns_of(count)
    rows = initial(side, seed)
    name = f"n{len(rows)}_{seed}"
    state = program.work / f"{name}_settled.csv"
    if not state.exists() or arguments.again:
        common.write_state(program.work / f"{name}_settle" / "initial.csv", rows)
        deck = deck_of("initial.csv", side, arguments.settle, arguments.step)
        deck["time"]["step"] = {"initial": 1e-4, "min": 1e-9, "max": 2e-3}
        # Only the state counts, not the cost: on all cores where there are many bodies.
        ranks = min(os.cpu_count() or 1, 4) if len(rows) >= FEWEST else 1
        final = program.run(deck, f"{name}_settle", ranks=ranks).history("final.csv")
        columns = ("x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")
        common.write_state(state, list(zip(*(final[c] for c in columns))))
    deck = deck_of(f"../{state.name}", side, arguments.steps * arguments.step, arguments.step)
    deck["output"]["histories"][0]["every"] = 0
    if arguments.petsc:
        deck["solver"]["petsc_options"] = arguments.petsc
    # Reading, output and the first contact search are not part of a step.
    # Neighbours on the machine only ever add time: the least of some runs is the program's own.
    short = {**deck, "time": {"end": arguments.step, "step": arguments.step}}
    nothing, run = (min((program.run(d, f"{name}_{what}", ranks=arguments.ranks) for _ in range(arguments.repeat)),
                        key=lambda r: r.core_seconds) for d, what in ((short, "start"), (deck, "measure")))
    steps = run.report["steps"] - nothing.report["steps"]
    history = run.history("energy.csv")
    contacts = sum(history["contacts"]) / len(history["contacts"])
    return {"bodies": len(rows), "contacts": contacts,
            "cost": (run.core_seconds - nothing.core_seconds) / steps,
            "newton": run.report["newton_iterations"] / run.report["steps"],
            "krylov": run.report["krylov_iterations"] / max(1, run.report["newton_iterations"]),
            "phases": run.report["phase_seconds"]}


def main(ratios):
    parser = argparse.ArgumentParser(description=__doc__)
    common.add_options(parser, "scaling")
    parser.add_argument("--count", type=int, nargs="+", default=[100, 300, 1000, 3000, 10000])
    parser.add_argument("--settle", type=float, default=0.35, help="time before the measured state [s]")
    parser.add_argument("--step", type=float, default=2e-4, help="fixed step of the measurement [s]")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=3, help="runs of which the fastest counts")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="settles anew, instead of the states of an earlier run")
    arguments = common.parse(parser, "scaling")
    program = harness.Program(arguments.binary, arguments.work)
    results = []
    for count in sorted(arguments.count):
        results.append(measure(program, arguments, count))
        r = results[-1]
        low, high = r["spread"]
        print(f"{r['bodies']} bodies: {r['cost']:.3e} CPU s per step, {r['realisations']} realisations: "
              f"{low:.3e} to {high:.3e}", flush=True)
    print()
    common.table(["bodies", "contacts/body", "Newton/step", "Krylov/Newton", "CPU s/step", "per body", "per contact"],
                 [[r["bodies"], f"{r['contacts'] / r['bodies']:.2f}", f"{r['newton']:.2f}", f"{r['krylov']:.1f}",
                   f"{r['cost']:.3e}", f"{r['cost'] / r['bodies']:.2e}", f"{r['cost'] / r['contacts']:.2e}"]
                  for r in results])
    phases = sorted({p for r in results for p in r["phases"]}, key=lambda p: -results[-1]["phases"].get(p, 0))
    print("\npart of the wall time by phase [%]")
    totals = [sum(r["phases"].values()) or 1 for r in results]
    common.table(["", *(str(r["bodies"]) for r in results)],
                 [[p, *(f"{100 * r['phases'].get(p, 0) / t:.1f}" for r, t in zip(results, totals))] for p in phases])
    if len(results) < 2:
        return
    cost = [math.log(r["cost"]) for r in results]
    by_body = harness.slope([math.log(r["bodies"]) for r in results], cost)
    by_contact = harness.slope([math.log(r["contacts"]) for r in results], cost)
    ratios.at_most("exponent of the cost per step, by bodies", by_body, AIM, "near to linear")
    ratios.at_most("exponent of the cost per step, by contacts", by_contact, AIM, "near to linear")


if __name__ == "__main__":
    sys.exit(common.main_of("scaling", __doc__, main))
