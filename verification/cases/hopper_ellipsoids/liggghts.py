#!/usr/bin/env python3
"""Runs LIGGGHTS (Debian's package) on the spheres of this case and writes liggghts.csv: the part that has fallen.

usage: liggghts.py [WORK]        a minute; package liggghts, with --no-install-recommends: paraview would push python3-vtk9 out
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent)]
sys.dont_write_bytecode = True
import bin as ellipsoids  # noqa: E402

FRICTION, SEEDS, STEP = (0.0, 0.4), (1, 2, 3), 2e-5
MODEL = "model hertz tangential history"


def stl(corners):
    a, b, c, d = corners
    lines = ["solid plate"]
    for triangle in ((a, b, c), (a, c, d)):
        lines += ["facet normal 0 0 1", "outer loop", *("vertex " + " ".join(map(repr, p)) for p in triangle), "endloop", "endfacet"]
    return "\n".join([*lines, "endsolid plate"]) + "\n"


def script(mu, seed):
    b = ellipsoids.BIN
    steps = [round(t / STEP) for t in (b.opens, b.end - b.opens)]
    lines = ["units si", "atom_style granular", "atom_modify map array", "boundary f f f", "newton off",
             "communicate single vel yes",
             f"region box block -0.01 {b.width + 0.01} -0.01 {b.depth + 0.01} -0.3 0.4 units box", "create_box 2 box",
             "neighbor 0.002 bin", "neigh_modify delay 0"]
    pairs = {"coefficientRestitution": [b.restitution] * 4, "coefficientFriction": [mu, 0, 0, 0]}  # type 2: the smooth walls
    lines += [f"fix e all property/global youngsModulus peratomtype {b.young} {b.young}",
              f"fix n all property/global poissonsRatio peratomtype {b.poisson} {b.poisson}"]
    lines += [f"fix {key} all property/global {key} peratomtypepair 2 {' '.join(map(str, values))}" for key, values in pairs.items()]
    lines += [f"pair_style gran {MODEL}", "pair_coeff * *"]
    lines += [f"create_atoms 1 single {x!r} {y!r} {z!r} units box" for x, y, z in ellipsoids.spheres(seed)]
    lines += [f"set group all density {b.density} diameter {2 * ellipsoids.RADIUS!r}"]
    lines += [f"fix w{k} all wall/gran {MODEL} primitive type {kind} {plane} {place}" for k, (kind, plane, place) in enumerate(
        ((1, "xplane", 0.0), (1, "xplane", b.width), (2, "yplane", 0.0), (2, "yplane", b.depth)))]
    lines += [f"fix {name} all mesh/surface file {name}.stl type 1" for name in b.plates()]
    lines += [f"fix floor all wall/gran {MODEL} mesh n_meshes 3 meshes left right plug",
              f"fix g all gravity {ellipsoids.slot_bin.GRAVITY} vector 0 0 -1", "fix i all nve/sphere", f"timestep {STEP}",
              f"region above block -1 1 -1 1 {-b.counted} 1 units box", "variable above equal count(all,above)",
              "thermo_style custom step v_above", f"thermo {round(b.every / STEP)}", "thermo_modify lost ignore norm no",
              f"run {steps[0]}", "unfix floor", "unfix plug",
              f"fix floor all wall/gran {MODEL} mesh n_meshes 2 meshes left right",  # LIGGGHTS takes one wall of meshes
              f"run {steps[1]}"]
    return "\n".join(lines) + "\n"


def curve(mu, seed, work):
    """Part that has fallen, a value each BIN.every after the opening."""
    folder = work / f"mu_{mu:g}_seed_{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, corners in ellipsoids.BIN.plates().items():
        (folder / f"{name}.stl").write_text(stl(corners), encoding="utf-8")
    (folder / "in.bin").write_text(script(mu, seed), encoding="utf-8")
    done = subprocess.run(["liggghts", "-in", "in.bin"], cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise SystemExit(f"liggghts in {folder}:\n{done.stdout[-2000:]}")
    rows = {}
    for line in done.stdout.splitlines():
        cells = line.split()
        if len(cells) == 2 and all(c.replace(".", "").isdigit() for c in cells):
            rows[int(cells[0])] = 1 - float(cells[1]) / ellipsoids.COUNT
    first = round(ellipsoids.BIN.opens / STEP)
    return [rows[first + round(t / STEP)] for t in ellipsoids.BIN.times()]


def main():
    work = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    names = [(mu, seed) for mu in FRICTION for seed in SEEDS]
    curves = [curve(mu, seed, work) for mu, seed in names]
    with open(HERE / "liggghts.csv", "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["time", *(f"mu_{mu:g}_seed_{seed}" for mu, seed in names)])
        writer.writerows([f"{t:.2f}", *(f"{p:.3f}" for p in parts)] for t, *parts in zip(ellipsoids.BIN.times(), *curves))


if __name__ == "__main__":
    main()
