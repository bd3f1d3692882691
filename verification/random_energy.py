"""Decks of a few bodies that collide, slide, roll and rest under every contact law, for the balance of energy of the integrator `energy`.

deck(seed, folder, steps) is the same for the same seed and number of steps. The bodies start in the eight cells of a cube of 0.5 m, apart from
each other, in a container or a periodic cell that holds this cube.
"""
import math
import pathlib
import random

from random_motions import added, cross, direction, scaled

CELL = 0.235  # edge of the cell of a body [m]
REACH = 0.11  # no body is larger than this about its centre of mass
HALF = 0.24  # half of the edge of the cube that every container holds
DENSITY = 2000.0
ROUNDED = ("ball", "rod", "quadric")  # materials; the names of boundaries' and sharp-edged bodies' are "wall" and "sharp"
KINDS = ("box", "box", "floor", "periodic", "periodic", "channel", "drum", "bowl", "mesh", "mesh", "valley", "mixer")
NEWTON = 1e-10


def half(rng, chance=0.5):
    return rng.random() < chance


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def prism(outline, cap, height):
    """A right prism over a counter-clockwise outline; `cap`: convex parts of the outline."""
    n = len(outline)
    vertices = [[x, y, z] for z in (0, height) for x, y in outline]
    faces = [list(reversed(part)) for part in cap] + [[k + n for k in part] for part in cap]
    return vertices, faces + [[k, (k + 1) % n, (k + 1) % n + n, k + n] for k in range(n)]


def polyhedron(vertices, faces, size):
    """Scaled such that no vertex is farther than `size` from the centre of mass, wherever that is inside."""
    width = max(math.dist(a, b) for a in vertices for b in vertices)  # finite: constants and angles of this file
    return {"type": "polyhedron", "scale": size / width, "vertices": vertices, "faces": faces}


def shape(rng, kind):
    """@returns a shape within REACH of its centre of mass."""
    size = rng.uniform(0.7, 1) * REACH
    if kind == "sphere":
        return {"type": "sphere", "radius": rng.uniform(0.4, 1) * size}
    if kind == "capsule":
        radius = rng.uniform(0.2, 0.6) * size
        return {"type": "capsule", "radius": radius, "length": 2 * (size - radius)}
    if kind == "superquadric":
        axes = [rng.uniform(0.35, 1) * size / math.sqrt(3) for _ in range(3)]
        return {"type": "superquadric", "half_axes": axes, "blockiness": [rng.choice((2, rng.uniform(2, 6))) for _ in range(2)]}
    if kind == "box":
        edges = [rng.uniform(0.25, 1) for _ in range(3)]
        return {"type": "box", "size": scaled(2 * size / math.sqrt(sum(x * x for x in edges)), edges)}
    if kind == "tetrahedron":
        vertices = [added(p, [rng.uniform(-0.1, 0.1) for _ in range(3)]) for p in ([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1])]
        return polyhedron(vertices, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], 1.3 * size)
    if kind == "octahedron":
        vertices = [scaled(rng.uniform(0.7, 1), e) for e in ([1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1])]
        return polyhedron(vertices, [f for k in range(4) for f in ([k, (k + 1) % 4, 4], [(k + 1) % 4, k, 5])], 1.5 * size)
    if kind == "prism":
        n = rng.randint(3, 7)
        outline = [[math.cos(2 * math.pi * k / n), math.sin(2 * math.pi * k / n)] for k in range(n)]
        return polyhedron(*prism(outline, [list(range(n))], rng.uniform(0.3, 2)), 1.6 * size)
    if kind == "angle":
        a = rng.uniform(0.25, 0.5)
        outline = [[0, 0], [1, 0], [1, a], [a, a], [a, 1], [0, 1]]
        return polyhedron(*prism(outline, [[0, 1, 2, 3], [0, 3, 4, 5]], rng.uniform(0.2, 0.6)), 1.5 * size)
    a = rng.uniform(0.2, 0.33)  # hook
    outline = [[0, 0], [1, 0], [1, 1], [1 - a, 1], [1 - a, a], [a, a], [a, 1], [0, 1]]
    return polyhedron(*prism(outline, [[0, 1, 4, 5], [1, 2, 3, 4], [0, 5, 6, 7]], rng.uniform(0.2, 0.6)), 1.5 * size)


MATERIALS = {"sphere": "ball", "capsule": "rod", "superquadric": "quadric"}
SHARP = ("box", "box", "tetrahedron", "octahedron", "prism", "angle", "hook")


def bodies(rng, speed):
    """@returns shapes by name, bodies, and the largest mass that they can have [kg]."""
    mixture = rng.choice(("spheres", "rounded", "sharp", "all", "all"))
    kinds = {"spheres": ["sphere"], "rounded": list(MATERIALS), "sharp": list(SHARP), "all": list(MATERIALS) + list(SHARP)}[mixture]
    cells = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    shapes, placed = {}, []
    for number, cell in enumerate(rng.sample(cells, rng.randint(2, 8))):
        kind = rng.choice(kinds)
        name = f"{kind}{number}"
        shapes[name] = shape(rng, kind)
        position = [CELL / 2 * x + rng.uniform(-4e-3, 4e-3) for x in cell]
        aim = direction(rng) if half(rng) else scaled(-1 / math.sqrt(3), cell)
        q = [rng.gauss(0, 1) for _ in range(4)]
        if half(rng, 0.2):
            q = [1, 0, 0, 0]  # faces meet faces
        placed.append({"shape": name, "material": MATERIALS.get(kind, "sharp"), "position": position,
                       "orientation": {"quaternion": scaled(1 / math.sqrt(sum(x * x for x in q)), q)},
                       "velocity": scaled(speed * rng.random(), aim),
                       "angular_velocity": scaled(rng.random() * speed / REACH, direction(rng)) if half(rng, 0.7) else [0, 0, 0]})
    return shapes, placed


def shaken(rng, speed, end, folder, name, turning, amplitude):
    """A motion table: `amplitude` [m] along a direction at `speed`, with rotation about as fast at HALF if `turning`, as a polygon of a sine."""
    period = min(2 * math.pi * amplitude / speed, 0.5 * end)
    along, about = scaled(amplitude, direction(rng)), scaled(rng.uniform(0.1, 1) * amplitude / HALF, direction(rng)) if turning else [0, 0, 0]
    count = min(math.ceil(8 * end / period), 400)
    rows = []
    for k in range(count + 1):
        part = math.sin(2 * math.pi * k / 8)
        rows.append([k * period / 8] + scaled(part, along) + scaled(part, about))
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["time,x,y,z,rx,ry,rz"] + [",".join(repr(float(x)) for x in row) for row in rows]
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {"table": f"{name}.csv"}


def box_surface(size):
    """A cube of triangles, from inside or outside."""
    vertices = [[x, y, z] for z in (-size, size) for x, y in ((-size, -size), (size, -size), (size, size), (-size, size))]
    squares = [[3, 2, 1, 0], [4, 5, 6, 7]] + [[k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4] for k in range(4)]
    return {"type": "surface", "vertices": vertices, "faces": [f for s in squares for f in ([s[0], s[1], s[2]], [s[0], s[2], s[3]])]}


def container(rng, kind, speed, end, folder):
    """@returns boundaries, the periodic cell or None, and bodies with `motion`."""
    wall = {"name": "container", "material": "wall"}
    others, cell, movers = [], None, []
    style = rng.choice(("rest", "rest", "straight", "turning", "shaken"))
    slow = speed * log_uniform(rng, 0.05, 1)  # of the boundaries
    width = HALF * rng.uniform(1, 1.3)
    if kind in ("box", "mixer", "mesh"):
        wall.update(box_surface(width) if kind == "mesh" else {"type": "box", "min": [-width] * 3, "max": [width] * 3})
        if style == "straight":
            wall["motion"] = {"velocity": scaled(slow, direction(rng))}
        elif style == "turning":
            wall["motion"] = {"angular_velocity": scaled(slow / HALF, direction(rng)), "about": [0, 0, 0]}
        elif style == "shaken":
            wall["motion"] = shaken(rng, slow, end, folder, "container", half(rng), rng.uniform(0.01, 0.1))
        if kind == "mixer":  # a ball on an orbit inside, which bodies start clear of
            wall.pop("motion", None)
            movers = [{"name": "paddle", "shape": "paddle", "material": "wall", "position": [0, 0, 0],
                       "motion": shaken(rng, slow, end, folder, "paddle", True, 0.1)}]
    elif kind == "floor":
        normal = added([0, 0, 1], scaled(rng.choice((0, 0.3)), direction(rng)))
        normal = scaled(1 / math.sqrt(sum(x * x for x in normal)), normal)
        wall.update(type="plane", normal=normal, point=scaled(-sum(abs(x) for x in normal) * HALF, normal))
        if style == "straight":
            wall["motion"] = {"velocity": added(cross(normal, scaled(slow, direction(rng))), scaled(0.2 * slow, normal))}
        elif style == "turning":
            wall["motion"] = {"angular_velocity": scaled(slow / HALF, normal)}
        elif style == "shaken":
            wall["motion"] = shaken(rng, slow, end, folder, "container", half(rng), 0.02)
    elif kind in ("periodic", "channel"):
        cell = {axis: [-width, width] for axis in ("xyz" if kind == "periodic" else "xy")}
        if kind == "periodic":
            return [], cell, []
        wall.update(type="plane", normal=[0, 0, 1], point=[0, 0, -HALF])
        if style in ("straight", "turning"):
            wall["motion"] = {"velocity": [slow, 0.3 * slow, 0]}
        others = [{"name": "lid", "material": "wall", "type": "plane", "normal": [0, 0, -1], "point": [0, 0, HALF + 0.1]}]
        if style == "shaken":
            others[0]["motion"] = shaken(rng, slow, end, folder, "lid", False, 0.05)
    elif kind == "drum":
        axis = rng.choice(([0, 1, 0], [1, 0, 0], [0, 0, 1]))
        wall.update(type="cylinder", inside=True, point=[0, 0, 0], axis=axis, radius=1.5 * HALF, length=2 * HALF)
        if style == "straight":
            wall["motion"] = {"velocity": scaled(slow, direction(rng))}
        elif style != "rest":
            wall["motion"] = {"angular_velocity": scaled(slow / HALF, axis)}
    elif kind == "bowl":
        wall.update(type="sphere", inside=True, point=[0, 0, 0], radius=1.8 * HALF)
        if style == "straight":
            wall["motion"] = {"velocity": scaled(slow, direction(rng))}
        elif style != "rest":
            wall["motion"] = {"angular_velocity": scaled(slow / HALF, direction(rng))}
    else:  # valley: two slopes of two triangles each, with a fold and free edges
        rise, wide = rng.uniform(-0.6, 0.8), 4
        low = -HALF - abs(rise) * 2 * HALF
        vertices = [[-wide, -wide, low + rise * wide], [0, -wide, low], [wide, -wide, low + rise * wide],
                    [-wide, wide, low + rise * wide], [0, wide, low], [wide, wide, low + rise * wide]]
        wall.update(type="surface", vertices=vertices, faces=[[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]])
        if style == "straight":
            wall["motion"] = {"velocity": [0.3 * slow, slow, 0.1 * slow]}
        elif style == "shaken":
            wall["motion"] = shaken(rng, slow, end, folder, "container", half(rng), 0.02)
    return [wall, *others], cell, movers


def loss(rng, law):
    """The keys of a law's restitution or dashpot."""
    if half(rng, 0.8):
        return {"restitution": rng.choice((0, 1, rng.random(), rng.random()))}
    if law == "hooke":
        return {"damping": rng.choice((0, log_uniform(rng, 1, 1e3)))}
    return {"damping_ratio": rng.choice((0, rng.uniform(0, 1)))}


def interface(rng, pair, law, mass, speed):
    """One entry of `interfaces`, stiff enough for bodies of `mass` [kg] at `speed` [m/s]; softer and stiffer by chance."""
    energy = 0.5 * mass * speed ** 2
    if law == "barrier":
        threshold, exponent = log_uniform(rng, 5e-4, 5e-3), rng.choice((1, 2, 3, 3, 3))
        stiffness = (exponent + 1) * energy / (0.6 * threshold) ** (exponent + 1) * log_uniform(rng, 1e-2, 1e2)
        normal = {"threshold": threshold, "exponent": exponent, "stiffness": stiffness}
    elif law == "hooke":
        stiffness = 2 * energy / log_uniform(rng, 1e-4, 3e-3) ** 2
        normal = {"stiffness": stiffness}
    else:
        normal = {}
        stiffness = 2 * energy / 1e-3 ** 2
        if law == "dmt":
            normal = {"surface_energy": log_uniform(rng, 0.1, 100), "range": log_uniform(rng, 1e-5, 1e-3)}
    entry = {"between": pair, "normal": {"law": law, **normal, **loss(rng, law)}}
    tangential = stiffness * (0.3 * normal["threshold"]) ** (normal["exponent"] - 1) if law == "barrier" else stiffness
    if half(rng, 0.7):
        static = rng.choice((0.0, rng.random(), rng.random(), 1.0))
        friction = {"static": static, "dynamic": static * rng.choice((1, 1, 0.7))}
        style = rng.choice(("spring", "spring", "dashpot", "mindlin"))
        if style == "mindlin" and law in ("hertz", "dmt") and "sharp" not in pair:
            friction["stiffness"] = rng.choice(("mindlin", "mindlin", "paper"))
        elif style == "dashpot":
            friction["damping"] = log_uniform(rng, 1, 1e4)
        else:
            friction["stiffness"] = tangential * log_uniform(rng, 0.03, 3)
        if static > 0:
            entry["friction"] = friction
    if half(rng, 0.4) and "sharp" not in pair:
        entry["rolling"] = {"coefficient": rng.uniform(0, 0.3), "stiffness": tangential * log_uniform(rng, 1e-5, 1e-3),
                            "damping_ratio": rng.choice((0, 0.3, 1))}
    return entry


def interfaces(rng, present, flat, mass, speed):
    """Laws of all pairs of the materials that are `present`. flat: all boundaries are planes."""
    favourite = rng.choice(("barrier", "barrier", "hooke", "hertz", "dmt"))
    single = half(rng)
    result = []
    for number, first in enumerate(present):
        for second in present[number:]:
            if first == second == "wall":
                continue
            pair = [first, second]
            laws = ["barrier"]
            if pair == ["sharp", "wall"] and flat:
                laws += ["hooke"]
            elif set(pair) & set(ROUNDED):
                laws += ["hooke", "hertz"] + (["dmt"] if set(pair) <= {"ball", "wall"} else [])
            law = favourite if favourite in laws and (single or half(rng, 0.7)) else rng.choice(laws)
            if favourite == "dmt" and "dmt" not in laws and "hertz" in laws:
                law = "hertz"
            result.append(interface(rng, pair, law, mass, speed))
    return result


def bonds(rng, shapes, placed, mass, speed):
    """Brings the first two spheres together as a bonded pair. @returns the entry `bonds`, or None without two spheres."""
    pair = [body for body in placed if body["material"] == "ball"][:2]
    if len(pair) < 2:
        return None
    for body in pair:
        shapes[body["shape"]]["radius"] = min(shapes[body["shape"]]["radius"], 0.05)
    distance = sum(shapes[body["shape"]]["radius"] for body in pair)
    way = direction(rng)  # both in the cell of the first one: 0.05 + 0.05 is within REACH of its centre
    pair[1]["position"] = added(pair[0]["position"], scaled(0.5 * distance, way))
    pair[0]["position"] = added(pair[0]["position"], scaled(-0.5 * distance, way))
    entry = {"stiffness": mass * (speed / log_uniform(rng, 1e-4, 1e-2)) ** 2, "within": 0.01}
    if half(rng):  # parts at a gap beyond the threshold of every barrier
        entry["break_force"] = entry["stiffness"] * rng.uniform(6e-3, 2e-2)
    return entry


def deck(seed, folder, steps):
    """@returns a deck of about `steps` steps, more if they are adaptive. Tables of motions are written to `folder`, for a deck in that folder."""
    rng = random.Random(seed)
    folder = pathlib.Path(folder)
    style = rng.choice(("fixed", "fixed", "motion", "resolved"))
    size = log_uniform(rng, 1e-5, 2e-4 if style == "resolved" else 1e-2)
    end = size * steps * (0.25 if style == "resolved" else 1)
    speed = min(log_uniform(rng, 0.5, 30) / end, 20)  # so many metres of flight, if nothing stops a body
    kind = rng.choice(KINDS)
    down = half(rng, 0.6) and kind != "periodic"
    shapes, placed = bodies(rng, speed)
    walls, cell, movers = container(rng, kind, speed, end, folder)
    if movers:
        shapes["paddle"] = {"type": "sphere", "radius": 0.05}
    fastest = max(speed, math.sqrt(2 * 9.81 * 0.5)) if down else speed  # finite: drawn above
    mass = DENSITY * 4.2 * REACH ** 3  # of the largest ball
    bonded = bonds(rng, shapes, placed, mass, fastest) if half(rng, 0.3) else None
    present = sorted({body["material"] for body in placed} | ({"wall"} if walls else set()))
    # Two of the largest bodies get so deep (at contacts of R* = 30 mm), at most.
    young = 2 * mass * fastest ** 2 / (0.53 * math.sqrt(0.03) * log_uniform(rng, 1e-4, 2e-3) ** 2.5)
    step = size if style == "fixed" else {"initial": size, "min": 1e-9 * size, "max": size, "control": style,
                                          "resolution": rng.uniform(0.1, 1)}
    result = {"title": f"random energy {seed}", "gravity": scaled(-9.81, [0, 0, 1] if half(rng, 0.7) else direction(rng)) if down else [0, 0, 0],
              "time": {"end": end, "step": step}, "integrator": {"type": "energy"},
              "materials": {name: {"density": DENSITY, "young": young, "poisson": rng.uniform(0, 0.45)} for name in present},
              "shapes": shapes, "bodies": placed + movers, "boundaries": walls,
              "interfaces": interfaces(rng, present, kind in ("box", "floor", "channel", "mixer"), mass, fastest),
              "solver": {"newton": {"relative": NEWTON}}}
    if cell:
        result["periodic"] = cell
    if bonded:
        result["bonds"] = bonded
    return result, kind
