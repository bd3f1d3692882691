"""Stands in for the program in tests of the cases: integrates their decks in a few lines, so that a
case can be seen to hold on right results and to miss on wrong ones without a build. Standard library only."""
import math
import pathlib

import harness
import reference_impact as impact


class Results:
    """As harness.Run: tables by the name of their file."""

    def __init__(self, tables):
        self.tables = tables
        self.wall_seconds = self.core_seconds = 0.0
        self.report = {}

    def history(self, name):
        return self.tables[name]


class Case(harness.Case):
    """A case whose runs come from `integrate(deck) -> {file: table}`. What it judges is gathered and not printed."""

    def __init__(self, name, integrate):
        super().__init__(name, "/bin/false", pathlib.Path("/nonexistent"))
        self.integrate = integrate

    def run(self, deck, name, **_):
        return Results(self.integrate(deck))

    def _row(self, what, measured, expected, holds, why, beyond, bound=None):
        self.rows.append((what, measured, expected, bool(holds), why, beyond, bound))

    def tell(self, what, measured):
        self.told.append((what, str(measured)))

    def missed(self):
        return [row[0] for row in self.rows if not row[3]]


def impacts(deck, stiffness=1.0, damping=1.0):
    """Histories of the pairs of a deck of two_particle_impact; the factors make it wrong."""
    bodies = {body["name"]: body for body in deck["bodies"]}
    laws = {interface["between"][0]: interface for interface in deck["interfaces"]}
    step = deck["time"]["step"]
    tables = {}
    original = impact.STIFFNESS
    impact.STIFFNESS = original * stiffness
    try:
        for history in deck["output"]["histories"]:
            body = bodies[history["body"]]
            law = laws[body["material"]]
            pair = impact.Pair(damping * law["normal"]["damping"] / impact.RATE, "friction" in law)
            state = (*body["position"][:2], *body["velocity"][:2], body["angular_velocity"][2])
            rows = [(0.0, *state)]
            for k in range(1, round(deck["time"]["end"] / step) + 1):
                state = pair.step(deck["integrator"]["alpha"])(state, step)
                rows.append((k * step, *state))
            tables[history["file"]] = dict(zip(history["columns"], zip(*rows)))
    finally:
        impact.STIFFNESS = original
    return tables


def walls(deck, stiffness=1.0):
    """Histories of the spheres of a deck of walls_250_collisions, whatever its integrator, by the variational one."""
    bodies = {body["name"]: body for body in deck["bodies"]}
    step = deck["time"]["step"]
    count = round(deck["time"]["end"] / step)
    tables = {}
    original = impact.STIFFNESS
    impact.STIFFNESS = original * stiffness
    try:
        for history in deck["output"]["histories"]:
            rows, due = [], 0.0
            for k, (x, v) in enumerate(impact.between_walls(bodies[history["body"]]["position"][0], step, count),
                                       1):
                if k * step >= due - 1e-15:
                    rows.append((k * step, x, v))
                    due += history["every"]
            tables[history["file"]] = dict(zip(history["columns"], zip(*rows)))
    finally:
        impact.STIFFNESS = original
    return tables


def rolling(start, step, count, ball, push=lambda x: 0.0):
    """States (x, v, rim) of a ball on a plane by the trapezoidal rule, phi = 1/2, rim = arm * spin, rolling is v = rim.
    ball: (mass, inertia, arm, stiffness of the tangential spring, its cap); push: force along the way."""
    mass, inertia, arm, stiffness, cap = ball
    x, v, rim = start
    slip, force, pushed = 0.0, 0.0, push(x)
    states = [(x, v, rim)]
    mobility = 1 / mass + arm * arm / inertia
    for _ in range(count):
        new = v
        for _ in range(60):
            ahead = push(x + step / 2 * (v + new))
            # The slip of the step is affine in the friction at its end.
            free = step * (v - rim) + step * step / 4 * ((pushed + ahead) / mass + force * mobility)
            trial = -stiffness * (slip + free) / (1 + stiffness * step * step / 4 * mobility)
            friction = max(-cap, min(cap, trial))
            last, new = new, v + step / 2 * (pushed + ahead + force + friction) / mass
            if abs(new - last) < 1e-14:
                break
        slip = max(-cap / stiffness, min(cap / stiffness, slip + free + step * step / 4 * mobility * friction))
        x, rim = x + step / 2 * (v + new), rim - step / 2 * arm * arm / inertia * (force + friction)
        v, force, pushed = new, friction, ahead
        states.append((x, v, rim))
    return states


def spinning(case, deck, stiffness=1.0, friction=1.0):
    """Histories of a deck of spinning_sphere; `case` is its module."""
    step, interface = deck["time"]["step"], deck["interfaces"][0]
    arm = case.RADIUS - case.OVERLAP / 2
    ball = (case.MASS, case.INERTIA, arm, stiffness * case.STIFFNESS[interface["friction"]["stiffness"]],
            friction * interface["friction"]["dynamic"] * case.MASS * case.GRAVITY)
    states = rolling((0.0, case.V0, -arm * case.W0), step, round(deck["time"]["end"] / step), ball)
    return {"ball.csv": {"time": [k * step for k in range(len(states))], "vx": [s[1] for s in states],
                         "wz": [-s[2] / arm for s in states], "y": [case.RADIUS - case.OVERLAP] * len(states)},
            "energy.csv": {"newton_iterations": [2.0]}}


def three_balls(case, deck, friction=1.0):
    """Histories of a deck of three_balls; `case` is its module."""
    step = deck["time"]["step"]
    constant = 4 / 3 * math.sqrt(case.RADIUS / 2) * case.PLANE_MODULUS / 2
    shear = case.YOUNG / (2 * (1 + case.POISSON))
    ball = (case.MASS, case.INERTIA, case.ARM,
            8 * shear / (2 - case.POISSON) * math.sqrt(case.RADIUS * case.OVERLAP),
            friction * case.MU * case.MASS * case.GRAVITY)

    def overlap(x):
        return max(2 * case.RADIUS - math.sqrt(3) * x, 0.0)

    start = (case.TOUCH + case.SPEED * case.COLLISION, -case.SPEED, -case.SPEED)
    states = rolling(start, step, round(deck["time"]["end"] / step), ball,
                     lambda x: math.sqrt(3) * constant * overlap(x) ** 1.5)
    times = [k * step for k in range(len(states))]
    tables = {}
    for k, angle in enumerate(case.ANGLES):
        x, y = math.cos(angle), math.sin(angle)
        tables[f"ball{k}.csv"] = {
            "time": times, "x": [s[0] * x for s in states], "y": [s[0] * y for s in states],
            "vx": [s[1] * x for s in states], "vy": [s[1] * y for s in states],
            "wx": [-s[2] / case.ARM * y for s in states], "wy": [s[2] / case.ARM * x for s in states]}
    energies = [1.5 * (case.MASS * v * v + case.INERTIA * (rim / case.ARM) ** 2) + 1.2 * constant * overlap(x) ** 2.5
                for x, v, rim in states]
    tables["energy.csv"] = {"time": times, "total_energy": energies, "newton_iterations": [2.0], "closure_error": [0.0],
                            "dissipated_energy": [energies[0] - e for e in energies]}
    return tables
