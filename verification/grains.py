"""Beds of a few hundred equal grains in a slice between two smooth planes: what hopper_discharge and heap_slope share.

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


def plane(name, point, normal, material, **more):
    return {"name": name, "type": "plane", "point": [DIAMETER * c for c in point], "normal": list(normal),
            "material": material, **more}


def block(name, low, high):
    """A fixed block; shape and body."""
    size = [DIAMETER * (b - a) for a, b in zip(low, high)]
    middle = [DIAMETER * (a + b) / 2 for a, b in zip(low, high)]
    return ({name: {"type": "box", "size": size}},
            {"name": name, "shape": name, "material": "wall", "position": middle, "fixed": True})


def loose(count, seed, half_width, floor):
    """Places of the centres: a wide lattice from `floor` upwards within |x| < half_width, each place somewhat off."""
    pitch, off = 1.25, 0.1
    draw = random.Random(seed)
    columns, rows = int((2 * half_width - 1.1 - 2 * off) / pitch) + 1, int((DEPTH - 1.1 - 2 * off) / pitch) + 1
    layers = math.ceil(count / columns / rows)
    lattice = itertools.product(range(layers), range(columns), range(rows))
    return [[pitch * (i - (columns - 1) / 2) + draw.uniform(-off, off),
             DEPTH / 2 + pitch * (j - (rows - 1) / 2) + draw.uniform(-off, off),
             floor + pitch * k + draw.uniform(-off, off)] for k, i, j in itertools.islice(lattice, count)]


def names(count):
    return [f"grain{k}" for k in range(count)]


def deck(places, mu, walls, boundaries, end, output):
    """Grains at `places`, named names(), between the planes y = 0 and y = DEPTH, which are smooth; friction mu on each
    other and on all else. `walls` are fixed blocks (see block)."""
    normal = {"law": "hertz", "restitution": RESTITUTION}
    rough = {"static": mu, "dynamic": mu, "stiffness": "mindlin"}
    interfaces = [{"between": ["*", "*"], "normal": normal, **({"friction": rough} if mu > 0 else {})},
                  {"between": ["grain", "glass"], "normal": normal},
                  # Blocks do not move; the deck has to say something of them.
                  {"between": ["wall", "wall"], "normal": {"law": "barrier", "threshold": 1e-5, "stiffness": 1e12}}]
    shapes, bodies = {"grain": {"type": "sphere", "radius": DIAMETER / 2}}, []
    for shape, body in walls:
        shapes |= shape
        bodies.append(body)
    bodies += [{"name": name, "shape": "grain", "material": "grain", "position": [DIAMETER * c for c in place]}
               for name, place in zip(names(len(places)), places)]
    sides = [plane("front", (0, 0, 0), (0, 1, 0), "glass"), plane("back", (0, DEPTH, 0), (0, -1, 0), "glass")]
    return {
        "gravity": [0, 0, -GRAVITY],
        "time": {"end": end, "step": STEP},
        "integrator": {"type": "variational", "alpha": 0.5},
        "materials": {"grain": {"density": DENSITY, "young": YOUNG, "poisson": POISSON}, "wall": {"density": DENSITY},
                      "glass": {"density": DENSITY}},
        "shapes": shapes, "bodies": bodies, "boundaries": sides + boundaries, "interfaces": interfaces,
        "solver": {"newton": {"relative": 1e-6}},
        "output": output,
    }
