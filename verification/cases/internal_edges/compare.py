"""A sphere on a triangulated plane and on a plane."""
import math

from judging import largest

RADIUS, SPEED, MU, YOUNG, POISSON, DENSITY, GRAVITY = 0.05, 1.0, 0.3, 1e7, 0.25, 2500.0, 9.81
MESH, CELLS = 0.0625, (24, 12)  # edge of a cell [m], exact in binary; cells along x and y
START = (0.0937, 0.2171)  # within a triangle
DIRECTION = (math.cos(0.3), math.sin(0.3))
COLUMNS = ["time", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"]
END, STEP = 0.9, 1e-4


def surface(path):
    """Writes the plane z = 0 as a text STL of triangles, outward normal up, diagonals of both directions."""
    lines = ["solid plane"]
    for i in range(CELLS[0]):
        for j in range(CELLS[1]):
            a, b, c, d = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
            triangles = [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
            for triangle in triangles:
                lines.append("facet normal 0 0 1\nouter loop")
                lines += [f"vertex {MESH * u:.17g} {MESH * v:.17g} 0" for u, v in triangle]
                lines.append("endloop\nendfacet")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, "endsolid plane", ""]), encoding="utf-8")


def laws():
    """{name: (interface, height of the centre at the start)}: at rest in the vertical direction."""
    mass = DENSITY * 4 / 3 * math.pi * RADIUS ** 3
    hertz = 4 / 3 * YOUNG / (1 - POISSON ** 2) * math.sqrt(RADIUS)
    threshold, stiffness = 1e-3, 1e11
    return {
        "hertz": ({"between": ["*", "*"], "normal": {"law": "hertz", "damping_ratio": 0.1},
                   "friction": {"static": MU, "dynamic": MU, "stiffness": "mindlin", "damping": 0}},
                  RADIUS - (mass * GRAVITY / hertz) ** (2 / 3)),
        "barrier": ({"between": ["*", "*"],
                     "normal": {"law": "barrier", "threshold": threshold, "stiffness": stiffness, "exponent": 3,
                                "barrier_fraction": 0.2, "barrier_exponent": -2, "damping_ratio": 0.1},
                     "friction": {"static": MU, "dynamic": MU, "stiffness": 1e4, "damping": 1}},
                    RADIUS + threshold - (mass * GRAVITY / stiffness) ** (1 / 3)),
    }


def deck_of(interface, height, boundary):
    return {
        "title": "A sphere over internal edges",
        "gravity": [0, 0, -GRAVITY],
        "integrator": {"type": "variational", "alpha": 0.5},
        "time": {"end": END, "step": STEP},
        "materials": {"ball": {"density": DENSITY, "young": YOUNG, "poisson": POISSON}, "rigid": {}},
        "shapes": {"ball": {"type": "sphere", "radius": RADIUS}},
        "bodies": [{"name": "ball", "shape": "ball", "material": "ball", "position": [*START, height],
                    "velocity": [SPEED * c for c in DIRECTION] + [0]}],
        "boundaries": [{"name": "floor", "material": "rigid", **boundary}],
        "interfaces": [interface],
        "solver": {"newton": {"relative": 1e-12}},
        "output": {"histories": [{"file": "ball.csv", "body": "ball", "columns": COLUMNS}]},
    }


def differences(one, other):
    """[(time, position, velocity, spin)]: largest component of each difference, as part of its scale."""
    scales = [RADIUS] * 3 + [SPEED] * 3 + [SPEED / RADIUS] * 3
    rows = []
    for a, b in zip(zip(*(one[c] for c in COLUMNS)), zip(*(other[c] for c in COLUMNS))):
        parts = [abs(u - v) / scale for u, v, scale in zip(a[1:], b[1:], scales)]
        rows.append((a[0], largest(parts[:3]), largest(parts[3:6]), largest(parts[6:])))
    return rows


def compare(case):
    stl = case.work / "plane.stl"
    surface(stl)
    series = []
    for name, (interface, height) in laws().items():
        plane = case.run(deck_of(interface, height, {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}),
                         f"{name}_plane").history("ball.csv")
        mesh = case.run(deck_of(interface, height, {"type": "surface", "file": str(stl)}),
                        f"{name}_surface").history("ball.csv")
        case.equal(f"{name}: steps", len(mesh["time"]), len(plane["time"]), "the same fixed steps")
        rows = differences(plane, mesh)
        for k, what in ((1, "position [part of the radius]"), (2, "velocity [part of the speed]"),
                        (3, "spin [part of v / r]")):
            case.at_most(f"{name}: difference of the {what}", largest(r[k] for r in rows), 8e-12, "round-off")
        case.at_least(f"{name}: way over the surface [meshes]", (mesh["x"][-1] - START[0]) / MESH, 6,
                      "edges of all directions")
        fall = 1 - math.hypot(mesh["vx"][-1], mesh["vy"][-1]) / SPEED
        case.at_least(f"{name}: fall of the speed", fall, 0.1, "it slides until 5/7 of the speed")
        series += [(f"{name}: {what}", [r[0] for r in rows], [r[k] for r in rows], "curve")
                   for k, what in ((1, "position"), (3, "spin"))]
    case.plot("Surface against plane", "time [s]", "difference [part]", series, log="y")
