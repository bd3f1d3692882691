"""Forces while a sphere hits one of two bonded spheres, against the continuous solution and LAMMPS."""
import bisect
import csv
import math

import harness
from judging import largest, smallest

DIAMETER, DENSITY, SPEED = 1e-3, 2500.0, 0.1
MASS = DENSITY * math.pi * DIAMETER ** 3 / 6
STIFFNESS = 195000 * MASS * 9.81 / DIAMETER
CONTACT_TIME = math.pi * math.sqrt(MASS / (2 * STIFFNESS))
TOUCH = 0.5 * DIAMETER / SPEED
START = TOUCH - 1.5 * CONTACT_TIME  # until then all three fly free
# Where sphere 3, bonded to sphere 1 at (-d, 0), starts, in diameters; sphere 2 comes from (d, 0).
GEOMETRIES = {"collinear": (-2.0, 0.0), "oblique": (-1 - math.sqrt(0.5), math.sqrt(0.5)), "transverse": (-1.0, 1.0)}
RATIOS = (0.1, 1.0, 10.0)
DIVISOR = 160


def step_of(ratio, divisor):
    """Part of the shortest half period there is."""
    return math.pi * math.sqrt(MASS / (2 * STIFFNESS * max(ratio, 1.0))) / divisor


def deck_of(ratio, step):
    """All geometries in one deck, ten diameters apart: they do not know of each other."""
    bodies, histories = [], []
    for number, (geometry, (x, y)) in enumerate(GEOMETRIES.items()):
        for name, place, velocity in (("1", (-1.0, 0.0), SPEED), ("2", (1.0, 0.0), -SPEED), ("3", (x, y), SPEED)):
            bodies.append({"name": geometry + name, "shape": "ball", "material": "any",
                           "position": [place[0] * DIAMETER + velocity * START, place[1] * DIAMETER,
                                        10 * DIAMETER * number],
                           "velocity": [velocity, 0, 0]})
            histories.append({"file": geometry + name + ".csv", "body": geometry + name,
                              "columns": ["time", "x", "y", "fx", "fy"]})
    histories.append({"file": "energy.csv", "columns": ["time", "total_energy"]})
    return {
        "title": f"Impact with a bonded pair, k_B/k = {ratio:g}",
        "time": {"end": 20.5 * CONTACT_TIME, "step": step},
        "integrator": {"type": "variational", "alpha": 0.5},
        "materials": {"any": {"density": DENSITY}},
        "shapes": {"ball": {"type": "sphere", "radius": DIAMETER / 2}},
        "bodies": bodies,
        "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": STIFFNESS, "damping": 0}}],
        "bonds": {"stiffness": ratio * STIFFNESS, "within": 1e-3},
        "solver": {"newton": {"relative": 1e-11}},
        "output": {"histories": histories},
    }


def forces_of(run, geometry):
    """(times, F12, F13) of the program: what acts on sphere 2, and on sphere 3 along the bond; > 0: compression."""
    first, second, third = (run.history(f"{geometry}{k}.csv") for k in (1, 2, 3))
    contact = [math.hypot(x, y) for x, y in zip(second["fx"], second["fy"])]
    bond = []
    for k, (x, y) in enumerate(zip(third["x"], third["y"])):
        dx, dy = x - first["x"][k], y - first["y"][k]
        bond.append((third["fx"][k] * dx + third["fy"][k] * dy) / math.hypot(dx, dy))
    return [START + t for t in first["time"]], contact, bond


def at(times, values, time):
    """Linear between the steps: 5e-5 of an amplitude at 160 steps per half period. None if contact begins or ends
    between the two: the force has a kink there."""
    k = min(max(bisect.bisect(times, time), 1), len(times) - 1)
    if (values[k - 1] == 0) != (values[k] == 0):
        return None
    part = (time - times[k - 1]) / (times[k] - times[k - 1])
    return (1 - part) * values[k - 1] + part * values[k]


def table_of(name):
    """{(geometry, ratio): [(time, F12, F13)]}."""
    table = {}
    with open(harness.CASES / "bonded_pair_lammps" / name, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            table.setdefault((row["geometry"], float(row["ratio"])), []).append(
                tuple(float(row[c]) for c in ("time", "f12", "f13")))
    return table


def known_errors():
    """{(geometry, ratio, divisor): row} of LAMMPS against the continuous solution, and the extremes of the latter."""
    with open(harness.CASES / "bonded_pair_lammps" / "lammps_errors.csv", newline="", encoding="utf-8") as file:
        return {(row["geometry"], float(row["ratio"]), int(row["divisor"])):
                {name: float(row[name]) for name in ("f12", "f13", "f12_max", "f13_max", "f13_min")}
                for row in csv.DictReader(file)}


def deviations(mine, reference, scales):
    """Largest deviation of F12 and F13 from the rows of a reference, as parts of the largest force."""
    times, contact, bond = mine
    worst = []
    for k, values in ((1, contact), (2, bond)):
        pairs = [(at(times, values, row[0]), row[k]) for row in reference if times[0] <= row[0] <= times[-1]]
        worst.append(largest(abs(a - b) for a, b in pairs if a is not None) / scales[k - 1])
    return worst


def scales_of(row):
    return row["f12_max"], max(row["f13_max"], -row["f13_min"])


def judge(case, geometry, ratio, mine, exact, lammps, known):
    row = known[geometry, ratio, DIVISOR]
    scales = scales_of(row)
    what = f"{geometry}, k_B/k = {ratio:g}: "
    # The midpoint rule's phase is off by twice that of LAMMPS's velocity Verlet, the other way (README).
    limits = [3 * row["f12"] + 2e-4, 2.2 * row["f13"] + 2e-4]
    errors = deviations(mine, exact, scales)
    for force, error, limit in zip(("F12", "F13"), errors, limits):
        case.at_most(what + force + " against the continuous solution, part of its largest", error, limit,
                     "twice the error constant of velocity Verlet; interpolation 5e-5")
    limits = [limits[0] + row["f12"], limits[1] + row["f13"]]
    for force, error, limit in zip(("F12", "F13"), deviations(mine, lammps, scales), limits):
        case.at_most(what + force + " against LAMMPS, part of its largest", error, limit, "the errors of both")
    # The curves, not only their distance: both peaks of the bond.
    for name, measured in (("f12_max", largest(mine[1])), ("f13_max", largest(mine[2])), ("f13_min", smallest(mine[2]))):
        if abs(row[name]) < 1e-6:  # the transverse bond is never pressed
            continue
        case.equal(what + name + " [N]", measured, row[name], "peaks of the reference lie between its samples",
                   relative=3e-4, absolute=4e-4 * scales[0 if name == "f12_max" else 1])


def plot(case, geometry, ratio, mine, exact, lammps):
    times, contact, bond = mine
    shown = [(t - TOUCH) / CONTACT_TIME for t in times]
    case.plot(f"{geometry}, k_B/k = {ratio:g}", "time since contact onset / t_c", "force [mN], compression > 0",
              [("F12", shown, [1e3 * f for f in contact], "curve"),
               ("F13", shown, [1e3 * f for f in bond], "curve"),
               ("F13 continuous", [(r[0] - TOUCH) / CONTACT_TIME for r in exact], [1e3 * r[2] for r in exact], "points"),
               ("F13 LAMMPS", [(r[0] - TOUCH) / CONTACT_TIME for r in lammps], [1e3 * r[2] for r in lammps],
                "points")])


def compare(case):
    exact, lammps, known = table_of("continuous.csv"), table_of("lammps.csv"), known_errors()
    for ratio in RATIOS:
        run = case.run(deck_of(ratio, step_of(ratio, DIVISOR)), f"ratio_{ratio:g}_{DIVISOR}")
        for geometry in GEOMETRIES:
            key = geometry, ratio
            mine = forces_of(run, geometry)
            judge(case, geometry, ratio, mine, exact[key], lammps[key], known)
            plot(case, geometry, ratio, mine, exact[key], lammps[key])
        energy = run.history("energy.csv")["total_energy"]
        case.at_most(f"k_B/k = {ratio:g}: largest change of the energy, relative",
                     largest(abs(e / energy[0] - 1) for e in energy), 1e-5,
                     "the midpoint rule keeps it but where contact begins and ends: 1.5e-6")
        case.equal(f"k_B/k = {ratio:g}: bonds", run.report["bonds"], 3, "one per geometry, none breaks")
    errors = []
    for divisor in (40, 80, DIVISOR):
        run = case.run(deck_of(1.0, step_of(1.0, divisor)), f"ratio_1_{divisor}")
        key = "collinear", 1.0
        errors.append(deviations(forces_of(run, "collinear"), exact[key], scales_of(known[(*key, DIVISOR)]))[1])
    for coarse, fine, divisor in zip(errors, errors[1:], (80, DIVISOR)):
        case.equal(f"order of F13, collinear, k_B = k, down to t_min/{divisor}", math.log2(coarse / fine), 2.0,
                   "variational, alpha = 1/2; interpolation and the step's phase at contact onset", absolute=0.02)
