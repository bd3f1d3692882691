"""Energy and restitution of impacts against step size, step control, integrator and law."""
import copy
import math

import central_impacts
from judging import largest

GRAVITY = 9.81
CUBE = {
    "gravity": [0, 0, -GRAVITY],
    "time": {"end": 1.0, "step": 1e-3},
    "materials": {"rock": {"density": 2000, "young": 1e9, "poisson": 0.3}},
    "shapes": {"cube": {"type": "box", "size": [0.1, 0.1, 0.1]}, "ball": {"type": "sphere", "radius": 0.05}},
    "bodies": [{"name": "body", "shape": "cube", "material": "rock", "position": [0, 0, 0.2]}],
    "boundaries": [{"name": "floor", "type": "plane", "material": "rock", "point": [0, 0, 0], "normal": [0, 0, 1]}],
    "interfaces": [{"between": ["*", "*"], "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 9e13}}],
    "output": {},
}
TILTED = {"axis": [1, 0.7, 0.2], "angle_deg": 37}
EDGE_ON = {"axis": [1, 0, 0], "angle_deg": 45}
ADAPTIVE = {"initial": 1e-4, "min": 1e-9, "max": 1e-2}


def balance(case, deck, name):
    """Energy balance error at the end over the reference energy, with what the run took."""
    report = case.run(deck, name).report
    energy = report["energy"]
    return energy["closure_error"] / energy["reference"], report


def dropped(integrator, step, end=1.0, **changes):
    deck = copy.deepcopy(CUBE)
    deck["integrator"] = {"type": integrator}
    deck["time"] = {"end": end, "step": step}
    deck["bodies"][0].update({key: value for key, value in changes.items() if key in ("position", "orientation", "velocity")})
    deck["interfaces"][0]["normal"].update(changes.get("law", {}))
    return deck


def compare(case):
    energy_steps(case)
    falls(case)
    restitution(case)
    restitution_of_pairs(case)
    resolved(case)


def energy_steps(case):
    """The integrator "energy": undamped drops keep their energy at any step."""
    runs = []
    for step in (1e-5, 1e-4, 1e-3, 5e-3):
        runs.append((f"step {step:.0e} s", dropped("energy", step, 0.4 if step < 5e-5 else 1.0)))
    for resolution in (0.03, 0.3, 1):
        runs.append((f"resolution {resolution:g}", dropped("energy", {**ADAPTIVE, "resolution": resolution})))
    runs.append(('"resolved"', dropped("energy", {**ADAPTIVE, "control": "resolved"})))
    for exponent in (1, 2):
        law = {"exponent": exponent, "stiffness": 9e13 * 0.6e-3 ** (3 - exponent)}
        runs.append((f"exponent {exponent}", dropped("energy", 1e-3, law=law)))
    runs.append(("soft law", dropped("energy", 1e-3, 2.0, law={"stiffness": 1e11})))
    for height in (5, 30):
        for name, orientation in (("on a vertex", TILTED), ("on an edge", EDGE_ON)):
            end = math.sqrt(2 * height / GRAVITY) + 0.3
            runs.append((f"{height} m, {name}", dropped("energy", 2e-3, end, position=[0, 0, height], orientation=orientation)))
    iterations = []
    for name, deck in runs:
        error, report = balance(case, deck, "energy_" + name.replace(" ", "_").replace(",", "").replace('"', ""))
        case.at_most(f"energy, {name}: balance error, part of the reference energy", abs(error), 1e-6, "exact but for Newton's tolerance")
        iterations.append(f"{report['newton_iterations'] / report['steps']:.2f}")
    case.tell("energy: Newton iterations per step", ", ".join(iterations))


def falls(case):
    """Impacts of the speed of a fall: each value of height, attitude, step and exponent occurs with each value of the others."""
    steps = [1e-5, 1e-4, 1e-3, 5e-3] + [{**ADAPTIVE, "resolution": resolution} for resolution in (0.03, 0.1, 0.3, 1)]
    attitudes = (("flat", None), ("on an edge", EDGE_ON), ("on a vertex", TILTED))
    for j, height in enumerate((0.1, 1, 10, 30)):
        found = []
        for i, step in enumerate(steps):
            attitude, orientation = attitudes[(i + j) % 3]
            exponent = 1 + (i + 2 * j) % 3
            speed = math.sqrt(2 * GRAVITY * height)
            travel = speed * (step if isinstance(step, float) else step["initial"])
            changes = {"position": [0, 0, central_impacts.reach(orientation, 0.05) + 5e-3 + 0.37 * travel], "velocity": [0, 0, -speed],
                       "law": {"exponent": exponent, "stiffness": 9e13 * 0.6e-3 ** (3 - exponent)}}
            if orientation:
                changes["orientation"] = orientation
            end = 0.02 if step == 1e-5 else 0.3  # the rebound; edges and vertices hit twice
            error, _ = balance(case, dropped("energy", step, end, **changes), f"fall_{height:g}_{i}")
            size = f"step {step:.0e} s" if isinstance(step, float) else f"resolution {step['resolution']:g}"
            found.append((abs(error), f"{attitude}, {size}, exponent {exponent}"))
        worst = largest(error for error, _ in found)
        where = next(name for error, name in found if not error < worst)
        case.at_most(f"energy, impact of a fall of {height:g} m, {len(found)} ways: largest balance error, part of the reference energy",
                     worst, 1e-5, f"Newton accepts 1e-6 of the weight, here over paths of up to ten heights; largest: {where}")


def restitution_of_pairs(case):
    """The same law at a moving floor, at a free ball of 1000 times the mass, and through the face of a periodic cell."""
    for kind in central_impacts.KINDS:
        for k, law in enumerate(central_impacts.LAWS):
            found = []
            for j, e in enumerate((0, 0.3, 0.5, 0.9, 1)):
                for step, frequency in central_impacts.steps_of(k + j):
                    deck = central_impacts.deck_of(kind, law, e, step, frequency)
                    run = case.run(deck, f"{kind}_{law}_{e}_{step:.0e}_{frequency:g}".replace(" ", "_"))
                    found.append((abs(central_impacts.rebound(run, kind) - e), f"e = {e}, step {step:.0e} s, h omega {frequency:g}"))
            worst = largest(error for error, _ in found)
            where = next(name for error, name in found if not error < worst)
            case.at_most(f"energy, {kind}, {law}: largest error of the restitution 0 to 1, h omega 0.1 to 1000", worst, 5e-4,
                         f"theory 11 section 6: 5e-5 is the smallest rate of opening that is left; largest: {where}")


def restitution(case):
    laws = {"barrier": {"law": "barrier", "threshold": 1e-3, "stiffness": 9e13}, "hooke": {"law": "hooke", "stiffness": 1e6},
            "hertz": {"law": "hertz"}}
    for name, law in laws.items():
        worst = 0.0
        for e in (0, 0.3, 0.5, 0.9, 1):
            for step in (1e-5, 1e-4, 1e-3, 5e-3):
                deck = copy.deepcopy(CUBE)
                deck["gravity"] = [0, 0, 0]
                deck["integrator"] = {"type": "energy"}
                deck["interfaces"][0]["normal"] = {**law, "restitution": e}
                deck["bodies"][0].update({"shape": "ball", "position": [0, 0, 0.0531], "velocity": [0, 0, -1.7]})
                deck["time"] = {"end": 0.05, "step": step}
                deck["output"] = {"histories": [{"file": "ball.csv", "body": "body", "every": 0.05, "columns": ["time", "vz"]}]}
                found = case.run(deck, f"{name}_{e}_{step:.0e}").history("ball.csv")["vz"][-1] / 1.7
                error = abs(found - e)
                worst = error if error > worst or math.isnan(error) else worst
        case.at_most(f"energy, {name}: largest error of the restitution 0 to 1, steps of 10 us to 5 ms", worst, 5e-4,
                     "velocity update after the step (theory 11 section 6); the smallest rate of opening that is left is 5e-5")


def resolved(case):
    """Other integrators: a step that errs in the energy of a contact is repeated with a smaller size."""
    for integrator, bound in (("newmark", 0.03), ("variational", 0.01), ("trapezoidal", 0.03)):
        for resolution in (0.03, 1):
            deck = dropped(integrator, {**ADAPTIVE, "resolution": resolution})
            error, report = balance(case, deck, f"{integrator}_{resolution:g}")
            case.at_most(f"{integrator}, resolution {resolution:g}: balance error after two bounces", abs(error), bound,
                         f"{integrator}: errors of 1e-3 of the reference energy per step")
            case.tell(f"{integrator}, resolution {resolution:g}: steps", report["steps"])
