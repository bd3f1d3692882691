"""A spinning sphere straight onto a rigid plane, with restitution and friction."""
import sphere_impacts
from reference_sphere import Ball, damping_ratio
from judging import largest

MATERIALS = {"alloy": (70e9, 0.33, 2700), "nylon": (2.5e9, 0.40, 1000)}
RADIUS, SPEED, MU, E = 0.1, 0.2, 0.4, 0.5
SCALE = 3.5 * MU * (1 + E)  # q = SCALE V_cn / V_st
SLIDING = 0.8  # largest q at which it slides all along
LIMITS = {"alloy": "stored", "nylon": "spring"}  # of the codes that the digitised curves are from, see README
FITTED = 0.17  # Poisson's ratio that the curves of the alloy under "stored" need
STEPS = 1600  # per contact: what slides is decided per step, which is of order 1


def impact(name, ball, q, limit, partner=None):
    """Spins so that V_st = SCALE V_cn / q. The dashpots have one ratio; neither is limited, nor counts in the limit."""
    return sphere_impacts.Impact(f"{name}_{q:.4g}", ball, (0.0, -SPEED), spin=SCALE * SPEED / q / ball.radius,
                                 partner=partner, restitution=E, no_tension=False, mu=MU, spring="slip",
                                 dashpot_ratio=damping_ratio(E, False), limit=limit, elastic_limit=True)


def figures(result, shot):
    """beta = -V'_st / V_st and V'_st / V'_cn."""
    patch = sphere_impacts.patch_velocity(result, shot)
    return -patch / (shot.spin * shot.ball.radius), patch / sphere_impacts.rebound(result)


def abscissae(points):
    """{(curve, quantity): [(q, x, y)]}."""
    return {key: [(x if key[1] == "beta" else SCALE / x, x, y) for x, y in rows] for key, rows in points.items()}


def compare(case):
    digitised = sphere_impacts.curves(case.folder)
    points = abscissae(digitised)
    balls = {name: Ball(RADIUS, *constants) for name, constants in MATERIALS.items()}
    young, _, density = MATERIALS["alloy"]
    balls["fitted alloy"] = Ball(RADIUS, young, FITTED, density)
    limits = LIMITS | {"fitted alloy": LIMITS["alloy"]}
    values = sorted({q for rows in points.values() for q, _, _ in rows})
    shots = {(name, q): impact(name.replace(" ", "_"), ball, q, limits[name]) for name, ball in balls.items()
             for q in values}
    results = dict(zip(shots, sphere_impacts.fire(case, list(shots.values()), "spins", per_contact=STEPS)))
    measured = {key: figures(result, shots[key]) for key, result in results.items()}
    for name in balls:
        integrated = {q: shots[name, q].reference(steps=STEPS) for q in values}
        exact = {q: figures(result, shots[name, q]) for q, result in integrated.items()}
        for k, (what, span) in enumerate((("beta", 1.0), ("recoil", 8.4))):
            case.at_most(f"{name}: {what}, farthest from the integrated law, part of the range",
                         sphere_impacts.worst([measured[name, q][k] for q in values],
                                              [exact[q][k] for q in values]) / span, 2e-3,
                         "the same law, Runge-Kutta; the step")
        case.at_most(f"{name}: restitution, farthest from {E}",
                     largest(abs(sphere_impacts.rebound(results[name, q]) / SPEED - E) for q in values), 5e-4, "the time error")
        for q in (q for q in values if q <= SLIDING):
            # beta = q - 1 and recoil (x - SCALE) / e, with the lever of friction 1 - lever short of the radius.
            kept = 1 - q * (1 + 2.5 * integrated[q]["lever"]) / 3.5
            case.equal(f"{name}, q = {q:.3g}: beta", measured[name, q][0], -kept, "balance of momentum while sliding",
                       absolute=1e-3)
            case.equal(f"{name}, q = {q:.3g}: recoil", measured[name, q][1], kept * SCALE / q / E,
                       "balance of momentum while sliding", relative=1e-3, absolute=1e-3)
    for (name, what), rows in points.items():
        k = ("beta", "recoil").index(what)
        # Nylon's digitised recoil continues like the alloy's.
        span = sphere_impacts.extent(digitised[name, what] + digitised["alloy", what])
        judged = "fitted alloy" if name == "alloy" else name
        sphere_impacts.against_curve(case, f"{judged}: {what}", [measured[judged, q][k] for q, _, _ in rows],
                                     [(x, y) for _, x, y in rows], span,
                                     f'digitised; limit "{limits[name]}", as the code that it is from')
        if judged != name:
            away = sphere_impacts.worst([measured[name, q][k] for q, _, _ in rows], [y for _, _, y in rows])
            case.tell(f"{name}: {what} with its own Poisson's ratio, farthest from {len(rows)} digitised points, part of "
                      "the range", f"{away / span:.4f}")
