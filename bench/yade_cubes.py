#!/usr/bin/env python3
"""Cubes dropped into a box: CPU time, height and packing beside YADE's, from the same initial states."""
import argparse
import csv
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402
from common import EDGE, GRAVITY, MASS, harness  # noqa: E402
import packing  # noqa: E402

# As YADE's script: rest is a kinetic energy below 1e-5 m g edge per cube, for 0.1 s.
REST_ENERGY, REST_TIME = 1e-5 * MASS * GRAVITY * EDGE, 0.1
# Aim for the part of YADE's CPU time, and tolerances relative to its height and packing.
TIME_PART, HEIGHT_PART, PACKING_PART = 1 / 20, 0.05, 0.08
STATE = ("x_m", "y_m", "z_m", "q0", "q1", "q2", "q3", "vx_mps", "vy_mps", "vz_mps", "wx_radps", "wy_radps", "wz_radps")
ENDS = {125: 1.46, 564: 2.0}  # what YADE ran [s]


def read_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [dict(row) for row in csv.DictReader(file)]


def initial(reference, count, seed):
    """Initial state; other seeds than 0 turn each cube by 1e-6 rad: another realisation of the same scene."""
    rows = [[float(row[c]) for c in STATE] for row in read_rows(reference / f"n{count}_initial.csv")]
    if seed:
        draw = random.Random(seed)
        for row in rows:
            row[4:7] = [c + 1e-6 * draw.uniform(-1, 1) for c in row[4:7]]
            norm = math.sqrt(sum(c * c for c in row[3:7]))
            row[3:7] = [c / norm for c in row[3:7]]
    return rows


def rest_time(energy, count):
    """Time from which the cubes are at rest to the end, None if they are not for REST_TIME."""
    begin = None
    for t, e in zip(energy["time"], energy["kinetic_energy"]):
        if e >= REST_ENERGY * count:
            begin = None
        elif begin is None:
            begin = t
    return begin if begin is not None and energy["time"][-1] - begin >= REST_TIME else None


def ours(arguments, program, count, seed):
    """Figures of one run of ours."""
    name = f"n{count}_seed{seed}"
    common.write_state(program.work / name / "initial.csv", initial(arguments.reference, count, seed))
    deck = common.deck_of("initial.csv", 1.0, 6.0, ENDS[count])
    deck["title"] = f"{count} cubes of the YADE reference"
    deck["integrator"] = {"type": arguments.integrator}
    # YADE's cubes lose little in an impact; with 0.3 the pile would come to rest sooner, and looser.
    deck["interfaces"][0]["normal"]["damping_ratio"] = 0.1
    deck["output"]["final_state"] = "final.csv"
    deck["output"]["contacts"] = {"every": ENDS[count]}
    if arguments.petsc:
        deck["solver"]["petsc_options"] = arguments.petsc
    run = program.run(deck, name)
    final, energy = run.history("final.csv"), run.history("energy.csv")
    poles = list(zip(final["x"], final["y"], final["z"]))
    result = packing.figures(poles, list(zip(*(final[c] for c in ("qw", "qx", "qy", "qz")))), EDGE)
    steps = run.report["steps"]
    return {**result, "who": f"scree, seed {seed}", "core": run.core_seconds, "wall": run.wall_seconds, "steps": steps,
            "coordination": packing.coordination(run.last_contacts(), count), "rest": rest_time(energy, count),
            "cost": run.core_seconds / steps / count, "newton": run.report["newton_iterations"] / steps,
            "phases": run.report["phase_seconds"]}


def recorded(reference, count):
    """YADE's figures of the reference folder."""
    row = next(r for r in read_rows(reference / "packing_summary.csv") if int(r["N"]) == count)
    timing = read_rows(reference / f"n{count}_timing.csv")[0]
    steps, core = int(timing["steps"]), float(timing["cpu_s"])
    return {"who": "YADE, recorded", "top": float(row["top_surface_m"]), "p90": float(row["p90_cube_top_m"]),
            "mean_height": float(row["mean_centre_height_m"]), "core": core, "steps": steps,
            "packing": float(row["slab_packing_fraction_0.02m_to_0.6p90"]), "cost": core / steps / count,
            "coordination": float(row["mean_coordination_cube_cube"]),
            "rest": float(timing["t_rest_s"]) if timing["t_rest_s"] else None}


def beside(arguments, count):
    """Runs YADE's script here, in the same measurement."""
    if not shutil.which("yade"):
        prefix = [] if os.geteuid() == 0 else ["sudo"]
        subprocess.run([*prefix, "apt-get", "install", "-q", "-y", "--no-install-recommends", "yade"], check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    folder = pathlib.Path(arguments.work).resolve() / f"yade_n{count}"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "output.txt", "w", encoding="utf-8") as out:
        core = common.core_seconds(["yade", "-n", "-x", "-j1", str(arguments.reference / "cubes.py"), str(count), "2e-4",
                                    str(ENDS[count]), f"n{count}"], folder, out, OMP_NUM_THREADS="1")
    timing, final = read_rows(folder / f"n{count}_timing.csv")[0], read_rows(folder / f"n{count}_final.csv")
    last = read_rows(folder / f"n{count}_series.csv")[-1]
    result = packing.figures([[float(r[c]) for c in STATE[:3]] for r in final],
                             [[float(r[c]) for c in STATE[3:7]] for r in final], EDGE)
    return {**result, "who": "YADE, here", "core": core, "steps": int(timing["steps"]),
            "coordination": 2 * int(last["contacts_cube_cube"]) / count, "cost": core / int(timing["steps"]) / count,
            "rest": float(timing["t_rest_s"]) if timing["t_rest_s"] else None}


def show(count, results):
    print(f"\n{count} cubes, to {ENDS[count]} s")
    common.table(
        ["", "CPU s", "steps", "CPU s/body/step", "rest at s", "top m", "p90 m", "mean height m", "packing",
         "coordination", "Newton/step"],
        [[r["who"], f"{r['core']:.1f}", r["steps"], f"{r['cost']:.2e}", f"{r['rest']:.2f}" if r["rest"] else "no",
          f"{r['top']:.3f}", f"{r['p90']:.3f}", f"{r['mean_height']:.4f}", f"{r['packing']:.3f}",
          f"{r['coordination']:.2f}", f"{r['newton']:.2f}" if "newton" in r else ""] for r in results])


def judge(ratios, count, mine, yade):
    """Means over our runs against YADE's mean."""
    def mean(rows, key):
        return sum(r[key] for r in rows) / len(rows)
    core = mean(mine, "core") / mean(yade, "core")
    height = mean(mine, "mean_height") / mean(yade, "mean_height") - 1
    solid = mean(mine, "packing") / mean(yade, "packing") - 1
    ratios.at_most(f"{count} cubes: CPU time over that of YADE", core, TIME_PART, "a twentieth")
    ratios.at_most(f"{count} cubes: mean height off YADE's", abs(height), HEIGHT_PART, f"here {100 * height:+.1f} %")
    ratios.at_most(f"{count} cubes: packing off YADE's", abs(solid), PACKING_PART, f"here {100 * solid:+.1f} %")
    total = sum(mine[0]["phases"].values())
    for phase, seconds in sorted(mine[0]["phases"].items(), key=lambda p: -p[1]):
        print(f"    {phase:<34}{seconds:9.2f} s {100 * seconds / total if total else 0:6.1f} %")


def main(ratios):
    parser = argparse.ArgumentParser(description=__doc__)
    common.add_options(parser, "yade_cubes")
    parser.add_argument("--reference", type=pathlib.Path,
                        default=common.ROOT / "bench/reference/yade_polyhedra")
    parser.add_argument("--count", type=int, nargs="+", choices=sorted(ENDS), default=sorted(ENDS))
    parser.add_argument("--seeds", type=int, default=1, help="realisations of ours")
    parser.add_argument("--integrator", default="energy", choices=["energy", "newmark", "variational", "trapezoidal"])
    parser.add_argument("--with-yade", action="store_true", help="installs and runs YADE beside (hours)")
    arguments = common.parse(parser, "yade_cubes")
    arguments.reference = arguments.reference.resolve()
    if not arguments.reference.is_dir():
        ratios.skip(f"no reference states in {arguments.reference} (--reference FOLDER)")
        return
    program = harness.Program(arguments.binary, arguments.work)
    for count in arguments.count:
        mine = [ours(arguments, program, count, seed) for seed in range(arguments.seeds)]
        yade = [recorded(arguments.reference, count)]
        here = [beside(arguments, count)] if arguments.with_yade else []
        show(count, mine + here + yade)
        # The time of this machine where there is one, the packing of all of YADE's runs.
        judge(ratios, count, mine, here or yade)


if __name__ == "__main__":
    sys.exit(common.main_of("yade_cubes", __doc__, main))
