"""Exact face-to-face contact in a tower of ten."""
import math

import harness
from judging import largest

COUNT, EDGE, GAP = 10, 0.1, 0.9e-3
WEIGHT = COUNT * 2.0 * 9.81


def compare(case):
    deck = harness.read_deck(harness.ROOT / "inputs/paper/example_2.json")
    deck["bodies"] = [{"shape": "cube", "material": "block",
                       "position": [0, 0, GAP + EDGE / 2 + k * (EDGE + GAP)]} for k in range(COUNT)]
    deck["time"]["end"] = 1.0
    deck["output"] = {"histories": [
        {"file": "floor.csv", "boundary": "floor", "columns": ["time", "fx", "fy", "fz"]}], "final_state": "final.csv"}
    run = case.run(deck, "tower", trace=True)
    case.equal("rejected steps", run.report["cuts"], 0, "ties need no special case")
    case.equal("floor force at the end [N]", run.history("floor.csv")["fz"][-1], -WEIGHT, "Newton's tolerance",
               relative=1e-9)
    final = run.history("final.csv")
    case.at_most("largest horizontal way of a pole [m]", largest(math.hypot(x, y) for x, y in zip(final["x"], final["y"])),
                 2e-13, "nothing pushes sideways")
    case.no_intersection("tower")
