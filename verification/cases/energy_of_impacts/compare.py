"""Energy and restitution of impacts against step size, step control, integrator and law."""
import copy
import math

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
    restitution(case)
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
    for name, deck in runs:
        error, report = balance(case, deck, "energy_" + name.replace(" ", "_").replace(",", "").replace('"', ""))
        case.at_most(f"energy, {name}: balance error, part of the reference energy", abs(error), 1e-6,
                     f"exact but for Newton's tolerance; {report['newton_iterations'] / report['steps']:.2f} iterations per step")


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
        case.at_most(f"energy, {name}: largest error of the restitution 0 to 1, steps of 10 us to 5 ms", worst, 0.01,
                     "velocity update after the step (theory 11 section 6)")


def resolved(case):
    """Other integrators: a step that errs in the energy of a contact is repeated with a smaller size."""
    for integrator in ("newmark", "variational", "trapezoidal"):
        for resolution in (0.03, 1):
            deck = dropped(integrator, {**ADAPTIVE, "resolution": resolution})
            error, report = balance(case, deck, f"{integrator}_{resolution:g}")
            case.at_most(f"{integrator}, resolution {resolution:g}: balance error after two bounces", abs(error), 0.03,
                         f"errors of 1e-3 of the reference energy per step; {report['steps']} steps")
