"""A controller: the force at which a block begins to slide, found from outside.

    ./scree python inputs/python/controlled_push.py [--short]

Loads of a deck are functions of time. What a script can do is choose: the state at rest is
restored, a force raised slowly and held, and according to whether the block then slides the next force is less or more. The force
found is that of static friction, mu m g (Coulomb). Writes controlled_push.csv.
"""
import copy
import sys

import scree

SHORT = "--short" in sys.argv
MU, MASS, GRAVITY = 0.5, 2.0, 9.81
SLIDES = 1e-3  # speed from which the block counts as sliding [m/s]
SETTLED, RAISED, HELD = 0.3, 0.4, 0.6  # [s]

DECK = {
    "gravity": [0, 0, -GRAVITY],
    "time": {"end": 10.0, "step": {"initial": 1e-4, "min": 1e-9, "max": 5e-3}},
    "materials": {"block": {"density": 2000}},
    "shapes": {"cube": {"type": "box", "size": [0.1, 0.1, 0.1]}},
    "bodies": [{"name": "block", "shape": "cube", "material": "block", "position": [0, 0, 0.0509]}],
    "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "block"}],
    "interfaces": [{"between": ["*", "*"],
                    "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e13, "exponent": 3, "barrier_fraction": 0.4,
                               "barrier_exponent": -2, "damping_ratio": 0.5},
                    "friction": {"static": MU, "dynamic": MU, "stiffness": 3e5, "damping": 100}}],
    "output": {"directory": "results/controlled_push"},
}


def pushed(force):
    """The deck with a force along x through the centre of mass [N]."""
    deck = copy.deepcopy(DECK)
    deck["loads"] = [{"type": "force", "body": "block", "value": [force, 0, 0], "ramp": [[SETTLED, 0], [RAISED, 1]]}]
    return deck


with scree.Simulation(pushed(0.0)) as sim:
    sim.run(until=SETTLED)  # comes to rest on the floor
    at_rest = sim.save()

low, high = 0.0, 2 * MU * MASS * GRAVITY
rows = []
while high - low > (0.5 if SHORT else 0.01):
    force = (low + high) / 2
    with scree.Simulation(pushed(force)) as sim:
        sim.restore(at_rest)
        sim.run(until=HELD)
        speed = float(sim.bodies.velocity[0, 0])
        grip = -float(sim.boundaries.force[0, 0])
    rows.append((force, speed, grip))
    low, high = (low, force) if speed > SLIDES else (force, high)
print(f"the block slides from {low:.3f} to {high:.3f} N on; mu m g = {MU * MASS * GRAVITY:.3f} N")
if not 0.999 * low <= MU * MASS * GRAVITY <= 1.001 * high:
    sys.exit("controlled_push.py: the force found is not that of friction")

with open("controlled_push.csv", "w", encoding="utf-8") as file:
    file.write("force,speed,friction\n")
    file.writelines(",".join(repr(value) for value in row) + "\n" for row in rows)
