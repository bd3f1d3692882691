"""Halves the step of everything that is not chaotic, and looks at what its figures do."""
import math

import harness
import sphere_impacts
from reference_sphere import Ball
from judging import largest

# The orders that docs/integrators.md, section 1, gives.
INTEGRATORS = {
    "Newmark .3/.5": ({"type": "newmark", "beta": 0.3, "gamma": 0.5}, 2),
    "variational 1/2": ({"type": "variational", "alpha": 0.5}, 2),
    "trapezoidal 1/2": ({"type": "trapezoidal", "phi": 0.5}, 2),
    "trapezoidal 1": ({"type": "trapezoidal", "phi": 1}, 1),
}
HALVINGS = 5  # runs; the first pair of differences may lie before the order shows
NEAR = 0.25  # of the order, over the last two halvings
COLUMNS = ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz")
STEEL, OXIDE = Ball(1e-5, 208e9, 0.30, 7850), Ball(2.5e-3, 380e9, 0.23, 4000)


def base(integrator, end, step):
    return {"gravity": [0, 0, 0], "integrator": integrator, "time": {"end": end, "step": step},
            "solver": {"newton": {"relative": 1e-13, "absolute": 1e-18}}, "output": {"final_state": "final.csv"}}


def top(integrator, part):
    """A free asymmetric top, 4 s (of free_top_variational)."""
    deck = base(integrator, 4.0, 0.1 * part)
    deck["materials"] = {"any": {"density": 1000}}
    deck["shapes"] = {"ball": {"type": "sphere", "radius": 0.5}}
    deck["bodies"] = [{"name": "top", "shape": "ball", "material": "any", "position": [0, 0, 0], "mass": 1.0,
                       "inertia": [1.0, 2.0, 3.0], "angular_velocity": [0.15, 1.2, 0.9]}]
    return deck


def bonded(integrator, part):
    """Three spheres around a corner, bonded, the last one drawn away: 3 units of time of a bond."""
    stiffness, mass = 1e5, 1.0
    unit = math.sqrt(mass / stiffness)
    deck = base(integrator, 3 * unit, 0.05 * unit * part)
    deck["materials"] = {"any": {"density": 1000}}
    deck["shapes"] = {"ball": {"type": "sphere", "radius": 0.05}}
    deck["bodies"] = [{"name": name, "shape": "ball", "material": "any", "position": place, "mass": mass,
                       "velocity": velocity}
                      for name, place, velocity in (("a", [0, 0, 0], [0, 0, 0]), ("b", [0.1002, 0, 0], [0, 0.2, 0]),
                                                    ("c", [0.17, 0.0715, 0], [0.5, 0.3, 0.1]))]
    deck["interfaces"] = [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": stiffness, "damping": 0}}]
    deck["bonds"] = {"stiffness": stiffness, "within": 0.01}
    return deck


def spinning(integrator, part):
    """Campello's example 5.1 with its spring at rest from the start: a ball that rolls back and forth on its tangential
    spring, in overlap, 20 ms."""
    deck = base(integrator, 0.02, 1e-4 * part)
    deck["materials"] = {"ball": {"density": 1000}, "rigid": {"density": 1000}}
    deck["shapes"] = {"ball": {"type": "sphere", "radius": 0.2}}
    deck["gravity"] = [0, -9.81, 0]
    deck["bodies"] = [{"name": "ball", "shape": "ball", "material": "ball", "mass": 1000.0,
                       "position": [0, 0.1995, 0], "velocity": [0.1, 0, 0.05], "angular_velocity": [0.3, 0.2, 0.1]}]
    deck["boundaries"] = [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 1, 0],
                           "material": "rigid"}]
    deck["interfaces"] = [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 5e7, "damping": 0},
                           "friction": {"static": 0.9, "dynamic": 0.9, "stiffness": 2e7}}]
    return deck


def pair(integrator, part, damping=0.0):
    """Two spheres that meet obliquely and turn about each other, until the middle of the contact; in overlap from the
    start, or else a dashpot jumps within a step."""
    deck = base(integrator, 2.5e-3, 2.5e-3 / 20 * part)
    deck["materials"] = {"any": {"density": 1000}}
    deck["shapes"] = {"large": {"type": "sphere", "radius": 0.05}, "small": {"type": "sphere", "radius": 0.03}}
    deck["bodies"] = [{"name": "a", "shape": "large", "material": "any", "position": [0, 0, 0],
                       "velocity": [1, 0.3, 0.2], "angular_velocity": [3, 20, -5]},
                      {"name": "b", "shape": "small", "material": "any", "position": [0.05, 0.0602, 0.01],
                       "velocity": [0, -2, 0], "angular_velocity": [0, -4, 30]}]
    deck["interfaces"] = [{"between": ["*", "*"],
                           "normal": {"law": "hooke", "stiffness": 1e5, "damping": damping}}]
    return deck


def damped_pair(integrator, part):
    return pair(integrator, part, 200.0)


def impacts(*shots, steps=40):
    """Whole collisions, each from the same phase of the step: that many steps per contact and more."""
    return lambda integrator, part: sphere_impacts.deck_of(list(shots), per_contact=steps / part, integrator=integrator)


def oblique(name, x, **options):
    """Test 5 of Chung and Ooi."""
    return sphere_impacts.Impact(f"{name}_{x:g}", STEEL, (x * 1.5, -5.0), mu=0.3, **options)


SMOOTH = ("a free top", top), ("bonded spheres", bonded), ("a ball on a tangential spring", spinning), \
    ("two spheres in contact", pair), ("two spheres in contact, dashpot", damped_pair)
# Whole collisions begin and end within a step. What is known of them: (name, deck, least order of the methods of order 2, why).
WHOLE = (
    ("test 1, elastic impact", impacts(sphere_impacts.Impact("elastic", OXIDE, (0.0, -3.9))), 2,
     "Hertz's force begins with slope 0"),
    ("test 3, e = 0.6", impacts(sphere_impacts.Impact("damped", OXIDE, (0.0, -3.9), restitution=0.6), steps=160), 1.25,
     "the dashpot begins as x^(1/4): 5/4 (hertz_order)"),
    ("test 5, sliding", impacts(*(oblique("slides", 7.5 + k, spring="slip") for k in range(4))), 2,
     "friction follows the normal force"),
    ("test 5, sticking first", impacts(*(oblique("sticks", 0.5 + 0.7 * k, spring="slip") for k in range(4))), 1,
     "it begins to slide anywhere within a step"),
)


def figures(run):
    table = run.history("final.csv")
    return {c: table[c] for c in COLUMNS}


def difference(a, b):
    """Root mean square over bodies of velocities and spins; spins times the ratio of the largest ones, so that both count."""
    speed = largest(abs(v) for c in COLUMNS[3:6] for v in b[c])
    spin = largest(abs(v) for c in COLUMNS[6:] for v in b[c])
    parts = [(x - y) / scale for columns, scale in ((COLUMNS[3:6], speed), (COLUMNS[6:], spin)) if scale > 0
             for c in columns for x, y in zip(a[c], b[c])]
    return harness.rms(parts)


def orders(case, deck_of, name, integrator):
    """(differences of successive halvings, mean order of the last two halvings)."""
    runs = [figures(case.run(deck_of(integrator, 0.5 ** k), f"{name}_{k}")) for k in range(HALVINGS)]
    apart = [difference(a, b) for a, b in zip(runs, runs[1:])]
    return apart, 0.5 * math.log2(apart[-3] / apart[-1])


def compare(case):
    for title, deck_of in SMOOTH:
        series = []
        for label, (integrator, expected) in INTEGRATORS.items():
            name = f"{title}, {label}".replace(" ", "_").replace("/", "-").replace(",", "")
            apart, order = orders(case, deck_of, name, integrator)
            case.at_least(f"{title}, {label}: first difference, part of the whole", apart[0], 1e-9,
                          "or there is nothing to measure")
            case.equal(f"{title}, {label}: order", order, expected, "docs/integrators.md, section 1", absolute=NEAR)
            series.append((f"{label}: {order:.2f}", [0.5 ** k for k in range(len(apart))], apart, "both"))
        case.plot(f"What halving the step changes: {title}", "step, part of the first", "change, part of the whole",
                  series, log="xy")
    for title, deck_of, least, why in WHOLE:
        series = []
        for label, (integrator, expected) in INTEGRATORS.items():
            if expected < 2:
                continue
            name = f"{title}, {label}".replace(" ", "_").replace("/", "-").replace(",", "").replace("=", "")
            apart, order = orders(case, deck_of, name, integrator)
            case.at_least(f"{title}, {label}: order", order, least - NEAR, why)
            series.append((f"{label}: {order:.2f}", [0.5 ** k for k in range(len(apart))], apart, "both"))
        case.plot(f"What halving the step changes: {title}", "step, part of the first", "change, part of the whole",
                  series, log="xy")
