"""Beds of a few hundred grains in a slice between two smooth planes: what hopper_discharge and heap_slope share.

Lengths are in grain diameters. Hertz's contacts, soft enough for a tenth of a contact's time in a step; Hooke's dashpot
would jump at touch, and cut the steps.
"""
import itertools
import math
import random

DIAMETER, DENSITY, GRAVITY = 0.01, 2500.0, 9.81
YOUNG, POISSON = 1e6, 0.3  # contacts last 3 ms at 0.5 m/s; twenty grains on top press one in by 4 % of its diameter
STEP = 2e-4
RESTITUTION = 0.5
DEPTH = 4.0  # of the slice
CLEAR = 0.02  # of fixed rods from planes and each other


def plane(name, point, normal, material, **more):
    return {"name": name, "type": "plane", "point": [DIAMETER * c for c in point], "normal": list(normal),
            "material": material, **more}


def rods(places):
    """Fixed rods as thick as a grain along the slice, at places (x, z) of their axes."""
    return [{"name": f"rod{k}", "shape": "rod", "material": "wall", "fixed": True,
             "position": [DIAMETER * x, DIAMETER * DEPTH / 2, DIAMETER * z],
             "orientation": {"axis": [1, 0, 0], "angle_deg": 90}} for k, (x, z) in enumerate(places)]


def loose(count, seed, half_width, floor, pitch=1.25, depth=DEPTH):
    """Places of the centres: a wide lattice from `floor` upwards within |x| < half_width, each place somewhat off, in
    the middle `depth` of the slice."""
    off = 0.1
    draw = random.Random(seed)
    columns, rows = int((2 * half_width - 1.1 - 2 * off) / pitch) + 1, int((depth - 1.1 - 2 * off) / pitch) + 1
    layers = math.ceil(count / columns / rows)
    lattice = itertools.product(range(layers), range(columns), range(rows))
    return [[pitch * (i - (columns - 1) / 2) + draw.uniform(-off, off),
             DEPTH / 2 + pitch * (j - (rows - 1) / 2) + draw.uniform(-off, off),
             floor + pitch * k + draw.uniform(-off, off)] for k, i, j in itertools.islice(lattice, count)]


def names(count):
    return [f"grain{k}" for k in range(count)]


def shape_of_size(size):
    return f"grain_{size:g}"


def deck(places, mu, walls, boundaries, end, output, sizes=(1.0,)):
    """Grains at `places`, named names(), between the planes y = 0 and y = DEPTH, which are smooth; friction mu on each
    other and on all else. `walls` are rods(). Diameters of the grains: `sizes` in turn, shapes named shape_of_size()."""
    elastic = {"density": DENSITY, "young": YOUNG, "poisson": POISSON}
    normal = {"law": "hertz", "restitution": RESTITUTION}
    rough = {"static": mu, "dynamic": mu, "stiffness": "mindlin"}
    interfaces = [{"between": ["*", "*"], "normal": normal, **({"friction": rough} if mu > 0 else {})},
                  {"between": ["grain", "glass"], "normal": normal}]
    shapes = {**{shape_of_size(size): {"type": "sphere", "radius": DIAMETER / 2 * size} for size in sizes},
              "rod": {"type": "capsule", "radius": DIAMETER / 2, "length": DIAMETER * (DEPTH - 1 - 2 * CLEAR)}}
    bodies = walls + [{"name": name, "shape": shape_of_size(size), "material": "grain",
                       "position": [DIAMETER * c for c in place]}
                      for name, size, place in zip(names(len(places)), itertools.cycle(sizes), places)]
    sides = [plane("front", (0, 0, 0), (0, 1, 0), "glass"), plane("back", (0, DEPTH, 0), (0, -1, 0), "glass")]
    return {
        "gravity": [0, 0, -GRAVITY],
        "time": {"end": end, "step": STEP},
        "integrator": {"type": "variational", "alpha": 0.5},
        "materials": {"grain": elastic, "wall": elastic, "glass": {"density": DENSITY}},
        "shapes": shapes, "bodies": bodies, "boundaries": sides + boundaries, "interfaces": interfaces,
        "solver": {"newton": {"relative": 1e-6}},
        "output": output,
    }
