"""Three rolling balls collide, slide and roll back, against the equations of motion of one of them."""
import math

import harness
from judging import largest

RADIUS, MASS, GRAVITY, MU, SPEED = 0.2, 1000.0, 9.81, 0.5, 1.90
YOUNG, POISSON = 1e10, 0.25
INERTIA = 0.4 * MASS * RADIUS ** 2
PLANE_MODULUS = YOUNG / (1 - POISSON ** 2)  # against a rigid plane; half of it between two balls
OVERLAP = (MASS * GRAVITY / (4 / 3 * PLANE_MODULUS * math.sqrt(RADIUS))) ** (2 / 3)
ARM = RADIUS - OVERLAP  # of the friction at the floor, within an overlap
TOUCH = 2 * RADIUS / math.sqrt(3)  # distance from the centre at which the balls touch
COLLISION = 0.46  # s
ANGLES = [math.radians(a) for a in (90, 210, 330)]


def deck_of(step):
    bodies = []
    for k, angle in enumerate(ANGLES):
        x, y, place = math.cos(angle), math.sin(angle), TOUCH + SPEED * COLLISION
        spin = SPEED / ARM
        bodies.append({"name": f"ball{k}", "shape": "ball", "material": "ball", "mass": MASS,
                       "position": [place * x, place * y, RADIUS - OVERLAP],
                       "velocity": [-SPEED * x, -SPEED * y, 0],
                       "angular_velocity": [spin * y, -spin * x, 0]})
    return {
        "title": "Three balls",
        "gravity": [0, 0, -GRAVITY],
        "integrator": {"type": "trapezoidal", "phi": 0.5},
        "time": {"end": 2.0, "step": step},
        "materials": {"ball": {"young": YOUNG, "poisson": POISSON}, "rigid": {}},
        "shapes": {"ball": {"type": "sphere", "radius": RADIUS}},
        "bodies": bodies,
        "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1],
                        "material": "rigid"}],
        "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz", "damping_ratio": 0},
                        "friction": {"static": MU, "dynamic": MU, "stiffness": "mindlin", "damping": 0}}],
        "solver": {"newton": {"relative": 1e-11}},
        "output": {"histories": [
            *({"file": f"ball{k}.csv", "body": f"ball{k}",
               "columns": ["time", "x", "y", "z", "vx", "vy", "wx", "wy", "wz"]} for k in range(3)),
            {"file": "energy.csv", "every": 0,
             "columns": ["time", "total_energy", "dissipated_energy", "closure_error", "newton_iterations"]}]},
    }


def collision(spring=True):
    """Hertz between the balls, friction at the floor with Mindlin's spring (theory 04, C22) or, without, rigid: (duration,
    speed, spin) at separation, outwards positive, spin such that rolling is speed = arm spin. By symmetry the balls do not
    slip on each other."""
    constant = 4 / 3 * math.sqrt(RADIUS / 2) * PLANE_MODULUS / 2
    stiffness = 8 * YOUNG / (2 * (1 + POISSON)) / (2 - POISSON) * math.sqrt(RADIUS * OVERLAP)
    cap = MU * MASS * GRAVITY

    def rates(state):
        overlap = 2 * RADIUS - math.sqrt(3) * state[0]
        push = math.sqrt(3) * constant * max(overlap, 0.0) ** 1.5
        slip = state[1] - ARM * state[2]
        friction = min(stiffness * state[3], cap) if spring else cap if slip > 0 else 0.0
        return state[1], (push - friction) / MASS, friction * ARM / INERTIA, slip

    state, h, time = (TOUCH, -SPEED, -SPEED / ARM, 0.0), 1e-6, 0.0
    while time == 0.0 or state[0] < TOUCH:
        def moved(k, f, s=state):
            return tuple(u + f * v for u, v in zip(s, k))
        k1 = rates(state)
        k2 = rates(moved(k1, h / 2))
        k3 = rates(moved(k2, h / 2))
        k4 = rates(moved(k3, h))
        state = tuple(s + h / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4))
        time += h
    return time, state[1], state[2]


class Expected:
    """What follows the separation: times from the begin of the collision [s], speed when rolling again."""

    def __init__(self):
        self.duration, self.speed, self.spin = collision()
        gain = MU * MASS * GRAVITY * ARM / INERTIA  # of spin per second
        self.spin_zero = self.duration - self.spin / gain
        sliding = (self.speed - ARM * self.spin) / (MU * GRAVITY + ARM * gain)
        self.rolling = self.duration + sliding
        self.end = self.speed - MU * GRAVITY * sliding


def outward(table, angle):
    """(time, distance, speed, spin) of a ball seen along its own radius; the other components have to vanish."""
    x, y = math.cos(angle), math.sin(angle)
    return [(t, px * x + py * y, vx * x + vy * y, -wx * y + wy * x)
            for t, px, py, vx, vy, wx, wy in zip(*(table[c] for c in ("time", "x", "y", "vx", "vy", "wx", "wy")))]


def crossing(rows, value, after=0.0):
    """First time after `after` at which value(row) changes sign from negative to positive [s], NaN if never."""
    for one, other in zip(rows, rows[1:]):
        a, b = value(one), value(other)
        if one[0] >= after and a < 0 <= b:
            return one[0] + (other[0] - one[0]) * a / (a - b)
    return math.nan


def judge_motion(case, rows, expected):
    before = [r for r in rows if r[0] < COLLISION - 1e-3]
    case.at_most("before the collision: change of the speed [part]", largest(abs(r[2] / -SPEED - 1) for r in before),
                 3e-11,
                 "rolling at constant speed; the arm is known to the overlap")
    case.at_most("before the collision: slip [part of the speed]",
                 largest(abs(r[2] - ARM * r[3]) for r in before) / SPEED, 1e-10,
                 "likewise")
    begin = crossing(rows, lambda r: TOUCH - r[1])
    end = crossing(rows, lambda r: r[1] - TOUCH, begin)
    case.equal("begin of the collision [s]", begin, COLLISION, "constant speed", relative=2e-12)
    case.equal("duration of the collision [s]", end - begin, expected.duration, "of second order in h; 47 steps",
               relative=5e-3)
    at_end = next((r for r in rows if r[0] >= end), rows[-1])
    case.equal("speed at separation [m/s]", at_end[2], expected.speed, "47 steps", relative=2e-3)
    zero = crossing(rows, lambda r: r[3], begin)
    rolling = crossing(rows, lambda r: ARM * r[3] - r[2], zero)
    last = rows[-1]
    why = "of second order in h in the collision, of first where friction begins and ends"
    case.equal("spin passes zero, from the begin of the collision [s]", zero - begin, expected.spin_zero, why,
               absolute=2.5e-4)
    case.equal("rolling again, from the begin of the collision [s]", rolling - begin, expected.rolling, why,
               absolute=5e-4)
    mean = [r[2] for r in rows if r[0] > last[0] - 0.5]
    case.equal("speed when rolling again [m/s]", sum(mean) / len(mean), expected.end, why, relative=5e-4)
    ideal = "rigid impact without friction during it (required): friction acts for the duration of the collision too"
    case.equal("spin passes zero, from the separation [s]", zero - end, 2 * SPEED / (5 * MU * GRAVITY), ideal,
               absolute=1.1 * expected.duration)
    case.equal("rolling again, from the separation [s]", rolling - end, 4 * SPEED / (7 * MU * GRAVITY), ideal,
               absolute=1.1 * expected.duration)
    case.equal("speed when rolling again, rigid impact [m/s]", sum(mean) / len(mean), 3 * SPEED / 7, ideal,
               absolute=MU * GRAVITY * expected.duration)
    home = crossing(rows, lambda r: r[1] - rows[0][1], end)
    case.tell("back where it started [s] (paper: 1.39)",
              f"{home:.3f}" if math.isfinite(home) else "not before the end")
    case.tell("collision, spin reversal, rolling again [s] (paper: 0.46, 0.62, 0.69)",
              f"{begin:.4f}, {zero:.4f}, {rolling:.4f}")


def judge_symmetry(case, balls):
    scales = (RADIUS, SPEED, SPEED / RADIUS)
    pairs = [pair for other in balls[1:] for pair in zip(balls[0], other)]
    worst = largest((abs(a[k] - b[k]) / scales[k - 1] for a, b in pairs for k in (1, 2, 3)), default=math.nan)
    case.at_most("difference of the three balls [part of r, v, v / r]", worst, 3e-9, "round-off")


def judge_energy(case, table):
    start = 3 * (MASS + INERTIA / ARM ** 2) * SPEED ** 2 / 2
    case.at_most("energy balance error [part of the kinetic energy]",
                 largest(map(abs, table["closure_error"])) / start, 2e-3,
                 "the trapezoidal rule does not keep the energy of a nonlinear spring: of second order")
    end = 3 * (MASS + INERTIA / ARM ** 2) * (3 * SPEED / 7) ** 2 / 2
    case.equal("energy dissipated [J]", table["dissipated_energy"][-1], start - end,
               "rigid impact, friction during it apart",
               relative=0.02)


def compare(case):
    expected = Expected()
    run = case.run(deck_of(1e-4), "three_balls")
    balls = [outward(run.history(f"ball{k}.csv"), angle) for k, angle in enumerate(ANGLES)]
    judge_motion(case, balls[0], expected)
    judge_symmetry(case, balls)
    energy = run.history("energy.csv")
    judge_energy(case, energy)
    steps = energy["newton_iterations"]
    case.tell("Newton iterations per step (paper: three fixed-point iterations)", f"{sum(steps) / len(steps):.2f}")
    times = [r[0] for r in balls[0]]
    after = [(COLLISION, -SPEED, -SPEED / RADIUS), (COLLISION + expected.duration, expected.speed, expected.spin),
             (COLLISION + expected.rolling, expected.end, expected.end / ARM),
             (2.0, expected.end, expected.end / ARM)]
    for k, name in ((2, "velocity [m/s]"), (3, "spin [rad/s]")):
        case.plot(f"Figure 7: {name.split(' [')[0]} of a ball, outwards", "time [s]", name,
                  [("trapezoidal 1/2, 1e-4 s", times, [r[k] for r in balls[0]], "curve"),
                   ("equations of motion", [0.0] + [a[0] for a in after],
                    [(-SPEED, -SPEED / RADIUS)[k - 2]] + [a[k - 1] for a in after], "points")])
    case.plot("Energy", "time [s]", "energy [J]",
              [("total", energy["time"], energy["total_energy"], "curve"),
               ("total + dissipated", energy["time"],
                [a + b for a, b in zip(energy["total_energy"], energy["dissipated_energy"])], "dashed")])
