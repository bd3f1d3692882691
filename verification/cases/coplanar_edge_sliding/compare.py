"""Coplanar triangles under a sliding block."""
import math

import harness
import reference_block
from judging import largest

MASS, EDGE, SPEED, END = 2.0, 0.1, 0.5, 0.6
WEIGHT = MASS * reference_block.GRAVITY


def prism(outline, triangles, thickness):
    """Vertices and triangles of a prism below z = 0 over an anticlockwise outline, whose top is `triangles`."""
    n = len(outline)
    vertices = [[x, y, 0.0] for x, y in outline] + [[x, y, -thickness] for x, y in outline]
    faces = [list(t) for t in triangles] + [[a + n, c + n, b + n] for a, b, c in triangles]
    for i in range(n):
        j = (i + 1) % n
        faces += [[i, i + n, j + n], [i, j + n, j]]
    return vertices, faces


SHAPES = {
    "slab": prism([(-0.3, -0.2), (0.3, -0.2), (0.3, 0.2), (-0.3, 0.2)], [(0, 1, 2), (0, 2, 3)], 0.1),
    # Corner 3 is the concave one; the block runs along y = -0.1, over the edge from 3 to 0 and that from 3 to 1.
    "L": prism([(-0.3, -0.2), (0.3, -0.2), (0.3, 0.0), (0.0, 0.0), (0.0, 0.2), (-0.3, 0.2)],
               [(0, 1, 3), (1, 2, 3), (0, 3, 5), (3, 4, 5)], 0.1),
}


def centroid(vertices, faces):
    """Centre of volume, by signed tetrahedra: the deck's position is that of the centre of mass."""
    volume, moment = 0.0, [0.0, 0.0, 0.0]
    for a, b, c in faces:
        p, q, r = vertices[a], vertices[b], vertices[c]
        v = (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2])
             + p[2] * (q[0] * r[1] - q[1] * r[0])) / 6
        volume += v
        moment = [m + v * (s + t + u) / 4 for m, s, t, u in zip(moment, p, q, r)]
    return [m / volume for m in moment]


def deck_of(name, law):
    vertices, faces = SHAPES[name]
    gap = law.gap_under(WEIGHT / 4)
    columns = ["time", "x", "y", "z", "fx", "fy", "fz"]
    return {
        "integrator": {"type": "newmark"},
        "gravity": [0, 0, -reference_block.GRAVITY],
        "time": {"end": END, "step": 1e-3},
        "materials": {"block": {"density": 2000}},
        "shapes": {"cube": {"type": "box", "size": [EDGE] * 3},
                   "support": {"type": "polyhedron", "vertices": vertices, "faces": faces}},
        "bodies": [
            {"name": "support", "shape": "support", "material": "block", "position": centroid(vertices, faces),
             "fixed": True},
            {"name": "block", "shape": "cube", "material": "block", "position": [-0.15, -0.1, EDGE / 2 + gap],
             "velocity": [SPEED, 0, 0]}],
        "interfaces": harness.read_deck(harness.ROOT / "inputs/paper/example_1a.json")["interfaces"],
        "solver": {"newton": {"relative": 1e-10}},
        "output": {"histories": [{"file": "block.csv", "body": "block", "columns": columns}]},
    }


def compare(case):
    for name in SHAPES:
        deck = deck_of(name, reference_block.Law())
        block = case.run(deck, name, trace=name == "slab").history("block.csv")
        side = largest(math.hypot(x, y) for x, y in zip(block["fx"], block["fy"]))
        case.at_most(f"{name}: largest side force, part of the weight", side / WEIGHT, 1e-12, "round-off of normals")
        case.plot(f"{name}: side force", "time [s]", "part of the weight",
                  [("measured", block["time"],
                    [math.hypot(x, y) / WEIGHT for x, y in zip(block["fx"], block["fy"])], "curve")])
        worst = largest(abs(f - WEIGHT) for f in block["fz"][1:])
        case.at_most(f"{name}: change of the vertical force, part of the weight", worst / WEIGHT, 2e-7,
                     "the gap at the start is static to round-off of its height")
        case.equal(f"{name}: place at the end [m]", block["x"][-1], block["x"][0] + SPEED * END, "no side force",
                   absolute=5e-12)
        if name == "slab":
            case.no_intersection(name)
