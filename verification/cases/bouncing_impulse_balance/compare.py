"""Rebound of a tumbling cube against the rigid impulse balance, as the contact gets stiffer and thinner."""
import math

import harness
import reference_block

MASS, EDGE, HEIGHT = 2.0, 0.1, 0.05
INERTIA = MASS * EDGE ** 2 / 6
SPEED = math.sqrt(2 * reference_block.GRAVITY * HEIGHT)
COLUMNS = ["time", "qw", "qx", "qy", "qz", "vz", "wx", "wy", "wz", "fz"]


def rigid_rebound(q, v, w):
    """Vertical speed and spin after a frictionless, elastic impact of the lowest vertex."""
    s = min((reference_block.rotate(q, c) for c in reference_block.corners(EDGE)), key=lambda p: p[2])
    b = (s[1], -s[0], 0.0)  # s x ez
    speed = v + b[0] * w[0] + b[1] * w[1]
    impulse = -2 * speed / (1 / MASS + (b[0] ** 2 + b[1] ** 2) / INERTIA)
    return v + impulse / MASS, tuple(w[k] + impulse * b[k] / INERTIA for k in range(3))


def deck_of(source, thickness):
    """Example 1(d) with a contact `thickness` times as thick, just before it touches."""
    normal = {**source["interfaces"][0]["normal"]}
    normal["threshold"] *= thickness
    normal["stiffness"] /= thickness ** 4  # the energy at a given part of the threshold stays
    body = {**source["bodies"][0]}
    lowest = reference_block.lowest(
        reference_block.axis_angle(body["orientation"]["axis"], body["orientation"]["angle_deg"]), EDGE)
    body["position"] = [0, 0, (1 + 0.1) * normal["threshold"] - lowest]
    body["velocity"] = [0.2, 0.1, -SPEED]
    return {**source, "bodies": [body],
            "interfaces": [{**source["interfaces"][0], "normal": normal}],
            "time": {"end": 4e-3 * thickness, "step": 1e-5 * thickness},
            "output": {"histories": [{"file": "block.csv", "body": "block", "columns": COLUMNS}]}}


def compare(case):
    source = harness.read_deck(harness.ROOT / "inputs/paper/example_1d.json")
    differences = []
    for thickness in (1.0, 0.1, 0.01):
        table = case.run(deck_of(source, thickness), f"thickness_{thickness:g}").history("block.csv")
        first = next(i for i, f in enumerate(table["fz"]) if f > 0)
        after = next((i for i in range(first, len(table["fz"])) if table["fz"][i] == 0), None)
        if after is None:
            raise harness.CaseError("the first contact did not end within the run")
        state = {i: [table[c][i] for c in COLUMNS[1:-1]] for i in (first - 1, after)}
        v, w = rigid_rebound(state[first - 1][:4], state[first - 1][4], state[first - 1][5:])
        differences.append((abs(state[after][4] - v) + math.dist(state[after][5:], w) * EDGE / 2) / SPEED)
        case.tell(f"contact {thickness:g} mm thick, {table['time'][after] - table['time'][first]:.2e} s long: "
                  "difference from the rigid balance, part of the impact speed", f"{differences[-1]:.3e}")
    case.plot("Difference from the rigid impulse balance", "thickness of the contact [mm]", "part of the impact speed",
              [("measured", (1.0, 0.1, 0.01), differences, "both"),
               ("proportional", (1.0, 0.1, 0.01), [differences[0] * t for t in (1.0, 0.1, 0.01)], "dashed")], log="xy")
    for number, (thick, thin) in enumerate(zip(differences, differences[1:]), 1):
        case.at_most(f"difference, relative to that of the ten times thicker contact ({number})", thin / thick, 0.25,
                     "proportional to the duration of the contact, which falls tenfold")
    case.at_most("difference of the thinnest contact, part of the impact speed", differences[-1], 3e-3,
                 "the angle turned during contact: 24 rad/s times 13 us")
