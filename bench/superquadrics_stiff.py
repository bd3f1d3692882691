#!/usr/bin/env python3
"""1000 superquadrics settle, soft and stiff: core seconds to rest beside LIGGGHTS's (case superquadric_settling).

LIGGGHTS was recorded at 1e7 Pa; its step goes with one over the root of the modulus, so that its cost at another is taken to go
with the root (issue 5)."""
import argparse
import json
import math
import pathlib
import resource
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402
from harness import CASES, read_table  # noqa: E402

sys.path.insert(0, str(CASES / "superquadric_settling"))
import compare  # noqa: E402
import superquadric_bed  # noqa: E402


def measure(arguments, blockiness, young, recorded):
    work = pathlib.Path(arguments.work) / f"{blockiness}_{young:g}"
    start = compare.shifted(work / "start.csv", compare.SHIFTS[0])
    step = dict(compare.STEP, resolution=arguments.resolution)
    step["initial"] *= math.sqrt(compare.YOUNG / young)
    deck = compare.deck_of(blockiness, step, str(start.resolve()), young)
    if arguments.petsc:
        deck["solver"]["petsc_options"] = arguments.petsc
    (work / "deck.json").write_text(json.dumps(deck), encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with open(work / "log", "w", encoding="utf-8") as log:
        subprocess.run([arguments.binary, "run", work / "deck.json", "--output", work / "out"], stdout=log, check=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    report = json.loads((work / "out" / "report.json").read_text(encoding="utf-8"))
    bed = superquadric_bed.Bed(read_table(work / "out" / "final.csv"), compare.HALF_AXES, (blockiness, blockiness))
    top = max(bed.tops())
    packing = bed.slab_packing(compare.WIDTH, compare.LOWEST, compare.PART * top, compare.SAMPLES)
    theirs = recorded["cpu_total_s"] * math.sqrt(young / compare.YOUNG)
    print(f"blockiness {blockiness}, {young:g} Pa: {seconds:.0f} core s, LIGGGHTS {theirs:.0f} ({seconds / theirs:.2f}); "
          f"{report['steps']} steps, {report['newton_iterations'] / report['steps']:.2f} iterations each, "
          f"{report['cuts']} cut; at rest {report['at_rest']} at {report['time']:.3f} s; top {top / recorded['top_surface_m'] - 1:+.1%}, "
          f"packing {packing / recorded['slab_packing_fraction_0.01m_to_0.7top'] - 1:+.1%} of those at 1e7 Pa", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    common.add_options(parser, "superquadrics_stiff")
    parser.add_argument("--young", type=float, nargs="+", default=[1e7, 1e9], help="moduli [Pa]")
    parser.add_argument("--blockiness", type=int, nargs="+", default=[2, 4, 8], choices=compare.BLOCKINESS)
    parser.add_argument("--resolution", type=float, default=compare.STEP["resolution"])
    arguments = parser.parse_args()
    summary = read_table(compare.FOLDER / "settle_summary.csv")
    for blockiness in arguments.blockiness:
        row = compare.BLOCKINESS.index(blockiness)
        for young in arguments.young:
            measure(arguments, blockiness, young, {name: values[row] for name, values in summary.items()})


if __name__ == "__main__":
    main()
