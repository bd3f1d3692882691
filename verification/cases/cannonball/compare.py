"""A square pyramid of close-packed spheres: forces of rigid contact beside those of the elastic network."""
import math
import random

import harness
from sphere_pyramid import DIAMETER, GRAVITY, LAWS, REACTIONS, deck_of, distance, forces_of, pyramid, reactions_of
from judging import largest


def check_static(case, law, reference):
    run = case.run(deck_of(20, law), f"n20_{law}")
    wanted = {tuple(sorted((f"s{int(i)}", f"s{int(j)}"))): f
              for i, j, f in zip(reference["i"], reference["j"], reference[LAWS[law]])}
    measured = forces_of(run)
    figures = run.report["contact_dynamics"]
    case.at_most(f"2870 spheres, {law}: forces beside the elastic network, of the largest",
                 distance(measured, wanted), 1e-7, "digits of the reference")
    case.at_most(f"2870 spheres, {law}: complementarity", figures["worst_complementarity"], 1e-9, "solver tolerance")
    case.at_most(f"2870 spheres, {law}: force balance", figures["force_balance"], 1e-12, "solver tolerance")
    case.tell(f"2870 spheres, {law}: forces of \"apgd\" from the compatible ones", figures["largest_lcp_distance"])
    return measured


def check_drop(case, law, reference):
    # As the reference's own check by LAMMPS: layers lifted by 5 % of a radius each, 12 sqrt(d/g).
    deck = deck_of(6, law, lift=0.05 * DIAMETER / 2, end=12 * math.sqrt(DIAMETER / GRAVITY), step=5e-4)
    deck["solver"] = {"lcp_tolerance": 1e-10}
    run = case.run(deck, f"drop_{law}")
    reactions = reactions_of(run, 6)
    case.at_most(f"91 spheres dropped, {law}: floor reactions beside the elastic network, of the largest",
                 largest(abs(a - b) for a, b in zip(reactions, reference[REACTIONS[law]])) / largest(reference[REACTIONS[law]]),
                 1e-8, "required: 1e-6 (the paper has 2e-5)")
    figures = run.report["contact_dynamics"]
    case.tell(f"91 spheres dropped, {law}: deepest overlap at the end of a step [d]",
              -figures["deepest_overlap"] / DIAMETER)


def compare(case):
    contacts = harness.read_table(case.folder / "contacts_n20.csv")
    floor = harness.read_table(case.folder / "floor_reactions_n6.csv")
    ordered = None
    for law in LAWS:
        measured = check_static(case, law, contacts)
        ordered = ordered or measured
        check_drop(case, law, floor)
    order = list(range(len(pyramid(20))))
    random.Random(1).shuffle(order)
    # Forces follow the complementarity's residual: it is solved further than by default here.
    both = []
    for name, numbers in (("ordered", None), ("shuffled", order)):
        deck = deck_of(20, "hooke", order=numbers)
        deck["solver"] = {"lcp_tolerance": 1e-11}
        both.append(forces_of(case.run(deck, name)))
    case.at_most("2870 spheres in another order: forces, of the largest", distance(both[1], both[0]), 4e-11,
                 "they are unique")
    for method in ("pgs", "apgd"):
        lcp = []
        for name, numbers in (("", None), ("_shuffled", order)):
            deck = deck_of(20, "hooke", order=numbers)
            deck["solver"] = {"lcp": method, "compatibility": "none"}
            lcp.append(forces_of(case.run(deck, f"{method}{name}")))
        case.tell(f"\"{method}\" alone: forces from the compatible ones, of the largest", distance(lcp[0], ordered))
        if method == "pgs":
            case.at_least("\"pgs\" alone: its forces change with the order of bodies, of the largest",
                          distance(lcp[1], lcp[0]), 1e-3, "they are one solution of many")
