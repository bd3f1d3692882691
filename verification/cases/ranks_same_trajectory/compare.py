"""Independence of the number of ranks, and reproducible bits."""
import math
import random

import harness
from judging import largest


def deck_of():
    """27 turned cubes on a loose grid, over a box."""
    source = harness.read_deck(harness.ROOT / "inputs/paper/example_5.json")
    draw = random.Random(5)
    bodies = []
    for k in range(27):
        quaternion = [draw.gauss(0, 1) for _ in range(4)]
        bodies.append({"name": f"cube{k}", "shape": "cube", "material": "block",
                       "position": [0.1 + 0.18 * (k % 3), 0.1 + 0.18 * (k // 3 % 3), 0.1 + 0.18 * (k // 9)],
                       "orientation": {"quaternion": quaternion},
                       "velocity": [draw.uniform(-1, 1) for _ in range(3)],
                       "angular_velocity": [draw.uniform(-5, 5) for _ in range(3)]})
    walls = {**source["boundaries"][1], "max": [0.56, 0.56, 3]}
    walls.pop("active")
    histories = [{**source["output"]["histories"][0], "every": 0}, {**source["output"]["histories"][1], "every": 0},
                 {"file": "b13.csv", "body": "cube13", "columns": ["time", "x", "y", "z", "qw", "fx", "fy", "fz"]}]
    return {**source, "bodies": bodies, "boundaries": [source["boundaries"][0], walls],
            "time": {"end": 0.3, "step": 2e-4},
            "solver": {"newton": {"relative": 1e-10}},
            "output": {"histories": histories, "final_state": "final.csv", "contacts": {"every": 0.1}}}


def compare(case):
    deck = deck_of()
    files = ["final.csv", "energy.csv", "floor.csv", "b13.csv", "contacts.000003.csv"]
    final, energy = {}, {}
    for ranks in (1, 2, 4):
        runs = [case.run(deck, f"np{ranks}_{attempt}", ranks=ranks, trace=(ranks, attempt) == (4, "a"))
                for attempt in "ab"]
        differing = [name for name in files if runs[0].bytes(name) != runs[1].bytes(name)]
        case.true(f"{ranks} rank(s), twice: same bits" + (f" (not: {', '.join(differing)})" if differing else ""),
                  not differing, "contacts are visited in sorted order")
        final[ranks], energy[ranks] = runs[0].history("final.csv"), runs[0].history("energy.csv")
    peak = largest(energy[1]["kinetic_energy"])
    for ranks in (2, 4):
        way = largest(math.dist(a, b) for a, b in zip(zip(*(final[1][c] for c in "xyz")),
                                                  zip(*(final[ranks][c] for c in "xyz"))))
        case.at_most(f"{ranks} ranks: farthest pole from that on 1 rank [m]", way, 2e-10, "rounding, amplified by impacts")
        difference = abs(energy[ranks]["total_energy"][-1] - energy[1]["total_energy"][-1])
        case.at_most(f"{ranks} ranks: difference of the energy, part of the largest kinetic one",
                     difference / peak, 5e-10, "likewise")
    case.no_intersection("np4_a")
