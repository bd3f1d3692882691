"""The bin of this case, for the program and for LIGGGHTS."""
import math
import random

import slot_bin

COUNT = 500
HALF_AXES = (0.00678, 0.003595, 0.003595)  # Smarties: 13.56 mm, 7.19 mm
RADIUS = math.prod(HALF_AXES) ** (1 / 3)  # of the sphere of that volume
BIN = slot_bin.Bin(width=0.11, depth=0.03, slot=0.054, counted=0.06, opens=0.5, end=1.2, every=0.01, density=1338.0,
                   young=5e6, poisson=0.29, restitution=0.5)
PITCH = 0.0095  # of the lattice that spheres fall from


def spheres(seed):
    """Centres: a lattice, each place somewhat off."""
    draw, off = random.Random(seed), 0.0002
    across, deep = int(BIN.width / PITCH), int(BIN.depth / PITCH)
    return [[(i + 0.5) * BIN.width / across + draw.uniform(-off, off),
             (j + 0.5) * BIN.depth / deep + draw.uniform(-off, off), 0.006 + PITCH * k + draw.uniform(-off, off)]
            for k in range(math.ceil(COUNT / across / deep)) for i in range(across) for j in range(deep)][:COUNT]
