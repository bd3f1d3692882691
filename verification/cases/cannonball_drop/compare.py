"""2870 spheres dropped onto each other: floor reactions of rigid contact beside those of the elastic network."""
import random

import harness
from sphere_pyramid import DIAMETER, LAWS, REACTIONS, deck_of, pyramid, reactions_of
from judging import largest

BASE = 20
# Layer 19 is 1.2 mm up at a lift of 5 % of a radius per layer and lands after 16 ms; at 10 % after 22 ms.
END, STEP = 0.03, 1e-3
LIFTS = {"5 %": 0.05, "10 %": 0.1}


def drop(case, law, lift, name, order=None, lcp=None):
    deck = deck_of(BASE, law, lift=LIFTS[lift] * DIAMETER / 2, end=END, step=STEP, order=order)
    deck["solver"] = {"lcp": lcp, "compatibility": "none"} if lcp else {"lcp_tolerance": 1e-10}
    return case.run(deck, name)


def apart(one, other):
    """Largest difference over the largest force."""
    return largest(abs(a - b) for a, b in zip(one, other)) / largest(other)


def compare(case):
    table = harness.read_table(case.folder / "floor_reactions_n20.csv")
    wanted = {law: table[REACTIONS[law]] for law in LAWS}
    reactions = {}
    for law in LAWS:
        run = drop(case, law, "5 %", law)
        reactions[law] = reactions_of(run, BASE)
        figures = run.report["contact_dynamics"]
        case.at_most(f"{law}: floor reactions beside the elastic network, of the largest",
                     apart(reactions[law], wanted[law]), 1e-6, "required (the paper has 2e-5)")
        case.at_most(f"{law}: complementarity in every step", figures["worst_complementarity"], 1e-9, "solver tolerance")
        case.tell(f"{law}: deepest overlap at the end of a step [d]; CPU time [s]",
                  f"{-figures['deepest_overlap'] / DIAMETER:.2g}; {run.core_seconds:.1f}")
    order = list(range(len(pyramid(BASE))))
    random.Random(1).shuffle(order)
    others = {"dropped from 10 %": ("10 %", "higher", None), "in another order": ("5 %", "shuffled", order)}
    for what, (lift, name, numbers) in others.items():
        run = drop(case, "hooke", lift, name, numbers)
        case.at_most(f"{what}: compatible reactions from those before", apart(reactions_of(run, BASE), reactions["hooke"]),
                     2e-6, "they are unique: twice the bound beside the reference")
    for method in ("apgd", "pgs"):
        alone = reactions_of(drop(case, "hooke", "5 %", method, lcp=method), BASE)
        case.at_least(f"\"{method}\" alone: floor reactions beside the elastic network, of the largest",
                      apart(alone, wanted["hooke"]), 1e-3, "one solution of many")
        for what, (lift, name, numbers) in others.items():
            run = drop(case, "hooke", lift, f"{method}_{name}", numbers, method)
            change = apart(reactions_of(run, BASE), alone)
            row = f"\"{method}\" alone, {what}: reactions from those before"
            if method == "apgd" and numbers:  # it updates all contacts at once: their order does not matter
                case.tell(row, f"{change:.2g}")
            else:
                case.at_least(row, change, 1e-3, "its answer depends on it")
