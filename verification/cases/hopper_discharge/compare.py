"""Discharged number over time for three coefficients of friction."""
import grains

COUNT, SEEDS = 500, (1, 2)
HALF_WIDTH, HALF_SLOT, HEIGHT = 6.0, 2.0, 28.0
OPENS, END, EVERY = 0.6, 1.1, 0.01
JUDGED = OPENS + 0.25
FRICTION = (0.0, 0.3, 0.6)
GAP = 0.05  # of the bottom below the plug
CLEAR = 0.02  # of the bottom from the planes


def deck_of(mu, seed):
    sides = [grains.block(f"bottom_{k}", low, high) for k, (low, high) in enumerate((
        ((-HALF_WIDTH + CLEAR, CLEAR, -1 - GAP), (-HALF_SLOT, grains.DEPTH - CLEAR, -GAP)),
        ((HALF_SLOT, CLEAR, -1 - GAP), (HALF_WIDTH - CLEAR, grains.DEPTH - CLEAR, -GAP))))]
    boundaries = [
        grains.plane("plug", (0, 0, 0), (0, 0, 1), "wall", active=[0, OPENS]),
        grains.plane("left", (-HALF_WIDTH, 0, 0), (1, 0, 0), "wall"),
        grains.plane("right", (HALF_WIDTH, 0, 0), (-1, 0, 0), "wall")]
    region = ((-HALF_WIDTH + 0.55, 0.55, 0.6), (HALF_WIDTH - 0.55, grains.DEPTH - 0.55, HEIGHT))
    histories = [{"file": f"grain{k}.csv", "body": str(k), "every": EVERY, "columns": ["time", "z"]}
                 for k in range(len(sides), len(sides) + COUNT)]
    return grains.deck(COUNT, seed, mu, region, sides, boundaries, END, {"histories": histories})


def discharged(run, deck):
    """[(time, part of the grains below the bottom)]."""
    tables = [run.history(entry["file"]) for entry in deck["output"]["histories"]]
    below = -(1 + GAP) * grains.DIAMETER
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
        before = max(part for t, part in parts[mu] if t <= OPENS)
        case.at_most(f"mu = {mu:g}: part discharged before the plug goes", before, 0.0, "closed")
        spread = [run[-1][1] for run in runs]
        case.tell(f"mu = {mu:g}: part discharged at the end, by bed", ", ".join(f"{part:.3f}" for part in spread))
        for after in (0.05, 0.1, 0.15, 0.2, 0.25, 0.4):
            part = next(part for t, part in parts[mu] if t >= OPENS + after)
            case.tell(f"mu = {mu:g}: part discharged {after:g} s after", f"{part:.3f}")
    for less, more in zip(FRICTION, FRICTION[1:]):
        at = [next(part for t, part in parts[mu] if t >= JUDGED) for mu in (less, more)]
        case.at_least(f"discharged {JUDGED - OPENS:g} s after: mu = {less:g} more than {more:g}, part of all grains",
                      at[0] - at[1], 0.05, "friction holds grains back; single beds differ by 0.02")
        ahead = [a - b for (t, a), (_, b) in zip(parts[more], parts[less]) if OPENS <= t <= JUDGED]
        case.at_most(f"mu = {more:g} ahead of {less:g} at any time, part of all grains", max(ahead), 0.03,
                     "start of the flow")
