"""Equilibria of a cube, a pushed block and a pile; and the message without one."""
import math

import harness
from judging import largest

BARRIER = {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e13, "exponent": 3}
FLOOR = {"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "block"}
POSE = ["time", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz"]
WEIGHT = 2 * 9.81
TANGENTIAL = 3e5  # N/m
END_OF_RAMP = 16.0  # N


def deck(size, density, position, normal, step):
    return {
        "analysis": "quasi-static",
        "gravity": [0, 0, -9.81],
        "time": {"end": 1, "step": step},
        "materials": {"block": {"density": density}},
        "shapes": {"cube": {"type": "box", "size": [size] * 3}},
        "bodies": [{"name": "block", "shape": "cube", "material": "block", "position": position}],
        "boundaries": [FLOOR],
        "interfaces": [{"between": ["*", "*"], "normal": normal}],
        "solver": {"newton": {"relative": 1e-10}},
        "output": {"histories": [{"file": "block.csv", "body": "block", "columns": POSE},
                                 {"file": "floor.csv", "boundary": "floor", "columns": ["time", "fx", "fy", "fz"]}]},
    }


def tilted_cube(case):
    threshold, stiffness, exponent = 2e-3, 1e6, 1.5
    values = deck(0.2, 1000, [0, 0, 0.3], {"law": "barrier", "threshold": threshold, "stiffness": stiffness,
                                           "exponent": exponent}, 1)
    values["bodies"][0]["orientation"] = {"axis": [1, 0.4, 0.2], "angle_deg": 25}
    block = case.run(values, "cube", trace=True).history("block.csv")
    gap = threshold - (8 * 9.81 / 4 / stiffness) ** (1 / exponent)
    case.equal("gap of the cube [m]", block["z"][-1] - 0.1, gap, "force balances to 1e-10", relative=1e-9)
    tilt = 2 * math.hypot(block["qx"][-1], block["qy"][-1])
    case.at_most("tilt of the cube [rad]", tilt, 1e-9, "tolerance over stiffness")
    case.at_most("largest speed [m/s]", largest(abs(v) for k in ("vx", "vy", "vz") for v in block[k]), 0, "no velocities")
    case.no_intersection("cube")


def pushed_block(case):
    values = deck(0.1, 2000, [0, 0, 0.0508], BARRIER, {"initial": 0.05, "min": 1e-3, "max": 0.05})
    values["interfaces"][0]["friction"] = {"static": 0.5, "dynamic": 0.5, "stiffness": TANGENTIAL}
    values["loads"] = [{"type": "force", "body": "block", "point": [0, 0, -0.05], "value": [END_OF_RAMP, 0, 0],
                        "ramp": [[0.1, 0], [1, 1]]}]
    held = dict(values, time={"end": 0.5, "step": 0.1})
    block = case.run(held, "held").history("block.csv")
    force = END_OF_RAMP * 0.4 / 0.9
    # Where friction acts: in the middle of the gap below the face, turned with the block.
    gap = block["z"][-1] - 0.05
    creep = block["x"][-1] - 2 * block["qw"][-1] * block["qy"][-1] * (0.05 + gap / 2)
    case.equal("creep of the contacts [m]", creep, force / (4 * TANGENTIAL), "elastic springs", relative=1e-6)

    # Beyond friction there is no equilibrium: the program reports it, and keeps the last one.
    folder = case.work / "sliding"
    try:
        case.run(values, "sliding")
        case.true("the sliding block is refused", False, "exit status 1")
    except harness.CaseError as error:
        text = str(error)
        case.true("the message reports sliding", "no equilibrium" in text and "slides" in text, text)
    last = harness.read_table(folder / "results" / "floor.csv")["fx"][-1]
    case.equal("load of the last equilibrium [N]", last, 0.5 * WEIGHT, "the smallest load step",
               absolute=END_OF_RAMP / 0.9 * 1e-3)


def pile(case):
    values = harness.read_deck(harness.ROOT / "inputs/paper/example_2.json")
    values["analysis"] = "quasi-static"
    values["time"] = {"end": 1, "step": 1}
    values["solver"] = {"newton": {"relative": 1e-10}}
    values["output"] = {"final_state": "final.csv",
                        "histories": [{"file": "floor.csv", "boundary": "floor", "columns": ["time", "fx", "fy", "fz"]}]}
    one = case.run(values, "pile", trace=True)
    case.equal("floor force of the pile [N]", one.history("floor.csv")["fz"][-1], -10 * WEIGHT, "statics", relative=1e-8)
    case.no_intersection("pile")
    two = case.run(values, "pile_2", ranks=2)
    a, b = one.history("final.csv"), two.history("final.csv")
    worst = largest(abs(p - q) for key in ("x", "y", "z") for p, q in zip(a[key], b[key]))
    case.at_most("one rank against two [m]", worst, 1e-9, "tolerance over the softest stiffness")


def compare(case):
    tilted_cube(case)
    pushed_block(case)
    pile(case)
