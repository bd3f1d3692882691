"""A heavy ball on a chain swings into a wall of 560 blocks: 575 bodies."""
import math

import harness  # noqa: F401  # pylint: disable=unused-import
from judging import largest

# Wall: blocks in quarter bond, two layers deep. In half bond the centre of mass of a row's last block would lie beyond the block below
# it, by half of ASIDE: the ends of the wall would fall by themselves.
BLOCK = (0.4, 0.2, 0.2)  # [m]
COLUMNS, ROWS, LAYERS = 20, 14, 2
ASIDE = 8e-3  # gap between the blocks of a row and of the layers [m]
# Ball with an eye, and a chain of rings; the first one is held.
BALL, EYE, CELLS = 0.6, 0.27, 7  # radius of the ball and of the bow of its eye [m]; cells along an edge of the cubed sphere
RING, TUBE, AROUND, ACROSS = 0.2, 0.05, 12, 6  # radii of a ring and of its tube [m], their divisions
LINKS, PITCH = 14, 0.28  # pitch [m]
SWING = math.radians(60)  # of the chain from the vertical
STEEL, STONE, GRAVITY, END = 7800.0, 2000.0, 9.81, 2.0
ACTIVATION, STIFFNESS = 4e-3, 1e14  # [m], [N/m^3]
BEFORE = 0.5  # the ball has not arrived [s]
CPU_PER_SECOND = 20.0  # [s]


def ring():
    """(vertices, faces) of a torus about the z-axis."""
    vertices = []
    for i in range(AROUND):
        for j in range(ACROSS):
            a, b = 2 * math.pi * i / AROUND, 2 * math.pi * j / ACROSS
            r = RING + TUBE * math.cos(b)
            vertices.append([r * math.cos(a), r * math.sin(a), TUBE * math.sin(b)])
    faces = []
    for i in range(AROUND):
        for j in range(ACROSS):
            corner = [(i % AROUND) * ACROSS + j % ACROSS for i, j in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))]
            faces += [[corner[0], corner[1], corner[2]], [corner[0], corner[2], corner[3]]]
    return vertices, faces


def ball_with_eye():
    """(vertices, faces) of a sphere from the six faces of a cube; two cells of the upper one are the feet of a bow in the xz-plane."""
    known, vertices = {}, []

    def vertex(point):
        key = tuple(round(x, 9) for x in point)
        if key not in known:
            known[key] = len(vertices)
            vertices.append(list(point))
        return known[key]

    def on_sphere(axis, sign, i, j):
        p = [0.0] * 3
        p[axis] = sign
        p[(axis + 1) % 3] = sign * math.tan(math.pi / 4 * (2 * i / CELLS - 1))
        p[(axis + 2) % 3] = math.tan(math.pi / 4 * (2 * j / CELLS - 1))
        size = math.sqrt(sum(x * x for x in p))
        return [BALL * x / size for x in p]

    cells, feet, middle = [], [], CELLS // 2
    for axis in range(3):
        for sign in (1, -1):
            for i in range(CELLS):
                for j in range(CELLS):
                    cell = [vertex(on_sphere(axis, sign, *at)) for at in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))]
                    foot = axis == 2 and sign == 1 and j == middle and i in (middle - 2, middle + 2)
                    (feet if foot else cells).append(cell)
    # The bow: cross-sections turn about an axis along y from one foot to the other.
    first, last = feet
    height = sum(vertices[v][2] for v in first) / 4
    parts, before = 6, first
    for k in range(1, parts + 1):
        turn = math.pi * k / parts
        section = last[:] if k == parts else []
        for v in first if k < parts else ():
            x, y, z = vertices[v][0], vertices[v][1], vertices[v][2] - height
            section.append(vertex([x * math.cos(turn) + z * math.sin(turn), y, height - x * math.sin(turn) + z * math.cos(turn)]))
        if k == parts:  # corners of the other foot, in the order of the first
            section = [min(last, key=lambda w, v=v: math.dist([-vertices[v][0], vertices[v][1]], vertices[w][:2])) for v in first]
        for s in range(4):
            cells.append([before[s], before[(s + 1) % 4], section[(s + 1) % 4], section[s]])
        before = section
    faces = [face for a, b, c, d in cells for face in ([a, b, c], [a, c, d])]
    return vertices, faces


def frame(x, y):
    """Quaternion (w, x, y, z) that turns the axes to x, y and their cross product."""
    z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    m = [[x[r], y[r], z[r]] for r in range(3)]
    best = max(range(4), key=lambda k: m[0][0] + m[1][1] + m[2][2] if k == 0 else 2 * m[k - 1][k - 1] - sum(m[r][r] for r in range(3)))
    if best == 0:
        q = [1 + m[0][0] + m[1][1] + m[2][2], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
    else:
        i, j, k = best - 1, best % 3, (best + 1) % 3
        q = [m[k][j] - m[j][k], 0, 0, 0]
        q[1 + i], q[1 + j], q[1 + k] = 1 + m[i][i] - m[j][j] - m[k][k], m[j][i] + m[i][j], m[k][i] + m[i][k]
    size = math.sqrt(sum(c * c for c in q))
    return [c / size for c in q]


def deck():
    links, ball = ring(), ball_with_eye()
    apex = largest(v[2] for v in ball[0]) - 0.06  # about the middle of the bow's upper part
    along = [0.0, -math.sin(SWING), -math.cos(SWING)]
    across = ([1.0, 0.0, 0.0], [0.0, math.cos(SWING), -math.sin(SWING)])
    length = PITCH * (LINKS - 1) + 0.055 + apex
    # At rest the ball would hang in the middle of the wall, in front of it.
    hook = [0.0, -BALL, 1.2 + length]
    bodies = []
    for k in range(LINKS):
        bodies.append({"shape": "ring", "material": "steel", "position": [h + PITCH * k * d for h, d in zip(hook, along)],
                       "orientation": {"quaternion": frame(along, across[k % 2])}, **({"fixed": True} if k == 0 else {})})
    up = [-d for d in along]
    x = across[LINKS % 2]
    y = [up[1] * x[2] - up[2] * x[1], up[2] * x[0] - up[0] * x[2], up[0] * x[1] - up[1] * x[0]]
    bodies.append({"shape": "ball", "material": "steel", "position": [h + length * d for h, d in zip(hook, along)],
                   "orientation": {"quaternion": frame(x, y)}})
    base, weight = 0.0, STONE * math.prod(BLOCK) * GRAVITY
    for row in range(ROWS):
        # Eight corners carry a block and those above: the gap of static equilibrium.
        base += ACTIVATION - ((ROWS - row) * weight / 8 / STIFFNESS) ** (1 / 3)
        for column in range(COLUMNS):
            for layer in range(LAYERS):
                at = [(column - 0.5 * COLUMNS + 0.375 + 0.25 * (row % 2)) * (BLOCK[0] + ASIDE), (layer + 0.5) * (BLOCK[1] + ASIDE),
                      base + 0.5 * BLOCK[2]]
                bodies.append({"shape": "block", "material": "stone", "position": at})
        base += BLOCK[2]
    mesh = lambda m: {"type": "polyhedron", "vertices": m[0], "faces": m[1]}  # noqa: E731
    return {
        "title": "Wrecking ball: 14 links, ball and 560 blocks", "gravity": [0, 0, -GRAVITY],
        "time": {"end": END, "step": {"initial": 1e-3, "min": 1e-9, "max": 1e-2}},
        "materials": {"steel": {"density": STEEL}, "stone": {"density": STONE}},
        "shapes": {"ring": mesh(links), "ball": mesh(ball), "block": {"type": "box", "size": list(BLOCK)}},
        "bodies": bodies,
        "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "stone"}],
        "interfaces": [{"between": ["*", "*"],
                        "normal": {"law": "barrier", "threshold": ACTIVATION, "stiffness": STIFFNESS, "exponent": 3,
                                   "damping_ratio": 0.3},
                        "friction": {"static": 0.5, "dynamic": 0.5, "stiffness": 1e7, "damping": 0}}],
        "output": {"vtk": {"every": 0.1}, "final_state": "final.csv",
                   "histories": [{"file": "system.csv", "every": 0},
                                 {"file": "end.csv", "body": len(bodies) - 1, "every": 0, "columns": ["time", "x", "y", "z"]}]}}


def compare(case):
    made = deck()
    run = case.run(made, "wall", trace=True)
    case.equal("simulated time [s]", run.report["time"], END, "the run comes to its end")
    case.no_intersection("wall")
    energy = run.report["energy"]
    case.at_most("energy balance error over the energy at the start", abs(energy["closure_error"] / energy["initial_total"]), 1e-6,
                 "secant forces keep the balance to the solver tolerance")
    case.tell("energy [J]: at the start, lost in contacts, lost by friction", ", ".join(
        f"{energy[key]:.4g}" for key in ("initial_total", "damping_loss", "friction_loss")))
    end = run.history("end.csv")
    before = largest(math.dist(at, [end[n][0] for n in "xyz"]) for t, *at in zip(*(end[n] for n in ("time", "x", "y", "z"))) if t <= BEFORE)
    case.at_most("movement of the wall's last block before the ball arrives [m]", before, 1e-3,
                 "the wall stands; a block that tips goes 50 mm in this time")
    final, names = run.history("final.csv"), ("x", "y", "z")
    moved = sum(math.dist([final[n][i] for n in names], made["bodies"][i]["position"]) > BLOCK[1]
                for i in range(LINKS + 1, len(made["bodies"])))
    case.at_least("blocks that have moved by more than their height", moved, 20, "the ball breaks the wall")
    case.at_most("CPU time per simulated second [s]", run.core_seconds / END, CPU_PER_SECOND, "of the order of the best codes for such scenes")
    case.tell("steps, rejected, Newton iterations per step", f"{run.report['steps']}, {run.report['cuts']}, "
              f"{run.report['newton_iterations'] / run.report['steps']:.2f}")
    system = run.history("system.csv")
    case.plot("Energy of the ball and the wall", "time [s]", "kinetic energy [J]",
              [("kinetic energy", system["time"], system["kinetic_energy"], "curve")])
