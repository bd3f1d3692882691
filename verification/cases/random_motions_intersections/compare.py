"""The independent intersection test over random motions of thin and fast bodies and boundaries."""
import harness
import random_motions

# Those from 1000 on: rims of sheets and axes of cylinders inside of bodies, fast spin, steps that press spheres deep.
SEEDS = [*range(40), 1092, 1154, 1216, 1241, 1277, 1327, 1607, 1704, 1748, 1793, 1938]
ALLOWED = {"barrier": 0.0, "hooke": 15e-3, "rigid": 1e-3}
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
                   "a sheet pushes as a plane does", absolute=1e-6)


def scan(case, seeds):
    """Runs the decks of `seeds` and judges them together."""
    faulty, ended, touched = [], 0, 0
    for seed in seeds:
        name = f"seed_{seed}"
        deck, law = random_motions.deck(seed, case.work / name)
        run = case.run(deck, name, trace=True, timeout=120, accept=(0, 1))
        resolved = not UNRESOLVED & {warning["code"] for warning in run.report["warnings"]}
        count, _, _ = case.intersections(name, ALLOWED[law] if resolved or law != "hooke" else LARGEST_RADIUS)
        if count > 0:
            faulty.append(seed)
        ended += run.status == 0
        touched += run.report["max_contacts"] > 0
    case.tell("seeds with an intersection or a passage", ", ".join(map(str, faulty)) or "none")
    case.equal(f"decks of {len(seeds)} with an intersection or a passage", len(faulty), 0, "none is allowed")
    case.at_least("part of the decks that ran to their end", ended / len(seeds), 0.75, "else they are not tested")
    case.at_least("part of the decks in which something touched", touched / len(seeds), 0.5, "likewise")


def compare(case):
    overtaken(case)
    scan(case, SEEDS)
