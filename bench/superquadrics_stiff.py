#!/usr/bin/env python3
"""1000 superquadrics settle, soft and stiff: CPU time to static equilibrium beside LIGGGHTS's (case superquadric_settling).

With --liggghts the peer runs beside, in the same measurement. Without it, what was recorded at 1e7 Pa stands for it; its step
goes with one over the root of the modulus, so that its cost at another is taken to go with the root."""
import argparse
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402
from common import harness  # noqa: E402

sys.path.insert(0, str(harness.CASES / "superquadric_settling"))
import compare  # noqa: E402
import superquadric_bed  # noqa: E402
from judging import largest  # noqa: E402

PEER_STEP, PEER_STEPS, PEER_PARTS = 2e-5, 40000, 8  # of LIGGGHTS at 1e7 Pa [s], to 0.8 s
AIMS = ((1.0, "no more than LIGGGHTS's"), (0.1, "a tenth where grains are stiff"))  # at LIGGGHTS's modulus, above it
PEER_MODULI = "1.0e7 1.0e7"  # of grains and walls, in its input


def measured_peer(arguments, work, blockiness, young):
    """LIGGGHTS from the same start with its step scaled to the modulus. @returns CPU time to 0.8 s [s]."""
    reference = arguments.reference.resolve()
    stiffer = math.sqrt(young / compare.YOUNG)
    subprocess.run([sys.executable, reference / "state.py", "atoms", reference / "initial_state.csv", str(blockiness), "atoms"],
                   cwd=work, check=True)
    script = (reference / "in.settle").read_text(encoding="utf-8")
    if PEER_MODULI not in script:
        raise SystemExit(f"{reference / 'in.settle'}: no '{PEER_MODULI}' to replace by the modulus")
    (work / "in.settle").write_text(script.replace(PEER_MODULI, f"{young:g} {young:g}"), encoding="utf-8")
    (work / "cputime.sh").write_text("", encoding="utf-8")
    variables = {"atoms": "atoms", "seg": round(PEER_STEPS * stiffer / PEER_PARTS), "nseg": PEER_PARTS, "dt": PEER_STEP / stiffer,
                 "out": "peer"}
    flags = [word for name, value in variables.items() for word in ("-var", name, str(value))]
    return common.core_seconds([arguments.liggghts, "-in", "in.settle", "-log", "none", "-screen", "peer.log", *flags], work)


def measure(ratios, arguments, program, blockiness, young, recorded):
    name = f"{blockiness}_{young:g}"
    work = program.work / name
    start = compare.shifted(work / "start.csv", compare.SHIFTS[0])
    step = dict(compare.STEP, resolution=arguments.resolution)
    step["initial"] *= math.sqrt(compare.YOUNG / young)
    deck = compare.deck_of(blockiness, step, str(start), young)
    deck["integrator"] = {"type": arguments.integrator}
    if arguments.petsc:
        deck["solver"]["petsc_options"] = arguments.petsc
    run = program.run(deck, name)
    bed = superquadric_bed.Bed(run.history("final.csv"), compare.HALF_AXES, (blockiness, blockiness))
    top = largest(bed.tops())
    packing = bed.slab_packing(compare.WIDTH, compare.LOWEST, compare.PART * top, compare.SAMPLES)
    if arguments.liggghts:
        how, theirs = "measured", measured_peer(arguments, work, blockiness, young)
    else:
        how, theirs = "recorded", recorded["cpu_total_s"] * math.sqrt(young / compare.YOUNG)
    report, ours = run.report, run.core_seconds
    higher, denser = (figure / recorded[name] - 1 for figure, name in
                      ((top, "top_surface_m"), (packing, "slab_packing_fraction_0.01m_to_0.7top")))
    print(f"blockiness {blockiness}, {young:g} Pa: {ours:.0f} CPU s, LIGGGHTS {theirs:.0f} ({how}; {ours / theirs:.2f}); "
          f"{report['steps']} steps, {report['newton_iterations'] / report['steps']:.2f} iterations each, "
          f"{report['cuts']} cut; at rest {report['at_rest']} at {report['time']:.3f} s; "
          f"top {higher:+.1%}, packing {denser:+.1%} of LIGGGHTS's at {compare.YOUNG:g} Pa", flush=True)
    aim, why = AIMS[young > compare.YOUNG]
    ratios.at_most(f"blockiness {blockiness}, {young:g} Pa: CPU time over that of LIGGGHTS", ours / theirs, aim, why)


def main(ratios):
    parser = argparse.ArgumentParser(description=__doc__)
    common.add_options(parser, "superquadrics_stiff")
    parser.add_argument("--young", type=float, nargs="+", default=[1e7, 1e9], help="moduli [Pa]")
    parser.add_argument("--blockiness", type=int, nargs="+", default=[2, 4, 8], choices=compare.BLOCKINESS)
    parser.add_argument("--resolution", type=float, default=compare.STEP["resolution"])
    parser.add_argument("--integrator", default="energy", choices=["energy", "newmark"])
    parser.add_argument("--liggghts", help="program with superquadrics, which Debian's has not: runs beside")
    parser.add_argument("--reference", type=pathlib.Path, help="folder of its input and start",
                        default=common.ROOT / "bench/reference/liggghts_superquadric")
    arguments = common.parse(parser, "superquadrics_stiff")
    summary = harness.read_table(compare.FOLDER / "settle_summary.csv")
    program = harness.Program(arguments.binary, arguments.work)
    for blockiness in arguments.blockiness:
        row = compare.BLOCKINESS.index(blockiness)
        for young in arguments.young:
            measure(ratios, arguments, program, blockiness, young, {name: values[row] for name, values in summary.items()})


if __name__ == "__main__":
    sys.exit(common.main_of("superquadrics_stiff", __doc__, main))
