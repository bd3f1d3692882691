"""Superquadrics and surfaces that are not convex: order of an impact, creep on a slope."""
import math

import harness
import judging

GRAVITY, MU = 9.81, 0.3
ANGLE = 0.97 * math.atan(MU)
LAW = {"law": "barrier", "threshold": 1e-3, "stiffness": 2e11, "exponent": 3, "barrier_fraction": 0.4, "barrier_exponent": -2}
STEPS = [1e-4, 5e-5, 2.5e-5]
REFERENCE = 6.25e-6
STATE = ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"]
SIZES = [1, 1, 1, 1, 1, 1, 20, 20, 20]  # spins are counted as speeds at 5 cm


def prism(outline, parts, depth):
    """Vertices and faces of a prism along y over an anticlockwise outline in (x, z), its ends divided into `parts`."""
    n = len(outline)
    vertices = [[x, -depth / 2, z] for x, z in outline] + [[x, depth / 2, z] for x, z in outline]
    faces = [list(part) for part in parts] + [[k + n for k in reversed(part)] for part in parts]
    for i in range(n):
        j = (i + 1) % n
        faces.append([j, i, i + n, j + n])
    return vertices, faces


def staple():
    """Two legs below a back: not convex. Seen along +y, the outline is anticlockwise in (x, z)."""
    outline = [(-0.06, -0.05), (-0.02, -0.05), (-0.02, 0), (0.02, 0), (0.02, -0.05), (0.06, -0.05), (0.06, 0.04), (-0.06, 0.04)]
    vertices, faces = prism(outline, [(0, 1, 2, 7), (2, 3, 6, 7), (3, 4, 5, 6)], 0.1)
    return {"type": "polyhedron", "vertices": vertices, "faces": faces}


SHAPES = {"tablet": {"type": "superquadric", "half_axes": [0.05, 0.05, 0.03], "blockiness": [4, 2]},
          "brick": {"type": "superquadric", "half_axes": [0.06, 0.05, 0.04], "blockiness": [6, 6]},
          "staple": staple(), "slab": {"type": "box", "size": [0.6, 0.6, 0.1]}}
WALL = {"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "m"}
SLAB = {"name": "slab", "shape": "slab", "material": "m", "position": [0, 0, -0.05], "fixed": True}
STAPLE = {"name": "staple", "shape": "staple", "material": "m", "position": [0, 0, 0], "fixed": True}
BRICK = {"name": "brick", "shape": "brick", "material": "m", "position": [0, 0, 0], "fixed": True}
# Height of the staple's centre of mass above its feet: a rectangle less the slot [m].
STAPLE_FEET = 0.05 + (0.0108 * -0.005 - 0.002 * -0.025) / (0.0108 - 0.002)
IMPACTS = {  # name: (shape, what it meets, height of its pole [m])
    "superquadric on a wall": ("tablet", None, 0.06), "superquadric on a polyhedron": ("tablet", SLAB, 0.06),
    "superquadric on a staple": ("tablet", STAPLE, 0.1), "superquadric on a superquadric": ("tablet", BRICK, 0.1),
    "staple on a wall": ("staple", None, 0.09), "staple on a polyhedron": ("staple", SLAB, 0.09),
    "staple on a staple": ("staple", STAPLE, 0.13)}
SLOPES = {  # name: (shape, what it lies on, height of its pole over that [m])
    "superquadric on a wall": ("brick", None, 0.04), "superquadric on a polyhedron": ("brick", SLAB, 0.04),
    "superquadric on a staple": ("brick", STAPLE, 0.04), "superquadric on a superquadric": ("brick", BRICK, 0.04),
    "staple on a wall": ("staple", None, STAPLE_FEET), "staple on a polyhedron": ("staple", SLAB, STAPLE_FEET),
    "staple on a staple": ("staple", STAPLE, STAPLE_FEET)}
TOPS = {"slab": 0.05, "brick": 0.04, "staple": 0.09 - STAPLE_FEET}  # of what is lain on, above its centre of mass [m]


def deck_of(shape, other, body, law, time):
    """A deck of one body above a wall, or above another one."""
    names = {shape} | ({other["shape"]} if other else set())
    deck = {"integrator": {"type": "newmark"}, "time": time, "materials": {"m": {"density": 2000}}, "shapes": {n: SHAPES[n] for n in names},
            "bodies": [{"name": "body", "shape": shape, "material": "m", **body}], "interfaces": [law],
            "solver": {"newton": {"relative": 1e-12}},
            "output": {"histories": [{"file": "body.csv", "body": "body", "columns": ["time", *STATE]}]}}
    if other:
        deck["bodies"].append(other)
    else:
        deck["boundaries"] = [WALL]
    return deck


def impact(case, name, shape, other, height):
    """Order of the error at the end of an impact without friction and damping."""
    ends, times = [], []
    for step in [*STEPS, REFERENCE]:
        body = {"position": [0.003, 0.002, height], "velocity": [0.07, 0.03, -0.2], "angular_velocity": [0.7, -1, 0.3],
                "orientation": {"axis": [0.3, 1, 0.2], "angle_deg": 21}}
        law = {"between": ["*", "*"], "normal": LAW}
        deck = deck_of(shape, other, body, law, {"end": 0.24, "step": step})
        table = case.run(deck, f"{name}, {step:g}".replace(" ", "_")).history("body.csv")
        ends.append([s * table[c][-1] for c, s in zip(STATE, SIZES)])
        times.append(table)
    turned = judging.largest(table["vz"][-1] for table in times)
    case.at_least(f"{name}: speed upwards after the impact [m/s]", turned, 0.05, "it has bounced")
    errors = [math.dist(e, ends[-1]) for e in ends[:-1]]
    order = harness.slope([math.log2(h) for h in STEPS], [math.log2(e) for e in errors])
    case.at_least(f"{name}: order of the state after the impact", order, 1.7, "2 within the contact")
    case.at_most(f"{name}: error of the state at {STEPS[-1]:g} s [m/s]", errors[-1], 3e-4, "three times the largest that is measured")
    return name, STEPS, errors, "curve"


def creep(case, name, shape, other, height, start=0):
    """Way of a body that rests on a slope a little below the friction angle.
    start: number of the start, which begins so many times 0.1 um higher."""
    normal = (math.sin(ANGLE), 0, math.cos(ANGLE))
    turn = {"axis": [0, 1, 0], "angle_deg": math.degrees(ANGLE)}
    law = {"between": ["*", "*"], "normal": {**LAW, "damping_ratio": 0.5},
           "friction": {"static": MU, "dynamic": MU, "stiffness": 1e5, "damping": 30}}
    if shape == "brick":  # its faces are curved: it rocks until something brakes that
        law["rolling"] = {"coefficient": 0.5, "stiffness": 20, "damping_ratio": 1}
    gap = 9e-4 + 1e-7 * start
    if start:
        name = f"{name}, start {start}"
    body = {"position": [(height + gap) * n for n in normal], "orientation": turn}
    deck = deck_of(shape, other, body, law, {"end": 4.0, "step": {"initial": 1e-5, "min": 1e-9, "max": 2e-3}})
    deck["gravity"] = [0, 0, -GRAVITY]
    if other:
        deck["bodies"][1] = {**other, "position": [-TOPS[other["shape"]] * n for n in normal], "orientation": turn}
    else:
        deck["boundaries"] = [{**WALL, "normal": list(normal)}]
    table = case.run(deck, f"{name}_slope".replace(", ", "_").replace(" ", "_")).history("body.csv")
    late = [p for t, *p in zip(*(table[c] for c in ("time", "x", "y", "z"))) if t >= 2]
    case.at_most(f"{name}: way of the pole from 2 s to 4 s [m]", judging.largest(math.dist(p, late[0]) for p in late), 3e-14,
                 "sticking contacts are springs; twenty times the largest that is measured")
    case.at_most(f"{name}: way of the pole from 0 to 4 s [m]", math.dist(late[-1], body["position"]), 2e-2, "it settles and rests")


def compare(case):
    curves = [impact(case, name, *scene) for name, scene in IMPACTS.items()]
    case.plot("Error after the impact", "step [s]", "error [m/s]", curves, log="xy")
    for name, scene in SLOPES.items():
        creep(case, name, *scene)
    # Edges that lie in each other's line: rounding decides which of the features at one place is counted.
    for start in range(1, 9):
        creep(case, "staple on a staple", *SLOPES["staple on a staple"], start)
