"""No intersection, rest, and no prestress in 564 settled cubes."""
import math

import harness
from judging import largest

COUNT, MASS, EDGE, GRAVITY = 564, 2.0, 0.1, 9.81
WEIGHT = MASS * GRAVITY
REST = 1e-5 * MASS * GRAVITY * EDGE * COUNT  # kinetic energy [J]
SETTLED = 3.0  # [s]
SWINGING = 5  # blocks


def balance(case, when, contacts, poles, unbalanced):
    """Sums of force and moment on each block from the contact file of a state; `poles` of the same state. unbalanced: the largest
    force left on a block by the summary, part of its weight."""
    force = [[0.0, 0.0, -WEIGHT] for _ in range(COUNT)]
    moment = [[0.0, 0.0, 0.0] for _ in range(COUNT)]
    for a, b, x, y, z, nx, ny, nz, fn, tx, ty, tz in zip(*(contacts[c] for c in (
            "body_a", "body_b", "x", "y", "z", "nx", "ny", "nz", "fn", "ftx", "fty", "ftz"))):
        on_a = (fn * nx + tx, fn * ny + ty, fn * nz + tz)
        for label, sign in ((a, 1), (b, -1)):
            if not isinstance(label, float):
                continue  # a boundary
            i = int(label)
            arm = [p - q for p, q in zip((x, y, z), poles[i])]
            f = [sign * c for c in on_a]
            force[i] = [p + q for p, q in zip(force[i], f)]
            moment[i] = [moment[i][0] + arm[1] * f[2] - arm[2] * f[1], moment[i][1] + arm[2] * f[0] - arm[0] * f[2],
                         moment[i][2] + arm[0] * f[1] - arm[1] * f[0]]
    left = [math.hypot(*f) / WEIGHT for f in force]
    case.at_most(f"{when}: blocks with more than 1e-4 of their weight left by the contact file",
                 sum(not f <= 1e-4 for f in left), SWINGING, "rest, but for a few that swing on corners")
    case.equal(f"{when}: largest force left on a block by the contact file, part of its weight", largest(left), unbalanced,
               "the summary's", relative=0.01, absolute=1e-6)
    # A row is one force: the couple about its line, where duplicates are taken out of a pair, is in the summary only.
    case.tell(f"{when}: moment left on a block by the contact file, part of its weight times half the edge",
              f"{largest(math.hypot(*m) for m in moment) / (WEIGHT * EDGE / 2):.2g}")


def prestress(case, when, contacts, poles):
    weak = [abs(fn) for fn, w in zip(contacts["fn"], contacts["weight"]) if 0 <= w < 0.2]
    case.at_most(f"{when}: normal forces of pairs of weight below 0.2, part of all normal forces",
                 sum(weak) / sum(map(abs, contacts["fn"])), 1e-3, "windows must not carry load")
    case.tell(f"{when}: largest of them, part of a block's weight", f"{largest(weak, default=0.0) / WEIGHT:.2g}")
    strongest, height = max(zip(contacts["fn"], contacts["z"]))  # finite: reported, not judged
    above = sum(p[2] > height for p in poles) * WEIGHT
    case.tell(f"{when}: largest contact force [N], as a multiple of the weight of all blocks above it",
              f"{strongest:.4g}, {strongest / above if above else math.inf:.3g}")
    reach = 1.5 * EDGE
    column = {}
    for p in poles:
        key = (math.floor(p[0] / reach), math.floor(p[1] / reach))
        column[key] = column.get(key, 0) + 1
    heaviest = largest(column.values()) * WEIGHT
    case.tell(f"{when}: the same, as a multiple of the heaviest column of 0.15 m by 0.15 m",
              f"{strongest / heaviest:.3g}")


def row_at(table, when):
    return largest(i for i, t in enumerate(table["time"]) if t <= when)


def compare(case):
    deck = harness.read_deck(harness.ROOT / "inputs/paper/example_5.json")
    deck["output"].pop("vtk")
    deck["output"]["contacts"]["every"] = deck["time"]["end"]
    # Walls that stay: at 2 s, when they go in the example, light contacts still ring (README).
    stay = [{key: value for key, value in boundary.items() if key != "active"} for boundary in deck["boundaries"]]
    first = {**deck, "boundaries": stay, "time": {**deck["time"], "end": SETTLED}}
    for name, variant in (("with walls", first), ("without walls", deck)):
        run = case.run(variant, name.replace(" ", "_"), trace=True)
        case.no_intersection(name.replace(" ", "_"))
        energy, floor = run.history("energy.csv"), run.history("floor.csv")
        case.plot(f"{name}: kinetic energy", "time [s]", "energy [J]",
                  [("measured", energy["time"], energy["kinetic_energy"], "curve"),
                   ("rest", [energy["time"][0], energy["time"][-1]], [REST] * 2, "dashed")], log="y")
        case.at_most(f"{name}: kinetic energy at the end [J]", energy["kinetic_energy"][-1], REST,
                     "1e-5 m g edge per block")
        carried = floor["fz"][-1] + (run.history("walls.csv")["fz"][-1] if name == "with walls" else 0.0)
        case.equal(f"{name}: vertical force on floor and walls [N]", carried, -COUNT * WEIGHT, "rest", relative=1e-4)
        case.tell(f"{name}: steps, rejected steps, CPU time [s], CPU time per body and step [s]",
                  f"{run.report['steps']}, {run.report['cuts']}, {run.core_seconds:.1f}, "
                  f"{run.core_seconds / run.report['steps'] / COUNT:.2e}")
        if name == "without walls":  # a few lone blocks still rock on the floor
            case.tell(f"{name}: force left on a block, part of its weight", f"{run.report['unbalanced_force']:.2g}")
            continue
        case.tell(f"{name}: force and moment left on a block by the summary, part of its weight and of weight times radius",
                  f"{run.report['unbalanced_force']:.2g}, {run.report['unbalanced_moment']:.2g}")
        final = run.history("final.csv")
        poles = list(zip(final["x"], final["y"], final["z"]))
        contacts = run.last_contacts()
        balance(case, name, contacts, poles, run.report["unbalanced_force"])
        prestress(case, name, contacts, poles)
        case.tell(f"{name}: mean height [m]", f"{sum(p[2] for p in poles) / COUNT:.4g}")
