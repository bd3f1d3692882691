"""Figures of a packing of cubes, as packing.py of the YADE reference computes them. Standard library."""
import math
import random

from judging import largest


def matrix(q):
    """Rotation matrix of a quaternion (w, x, y, z), body to global."""
    w, x, y, z = q
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))


def quantile(values, part):
    """Linear interpolation between order statistics."""
    values = sorted(values)
    at = part * (len(values) - 1)
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def figures(poles, quaternions, edge, plan=1.0, samples=40000, seed=1):
    """{top, p90, mean_height, packing} of cubes over a square plan [m]; packing is the solid fraction between
    0.02 m and 0.6 of the 90 % quantile of the cubes' tops, by Monte Carlo (standard error about 0.0025)."""
    turns = [matrix(q) for q in quaternions]
    tops = [p[2] + edge / 2 * sum(abs(c) for c in m[2]) for p, m in zip(poles, turns)]
    p90 = quantile(tops, 0.9)
    low, high = 0.02, 0.6 * p90
    draw = random.Random(seed)
    grid = {}
    for i, p in enumerate(poles):  # a cube reaches less than its edge from its pole
        cell = tuple(math.floor(c / edge) for c in p)
        for a in (-1, 0, 1):
            for b in (-1, 0, 1):
                for c in (-1, 0, 1):
                    grid.setdefault((cell[0] + a, cell[1] + b, cell[2] + c), []).append(i)
    hits = 0
    for _ in range(samples):
        point = (draw.uniform(0, plan), draw.uniform(0, plan), draw.uniform(low, high))
        for i in grid.get(tuple(math.floor(c / edge) for c in point), ()):
            d = [a - b for a, b in zip(point, poles[i])]
            m = turns[i]
            if all(abs(m[0][k] * d[0] + m[1][k] * d[1] + m[2][k] * d[2]) < edge / 2 for k in range(3)):
                hits += 1
                break
    return {"top": largest(tops), "p90": p90, "mean_height": sum(p[2] for p in poles) / len(poles),
            "packing": hits / samples}


def coordination(contacts, count):
    """Mean number of other cubes that push on a cube, from a table of contacts: pairs of cubes with normal force.
    Contacts of one pair are one; those with walls (named boundaries) are left out."""
    pairs = {(a, b) for a, b, fn in zip(contacts["body_a"], contacts["body_b"], contacts["fn"])
             if isinstance(a, float) and isinstance(b, float) and fn > 0}
    return 2 * len({tuple(sorted(pair)) for pair in pairs}) / count
