"""Beds of a few hundred equal grains in a slice between two smooth planes: what hopper_discharge and heap_slope share.

Lengths are in grain diameters. Hooke's contacts, soft enough for steps of a tenth of a contact.
"""
import math

DIAMETER, DENSITY, GRAVITY = 0.01, 2500.0, 9.81
MASS = DENSITY * math.pi * DIAMETER ** 3 / 6
CONTACT = 2e-3  # duration of a contact of two grains [s]
STIFFNESS = 0.5 * MASS * (math.pi / CONTACT) ** 2
STEP = CONTACT / 10
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


def deck(count, seed, mu, region, walls, boundaries, end, output):
    """Grains generated in `region` ((low, high) corners, for their centres) between the planes y = 0 and y = DEPTH,
    which are smooth; friction mu on each other and on all else. `walls` are fixed blocks (see block)."""
    normal = {"law": "hooke", "stiffness": STIFFNESS, "restitution": RESTITUTION}
    rough = {"static": mu, "dynamic": mu, "stiffness": 2 / 7 * STIFFNESS}
    interfaces = [{"between": ["*", "*"], "normal": normal, **({"friction": rough} if mu > 0 else {})},
                  {"between": ["grain", "glass"], "normal": normal}]
    shapes, bodies = {"grain": {"type": "sphere", "radius": DIAMETER / 2}}, []
    for shape, body in walls:
        shapes |= shape
        bodies.append(body)
    bodies.append({"shape": "grain", "material": "grain", "count": count, "seed": seed,
                   "region": {"min": [DIAMETER * c for c in region[0]], "max": [DIAMETER * c for c in region[1]]}})
    sides = [plane("front", (0, 0, 0), (0, 1, 0), "glass"), plane("back", (0, DEPTH, 0), (0, -1, 0), "glass")]
    return {
        "gravity": [0, 0, -GRAVITY],
        "time": {"end": end, "step": STEP},
        "integrator": {"type": "variational", "alpha": 0.5},
        "materials": {"grain": {"density": DENSITY}, "wall": {"density": DENSITY}, "glass": {"density": DENSITY}},
        "shapes": shapes, "bodies": bodies, "boundaries": sides + boundaries, "interfaces": interfaces,
        "solver": {"newton": {"relative": 1e-6}},
        "output": output,
    }
