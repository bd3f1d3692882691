"""Spheres on a belt that moves through a periodic cell: balance of forces and work, and where the cell's faces are."""
import math
import random

import harness
from judging import largest

RADIUS, DENSITY, BELT, PERIODS = 0.05, 1910.0, 0.5, (0.33, 0.34)
COUNT = 36
MASS = COUNT * DENSITY * 4 / 3 * math.pi * RADIUS ** 3
WEIGHT = MASS * 9.81


def deck_of(low=(0.0, 0.0), end=6.0):
    draw = random.Random(11)
    bodies = [{"name": f"ball{k}", "shape": "ball", "material": "rubber",
               "position": [0.11 * (k % 3) + draw.uniform(0, 0.004), 0.112 * (k // 3 % 3) + draw.uniform(0, 0.004),
                            0.055 + 0.105 * (k // 9)]} for k in range(COUNT)]
    return {"gravity": [0, 0, -9.81], "time": {"end": end, "step": 1e-3},
            "integrator": {"type": "newmark", "beta": 0.25, "gamma": 0.5},
            "materials": {"rubber": {"density": DENSITY}},
            "shapes": {"ball": {"type": "sphere", "radius": RADIUS}},
            "periodic": {axis: [low[k], low[k] + PERIODS[k]] for k, axis in enumerate("xy")},
            "bodies": bodies,
            "boundaries": [{"name": "belt", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1],
                            "material": "rubber", "motion": {"velocity": [BELT, 0, 0]}}],
            "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 2e4, "damping": 60},
                            "friction": {"static": 0.6, "dynamic": 0.6, "stiffness": 1e4, "damping": 100},
                            "rolling": {"coefficient": 0.2, "stiffness": 20, "damping_ratio": 0.5}}],
            "solver": {"newton": {"relative": 1e-10}},
            "output": {"final_state": "final.csv", "histories": [
                {"file": "energy.csv", "every": 0.01, "columns": ["time", "kinetic_energy", "work_of_boundaries",
                                                                  "closure_error", "contacts"]},
                {"file": "belt.csv", "every": 0.01, "boundary": "belt", "columns": ["time", "fx", "fy", "fz"]},
                {"file": "ball0.csv", "every": 0.01, "body": "ball0", "columns": ["time", "x", "ux", "vx"]}]}}


def farthest(final, other):
    """Largest distance of the same poles in two states, modulo periods [m]."""
    squares = []
    for k in range(COUNT):
        squared = (final["z"][k] - other["z"][k]) ** 2
        for axis, period in zip("xy", PERIODS):
            apart = final[axis][k] - other[axis][k]
            squared += (apart - period * round(apart / period)) ** 2
        squares.append(squared)
    return math.sqrt(largest(squares))


def compare(case):
    half = tuple(0.5 * period for period in PERIODS)
    run = case.run(deck_of(), "belt")
    final, belt, energy, ball = (run.history(f"{name}.csv") for name in ("final", "belt", "energy", "ball0"))
    case.plot("Force on the belt", "time [s]", "force [N]",
              [("downwards", belt["time"], [-f for f in belt["fz"]], "curve"),
               ("along", belt["time"], [-f for f in belt["fx"]], "curve"),
               ("weight", [0, belt["time"][-1]], [WEIGHT] * 2, "dashed")])
    case.plot("One sphere along the belt", "time [s]", "x [m]",
              [("in the cell", ball["time"], ball["x"], "points"),
               ("way through the faces", ball["time"], ball["ux"], "curve")])
    case.equal("force on the floor at the end [N]", belt["fz"][-1], -WEIGHT, "rest", relative=1e-6)
    case.at_most("sideways, part of the weight", math.hypot(belt["fx"][-1], belt["fy"][-1]) / WEIGHT, 1e-6, "rest")
    slip = largest(math.hypot(vx - BELT, vy, vz) for vx, vy, vz in zip(final["vx"], final["vy"], final["vz"]))
    case.at_most("largest velocity against the belt [m/s]", slip, 9e-8, "rest")
    case.equal("work of the belt [J]", energy["work_of_boundaries"][-1], MASS * BELT ** 2, "impulse times speed",
               relative=3e-8)
    case.at_least("way of a sphere, periods", ball["ux"][-1] / PERIODS[0], 2, "that it crossed faces")
    inside = all(0 <= x < PERIODS[0] and 0 <= y < PERIODS[1] for x, y in zip(final["x"], final["y"]))
    case.true("poles are written in the cell", inside, "wrapped")
    case.tell("energy balance error [J]", f"{energy['closure_error'][-1]:.2e}")
    moved = case.run(deck_of(half), "moved").history("final.csv")
    case.at_most("cell moved by half: farthest pole [m]", farthest(final, moved), 2e-8, "rounding, amplified")
    early = deck_of(end=0.3)  # all have hit something, and crossed faces
    alone = case.run(early, "np1").history("final.csv")
    for ranks in (2, 4):
        other = case.run(early, f"np{ranks}", ranks=ranks).history("final.csv")
        case.at_most(f"{ranks} ranks: farthest pole [m]", farthest(alone, other), 1e-11, "order of sums")
