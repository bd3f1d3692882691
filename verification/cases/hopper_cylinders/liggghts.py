#!/usr/bin/env python3
"""Runs LIGGGHTS on the cylinders of this case and writes liggghts.csv: the part that has fallen.

usage: liggghts.py LIGGGHTS [WORK]        a quarter of an hour. LIGGGHTS-PUBLIC 3.8.0 built with superquadrics
                                          (USE_SUPERQUADRICS in its Makefile.user), which Debian's package has not.
"""
import math
import pathlib
import random
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent)]
sys.dont_write_bytecode = True
import cylinders  # noqa: E402
import liggghts_bin  # noqa: E402
from cylinders import BIN, BLOCKINESS, DIAMETER, FRICTION, NUMBERS, SEEDS  # noqa: E402
from judging import largest  # noqa: E402

STEP, APART = 1e-5, 1.03  # s; pitch of the lattice that they fall from over their bounding sphere's diameter
MODEL = (liggghts_bin.MODEL + " surface superquadric", " curvatureLimitFactor 10 meanCurvature yes")


def start(ratio, seed):
    """[(place, axis, angle in degrees)]: a lattice above the plug, turned at random."""
    draw, pitch = random.Random(seed), DIAMETER * math.hypot(1, ratio) * APART
    across, deep = int(BIN.width / pitch), int(BIN.depth / pitch)
    bodies = []
    for number in range(NUMBERS[ratio]):
        q = [draw.gauss(0, 1) for _ in range(4)]
        size = math.copysign(math.hypot(*q), q[0])
        q = [c / size for c in q]
        layer, (i, j) = number // (across * deep), divmod(number % (across * deep), deep)
        place = ((i + 0.5) * BIN.width / across, (j + 0.5) * BIN.depth / deep, (layer + 0.5) * pitch + 0.1 * DIAMETER)
        sine = math.sqrt(1 - q[0] ** 2)
        bodies.append((place, [c / sine for c in q[1:]], 2 * math.degrees(math.acos(q[0]))))
    return bodies


def plates():
    """Those of the case, cut off at the faces of the periodic cell."""
    return {name: [[min(max(x, -DIAMETER), BIN.width + DIAMETER), min(max(y, 0.0), BIN.depth), z] for x, y, z in corners]
            for name, corners in BIN.plates().items()}


def script(ratio, seed):
    bodies = start(ratio, seed)
    half = (DIAMETER / 2, DIAMETER / 2, ratio * DIAMETER / 2)
    shape = f"shape {half[0]} {half[1]} {half[2]} blockiness {BLOCKINESS[0]} {BLOCKINESS[1]} density {BIN.density}"
    atoms = []
    for number, ((x, y, z), axis, angle) in enumerate(bodies, 1):
        atoms += [f"create_atoms 1 single {x!r} {y!r} {z!r} units box",
                  f"set atom {number} {shape} quat {' '.join(map(repr, axis))} {angle!r}"]
    high = largest(place[2] for place, _, _ in bodies) + 3 * DIAMETER
    return [*liggghts_bin.head(BIN, "superquadric", "f p f", (-2 * DIAMETER, 0, -20 * DIAMETER),
                               (BIN.width + 2 * DIAMETER, BIN.depth, high), 0.3 * DIAMETER, ((FRICTION,),), soft=True),
            f"pair_style gran {''.join(MODEL)}", "pair_coeff * *", *atoms,
            *(f"fix w{k} all wall/gran {MODEL[0]} primitive type 1 xplane {place}{MODEL[1]}"
              for k, place in enumerate((0.0, BIN.width))),
            *liggghts_bin.discharge(BIN, plates(), MODEL, "nve/superquadric integration_scheme 1", STEP, round(BIN.opens / STEP))]


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    work = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    names = {f"ratio_{ratio:g}_seed_{seed}": (ratio, seed) for ratio in NUMBERS for seed in SEEDS}
    curves = {name: liggghts_bin.curve(program, work / name, BIN, plates(), script(*of), NUMBERS[of[0]], STEP)
              for name, of in names.items()}
    liggghts_bin.write_curves(HERE / "liggghts.csv", BIN, curves, 3)


if __name__ == "__main__":
    main()
