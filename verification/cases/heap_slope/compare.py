"""Slope of what stays on a platform, for three coefficients of friction."""
import math

import grains
import harness
import stl
from judging import largest

COUNT, SEEDS = 900, (11, 12, 13)
SIZES = (0.7, 0.85, 1.0, 1.15, 1.3)
WIDTH = 27.0  # of the platform, from the wall at its back to its rim
OPENS, END = 0.6, 8.0
REST = 1e-9  # J in all grains: no one has more than 1.3 mm/s
FRICTION = (0.0, 0.3, 0.6)
ROLLING = {"coefficient": 0.5, "stiffness": 6.5e-3, "damping_ratio": 0.3}  # of angular grains
AIR = 0.4  # s in which drag takes e-fold of a grain's speed
PACKING = 0.82  # what turns areas of grains into heights
COLUMN = 2.0  # width of a column
JUDGED = range(1, int(WIDTH / COLUMN) - 1)  # columns: without those at the wall and at the rim


def deck_of(work, mu, seed):
    d = grains.DIAMETER
    stl.slab(work / "platform.stl", (-d, -d, -d), (WIDTH * d, (grains.DEPTH + 1) * d, 0))
    boundaries = [grains.plane("back_wall", (0, 0, 0), (1, 0, 0), "glass"),
                  grains.plane("gate", (WIDTH, 0, 0), (-1, 0, 0), "wall", active=[0, OPENS]),
                  {"name": "platform", "type": "surface", "file": str(work / "platform.stl"), "material": "wall"}]
    # The rim stands clear of the gate and of the platform, which it would overlap.
    rim = grains.rods([(WIDTH - 0.5 - grains.CLEAR, 0.5 + grains.CLEAR)])
    places = [[x + WIDTH / 2, grains.DEPTH / 2, z] for x, _, z in
              grains.loose(COUNT, seed, WIDTH / 2 - 0.3, 2.0, pitch=1.55, depth=1.3)]
    deck = grains.deck(places, mu, rim, boundaries, END, {"final_state": "final.csv"}, sizes=SIZES)
    deck["interfaces"][0]["rolling"] = ROLLING
    for body in deck["bodies"]:
        body.setdefault("fixed", ["y", "rx", "rz"])
    mass = grains.DENSITY * math.pi / 6 * d ** 3
    deck["time"]["stop"] = {"when": "at rest", "kinetic_energy": REST, "after": OPENS + 0.4}
    # What fell over the rim leaves four diameters further down.
    far, down = 100 * d, -4 * d
    deck["outlets"] = [{"name": "below", "region": {"min": [-far, -far, -far], "max": [far, far, down]}}]
    deck["loads"] = [{"type": "drag", "coefficient": mass / AIR}]
    return deck


def left_on_platform(final):
    """Rows of the grains above the platform, as (x, size, speed), lengths in diameters."""
    size_of = {grains.shape_of_size(size): size for size in SIZES}
    rows = zip(final["shape"], final["x"], final["z"], final["vx"], final["vy"], final["vz"])
    return [(x / grains.DIAMETER, size_of[shape], math.hypot(*v)) for shape, x, z, *v in rows
            if shape in size_of and z > 0 and x < WIDTH * grains.DIAMETER]


def profile(grains_left):
    """Heights of the columns [d]: area of the grains whose centres are in one, at the packing fraction PACKING."""
    heights = [0.0] * int(WIDTH / COLUMN)
    for x, size, _ in grains_left:
        heights[min(max(int(x / COLUMN), 0), len(heights) - 1)] += math.pi / 4 * size ** 2 / (PACKING * COLUMN)
    return heights


def slope_deg(grains_left):
    """Angle of the line through the heights of the judged columns."""
    heights = profile(grains_left)
    return math.degrees(math.atan(-harness.slope([(k + 0.5) * COLUMN for k in JUDGED], [heights[k] for k in JUDGED])))


def compare(case):
    slopes, counts = {}, {}
    for mu in FRICTION:
        angles, numbers = [], []
        for seed in SEEDS:
            run = case.run(deck_of(case.work, mu, seed), f"mu_{mu:g}_seed_{seed}")
            rows = left_on_platform(run.history("final.csv"))
            angles.append(slope_deg(rows))
            numbers.append(len(rows))
            case.at_most(f"mu = {mu:g}, bed {seed}: largest speed of what is left [m/s]",
                         largest((speed for _, _, speed in rows), default=math.nan), 2e-3, "at rest")
            case.tell(f"mu = {mu:g}, bed {seed}: heights of the columns [d]",
                      " ".join(f"{height:.2f}" for height in profile(rows)))
        slopes[mu], counts[mu] = sum(angles) / len(angles), sum(numbers) / len(numbers)
        case.tell(f"mu = {mu:g}: slope [degrees], grains left, by bed",
                  ", ".join(f"{a:.1f}, {n}" for a, n in zip(angles, numbers)))
    case.at_most("slope without friction [degrees]", slopes[0.0], 8.0, "grains without friction hold 5.8 degrees")
    for less, more, margin in zip(FRICTION, FRICTION[1:], (6.0, 3.0)):
        case.at_least(f"slope for mu = {more:g} steeper than for {less:g} [degrees]", slopes[more] - slopes[less], margin,
                      "friction carries a slope")
        case.at_least(f"grains left for mu = {more:g} more than for {less:g}", counts[more] - counts[less], 1.0,
                      "what the slope holds")
