"""Sticking and sliding on a slope."""
import math

import harness
from judging import largest

MU, GRAVITY, GAP = 0.8, 9.81, 0.9444e-3


def deck_of(factor, end):
    """The deck with a slope of `factor` times the friction angle."""
    deck = harness.read_deck(harness.ROOT / "inputs/block_on_slope.json")
    angle = factor * math.atan(MU)
    normal = [math.sin(angle), 0, math.cos(angle)]
    deck["boundaries"][0]["normal"] = normal
    deck["bodies"][0]["position"] = [(0.05 + GAP) * n for n in normal]
    deck["bodies"][0]["orientation"]["angle_deg"] = math.degrees(angle)
    deck["time"]["end"] = end
    deck["output"].pop("vtk")
    return deck, angle


def compare(case):
    deck, _ = deck_of(0.99, 15.0)
    block = case.run(deck, "below").history("block.csv")
    late = [p for t, *p in zip(block["time"], block["x"], block["y"], block["z"]) if t >= 5]
    case.at_most("0.99 of the friction angle: way of the pole from 5 s to 15 s [m]",
                 largest(math.dist(p, late[0]) for p in late), 7e-12, "sticking contacts are springs")
    deck, angle = deck_of(1.01, 3.0)
    block = case.run(deck, "above").history("block.csv")
    down = (math.cos(angle), 0, -math.sin(angle))
    rows = [(t, sum(a * b for a, b in zip(v, down)))
            for t, *v in zip(block["time"], block["vx"], block["vy"], block["vz"]) if t >= 1]
    expected = GRAVITY * (math.sin(angle) - MU * math.cos(angle))
    case.plot("Sliding at 1.01 of the friction angle", "time [s]", "speed down the slope [m/s]",
              [("measured", *zip(*rows), "curve"),
               ("Coulomb", [r[0] for r in rows][::100],
                [rows[0][1] + expected * (r[0] - rows[0][0]) for r in rows][::100], "points")])
    case.equal("1.01 of the friction angle: acceleration [m/s^2]", harness.slope(*zip(*rows)),
               expected, "Coulomb; vertical motion has died out",
               relative=1.5e-7)
