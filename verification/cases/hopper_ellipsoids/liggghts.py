#!/usr/bin/env python3
"""Runs LIGGGHTS (Debian's package) on the spheres of this case and writes liggghts.csv: the part that has fallen.

usage: liggghts.py [WORK]        a minute; package liggghts, with --no-install-recommends: paraview would push python3-vtk9 out
"""
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent)]
sys.dont_write_bytecode = True
import bin as ellipsoids  # noqa: E402
import liggghts_bin  # noqa: E402
from liggghts_bin import MODEL  # noqa: E402

FRICTION, SEEDS, STEP = (0.0, 0.4), (1, 2, 3), 2e-5


def script(mu, seed):
    b = ellipsoids.BIN
    walls = ((1, "xplane", 0.0), (1, "xplane", b.width), (2, "yplane", 0.0), (2, "yplane", b.depth))  # type 2: smooth
    return [*liggghts_bin.head(b, "granular", "f f f", (-0.01, -0.01, -0.3), (b.width + 0.01, b.depth + 0.01, 0.4), 0.002,
                               ((mu, 0), (0, 0))),
            f"pair_style gran {MODEL}", "pair_coeff * *",
            *(f"create_atoms 1 single {x!r} {y!r} {z!r} units box" for x, y, z in ellipsoids.spheres(seed)),
            f"set group all density {b.density} diameter {2 * ellipsoids.RADIUS!r}",
            *(f"fix w{k} all wall/gran {MODEL} primitive type {kind} {plane} {place}"
              for k, (kind, plane, place) in enumerate(walls)),
            *liggghts_bin.discharge(b, b.plates(), (MODEL, ""), "nve/sphere", STEP, round(b.opens / STEP))]


def main():
    work = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    names = {f"mu_{mu:g}_seed_{seed}": (mu, seed) for mu in FRICTION for seed in SEEDS}
    curves = {name: liggghts_bin.curve("liggghts", work / name, ellipsoids.BIN, ellipsoids.BIN.plates(), script(*of),
                                       ellipsoids.COUNT, STEP) for name, of in names.items()}
    liggghts_bin.write_curves(HERE / "liggghts.csv", ellipsoids.BIN, curves, 2)


if __name__ == "__main__":
    main()
