"""What beds of superquadrics are measured by: heights of their tops, Monte Carlo packing, coordination."""
import collections
import itertools
import math
import random

from judging import largest


def axes_of(w, x, y, z):
    """Rows of the rotation from body to space of a unit quaternion."""
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))


def support(half_axes, blockiness, direction):
    """Largest m . x over the superquadric, m in body axes (theory 06 section 4)."""
    (a, b, c), (n1, n2) = half_axes, blockiness
    q1, q2 = n1 / (n1 - 1), n2 / (n2 - 1)
    across = ((a * abs(direction[0])) ** q2 + (b * abs(direction[1])) ** q2) ** (1 / q2)
    return (across ** q1 + (c * abs(direction[2])) ** q1) ** (1 / q1)


def inside(half_axes, blockiness, point):
    """Whether a point in body axes is in the superquadric (theory 06 section 1)."""
    (a, b, c), (n1, n2) = half_axes, blockiness
    across = abs(point[0] / a) ** n2 + abs(point[1] / b) ** n2
    return across ** (n1 / n2) + abs(point[2] / c) ** n1 < 1


def volume(half_axes, blockiness):
    """Of a superquadric (theory 06 section 2)."""
    i1, i2 = 1 / blockiness[0], 1 / blockiness[1]

    def g(z):
        return math.gamma(1 + z)
    return 8 * math.prod(half_axes) * g(i2) ** 2 / g(2 * i2) * g(i1) * g(2 * i1) / g(3 * i1)


class Bed:
    """Superquadrics of one shape. table: columns x, y, z, qw, qx, qy, qz of their centres and orientations."""

    def __init__(self, table, half_axes, blockiness):
        self.half_axes, self.blockiness = half_axes, blockiness
        self.centres = list(zip(table["x"], table["y"], table["z"]))
        self.rotations = [axes_of(*q) for q in zip(table["qw"], table["qx"], table["qy"], table["qz"])]

    def tops(self):
        """Height of the highest point of each."""
        return [x[2] + support(self.half_axes, self.blockiness, r[2]) for x, r in zip(self.centres, self.rotations)]

    def mean_height(self):
        return sum(x[2] for x in self.centres) / len(self.centres)

    def height_at(self, x, y, step):
        """Height of the surface of the bed above a place, to within a step downwards; 0 where no body is there."""
        reach = math.sqrt(sum(a * a for a in self.half_axes))
        near = [k for k, c in enumerate(self.centres) if math.hypot(c[0] - x, c[1] - y) < reach]
        z = largest((self.centres[k][2] + reach for k in near), default=0.0)
        while z > 0 and not any(self._holds(k, (x, y, z)) for k in near):
            z -= step
        return max(z, 0.0)

    def slab_packing(self, width, low, high, samples, seed=3):
        """Part of the slab low < z < high of a column width x width, periodic in x and y, that is inside of one:
        Monte Carlo, standard deviation sqrt(p (1 - p) / samples)."""
        reach = math.sqrt(sum(a * a for a in self.half_axes))
        count = int(width / reach)  # cells no smaller than the reach
        cell_of = lambda x: math.floor(x / width * count)  # noqa: E731
        cells = collections.defaultdict(list)
        for k, (x, y, z) in enumerate(self.centres):
            cells[cell_of(x) % count, cell_of(y) % count, cell_of(z)].append(k)
        draw, hits = random.Random(seed), 0
        for _ in range(samples):
            p = (draw.uniform(0, width), draw.uniform(0, width), draw.uniform(low, high))
            home = [cell_of(c) for c in p]
            around = ((home[0] + i) % count for i in (-1, 0, 1)), ((home[1] + j) % count for j in (-1, 0, 1)), \
                (home[2] + k for k in (-1, 0, 1))
            hits += any(self._holds(k, p, width) for cell in itertools.product(*around) for k in cells.get(cell, ()))
        return hits / samples

    def _holds(self, k, p, width=math.inf):
        """Whether a point is in body k, or in an image of it in a column of that width."""
        way = [a - b for a, b in zip(p, self.centres[k])]
        way[:2] = [math.remainder(c, width) for c in way[:2]]
        r = self.rotations[k]
        return inside(self.half_axes, self.blockiness,
                      [sum(r[i][j] * way[i] for i in range(3)) for j in range(3)])


def coordination(contacts, boundaries, bodies):
    """Mean number of force-carrying contacts of a body with other bodies. contacts: table of a contact file."""
    pairs = sum(1 for b, fn in zip(contacts["body_b"], contacts["fn"]) if fn != 0 and b not in boundaries)
    return 2 * pairs / bodies
