"""Cylinders of four aspect ratios, the same volume of each, leave a flat-bottomed bin."""
import sys

import superquadric_bed
from harness import CASES, read_table, slope
from slot_bin import time_of

FOLDER = CASES / "hopper_cylinders"
sys.path.insert(0, str(FOLDER))
from cylinders import BIN, BLOCKINESS, DIAMETER, FRICTION, NUMBERS, SEEDS  # noqa: E402

HIGH = 0.042  # of the region that cylinders are put into [m]
STEP = {"initial": 2e-5, "min": 1e-9, "max": 5e-4, "resolution": 2}
FROM, TO = 0.1, 0.7  # parts between which the discharge is judged


def deck_of(ratio, seed):
    half_axes = [DIAMETER / 2, DIAMETER / 2, ratio * DIAMETER / 2]
    shape = {"type": "superquadric", "half_axes": half_axes, "blockiness": list(BLOCKINESS)}
    bodies = [{"shape": "grain", "material": "grain", "count": NUMBERS[ratio], "seed": seed,
               "region": {"min": [0, 0, 0], "max": [BIN.width, BIN.depth, HIGH]}}]
    return BIN.deck(f"cylinders of aspect ratio {ratio:g}", shape, bodies, FRICTION, STEP)


def straightness(times, curve):
    """(rate, coefficient of determination) of the straight line through the curve between FROM and TO."""
    t, p = zip(*((t, p) for t, p in zip(times, curve) if FROM <= p <= TO))
    rate = slope(t, p)
    return rate, rate * slope(p, t)


def mean_rate(times, curves):
    """Of the straight lines of several beds [1/s]."""
    return sum(straightness(times, curve)[0] for curve in curves) / len(curves)


def compare(case):
    peer = read_table(FOLDER / "liggghts.csv")
    times, ours, theirs, series = BIN.times(), {}, {}, []
    for ratio, count in NUMBERS.items():
        what = f"aspect ratio {ratio:g}"
        volume = count * superquadric_bed.volume((DIAMETER / 2, DIAMETER / 2, ratio * DIAMETER / 2), BLOCKINESS)
        found = []
        for seed in SEEDS:
            bed = f"{what}, bed {seed}: "
            run = case.run(deck_of(ratio, seed), f"ratio_{ratio:g}_{seed}")
            curve = BIN.curve(run.history("below.csv"), count)
            case.equal(bed + "part that has fallen as the slot opens", curve[0], 0.0, "closed", absolute=0.0)
            case.at_least(bed + "part that has fallen at the end", curve[-1], TO, "no arch")
            rate, straight = straightness(times, curve)
            case.at_least(bed + f"R^2 of a straight line from {FROM:g} to {TO:g} of the discharge", straight, 0.99,
                          "the paper's figure 20: almost linear")
            case.tell(bed + "volume per second [mm^3/s], half has fallen after [s]",
                      f"{1e9 * rate * volume:.0f}, {time_of(0.5, times, curve):.3f}")
            case.tell(bed + "steps, rejected steps, CPU time [s]",
                      f"{run.report['steps']}, {run.report['cuts']}, {run.core_seconds:.0f}")
            found.append(curve)
        of_peer = [peer[f"ratio_{ratio:g}_seed_{seed}"] for seed in SEEDS]
        ours[ratio], theirs[ratio] = (1e9 * volume * mean_rate(times, curves) for curves in (found, of_peer))
        case.equal(what + ": volume per second [mm^3/s]", ours[ratio], theirs[ratio], "LIGGGHTS, beds of its own", relative=0.1)
        series += [(what, times, [1e9 * volume * p for p in found[0]], "curve"),
                   (what + ", LIGGGHTS", times, [1e9 * volume * p for p in of_peer[0]], "points")]
    for who, rates in (("ours", ours), ("LIGGGHTS", theirs)):
        case.tell(f"volume per second over the mean of the four, {who}",
                  ", ".join(f"{rate * len(rates) / sum(rates.values()):.2f}" for rate in rates.values()))
    case.plot("Volume that has fallen, one bed each", "time after the slot opens [s]", "volume [mm^3]", series)
