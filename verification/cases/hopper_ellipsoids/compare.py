"""A bin of ellipsoids and of spheres of their volume empties: friction, and LIGGGHTS for the spheres."""
import math
import sys

from harness import CASES, read_table

FOLDER = CASES / "hopper_ellipsoids"
sys.path.insert(0, str(FOLDER))
import bin as ellipsoids  # noqa: E402
from slot_bin import time_of  # noqa: E402
from judging import largest  # noqa: E402

STEP = {"initial": 1e-4, "min": 1e-8, "max": 1e-3, "resolution": 2}
SPHERES, ELLIPSOIDS = (0.0, 0.4), (0.0, 0.2, 0.4)  # coefficients of friction
SEEDS, POURED = (1, 2, 3), (1, 2)  # of beds of spheres and of ellipsoids
TOP = 0.32  # of the region that ellipsoids are put into [m]
HALF = 0.5
BIN, COUNT = ellipsoids.BIN, ellipsoids.COUNT


def spheres_of(mu, seed):
    bodies = [{"shape": "grain", "material": "grain", "position": place} for place in ellipsoids.spheres(seed)]
    return BIN.deck(f"spheres, mu = {mu:g}", {"type": "sphere", "radius": ellipsoids.RADIUS}, bodies, mu, STEP)


def ellipsoids_of(mu, seed):
    shape = {"type": "superquadric", "half_axes": list(ellipsoids.HALF_AXES), "blockiness": [2, 2]}
    bodies = [{"shape": "grain", "material": "grain", "count": COUNT, "seed": seed,
               "region": {"min": [0, 0, 0], "max": [BIN.width, BIN.depth, TOP]}}]
    return BIN.deck(f"ellipsoids, mu = {mu:g}", shape, bodies, mu, STEP)


def mean_curve(case, what, deck_of, mu, seeds):
    """Mean over the beds of the part that has fallen; reports the cost of the runs."""
    curves, seconds, steps, cuts = [], 0.0, 0, 0
    for seed in seeds:
        run = case.run(deck_of(mu, seed), f"{what}_mu_{mu:g}_seed_{seed}")
        curves.append(BIN.curve(run.history("below.csv"), COUNT))
        seconds, steps, cuts = seconds + run.core_seconds, steps + run.report["steps"], cuts + run.report["cuts"]
    case.equal(f"{what}, mu = {mu:g}: part that has fallen as the slot opens", largest(curve[0] for curve in curves), 0.0, "closed",
               absolute=0.0)
    case.tell(f"{what}, mu = {mu:g}: half has fallen after [s], by bed",
              ", ".join(f"{time_of(HALF, BIN.times(), curve):.3f}" for curve in curves))
    case.tell(f"{what}, mu = {mu:g}: steps, rejected steps, CPU time of {len(seeds)} runs [s]", f"{steps}, {cuts}, {seconds:.0f}")
    return [sum(parts) / len(parts) for parts in zip(*curves)]


def compare(case):
    peer, times = read_table(FOLDER / "liggghts.csv"), BIN.times()
    series, halves = [], {}
    for what, deck_of, frictions, seeds in (("spheres", spheres_of, SPHERES, SEEDS),
                                            ("ellipsoids", ellipsoids_of, ELLIPSOIDS, POURED)):
        for mu in frictions:
            curve = mean_curve(case, what, deck_of, mu, seeds)
            series.append((f"{what}, mu = {mu:g}", times, curve, "curve"))
            halves[what, mu] = time_of(HALF, times, curve)
            if what != "spheres":
                continue
            theirs = [sum(parts) / len(parts) for parts in zip(*(peer[f"mu_{mu:g}_seed_{seed}"] for seed in seeds))]
            series.append((f"LIGGGHTS, mu = {mu:g}", times, theirs, "points"))
            apart = largest(abs(a - b) for a, b in zip(curve, theirs))
            case.at_most(f"spheres, mu = {mu:g}: curve from LIGGGHTS's at any time, part of all", apart, 0.03,
                         "means of three beds, which differ by up to 0.03 in LIGGGHTS")
            case.equal(f"spheres, mu = {mu:g}: half has fallen after [s]", halves[what, mu], time_of(HALF, times, theirs),
                       "the same start and law", relative=0.05)
    for what, less, more in (("spheres", 0.0, 0.4), ("ellipsoids", 0.0, 0.2), ("ellipsoids", 0.2, 0.4)):
        case.at_least(f"{what}: time for half, mu = {more:g} over {less:g}", halves[what, more] / halves[what, less], 1.05,
                      "friction holds back")
    case.true("ellipsoids: half falls at all", all(math.isfinite(t) for t in halves.values()), "no arch")
    case.plot("Part that has fallen", "time after the slot opens [s]", "part", series)
