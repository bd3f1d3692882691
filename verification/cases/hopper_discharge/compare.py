"""Discharged number over time for three coefficients of friction."""
import math
import statistics

import grains
from judging import largest

COUNT, SEEDS = 300, (1, 2, 3, 4)
HALF_WIDTH, HALF_SLOT = 5.1, 2.0
OPENS, END, EVERY = 0.5, 0.82, 0.01
JUDGED = OPENS + 0.3
FRICTION = (0.0, 0.3, 0.6)


def deck_of(mu, seed):
    bottom = grains.rods([(side * (HALF_SLOT + 0.5 + k * (1 + grains.CLEAR)), -0.5)
                          for side in (-1, 1) for k in range(3)])
    boundaries = [
        grains.plane("plug", (0, 0, -1 - grains.CLEAR), (0, 0, 1), "wall", active=[0, OPENS]),
        grains.plane("left", (-HALF_WIDTH, 0, 0), (1, 0, 0), "wall"),
        grains.plane("right", (HALF_WIDTH, 0, 0), (-1, 0, 0), "wall")]
    histories = [{"file": f"{name}.csv", "body": name, "every": EVERY, "columns": ["time", "z"]}
                 for name in grains.names(COUNT)]
    return grains.deck(grains.loose(COUNT, seed, HALF_WIDTH, 0.7), mu, bottom, boundaries, END,
                       {"histories": histories})


def discharged(run, deck):
    """[(time, part of the grains a diameter below the bottom)]."""
    tables = [run.history(entry["file"]) for entry in deck["output"]["histories"]]
    below = -2 * grains.DIAMETER
    return [(t, sum(table["z"][row] < below for table in tables) / COUNT)
            for row, t in enumerate(tables[0]["time"])]


def compare(case):
    parts = {}  # by mu: [(time, mean part over the seeds)]
    for mu in FRICTION:
        runs = []
        for seed in SEEDS:
            deck = deck_of(mu, seed)
            runs.append(discharged(case.run(deck, f"mu_{mu:g}_seed_{seed}"), deck))
        parts[mu] = [(rows[0][0], sum(part for _, part in rows) / len(rows)) for rows in zip(*runs)]
        before = largest(part for t, part in parts[mu] if t <= OPENS)
        case.at_most(f"mu = {mu:g}: part discharged before the plug goes", before, 0.0, "closed")
        single = [next(part for t, part in run if t >= JUDGED) for run in runs]
        case.tell(f"mu = {mu:g}: part discharged {JUDGED - OPENS:g} s after, by bed, standard error of the mean",
                  ", ".join(f"{part:.3f}" for part in single)
                  + f"; {statistics.stdev(single) / math.sqrt(len(single)):.3f}")
        for after in (0.05, 0.1, 0.15, 0.2, 0.25):
            part = next(part for t, part in parts[mu] if t >= OPENS + after)
            case.tell(f"mu = {mu:g}: part discharged {after:g} s after", f"{part:.3f}")
    for less, more in zip(FRICTION, FRICTION[1:]):
        at = [next(part for t, part in parts[mu] if t >= JUDGED) for mu in (less, more)]
        case.at_least(f"discharged {JUDGED - OPENS:g} s after: mu = {less:g} more than {more:g}, part of all grains",
                      at[0] - at[1], 0.05, "friction holds grains back")
        ahead = [a - b for (t, a), (_, b) in zip(parts[more], parts[less]) if OPENS <= t <= JUDGED]
        case.at_most(f"mu = {more:g} ahead of {less:g} at any time, part of all grains", largest(ahead), 0.03,
                     "start of the flow")
