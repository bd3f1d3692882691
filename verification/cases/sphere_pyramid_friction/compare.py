"""A pyramid of spheres on a rough floor stands with enough friction, and does not with half of it."""
import math

import harness
from judging import largest

DIAMETER, DENSITY, GRAVITY, BASE = 0.1, 2000.0, 9.81, 4
COUNT = BASE * (BASE + 1) * (2 * BASE + 1) // 6


def places():
    return [[(i + k / 2) * DIAMETER, (j + k / 2) * DIAMETER, DIAMETER / 2 + k * DIAMETER / math.sqrt(2)]
            for k in range(BASE) for j in range(BASE - k) for i in range(BASE - k)]


def deck_of(mu):
    return {
        "analysis": "contact-dynamics", "gravity": [0, 0, -GRAVITY], "time": {"end": 0.5, "step": 2e-3},
        "materials": {"rock": {"density": DENSITY}}, "shapes": {"ball": {"type": "sphere", "radius": DIAMETER / 2}},
        "bodies": [{"shape": "ball", "material": "rock", "position": x} for x in places()],
        "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock"}],
        "interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid"}, "friction": {"static": mu, "stiffness": 1e5}}],
        "output": {"final_state": "final.csv", "histories": [{"file": "energy.csv", "every": 0},
                                                             {"file": "floor.csv", "boundary": "floor"}]}}


def compare(case):
    weight = COUNT * DENSITY * math.pi / 6 * DIAMETER**3 * GRAVITY
    stands = case.run(deck_of(0.6), "stands")
    final = stands.history("final.csv")
    moved = largest(math.dist(x, y) for x, y in zip(places(), zip(final["x"], final["y"], final["z"])))
    case.at_most("mu = 0.6: way of a sphere in 0.5 s, of a diameter", moved / DIAMETER, 1e-6, "it stands")
    energy = stands.history("energy.csv")
    total = [a + b for a, b in zip(energy["kinetic_energy"], energy["potential_energy"])]
    case.at_most("mu = 0.6: energy gained, of m g d", (total[-1] - total[0]) / (weight / COUNT * DIAMETER), 1e-6,
                 "friction only takes")
    case.equal("mu = 0.6: force on the floor by the weight", -stands.history("floor.csv")["fz"][-1] / weight, 1,
               "at rest", relative=1e-6)
    case.tell("mu = 0.6: steps whose forces did not settle to 1e-6, of all",
              f"{stands.report['contact_dynamics']['steps_not_unique']} of {stands.report['steps']}")
    falls = case.run(deck_of(0.2), "falls")
    top = falls.history("final.csv")["z"][-1]
    start = places()[-1][2]
    case.at_least("mu = 0.2: fall of the sphere on top, by its height above the base", (start - top) / (start - DIAMETER / 2),
                  0.5, "it collapses")
