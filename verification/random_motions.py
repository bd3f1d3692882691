"""Decks with thin, fast bodies and boundaries that move anyhow: what goes through something in them if anything does.

deck(seed, folder) is the same for the same seed. Every deck has a few bodies in a box of 1 m and one or two boundaries that come from outside of it and
cross it, in 10 to 160 fixed steps or in adaptive ones.
"""
import math
import pathlib
import random

BARRIER = {"law": "barrier", "threshold": 5e-3, "stiffness": 1e13, "exponent": 3, "damping_ratio": 0.2}
INTEGRATORS = [{"type": "energy"}, {"type": "newmark"}, {"type": "newmark", "gamma": 0.7, "beta": 0.4}, {"type": "variational", "alpha": 0.5},
               {"type": "trapezoidal", "phi": 0.5}, {"type": "trapezoidal", "phi": 1}]
EXPLICIT = [{"type": "variational", "alpha": 0}, {"type": "trapezoidal", "phi": 0}]
HOOK = {"type": "polyhedron", "scale": 0.06,
        "vertices": [[x - 1.2, y - 1.2, z] for z in (0, 1) for x, y in ((0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3))],
        "faces": [[5, 4, 3, 0], [3, 2, 1, 0], [6, 9, 10, 11], [6, 7, 8, 9]]
        + [[k, (k + 1) % 6, (k + 1) % 6 + 6, k + 6] for k in range(6)]}
SHAPES = {"ball": {"type": "sphere", "radius": 0.07}, "shot": {"type": "sphere", "radius": 0.015},
          "rod": {"type": "capsule", "radius": 0.03, "length": 0.12},
          "cube": {"type": "box", "size": [0.12, 0.12, 0.12]}, "plate": {"type": "box", "size": [0.2, 0.15, 0.02]},
          "tetrahedron": {"type": "polyhedron", "scale": 0.16, "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                          "faces": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]},
          "hook": HOOK}
ROUND = ("ball", "shot", "rod")
REACH = 0.2  # no body is larger than this about its centre of mass
CELLS = [(x, y, z) for x in (-0.5, 0, 0.5) for y in (-0.5, 0, 0.5) for z in (-0.5, 0, 0.5)]
FAR = 1.0  # planes across the boundaries' way lie this far out: bodies do not reach beyond 0.75 at the start


def direction(rng):
    v = [rng.gauss(0, 1) for _ in range(3)]
    size = math.sqrt(sum(x * x for x in v))
    return [x / size for x in v]


def scaled(factor, v):
    return [factor * x for x in v]


def added(a, b):
    return [x + y for x, y in zip(a, b)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def sheet(rng, centre, normal):
    """A thin surface about `centre`: a square, one with a fold, a narrow blade or a closed, flat box."""
    e = direction(rng)
    e = cross(normal, e)
    e = scaled(1 / math.sqrt(sum(x * x for x in e)), e)
    f = cross(normal, e)

    def at(x, y, z):
        return added(centre, added(scaled(x, e), added(scaled(y, f), scaled(z, normal))))

    kind = rng.choice(("square", "fold", "blade", "box"))
    if kind == "box":
        vertices = [at(x, y, z) for z in (0, 1e-3) for x, y in ((-0.7, -0.7), (0.7, -0.7), (0.7, 0.7), (-0.7, 0.7))]
        faces = [[3, 2, 1, 0], [4, 5, 6, 7]] + [[k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4] for k in range(4)]
        return vertices, faces
    across = 0.06 if kind == "blade" else 0.7
    vertices = [at(-across, -0.9, 0), at(across, -0.9, 0), at(across, 0.9, 0), at(-across, 0.9, 0)]
    faces = [[0, 1, 2, 3]] if kind == "square" else [[0, 1, 2], [0, 2, 3]]
    if kind == "fold":
        vertices += [at(1.2, -0.9, 0.1), at(1.2, 0.9, 0.1)]
        faces.append([1, 4, 5, 2])
    return vertices, faces


def boundary(rng, number, planes):
    """@returns a boundary that begins outside of the bodies' box, and how long it takes to cross it [s]."""
    way = direction(rng)
    centre = scaled(-FAR - 0.02, way)
    speed = 10 ** rng.uniform(-0.5, 2)
    wall = {"name": f"wall{number}", "material": "wall"}
    kind = rng.choice(("surface", "surface", "surface", "cone", "cylinder", "sphere") + (("plane",) if planes else ()))
    if kind == "surface":
        vertices, faces = sheet(rng, centre, way)
        wall.update(type="surface", vertices=vertices, faces=faces)
    elif kind == "cone":
        wall.update(type="cone", point=added(centre, scaled(-0.3, way)), axis=way, length=0.3, radius=[0.3, 0], faces=8)
    elif kind == "cylinder":
        wall.update(type="cylinder", inside=False, point=centre, axis=cross(way, direction(rng)), radius=0.01)
    elif kind == "sphere":
        wall.update(type="sphere", inside=False, point=centre, radius=0.05)
    else:
        wall.update(type="plane", point=centre, normal=way)
    time = 2 * FAR / speed
    style = rng.choice(("straight", "straight", "turning", "arc", "table"))
    if kind in ("plane", "cylinder") and style in ("turning", "arc"):
        style = "straight"
    spin = direction(rng)
    if style == "straight":
        wall["motion"] = {"velocity": scaled(speed, way)}
    elif style == "turning":
        wall["motion"] = {"velocity": scaled(speed, way), "angular_velocity": scaled(rng.uniform(0.2, 1) / time, way)}
    elif style == "arc":  # about a distant point beside it
        side = cross(way, spin)
        side = scaled(1 / math.sqrt(sum(x * x for x in side)), side)
        axis = cross(way, side)
        radius = rng.uniform(2, 5)
        # It goes along `way` at first: spin x (centre - about) = speed way.
        wall["motion"] = {"angular_velocity": scaled(speed / radius, axis), "about": added(centre, scaled(-radius, side))}
        if sum(a * b for a, b in zip(cross(axis, side), way)) < 0:
            wall["motion"]["angular_velocity"] = scaled(-speed / radius, axis)
    else:
        rows = [[k * time / 4] + scaled(2 * FAR * (k / 4) ** 2, way)
                + ([0, 0, 0] if kind in ("plane", "cylinder") else scaled(0.3 * k / 4, way)) for k in range(5)]
        wall["motion"] = {"table": rows}
    return wall, time


def bodies(rng, shapes, fast):
    placed = []
    for cell in rng.sample(CELLS, rng.randint(2, 8)):
        q = [rng.gauss(0, 1) for _ in range(4)]
        placed.append({"shape": rng.choice(shapes), "material": "rock", "position": [x + rng.uniform(-0.03, 0.03) for x in cell],
                       "orientation": {"quaternion": scaled(1 / math.sqrt(sum(x * x for x in q)), q)},
                       "velocity": scaled(fast * rng.random(), direction(rng)),
                       "angular_velocity": scaled(rng.random() * fast / REACH, direction(rng))})
    return placed


def deck(seed, folder, analysis=None):
    """@returns a deck and the name of its law. Tables of motions are written to `folder`, for a deck in that folder."""
    rng = random.Random(seed)
    analysis = analysis or rng.choice(("dynamic", "dynamic", "dynamic", "dynamic", "contact-dynamics"))
    law = "rigid" if analysis == "contact-dynamics" else rng.choice(("barrier", "barrier", "hooke"))
    shapes = list(ROUND) if law == "hooke" else list(SHAPES)
    walls, times = zip(*(boundary(rng, k, True) for k in range(rng.randint(1, 2))))
    end = max(times)  # finite: drawn above
    fast = rng.choice((0, 0.3, 1, 3)) * 2 / end
    steps = rng.choice((10, 40, 160))
    adaptive = rng.random() < 0.5
    result = {"title": f"random motions {seed}", "gravity": [0, 0, 0], "analysis": analysis,
              "time": {"end": end, "step": {"initial": end / steps, "min": 1e-9 * end, "max": end / 4} if adaptive else end / steps},
              "materials": {"rock": {"density": 2000}, "wall": {}}, "shapes": SHAPES,
              "bodies": bodies(rng, shapes, fast), "boundaries": list(walls)}
    friction = {"friction": {"static": 0.4, "dynamic": 0.4, **({} if law == "rigid" else {"stiffness": 1e5})}} if rng.random() < 0.5 else {}
    if law == "barrier":
        normal = BARRIER
    elif law == "rigid":
        normal = {"law": "rigid", "restitution": rng.choice((0, 0.5))}
    else:
        # A ball of 2.9 kg that is hit at `fastest` by a wall gets 4 mm deep: m v^2 = k d^2.
        fastest = 2 * 2 * FAR / min(times) + fast  # finite: drawn above
        normal = {"law": "hooke", "stiffness": 2.9 * (fastest / 4e-3) ** 2, "restitution": 0.6}
    result["interfaces"] = [{"between": ["*", "*"], "normal": normal, **friction}]
    if analysis == "dynamic":
        result["integrator"] = rng.choice(INTEGRATORS + (EXPLICIT if law == "hooke" else []))
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for wall in walls:
        rows = wall["motion"].get("table")
        if rows is None:
            continue
        wall["motion"]["table"] = f"{wall['name']}.csv"
        lines = ["time,x,y,z,rx,ry,rz"] + [",".join(repr(float(x)) for x in row) for row in rows]
        (folder / wall["motion"]["table"]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    used = {body["shape"] for body in result["bodies"]}
    result["shapes"] = {name: shape for name, shape in SHAPES.items() if name in used}
    return result, law
