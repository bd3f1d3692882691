"""Meshes that cases write for their decks."""


def slab(path, low, high):
    """Writes a box as a text STL, normals outward."""
    corner = [[(low, high)[(k >> axis) & 1][axis] for axis in range(3)] for k in range(8)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    lines = ["solid slab"]
    for a, b, c, d in faces:
        for triangle in ((a, b, c), (a, c, d)):
            lines.append("facet normal 0 0 0\nouter loop")
            lines += ["vertex " + " ".join(f"{v:.17g}" for v in corner[k]) for k in triangle]
            lines.append("endloop\nendfacet")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, "endsolid slab", ""]), encoding="utf-8")
