"""Decks with thin, fast bodies and boundaries that move anyhow: what goes through something in them if anything does.

deck(seed, folder) is the same for the same seed. Every deck has a few bodies in a box of 1 m and one or two boundaries that come from outside of it and
cross it, in 10 to 160 fixed steps or in adaptive ones.

walls_deck(seed, folder): bodies inside of a box, sphere or drum that is shaken and turned, or in the way of a solid with prescribed motion;
shells as solids and as free bodies.
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


def arc(centre, way, hint, radius, speed):
    """Motion about a distant point beside `centre` that goes along `way` at first."""
    side = cross(way, hint)
    side = scaled(1 / math.sqrt(sum(x * x for x in side)), side)
    axis = cross(way, side)
    # spin x (centre - about) = speed way
    forward = sum(a * b for a, b in zip(cross(axis, side), way)) >= 0
    return {"angular_velocity": scaled((speed if forward else -speed) / radius, axis), "about": added(centre, scaled(-radius, side))}


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
    elif style == "arc":
        wall["motion"] = arc(centre, way, spin, rng.uniform(2, 5), speed)
    else:
        rows = [[k * time / 4] + scaled(2 * FAR * (k / 4) ** 2, way)
                + ([0, 0, 0] if kind in ("plane", "cylinder") else scaled(0.3 * k / 4, way)) for k in range(5)]
        wall["motion"] = {"table": rows}
    return wall, time


def orientation(rng):
    q = [rng.gauss(0, 1) for _ in range(4)]
    return {"quaternion": scaled(1 / math.sqrt(sum(x * x for x in q)), q)}


def bodies(rng, shapes, fast, cells=CELLS):
    placed = []
    for cell in rng.sample(cells, min(len(cells), rng.randint(2, 8))):
        turned = orientation(rng)
        placed.append({"shape": rng.choice(shapes), "material": "rock", "position": [x + rng.uniform(-0.03, 0.03) for x in cell],
                       "orientation": turned,
                       "velocity": scaled(fast * rng.random(), direction(rng)),
                       "angular_velocity": scaled(rng.random() * fast / REACH, direction(rng))})
    return placed


def hooke(fastest):
    """A ball of 2.9 kg that is hit at `fastest` by a wall gets 4 mm deep: m v^2 = k d^2."""
    return {"law": "hooke", "stiffness": 2.9 * (fastest / 4e-3) ** 2, "restitution": 0.6}


def write_tables(walls, folder):
    """Tables go to files in `folder`, and their names take their place."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for wall in walls:
        rows = wall["motion"].get("table")
        if rows is None:
            continue
        wall["motion"]["table"] = f"{wall['name']}.csv"
        lines = ["time,x,y,z,rx,ry,rz"] + [",".join(repr(float(x)) for x in row) for row in rows]
        (folder / wall["motion"]["table"]).write_text("\n".join(lines) + "\n", encoding="utf-8")


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
        normal = hooke(2 * 2 * FAR / min(times) + fast)  # finite: drawn above
    result["interfaces"] = [{"between": ["*", "*"], "normal": normal, **friction}]
    if analysis == "dynamic":
        result["integrator"] = rng.choice(INTEGRATORS + (EXPLICIT if law == "hooke" else []))
    write_tables(walls, folder)
    used = {body["shape"] for body in result["bodies"]}
    result["shapes"] = {name: shape for name, shape in SHAPES.items() if name in used}
    return result, law


KINDS = ("box", "sphere inside", "drum", "solid", "shell", "shells")
LAWS = ("barrier", "hooke", "hertz", "rigid")
INNER = [cell for cell in CELLS if sum(x * x for x in cell) < 0.6]  # bodies there stay within 1 m of the origin
CROSSING = 2.2  # way of a solid to the origin: it reaches 1 m about its centre, bodies 1.15 m
CUP = ([[x, y, z] for z in (0, 0.12) for x, y in ((0, 0), (0.16, 0), (0.16, 0.16), (0, 0.16))],
       [[3, 2, 1, 0]] + [[k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4] for k in range(4)])
FOLD = [[0, 0, 0], [0.2, 0, 0], [0.2, 0.12, 0], [0, 0.12, 0], [0.1, 0.24, 0.08], [0, 0.24, 0.08]], [[0, 1, 2, 3], [3, 2, 4, 5]]
CARD = [[0, 0, 0], [0.22, 0, 0], [0.22, 0.16, 0], [0, 0.16, 0]], [[0, 1, 2, 3]]


def thick(sheet_of, thickness, scale=1):
    vertices, faces = sheet_of
    return {"type": "polyhedron", "vertices": vertices, "faces": faces, "thickness": thickness, "scale": scale}


def wall_shapes(thickness):
    """Shapes of free shells, and of what crosses; the latter reach 1 m about their centres of mass at most."""
    shells = {"card": thick(CARD, thickness), "fold": thick(FOLD, thickness), "cup": thick(CUP, thickness)}
    solids = {"ram": {"type": "box", "size": [1.3, 1.3, thickness]}, "blade": {"type": "box", "size": [0.12, 1.8, thickness]},
              "bar": {"type": "capsule", "radius": 0.01, "length": 1.8}, "stud": {"type": "sphere", "radius": 0.05},
              "wedge": {**SHAPES["tetrahedron"], "scale": 0.9}, "fork": {**HOOK, "scale": 0.3}}
    thin = {"sail": thick(CARD, thickness, 6), "gutter": thick(FOLD, thickness, 6), "bucket": thick(CUP, thickness, 6)}
    return shells, solids, thin


def shaken(rng, speed, axis):
    """@returns a motion of a container about the origin; lengths of 1 m take 1/`speed`. axis: of a drum, else None."""
    way, spin = direction(rng), direction(rng)
    style = rng.choice(("straight", "turning", "swinging", "table", "table") + (("rolling",) if axis else ()))
    if style == "straight":
        return {"velocity": scaled(speed, way)}
    if style == "turning":
        return {"velocity": scaled(speed / 2, way), "angular_velocity": scaled(rng.uniform(0.5, 3) * speed, spin)}
    if style == "swinging":
        radius = rng.uniform(0.3, 2)
        return {"angular_velocity": scaled(speed / radius, spin), "about": scaled(radius, way)}
    if style == "rolling":
        return {"velocity": scaled(0.2 * speed, way), "angular_velocity": scaled(rng.uniform(1, 20) * speed, axis)}
    rows = [[0.0] * 7]
    for k in range(1, rng.randint(5, 9)):
        rows.append([k / (4 * speed)] + scaled(0.3 * rng.random(), direction(rng)) + scaled(0.5 * rng.random(), direction(rng)))
    return {"table": rows}


def container(rng, kind, speed):
    """@returns a boundary about the origin and cells in it."""
    wall, axis, cells = {"name": "wall", "material": "wall"}, None, INNER
    if kind == "sphere inside":
        wall.update(type="sphere", inside=True, point=[0, 0, 0], radius=1)
    elif kind == "drum":
        axis = direction(rng)
        wall.update(type="cylinder", inside=True, point=[0, 0, 0], axis=axis, radius=1)
        wall.update(rng.choice(({}, {"length": 2}, {"length": 2}, {"length": 2, "open": ["+"]})))
    else:
        height = rng.choice((0.25, 0.75))
        cells = [cell for cell in CELLS if abs(cell[2]) < height]
        wall.update(type="box", min=[-0.75, -0.75, -height], max=[0.75, 0.75, height], open=rng.choice(([], [], ["+z"], ["-x", "+x"])))
    wall["motion"] = shaken(rng, speed, axis)
    return wall, cells


def paddle(rng, shape, wall, speed):
    """A solid at the middle of a container that goes with it, and turns by itself where that is possible."""
    motion = dict(wall["motion"])
    if "table" not in motion and "about" not in motion:
        motion["angular_velocity"] = scaled(rng.uniform(0.5, 5) * speed, direction(rng))
    return {"name": "paddle", "shape": shape, "material": "wall", "position": [0, 0, 0], "orientation": orientation(rng), "motion": motion}


def crossing(rng, shape, speed):
    """A solid that begins outside of the bodies' box and crosses it, straight, tumbling, on an arc or by a table."""
    way = direction(rng)
    centre = scaled(-CROSSING, way)
    across = [1 + way[2], -way[1], way[0], 0]  # from z to `way`
    across = {"quaternion": scaled(1 / math.sqrt(sum(x * x for x in across)), across)}
    solid = {"name": "wall", "shape": shape, "material": "wall", "position": centre,
             "orientation": orientation(rng) if rng.random() < 0.5 else across}
    style = rng.choice(("straight", "tumbling", "arc", "table"))
    if style == "straight":
        solid["motion"] = {"velocity": scaled(speed, way)}
    elif style == "tumbling":
        solid["motion"] = {"velocity": scaled(speed, way), "angular_velocity": scaled(rng.uniform(0.2, 3) * speed, direction(rng))}
    elif style == "arc":
        solid["motion"] = arc(centre, way, direction(rng), rng.uniform(2, 5), speed)
    else:
        time, spin = 2 * CROSSING / speed, direction(rng)
        solid["motion"] = {"table": [[k * time / 4] + scaled(2 * CROSSING * (k / 4) ** 2, way) + scaled(0.5 * k, spin) for k in range(5)]}
    return solid


def walls_deck(seed, folder):
    """@returns a deck whose boundary or solid "wall" moves, its kind and the name of its law. Tables as in deck()."""
    rng = random.Random(seed)
    kind, law = KINDS[seed % len(KINDS)], LAWS[seed // len(KINDS) % len(LAWS)]
    if kind == "shells" and law in ("hooke", "hertz"):
        law = "barrier"  # the others require what is rounded
    speed = 10 ** rng.uniform(-0.5, 2)
    threshold = rng.choice((5e-3, 5e-4))  # less than half of what is thin
    shells, solids, thin = wall_shapes(2.5 * threshold)
    moving = []
    if kind in ("solid", "shell"):
        wall = crossing(rng, rng.choice(list(thin if kind == "shell" else solids)), speed)
        moving, cells, end = [wall], CELLS, 2 * CROSSING / speed
    else:
        wall, cells = container(rng, kind, speed)
        end = 2 / speed
        if rng.random() < 0.5:
            cells = [cell for cell in cells if any(cell)]
            moving = [paddle(rng, rng.choice(("plate", "hook", "cube", "rod", "card", "cup")), wall, speed)]
    names = list(shells) if kind == "shells" else list(ROUND) if law in ("hooke", "hertz") else [*SHAPES, *shells]
    fast = rng.choice((0, 0.3, 1)) * speed
    steps = rng.choice((40, 160))
    adaptive = rng.random() < 0.7
    result = {"title": f"random walls {seed}", "gravity": [0, 0, 0], "analysis": "contact-dynamics" if law == "rigid" else "dynamic",
              "time": {"end": end, "step": {"initial": end / steps, "min": 1e-9 * end, "max": end / 4} if adaptive else end / steps},
              "materials": {"rock": {"density": 2000}, "wall": {}}, "bodies": [*moving, *bodies(rng, names, fast, cells)],
              "boundaries": [] if wall in moving else [wall],
              "output": {"histories": [{"file": "wall.csv", "boundary": "wall", "every": 0, "columns": ["time", "fx", "fy", "fz", "x", "y", "z"]}]}}
    fastest = 6 * speed + fast
    if law == "barrier":
        normal = {**BARRIER, "threshold": threshold, "stiffness": BARRIER["stiffness"] * (5e-3 / threshold) ** 4}
    elif law == "rigid":
        normal = {"law": "rigid", "restitution": rng.choice((0, 0.5))}
    elif law == "hooke":
        normal = hooke(fastest)
    else:
        # As for Hooke's law, with the energy 8/15 E* sqrt(R) d^(5/2); two balls have half the radius and half the modulus.
        modulus = 15 / 16 * 2.9 * fastest ** 2 / (math.sqrt(0.07) * 4e-3 ** 2.5)
        result["materials"]["rock"].update(young=4 * modulus, poisson=0.25)
        normal = {"law": "hertz", "restitution": 0.6}
    result["interfaces"] = [{"between": ["*", "*"], "normal": normal}]
    if rng.random() < 0.5:
        result["interfaces"][0]["friction"] = {"static": 0.4, "dynamic": 0.4, **({} if law == "rigid" else {"stiffness": 1e5})}
    if law != "rigid" and rng.random() < 0.5:
        result["integrator"] = rng.choice(({"type": "newmark"}, {"type": "newmark", "gamma": 0.7, "beta": 0.4}))
    write_tables([wall], folder)
    if moving and moving[0] is not wall and "table" in moving[0]["motion"]:
        moving[0]["motion"] = wall["motion"]
    used = {body["shape"] for body in result["bodies"]}
    result["shapes"] = {name: shape for name, shape in {**SHAPES, **shells, **solids, **thin}.items() if name in used}
    return result, kind, law


def rotated(turn, v):
    angle = math.sqrt(sum(x * x for x in turn))
    if angle == 0:
        return v
    n = scaled(1 / angle, turn)
    along = sum(a * b for a, b in zip(n, v))
    return [math.cos(angle) * x + math.sin(angle) * y + (1 - math.cos(angle)) * along * z for x, y, z in zip(v, cross(n, v), n)]


def position(motion, table, point, time):
    """Where `point` of a boundary is at a time. table: of the motion, as harness.read_table gives it, or None."""
    if table:
        times = table["time"]
        k = sum(t < time for t in times[1:-1])
        part = min(max((time - times[k]) / (times[k + 1] - times[k]), 0), 1)
        shift, turn = ([table[c][k] + part * (table[c][k + 1] - table[c][k]) for c in columns]
                       for columns in (("x", "y", "z"), ("rx", "ry", "rz")))
    else:
        shift, turn = (scaled(time, motion.get(key, [0, 0, 0])) for key in ("velocity", "angular_velocity"))
    about = motion.get("about", point)
    return added(added(about, shift), rotated(turn, added(point, scaled(-1, about))))
