"""Many single impacts in one deck, each of a sphere on a common rigid plane or of two spheres, and what is measured.

Plane y = 0, normal along y, tangential along x, spin about z, no gravity; the impacts lie side by side along z and
never meet. Each starts half a step before touching, so that the phase of the step is the same for all.
"""
import bisect
import csv
import dataclasses
import math

import harness
import reference_sphere as sphere
from judging import largest, smallest

VARIATIONAL = {"type": "variational", "alpha": 0.5}
PHASE = 0.5  # of a step before touching
SHARE = 0.02  # of its range by which a digitised curve may be missed


@dataclasses.dataclass(frozen=True)
class Impact:
    """`partner` None is the rigid plane. Spins about z [rad/s], velocities (x, y) [m/s]."""
    name: str
    ball: sphere.Ball
    velocity: tuple
    spin: float = 0.0
    partner: sphere.Ball = None
    partner_velocity: tuple = (0.0, 0.0)
    partner_spin: float = 0.0
    restitution: float = 1.0
    no_tension: bool = True
    mu: float = 0.0
    dashpot: float = 0.0  # tangential [N s/m]
    dashpot_ratio: float = 0.0  # tangential, the deck's damping_ratio
    limit: str = "coulomb"  # the deck's
    elastic_limit: bool = False  # of the normal force without its dashpot
    stiffness: object = "mindlin"  # tangential, the deck's; reference() knows Mindlin's only
    spring: str = "dissipative"  # key of reference_sphere.SPRINGS
    overlap: float = None  # at the start [m]; None: half a step before touching
    normal: dict = None  # another normal law than Hertz's

    @property
    def closing(self):
        return self.partner_velocity[1] - self.velocity[1]

    @property
    def pair(self):
        return sphere.Pair(self.ball, self.partner or sphere.PLANE)

    def interface(self):
        """The deck's normal law and friction."""
        normal = self.normal or {"law": "hertz", "restitution": self.restitution, "no_tension": self.no_tension}
        if self.mu == 0:
            return {"normal": normal}
        friction = {"static": self.mu, "dynamic": self.mu, "stiffness": self.stiffness}
        if self.spring != "dissipative":
            friction["spring"] = self.spring
        if self.dashpot:
            friction["damping"] = self.dashpot
        if self.dashpot_ratio:
            friction["damping_ratio"] = self.dashpot_ratio
        if self.limit != "coulomb":
            friction["limit"] = self.limit
        if self.elastic_limit:
            friction["limiting_force"] = "elastic"
        return {"normal": normal, "friction": friction}

    def reference(self, **options):
        """The same impact by reference_sphere.py."""
        if self.stiffness != "mindlin":
            raise ValueError("reference_sphere.py has Mindlin's stiffness only")
        impact = sphere.Impact(self.pair, self.mu, sphere.damping_ratio(self.restitution, self.no_tension),
                               self.no_tension, self.spring, self.dashpot, self.dashpot_ratio, self.limit,
                               self.elastic_limit)
        return impact.run(self.velocity, self.spin, self.partner_velocity, self.partner_spin, overlap=self.overlap or 0.0,
                          **options)


def _material(ball):
    return {"density": ball.density, "young": ball.young, "poisson": ball.poisson}


def _pose(ball, height, velocity, spin, z, names):
    name, shape, material = names
    return {"name": name, "shape": shape, "material": material, "position": [0, height, z],
            "velocity": [*velocity, 0], "angular_velocity": [0, 0, spin], "inertia": [ball.inertia] * 3}


def step_of(impacts, per_contact):
    """Fixed step [s] that divides the shortest (undamped) contact into `per_contact` steps."""
    return smallest(i.pair.duration(i.closing) for i in impacts) / per_contact


def deck_of(impacts, per_contact=400, contacts=2.5, integrator=None, histories=False, end=None):
    """A deck of impacts, all on the plane or all on partners. Ends `contacts` undamped durations of the longest one after the start; or at `end` [s],
    which `per_contact` steps divide."""
    step = end / per_contact if end else step_of(impacts, per_contact)
    count = per_contact if end else math.ceil(contacts * largest(i.pair.duration(i.closing) for i in impacts) / step)
    spacing = 4 * largest(max(i.ball.radius, i.partner.radius if i.partner else 0) for i in impacts)
    materials, shapes, interfaces, bodies = {"plane": {"density": 1000}}, {}, {}, []

    def named(table, stem, value):
        for name, known in table.items():
            if known == value:
                return name
        table[f"{stem}{len(table)}"] = value
        return f"{stem}{len(table) - 1}"

    for number, impact in enumerate(impacts):
        # A material for each set of constants and each interface, because interfaces go by materials.
        key = (impact.ball, impact.partner, repr(impact.interface()))
        if key not in interfaces:
            own = f"ball{len(interfaces)}"
            other = f"partner{len(interfaces)}" if impact.partner else "plane"
            materials[own] = _material(impact.ball)
            if impact.partner:
                materials[other] = _material(impact.partner)
            interfaces[key] = {"between": [own, other], **impact.interface()}
        own, other = interfaces[key]["between"]
        z = number * spacing
        gap = PHASE * step * impact.closing if impact.overlap is None else -impact.overlap
        shape = named(shapes, "shape", {"type": "sphere", "radius": impact.ball.radius})
        bodies.append(_pose(impact.ball, impact.ball.radius + gap, impact.velocity, impact.spin, z,
                            (impact.name, shape, own)))
        if impact.partner:
            shape = named(shapes, "shape", {"type": "sphere", "radius": impact.partner.radius})
            bodies.append(_pose(impact.partner, -impact.partner.radius, impact.partner_velocity, impact.partner_spin, z,
                                (impact.name + "_partner", shape, other)))
    deck = {
        "gravity": [0, 0, 0],
        "time": {"end": count * step, "step": step},
        "integrator": integrator or VARIATIONAL,
        "materials": materials, "shapes": shapes, "bodies": bodies,
        "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz", "restitution": 1}}, *interfaces.values()],
        "solver": {"newton": {"relative": 1e-10}},
        "output": {"final_state": "final.csv", "histories": [
            {"file": f"{i.name}.csv", "body": i.name, "columns": ["time", "x", "y", "vx", "vy", "wz", "fx", "fy"]}
            for i in impacts if histories]},
    }
    if any(i.partner is None for i in impacts):
        deck["boundaries"] = [{"name": "plane", "type": "plane", "point": [0, 0, 0], "normal": [0, 1, 0],
                               "material": "plane"}]
    return deck


def outcomes(run, impacts):
    """[{place, velocity, spin, other_velocity, other_spin}] at the end of the run, in the order of the impacts."""
    final = run.history("final.csv")
    rows = {name: row for row, name in enumerate(final["name"])}

    def state(name):
        row = rows[name]
        return (final["x"][row], final["y"][row]), (final["vx"][row], final["vy"][row]), final["wz"][row]
    results = []
    for impact in impacts:
        place, velocity, spin = state(impact.name)
        _, other, other_spin = state(impact.name + "_partner") if impact.partner else ((), (0.0, 0.0), 0.0)
        results.append({"place": place, "velocity": velocity, "spin": spin, "other_velocity": other,
                        "other_spin": other_spin})
    return results


def fire(case, impacts, name, **options):
    """Runs all impacts in one deck. Returns their outcomes."""
    return outcomes(case.run(deck_of(impacts, **options), name), impacts)


def rebound(result):
    """Speed at which the spheres part [m/s]."""
    return result["velocity"][1] - result["other_velocity"][1]


def patch_velocity(result, impact):
    """Tangential velocity of the surface of the ball relative to what it hit [m/s], with full radii as levers."""
    partner = impact.partner.radius if impact.partner else 0.0
    return (result["velocity"][0] - result["other_velocity"][0] + result["spin"] * impact.ball.radius
            + result["other_spin"] * partner)


def curves(folder):
    """{(material, quantity): [(x, y)]} of digitised.csv."""
    table = {}
    with open(folder / "digitised.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            table.setdefault((row["material"], row["quantity"]), []).append((float(row["x"]), float(row["y"])))
    return table


def extent(points, *more):
    """Range of a curve: of its points, and of further values that belong to it."""
    values = [y for _, y in points] + list(more)
    return largest(values) - smallest(values)


def worst(measured, reference):
    """Largest absolute difference; not a number if there is nothing to compare."""
    differences = [abs(m - r) for m, r in zip(measured, reference, strict=True)]
    return largest(differences) if differences and not any(map(math.isnan, differences)) else math.nan


def against_curve(case, what, measured, points, span, why, reading=0.0):
    """Judges measured values at the abscissae of digitised points: at most SHARE of `span` away, beside `reading`,
    what an error of the abscissa makes of the ordinate (per point, or one for all)."""
    readings = reading if isinstance(reading, list) else [reading] * len(points)
    shares = [max(abs(m - y) - r, 0.0) / span for m, (_, y), r in zip(measured, points, readings, strict=True)]
    case.at_most(f"{what}: farthest from {len(points)} digitised points, part of the range",
                 worst(shares, [0.0] * len(shares)), SHARE, why)


def elastic_figures(case, impacts, run, label):
    """Judges the histories of elastic, normal and (with a partner) symmetric impacts against Hertz's closed forms and
    the integrated curve of force over time."""
    for impact in impacts:
        table, pair = run.history(f"{impact.name}.csv"), impact.pair
        gap = table["y"][0] - impact.ball.radius
        # Of a symmetric pair each does half, about the plane in the middle.
        share, middle = (2, gap / 2) if impact.partner else (1, 0.0)
        overlaps = [share * (impact.ball.radius + middle - y) for y in table["y"]]
        touch = gap / impact.closing
        parting = share * table["vy"][-1]
        parted = table["time"][-1] + overlaps[-1] / parting if overlaps[-1] < 0 < parting else math.nan
        what = f"{impact.name}{label}"
        case.equal(f"{what}: largest overlap [um]", 1e6 * largest(overlaps), 1e6 * pair.largest_overlap(impact.closing),
                   "Hertz; the time error is of order 1e-5", relative=1.5e-4)
        case.equal(f"{what}: largest force [N]", largest(table["fy"]), pair.largest_force(impact.closing),
                   "Hertz; the time error is of order 1e-5", relative=1.5e-4)
        case.equal(f"{what}: duration [us]", 1e6 * (parted - touch), 1e6 * pair.duration(impact.closing),
                   "Hertz; the time error is of order 1e-5", relative=1.5e-4)
        case.equal(f"{what}: restitution", parting / impact.closing, 1.0, "no damping", absolute=2e-6)
        times, _, forces, _ = zip(*impact.reference()["history"])
        exact = [interpolated(times, forces, t - touch) for t in table["time"]]
        case.at_most(f"{what}: force over time, farthest from the integrated curve, part of the largest force",
                     worst(table["fy"], exact) / largest(forces), 5e-4, "m* x'' = -k x^(3/2), Runge-Kutta")


def interpolated(times, values, t):
    """Linear between samples, 0 outside."""
    if not times[0] <= t < times[-1]:
        return 0.0
    k = bisect.bisect_right(times, t)
    part = (t - times[k - 1]) / (times[k] - times[k - 1])
    return values[k - 1] + part * (values[k] - values[k - 1])
