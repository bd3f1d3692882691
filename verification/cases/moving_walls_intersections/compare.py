"""The independent intersection test over runs with curved, triangulated and moving walls."""
import harness
import judging

EVERY_STEP = {"file": "gap.csv", "every": 0, "columns": ["time", "min_gap"]}
DEPTH = 4e-3


def drum():
    deck = harness.read_deck(harness.ROOT / "inputs" / "rotating_drum.json")
    deck["output"] = {"histories": [EVERY_STEP], "contacts": {"every": 0.05}}
    return deck


def mixture():
    """Sharp and rounded bodies among walls of all kinds."""
    bodies = [{"shape": shape, "material": "rock", "count": count, "seed": seed,
               "region": {"min": [-0.24, -0.2, -0.3], "max": [0.24, 0.2, 0.3]}}
              for seed, (shape, count) in enumerate((("cube", 14), ("tetrahedron", 8), ("ball", 8), ("rod", 8)), 1)]
    plate = [[-0.2, -0.35, 0], [0.2, -0.35, 0], [0.2, 0.35, 0], [-0.2, 0.35, 0], [0.2, -0.35, 0.06], [0.2, 0.35, 0.06]]
    plate = [[x + 0.05, y, z - 0.2] for x, y, z in plate]
    boundaries = [
        {"name": "drum", "type": "cylinder", "point": [0, 0, 0], "axis": [0, 1, 0], "radius": 0.4, "length": 0.6,
         "inside": True, "material": "rock",
         "motion": {"angular_velocity": [0, 2, 0], "velocity": [0.1, 0, 0.1]}},
        {"name": "boss", "type": "sphere", "point": [0.05, 0.05, 0.05], "radius": 0.06, "inside": False, "material": "rock"},
        {"name": "shaft", "type": "cylinder", "point": [-0.1, 0, 0], "axis": [0, 1, 0], "radius": 0.04, "inside": False,
         "material": "rock"},
        {"name": "plate", "type": "surface", "vertices": plate, "faces": [[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]],
         "material": "rock", "motion": {"angular_velocity": [0, 0.5, 0], "about": [0.05, 0, -0.2]}}]
    return {
        "title": "blocks among moving walls", "gravity": [0, 0, -9.81],
        "time": {"end": 0.3, "step": {"initial": 1e-4, "min": 1e-9, "max": 1e-3}},
        "integrator": {"type": "newmark"},
        "materials": {"rock": {"density": 2000}},
        "shapes": {"cube": {"type": "box", "size": [0.06, 0.06, 0.06]},
                   "tetrahedron": {"type": "polyhedron", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                                   "faces": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], "scale": 0.08},
                   "ball": {"type": "sphere", "radius": 0.03},
                   "rod": {"type": "capsule", "radius": 0.015, "length": 0.06}},
        "bodies": bodies, "boundaries": boundaries,
        "interfaces": [{"between": ["*", "*"],
                        "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e13, "damping_ratio": 0.2},
                        "friction": {"static": 0.4, "dynamic": 0.4, "stiffness": 3e5}}],
        "output": {"histories": [EVERY_STEP], "contacts": {"every": 0.005}}}


def judge(case, name, deck, depth):
    """@returns smallest separation seen from outside, and smallest gap by the program [m]."""
    run = case.run(deck, name, trace=True)
    count, smallest, states = case.intersections(name, depth)
    case.equal(f"{name}: intersections deeper than {depth:g} m in {states} states", count, 0, "none is allowed")
    case.equal(f"{name}: states seen", states, run.report["steps"] + 1, "every accepted one")
    touched = {wall for _, table in run.contacts() for wall in table["body_b"] + table["body_a"]}
    for wall in deck["boundaries"]:
        case.true(f"{name}: {wall['name']} is touched", wall["name"] in touched, "else it is not tested")
    gap = judging.smallest(run.history("gap.csv")["min_gap"])
    case.tell(f"{name}: smallest separation, and gap by the program [m]", f"{smallest:.9g}, {gap:.9g}")
    return smallest, gap


def compare(case):
    smallest, gap = judge(case, "hertz", drum(), DEPTH)
    case.equal("hertz: smallest separation against the program's smallest gap [m]", smallest, gap, "what is printed",
               absolute=1e-9)
    smallest, gap = judge(case, "barrier", mixture(), 0.0)
    case.at_least("barrier: smallest separation [m]", smallest, 1e-9, "more than rounding")
    case.at_most("barrier: smallest separation less the program's smallest gap [m]", smallest - gap, 1e-9,
                 "a lower bound of the distance")
