"""The independent intersection test over random motions of thin and fast bodies and boundaries."""
import collections
import math

import harness
import judging
import random_motions

# Those from 1000 on: rims of sheets and axes of cylinders inside of bodies, fast spin, steps that press spheres deep, a rod between
# two boundaries that close.
SEEDS = [*range(40), 1092, 1154, 1216, 1241, 1277, 1327, 1502, 1607, 1704, 1748, 1793, 1938]
WALL_SEEDS = [*range(17), 41, 42, *range(19, 24), 284]  # each kind with each law, and quick ones
ALLOWED = {"barrier": 0.0, "hooke": 15e-3, "hertz": 15e-3, "rigid": 1e-3}
MOVED = 1e-3  # m
LARGEST_RADIUS = 70e-3
UNRESOLVED = {"energy_created", "energy_lost"}


def sheet(kind):
    """A sheet, or a plane, at 1 m/s overtakes a cube at 0.5 m/s."""
    shape = {"type": "plane", "point": [0, 0, 0], "normal": [1, 0, 0]} if kind == "plane" else {
        "type": "surface", "vertices": [[0, -5, -5], [0, 5, -5], [0, 5, 5], [0, -5, 5]], "faces": [[0, 1, 2, 3]]}
    return {
        "title": f"moving {kind}", "time": {"end": 0.05, "step": {"initial": 0.002, "min": 1e-10, "max": 0.01}},
        "materials": {"m": {"density": 1000}}, "shapes": {"cube": {"type": "box", "size": [1, 1, 1]}},
        "bodies": [{"name": "cube", "shape": "cube", "material": "m", "position": [0.500998, 0, 0], "velocity": [0.5, 0, 0]}],
        "boundaries": [{"name": kind, "material": "m", "motion": {"velocity": [1, 0, 0]}, **shape}],
        "interfaces": [{"between": ["*", "*"], "normal": {
            "law": "barrier", "threshold": 1e-3, "stiffness": 1e16, "exponent": 3, "barrier_fraction": 0.4, "barrier_exponent": -2,
            "damping_ratio": 0.3}}],
        "output": {"histories": [{"file": "cube.csv", "body": "cube", "every": 0, "columns": ["time", "x", "vx"]}]}}


def overtaken(case):
    velocities = {}
    for kind, ranks in (("plane", 1), ("sheet", 1), ("sheet", 2)):
        name = f"{kind}_{ranks}"
        run = case.run(sheet(kind), name, ranks=ranks, trace=True)
        count, _, states = case.intersections(name)
        case.equal(f"{name}: intersections and passages in {states} states", count, 0, "none is allowed")
        velocities[name] = run.history("cube.csv")["vx"][-1]
    case.at_least("plane: velocity of the cube at the end [m/s]", velocities["plane_1"], 1, "it is pushed away")
    for name in ("sheet_1", "sheet_2"):
        case.equal(f"{name}: velocity of the cube at the end [m/s]", velocities[name], velocities["plane_1"],
                   "a sheet pushes as a plane does", absolute=1e-8)


def depth_allowed(law, run):
    if law not in ("hooke", "hertz"):
        return ALLOWED[law]
    if UNRESOLVED & {warning["code"] for warning in run.report["warnings"]}:
        return LARGEST_RADIUS
    known = -(1 + 1e-6) * (run.report["min_gap"] or 0)  # null without contact
    return min(max(ALLOWED[law], known), LARGEST_RADIUS)


def scan(case, seeds):
    """Runs the decks of `seeds` and judges them together."""
    faulty, ended, touched = [], 0, 0
    for seed in seeds:
        name = f"seed_{seed}"
        deck, law = random_motions.deck(seed, case.work / name)
        run = case.run(deck, name, trace=True, timeout=120, accept=(0, 1))
        count, _, _ = case.intersections(name, depth_allowed(law, run))
        if count > 0:
            faulty.append(seed)
        ended += run.status == 0
        touched += run.report["max_contacts"] > 0
    case.tell("seeds with an intersection or a passage", ", ".join(map(str, faulty)) or "none")
    case.equal(f"decks of {len(seeds)} with an intersection or a passage", len(faulty), 0, "none is allowed")
    case.at_least("part of the decks that ran to their end", ended / len(seeds), 0.75, "else they are not tested")
    case.at_least("part of the decks in which something touched", touched / len(seeds), 0.5, "likewise")


def scan_walls(case, seeds):
    """The same for the decks of walls_deck()."""
    faulty, ended, touched, off = [], 0, collections.Counter(), []
    for seed in seeds:
        name = f"walls_{seed}"
        deck, kind, law = random_motions.walls_deck(seed, case.work / name)
        run = case.run(deck, name, trace=True, timeout=300, accept=(0, 1))
        count, _, _ = case.intersections(name, depth_allowed(law, run))
        if count > 0:
            faulty.append(seed)
        ended += run.status == 0
        rows = run.history("wall.csv")
        wall = next(w for w in [*deck["boundaries"], *deck["bodies"]] if w.get("name") == "wall")
        motion = wall["motion"]
        table = harness.read_table(case.work / name / motion["table"]) if "table" in motion else None
        point = wall.get("position") or wall.get("point") or [0, 0, 0]  # centre of a box
        places = list(zip(rows["x"], rows["y"], rows["z"]))
        off += [math.dist(place, random_motions.position(motion, table, point, time)) for time, place in zip(rows["time"], places)]
        hit = any(math.dist(force, (0, 0, 0)) > 0 for force in zip(rows["fx"], rows["fy"], rows["fz"]))
        if hit and any(math.dist(place, places[0]) > MOVED for place in places):
            touched.update({kind, law, f"{kind}, {law}", "all"})
            if law != "rigid":
                touched["newmark" if "integrator" in deck else "default integrator"] += 1
    case.tell("walls: seeds with an intersection or a passage", ", ".join(map(str, faulty)) or "none")
    case.equal(f"walls: decks of {len(seeds)} with an intersection or a passage", len(faulty), 0, "none is allowed")
    case.at_least("walls: part of the decks that ran to their end", ended / len(seeds), 0.75, "else they are not tested")
    case.at_least("walls: part of the decks in which the wall moved and was touched", touched["all"] / len(seeds), 0.5, "likewise")
    for what in (*random_motions.KINDS, *random_motions.LAWS, "drum, rigid", "default integrator", "newmark"):
        case.at_least(f"walls: decks in which one moved and was touched, {what}", touched[what], 1, "each is tested")
    case.at_most("walls: distance from the place that the deck prescribes [m]", judging.largest(off), 1e-9, "the test takes places from the program")


def compare(case):
    overtaken(case)
    scan(case, SEEDS)
    scan_walls(case, WALL_SEEDS)
