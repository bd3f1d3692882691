"""The law of LIGGGHTS' `hertz tangential history` in the words of the deck."""
import math


def hertz_tangential_history(restitution, mu, smooth):
    """(normal, friction) of an interface. smooth: whether superquadrics meet, with their radius of mean curvature limited to
    10 radii of equal volume. LIGGGHTS damps the tangent by 2 sqrt(5/6) beta sqrt(k_t m*), beta the damping ratio of a linear
    contact of that restitution."""
    log = math.log(restitution)
    beta = -log / math.hypot(log, math.pi)
    normal = {"law": "hertz", "restitution": restitution, "no_tension": False}
    if smooth:
        normal.update(radius="mean", radius_limit=10)
    return normal, {"static": mu, "dynamic": mu, "stiffness": "mindlin", "spring": "slip", "limit": "spring",
                    "damping_ratio": math.sqrt(5 / 6) * beta}
