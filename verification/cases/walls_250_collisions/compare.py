"""Energy of spheres between two walls."""
import math

import harness
import reference_impact as impact
from judging import largest

ROUND_TRIP = 0.01 * impact.DIAMETER / impact.SPEED + math.sqrt(2) * impact.CONTACT_TIME  # a flight and a contact
COLLISIONS = 250
STARTS = [0.0] + [impact.HALF_GAP * (-0.9 + 1.8 * k / 7) for k in range(8)]
SAMPLE = 2e-5  # s, a fifth of a flight
OTHERS = {"Newmark": {"type": "newmark"}, "trapezoidal 1/2": {"type": "trapezoidal", "phi": 0.5},
          "variational 0": {"type": "variational", "alpha": 0}}


def deck_of(integrator, divisor):
    step = impact.CONTACT_TIME / divisor
    wall = 0.505 * impact.DIAMETER
    return {
        "title": f"Between two walls, t_c/{divisor}",
        "integrator": integrator,
        "time": {"end": math.ceil(COLLISIONS * ROUND_TRIP / step) * step, "step": step},
        "materials": {"any": {"density": impact.DENSITY}},
        "shapes": {"ball": {"type": "sphere", "radius": impact.DIAMETER / 2}},
        "bodies": [{"name": f"ball{k}", "shape": "ball", "material": "any", "velocity": [impact.SPEED, 0, 0],
                    "position": [x, 4 * impact.DIAMETER * k, 0]} for k, x in enumerate(STARTS)],
        "boundaries": [{"name": "low", "type": "plane", "point": [-wall, 0, 0], "normal": [1, 0, 0],
                        "material": "any"},
                       {"name": "high", "type": "plane", "point": [wall, 0, 0], "normal": [-1, 0, 0],
                        "material": "any"}],
        "interfaces": [{"between": ["*", "*"],
                        "normal": {"law": "hooke", "stiffness": impact.STIFFNESS, "damping": 0}}],
        "solver": {"newton": {"relative": 1e-12}},
        "output": {"histories": [{"file": f"ball{k}.csv", "body": f"ball{k}", "columns": ["time", "x", "vx"],
                                  "every": SAMPLE if k else 0} for k in range(len(STARTS))]},
    }


def flights(places):
    """Energy (part of the initial one) of each flight after the first contact; places: (x, v) at successive times. Flights
    differ in the direction of their velocity."""
    energies, direction = [], 1.0
    for x, v in places:
        if abs(x) < impact.HALF_GAP and v * direction < 0:
            direction = -direction
            energies.append((v / impact.SPEED) ** 2)
    return energies


def measured(run):
    """Flights of each sphere."""
    tables = [run.history(f"ball{k}.csv") for k in range(len(STARTS))]
    return [flights(zip(table["x"], table["vx"])) for table in tables]


def written_again(divisor):
    step = impact.CONTACT_TIME / divisor
    count = math.ceil(COLLISIONS * ROUND_TRIP / step)
    return [flights(impact.between_walls(x, step, count)) for x in STARTS]


def last_collisions(run):
    """(time, energy) of the first sphere, spring included, over the last six round trips."""
    table = run.history("ball0.csv")
    rows = [(t, x, v) for t, x, v in zip(table["time"], table["x"], table["vx"]) if t > (COLLISIONS - 6) * ROUND_TRIP]
    overlaps = [max(abs(x) - impact.HALF_GAP, 0.0) for _, x, _ in rows]
    energies = [(impact.MASS * row[2] ** 2 + impact.STIFFNESS * overlap ** 2) / 2 / impact.ENERGY
                for row, overlap in zip(rows, overlaps)]
    return [r[0] / ROUND_TRIP for r in rows], energies


def variational(case, divisor, limit):
    """Judges one run; returns (energies of the first sphere, all deviations)."""
    run = case.run(deck_of({"type": "variational", "alpha": 0.5}, divisor), f"variational_{divisor}")
    mine, expected = measured(run), written_again(divisor)
    what = f"variational 1/2, h = t_c/{divisor}: "
    case.equal(what + "flights after a contact, first sphere", len(mine[0]), len(expected[0]), "the same motion",
               absolute=0)
    worst = [largest((abs(a - b) for a, b in zip(one, other)), default=math.nan) for one, other in zip(mine, expected)]
    case.at_most(what + "energy of a flight against the same method written again, first sphere", worst[0], 1e-7,
                 "tolerance of Newton's method over 250 contacts")
    case.tell(what + "the same of all nine (t_c/34: chaotic)", f"{largest(worst):.1e}")
    off = [energy - 1 for one in mine for energy in one]
    if limit:
        case.equal(what + "collisions of the first sphere", len(mine[0]), COLLISIONS, "250 round trips")
        case.at_most(what + "largest |E/E0 - 1| of a flight, first sphere", largest(abs(e - 1) for e in mine[0]),
                     limit, "required")
        case.at_most(what + "the same of all nine", largest(map(abs, off)), 2 * limit, "more phases, longer tails")
    else:
        case.tell(what + "largest |E/E0 - 1| of a flight", f"{largest(map(abs, off)):.2e}")
    return run, mine[0], harness.rms(off)


def compare(case):
    squares, series = {}, []
    for divisor in (31, 32, 33, 34, 64, 128):
        run, first, squares[divisor] = variational(case, divisor, 3e-3 if divisor < 64 else None)
        if divisor == 32:
            last = [("variational 1/2", *last_collisions(run), "curve")]
        if divisor in (32, 64, 128):
            series.append((f"variational 1/2, t_c/{divisor}", range(1, len(first) + 1), first, "curve"))
    steps = (32, 64, 128)
    case.equal("exponent of the root mean square over flights", -harness.slope(
        [math.log(d) for d in steps], [math.log(squares[d]) for d in steps]), 2.0,
        "nine phases do not average the walk out", absolute=0.5)
    case.tell("root mean square over flights, t_c/32, /64, /128", ", ".join(f"{squares[d]:.2e}" for d in steps))
    for name, integrator in OTHERS.items():
        run = case.run(deck_of(integrator, 32), integrator["type"])
        energies = measured(run)
        off = [abs(e - 1) for one in energies for e in one]
        case.tell(f"{name}, t_c/32: flights of the first sphere, largest and rms |E/E0 - 1|",
                  f"{len(energies[0])}, {largest(off, default=math.nan):.2e}, {harness.rms(off) if off else math.nan:.2e}")
        series.append((f"{name}, t_c/32", range(1, len(energies[0]) + 1), energies[0], "dashed"))
        last.append((name, *last_collisions(run), "curve"))
    flight = harness.read_table(case.folder / "lammps_flights.csv")
    rows = [(k, e) for d, k, e in zip(flight["divisor"], flight["collision"], flight["energy"]) if d == 32]
    series.append(("LAMMPS, t_c/32", [r[0] for r in rows][::4], [r[1] for r in rows][::4], "points"))
    case.plot("Energy of each flight, first sphere", "collision", "E / E0", series)
    table = harness.read_table(case.folder / "lammps_last.csv")
    last.append(("LAMMPS", [t / ROUND_TRIP for t in table["time"]], table["energy"], "dashed"))
    case.plot("Figure 9: total energy over the last collisions, h = t_c/32", "time [round trips]", "E / E0", last)
    case.plot("Root mean square over flights", "h [s]", "rms of E / E0 - 1",
              [("variational 1/2", [impact.CONTACT_TIME / d for d in sorted(squares)],
                [squares[d] for d in sorted(squares)], "points"),
               ("h^2", [impact.CONTACT_TIME / d for d in steps], [squares[32] * (32 / d) ** 2 for d in steps],
                "dashed")],
              log="xy")
