#!/usr/bin/env python3
"""Writes the tetrapod of [Poly, sections 3.4 and 3.6] as an STL file.

usage: inputs/paper/tetrapod.py [FILE]     (inputs/paper/tetrapod.stl)

A regular tetrahedron with a spike on each face: 8 vertices, 12 faces. The inner vertices are 0.246 m from the centre,
the tips 0.8476 m, opposite to them. The fourth tip points along +z; the body stands on the other three.
"""
import math
import pathlib
import sys

INNER, TIP = 0.246, 0.8476  # distances from the centre [m]


def directions():
    """Unit vectors to the tips: three downwards, then +z."""
    across, down = math.sqrt(8) / 3, -1 / 3
    ring = [(across * math.cos(a), across * math.sin(a), down) for a in (0, 2 * math.pi / 3, 4 * math.pi / 3)]
    return [*ring, (0.0, 0.0, 1.0)]


def triangles():
    """Corners of the 12 faces, anticlockwise seen from outside [m]."""
    tips = [tuple(TIP * x for x in d) for d in directions()]
    inner = [tuple(-INNER * x for x in d) for d in directions()]
    faces = []
    for t, tip in enumerate(tips):
        a, b, c = (inner[k] for k in range(4) if k != t)  # the face that the spike stands on
        faces += [turned_out(tip, p, q) for p, q in ((a, b), (b, c), (c, a))]
    return faces


def normal(p, q, r):
    u, v = [q[k] - p[k] for k in range(3)], [r[k] - p[k] for k in range(3)]
    n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    size = math.sqrt(sum(x * x for x in n))
    return [x / size for x in n]


def turned_out(p, q, r):
    # The centre sees every face from inside: the body is star-shaped.
    return (p, q, r) if sum(a * b for a, b in zip(normal(p, q, r), p)) > 0 else (p, r, q)


def stl():
    lines = ["solid tetrapod"]
    for face in triangles():
        lines.append("  facet normal {:.9g} {:.9g} {:.9g}".format(*normal(*face)))
        lines.append("    outer loop")
        lines += ["      vertex {:.17g} {:.17g} {:.17g}".format(*corner) for corner in face]
        lines += ["    endloop", "  endfacet"]
    return "\n".join([*lines, "endsolid tetrapod", ""])


def main():
    given = sys.argv[1:]
    if len(given) > 1 or any(a.startswith("-") for a in given):
        sys.exit(__doc__)
    file = pathlib.Path(given[0]) if given else pathlib.Path(__file__).with_name("tetrapod.stl")
    try:
        file.write_text(stl(), encoding="ascii")
    except OSError as error:
        sys.exit(f"tetrapod.py: {file}: {error.strerror}")
    print(f"{file}: 12 triangles")


if __name__ == "__main__":
    main()
