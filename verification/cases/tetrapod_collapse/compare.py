"""125 tetrapods are packed and collapse: [Poly, section 3.6] in its five steps, a tenth of its number."""
import importlib.util
import math

import harness
from judging import largest

COUNT, MASS, GRAVITY, SIZE = 125, 156.594, 9.81, 2 * 0.8476
WEIGHT = COUNT * MASS * GRAVITY
REST = 1e-5 * WEIGHT * SIZE  # kinetic energy [J]
PAPER_STEP, PAPER_COST = 8.2e-4, 1.0e-2  # mean step [s], CPU time [s] per body and step, of the paper's collapse


def example():
    path = harness.ROOT / "inputs" / "paper" / "example_6.py"
    spec = importlib.util.spec_from_file_location("example_6", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def at(table, column, time):
    """Value at the last row up to a time."""
    return [v for t, v in zip(table["time"], table[column]) if t <= time][-1]


def within(table, column, begin, end):
    return [v for t, v in zip(table["time"], table[column]) if begin < t <= end]


def compare(case):
    six = example()
    deck = six.write(COUNT, case.work / "tetrapods")
    run = case.run(deck, "tetrapods", trace=True)
    system, floor = run.history("system.csv"), run.history("floor.csv")
    count, smallest, states = case.intersections("tetrapods")
    case.equal(f"intersections in {states} states", count, 0, "none is allowed")
    case.equal("states seen", states, run.report["steps"] + 1, "every accepted one")
    case.tell("smallest distance [m]", f"{smallest:.3g}")
    for when, time in (("packed by falling", six.PACKED), ("packed without friction", six.OFF), ("before the walls go", six.AWAY),
                       ("at the end", six.END)):
        case.tell(f"{when}, t = {time:g} s: kinetic [J], potential [J], contacts",
                  ", ".join(f"{at(system, c, time):.5g}" for c in ("kinetic_energy", "potential_energy", "contacts")))
    for when, time in (("before the walls go", six.AWAY), ("at the end", six.END)):
        case.at_most(f"{when}: kinetic energy [J]", at(system, "kinetic_energy", time), REST, "rest: 1e-5 of weight times size")
    case.equal("at the end: floor's force over the weight", -floor["fz"][-1] / WEIGHT, 1.0, "statics", absolute=1e-3)
    case.at_most("without friction the pile sinks: potential energy after over before",
                 at(system, "potential_energy", six.OFF) / at(system, "potential_energy", six.IN), 1.0, "what step (d) is for")
    kinetic = within(system, "kinetic_energy", six.AWAY, six.END)
    peak = largest(kinetic)
    first = next(t for t, k in zip(system["time"], system["kinetic_energy"]) if t > six.AWAY and k == peak)
    case.at_most("collapse: time of the largest kinetic energy after the walls go [s]", first - six.AWAY, 2.0,
                 "[Poly, figure 30]: it rises first, then falls to zero")
    case.at_least("collapse: largest kinetic energy over that at its end", peak / max(kinetic[-1], 1e-300), 1e3, "the same")
    case.tell("collapse: largest kinetic energy [J]", f"{peak:.4g}")
    steps = within(system, "step", six.AWAY, six.END)
    mean = math.fsum(steps) / len(steps)
    case.at_least("collapse: mean step [s]", mean, PAPER_STEP, "that of the paper (figure 31)")
    case.tell("CPU time [s], steps, and CPU time per body and step [s]", f"{run.core_seconds:.0f}, {run.report['steps']}, "
              f"{run.core_seconds / run.report['steps'] / COUNT:.2e} (paper's collapse: {PAPER_COST:g})")
    case.tell("rejected steps, Newton iterations per step",
              f"{run.report['cuts']}, {run.report['newton_iterations'] / run.report['steps']:.2f}")
    energy = run.report["energy"]
    case.tell("energy balance error over energy at the start", f"{energy['closure_error'] / energy['initial_total']:.2g}")
    case.plot("Energies and contacts, as figures 29 and 30 of [Poly]", "time [s]", "kinetic energy [J]",
              [("kinetic energy", system["time"], system["kinetic_energy"], "curve")])
    case.plot("Step sizes, as figure 31 of [Poly]", "time [s]", "step [s]",
              [("step", system["time"], system["step"], "curve")], log="y")
