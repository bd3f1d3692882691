"""Floor force and symmetry of ten blocks on each other."""
import math

import harness
from judging import largest

WEIGHT = 10 * 2.0 * 9.81


def compare(case):
    deck = harness.read_deck(harness.ROOT / "inputs/paper/example_2.json")
    deck["output"].pop("vtk")
    deck["output"]["contacts"]["every"] = deck["time"]["end"]
    deck["output"]["histories"].append(
        {"file": "top.csv", "body": "block10", "columns": ["time", "x", "y", "z", "qw", "qx", "qy", "qz"]})
    run = case.run(deck, "pile", trace=True)
    floor, top = run.history("floor.csv"), run.history("top.csv")
    case.plot("Force of ten blocks on the floor", "time [s]", "force [N]",
              [("measured", floor["time"], [-f for f in floor["fz"]], "curve"),
               ("weight", [floor["time"][0], floor["time"][-1]], [WEIGHT] * 2, "dashed")])
    case.equal("floor force at the end [N]", floor["fz"][-1], -WEIGHT, "rest, and Newton's tolerance of 1e-8",
               relative=1e-9)
    case.at_most("horizontal force on the floor, part of the weight",
                 math.hypot(floor["fx"][-1], floor["fy"][-1]) / WEIGHT, 1e-10, "rest")
    contacts = run.last_contacts()
    on_floor = [fn for a, b, fn in zip(contacts["body_a"], contacts["body_b"], contacts["fn"])
                if "floor" in (a, b)]
    case.equal("contacts with the floor", len(on_floor), 4, "the vertices of a face")
    if on_floor:
        spread = largest(abs(fn - WEIGHT / 4) for fn in on_floor) / WEIGHT
        case.at_most("unevenness of the floor's forces, part of the weight", spread, 1e-10,
                     "the tilt that Newton's tolerance leaves")
    case.at_most("turning of the uppermost block [rad]", harness.turned_angle(top, len(top["time"]) - 1), 1e-12,
                 "symmetric under a quarter turn")
    case.no_intersection("pile")
