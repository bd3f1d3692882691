"""218 spheres fall into a box: the first collapse, against LAMMPS."""
import box_fill
from judging import largest

END = 1.0


def compare(case):
    for variant in box_fill.VARIANTS:
        run = case.run(box_fill.deck_of(variant, 20, END + 0.05), variant)
        series = box_fill.Series(run)
        box_fill.judge_windows(case, variant, series, [(0, 0.5), (0.5, END)])
        if variant == "notang":
            spin = largest(abs(w) for k in range(box_fill.COUNT) for c in ("wx", "wy", "wz")
                       for w in run.history(f"{k}.csv")[c])
            case.at_most("notang: largest spin [rad/s]", spin, 1e-11, "no force has a moment")
        steps = box_fill.iterations(run, 0)
        case.at_most(f"{variant}: Newton iterations per step", sum(steps) / len(steps), 4,
                     "contacts open and close")
        case.tell(f"{variant}: seconds per simulated second", f"{run.wall_seconds / (END * box_fill.UNIT):.0f}")
        # Midpoint rule and a dashpot that jumps at touch: a few contact onsetes have no solution at the full step.
        case.tell(f"{variant}: steps, rejected steps", f"{run.report['steps']}, {run.report['cuts']}")
        box_fill.plot(case, variant, series)
