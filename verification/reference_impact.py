"""Two equal spheres that collide once, and one between two walls, by independent integrations of a few lines.

The Hookean law of [Var, Eqs. 20-25] with corrections C5 to C9 of theory 02: normal force k delta - gamma_n m_eff v_n,
not limited in tension, tangential force -gamma_t m_eff v_t without a cap, arm half the distance of the centres.
The right sphere is followed, the left one mirrors it. Standard library only; shares no code with the program.
"""
import math

DIAMETER, DENSITY, GRAVITY, SPEED = 1e-3, 2500.0, 9.81, 0.1
MASS = DENSITY * math.pi * DIAMETER ** 3 / 6
INERTIA = 0.4 * MASS * (DIAMETER / 2) ** 2
STIFFNESS = 195000 * MASS * GRAVITY / DIAMETER
CONTACT_TIME = math.pi * math.sqrt(MASS / (2 * STIFFNESS))  # t_c of two spheres without damping
RATE = math.sqrt(GRAVITY / DIAMETER)  # unit of gamma_n [1/s]
ENERGY = MASS * SPEED ** 2 / 2  # of one sphere at the start


class Pair:
    """The right one of two spheres: state (x, y, vx, vy, wz).

    gamma: gamma_n in units of sqrt(g/d); tangential: gamma_t = gamma_n / 2, else 0.
    """

    def __init__(self, gamma, tangential):
        self.normal = gamma * RATE * MASS / 2
        self.tangential = self.normal / 2 if tangential else 0.0

    def elastic(self, x, y):
        """Force (fx, fy) of the spring."""
        distance = 2 * math.hypot(x, y)
        overlap = DIAMETER - distance
        if overlap <= 0:
            return 0.0, 0.0
        return STIFFNESS * overlap * 2 * x / distance, STIFFNESS * overlap * 2 * y / distance

    def viscous(self, x, y, vx, vy, w):
        """Force and moment (fx, fy, mz) of the dashpots."""
        distance = 2 * math.hypot(x, y)
        if distance >= DIAMETER:
            return 0.0, 0.0, 0.0
        nx, ny, arm = 2 * x / distance, 2 * y / distance, distance / 2
        vn = 2 * (vx * nx + vy * ny)
        tx, ty = 2 * vx - vn * nx + 2 * w * arm * ny, 2 * vy - vn * ny - 2 * w * arm * nx
        fx, fy = -self.tangential * tx, -self.tangential * ty
        return fx - self.normal * vn * nx, fy - self.normal * vn * ny, -arm * (nx * fy - ny * fx)

    def rates(self, state):
        ex, ey = self.elastic(*state[:2])
        fx, fy, mz = self.viscous(*state)
        return state[2], state[3], (ex + fx) / MASS, (ey + fy) / MASS, mz / INERTIA

    def continuous(self, state, span, steps=2000):
        """The state after `span` [s] within the contact: classical Runge-Kutta."""
        h = span / steps
        for _ in range(steps):
            k1 = self.rates(state)
            k2 = self.rates([s + h / 2 * k for s, k in zip(state, k1)])
            k3 = self.rates([s + h / 2 * k for s, k in zip(state, k2)])
            k4 = self.rates([s + h * k for s, k in zip(state, k3)])
            state = [s + h / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4)]
        return state

    def step_half(self, state, h):
        """One step of the variational integrator, alpha = 1/2 (theory 02 section 3)."""
        x, y, vx, vy, w = state
        ux, uy, turn = vx, vy, w  # the step's mean velocities
        for _ in range(100):
            mx, my = x + h / 2 * ux, y + h / 2 * uy
            ex, ey = self.elastic(mx, my)
            fx, fy, mz = self.viscous(mx, my, ux, uy, turn)
            new = vx + h / 2 * (ex + fx) / MASS, vy + h / 2 * (ey + fy) / MASS, w + h / 2 * mz / INERTIA
            change = abs(new[0] - ux) + abs(new[1] - uy) + DIAMETER * abs(new[2] - turn)
            ux, uy, turn = new
            if change < 1e-16:
                break
        return x + h * ux, y + h * uy, 2 * ux - vx, 2 * uy - vy, 2 * turn - w

    def step_zero(self, state, h):
        """One step of the variational integrator, alpha = 0 (theory 02 section 3)."""
        x, y, vx, vy, w = state
        ex, ey = self.elastic(x, y)
        ux, uy, turn = vx, vy, w
        for _ in range(100):
            fx, fy, mz = self.viscous(x, y, ux, uy, turn)
            new = vx + h * (ex + fx / 2) / MASS, vy + h * (ey + fy / 2) / MASS, w + h / 2 * mz / INERTIA
            change = abs(new[0] - ux) + abs(new[1] - uy) + DIAMETER * abs(new[2] - turn)
            ux, uy, turn = new
            if change < 1e-16:
                break
        x, y = x + h * ux, y + h * uy
        fx, fy, mz = self.viscous(x, y, ux, uy, turn)
        return x, y, ux + h / 2 * fx / MASS, uy + h / 2 * fy / MASS, turn + h / 2 * mz / INERTIA

    def step(self, alpha):
        return {0.5: self.step_half, 0: self.step_zero}[alpha]


def touch(offset):
    """(time, x, y) of contact onset of two spheres `offset` diameters off centre, from the start (d, offset d/2)."""
    x = 0.5 * DIAMETER * math.sqrt(1 - offset ** 2)
    return (DIAMETER - x) / SPEED, x, offset * DIAMETER / 2


def free_flight(offset, time):
    """State at `time` [s] before the touch."""
    return DIAMETER - SPEED * time, offset * DIAMETER / 2, -SPEED, 0.0, 0.0


def energies(state):
    """(translational, rotational) kinetic energy of one sphere [J]."""
    return MASS * (state[2] ** 2 + state[3] ** 2) / 2, INERTIA * state[4] ** 2 / 2


def oscillator(gamma, tau):
    """(x, vx) of a central impact, `tau` [s] after contact onset: closed form, C9 of theory 02."""
    half = gamma * RATE / 2
    w = math.sqrt(2 * STIFFNESS / MASS - half ** 2)
    decay = math.exp(-half * tau)
    x = DIAMETER / 2 - SPEED / w * decay * math.sin(w * tau)
    return x, SPEED * decay * (half / w * math.sin(w * tau) - math.cos(w * tau))


HALF_GAP = 0.005 * DIAMETER  # a sphere between walls 1.01 d apart touches at this distance from the middle


def between_walls(start, step, count):
    """Yields x and v after each of `count` steps of the variational integrator, alpha = 1/2, of a sphere between walls."""
    x, v = start, SPEED
    for _ in range(count):
        mean = v
        for _ in range(60):
            middle = x + step / 2 * mean
            overlap = middle - HALF_GAP if middle > 0 else middle + HALF_GAP
            force = -STIFFNESS * overlap if overlap * middle > 0 else 0.0
            new = v + step / 2 * force / MASS
            change, mean = abs(new - mean), new
            if change < 1e-17:
                break
        x, v = x + step * mean, 2 * mean - v
        yield x, v
