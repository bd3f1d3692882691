"""A sphere with back spin on a plane, against rigid Coulomb friction and the solution with the tangential spring."""
import math

import harness
from judging import largest, smallest

RADIUS, MASS, GRAVITY, MU, V0, W0 = 0.2, 1000.0, 9.81, 0.25, 2.355, -127.03
YOUNG, POISSON = 1e10, 0.25
INERTIA = 0.4 * MASS * RADIUS ** 2
OVERLAP = (MASS * GRAVITY / (4 / 3 * YOUNG / (1 - POISSON ** 2) * math.sqrt(RADIUS))) ** (2 / 3)
SHEAR = YOUNG / (2 * (1 + POISSON))
# 8 G* sqrt(r* overlap); a rigid plane adds no compliance (theory 04, C22).
STIFFNESS = {"mindlin": 8 * SHEAR / (2 - POISSON) * math.sqrt(RADIUS * OVERLAP),
             "paper": 8 * SHEAR * math.sqrt(RADIUS * OVERLAP)}
ROLLING_TIME = -(V0 + RADIUS * W0) / (3.5 * MU * GRAVITY)
ROLLING_SPEED = (5 * V0 - 2 * W0 * RADIUS) / 7
STEP = 1e-4  # [s]


class Spring:
    """Sliding until the contact point is at rest, then oscillation from the spring's cap; friction acts at `arm`."""

    def __init__(self, stiffness, arm):
        mass = 1 / (1 / MASS + arm ** 2 / INERTIA)
        self.per_force = arm / INERTIA * MASS  # change of spin per change of speed
        self.begin = -(V0 + arm * W0) * mass / (MU * MASS * GRAVITY)
        self.frequency = math.sqrt(stiffness / mass)
        self.amplitude = MU * GRAVITY / self.frequency

    def at(self, t):
        """(speed, spin)."""
        gained = MU * GRAVITY * min(t, self.begin)
        if t > self.begin:
            gained += self.amplitude * math.sin(self.frequency * (t - self.begin))
        return V0 + gained, W0 + self.per_force * gained


def deck_of(stiffness, step, end):
    return {
        "title": "A sphere with back spin",
        "gravity": [0, -GRAVITY, 0],
        "integrator": {"type": "trapezoidal", "phi": 0.5},
        "time": {"end": end, "step": step},
        "materials": {"ball": {"young": YOUNG, "poisson": POISSON}, "rigid": {}},
        "shapes": {"ball": {"type": "sphere", "radius": RADIUS}},
        "bodies": [{"name": "ball", "shape": "ball", "material": "ball", "mass": MASS,
                    "position": [0, RADIUS - OVERLAP, 0],
                    "velocity": [V0, 0, 0], "angular_velocity": [0, 0, W0]}],
        "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 1, 0],
                        "material": "rigid"}],
        "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz", "damping_ratio": 0},
                        "friction": {"static": MU, "dynamic": MU, "stiffness": stiffness, "damping": 0}}],
        "solver": {"newton": {"relative": 1e-10}},
        "output": {"histories": [{"file": "ball.csv", "body": "ball", "columns": ["time", "y", "vx", "wz"]},
                                 {"file": "energy.csv", "every": 0, "columns": ["time", "newton_iterations"]}]},
    }


def arm_of(table):
    """Arm of friction [m], from the rates of spin and speed between 0.5 and 2.5 s."""
    inside = [k for k, t in enumerate(table["time"]) if 0.5 <= t <= 2.5]
    a, b = inside[0], inside[-1]
    return (table["wz"][b] - table["wz"][a]) / (table["vx"][b] - table["vx"][a]) * INERTIA / MASS


def begin_of_rolling(table, arm):
    """When the contact point comes to rest [s]."""
    slip = [v + arm * w for v, w in zip(table["vx"], table["wz"])]
    k = next((k for k, s in enumerate(slip) if s >= 0), None)
    if not k:
        return math.nan
    t = table["time"]
    return t[k - 1] + (t[k] - t[k - 1]) * slip[k - 1] / (slip[k - 1] - slip[k])


def ripple(table):
    """(mean speed, mean spin, amplitude of the speed, its angular frequency) of the last half second."""
    rows = [(t, v, w) for t, v, w in zip(*(table[c] for c in ("time", "vx", "wz"))) if t > table["time"][-1] - 0.5]
    v = [r[1] for r in rows]
    mean = sum(v) / len(v)
    crossings = [r0[0] + (r1[0] - r0[0]) * (mean - r0[1]) / (r1[1] - r0[1])
                 for r0, r1 in zip(rows, rows[1:]) if r0[1] < mean <= r1[1]]
    frequency = 2 * math.pi * (len(crossings) - 1) / (crossings[-1] - crossings[0]) if len(crossings) > 1 else math.nan
    return mean, sum(r[2] for r in rows) / len(rows), (largest(v) - smallest(v)) / 2, frequency


def error_to(table, spring, until):
    return largest(abs(v - spring.at(t)[0]) for t, v in zip(table["time"], table["vx"]) if t <= until)


def judge(case, stiffness, run):
    table, what = run.history("ball.csv"), f"{stiffness}: "
    arm = arm_of(table)
    turn = W0 * STEP  # of the first step [rad]: the point where friction acts turns with the ball
    case.equal(what + "arm of friction [m]", arm, RADIUS - OVERLAP / 2, "between r less the overlap and r",
               absolute=0.5 * OVERLAP + RADIUS * turn ** 2 / 2)
    spring = Spring(STIFFNESS[stiffness], arm)
    mean, spin, amplitude, frequency = ripple(table)
    why = "required; ripple averaged, arm shorter by the overlap"
    case.equal(what + "begin of rolling [s]", begin_of_rolling(table, arm), ROLLING_TIME, why, relative=1e-3)
    case.equal(what + "mean speed at the end [m/s]", mean, ROLLING_SPEED, why, relative=1e-3)
    case.equal(what + "mean spin at the end [rad/s]", spin, -ROLLING_SPEED / RADIUS, why, relative=1e-3)
    case.equal(what + "amplitude of the ripple [m/s]", amplitude, spring.amplitude,
               "slip that remains in the step in which the spring leaves its cap: up to (w h)^2 / 2",
               relative=(spring.frequency * STEP) ** 2)
    case.equal(what + "frequency of the ripple [rad/s]", frequency, spring.frequency, "110 or 83 steps per period",
               relative=0.01)
    case.at_most(what + "error of the speed against the spring solution [m/s]",
                 error_to(table, spring, spring.begin + 0.05), 1e-3,
                 "1.8e-4 where the method is written again")
    case.at_most(what + "way up or down [m]", largest(abs(y - RADIUS + OVERLAP) for y in table["y"]), 3e-11,
                 "equilibrium")
    steps = run.history("energy.csv")["newton_iterations"]
    case.tell(what + "Newton iterations per step", f"{sum(steps) / len(steps):.2f}")
    return table, spring


def plots(case, table, spring):
    peer = harness.read_table(case.folder / "liggghts.csv")
    analytic = [k * 0.1 for k in range(51)]
    speeds = [V0 + MU * GRAVITY * min(t, ROLLING_TIME) for t in analytic]
    spins = [W0 + 2.5 * MU * GRAVITY / RADIUS * min(t, ROLLING_TIME) for t in analytic]
    for column, name, exact in (("vx", "speed [m/s]", speeds), ("wz", "spin [rad/s]", spins)):
        case.plot(f"Figure 5: {name.split(' [')[0]}", "time [s]", name,
                  [("trapezoidal 1/2, 1e-4 s", table["time"], table[column], "curve"),
                   ("rigid Coulomb", analytic, exact, "points")])
    low, high = spring.begin - 0.01, spring.begin + 0.05
    near = [(t, v) for t, v in zip(table["time"], table["vx"]) if low < t < high]
    other = [(t, v) for t, v in zip(peer["time"], peer["vx"]) if low < t < high]
    times = [low + (high - low) * k / 400 for k in range(401)]
    case.plot("Begin of rolling", "time [s]", "speed [m/s]",
              [("trapezoidal 1/2, 1e-4 s", [r[0] for r in near], [r[1] for r in near], "curve"),
               ("solution with the spring", times, [spring.at(t)[0] for t in times], "dashed"),
               ("LIGGGHTS, 1.25e-5 s", [r[0] for r in other], [r[1] for r in other], "points")])


def compare(case):
    for stiffness in ("paper", "mindlin"):
        table, spring = judge(case, stiffness, case.run(deck_of(stiffness, STEP, 5.0), stiffness))
    plots(case, table, spring)
    until = spring.begin + 0.05
    steps = [STEP, STEP / 2, STEP / 4]
    errors = [error_to(table, spring, until)]
    for step in steps[1:]:
        errors.append(error_to(case.run(deck_of("mindlin", step, 2.75), f"mindlin_{step:g}").history("ball.csv"),
                               spring, until))
    for (h, coarse), fine in zip(zip(steps, errors), errors[1:]):
        case.at_least(f"mindlin: order of the error, {h:g} s and half of it", math.log2(coarse / fine), 0.9,
                      "friction begins at the end of the first step")
    case.plot("Error against the solution with the spring", "h [s]", "error of the speed [m/s]",
              [("trapezoidal 1/2, Mindlin", steps, errors, "both"),
               ("h", steps, [errors[-1] * h / steps[-1] for h in steps], "dashed")], log="xy")
