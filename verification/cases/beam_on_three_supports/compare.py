"""Supports of a rigid beam share its weight as elastic ones would."""
import harness  # noqa: F401  # pylint: disable=unused-import

WEIGHT = 10.0


def deck_of(middle=0.0, ratio=1.0):
    """@param middle height of the middle support [m]. @param ratio its stiffness by that of the others."""
    bodies = [{"name": name, "shape": "support", "material": material, "position": [x, 0, z], "fixed": True}
              for name, material, x, z in (("left", "rock", -2, 0), ("middle", "other", 0, middle), ("right", "rock", 2, 0))]
    bodies.append({"name": "beam", "shape": "beam", "material": "rock", "position": [0, 0, 0.2], "mass": 1})
    return {
        "analysis": "contact-dynamics", "gravity": [0, 0, -WEIGHT], "time": {"end": 0.01, "step": 1e-3},
        "materials": {"rock": {"density": 2000}, "other": {"density": 2000}},
        "shapes": {"support": {"type": "sphere", "radius": 0.1}, "beam": {"type": "box", "size": [4.4, 0.4, 0.2]}},
        "bodies": bodies,
        "interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid"}},
                       {"between": ["rock", "other"], "normal": {"law": "rigid", "stiffness_ratio": ratio}}],
        "solver": {"lcp_tolerance": 1e-12},
        "output": {"contacts": {"every": 0.01, "lcp_forces": True, "intervals": [["beam", "middle"]]}}}


def forces_of(run, column="fn"):
    table = run.last_contacts()
    forces = {"left": 0.0, "middle": 0.0, "right": 0.0}
    for a, b, f in zip(table["body_a"], table["body_b"], table[column]):
        forces[a if b == "beam" else b] = f
    return forces


def compare(case):
    for name, deck, exact in (("even supports", deck_of(), (10 / 3, 10 / 3, 10 / 3)),
                              ("stiff middle support", deck_of(ratio=3), (2, 6, 2)),
                              ("low middle support", deck_of(middle=-1e-3), (5, 0, 5))):
        run = case.run(deck, name.replace(" ", "_"))
        forces = forces_of(run)
        for support, value in zip(("left", "middle", "right"), exact):
            case.at_most(f"{name}: force on the {support} one, difference [N]", abs(forces[support] - value), 2e-11, "exact")
        if name == "even supports":
            case.at_most("degree of indeterminacy: 1", abs(run.report["contact_dynamics"]["indeterminacy"] - 1), 0, "exact")
            low, high = forces_of(run, "fn_min")["middle"], forces_of(run, "fn_max")["middle"]
            case.at_most("interval of the middle force from [0, 10] N", max(abs(low), abs(high - WEIGHT)), 5e-11,
                         "tolerance of the linear programs")
