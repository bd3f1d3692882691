"""Rigid spheres collide: restitution, Newton's cradle as the model predicts it, momentum."""
import math
import random

import harness
from judging import largest

RADIUS, DENSITY, SPEED = 0.05, 1000.0, 2.0
CLOUD = 40


def deck_of(bodies, restitution, end, step):
    return {
        "analysis": "contact-dynamics", "gravity": [0, 0, 0], "time": {"end": end, "step": step},
        "materials": {"ball": {"density": DENSITY}}, "shapes": {"ball": {"type": "sphere", "radius": RADIUS}},
        "bodies": [{"shape": "ball", "material": "ball", **body} for body in bodies],
        "interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid", "restitution": restitution}}],
        "solver": {"lcp_tolerance": 1e-12},
        "output": {"final_state": "final.csv", "histories": [{"file": "energy.csv", "every": 0}]}}


def row_of(count, gap, before):
    """Spheres along x with `gap` between them, the first `before` away from the second and moving."""
    bodies = [{"position": [-2 * RADIUS - before, 0, 0], "velocity": [SPEED, 0, 0]}]
    return bodies + [{"position": [k * (2 * RADIUS + gap), 0, 0]} for k in range(count - 1)]


def speeds(run):
    return run.history("final.csv")["vx"]


def difference(measured, exact):
    return largest(abs(a - b) for a, b in zip(measured, exact)) / SPEED


def two_bodies(case):
    for e in (0.0, 0.25, 0.5, 0.75, 1.0):
        run = case.run(deck_of(row_of(2, 0, 0.37 * RADIUS), e, 0.02, 1e-3), f"two_{e}")
        case.at_most(f"two spheres, e = {e}: speeds afterwards, difference by u",
                     difference(speeds(run), [SPEED * (1 - e) / 2, SPEED * (1 + e) / 2]), 1e-12, "exact; the tolerance of the complementarity problem")


def cradle(case):
    count = 5
    for e in (1.0, 0.6):
        run = case.run(deck_of(row_of(count, 0, 0.37 * RADIUS), e, 0.02, 1e-3), f"cradle_{e}")
        others = (1 + e) * SPEED / count
        case.at_most(f"cradle, e = {e}: speeds afterwards, difference by u",
                     difference(speeds(run), [others - e * SPEED] + [others] * (count - 1)), 1e-12, "one impact of all contacts; likewise")
    gap = 0.1 * RADIUS
    for e in (1.0, 0.9):
        # Three times the way of the fastest: later, where e < 1, the first spheres catch up with the next.
        run = case.run(deck_of(row_of(count, gap, 0.37 * RADIUS), e, 0.02, 2e-4), f"gaps_{e}")
        passed, left = (1 + e) / 2, (1 - e) / 2
        exact = [SPEED * passed**k * left for k in range(count - 1)] + [SPEED * passed**(count - 1)]
        case.at_most(f"cradle with gaps, e = {e}: speeds afterwards, difference by u", difference(speeds(run), exact), 1e-12,
                     "one impact after the other")


def moments(table, masses):
    momentum, angular = [0.0] * 3, [0.0] * 3
    for k, m in enumerate(masses):
        x, v, w = ([table[c][k] for c in columns] for columns in (("x", "y", "z"), ("vx", "vy", "vz"), ("wx", "wy", "wz")))
        for i in range(3):
            j, l = (i + 1) % 3, (i + 2) % 3
            momentum[i] += m * v[i]
            angular[i] += m * (x[j] * v[l] - x[l] * v[j]) + 0.4 * m * RADIUS**2 * w[i]
    return momentum, angular


def cloud(case):
    numbers = random.Random(3)
    places = [[2.6 * RADIUS * (i - 1.5), 2.6 * RADIUS * (j - 1.5), 2.6 * RADIUS * (k - 1.5)]
              for i in range(4) for j in range(4) for k in range(4)]
    bodies = []
    for place in numbers.sample(places, CLOUD):
        speed = [-2 * x / RADIUS * 0.05 + numbers.uniform(-1, 1) for x in place]
        bodies.append({"position": [x + numbers.uniform(-0.2, 0.2) * RADIUS for x in place], "velocity": speed})
    run = case.run(deck_of(bodies, 0.5, 0.5, 5e-4), "cloud")
    masses = [DENSITY * 4 / 3 * math.pi * RADIUS**3] * CLOUD
    start = {c: [b[k][i] for b in bodies] for k, names in (("position", "xyz"), ("velocity", ("vx", "vy", "vz")))
             for i, c in enumerate(names)}
    start.update({c: [0.0] * CLOUD for c in ("wx", "wy", "wz")})
    before, after = moments(start, masses), moments(run.history("final.csv"), masses)
    size = sum(m * math.hypot(*b["velocity"]) for m, b in zip(masses, bodies))
    lever = sum(m * math.hypot(*b["velocity"]) * math.hypot(*b["position"]) for m, b in zip(masses, bodies))
    table = run.history("energy.csv")
    case.at_least("cloud: part of the energy that impacts took", 1 - table["kinetic_energy"][-1] / table["kinetic_energy"][0],
                  0.1, "otherwise nothing was tested")
    case.at_most("cloud: change of momentum, by the sum of its sizes",
                 largest(abs(a - b) for a, b in zip(before[0], after[0])) / size, 1e-13, "round-off")
    case.at_most("cloud: change of angular momentum, by the sum of its sizes",
                 largest(abs(a - b) for a, b in zip(before[1], after[1])) / lever, 5e-14, "round-off")


def compare(case):
    two_bodies(case)
    cradle(case)
    cloud(case)
