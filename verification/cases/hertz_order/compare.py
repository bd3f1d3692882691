"""Order in the step of impacts of tests 1, 3 and 4, within the contact and of whole collisions."""
import dataclasses
import math

import harness
import sphere_impacts
from reference_sphere import Ball, Pair
from judging import smallest

GLASS, OXIDE = Ball(0.010, 48e9, 0.20, 2800), Ball(2.5e-3, 380e9, 0.23, 4000)
MU, E = 0.092, 0.6
DEPTH = 0.3  # start of normal impacts with damping, part of the largest overlap
TIME = 0.5  # length, part of the undamped duration
COUNTS = (16, 32, 64, 128)  # steps within TIME
FINER = (64, 128, 256, 512)  # so that more than one step passes before sliding begins
WHOLE = (50, 100, 200, 400)  # steps per contact of whole collisions


def inside(name, ball, speed, partner=None, **options):
    """A normal impact that starts DEPTH deep, at the speed of an undamped one there."""
    pair = Pair(ball, partner) if partner else Pair(ball)
    left = math.sqrt(1 - DEPTH ** 2.5)
    return sphere_impacts.Impact(name, ball, (0.0, -speed * left), partner=partner,
                                 partner_velocity=(0.0, speed * left if partner else 0.0),
                                 overlap=DEPTH * pair.largest_overlap(speed * (2 if partner else 1)), **options)


def oblique(name, angle, **options):
    """An impact of test 4 that starts touching: a contact that is found deep has slipped by an unknown part of a step."""
    way = math.radians(angle)
    return sphere_impacts.Impact(name, OXIDE, (3.9 * math.sin(way), -3.9 * math.cos(way)), mu=MU, **options)


def impacts():
    """{name: (impacts, order, tolerance, why)}; a tolerance None: at least that order. Friction at 1 degree sticks, around
    60 degrees slides."""
    smooth = "variational 1/2, smooth within the contact"
    first = "at least the first: the slip of a step counts with the stiffness at its end while the overlap grows"
    return {
        "test_1": ([inside("test_1", GLASS, 10.0, partner=GLASS)], 2.0, 0.02, smooth),
        "test_3": ([inside("test_3", OXIDE, 3.9, restitution=E)], 2.0, 0.02, smooth),
        "test_4_sticks": ([oblique("test_4_sticks", 1, overlap=0.0)], 0.85, None, first),
        "test_4_sticks_slip": ([oblique("test_4_sticks_slip", 1, spring="slip", overlap=0.0)], 1.7, None,
                               "variational 1/2; the force at contact onset rises as x^(1/2)"),
        "test_4_slides": ([oblique(f"test_4_slides_{k}", 50 + k, overlap=0.0) for k in range(24)], 1.7, None,
                          "variational 1/2; sliding begins anywhere within a step")}


def normal_error(result, exact, shot):
    """Of overlap (part of the largest one) and speed (part of the approach)."""
    return max(abs(result["place"][1] - exact["place"][1]) / shot.pair.largest_overlap(shot.closing),
               abs(result["velocity"][1] - exact["velocity"][1]) / shot.closing)


def tangential_error(result, exact, shot):
    """Of velocity and surface speed, part of the tangential velocity at the start."""
    return max(abs(result["velocity"][0] - exact["velocity"][0]),
               abs(result["spin"] - exact["spin"]) * shot.ball.radius) / shot.velocity[0]


def order_within(case, name, shots, counts=COUNTS):
    """Judges that there is an error to measure. Returns the order of its root mean square over the impacts."""
    end = TIME * smallest(shot.pair.duration(shot.closing) for shot in shots)
    exact = [shot.reference(end=end, steps=8000) for shot in shots]
    error = tangential_error if shots[0].mu else normal_error
    errors = []
    for count in counts:
        results = sphere_impacts.fire(case, shots, f"{name}_{count}", per_contact=count, end=end)
        errors.append(harness.rms(error(*each) for each in zip(results, exact, shots)))
    case.tell(f"{name}: error for {', '.join(map(str, counts))} steps", ", ".join(f"{e:.2e}" for e in errors))
    case.at_least(f"{name}: error of the coarsest steps", errors[0], 1e-5, "or there is nothing to measure")
    return -harness.slope([math.log(c) for c in counts], [math.log(e) for e in errors])


def within(case):
    for name, (shots, order, tolerance, why) in impacts().items():
        measured = order_within(case, name, shots, FINER if name == "test_4_slides" else COUNTS)
        if tolerance is None:
            case.at_least(f"{name}: order", measured, order, why)
        else:
            case.equal(f"{name}: order", measured, order, why, absolute=tolerance)


def whole(case):
    """Figures of whole collisions: the dashpot starts as x^(1/4), which no step resolves to order 2."""
    shots = [sphere_impacts.Impact("e_1", OXIDE, (0.0, -3.9)),
             sphere_impacts.Impact("e_06", OXIDE, (0.0, -3.9), restitution=E),
             oblique("degrees_10", 10, spring="slip", restitution=0.98), oblique("degrees_60", 60, restitution=0.98)]
    exact = [shot.reference(steps=8000) for shot in shots]
    errors = {shot.name: [] for shot in shots}
    for count in WHOLE:
        results = sphere_impacts.fire(case, shots, f"whole_{count}", per_contact=count)
        for shot, result, right in zip(shots, results, exact):
            errors[shot.name].append(max(math.dist(result["velocity"], right["velocity"]),
                                         abs(result["spin"] - right["spin"]) * shot.ball.radius) / 3.9)
    for name, row in errors.items():
        case.tell(f"whole collision {name}: error for {', '.join(map(str, WHOLE))} steps per contact",
                  ", ".join(f"{e:.2e}" for e in row))
        case.at_most(f"whole collision {name}: error of the finest over that of the coarsest, eight times longer steps",
                     row[-1] / row[0], 0.25, "at least of order 1 on the whole; single figures depend on the phase")


def compare(case):
    within(case)
    whole(case)
