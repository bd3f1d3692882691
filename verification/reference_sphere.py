"""One impact of two spheres, or of a sphere on a rigid plane, by an independent explicit integration.

Hertz's normal force with the damping of [Sph, Eq. 22], Mindlin's tangential spring for sticking contact with a Coulomb
cap, levers and constants of theory 04. Planar: normal along y, tangential along x, spin about z. Classical
Runge-Kutta, standard library only; shares no code with the program.
"""
import math

from judging import largest

STEPS = 600  # per undamped contact
# Whether the spring keeps its elongation (not its force) while its stiffness rises, and while it falls. "dissipative"
# never makes energy; "slip" is f = k_t s; "force" is f' = k_t s'.
SPRINGS = {"dissipative": (False, True), "slip": (True, True), "force": (False, False)}


class Ball:
    """A sphere, from SI values; young = None makes it rigid, radius = inf a fixed plane (y <= 0); gyration is the
    moment of inertia over m R^2."""

    def __init__(self, radius, young, poisson, density=None, gyration=0.4):
        self.radius, self.young, self.poisson, self.density = radius, young, poisson, density
        if math.isinf(radius):
            self.mass = math.inf
        else:
            self.mass = 4 / 3 * math.pi * radius ** 3 * density
        self.inertia = gyration * self.mass * radius ** 2

    def compliance(self):
        """(normal, tangential) compliance of the half-space [1/Pa]: (1 - nu^2)/E and (2 - nu)/G."""
        if self.young is None:
            return 0.0, 0.0
        return ((1 - self.poisson ** 2) / self.young,
                (2 - self.poisson) * 2 * (1 + self.poisson) / self.young)


PLANE = Ball(math.inf, None, 0.0)


class Pair:
    """Constants of theory 04 sections 1 and 2."""

    def __init__(self, first, second=PLANE):
        self.first, self.second = first, second
        normal, tangential = (sum(c) for c in zip(first.compliance(), second.compliance()))
        self.radius = 1 / (1 / first.radius + 1 / second.radius)
        self.mass = 1 / (1 / first.mass + 1 / second.mass)
        self.modulus, self.shear = 1 / normal, 1 / tangential
        self.stiffness = 4 / 3 * math.sqrt(self.radius) * self.modulus  # F = stiffness * overlap^(3/2)

    def largest_overlap(self, speed):
        """Undamped, at the approach speed [m/s]: where the elastic energy is the kinetic energy."""
        return (5 * self.mass * speed ** 2 / (4 * self.stiffness)) ** 0.4

    def largest_force(self, speed):
        return self.stiffness * self.largest_overlap(speed) ** 1.5

    def duration(self, speed):
        """Undamped; the constant is 4 sqrt(pi) Gamma(2/5) / (5 Gamma(9/10))."""
        constant = 4 * math.sqrt(math.pi) * math.gamma(0.4) / (5 * math.gamma(0.9))
        return constant * self.largest_overlap(speed) / speed


def realised(damping_ratio, no_tension):
    """Restitution of Hertz's law with the damping ratio xi of [Sph, Eq. 22]. No speed or constant changes it: with
    y ~ overlap^(5/4) as displacement and dtau ~ overlap^(1/4) dt as time, the law is the linear oscillator
    y'' + 2 zeta y' + y = 0, zeta = sqrt(6/5) xi. It parts where y = 0 again, after half a period; with no_tension,
    where y + 2 zeta y' = 0, after the angle 2 arccos(zeta)."""
    zeta = math.sqrt(6 / 5) * damping_ratio
    root = math.sqrt(abs(1 - zeta ** 2))
    if not no_tension:
        return math.exp(-math.pi * zeta / root) if zeta < 1 else 0.0
    if abs(1 - zeta) < 1e-12:
        return math.exp(-2.0)
    return math.exp(-2 * zeta * (math.acos(zeta) if zeta < 1 else math.acosh(zeta)) / root)


def damping_ratio(restitution, no_tension):
    """The ratio that realises `restitution`: theory 04, C17; with no_tension by bisection of realised().
    0 is critical damping, sqrt(5/6); with no_tension 0 cannot be reached (ValueError)."""
    if restitution == 0:
        if no_tension:
            raise ValueError("a damper that never pulls leaves some speed")
        return math.sqrt(5 / 6)
    log = -math.log(restitution)
    if not no_tension:
        return math.sqrt(5 / 6) * log / math.hypot(math.pi, log)
    low, high = 0.0, 1.0
    while realised(high, True) > restitution:
        low, high = high, 2 * high
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if realised(middle, True) > restitution else (low, middle)
    return 0.5 * (low + high)


class Impact:
    """Friction mu, damping ratio xi, tangential spring (a key of SPRINGS). The tangential dashpot: a constant [N s/m], and
    a ratio xi_t for 2 xi_t sqrt(k_t m*). `limit`: "coulomb" caps spring and dashpot together, the spring keeps what it has
    below the cap; "stored" gives the whole cap to the spring while it slides; "spring" caps the spring alone, the dashpot
    acts while it does not slide. `elastic_limit`: the cap is mu times the normal force without its dashpot."""

    def __init__(self, pair, mu=0.0, xi=0.0, no_tension=True, spring="dissipative", dashpot=0.0, dashpot_ratio=0.0,
                 limit="coulomb", elastic_limit=False):
        self.limit, self.elastic_limit = limit, elastic_limit
        self.slides = True  # the spring met its cap in the step before: whether a dashpot beside it rests
        self.pair, self.mu, self.xi, self.no_tension = pair, mu, xi, no_tension
        self.dashpot, self.dashpot_ratio = dashpot, dashpot_ratio
        self.keeps_elongation = SPRINGS[spring]

    def _forces(self, s):
        """Overlap, normal and friction force, rate of the spring's memory, geometry, the memory within the cap, and whether
        it was beyond."""
        pair, (a, b) = self.pair, (self.pair.first, self.pair.second)
        xa, ya, ua, va, wa, xb, yb, ub, vb, wb, f = s
        if math.isinf(b.radius):
            n, d = (0.0, -1.0), ya  # from first to second
            overlap = a.radius - d
            arms = (d, 0.0)
        else:
            d = math.hypot(xb - xa, yb - ya)
            n = ((xb - xa) / d, (yb - ya) / d)
            overlap = a.radius + b.radius - d
            arms = (a.radius - overlap * a.radius / (a.radius + b.radius),
                    b.radius - overlap * b.radius / (a.radius + b.radius))
        closing = (ua - ub) * n[0] + (va - vb) * n[1]
        t = (-n[1], n[0])
        # Spin w about z moves the point at arm n by w * arm * t.
        slip = (ua - ub) * t[0] + (va - vb) * t[1] + wa * arms[0] + wb * arms[1]
        x = max(overlap, 0.0)
        normal = springs = pair.stiffness * x ** 1.5
        normal += 2 * self.xi * math.sqrt(1.5 * pair.stiffness * math.sqrt(x) * pair.mass) * closing
        if self.no_tension:
            normal = max(normal, 0.0)
        k = 8 * pair.shear * math.sqrt(pair.radius * x)
        limit = self.mu * max(springs if self.elastic_limit else normal, 0.0)
        if all(self.keeps_elongation):
            f *= k  # the last entry of the state is the elongation then, else the force
        elastic = min(max(f, -limit), limit)
        viscous = (self.dashpot + 2 * self.dashpot_ratio * math.sqrt(k * pair.mass)) * slip
        if self.limit == "spring":
            carried = elastic if self.slides else elastic + viscous
        else:
            carried = min(max(elastic + viscous, -limit), limit)
            if self.limit == "stored" and abs(elastic + viscous) > limit:
                elastic = carried
        beyond = abs(f) > limit
        if all(self.keeps_elongation):
            return overlap, normal, carried, slip, n, t, arms, elastic / k if k > 0 else 0.0, beyond
        change = k * slip
        if x > 0 and self.keeps_elongation[0 if closing > 0 else 1]:
            change += elastic * closing / (2 * x)
        return overlap, normal, carried, change, n, t, arms, elastic, beyond

    def _rates(self, s):
        _, normal, f, change, n, t, arms, *_ = self._forces(s)
        a, b = self.pair.first, self.pair.second
        px, py = -normal * n[0] - f * t[0], -normal * n[1] - f * t[1]  # on the first
        first = (s[2], s[3], px / a.mass, py / a.mass, -f * arms[0] / a.inertia)
        if math.isinf(b.radius):
            return (*first, 0.0, 0.0, 0.0, 0.0, 0.0, change)
        return (*first, s[7], s[8], -px / b.mass, -py / b.mass, -f * arms[1] / b.inertia, change)

    def run(self, velocity, spin=0.0, other_velocity=(0.0, 0.0), other_spin=0.0, steps=STEPS, end=None, overlap=0.0):
        """Approach along y: the first ball above the second, touching or `overlap` [m] deep, no slip so far.
        Returns a dictionary: place, velocity, spin, other_velocity, other_spin after the contact (or after `end`
        [s]); duration [s]; largest overlap [m] and normal force [N]; history [(t, overlap, normal force, friction
        force)]; lever, the mean of the first ball's lever over the impulse, part of its radius."""
        a, b = self.pair.first, self.pair.second
        below = 0.0 if math.isinf(b.radius) else -b.radius
        s = (0.0, a.radius - overlap, *velocity, spin, 0.0, below, *other_velocity, other_spin, 0.0)
        h = self.pair.duration(other_velocity[1] - velocity[1]) / steps
        if end is not None:
            h = end / max(1, round(end / h))
        t, history, levered, impulse = 0.0, [], 0.0, 0.0
        self.slides = True  # nothing presses yet
        while True:
            overlap, normal, f, _, _, _, arms, *_ = self._forces(s)
            history.append((t, overlap, normal, f))
            levered, impulse = levered + normal * arms[0], impulse + normal
            if (t > 0 and overlap <= 0) or (end is not None and t > end - h / 2) or t > 20 * h * steps:
                break
            k1 = self._rates(s)
            k2 = self._rates([p + h / 2 * q for p, q in zip(s, k1)])
            k3 = self._rates([p + h / 2 * q for p, q in zip(s, k2)])
            k4 = self._rates([p + h * q for p, q in zip(s, k3)])
            s = [p + h / 6 * (q1 + 2 * q2 + 2 * q3 + q4) for p, q1, q2, q3, q4 in zip(s, k1, k2, k3, k4)]
            t += h
            s[10], self.slides = self._forces(s)[7:]  # the return map of theory 05 section 3
        (t0, x0, *_), (t1, x1, *_) = history[-2:]
        return {"place": (s[0], s[1]), "velocity": (s[2], s[3]), "spin": s[4], "other_velocity": (s[7], s[8]),
                "other_spin": s[9], "duration": t0 + (t1 - t0) * x0 / (x0 - x1) if x1 <= 0 else math.inf,
                "overlap": largest(row[1] for row in history), "force": largest(row[2] for row in history),
                "history": history, "lever": levered / impulse / a.radius}
