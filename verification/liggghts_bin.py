"""LIGGGHTS on the bins of slot_bin: what the references of hopper_ellipsoids and hopper_cylinders share."""
import csv
import subprocess

import slot_bin

MODEL = "model hertz tangential history"


def stl(corners):
    a, b, c, d = corners
    lines = ["solid plate"]
    for triangle in ((a, b, c), (a, c, d)):
        lines += ["facet normal 0 0 1", "outer loop", *("vertex " + " ".join(map(repr, p)) for p in triangle), "endloop",
                  "endfacet"]
    return "\n".join([*lines, "endsolid plate"]) + "\n"


def head(bin_, style, boundary, low, high, skin, friction, soft=False):
    """Lines up to the properties. low, high: corners of the box. friction: square matrix of coefficients, by type.
    soft: moduli below 5e6 Pa, which LIGGGHTS accepts with an option only."""
    types = len(friction)
    pairs = {"coefficientRestitution": [bin_.restitution] * types ** 2,
             "coefficientFriction": [mu for row in friction for mu in row]}
    spans = " ".join(f"{a!r} {b!r}" for a, b in zip(low, high))
    return ["units si", f"atom_style {style}", "atom_modify map array", f"boundary {boundary}", "newton off",
            "communicate single vel yes", f"region box block {spans} units box", f"create_box {types} box",
            f"neighbor {skin} bin", "neigh_modify delay 0", *(["soft_particles yes"] if soft else []),
            f"fix e all property/global youngsModulus peratomtype {' '.join([str(bin_.young)] * types)}",
            f"fix n all property/global poissonsRatio peratomtype {' '.join([str(bin_.poisson)] * types)}",
            *(f"fix {key} all property/global {key} peratomtypepair {types} {' '.join(map(str, values))}"
              for key, values in pairs.items())]


def discharge(bin_, plates, model, integrate, step, opens):
    """Lines from the plates to the end of the run: settle, remove the plug, continue. Meshes are one wall to LIGGGHTS."""
    def floor(names):
        return f"fix floor all wall/gran {model[0]} mesh n_meshes {len(names)} meshes {' '.join(names)}{model[1]}"

    return [*(f"fix {name} all mesh/surface file {name}.stl type 1" for name in plates), floor(list(plates)),
            f"fix g all gravity {slot_bin.GRAVITY} vector 0 0 -1", f"fix i all {integrate}", f"timestep {step}",
            f"region above block -1 1 -1 1 {-bin_.counted} 1 units box", "variable above equal count(all,above)",
            "thermo_style custom step v_above", f"thermo {round(bin_.every / step)}", "thermo_modify lost ignore norm no",
            f"run {opens}", "unfix floor", "unfix plug", floor([name for name in plates if name != "plug"]),
            f"run {round((bin_.end - bin_.opens) / step)}"]


def curve(program, folder, bin_, plates, lines, count, step):
    """Runs it in a folder. @returns the part of `count` bodies that has fallen, at bin_.times()."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, corners in plates.items():
        (folder / f"{name}.stl").write_text(stl(corners), encoding="utf-8")
    (folder / "in.bin").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run([program, "-in", "in.bin"], cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise SystemExit(f"{program} in {folder}:\n{done.stdout[-2000:]}")
    rows = {}
    for line in done.stdout.splitlines():
        cells = line.split()
        if len(cells) == 2 and all(c.replace(".", "").isdigit() for c in cells):
            rows[int(cells[0])] = 1 - float(cells[1]) / count
    first = round(bin_.opens / step)
    return [rows[first + round(t / step)] for t in bin_.times()]


def write_curves(path, bin_, curves, digits):
    """curves: {name of the column: parts at bin_.times()}."""
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["time", *curves])
        writer.writerows([f"{t:.{digits}f}", *(f"{p:.3f}" for p in parts)] for t, *parts in zip(bin_.times(), *curves.values()))
