"""Balls fall into a container and come to rest, with and without rotation."""
import math
import random

import stl
from judging import largest, smallest

COUNT, RADIUS, DENSITY, GRAVITY = 230, 0.1, 2500.0, 9.81
MASS = DENSITY * 4 / 3 * math.pi * RADIUS ** 3
FLOOR = 3.5  # m, from the foot of the inclined face to the wall
VESSEL = (-2.0, -1.25, 2.6, 22.6)  # x and y of its inside
END, STEP, REST = 8.0, 2e-4, 1e-2


def places():
    """Centres thrown into the vessel at random, without overlap (random sequential addition, seed 1)."""
    draw, centres, rows = random.Random(1), [], {}
    low, high, bottom, top = VESSEL[0] + RADIUS, VESSEL[1] - RADIUS, VESSEL[2] + RADIUS, VESSEL[3] - RADIUS
    while len(centres) < COUNT:
        x, y = draw.uniform(low, high), draw.uniform(bottom, top)
        row = int(y / (2 * RADIUS))
        near = [centre for k in (row - 1, row, row + 1) for centre in rows.get(k, ())]
        if all(math.dist((x, y), centre) > 2.001 * RADIUS for centre in near):
            centres.append((x, y))
            rows.setdefault(row, []).append((x, y))
    return centres


def deck_of(work, rotating):
    """The walls of the vessel end at its lower end; floor, wall and inclined face extend upwards."""
    left, right, bottom, top = VESSEL
    stl.slab(work / "left.stl", (left - 0.1, bottom, -1), (left, top, 1))
    stl.slab(work / "right.stl", (right, bottom, -1), (right + 0.1, top, 1))
    wall = {"material": "wall"}
    normal = {"law": "hertz", "damping_ratio": 0.9}
    boundaries = [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 1, 0], **wall},
                  {"name": "wall", "type": "plane", "point": [FLOOR, 0, 0], "normal": [-1, 0, 0], **wall},
                  {"name": "slope", "type": "plane", "point": [0, 0, 0], "normal": [1, 1, 0], **wall},
                  {"name": "left", "type": "surface", "file": str(work / "left.stl"), **wall},
                  {"name": "right", "type": "surface", "file": str(work / "right.stl"), **wall}]
    return {
        "title": "230 balls, " + ("with rotation" if rotating else "without rotation"),
        "gravity": [0, -GRAVITY, 0],
        "integrator": {"type": "trapezoidal", "phi": 0.5},
        "time": {"end": END, "step": STEP, "stop": {"when": "at rest", "kinetic_energy": REST, "after": 2.0}},
        "materials": {"ball": {"density": DENSITY, "young": 1e8, "poisson": 0.25}, "wall": {}},
        "shapes": {"ball": {"type": "sphere", "radius": RADIUS}},
        "bodies": [{"shape": "ball", "material": "ball", "position": [x, y, 0],
                    "fixed": ["z", "rx", "ry"] if rotating else ["z", "rx", "ry", "rz"]} for x, y in places()],
        "boundaries": boundaries,
        "interfaces": [{"between": ["ball", other], "normal": normal,
                        "friction": {"static": mu, "dynamic": mu, "stiffness": "paper", "damping": 0}}
                       for other, mu in (("ball", 0.1), ("wall", 0.25))],
        "loads": [{"type": "drag", "coefficient": 0.005}],
        "output": {"histories": [
            {"file": "energy.csv", "every": 0.005,
             "columns": ["time", "translational_energy", "rotational_energy", "kinetic_energy", "max_velocity"]},
            *({"file": f"{b['name']}.csv", "boundary": b["name"], "every": 0.05, "columns": ["time", "fx", "fy"]}
              for b in boundaries)],
            "final_state": "final.csv"},
    }


def judge(case, name, run):
    energy, what = run.history("energy.csv"), name + ": "
    peak, last = largest(energy["kinetic_energy"]), energy["kinetic_energy"][-1]
    case.at_most(what + "kinetic energy at the end [J]", last, REST, "at rest")
    case.at_least(what + "largest kinetic energy [J]", peak, 5e4, "2400 kg fall from 12 m on the mean")
    case.at_most(what + "time of rest [s]", energy["time"][-1], END - 0.1, "twice the paper's 4 s")
    weight = COUNT * MASS * GRAVITY
    walls = [run.history(f"{b}.csv") for b in ("floor", "wall", "slope", "left", "right")]
    force = [sum(table[axis][-1] for table in walls) for axis in ("fx", "fy")]
    case.equal(what + "force on the boundaries, vertical [N]", force[1], -weight, "what is left of the motion",
               relative=0.02)
    case.equal(what + "force on the boundaries, horizontal [part of the weight]", force[0] / weight, 0, "likewise",
               absolute=0.02)
    final = run.history("final.csv")
    inside = smallest(min(y, FLOOR - x, (x + y) / math.sqrt(2)) for x, y in zip(final["x"], final["y"])) / RADIUS
    case.at_least(what + "nearest centre to a face [radius]", inside, 0.97,
                      "a ball that carries a quarter of all weight overlaps by 2.6 %")
    case.equal(what + "balls", len(final["x"]), COUNT, "none is lost")
    case.tell(what + "came to rest at [s] (paper: about 4), seconds of wall time",
              f"{energy['time'][-1]:.3f}, {run.wall_seconds:.0f}")
    case.tell(what + "mean height [m]", f"{sum(final['y']) / COUNT:.4f}")
    return energy


def compare(case):
    turning = judge(case, "with rotation", case.run(deck_of(case.work, True), "with_rotation"))
    sliding = judge(case, "without rotation", case.run(deck_of(case.work, False), "without_rotation"))
    peak = largest(turning["kinetic_energy"])
    share = [r / t for t, r, k in zip(*(turning[c] for c in ("translational_energy", "rotational_energy", "kinetic_energy")))
             if k > 0.01 * peak]
    case.at_most("with rotation: largest ratio of rotational to translational energy", largest(share), 1.0,
                 "the paper: a fraction")
    case.at_least("with rotation: the same, at least", largest(share), 1e-3, "friction turns the balls")
    case.at_most("without rotation: rotational energy [J]", largest(sliding["rotational_energy"]), 0.0, "held")
    for column, name in (("translational_energy", "Figures 10 and 12: translational energy"),
                         ("rotational_energy", "Figure 10: rotational energy")):
        case.plot(name, "time [s]", "energy [J]",
                  [(label, table["time"], table[column], "curve") for label, table in
                   (("with rotation", turning), ("without rotation", sliding)) if largest(table[column]) > 0])
