"""Two identical spheres with opposite spins: no slip, so no friction."""
import sphere_impacts
from reference_sphere import Ball

MATERIALS = {"alloy": (70e9, 0.33, 2700), "copper": (120e9, 0.35, 8900)}
RADIUS, SPEED, MU, E = 0.1, 0.2, 0.4, 0.5
SPINS = (0.175, 0.35, 0.70, 1.40, 2.86, 5.71, 11.43, 22.86)


def compare(case):
    balls = {name: Ball(RADIUS, *constants) for name, constants in MATERIALS.items()}
    shots = [sphere_impacts.Impact(f"{name}_{spin:g}", ball, (0.0, -SPEED), spin, partner=ball,
                                   partner_velocity=(0.0, SPEED), partner_spin=-spin, restitution=E, mu=MU)
             for name, ball in balls.items() for spin in SPINS]
    for shot, result in zip(shots, sphere_impacts.fire(case, shots, "spins")):
        scale = max(SPEED, shot.spin * RADIUS)
        sideways = max(abs(result["velocity"][0]), abs(result["other_velocity"][0]))
        turned = max(abs(result["spin"] - shot.spin), abs(result["other_spin"] + shot.spin))
        case.at_most(f"{shot.name}: tangential velocity, part of the largest speed", sideways / scale, 1e-14,
                     "the two patches move alike: round-off")
        case.at_most(f"{shot.name}: change of spin, part of the spin", turned / shot.spin, 1e-14,
                     "the two patches move alike: round-off")
        case.equal(f"{shot.name}: restitution", sphere_impacts.rebound(result) / (2 * SPEED), E, "required",
                   absolute=1e-3)
