"""Orientation, spin and angular momentum of a free rigid body against Euler's equations."""
import math

import harness
from reference_block import rotate

INERTIA, SPIN_B, END = (1.0, 2.0, 3.0), (0.3, 2.0, 0.2), 2.0
VELOCITY = (0.5, -0.25, 0.125)


def rates(state):
    """Quaternion (body to global) and spin in the body frame."""
    w, x, y, z, p, q, r = state
    a, b, c = INERTIA
    return (0.5 * (-x * p - y * q - z * r), 0.5 * (w * p + y * r - z * q), 0.5 * (w * q + z * p - x * r),
            0.5 * (w * r + x * q - y * p), (b - c) / a * q * r, (c - a) / b * r * p, (a - b) / c * p * q)


def reference(step=1e-4):
    state = (1.0, 0.0, 0.0, 0.0, *SPIN_B)
    for _ in range(round(END / step)):
        def moved(k, f, s=state):
            return tuple(u + f * v for u, v in zip(s, k))
        k1 = rates(state)
        k2 = rates(moved(k1, step / 2))
        k3 = rates(moved(k2, step / 2))
        k4 = rates(moved(k3, step))
        state = tuple(s + step / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4))
    return state[:4]


def momentum(q, spin):
    """Angular momentum, global frame."""
    body = rotate((q[0], -q[1], -q[2], -q[3]), spin)
    return rotate(q, tuple(i * s for i, s in zip(INERTIA, body)))


def compare(case):
    exact = reference()
    start = momentum((1.0, 0.0, 0.0, 0.0), SPIN_B)
    turned, lost = [], []
    for step in (0.02, 0.01, 0.005):
        deck = {
            "integrator": {"type": "newmark"},
            "gravity": [0, 0, 0],
            "time": {"end": END, "step": step},
            "materials": {"any": {"density": 1000}},
            "shapes": {"cube": {"type": "box", "size": [0.5, 0.5, 0.5]}},
            "bodies": [{"name": "top", "shape": "cube", "material": "any", "position": [0, 0, 0], "mass": 1.0,
                        "inertia": INERTIA, "velocity": VELOCITY, "angular_velocity": SPIN_B}],
            "interfaces": harness.read_deck(harness.ROOT / "inputs/paper/example_1a.json")["interfaces"],
            "solver": {"newton": {"relative": 1e-10, "absolute": 1e-10}},
            "output": {"histories": [{"file": "top.csv", "body": "top",
                                      "columns": ["time", "x", "y", "z", "qw", "qx", "qy", "qz", "wx", "wy", "wz"]}]},
        }
        top = case.run(deck, f"step_{step:g}").history("top.csv")
        q = tuple(top[c][-1] for c in ("qw", "qx", "qy", "qz"))
        both = {"qw": [exact[0], q[0]], "qx": [exact[1], q[1]], "qy": [exact[2], q[2]], "qz": [exact[3], q[3]]}
        turned.append(harness.turned_angle(both, 1))
        end = momentum(q, tuple(top[c][-1] for c in ("wx", "wy", "wz")))
        lost.append(math.dist(start, end) / math.hypot(*start))
        case.tell(f"step {step:g} s: error of the orientation [rad], of angular momentum [relative]",
                  f"{turned[-1]:.3e}, {lost[-1]:.3e}")
        place = [top[c][-1] for c in "xyz"]
        case.at_most(f"step {step:g} s: error of the position [m]",
                     math.dist(place, [v * END for v in VELOCITY]), 1e-14, "no force, so no curvature")
    steps = (0.02, 0.01, 0.005)
    case.plot("Error of the orientation after 2 s", "h [s]", "error [rad]",
              [("measured", steps, turned, "both"),
               ("h^2", steps, [turned[-1] * (h / steps[-1]) ** 2 for h in steps], "dashed")],
              log="xy")
    for k, step in enumerate((0.01, 0.005)):
        case.equal(f"order of the orientation, down to {step:g} s", math.log2(turned[k] / turned[k + 1]), 2.0,
                   "Newmark, gamma = 1/2", absolute=5e-3)
        if lost[k + 1] > 1e-9:  # an integrator that keeps it has no order
            case.at_least(f"order of angular momentum, down to {step:g} s", math.log2(lost[k] / lost[k + 1]), 1.9,
                          "Newmark, gamma = 1/2")
