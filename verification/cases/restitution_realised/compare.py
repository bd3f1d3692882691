"""Realised against asked restitution of Hooke's and Hertz's law."""
import math

import sphere_impacts
from reference_sphere import Ball, realised

ASKED = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
RADIUS, SPEED = 0.01, 1.0
BALL = Ball(RADIUS, 1e8, 0.3, 2500)


def normal(law, e, clamp, stiffness):
    common = {"restitution": e, "no_tension": clamp}
    return {"law": "hooke", "stiffness": stiffness, **common} if law == "hooke" else {"law": "hertz", **common}


def compare(case):
    # A linear contact as long as Hertz's.
    pair = sphere_impacts.Impact("any", BALL, (0.0, -SPEED)).pair
    stiffness = BALL.mass * (math.pi / pair.duration(SPEED)) ** 2
    shots = [sphere_impacts.Impact(f"{law}_{'clamp' if clamp else 'pull'}_{round(100 * e)}", BALL, (0.0, -SPEED),
                                   restitution=e, no_tension=clamp, normal=normal(law, e, clamp, stiffness))
             for law in ("hooke", "hertz") for clamp in (False, True) for e in ASKED]
    # Critical damping that may pull creeps for ever. The others have finer steps: Hooke's dashpot jumps at touch, in the
    # middle of a step, which costs an error of order h.
    creep = [shot for shot in shots if shot.restitution == 0 and not shot.no_tension]
    shots = [shot for shot in shots if shot not in creep]
    results = (list(zip(creep, sphere_impacts.fire(case, creep, "creep", contacts=12)))
               + list(zip(shots, sphere_impacts.fire(case, shots, "asked", per_contact=1600, contacts=4))))
    for shot, result in results:
        critical = shot.restitution == 0 and shot.no_tension
        expected = realised(math.sqrt(5 / 6), True) if critical else shot.restitution
        case.equal(f"{shot.name}: restitution", sphere_impacts.rebound(result) / SPEED, expected,
                   "required" if not critical else "critical damping that may not pull", absolute=1e-3)
    for speed in (SPEED / 100, SPEED * 100):
        shots = [sphere_impacts.Impact(f"hertz_{'clamp' if clamp else 'pull'}_speed_{speed:g}", BALL, (0.0, -speed),
                                       restitution=0.5, no_tension=clamp) for clamp in (False, True)]
        for shot, result in zip(shots, sphere_impacts.fire(case, shots, f"speed_{speed:g}", contacts=4)):
            case.equal(f"{shot.name}: restitution", sphere_impacts.rebound(result) / speed, 0.5,
                       "no speed enters", absolute=1e-3)
