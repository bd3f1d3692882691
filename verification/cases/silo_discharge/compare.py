"""Beverloo: the rate of discharge through a slot rises with the power 3/2 of its width less k grain diameters."""
import math

import grains
import harness
import slot_bin
from judging import largest

COUNT, WIDTH, DEPTH = 900, 20, 3  # grains; of the bin, in grain diameters
SLOTS = {6: 0.42, 9: 0.22}  # width in grain diameters: simulated time after the opening [s]
OPENS = 0.3  # [s]
FRICTION, YOUNG = 0.5, 4e6
LOOSE, SPREAD = 0.5, 0.1
STEADY = (0.12, 0.30)  # part discharged
K, TOLERANCE = 1.4, 0.2
SOLID = 0.58  # solid fraction of the bed, for C only


def bin_of(slot):
    d = grains.DIAMETER
    return slot_bin.Bin(width=WIDTH * d, depth=DEPTH * d, slot=slot * d, counted=d, opens=OPENS, end=OPENS + SLOTS[slot],
                        every=0.01, density=grains.DENSITY, young=YOUNG, poisson=grains.POISSON,
                        restitution=grains.RESTITUTION, periodic=True)


def deck_of(slot):
    silo, radius = bin_of(slot), grains.DIAMETER / 2
    high = COUNT * math.pi / 6 * grains.DIAMETER ** 3 * (1 + SPREAD ** 2) / (LOOSE * silo.width * silo.depth)
    bodies = [{"count": COUNT, "shape": "grain", "material": "grain", "scale": {"uniform": [1 - SPREAD, 1 + SPREAD]},
               "region": {"min": [radius, 0, (1 + SPREAD) * radius], "max": [silo.width - radius, silo.depth, high]}}]
    deck = silo.deck(f"Bin with a slot of {slot} d", {"type": "sphere", "radius": radius}, bodies, FRICTION,
                     {"initial": 1e-4, "min": 1e-8, "max": 0.01})
    deck.pop("integrator")
    deck.pop("solver")
    deck["interfaces"] = [{"between": ["*", "*"], "normal": {"law": "hertz", "restitution": grains.RESTITUTION},
                           "friction": {"static": FRICTION, "stiffness": "mindlin"}}]
    return deck


def rate_of(table):
    """Grains per second while the part discharged is within STEADY: slope of a line."""
    rows = [(t, n) for t, n in zip(table["time"], table["bodies"]) if STEADY[0] * COUNT <= n <= STEADY[1] * COUNT]
    return harness.slope(*zip(*rows))


def constant_of(run, rate, slot):
    """C of the law for slots."""
    mass = run.history("below.csv")["mass"][-1] / run.history("below.csv")["bodies"][-1]
    d = grains.DIAMETER
    return rate * mass / (SOLID * grains.DENSITY * math.sqrt(grains.GRAVITY) * ((slot - K) * d) ** 1.5 * DEPTH * d)


def compare(case):
    rates, curves = {}, []
    for slot in SLOTS:
        run = case.run(deck_of(slot), f"slot_{slot}")
        case.tell(f"slot of {slot} d: steps, rejected steps, CPU time [s]",
                  f"{run.report['steps']}, {run.report['cuts']}, {run.core_seconds:.1f}")
        table = run.history("below.csv")
        closed = largest(harness.column_until(table, "bodies", OPENS))
        case.at_most(f"slot of {slot} d: grains discharged before it opens", closed, 0.0, "closed")
        case.at_least(f"slot of {slot} d: part discharged at the end", table["bodies"][-1] / COUNT, STEADY[1],
                      "the whole range of the rate is simulated")
        rates[slot] = rate_of(table)
        case.tell(f"slot of {slot} d: rate [1/s]; C of Beverloo's law",
                  f"{rates[slot]:.0f}; {constant_of(run, rates[slot], slot):.2f}")
        curves.append((f"slot of {slot} d", [t - OPENS for t in table["time"]], [n / COUNT for n in table["bodies"]], "curve"))
    case.plot("Discharge", "time after the opening [s]", "part of the grains", curves)
    small, large = SLOTS
    case.equal(f"rate, slot of {large} d over slot of {small} d", rates[large] / rates[small],
               ((large - K) / (small - K)) ** 1.5, "Beverloo", relative=TOLERANCE)
