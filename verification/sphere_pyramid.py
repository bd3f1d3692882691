"""The cannonball pyramid that cases share: its deck for contact dynamics, and forces of a run beside each other."""
import math

from judging import largest

DIAMETER, DENSITY, GRAVITY = 2.5e-3, 2000.0, 9.81
WEIGHT = DENSITY * math.pi / 6 * DIAMETER**3 * GRAVITY
# Stiffness ratios of the reference's two species: even-even, even-odd, odd-odd.
RATIOS = {("even", "even"): 1 / 5, ("even", "odd"): 1 / 3, ("odd", "odd"): 1.0}
LAWS = {"hooke": "F_hooke_over_mg", "hertz": "F_hertz_over_mg", "two_species": "F_two_species_over_mg"}
REACTIONS = {"hooke": "Rz_hooke_over_mg", "hertz": "Rz_hertz_over_mg", "two_species": "Rz_two_species_over_mg"}


def pyramid(n, lift=0.0):
    """(layer, position) per sphere, in the reference's order; layer k is lifted by k times `lift` [m]."""
    return [(k, [(i + k / 2 - (n - 1) / 2) * DIAMETER, (j + k / 2 - (n - 1) / 2) * DIAMETER,
                 k * (DIAMETER / math.sqrt(2) + lift)])
            for k in range(n) for j in range(n - k) for i in range(n - k)]


def deck_of(n, law, lift=0.0, end=1e-3, step=1e-3, order=None):
    spheres = pyramid(n, lift)
    bodies = [{"name": f"s{i}", "shape": "ball", "material": "odd" if i % 2 else "even", "position": x, "fixed": k == 0}
              for i, (k, x) in enumerate(spheres)]
    if order is not None:
        bodies = [bodies[i] for i in order]
    exponent = 1.5 if law == "hertz" else 1
    pairs = RATIOS.items() if law == "two_species" else [(("*", "*"), 1.0)]
    return {
        "title": f"pyramid of {n} spheres along the base, {law}", "analysis": "contact-dynamics",
        "gravity": [0, 0, -GRAVITY], "time": {"end": end, "step": step},
        "materials": {"even": {"density": DENSITY}, "odd": {"density": DENSITY}},
        "shapes": {"ball": {"type": "sphere", "radius": DIAMETER / 2}}, "bodies": bodies,
        "interfaces": [{"between": list(pair),
                        "normal": {"law": "rigid", "stiffness_ratio": ratio, "exponent": exponent}}
                       for pair, ratio in pairs],
        "output": {"contacts": {"every": end, "lcp_forces": True}}}


def forces_of(run, column="fn"):
    """{pair of bodies: normal force over m g}."""
    table = run.last_contacts()
    return {tuple(sorted((a, b))): f / WEIGHT for a, b, f in zip(table["body_a"], table["body_b"], table[column])}


def reactions_of(run, n, column="fn"):
    """Vertical force that each base sphere needs of its support, over m g."""
    reaction = [1.0] * (n * n)
    table = run.last_contacts()
    for a, b, nz, f in zip(table["body_a"], table["body_b"], table["nz"], table[column]):
        for name, sign in ((a, -1), (b, 1)):
            if int(name[1:]) < n * n:
                reaction[int(name[1:])] += sign * f * nz / WEIGHT
    return reaction


def distance(measured, reference):
    """Largest difference over the largest force of the reference."""
    keys = set(measured) | set(reference)
    scale = largest(reference.values())
    return largest(abs(measured.get(k, 0.0) - reference.get(k, 0.0)) for k in keys) / scale
