"""Two ellipsoids pressed together, against the formula and against exact Hertz theory."""
import math

from harness import read_table
from judging import largest

AXES = (0.004, 0.003, 0.002)
SPACING = 0.05  # between the pairs [m]


def pairs(reference):
    """(centre of the first, centre of the second) per row of the reference."""
    for k, (theta, overlap) in enumerate(zip(reference["theta_deg"], reference["overlap_um"])):
        t = math.radians(theta)
        p = (AXES[0] * math.sin(t), 0.0, AXES[2] * math.cos(t))
        n = [x / a**2 for x, a in zip(p, AXES)]
        size = math.hypot(*n)
        first = (SPACING * k, 0.0, 0.0)
        yield first, tuple(f + 2 * x - 1e-6 * overlap * d / size for f, x, d in zip(first, p, n))


def deck(reference, rule, touch):
    bodies = [{"shape": "ellipsoid", "material": "rock", "position": list(x)}
              for both in pairs(reference) for x in both]
    return {"title": "Two ellipsoids", "integrator": {"type": "newmark"}, "gravity": [0, 0, 0], "time": {"end": 1e-12, "step": 1e-12},
            "materials": {"rock": {"density": 2500, "young": 1e10, "poisson": 0.3}},
            "shapes": {"ellipsoid": {"type": "superquadric", "half_axes": list(AXES), "blockiness": [2, 2]}},
            "bodies": bodies,
            "solver": {"superquadric": touch},
            "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz", "radius": rule}}],
            "output": {"contacts": {"every": 0}}}


def forces(case, reference, rule, touch, count):
    """Force of every pair, in the order of the reference; one contact each."""
    contacts = case.run(deck(reference, rule, touch), f"{rule}_{touch}").last_contacts()
    case.equal(f"{rule}, {touch}: contacts", len(contacts["fn"]), count, "one per pair")
    found = [0.0] * count
    for body, fn in zip(contacts["body_a"], contacts["fn"]):
        found[int(body) // 2] = fn
    return found


def compare(case):
    reference = read_table(case.folder / "reference.csv")
    exact = reference["F_hertz_elliptic_exact_N"]
    errors = {}
    for rule, column in (("mean", "F_mean_formula_N"), ("gaussian", "F_gauss_formula_N")):
        force = forces(case, reference, rule, "support", len(exact))
        worst = largest(abs(f / g - 1) for f, g in zip(force, reference[column]))
        case.at_most(f"{rule}: worst relative difference to the formula", worst, 8e-8, "the same closed form")
        midway = forces(case, reference, rule, "midway", len(exact))
        peer = reference[column.replace("formula", "liggghts")]
        worst = largest(abs(f / g - 1) for f, g in zip(midway, peer))
        case.at_most(f"{rule}, midway: worst relative difference to LIGGGHTS", worst, 1e-5, "the same contact point")
        errors[rule] = [abs(f / h - 1) for f, h in zip(force, exact)]
        case.plot(f"Force over overlap, {rule}", "overlap [um]", "force [N]",
                  [("Scree", reference["overlap_um"], force, "points"),
                   ("exact Hertz", reference["overlap_um"], exact, "points")])
    errors["volume"] = [abs(f / h - 1) for f, h in zip(reference["F_volume_formula_N"], exact)]
    for theta in (0, 30, 60):
        rows = [k for k, t in enumerate(reference["theta_deg"]) if t == theta]
        worst = {rule: largest(errors[rule][k] for k in rows) for rule in errors}
        case.tell(f"{theta} degrees: error against exact Hertz", ", ".join(f"{r} {100 * w:.2f} %" for r, w in worst.items()))
        case.true(f"{theta} degrees: Gaussian is nearer to Hertz than mean", worst["gaussian"] < worst["mean"], "required")
        case.true(f"{theta} degrees: Gaussian is nearer to Hertz than volume", worst["gaussian"] < worst["volume"], "required")
