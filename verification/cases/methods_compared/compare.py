"""Step control, integrator and law: what an impact keeps, how a bed settles, order in a lasting contact."""
import itertools
import math

SPEED, RADIUS, DENSITY, YOUNG = 1.7, 0.05, 2000.0, 1e8
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
GRAVITY = 9.81
LAWS = {"barrier": {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e13, "exponent": 3},
        "hooke": {"law": "hooke", "stiffness": 1e6}, "hertz": {"law": "hertz"}}
INTEGRATORS = {"energy": {"type": "energy"}, "newmark": {"type": "newmark"}, "variational": {"type": "variational"},
               "trapezoidal": {"type": "trapezoidal", "phi": 0.5}, "euler": {"type": "trapezoidal", "phi": 1}}
ADAPTIVE = {"initial": 1e-4, "min": 1e-9, "max": 2e-3}
NEWTON = 1e-10
# Restitution: the residual is at most NEWTON of the force F of the impact, which takes about 3 m v / F: 3 NEWTON of the momentum.
OF_NEWTON, WHY = 10 * NEWTON, "theory 11 section 6; the residual that Newton leaves, 3e-10 of the momentum"
CONTROLS = {"motion": {**ADAPTIVE, "control": "motion"}, "resolved": {**ADAPTIVE, "control": "resolved"}, "1 ms": 1e-3}
FIXED = (2e-5, 1e-4, 5e-4, 2e-3, 5e-3)  # s; the collision takes 1.6 to 3.3 ms
SECOND = ("energy", "newmark", "variational", "trapezoidal")
RESOLVED = 0.01  # error of a restitution in steps of which a collision has 80


def ways():
    """All choices of step control and integrator that a deck may make."""
    for control, integrator in itertools.product(CONTROLS, INTEGRATORS):
        if control != "motion" or integrator == "energy":
            yield control, integrator


def deck_of(integrator, step, end, law, bodies, **changes):
    return {"gravity": [0, 0, 0], "time": {"end": end, "step": step}, "integrator": INTEGRATORS[integrator],
            "materials": {"rock": {"density": DENSITY, "young": YOUNG, "poisson": 0.3}},
            "shapes": {"ball": {"type": "sphere", "radius": RADIUS}}, "bodies": bodies,
            "boundaries": [{"name": "floor", "type": "plane", "material": "rock", "point": [0, 0, 0], "normal": [0, 0, 1]}],
            "interfaces": [{"between": ["*", "*"], "normal": law}], "solver": {"newton": {"relative": NEWTON}}, **changes}


def ball(height, speed):
    return [{"name": "ball", "shape": "ball", "material": "rock", "position": [0, 0, height], "velocity": [0, 0, -speed]}]


def kept(case, control, integrator, law, restitution):
    """Speed after a ball has hit the floor, over that before. @param control of CONTROLS, or a fixed step [s]."""
    output = {"histories": [{"file": "ball.csv", "body": "ball", "every": 0, "columns": ["time", "vz"]}]}
    deck = deck_of(integrator, CONTROLS.get(control, control), 0.03, {**LAWS[law], "restitution": restitution},
                   ball(RADIUS + 0.0131, SPEED), output=output)
    run = case.run(deck, f"impact_{control}_{integrator}_{law}_{restitution:g}".replace(" ", ""), accept=(0, 1))
    return run.history("ball.csv")["vz"][-1] / SPEED


def bed(case, control, integrator, law):
    """36 balls fall into a box. @returns steps, iterations per step, part of the attempts that were rejected, balance error."""
    deck = deck_of(integrator, CONTROLS[control], 0.6, {**LAWS[law], "restitution": 0.5},
                   [{"shape": "ball", "material": "rock", "count": 36, "seed": 3,
                     "region": {"min": [0, 0, 0], "max": [0.35, 0.35, 0.9]}}],
                   gravity=[0, 0, -GRAVITY], solver={})
    deck["boundaries"] = [{"name": "box", "type": "box", "min": [0, 0, 0], "max": [0.35, 0.35, 2], "open": ["+z"],
                           "material": "rock"}]
    deck["interfaces"][0]["friction"] = {"static": 0.3, "stiffness": 1e5}
    report = case.run(deck, f"bed_{control}_{integrator}_{law}".replace(" ", ""), accept=(0, 1)).report
    energy = report["energy"]
    return (report["steps"], report["newton_iterations"] / report["steps"], report["cuts"] / (report["cuts"] + report["steps"]),
            energy["closure_error"] / energy["reference"])


def weight_gap(law):
    """Height of the centre at rest under its weight."""
    weight = MASS * GRAVITY
    if law == "barrier":
        return RADIUS + LAWS[law]["threshold"] - (weight / LAWS[law]["stiffness"]) ** (1 / LAWS[law]["exponent"])
    if law == "hooke":
        return RADIUS - weight / LAWS[law]["stiffness"]
    modulus = YOUNG / (1 - 0.3**2) / 2  # two of the same material; the floor is flat
    return RADIUS - (weight / (4 / 3 * modulus * math.sqrt(RADIUS))) ** (2 / 3)


def order(case, integrator, law):
    """Of the height of a ball that swings on its contact without leaving it, from three steps."""
    depth = abs(weight_gap(law) - RADIUS - (LAWS[law].get("threshold", 0.0)))
    frequency = math.sqrt(GRAVITY / depth)
    heights = []
    for steps in (80, 160, 320) if integrator in SECOND else (1280, 2560, 5120):
        end = 4.3 / frequency
        deck = deck_of(integrator, end / steps, end, LAWS[law], ball(weight_gap(law) + 0.3 * depth, 0.0), gravity=[0, 0, -GRAVITY],
                       output={"final_state": "final.csv"})
        deck["solver"]["newton"] = {"relative": 1e-12, "absolute": 1e-13}
        heights.append(case.run(deck, f"order_{integrator}_{law}_{steps}").history("final.csv")["z"][0])
    return math.log2(abs((heights[0] - heights[1]) / (heights[1] - heights[2])))


def against_the_step(case, integrator, law):
    """Restitution of the ball in fixed steps."""
    found = {step: [kept(case, step, integrator, law, e) for e in (1, 0.5)] for step in FIXED}
    case.tell(f"{law}, {integrator}: restitution for 1 and 0.5 in fixed steps of " + ", ".join(f"{1e3 * step:g}" for step in FIXED) + " ms",
              "; ".join(f"{elastic:.3f} {half:.3f}" for elastic, half in found.values()))
    for step, values in found.items():
        for asked, value in zip((1, 0.5), values):
            what = f"{law}, {integrator}, fixed {1e3 * step:g} ms: restitution of {asked:g}"
            if integrator == "energy":
                case.equal(what, value, asked, WHY, absolute=OF_NEWTON)
            elif integrator in SECOND and step == FIXED[0]:
                case.equal(what, value, asked, "80 steps and more in the collision", absolute=RESOLVED)


def compare(case):
    orders = {}
    for integrator, law in itertools.product(INTEGRATORS, LAWS):
        orders[integrator, law] = order(case, integrator, law)
        case.equal(f"{integrator}, {law}: order in a lasting contact", orders[integrator, law], 2 if integrator in SECOND else 1,
                   "theory 02 section 8, theory 11", absolute=0.15)
    for law, integrator in itertools.product(LAWS, INTEGRATORS):
        against_the_step(case, integrator, law)
    for law in LAWS:
        for control, integrator in ways():
            elastic, half = (kept(case, control, integrator, law, e) for e in (1, 0.5))
            steps, iterations, rejected, error = bed(case, control, integrator, law)
            what = f"{law}, {integrator}, {control}"
            case.tell(f"{what}: restitution for 1 and 0.5; bed of 36 balls: steps, iterations per step, rejected, balance error; order",
                      f"{elastic:.4f} {half:.4f}; {steps} {iterations:.2f} {rejected:.1%} {error:+.1e}; "
                      f"{orders[integrator, law]:.2f}")
            if integrator == "energy":
                case.equal(f"{what}: restitution of an elastic impact", elastic, 1, WHY, absolute=OF_NEWTON)
                case.equal(f"{what}: restitution of 0.5", half, 0.5, WHY, absolute=OF_NEWTON)
                case.at_most(f"{what}: balance error of the bed, part of the reference energy", abs(error), 1e-6,
                             "theory 11; the default of newton.relative")
                case.at_most(f"{what}: part of the attempts that is rejected", rejected, 0.02, "steps need not be resolved")
            elif control == "resolved":
                case.at_most(f"{what}: energy that an elastic impact makes", elastic**2 - 1, 0.02,
                             "a step that errs by 2 % in a contact is repeated")
