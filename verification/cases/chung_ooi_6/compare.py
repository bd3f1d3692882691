"""A spinning sphere straight onto a rigid plane, with restitution and friction."""
import math

import sphere_impacts
from reference_sphere import Ball, damping_ratio

MATERIALS = {"alloy": (70e9, 0.33, 2700), "nylon": (2.5e9, 0.40, 1000)}
RADIUS, SPEED, MU, E = 0.1, 0.2, 0.4, 0.5
SCALE = 3.5 * MU * (1 + E)  # q = SCALE V_cn / V_st
SLIDING = 0.8  # largest q at which it slides all along
ALIKE = 1.0  # largest q at which the digitised figures do not depend on the tangential dashpot


def mean_dashpot(pair):
    """2 xi sqrt(k_t m*) at the mean overlap of the undamped impact over its impulse, B(7/5, 1/2) / 2 of the largest
    [N s/m]: the digitised curves have a tangential dashpot of the normal one's ratio, the deck has a constant one."""
    mean = math.gamma(1.4) * math.gamma(0.5) / (2 * math.gamma(1.9)) * pair.largest_overlap(SPEED)
    return 2 * damping_ratio(E, True) * math.sqrt(8 * pair.shear * math.sqrt(pair.radius * mean) * pair.mass)


def impact(name, ball, q, partner=None):
    """Spins so that V_st = SCALE V_cn / q."""
    shot = sphere_impacts.Impact(f"{name}_{q:.4g}", ball, (0.0, -SPEED), spin=SCALE * SPEED / q / ball.radius,
                                 partner=partner, restitution=E, mu=MU)
    return sphere_impacts.dataclasses.replace(shot, dashpot=mean_dashpot(shot.pair))


def figures(result, shot):
    """beta = -V'_st / V_st and V'_st / V'_cn."""
    patch = sphere_impacts.patch_velocity(result, shot)
    return -patch / (shot.spin * shot.ball.radius), patch / sphere_impacts.rebound(result)


def compare(case):
    digitised = sphere_impacts.curves(case.folder)
    points = {key: [(x if key[1] == "beta" else SCALE / x, x, y) for x, y in rows] for key, rows in digitised.items()}
    balls = {name: Ball(RADIUS, *constants) for name, constants in MATERIALS.items()}
    values = sorted({q for rows in points.values() for q, _, _ in rows})
    shots = {(name, q): impact(name, ball, q) for name, ball in balls.items() for q in values}
    results = dict(zip(shots, sphere_impacts.fire(case, list(shots.values()), "spins")))
    measured = {key: figures(result, shots[key]) for key, result in results.items()}
    for name in MATERIALS:
        integrated = {q: shots[name, q].reference() for q in values}
        exact = {q: figures(result, shots[name, q]) for q, result in integrated.items()}
        for k, (what, span) in enumerate((("beta", 1.0), ("recoil", 8.4))):
            case.at_most(f"{name}: {what}, farthest from the integrated law, part of the range",
                         sphere_impacts.worst([measured[name, q][k] for q in values],
                                              [exact[q][k] for q in values]) / span, 2e-3,
                         "the same law, Runge-Kutta; the step")
        case.at_most(f"{name}: restitution, farthest from {E}",
                     max(abs(sphere_impacts.rebound(results[name, q]) / SPEED - E) for q in values), 1e-3, "issue 3")
        for q in (q for q in values if q <= SLIDING):
            # beta = q - 1 and recoil (x - SCALE) / e, with the lever of friction 1 - lever short of the radius.
            kept = 1 - q * (1 + 2.5 * integrated[q]["lever"]) / 3.5
            case.equal(f"{name}, q = {q:.3g}: beta", measured[name, q][0], -kept, "balance of momentum while sliding",
                       absolute=1e-3)
            case.equal(f"{name}, q = {q:.3g}: recoil", measured[name, q][1], kept * SCALE / q / E,
                       "balance of momentum while sliding", relative=1e-3, absolute=1e-3)
        for k, what in enumerate(("beta", "recoil")):
            rows = points[name, what]
            judged = [row for row in rows if what == "recoil" or row[0] <= ALIKE]
            # Nylon's digitised recoil goes on as the alloy's.
            span = sphere_impacts.extent(digitised[name, what] + digitised["alloy", what])
            if judged:
                sphere_impacts.against_curve(case, f"{name}: {what}", [measured[name, q][k] for q, _, _ in judged],
                                             [(x, y) for _, x, y in judged], span, "digitised")
            away = sphere_impacts.worst([measured[name, q][k] for q, _, _ in rows], [y for _, _, y in rows])
            case.tell(f"{name}: {what}, farthest of all digitised points, part of the range", f"{away / span:.4f}")
