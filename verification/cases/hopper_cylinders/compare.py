"""Cylinders of four aspect ratios, the same volume of each, leave a flat-bottomed bin."""
import slot_bin
import superquadric_bed
from harness import slope
from slot_bin import time_of

DIAMETER, BLOCKINESS, FRICTION = 0.001, (8, 2), 0.1
NUMBERS = {0.33: 1050, 0.5: 700, 1.0: 350, 1.5: 233}  # of cylinders by aspect ratio: half of the paper's
BIN = slot_bin.Bin(width=11 * DIAMETER, depth=4 * DIAMETER, slot=3.6 * DIAMETER, counted=3 * DIAMETER, opens=0.13, end=0.4,
                   every=0.005, density=2500.0, young=2e5, poisson=0.29, restitution=0.5,
                   periodic=True)
HIGH = 0.042  # of the region that cylinders are put into [m]
STEP = {"initial": 2e-5, "min": 1e-9, "max": 5e-4, "resolution": 2}
SEEDS = (1, 2)  # a bed each: what one slot passes in a second is largely chance
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


def compare(case):
    times, rates, volumes, series = BIN.times(), {}, {}, []
    for ratio, count in NUMBERS.items():
        what = f"aspect ratio {ratio:g}"
        volumes[ratio] = count * superquadric_bed.volume((DIAMETER / 2, DIAMETER / 2, ratio * DIAMETER / 2), BLOCKINESS)
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
                      f"{1e9 * rate * volumes[ratio]:.0f}, {time_of(0.5, times, curve):.3f}")
            case.tell(bed + "steps, cuts, core seconds",
                      f"{run.report['steps']}, {run.report['cuts']}, {run.core_seconds:.0f}")
            found.append((rate, curve))
        rates[ratio] = sum(rate for rate, _ in found) / len(found)
        series.append((what, times, [1e9 * volumes[ratio] * p for p in found[0][1]], "curve"))
    mean = sum(rates[r] * volumes[r] for r in rates) / len(rates)
    for ratio, rate in rates.items():
        case.equal(f"aspect ratio {ratio:g}: volume per second over the mean of the four", rate * volumes[ratio] / mean, 1.0,
                   "the paper's figure 20: nearly the same", absolute=0.15)
    case.plot("Volume that has fallen, one bed each", "time after the slot opens [s]", "volume [mm^3]", series)
