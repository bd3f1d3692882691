"""Two identical elastic spheres, head on."""
import sphere_impacts
from reference_sphere import Ball
from judging import largest

# Name: (E, nu, rho)
MATERIALS = {"glass": (48e9, 0.20, 2800), "limestone": (20e9, 0.25, 2500)}
RADIUS, SPEED, MU = 0.010, 10.0, 0.35


def impacts():
    balls = {name: Ball(RADIUS, *constants) for name, constants in MATERIALS.items()}
    return [sphere_impacts.Impact(name, ball, (0.0, -SPEED), partner=ball, partner_velocity=(0.0, SPEED), mu=MU)
            for name, ball in balls.items()]


def compare(case):
    shots = impacts()
    for label, integrator in (("", None), (", Newmark", {"type": "newmark", "beta": 0.25, "gamma": 0.5})):
        deck = sphere_impacts.deck_of(shots, histories=True, integrator=integrator)
        run = case.run(deck, "newmark" if integrator else "variational")
        sphere_impacts.elastic_figures(case, shots, run, label)
        for shot, result in zip(shots, sphere_impacts.outcomes(run, shots)):
            sums = [result["velocity"][k] + result["other_velocity"][k] for k in range(2)]
            case.at_most(f"{shot.name}{label}: momentum gained, part of one sphere's",
                         largest(map(abs, sums)) / SPEED, 1e-12, "both see the same force; Newton's tolerance")
            case.at_most(f"{shot.name}{label}: spin gained, times R, part of the speed",
                         max(abs(result["spin"]), abs(result["other_spin"])) * RADIUS / SPEED, 1e-12,
                         "no slip, so friction is idle")
    limestone = shots[1].pair
    case.equal("limestone: closed form of the largest force against the value stored by Kratos [N]",
               limestone.largest_force(2 * SPEED), 7108.0, "printed with four digits", relative=1e-4)
