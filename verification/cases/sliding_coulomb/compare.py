"""Thresholds of sliding and toppling of a pushed block."""
import harness

MASS, GRAVITY, MU = 2.0, 9.81, 0.8
WEIGHT = MASS * GRAVITY
RATE = 16 / 0.8  # N/s


def push(t):
    """Applied force [N]."""
    return RATE * min(t, 0.8)


def deck_of(name):
    deck = harness.read_deck(harness.ROOT / f"inputs/paper/example_3{name}.json")
    deck["output"].pop("vtk")
    deck["output"]["contacts"]["every"] = 0
    return deck


def states(run):
    """Yields (time, contacts), a contact being (x, fn, friction force)."""
    for t, table in run.contacts():
        yield t, [(x, fn, (fx * fx + fy * fy + fz * fz) ** 0.5)
                  for x, fn, fx, fy, fz in zip(table["x"], table["fn"], table["ftx"], table["fty"], table["ftz"])]


def traced(case, name):
    """The run, whose accepted states the independent test has seen."""
    run = case.run(deck_of(name), name, trace=True)
    count, smallest, seen = case.intersections(name)
    case.equal(f"({name}) intersections in {seen} states", count, 0, "none is allowed")
    case.equal(f"({name}) states seen", seen, run.report["steps"] + 1, "every accepted one")
    case.at_least(f"({name}) smallest separation [m]", smallest, 1e-9, "more than rounding")
    return run


def all_slip(contacts):
    # The limit of friction is mu times the elastic part of the normal force; the file has the net force. When
    # the block tilts a little at the threshold, damping makes them differ by up to 0.3 %.
    return len(contacts) >= 4 and all(ft >= MU * fn * (1 - 4e-3) for _, fn, ft in contacts)


def first(run, holds):
    """Time of the first state whose contacts satisfy `holds`; the end of time without one."""
    return next((t for t, contacts in states(run) if holds(contacts)), float("inf"))


def sliding(case):
    for name in "ab":
        run = traced(case, name)
        when = first(run, all_slip)
        case.equal(f"({name}) F at the first step with all contacts slipping [N]", push(when), MU * WEIGHT,
                   "friction acts half a gap below F's point or the face", relative=5e-3)
        block = run.history("block.csv")
        case.plot(f"({name}) friction against the applied force", "time [s]", "force [N]",
                  [("friction, measured", block["time"], [-f for f in block["fx"]], "curve"),
                   ("applied", [0, 0.8, 1.0], [push(t) for t in (0, 0.8, 1.0)], "dashed"),
                   ("mu m g", [0, 1.0], [MU * WEIGHT] * 2, "dashed")])
        late = [f for t, f in zip(block["time"], block["fx"]) if t > 0.95]
        case.equal(f"({name}) friction force while sliding [N]", late[-1], -MU * WEIGHT, "vertical motion has died out",
                   relative=1.5e-8)
        case.at_least(f"({name}) way slid [m]", block["x"][-1] - block["x"][0], 1e-3,
                      "0.152 m/s^2 for 0.2 s")
        if name == "b":
            case.at_most("(b) angle at the end [rad]", harness.turned_angle(block, len(block["time"]) - 1), 5e-3,
                         "tilt by uneven compression of the contacts: 1e-3")


def toppling(case):
    run = traced(case, "c")

    def rear_is_free(contacts):
        return sum(fn for x, fn, _ in contacts if x < 0) <= 1e-9 * WEIGHT

    when = first(run, rear_is_free)
    case.equal("(c) F when the rear contacts are free [N]", push(when), WEIGHT / 2, "friction acts half a gap below the face",
               relative=1e-2)
    block = run.history("block.csv")
    case.at_least("(c) angle at the end [rad]", harness.turned_angle(block, len(block["time"]) - 1), 0.1, "it topples")


def smaller_dynamic_friction(case):
    run = traced(case, "a_smaller_dynamic_friction")
    block = run.history("block.csv")
    case.equal("(a, mu_d = 0.6) friction force while sliding [N]", block["fx"][-1], -0.6 * WEIGHT,
               "the drop from 0.8 excites vertical motion, which dies out", relative=5e-9)


def compare(case):
    sliding(case)
    toppling(case)
    smaller_dynamic_friction(case)
