"""A single cube over a plane, without friction and damping, by an independent explicit integration.

The contact law [Poly, Eqs. 49-51] at each of the 8 vertices, classical Runge-Kutta in contact, closed form
in flight (the cube's inertia is isotropic, so it turns at constant spin). Standard library only; shares no
code with the program.
"""
import math

from judging import smallest

GRAVITY = 9.81


class Law:
    """f(gap) = e1 (g - gap)^n1 above fraction * g, e2 gap^n2 + c2 below, with equal value and slope there."""

    def __init__(self, threshold=1e-3, stiffness=2.8e13, exponent=3.0, fraction=0.4, barrier_exponent=-2.0):
        self.threshold, self.e1, self.n1, self.n2 = threshold, stiffness, exponent, barrier_exponent
        self.inner = fraction * threshold
        reach = threshold - self.inner
        self.e2 = -self.e1 * self.n1 * reach ** (self.n1 - 1) / (self.n2 * self.inner ** (self.n2 - 1))
        self.c2 = self.e1 * reach ** self.n1 - self.e2 * self.inner ** self.n2

    @classmethod
    def of_deck(cls, deck):
        normal = deck["interfaces"][-1]["normal"]
        return cls(normal["threshold"], normal["stiffness"], normal["exponent"], normal["barrier_fraction"],
                   normal["barrier_exponent"])

    def force(self, gap):
        if gap >= self.threshold:
            return 0.0
        if gap >= self.inner:
            return self.e1 * (self.threshold - gap) ** self.n1
        return self.e2 * gap ** self.n2 + self.c2

    def energy(self, gap):
        """Integral of the force from the threshold [J]; n2 = -1 is not needed here."""
        if gap >= self.threshold:
            return 0.0
        if gap >= self.inner:
            return self.e1 * (self.threshold - gap) ** (self.n1 + 1) / (self.n1 + 1)
        return (self.energy(self.inner) + self.c2 * (self.inner - gap)
                + self.e2 * (self.inner ** (self.n2 + 1) - gap ** (self.n2 + 1)) / (self.n2 + 1))

    def gap_under(self, force):
        """Gap above fraction * threshold at which the law gives `force` [N]."""
        return self.threshold - (force / self.e1) ** (1 / self.n1)


def axis_angle(axis, angle_deg):
    """Unit quaternion (w, x, y, z)."""
    norm = math.sqrt(sum(c * c for c in axis))
    half = math.radians(angle_deg) / 2
    return (math.cos(half), *(math.sin(half) * c / norm for c in axis))


def rotate(q, v):
    w, x, y, z = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx)


def corners(edge):
    h = edge / 2
    return [(x, y, z) for x in (-h, h) for y in (-h, h) for z in (-h, h)]


def lowest(q, edge):
    """Height of the lowest vertex relative to the pole [m]."""
    return smallest(rotate(q, c)[2] for c in corners(edge))


class Block:
    """Cube of the given edge [m] and mass [kg]; state: z of the pole, q, vz, w (global). x, y move freely."""

    def __init__(self, law, edge=0.1, mass=2.0):
        self.law, self.edge, self.mass = law, edge, mass
        self.inertia = mass * edge * edge / 6
        self.corners = corners(edge)

    def energy(self, z, q, v, w):
        """Of vertical motion, turning, height and contact [J]."""
        contact = sum(self.law.energy(z + rotate(q, c)[2]) for c in self.corners)
        return (self.mass * (0.5 * v * v + GRAVITY * z) + 0.5 * self.inertia * sum(c * c for c in w) + contact)

    def in_contact(self, z, q):
        return z + lowest(q, self.edge) < self.law.threshold

    def _rates(self, state):
        z, q, v, w = state[0], state[1:5], state[5], state[6:9]
        force, mx, my = 0.0, 0.0, 0.0
        for corner in self.corners:
            arm = rotate(q, corner)
            f = self.law.force(z + arm[2])
            if f:
                force += f
                mx += arm[1] * f
                my -= arm[0] * f
        spin = (0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]), 0.5 * (q[0] * w[0] + w[1] * q[3] - w[2] * q[2]),
                0.5 * (q[0] * w[1] + w[2] * q[1] - w[0] * q[3]), 0.5 * (q[0] * w[2] + w[0] * q[2] - w[1] * q[1]))
        return (v, *spin, force / self.mass - GRAVITY, mx / self.inertia, my / self.inertia, 0.0)

    def _runge_kutta(self, state, h):
        add = lambda s, k, c: tuple(a + c * b for a, b in zip(s, k))  # noqa: E731
        k1 = self._rates(state)
        k2 = self._rates(add(state, k1, h / 2))
        k3 = self._rates(add(state, k2, h / 2))
        k4 = self._rates(add(state, k3, h))
        new = [s + h / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4)]
        norm = math.sqrt(sum(c * c for c in new[1:5]))
        new[1:5] = [c / norm for c in new[1:5]]
        return tuple(new)

    def _fly(self, state, t):
        z, q, v, w = state[0], state[1:5], state[5], state[6:9]
        speed = math.sqrt(sum(c * c for c in w))
        if speed > 0:
            half = 0.5 * speed * t
            s = math.sin(half) / speed
            a, b, c, d = math.cos(half), s * w[0], s * w[1], s * w[2]
            q = (a * q[0] - b * q[1] - c * q[2] - d * q[3], a * q[1] + b * q[0] + c * q[3] - d * q[2],
                 a * q[2] - b * q[3] + c * q[0] + d * q[1], a * q[3] + b * q[2] - c * q[1] + d * q[0])
        return (z + v * t - 0.5 * GRAVITY * t * t, *q, v - GRAVITY * t, *w)

    def integrate(self, z, q, v, w, end, contact_step=1e-6, flight_step=2e-4):
        """Yields (t, z, q, v, w) at the start, at the ends of flights and of contacts, and at `end`."""
        state, t = (z, *q, v, *w), 0.0
        yield t, state[0], state[1:5], state[5], state[6:9]
        while t < end:
            touching = self.in_contact(state[0], state[1:5])
            while t < end and self.in_contact(state[0], state[1:5]) == touching:
                h = min(contact_step if touching else flight_step, end - t)
                new = self._runge_kutta(state, h) if touching else self._fly(state, h)
                if not touching and self.in_contact(new[0], new[1:5]):
                    low, high = 0.0, h  # the moment of touching, by bisection
                    for _ in range(60):
                        middle = 0.5 * (low + high)
                        at = self._fly(state, middle)
                        low, high = (low, middle) if self.in_contact(at[0], at[1:5]) else (middle, high)
                    h, new = high, self._fly(state, high)
                state, t = new, t + h
            yield t, state[0], state[1:5], state[5], state[6:9]
