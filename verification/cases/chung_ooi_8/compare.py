"""A spinning sphere straight onto one that is five times larger and nearly fixed."""
import harness
import sphere_impacts
from reference_sphere import Ball
from judging import largest

LARGE, HEAVY, STIFF = 0.5, 1000.0, 1000.0
SWEEP = (0.35, 0.55, 0.77, 1.19, 2.09, 4.52, 7.82, 11.9, 24.0)  # q of test 6
LIMITS = {"A": "stored", "B": "spring"}  # of the codes that the digitised points are from


def compare(case):
    six = harness.load("chung_ooi_6")
    digitised = sphere_impacts.curves(case.folder)
    points = six.abscissae(digitised)
    values = sorted({q for rows in points.values() for q, _, _ in rows} | set(SWEEP))
    materials = dict(six.MATERIALS)
    young, _, density = materials["alloy"]
    materials["fitted_alloy"] = (young, six.FITTED, density)
    shots = {}
    for name, (young, poisson, density) in materials.items():
        ball = Ball(six.RADIUS, young, poisson, density)
        partners = {"A": Ball(LARGE, STIFF * young, poisson, HEAVY * density),
                    "B": Ball(LARGE, young, poisson, HEAVY * density)}
        for target, partner in partners.items():
            for q in values:
                shots[name, target, q] = six.impact(f"{name}_{target}", ball, q, LIMITS[target], partner)
                shots[name, "plane " + target, q] = six.impact(f"{name}_plane_{target}", ball, q, LIMITS[target])
    # The plane has a deck of its own: it would cut through the large spheres.
    results = {}
    for name, partner in (("plane", False), ("large", True)):
        some = {key: shot for key, shot in shots.items() if (shot.partner is not None) == partner}
        results |= zip(some, sphere_impacts.fire(case, list(some.values()), name, per_contact=six.STEPS))
    measured = {key: six.figures(result, shots[key]) for key, result in results.items()}
    for name in materials:
        for target in "AB":
            what = f"{name} {target}"
            keys = [(name, target, q) for q in values]
            integrated = {key: shots[key].reference(steps=six.STEPS) for key in keys}
            for k, (figure, span) in enumerate((("beta", 1.0), ("recoil", 8.4))):
                case.at_most(f"{what}: {figure}, farthest from the integrated law, part of the range",
                             sphere_impacts.worst([measured[key][k] for key in keys],
                                                  [six.figures(integrated[key], shots[key])[k] for key in keys]) / span,
                             2e-3, "the same law, Runge-Kutta; the step")
                case.at_most(f"{what}: {figure}, farthest from the sphere on a rigid plane, part of the range",
                             sphere_impacts.worst([measured[key][k] for key in keys],
                                                  [measured[name, "plane " + target, q][k] for q in values]) / span, 5e-3,
                             "only k_t / k_n and the ratio of damping count; the overlap's lever is left")
            case.at_most(f"{what}: restitution, farthest from {six.E}",
                         largest(abs(sphere_impacts.rebound(results[key]) / six.SPEED - six.E) for key in keys), 1e-3,
                         "required")
            for q in (q for q in values if q <= six.SLIDING):
                kept = 1 - q * (1 + 2.5 * integrated[name, target, q]["lever"]) / 3.5
                case.equal(f"{what}, q = {q:.3g}: beta", measured[name, target, q][0], -kept,
                           "balance of momentum while sliding", absolute=1e-3)
                case.equal(f"{what}, q = {q:.3g}: recoil", measured[name, target, q][1], kept * six.SCALE / q / six.E,
                           "balance of momentum while sliding", relative=1e-3, absolute=1e-3)
    spans = {"beta": sphere_impacts.extent(sphere_impacts.curves(case.folder.parent / "chung_ooi_6")["alloy", "beta"]),
             "recoil": 8.4}
    for (key, figure), rows in points.items():
        name, target = key.split("_")
        k = ("beta", "recoil").index(figure)
        judged = "fitted_alloy" if target == "A" else name
        sphere_impacts.against_curve(case, f"{judged} {target}: {figure}",
                                     [measured[judged, target, q][k] for q, _, _ in rows],
                                     [(x, y) for _, x, y in rows], spans[figure],
                                     f'digitised; limit "{LIMITS[target]}", the range is that of test 6\'s curve')
        if judged != name:
            away = sphere_impacts.worst([measured[name, target, q][k] for q, _, _ in rows], [y for _, _, y in rows])
            case.tell(f"{name} {target}: {figure} with its own Poisson's ratio, farthest from {len(rows)} digitised "
                      "points, part of the range", f"{away / spans[figure]:.4f}")
