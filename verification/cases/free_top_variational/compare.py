"""Angular momentum and energy of a free rigid body over many steps."""
import math

from reference_block import rotate
from judging import largest, smallest

INERTIA, SPIN, STEP, COUNT = (1.0, 2.0, 3.0), (0.15, 1.2, 0.9), 0.1, 100000
VELOCITY = (1.0, -0.5, 0.25)


def deck_of(integrator, count):
    return {
        "title": "A free asymmetric top",
        "integrator": integrator,
        "time": {"end": count * STEP, "step": STEP},
        "materials": {"any": {"density": 1000}},
        "shapes": {"ball": {"type": "sphere", "radius": 0.5}},
        "bodies": [{"name": "top", "shape": "ball", "material": "any", "position": [0, 0, 0], "mass": 1.0,
                    "inertia": INERTIA, "velocity": VELOCITY, "angular_velocity": SPIN}],
        "solver": {"newton": {"relative": 1e-14, "absolute": 1e-14}},
        "output": {"histories": [{"file": "top.csv", "body": "top", "every": 10 * STEP, "columns": [
            "time", "x", "y", "z", "qw", "qx", "qy", "qz", "wx", "wy", "wz"]}]},
    }


def invariants(table):
    """[(time, deviation of the angular momentum, deviation of the energy)], relative."""
    rows = []
    for t, qw, qx, qy, qz, *spin in zip(*(table[c] for c in ("time", "qw", "qx", "qy", "qz", "wx", "wy", "wz"))):
        body = rotate((qw, -qx, -qy, -qz), spin)
        momentum = rotate((qw, qx, qy, qz), tuple(i * s for i, s in zip(INERTIA, body)))
        rows.append((t, momentum, sum(i * s * s for i, s in zip(INERTIA, body)) / 2))
    start = tuple(i * s for i, s in zip(INERTIA, SPIN))
    energy = sum(i * s * s for i, s in zip(INERTIA, SPIN)) / 2
    return [(t, math.dist(m, start) / math.hypot(*start), e / energy - 1) for t, m, e in rows]


def measured(case, integrator, count, name):
    table = case.run(deck_of(integrator, count), name).history("top.csv")
    return table, invariants(table)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def written_again(count, every):
    """Deviations of the energy after each `every` of `count` steps, by the same method in the body's frame (theory 02
    section 4): J a + a x J a / 2 + a (a . J a) / 4 = h p for the step's Rodrigues vector a, then p turned back by it."""
    momentum = [i * s for i, s in zip(INERTIA, SPIN)]
    start = sum(p * p / i for p, i in zip(momentum, INERTIA)) / 2
    found = [0.0]
    for number in range(1, count + 1):
        turn = [STEP * p / i for p, i in zip(momentum, INERTIA)]
        for _ in range(100):
            moved = [i * a for i, a in zip(INERTIA, turn)]
            side, along = cross(turn, moved), sum(a * b for a, b in zip(turn, moved))
            new = [(STEP * p - c / 2 - a * along / 4) / i for p, c, a, i in zip(momentum, side, turn, INERTIA)]
            change, turn = largest(abs(a - b) for a, b in zip(new, turn)), new
            if change < 1e-16:
                break
        factor = 4 / (4 + sum(a * a for a in turn))
        once = cross(turn, momentum)
        momentum = [p - factor * a + factor / 2 * b for p, a, b in zip(momentum, once, cross(turn, once))]
        if number % every == 0:
            found.append(sum(p * p / i for p, i in zip(momentum, INERTIA)) / 2 / start - 1)
    return found


def judge(case, alpha, name):
    table, rows = measured(case, {"type": "variational", "alpha": alpha}, COUNT, name)
    what = f"alpha = {alpha:g}: "
    case.at_most(what + "change of angular momentum [part]", largest(r[1] for r in rows), 8e-13,
                 "required; round-off of 1e5 steps")
    place = [table[c][-1] for c in "xyz"]
    case.at_most(what + "error of the position [m]", math.dist(place, [v * COUNT * STEP for v in VELOCITY]), 1e-11,
                 "round-off of 1e4 m")
    return rows


def compare(case):
    rows = judge(case, 0.5, "variational_half")
    off = [r[2] for r in rows]
    again = written_again(COUNT // 10, 10)
    case.at_most("alpha = 0.5: energy against the same method written again, 1e4 steps [part]",
                 largest(abs(a - b) for a, b in zip(off, again)), 5e-13, "round-off")
    case.at_least("alpha = 0.5: lowest energy [part]", smallest(off), -0.3e-4, "the method written again: -0.18e-4")
    case.at_most("alpha = 0.5: highest energy [part]", largest(off), 12e-4, "the method written again: 11.8e-4")
    tenth = len(off) // 10
    width = largest(off) - smallest(off)
    for pick, name in ((min, "lowest"), (max, "highest")):
        case.equal(f"alpha = 0.5: {name} energy of the last tenth against the first [part of the range]",
                   pick(off[-tenth:]) / width, pick(off[:tenth]) / width, "no drift", absolute=2e-5)
    first = judge(case, 0, "variational_zero")
    case.tell("alpha = 0: energy, lowest and highest",
              f"{smallest(r[2] for r in first):.2e}, {largest(r[2] for r in first):.2e}")
    momenta = [("variational 1/2", [r[0] for r in rows][1:], [r[1] for r in rows][1:], "curve"),
               ("variational 0", [r[0] for r in first][1:], [r[1] for r in first][1:], "curve")]
    energies = [("variational 1/2", [r[0] for r in rows], off, "curve"),
                ("written again", [r[0] for r in rows][:200:4], again[:200:4], "points")]
    for integrator in ({"type": "newmark"}, {"type": "trapezoidal", "phi": 0.5}):
        name = integrator["type"]
        _, other = measured(case, integrator, COUNT // 10, name)
        case.tell(f"{name}, 1e4 steps: change of angular momentum; energy, lowest and highest",
                  f"{largest(r[1] for r in other):.1e}; {smallest(r[2] for r in other):.2e}, {largest(r[2] for r in other):.2e}")
        momenta.append((name, [r[0] for r in other][1:], [r[1] for r in other][1:], "curve"))
        energies.append((name, [r[0] for r in other][:200], [r[2] for r in other][:200], "curve"))
    case.plot("Change of angular momentum", "time [s]", "part", momenta, log="xy")
    case.plot("Energy over all steps (others: their first 200 s)", "time [s]", "E / E0 - 1", energies)
    case.plot("Energy, first 200 s", "time [s]", "E / E0 - 1",
              [(label, xs[:200], ys[:200], style) for label, xs, ys, style in energies])
