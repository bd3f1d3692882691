"""A sphere straight onto a rigid plane, with restitution."""
import sphere_impacts
from reference_sphere import Ball

MATERIALS = {"oxide": (380e9, 0.23, 4000), "iron": (100e9, 0.25, 7000)}
RADIUS, SPEED = 2.5e-3, 3.9
ASKED = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def compare(case):
    shots = []
    for name, constants in MATERIALS.items():
        ball = Ball(RADIUS, *constants)
        for clamp in (False, True):
            # Critical damping with a damper that may not pull parts with exp(-2): see restitution_realised.
            shots += [sphere_impacts.Impact(f"{name}_{'clamp' if clamp else 'pull'}_{round(10 * e)}", ball,
                                            (0.0, -SPEED), restitution=e, no_tension=clamp)
                      for e in ASKED if e > 0 or not clamp]
    # Twelve contacts' time: with e = 0 the sphere creeps out, its speed falls as t^-5.
    for shot, result in zip(shots, sphere_impacts.fire(case, shots, "variational", contacts=12)):
        case.equal(f"{shot.name}: restitution", sphere_impacts.rebound(result) / SPEED, shot.restitution,
                   "required; the time error of the damper's start, x^(1/4), is below 1e-4", absolute=1e-3)
    elastic = [shot for shot in shots if shot.restitution == 1 and shot.no_tension]
    run = case.run(sphere_impacts.deck_of(elastic, histories=True), "elastic")
    sphere_impacts.elastic_figures(case, elastic, run, ", e = 1")
