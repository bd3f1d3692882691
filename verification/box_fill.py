"""218 spheres that fill a box [Var, section 3.4]: deck, quantities and comparison, for the cases box_fill_218*."""
import bisect
import math

import harness
import reference_impact as impact
from judging import largest

COUNT = 218
FOLDER = harness.CASES / "box_fill_218"
UNIT = math.sqrt(impact.DIAMETER / impact.GRAVITY)  # of time [s]
WEIGHT = impact.MASS * impact.GRAVITY * impact.DIAMETER  # of energy [J]
SAMPLE = 0.05  # UNIT
VARIANTS = ("notang", "tangdamp")


def deck_of(variant, divisor, end):
    """divisor: steps per contact time; end: in units of sqrt(d/g)."""
    d, damping = impact.DIAMETER, 30 * impact.RATE
    step = impact.CONTACT_TIME / divisor
    normal = {"law": "hooke", "stiffness": impact.STIFFNESS, "damping": damping}
    interfaces = [{"between": ["grain", "grain"], "normal": normal},
                  {"between": ["grain", "wall"], "normal": normal}]
    if variant == "tangdamp":
        for interface, mass in zip(interfaces, (impact.MASS / 2, impact.MASS)):  # effective masses
            interface["friction"] = {"limit": "none", "stiffness": 0, "damping": damping / 2 * mass}
    histories = [{"file": f"{k}.csv", "body": k, "columns": ["time", "z", "vx", "vy", "vz", "wx", "wy", "wz"],
                  "every": SAMPLE * UNIT} for k in range(COUNT)]
    return {
        "title": f"218 spheres fill a box, {variant}, t_c/{divisor}",
        "gravity": [0, 0, -impact.GRAVITY],
        "integrator": {"type": "variational", "alpha": 0.5},
        "time": {"end": math.ceil(end * UNIT / step) * step, "step": step},
        "materials": {"grain": {"density": impact.DENSITY}, "wall": {}},
        "shapes": {"ball": {"type": "sphere", "radius": d / 2}},
        "bodies": [{"shape": "ball", "material": "grain", "file": str(FOLDER / f"start_{variant}.csv")}],
        "boundaries": [{"name": "box", "type": "box", "min": [0, 0, 0], "max": [6 * d, 6 * d, 120 * d],
                        "open": ["+z"],
                        "material": "wall"}],
        "interfaces": interfaces,
        "output": {"histories": [{"file": "energy.csv", "columns": ["time", "newton_iterations", "contacts"]},
                                 *histories]},
    }


class Series:
    """Quantities over time (in UNIT): mean kinetic energy per sphere over m g d, velocity fluctuation [m^2/s^2], mean and
    largest height over d [Var, Eqs. 35-36]."""

    def __init__(self, run):
        tables = [run.history(f"{k}.csv") for k in range(COUNT)]
        self.time = [t / UNIT for t in tables[0]["time"]]
        self.kinetic, self.fluctuation, self.mean_height, self.top = [], [], [], []
        for row in range(len(self.time)):
            v = [[table[c][row] for table in tables] for c in ("vx", "vy", "vz")]
            w = [table[c][row] for c in ("wx", "wy", "wz") for table in tables]
            square = sum(s * s for axis in v for s in axis)
            energy = (impact.MASS * square + impact.INERTIA * sum(s * s for s in w)) / 2 / COUNT
            drift = sum((sum(axis) / COUNT) ** 2 for axis in v)
            self.kinetic.append(energy / WEIGHT)
            self.fluctuation.append((square / COUNT - drift) / 3)
            z = [table["z"][row] / impact.DIAMETER for table in tables]
            self.mean_height.append(sum(z) / COUNT)
            self.top.append(largest(z))

    def at(self, values, time):
        """Value at a time between two samples."""
        k = min(max(bisect.bisect_left(self.time, time), 1), len(self.time) - 1)
        t0, t1 = self.time[k - 1], self.time[k]
        return values[k - 1] + (values[k] - values[k - 1]) * (time - t0) / (t1 - t0)


def lammps(variant):
    return harness.read_table(FOLDER / f"lammps_{variant}.csv")


def judge_windows(case, variant, series, windows):
    """Root mean square over each window of the distance from LAMMPS' mean, in units of three standard deviations plus
    1 %: at most 1."""
    reference = lammps(variant)
    for name, key, values in (("mean kinetic energy", "kinetic", series.kinetic),
                              ("velocity fluctuation", "fluctuation", series.fluctuation)):
        for begin, end in windows:
            off = [(series.at(values, t) - mean) / (3 * spread + 0.01 * mean)
                   for t, mean, spread in zip(reference["time"], reference[f"{key}_mean"], reference[f"{key}_std"])
                   if begin < t <= end]
            case.at_most(f"{variant}: {name}, {begin:g} < t <= {end:g}, distance from the mean of the LAMMPS runs "
                         "[3 standard deviations + 1 %]", harness.rms(off) if off else math.nan, 1.0,
                         "chaotic: each LAMMPS run against the others has 0.1 to 1.3")


def plot(case, variant, series):
    reference = lammps(variant)
    shown = [k for k, t in enumerate(reference["time"]) if t <= series.time[-1]]
    few = shown[::max(1, len(shown) // 60)]
    for name, key, values in (("mean kinetic energy [m g d]", "kinetic", series.kinetic),
                              ("velocity fluctuation [m^2/s^2]", "fluctuation", series.fluctuation)):
        times = [reference["time"][k] for k in shown]
        mean, spread = reference[f"{key}_mean"], reference[f"{key}_std"]
        case.plot(f"Figure 11: {name.split(' [')[0]}, {variant}", "time [sqrt(d/g)]", name, [
            ("variational 1/2", series.time[1:], values[1:], "curve"),
            ("LAMMPS, mean of 8 runs", [reference["time"][k] for k in few], [mean[k] for k in few], "points"),
            ("mean + 3 standard deviations", times, [mean[k] + 3 * spread[k] for k in shown], "dashed"),
            ("mean - 3 standard deviations", times, [mean[k] - 3 * spread[k] for k in shown], "dashed")], log="y")


def iterations(run, begin):
    """Newton iterations of the steps from `begin` [UNIT] on."""
    table = run.history("energy.csv")
    return [n for t, n in zip(table["time"], table["newton_iterations"]) if t > begin * UNIT and t > 0]
