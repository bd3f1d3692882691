"""218 spheres fall into a box and come to rest, against LAMMPS."""
import box_fill
from judging import largest

END, SMOOTH = 45.0, 25.0
# Ranges of the eight LAMMPS runs: last time of K > 1e-2 m g d, mean height and top at the end [d].
RANGES = {"notang": ((15.35, 18.1), (2.7488, 2.8110), (5.527, 5.891)),
          "tangdamp": ((8.549, 10.4), (2.8171, 2.8465), (5.642, 5.933))}


def in_range(case, what, measured, bounds):
    middle, width = (bounds[0] + bounds[1]) / 2, bounds[1] - bounds[0]
    case.equal(what, measured, middle, "range of eight runs, widened by its width", absolute=1.5 * width)


def compare(case):
    for variant in box_fill.VARIANTS:
        run = case.run(box_fill.deck_of(variant, 20, END), variant)
        series = box_fill.Series(run)
        box_fill.judge_windows(case, variant, series, [(0, 0.5), (0.5, 1), (1, 2), (2, 5), (5, 10)])
        settled, height, top = RANGES[variant]
        last = largest(t for t, k in zip(series.time, series.kinetic) if k > 1e-2)
        in_range(case, f"{variant}: last time of a kinetic energy above 1e-2 m g d [sqrt(d/g)]", last, settled)
        in_range(case, f"{variant}: mean height at the end [d]", series.mean_height[-1], height)
        in_range(case, f"{variant}: top at the end [d]", series.top[-1], top)
        steps = box_fill.iterations(run, SMOOTH)
        case.equal(f"{variant}: Newton iterations per step, t > {SMOOTH:g}", sum(steps) / len(steps), 2.5,
                   "smooth phase",
                   absolute=1.5)
        case.tell(f"{variant}: part of these steps that the predictor had solved already",
                  f"{sum(n == 0 for n in steps) / len(steps):.2f}")
        case.at_least(f"{variant}: part of these steps with at most 4", sum(n <= 4 for n in steps) / len(steps),
                      0.95,
                      "smooth phase")
        case.tell(f"{variant}: seconds per simulated second", f"{run.wall_seconds / (END * box_fill.UNIT):.0f}")
        # Midpoint rule and a dashpot that jumps at touch: a few contact onsetes have no solution at the full step.
        case.tell(f"{variant}: steps, rejected steps", f"{run.report['steps']}, {run.report['cuts']}")
        box_fill.plot(case, variant, series)
