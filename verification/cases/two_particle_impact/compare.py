"""Energies of two colliding spheres against LAMMPS, the continuous solution and the same method written again."""
import csv
import math

import harness
import reference_impact as impact
from judging import largest

VARIANTS = [("undamped", 0)] + [(name, gamma) for name in ("notang", "tangdamp") for gamma in (15, 30, 60)]
OFFSETS = (0, 0.1, 0.5)
DIVISORS = (160, 16.1, 3.2)
SAME = 4e-12  # part of the energy by which the same method may differ: what Newton's leaves
COLUMNS = ["time", "x", "y", "vx", "vy", "wz"]


def model(variant):
    return impact.Pair(variant[1], variant[0] == "tangdamp")


def deck_of(starts, alpha, step, count):
    """A deck of pairs; starts: {name: (variant, state of the right sphere)}. Each pair has its own material and place."""
    deck = {
        "title": f"Two particle impact, alpha = {alpha:g}",
        "integrator": {"type": "variational", "alpha": alpha},
        "time": {"end": count * step, "step": step},
        "materials": {}, "bodies": [],
        "shapes": {"ball": {"type": "sphere", "radius": impact.DIAMETER / 2}},
        "interfaces": [{"between": ["*", "*"],
                        "normal": {"law": "hooke", "stiffness": impact.STIFFNESS, "damping": 0}}],
        "solver": {"newton": {"relative": 1e-11}},
        "output": {"histories": []},
    }
    for number, (name, (variant, state)) in enumerate(starts.items()):
        pair = model(variant)
        deck["materials"][name] = {"density": impact.DENSITY}
        interface = {"between": [name, name], "normal": {"law": "hooke", "stiffness": impact.STIFFNESS,
                                                         "damping": variant[1] * impact.RATE}}
        if pair.tangential:
            interface["friction"] = {"limit": "none", "stiffness": 0, "damping": pair.tangential}
        deck["interfaces"].append(interface)
        x, y, vx, vy, wz = state
        for side, sign in (("right", 1), ("left", -1)):
            deck["bodies"].append({"name": f"{name}_{side}", "shape": "ball", "material": name,
                                   "position": [sign * x, sign * y, 5 * impact.DIAMETER * number],
                                   "velocity": [sign * vx, sign * vy, 0], "angular_velocity": [0, 0, wz]})
        deck["output"]["histories"].append({"file": f"{name}.csv", "body": f"{name}_right", "columns": COLUMNS})
    return deck


def states(run, name):
    """[(time, state)] of the right sphere."""
    table = run.history(f"{name}.csv")
    return list(zip(table["time"], zip(*(table[c] for c in COLUMNS[1:]))))


def parts(state):
    """Energies as parts of the initial one."""
    return [e / impact.ENERGY for e in impact.energies(state)]


def references():
    """({(variant, offset, divisor): [(time, kt, kr)]} of LAMMPS, {(variant, offset): (kt, kr)} of the continuous one)."""
    folder = harness.CASES / "two_particle_impact"
    lammps, final = {}, {}
    with open(folder / "lammps.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = (row["variant"], int(row["gamma"])), float(row["offset"]), float(row["divisor"])
            lammps.setdefault(key, []).append((float(row["time"]), float(row["kt"]) / impact.ENERGY,
                                               float(row["kr"]) / impact.ENERGY))
    with open(folder / "continuous.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            final[(row["variant"], int(row["gamma"])), float(row["offset"])] = (
                float(row["kt"]) / impact.ENERGY, float(row["kr"]) / impact.ENERGY)
    return lammps, final


def label(variant, offset):
    return f"{variant[0]}_g{variant[1]}_dy{offset:g}"


class Worst:
    """The largest ratio of a deviation to its tolerance, and where."""

    def __init__(self):
        self.ratio, self.text = 0.0, "none"

    def see(self, deviation, tolerance, where):
        ratio = deviation / tolerance if math.isfinite(deviation) else math.inf
        if ratio >= self.ratio:
            self.ratio, self.text = ratio, f"{deviation:.2e} of {tolerance:.1e} at {where}"

    def judge(self, case, what, why):
        case.at_most(what + f" (worst {self.text}), part of the tolerance", self.ratio, 1.0, why)


def same_method(worst_normal, worst_tangential, variant, history, pair, alpha, step, where):
    """Compares with the method written again, step by step from the first row."""
    first_order = min(1.0, 3 * step / impact.CONTACT_TIME)
    turning = largest(parts(state)[1] for _, state in history)
    # The tangential impulse is 0.4 m times the speed of the rim; it acts along the sliding speed, offset / d of v.
    sliding = 0.8 * math.sqrt(2.5 * turning) * 2 * history[0][1][1] / impact.DIAMETER
    state = history[0][1]
    for row in history[1:]:
        state = pair.step(alpha)(state, step)
        (kt, kr), (expected_t, expected_r) = parts(row[1]), parts(state)
        if variant[0] == "tangdamp":
            worst_tangential.see(abs(kr - expected_r), first_order * turning + 1e-9, where)
            worst_tangential.see(abs(kt - expected_t), first_order * sliding + SAME, where)
        else:
            worst_normal.see(abs(kt - expected_t), SAME, where)
            worst_normal.see(kr, 1e-12, where)


def collisions(case, lammps, final):
    """One run per integrator and step; returns {(alpha, divisor): {(variant, offset): history}}."""
    kept = {}
    for alpha in (0.5, 0):
        for divisor in DIVISORS:
            step = impact.CONTACT_TIME / divisor
            first = math.floor((impact.touch(0)[0] - 0.5 * impact.CONTACT_TIME) / step)
            last = math.ceil((impact.touch(OFFSETS[-1])[0] + 2 * impact.CONTACT_TIME) / step)
            starts = {label(v, o): (v, impact.free_flight(o, first * step)) for v in VARIANTS for o in OFFSETS}
            run = case.run(deck_of(starts, alpha, step, last - first), f"alpha{alpha:g}_tc_over_{divisor:g}")
            worst = {name: Worst() for name in ("normal", "tangential", "end", "lammps")}
            kept[alpha, divisor] = {}
            square, damping = (math.pi / divisor) ** 2 / 2, impact.RATE * step
            for variant in VARIANTS:
                for offset in OFFSETS:
                    name, pair = label(variant, offset), model(variant)
                    history = [(first * step + t, s) for t, s in states(run, name)]
                    kept[alpha, divisor][variant, offset] = history
                    same_method(worst["normal"], worst["tangential"], variant, history, pair, alpha, step, name)
                    gamma = variant[1] * damping
                    tolerance = (0.5 if alpha else 1.5) * gamma + square
                    for k in (0, 1):
                        worst["end"].see(abs(parts(history[-1][1])[k] - final[variant, offset][k]), tolerance,
                                         name)
                    tolerance = 2 * gamma + square + (0 if alpha else 0.8 * math.pi / divisor)
                    for time, kt, kr in lammps[variant, offset, divisor]:
                        number = round(time / step) - first
                        if 0 <= number < len(history):
                            mine = parts(history[number][1])
                            worst["lammps"].see(max(abs(mine[0] - kt), abs(mine[1] - kr)), tolerance, name)
            what = f"alpha = {alpha:g}, h = t_c/{divisor:g}: "
            worst["normal"].judge(case, what + "energy against the same method, no tangential force",
                                  "Newton's tolerance")
            worst["tangential"].judge(case, what + "energies against the same method, tangential dashpot",
                                      "slip in the frame of the step's start")
            if divisor != 3.2:
                worst["end"].judge(case, what + "energies after the collision against the continuous solution",
                                   "phase of the dashpot's jump, and the order of the method")
                worst["lammps"].judge(case, what + "energies during the collision against LAMMPS",
                                      "as above, for both programs")
    return kept


def exact_oscillator(case, kept):
    for gamma in (0, 15, 30, 60):
        variant = ("notang", gamma) if gamma else ("undamped", 0)
        begin = impact.touch(0)[0]
        span = math.pi / math.sqrt(2 * impact.STIFFNESS / impact.MASS - (gamma * impact.RATE / 2) ** 2)
        for alpha in (0.5, 0):
            inside = [(t - begin, s) for t, s in kept[alpha, 160][variant, 0] if 0 <= t - begin <= span]
            worst = largest((abs(s[2] - impact.oscillator(gamma, tau)[1]) / impact.SPEED for tau, s in inside),
                        default=math.nan)
            what = f"gamma = {gamma}: speed against the damped oscillator, t_c/160, alpha = {alpha:g} [part of v]"
            if alpha:
                case.at_most(what, worst, 2e-4, "required; 5e-5 to 9e-5 where the method is written again")
            else:
                case.tell(what, f"{worst:.2e}")


ORDER_STARTS = {"central undamped": (("undamped", 0), 0), "central": (("notang", 30), 0),
                "0.1": (("notang", 30), 0.1),
                "0.5": (("notang", 30), 0.5), "0.1 with friction": (("tangdamp", 30), 0.1),
                "0.5 with friction": (("tangdamp", 30), 0.5)}


def orders(case):
    """Steps of span/20 to span/160 between 0.1 and 0.9 t_c after contact onset, from the exact state there."""
    span, counts, starts, ends = 0.8 * impact.CONTACT_TIME, (20, 40, 80, 160), {}, {}
    for number, (variant, offset) in enumerate(ORDER_STARTS.values()):
        pair, (_, x, y) = model(variant), impact.touch(offset)
        state = pair.continuous([x, y, -impact.SPEED, 0, 0], 0.1 * impact.CONTACT_TIME)
        starts[f"p{number}"] = (variant, state)
        ends[f"p{number}"] = pair.continuous(state, span)
    curves = []
    for alpha, order in ((0.5, 2.0), (0, 1.0)):
        errors = {name: [] for name in starts}
        for count in counts:
            run = case.run(deck_of(starts, alpha, span / count, count), f"order_alpha{alpha:g}_{count}")
            for name, end in ends.items():
                state = states(run, name)[-1][1]
                errors[name].append(math.hypot(state[2] - end[2], state[3] - end[3]) / impact.SPEED)
        for name, title in zip(starts, ORDER_STARTS):
            friction = starts[name][0][0] == "tangdamp"
            found = [math.log2(a / b) for a, b in zip(errors[name], errors[name][1:])]
            what = f"alpha = {alpha:g}, {title}: order of the velocity within the contact"
            if friction:
                case.at_least(what, found[-1], 0.9, "slip in the frame of the step's start is of first order")
            else:
                case.equal(what, found[-1], order, "next term of the error", absolute=0.1 if alpha else 0.05)
            curves.append((f"alpha = {alpha:g}, {title}", [span / c for c in counts], errors[name], "both"))
    case.plot("Error of the velocity at a fixed time within the contact", "h [s]", "error [part of v]",
              curves[:4] + curves[6:10],
              log="xy")


def plots(case, kept, lammps):

    def curve(alpha, divisor, variant, offset, which):
        rows = [(t, s) for t, s in kept[alpha, divisor][variant, offset]
                if -0.5 < (t - impact.touch(offset)[0]) / impact.CONTACT_TIME < 2]
        return ([(t - impact.touch(offset)[0]) / impact.CONTACT_TIME for t, _ in rows],
                [parts(s)[which] for _, s in rows])

    def points(divisor, variant, offset, which):
        rows = lammps[variant, offset, divisor]
        return ([(r[0] - impact.touch(offset)[0]) / impact.CONTACT_TIME for r in rows],
                [r[1 + which] for r in rows])

    across = "time after contact onset [t_c]"
    for which, name in ((0, "translational"), (1, "rotational")):
        series = []
        for offset in OFFSETS[which:]:
            variant = ("tangdamp", 30)
            series.append((f"alpha = 1/2, dy = {offset:g} d", *curve(0.5, 160, variant, offset, which), "curve"))
            series.append((f"LAMMPS, dy = {offset:g} d", *points(160, variant, offset, which), "points"))
        case.plot(f"Figure 6: {name} energy, h = t_c/160, gamma = 30", across, "energy [part of the initial]",
                  series)
        series = []
        for divisor in (16.1, 3.2):
            for alpha in (0.5, 0):
                series.append((f"alpha = {alpha:g}, t_c/{divisor:g}",
                               *curve(alpha, divisor, ("tangdamp", 30), 0.1, which),
                               "both"))
            series.append((f"LAMMPS, t_c/{divisor:g}", *points(divisor, ("tangdamp", 30), 0.1, which), "points"))
        case.plot(f"Figure 7: {name} energy, large steps, dy = 0.1 d", across, "energy [part of the initial]",
                  series)
    series = []
    for gamma in (15, 30, 60):
        xs, ys = curve(0.5, 160, ("notang", gamma), 0, 0)
        taus = [k / 30 for k in range(31)]
        exact = [(impact.oscillator(gamma, tau * impact.CONTACT_TIME)[1] / impact.SPEED) ** 2 for tau in taus]
        series += [(f"alpha = 1/2, gamma = {gamma}", xs, ys, "curve"),
                   (f"exact, gamma = {gamma}", taus, exact, "points")]
    case.plot("Figure 8: central impact against the exact solution, h = t_c/160", across,
              "energy [part of the initial]",
              series)


def compare(case):
    lammps, final = references()
    kept = collisions(case, lammps, final)
    exact_oscillator(case, kept)
    orders(case)
    plots(case, kept, lammps)
