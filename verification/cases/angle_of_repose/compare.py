"""Slopes of heaps of spheres and of superquadrics of their volume, poured and left by a lifted pipe."""
import sys

from harness import CASES

sys.path.insert(0, str(CASES / "angle_of_repose"))
import heap  # noqa: E402


def compare(case):
    series = []
    for how in ("poured", "lifted"):
        angles = {}
        for what in heap.SHAPES:
            name = f"{what}_{how}"
            run = case.run(heap.deck(case.work / name, what, how), name)
            final = run.history("final.csv")
            radii, heights = heap.profile(final, what)
            angles[what] = heap.angle_deg(radii, heights)
            series.append((f"{what}, {how}", [1e3 * r for r in radii], [1e3 * z for z in heights], "curve"))
            case.tell(f"{what}, {how}: slope [degrees], grains left, at rest, at [s]",
                      f"{angles[what]:.1f}, {len(final['x'])}, {run.report['at_rest']}, {run.report['time']:.2f}")
            case.tell(f"{what}, {how}: steps, CPU time [s]", f"{run.report['steps']}, {run.core_seconds:.0f}")
        if how == "poured":
            case.equal("spheres, poured: slope [degrees]", angles["spheres"], 31.0, "required: friction is chosen for it",
                       absolute=3.0)
        case.at_least(f"{how}: slope of superquadrics over that of spheres [degrees]",
                      angles["superquadrics"] - angles["spheres"], 5.0, "required; the paper has 40 and 31 degrees")
    case.plot("Height of the heap over its middle's distance", "r [mm]", "z [mm]", series)
