#!/usr/bin/env python3
"""218 spheres that fill a box: seconds per simulated second at the same error, Newton and fixed point beside LAMMPS.

The scene of verification/cases/box_fill_218 without tangential force, from the reference's snapshot. Positions after
20 contacts' time are compared with LAMMPS at a much smaller step (later the motion is chaotic); cost is taken from the
first 200, less that of a run of one step. The cost at a common error is interpolated on the logarithms.
"""
import argparse
import csv
import math
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402
from common import harness  # noqa: E402

DIAMETER, DENSITY, GRAVITY, WIDTH = 1e-3, 2500.0, 9.81, 6
MASS = math.pi * DENSITY * DIAMETER ** 3 / 6
STIFFNESS = 195000 * MASS * GRAVITY / DIAMETER
CONTACT = math.pi * math.sqrt(MASS / (2 * STIFFNESS))  # duration of an undamped contact [s]
DAMPING = 30 * math.sqrt(GRAVITY / DIAMETER)  # [1/s], times the effective mass
COMPARED, TIMED = 20, 200  # durations of a contact
TRUTH = 1280  # steps per contact of the run that all are compared with
STATE = ("x", "y", "z", "vx", "vy", "vz")
SOLVERS = {  # name: (integrator, nonlinear solver, steps per contact)
    "Newton, variational 1/2": ({"type": "variational", "alpha": 0.5}, "newton", (5, 10, 20, 40)),
    "Newton, trapezoidal 1/2": ({"type": "trapezoidal", "phi": 0.5}, "newton", (5, 10, 20, 40)),
    "fixed point, trapezoidal 1/2": ({"type": "trapezoidal", "phi": 0.5}, "fixed-point", (10, 20, 40, 80)),
}
LAMMPS_STEPS = (10, 20, 40, 80, 160)
LAMMPS = """units si
atom_style sphere
atom_modify map array
boundary f f f
newton off
comm_modify vel yes
read_data initial.data
pair_style gran/hooke {stiffness!r} 0.0 {damping!r} 0.0 0.0 1
pair_coeff * *
neighbor 0.2e-3 bin
neigh_modify delay 0 every 1 check yes
fix wx all wall/gran hooke {stiffness!r} 0.0 {damping!r} 0.0 0.0 1 xplane 0.0 {width!r}
fix wy all wall/gran hooke {stiffness!r} 0.0 {damping!r} 0.0 0.0 1 yplane 0.0 {width!r}
fix wz all wall/gran hooke {stiffness!r} 0.0 {damping!r} 0.0 0.0 1 zplane 0.0 NULL
fix grav all gravity {gravity!r} vector 0 0 -1
fix nve all nve/sphere
timestep {step!r}
thermo {count}
run {count}
write_dump all custom final.dump id x y z modify sort id format float %.17g
"""


def snapshot(folder):
    """Rows of (x, y, z, vx, vy, vz)."""
    with open(folder / "initial_state_notang.csv", newline="", encoding="utf-8") as file:
        return [[float(row[c]) for c in ("x_m", "y_m", "z_m", "vx_mps", "vy_mps", "vz_mps")]
                for row in csv.DictReader(file)]


def deck_of(integrator, nonlinear, per_contact, contacts):
    side = WIDTH * DIAMETER
    planes = (("left", [0, 0, 0], [1, 0, 0]), ("right", [side, 0, 0], [-1, 0, 0]), ("front", [0, 0, 0], [0, 1, 0]),
              ("back", [0, side, 0], [0, -1, 0]), ("floor", [0, 0, 0], [0, 0, 1]))
    return {
        "title": "218 spheres fill a box", "gravity": [0, 0, -GRAVITY], "integrator": integrator,
        "time": {"end": contacts * CONTACT, "step": CONTACT / per_contact},
        "materials": {"any": {"density": DENSITY}},
        "shapes": {"ball": {"type": "sphere", "radius": DIAMETER / 2}},
        "bodies": [{"shape": "ball", "material": "any", "file": "initial.csv"}],
        "boundaries": [{"name": name, "type": "plane", "point": point, "normal": normal, "material": "any"}
                       for name, point, normal in planes],
        "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": STIFFNESS, "damping": DAMPING}}],
        "solver": {"nonlinear": nonlinear},
        "output": {"final_state": "final.csv"},
    }


def ours(program, state, name, solver, per_contact, contacts):
    """(positions at the end, CPU time [s], iterations per step)."""
    folder = f"{name.split(',')[0].replace(' ', '_')}_{solver[0]['type']}_{per_contact}_{contacts:g}"
    path = program.work / folder / "initial.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [",".join(STATE)] + [",".join(map(repr, row)) for row in state]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = program.run(deck_of(solver[0], solver[1], per_contact, contacts), folder)
    final = run.history("final.csv")
    return (list(zip(final["x"], final["y"], final["z"])), run.core_seconds,
            run.report["newton_iterations"] / run.report["steps"])


def lammps(program, state, per_contact, contacts):
    """As ours(); LAMMPS does not iterate."""
    folder = program.work / f"lammps_{per_contact}_{contacts:g}"
    folder.mkdir(parents=True, exist_ok=True)
    side = WIDTH * DIAMETER
    lines = ["218 spheres", "", f"{len(state)} atoms", "1 atom types", f"0 {side!r} xlo xhi", f"0 {side!r} ylo yhi",
             f"{-DIAMETER / 2!r} {120 * DIAMETER!r} zlo zhi", "", "Atoms # sphere", ""]
    lines += [f"{k} 1 {DIAMETER!r} {DENSITY!r} {r[0]!r} {r[1]!r} {r[2]!r}" for k, r in enumerate(state, 1)]
    lines += ["", "Velocities", ""] + [f"{k} {r[3]!r} {r[4]!r} {r[5]!r} 0 0 0" for k, r in enumerate(state, 1)]
    (folder / "initial.data").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "in.box").write_text(LAMMPS.format(
        stiffness=STIFFNESS, damping=DAMPING, width=side, gravity=GRAVITY, step=CONTACT / per_contact,
        count=max(1, round(contacts * per_contact))), encoding="utf-8")
    seconds = common.core_seconds(["lmp", "-in", "in.box", "-log", "none", "-screen", "none"], folder, **harness.ENVIRONMENT)
    rows = (folder / "final.dump").read_text(encoding="utf-8").split("ITEM: ATOMS")[1].splitlines()[1:]
    return ([tuple(float(v) for v in row.split()[1:4]) for row in rows if row.strip()],
            seconds, math.nan)


def error(positions, truth):
    """Root mean square of the distances, part of the diameter."""
    return harness.rms(math.dist(p, q) for p, q in zip(positions, truth, strict=True)) / DIAMETER


def measured(run, truth):
    """{error, cost [CPU s per simulated s], iterations} of run(contacts); not numbers where it does not finish."""
    try:
        positions, _, _ = run(COMPARED)
        _, seconds, iterations = run(TIMED)
        _, idle, _ = run(0)
    except harness.CaseError:
        return {"error": math.nan, "cost": math.nan, "iterations": math.nan}
    return {"error": error(positions, truth), "cost": max(seconds - idle, 1e-9) / (TIMED * CONTACT),
            "iterations": iterations}


def cost_at(rows, target):
    """Cost at the error `target`, between the two steps around it; None if it lies outside of all."""
    rows = sorted((row for row in rows if not math.isnan(row["error"])), key=lambda row: row["error"])
    for fine, coarse in zip(rows, rows[1:]):
        if fine["error"] <= target <= coarse["error"] and fine["error"] < coarse["error"]:
            part = math.log(target / fine["error"]) / math.log(coarse["error"] / fine["error"])
            return fine["cost"] ** (1 - part) * coarse["cost"] ** part
    return None


def main(ratios):
    parser = argparse.ArgumentParser(description=__doc__)
    common.add_options(parser, "lammps_218")
    parser.add_argument("--reference", type=pathlib.Path,
                        default=common.ROOT / "bench/reference/box_fill_218")
    parser.add_argument("--error", type=float, default=2e-4, help="that the costs are compared at, part of a diameter")
    arguments = common.parse(parser, "lammps_218")
    if not (arguments.reference / "initial_state_notang.csv").is_file():
        ratios.skip(f"no initial_state_notang.csv in {arguments.reference} (--reference FOLDER)")
        return
    program = harness.Program(arguments.binary, arguments.work)
    state = snapshot(arguments.reference.resolve())
    beside = shutil.which("lmp") is not None
    if beside:
        truth, _, _ = lammps(program, state, TRUTH, COMPARED)
    else:
        print("lammps_218: no program lmp (package lammps); compared with Newton at small steps", flush=True)
        truth, _, _ = ours(program, state, "truth", SOLVERS["Newton, variational 1/2"], 320, COMPARED)
    results = {}
    for name, solver in SOLVERS.items():
        results[name] = [
            {"step": n, **measured(lambda c, n=n, s=solver, w=name: ours(program, state, w, s, n, c or 1 / n), truth)}
            for n in solver[2]]
    if beside:
        results["LAMMPS, velocity Verlet"] = [
            {"step": n, **measured(lambda c, n=n: lammps(program, state, n, c or 1 / n), truth)} for n in LAMMPS_STEPS]
    common.table(["", "step", "error / d", "s per simulated s", "iterations per step"],
                 [[name, f"tc/{row['step']}", f"{row['error']:.2e}" if row["error"] == row["error"] else "not solved",
                   f"{row['cost']:.3g}" if row["cost"] == row["cost"] else "",
                   "" if math.isnan(row["iterations"]) else f"{row['iterations']:.2f}"]
                  for name, rows in results.items() for row in rows])
    print(f"\nat an error of {arguments.error:g} d after {COMPARED} contacts' time")
    costs = {name: cost_at(rows, arguments.error) for name, rows in results.items()}
    base = costs["Newton, variational 1/2"]
    common.table(["", "s per simulated s", "of Newton, variational"],
                 [[name, f"{cost:.3g}" if cost else "outside", f"{cost / base:.3g}" if cost and base else ""]
                  for name, cost in costs.items()])
    ratios.true("every solver reaches that error between its steps", all(costs.values()), "else nothing can be compared")
    for name, cost in costs.items():
        if cost and base and cost != base:
            ratios.tell(f"{name}: seconds of Newton's, variational", f"{cost / base:.3g}")


if __name__ == "__main__":
    sys.exit(common.main_of("lammps_218", __doc__, main))
