"""A ball of 120 m/s hits a packed wall of 101 irregular polyhedra: Voronoi cells with gaps between them."""
import math
import random

import harness  # noqa: F401  # pylint: disable=unused-import

COUNT, SIZE = 101, (2.0, 0.5, 1.5)  # of the wall [m]
GAP, ACTIVATION = 5e-4, 5e-4  # between cells; of the law [m]
RADIUS, SPEED, END = 0.15, 120.0, 0.05  # of the ball [m], [m/s], [s]
STEEL, STONE = 7800.0, 2500.0
SEED = 1


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cut(faces, normal, offset):
    """Faces (lists of points, anticlockwise from outside) of the part of a convex polyhedron with normal . x <= offset."""
    kept, lid = [], []
    for face in faces:
        height = [dot(normal, p) - offset for p in face]
        part = []
        for k, p in enumerate(face):
            q, h, g = face[(k + 1) % len(face)], height[k], height[(k + 1) % len(face)]
            if h <= 0:
                part.append(p)
            if (h < 0 < g) or (g < 0 < h):
                t = h / (h - g)
                crossing = tuple(a + t * (b - a) for a, b in zip(p, q))
                part.append(crossing)
                lid.append(crossing)
        if len(part) >= 3:
            kept.append(part)
    if len(lid) >= 3:
        middle = [sum(p[k] for p in lid) / len(lid) for k in range(3)]
        along = [a - b for a, b in zip(lid[0], middle)]
        across = [normal[1] * along[2] - normal[2] * along[1], normal[2] * along[0] - normal[0] * along[2],
                  normal[0] * along[1] - normal[1] * along[0]]
        angle = lambda p: math.atan2(dot(across, [a - b for a, b in zip(p, middle)]),  # noqa: E731
                                     dot(along, [a - b for a, b in zip(p, middle)]))
        kept.append(sorted(set(lid), key=angle))
    return kept


def cells():
    """Voronoi cells of random points in the wall, each face moved inwards by half of the gap: (vertices, faces)."""
    chance = random.Random(SEED)
    points = []
    while len(points) < COUNT:  # not too near each other: no slivers
        p = [chance.uniform(0, s) for s in SIZE]
        if all(math.dist(p, q) > 0.12 for q in points):
            points.append(p)
    made = []
    for p in points:
        low, high = [0.5 * GAP] * 3, [s - 0.5 * GAP for s in SIZE]
        corner = lambda i, j, k: tuple((high if bit else low)[n] for n, bit in enumerate((i, j, k)))  # noqa: E731,B023
        faces = [[corner(*c) for c in face] for face in (
            ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)), ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
            ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)), ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)),
            ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)), ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)))]
        for q in points:
            if q is p:
                continue
            size = math.dist(p, q)
            normal = [(b - a) / size for a, b in zip(p, q)]
            faces = cut(faces, normal, dot(normal, [(a + b) / 2 for a, b in zip(p, q)]) - 0.5 * GAP)
        vertices = []

        def number(point):
            for n, known in enumerate(vertices):  # noqa: B023
                if math.dist(known, point) < 1e-9:
                    return n
            vertices.append(list(point))  # noqa: B023
            return len(vertices) - 1  # noqa: B023

        numbered = []
        for face in faces:
            numbers = [number(point) for point in face]
            numbers = [n for k, n in enumerate(numbers) if n != numbers[k - 1]]
            if len(numbers) >= 3:
                numbered.append(numbers)
        made.append((vertices, numbered))
    return made


def volume(vertices, faces):
    """Of a closed polyhedron with convex faces."""
    total = 0.0
    for face in faces:
        a = vertices[face[0]]
        for k in range(1, len(face) - 1):
            b, c = vertices[face[k]], vertices[face[k + 1]]
            total += dot(a, [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]]) / 6
    return total


def deck():
    shapes, bodies = {"ball": {"type": "sphere", "radius": RADIUS}}, []
    for k, (vertices, faces) in enumerate(cells()):
        shapes[f"cell{k}"] = {"type": "polyhedron", "vertices": vertices, "faces": faces}
        bodies.append({"shape": f"cell{k}", "material": "stone", "position": [0, 0, 0], "position_of": "mesh origin"})
    bodies.append({"shape": "ball", "material": "steel", "position": [0.5 * SIZE[0], -RADIUS - 0.05, 0.5 * SIZE[2]],
                   "velocity": [0, SPEED, 0]})
    return {"title": "A ball of 120 m/s hits a wall of 101 irregular polyhedra", "gravity": [0, 0, 0],
            "time": {"end": END, "step": {"initial": 1e-5, "min": 1e-12, "max": 1e-3}},
            "materials": {"steel": {"density": STEEL}, "stone": {"density": STONE}}, "shapes": shapes, "bodies": bodies,
            "interfaces": [{"between": ["*", "*"],
                            "normal": {"law": "barrier", "threshold": ACTIVATION, "stiffness": 1e17, "exponent": 3, "restitution": 0.3},
                            "friction": {"static": 0.4, "dynamic": 0.4, "stiffness": 1e8}}],
            "output": {"final_state": "final.csv", "histories": [{"file": "system.csv", "every": 0}]}}


def compare(case):
    run = case.run(deck(), "wall", trace=True)
    case.equal("simulated time [s]", run.report["time"], END, "the run comes to its end")
    case.no_intersection("wall")
    energy = run.report["energy"]
    case.at_most("energy balance error over the energy of the ball", abs(energy["closure_error"] / energy["initial_total"]), 1e-6,
                 "secant forces keep the balance to the solver tolerance")
    system, final = run.history("system.csv"), run.history("final.csv")
    ball = 4 / 3 * math.pi * RADIUS**3 * STEEL
    masses = [STONE * volume(*cell) for cell in cells()] + [ball]
    for axis, expected in (("x", 0.0), ("y", ball * SPEED), ("z", 0.0)):
        momentum = math.fsum(m * v for m, v in zip(masses, final["v" + axis]))
        case.equal(f"momentum along {axis} at the end [N s]", momentum, expected, "no load, no boundary: Newton's tolerance",
                   absolute=1e-6 * ball * SPEED)
    case.tell("speed of the ball at the end [m/s]", f"{final['vy'][-1]:.4g} of {SPEED:g}")
    case.tell("steps, rejected, Newton iterations per step, CPU time [s]", f"{run.report['steps']}, {run.report['cuts']}, "
              f"{run.report['newton_iterations'] / run.report['steps']:.2f}, {run.core_seconds:.1f}")
    case.plot("Kinetic energy", "time [s]", "kinetic energy [J]", [("kinetic energy", system["time"], system["kinetic_energy"], "curve")])
