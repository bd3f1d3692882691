"""A micro-sphere obliquely onto a rigid plane, elastic, with friction."""
import math

import sphere_impacts
from reference_sphere import Ball

MATERIALS = {"steel": (208e9, 0.30, 7850), "polyethylene": (1e9, 0.40, 1400)}
RADIUS, SPEED, MU = 1e-5, 5.0, 0.3
SLIDING = 7.0  # from here on it slides all along, whatever the tangential spring
QUANTITIES = ("y1", "y2")
FITTED = {"steel": 0.42, "polyethylene": 0.39}  # constant stiffness, part of Mindlin's at the largest overlap


def impact(name, ball, x):
    return sphere_impacts.Impact(f"{name}_{x:g}", ball, (x * MU * SPEED, -SPEED), mu=MU)


def figures(result):
    """y1, y2: patch velocity over mu times that of rebound; surface speed of the spin over mu times the approach."""
    patch = result["velocity"][0] + result["spin"] * RADIUS
    return patch / (MU * result["velocity"][1]), RADIUS * result["spin"] / (MU * SPEED)


def similar(name, ball, x):
    """An impact in whose curve the digitised one is hidden: that one has half of Mindlin's stiffness, and a spring that
    keeps its force. In the equations only (1 + m R^2 / I) k_t counts, so that I = 4/3 m R^2 in place of 2/5 m R^2 with
    all of Mindlin's stiffness is the same problem, in half of x and y1."""
    return sphere_impacts.Impact(f"{name}_similar_{x:g}", ball, (x / 2 * MU * SPEED, -SPEED), mu=MU, spring="force")


def constant(name, ball, x):
    """The original sphere on a constant tangential spring that is fitted to the digitised curves, one number for both."""
    pair = sphere_impacts.sphere.Pair(ball)
    mindlin = 8 * pair.shear * math.sqrt(pair.radius * pair.largest_overlap(SPEED))
    return sphere_impacts.Impact(f"{name}_constant_{x:g}", ball, (x * MU * SPEED, -SPEED), mu=MU,
                                 stiffness=FITTED[name] * mindlin)


def of_similar(result, x):
    """y1 and y2 of the digitised problem; y2 by the balance of momentum and spin."""
    y1 = 2 * figures(result)[0]
    return y1, -2.5 / 3.5 * (x - y1)


def compare(case):
    digitised = sphere_impacts.curves(case.folder)
    abscissae = sorted({x for points in digitised.values() for x, _ in points} | {7.0, 8.0, 12.0})
    balls = {name: Ball(RADIUS, *constants) for name, constants in MATERIALS.items()}
    slow = {name: Ball(RADIUS, *constants, gyration=4 / 3) for name, constants in MATERIALS.items()}
    shots = {(name, x): impact(name, ball, x) for name, ball in balls.items() for x in abscissae}
    measured = {key: figures(result)
                for key, result in zip(shots, sphere_impacts.fire(case, list(shots.values()), "abscissae"))}
    alike = {(name, x): similar(name, ball, x) for name, ball in slow.items() for x in abscissae}
    curve = {key: of_similar(result, key[1])
             for key, result in zip(alike, sphere_impacts.fire(case, list(alike.values()), "similar"))}
    fitted = {(name, x): constant(name, ball, x) for name, ball in balls.items() for x in abscissae}
    spring = {key: figures(result)
              for key, result in zip(fitted, sphere_impacts.fire(case, list(fitted.values()), "constant"))}
    for name in MATERIALS:
        integrated = {x: shots[name, x].reference() for x in abscissae}
        for k, quantity in enumerate(("y1", "y2")):
            points = digitised[name, quantity]
            span = sphere_impacts.extent(points, 0.0)
            case.at_most(f"{name}: {quantity}, farthest from the integrated law, part of the range",
                         sphere_impacts.worst([measured[name, x][k] for x in abscissae],
                                              [figures(integrated[x])[k] for x in abscissae]) / span, 2e-3,
                         "the same law, Runge-Kutta; the step")
            sphere_impacts.against_curve(case, f"{name}: {quantity}, similar problem",
                                         [curve[name, x][k] for x, _ in points], points, span,
                                         "digitised, of a law with half the tangential stiffness")
            away = sphere_impacts.worst([spring[name, x][k] for x, _ in points], [y for _, y in points])
            case.tell(f"{name}: {quantity}, the original sphere on a constant, fitted spring: farthest from the digitised "
                      "points, part of the range", f"{away / span:.4f}")
        for x in (x for x in abscissae if x >= SLIDING):
            lever = integrated[x]["lever"]
            case.equal(f"{name}, x = {x:g}: y1", measured[name, x][0], x - 2 * (1 + 2.5 * lever),
                       "balance of momentum while sliding, at the mean lever", absolute=2e-5)
            case.equal(f"{name}, x = {x:g}: y2", measured[name, x][1], -5 * lever,
                       "balance of momentum while sliding, at the mean lever", relative=1e-4)
