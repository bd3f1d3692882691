"""Order of the energy error over 32 drop heights."""
import math

import harness
import reference_block
from judging import largest

MASS, EDGE = 2.0, 0.1
STEPS = (4e-5, 2e-5, 1e-5)
COUNT = 32


def deck_of(letter, step):
    """COUNT blocks, half a metre apart, each at its own height."""
    deck = harness.read_deck(harness.ROOT / f"inputs/paper/example_1{letter}.json")
    first = deck["bodies"][0]
    deck["bodies"] = []
    deck["output"] = {"histories": []}
    for k in range(COUNT):
        x, y, z = first["position"]
        name = f"block{k}"
        deck["bodies"].append({**first, "name": name, "position": [x + 0.5 * k, y, z + 0.005 * k / COUNT]})
        deck["output"]["histories"].append(
            {"file": f"{name}.csv", "body": name, "columns": ["time", "z", "qw", "qx", "qy", "qz", "vz", "wx", "wy",
                                                              "wz"]})
    # The lowest block begins first, the highest ends last; the bounce takes at most 2 ms.
    deck["time"] = {"end": round(math.sqrt(2 * 0.055 / reference_block.GRAVITY) + 0.004, 6), "step": step}
    return deck


def errors_of(run, deck):
    """(largest error during the bounce, error after it), each as root mean square, part of m g H."""
    block = reference_block.Block(reference_block.Law.of_deck(deck), EDGE, MASS)
    worst, after = [], []
    for k in range(COUNT):
        table = run.history(f"block{k}.csv")
        rows = list(zip(*(table[c] for c in ("z", "qw", "qx", "qy", "qz", "vz", "wx", "wy", "wz"))))
        energies = [block.energy(r[0], r[1:5], r[5], r[6:9]) for r in rows if r[0] < rows[0][0] - 0.04]
        start = block.energy(rows[0][0], rows[0][1:5], rows[0][5], rows[0][6:9])
        scale = MASS * reference_block.GRAVITY * (0.05 + 0.005 * k / COUNT)
        worst.append(largest(abs(e - start) for e in energies) / scale)
        after.append((energies[-1] - start) / scale)
    return harness.rms(worst), harness.rms(after)


def compare(case):
    for letter in "ac":
        errors = []
        for step in STEPS:
            deck = deck_of(letter, step)
            errors.append(errors_of(case.run(deck, f"1{letter}_{step:g}"), deck))
            case.tell(f"1({letter}) step {step:g} s: rms error during, after the bounce, part of m g H",
                      "{:.3e}, {:.3e}".format(*errors[-1]))
        during = [e[0] for e in errors]
        case.plot(f"1({letter}) energy error of the bounce, rms over 32 heights", "h [s]", "part of m g H",
                  [("measured", STEPS, during, "both"),
                   ("h^2", STEPS, [during[-1] * (h / STEPS[-1]) ** 2 for h in STEPS], "dashed")], log="xy")
        for coarse, fine, step in zip(errors, errors[1:], STEPS[1:]):
            case.equal(f"1({letter}) exponent of the rms error, down to {step:g} s", math.log2(coarse[0] / fine[0]),
                       2.0, "the next term is of order h^4", absolute=0.15)
