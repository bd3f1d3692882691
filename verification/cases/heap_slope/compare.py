"""Slope of what stays on a platform, for three coefficients of friction."""
import math

import grains
import harness

COUNT, SEEDS = 400, (1, 2)
HALF_WIDTH = 6.7
OPENS, END = 0.5, 1.7
FRICTION = (0.0, 0.3, 0.6)


def deck_of(mu, seed):
    platform = grains.rods([(k * (1 + grains.CLEAR), -0.5) for k in range(-6, 7)])
    boundaries = [grains.plane("left", (-HALF_WIDTH, 0, 0), (1, 0, 0), "wall", active=[0, OPENS]),
                  grains.plane("right", (HALF_WIDTH, 0, 0), (-1, 0, 0), "wall", active=[0, OPENS])]
    return grains.deck(grains.loose(COUNT, seed, HALF_WIDTH, 0.7), mu, platform, boundaries, END,
                       {"final_state": "final.csv"})


def left_on_platform(final):
    """Rows of the grains above the platform, as (|x|, z, speed), lengths in diameters."""
    rows = zip(final["shape"], final["x"], final["z"], final["vx"], final["vy"], final["vz"])
    return [(abs(x) / grains.DIAMETER, z / grains.DIAMETER, math.hypot(*v)) for shape, x, z, *v in rows
            if shape == "grain" and z > 0 and abs(x) < HALF_WIDTH * grains.DIAMETER]


def slope_deg(grains_left):
    """Angle of the line through the highest grains of the diameters between the middle and the rim."""
    tops = {}
    for x, z, _ in grains_left:
        tops[int(x)] = max(z, tops.get(int(x), 0.0))
    bins = [k for k in range(1, int(HALF_WIDTH)) if k in tops]
    if len(bins) < 3:
        return math.nan
    return math.degrees(math.atan(-harness.slope([k + 0.5 for k in bins], [tops[k] for k in bins])))


def compare(case):
    slopes, counts = {}, {}
    for mu in FRICTION:
        angles, numbers = [], []
        for seed in SEEDS:
            rows = left_on_platform(case.run(deck_of(mu, seed), f"mu_{mu:g}_seed_{seed}").history("final.csv"))
            angles.append(slope_deg(rows))
            numbers.append(len(rows))
            case.at_most(f"mu = {mu:g}, bed {seed}: mean speed of what is left [m/s]",
                         sum(speed for _, _, speed in rows) / len(rows) if rows else math.nan, 5e-3, "at rest")
        slopes[mu], counts[mu] = sum(angles) / len(angles), sum(numbers) / len(numbers)
        case.tell(f"mu = {mu:g}: slope [degrees], grains left, by bed",
                  ", ".join(f"{a:.1f}, {n}" for a, n in zip(angles, numbers)))
    for less, more in zip(FRICTION, FRICTION[1:]):
        case.at_least(f"slope for mu = {more:g} steeper than for {less:g} [degrees]", slopes[more] - slopes[less], 2.0,
                      "friction carries a slope")
        case.at_least(f"grains left for mu = {more:g} more than for {less:g}", counts[more] - counts[less], 1.0,
                      "what the slope holds")
