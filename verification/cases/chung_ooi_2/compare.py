"""An elastic sphere, straight onto a rigid plane."""
import sphere_impacts
from reference_sphere import Ball

MATERIALS = {"aluminium": (70e9, 0.30, 2699), "magnesium": (40e9, 0.35, 1800)}
RADIUS, SPEED = 0.10, 0.2


def compare(case):
    shots = [sphere_impacts.Impact(name, Ball(RADIUS, *constants), (0.0, -SPEED))
             for name, constants in MATERIALS.items()]
    run = case.run(sphere_impacts.deck_of(shots, histories=True), "variational")
    sphere_impacts.elastic_figures(case, shots, run, "")
