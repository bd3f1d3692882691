"""Reactions and the Coulomb limit of a tetrapod that is twisted."""
import math

import harness
from judging import largest, smallest

MASS, GRAVITY, MU, TIP = 156.594, 9.81, 0.5, 0.8476
WEIGHT = MASS * GRAVITY
LIMIT = MU * WEIGHT * TIP * math.sqrt(8) / 3
RATE = 750 / 2.0  # N m/s


def compare(case):
    deck = harness.read_deck(harness.ROOT / "inputs/paper/example_4.json")
    deck["shapes"]["tetrapod"]["file"] = str(harness.ROOT / "inputs/paper/tetrapod.stl")
    deck["output"].pop("vtk")
    run = case.run(deck, "twist", trace=True)
    count, separation, states = case.intersections("twist")
    case.equal(f"intersections in {states} states", count, 0, "none is allowed")
    case.equal("states seen", states, run.report["steps"] + 1, "every accepted one")
    case.at_least("smallest separation [m]", separation, 1e-9, "more than rounding")
    forces = [(t, sorted(table["fn"])) for t, table in run.contacts() if 0.5 <= t <= 1.6]
    case.equal("tips that touch", float(max(len(fn) for _, fn in forces)), 3.0, "it stands on three", absolute=0)
    worst = largest(abs(f - WEIGHT / 3) for _, fn in forces for f in fn)
    case.at_most("a reaction's difference from a third of the weight, part of it", worst / (WEIGHT / 3), 2e-8,
                 "starts at the static gap")
    body = run.history("tetrapod.csv")
    held = [(t, -m) for t, m in zip(body["time"], body["mz"])]
    case.plot("Moment of friction", "time [s]", "moment [N m]",
              [("measured", [t for t, _ in held], [m for _, m in held], "curve"),
               ("applied", [0, 2], [0, 750], "dashed"), ("mu m g r", [0, 2], [LIMIT] * 2, "dashed")])
    behind = largest(abs(m - RATE * t) for t, m in held if 0.5 <= t <= 1.6)
    case.at_most("moment of friction less that applied, 0.5 to 1.6 s, part of the limit", behind / LIMIT, 1e-9,
                 "an elastic support under a steady ramp")
    case.equal("largest moment of friction [N m]", largest(m for _, m in held), LIMIT, "mu m g r", relative=4e-6)
    slips = next((t for t, m in held if t > 0.5 and m < RATE * t * (1 - 1e-3)), math.inf)
    case.equal("time of slip [s]", slips, LIMIT / RATE, "the limit over the rate", relative=5e-3)
    late = [m for t, m in held if t > 1.7]
    case.at_most("change of it after 1.7 s, part of it", (largest(late) - smallest(late)) / LIMIT, 1.5e-5, "one coefficient")
    case.at_least("angle turned [rad]", harness.turned_angle(body, len(body["time"]) - 1), 0.1, "0.36 s of growing excess")
