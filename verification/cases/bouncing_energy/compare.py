"""Energy, turning and conserved quantities of a bouncing block."""
import math

import harness
import reference_block
from judging import largest

MASS, EDGE, HEIGHT = 2.0, 0.1, 0.05
MGH = MASS * reference_block.GRAVITY * HEIGHT
FALL = math.sqrt(2 * HEIGHT / reference_block.GRAVITY)  # time to the first contact [s]


def compare(case):
    for letter in "abcd":
        deck = harness.read_deck(harness.ROOT / f"inputs/paper/example_1{letter}.json")
        deck["output"].pop("vtk")
        for history in deck["output"]["histories"]:
            history["every"] = 0
        run = case.run(deck, f"1{letter}", trace=True)
        energy, block = run.history("energy.csv"), run.history("block.csv")
        start = energy["total_energy"][0]
        worst = largest(abs(e - start) for e in energy["total_energy"])
        case.at_most(f"1({letter}) largest energy error, part of m g H", worst / MGH, 1e-3,
                     f"fixed step {deck['time']['step']} s; error of order (omega h)^2 during contact")
        case.plot(f"1({letter}) energy error", "time [s]", "part of m g H",
                  [("measured", energy["time"], [(e - start) / MGH for e in energy["total_energy"]], "curve"),
                   ("tolerance", [0, energy["time"][-1]], [1e-3] * 2, "dashed"),
                   ("tolerance", [0, energy["time"][-1]], [-1e-3] * 2, "dashed")])
        bounces = sum(a == 0 < b for a, b in zip(energy["contacts"], energy["contacts"][1:]))
        case.at_least(f"1({letter}) contacts that began", bounces, 5, "one drop of 0.05 m bounces 5 times in 1 s")
        if letter == "d":
            tumbling(case, deck, block)
        else:
            last = len(harness.column_until(block, "z", 4 * FALL)) - 1
            turned = largest(harness.turned_angle(block, i) for i in range(0, last + 1, 100))
            case.at_most(f"1({letter}) turned after two bounces [rad]", turned, 1e-12,
                         "round-off times about 22 per bounce")
        case.no_intersection(f"1{letter}")
        default_steps(case, letter, deck)


def default_steps(case, letter, deck):
    """The same deck without "integrator", with adaptive steps under the default control."""
    deck = {key: value for key, value in deck.items() if key != "integrator"}
    deck["time"] = {"end": deck["time"]["end"], "step": {"initial": 1e-4, "min": 1e-9, "max": 2e-3}}
    name = f"1{letter}_default"
    run = case.run(deck, name, trace=True)
    energy, block = run.history("energy.csv"), run.history("block.csv")
    worst = largest(abs(e - energy["total_energy"][0]) for e in energy["total_energy"])
    case.at_most(f"1({letter}) default: largest energy error, part of m g H", worst / MGH, 1e-9,
                 f"{run.report['steps']} steps; Newton accepts 1e-10 m g, over a path of ten times H")
    bounces = sum(a < 0 < b for a, b in zip(block["vz"], block["vz"][1:]))
    case.at_least(f"1({letter}) default: changes from falling to rising", bounces, 5, "as above; a contact may be shorter than a step")
    if letter == "d":
        for column, start in zip(("vx", "vy"), deck["bodies"][0]["velocity"]):
            change = largest(abs(v - start) for v in block[column])
            case.at_most(f"1(d) default: change of {column}, part of the impact speed", change / math.sqrt(2 * reference_block.GRAVITY * HEIGHT),
                         10 * run.report["steps"] ** 0.5 * 2.2e-16, "the floor pushes along z only; round-off, as it may add up")
    case.no_intersection(name)


def tumbling(case, deck, block):
    body = deck["bodies"][0]
    speed = math.sqrt(2 * reference_block.GRAVITY * HEIGHT)
    for name, reference in (("vx", body["velocity"][0]), ("vy", body["velocity"][1])):
        worst = largest(abs(v - reference) for v in block[name])
        case.at_most(f"1(d) change of {name}, part of the impact speed", worst / speed, 1e-9,
                     "the floor pushes along z only; Newton's tolerance of 1e-10 m g for 1 s")
    half = harness.read_deck(harness.ROOT / "inputs/paper/example_1d.json")
    half["output"] = {"histories": [{"file": "block.csv", "body": "block", "columns": ["time", "wz"]}]}
    half["time"] = {"end": 0.3, "step": deck["time"]["step"] / 2}
    fine = case.run(half, "1d_half_step").history("block.csv")
    coarse = largest(abs(w - body["angular_velocity"][2]) for w in harness.column_until(block, "wz", 0.3))
    fine = largest(abs(w - body["angular_velocity"][2]) for w in fine["wz"])
    case.at_most("1(d) change of the spin about the vertical until 0.3 s, part of impact speed over edge",
                 coarse / (speed / EDGE), 1e-5, "of order h^2 in the moments of contact")
    case.equal("1(d) its order in the step", math.log2(coarse / fine), 2.0, "Newmark in body axes", absolute=0.02)
    conserved(case, body, speed)
    law = reference_block.Law.of_deck(deck)
    cube = reference_block.Block(law, EDGE, MASS)
    orientation = reference_block.axis_angle(body["orientation"]["axis"], body["orientation"]["angle_deg"])
    events = list(cube.integrate(body["position"][2], orientation, 0.0, body["angular_velocity"], 0.2))
    # events: start, touch, free, touch, free, ... : the free flights after the first and second contact
    for number, event in enumerate((events[2], events[4]), 1):
        t, _, _, v, w = event
        t += 1e-3  # a little into the flight: the program's contact ends within a step of the reference's
        v -= reference_block.GRAVITY * 1e-3
        i = min(range(len(block["time"])), key=lambda k: abs(block["time"][k] - t))
        case.equal(f"1(d) vertical speed after contact {number} [m/s]", block["vz"][i], v, "order (omega h)^2",
                   absolute=5e-4 * speed)
        difference = math.dist((block["wx"][i], block["wy"][i], block["wz"][i]), w) * EDGE / 2
        case.at_most(f"1(d) error of the spin after contact {number}, times half the edge [m/s]", difference,
                     5e-4 * speed, "order (omega h)^2")


def conserved(case, body, speed):
    """What the floor cannot change, under the integrator that keeps it exactly."""
    deck = harness.read_deck(harness.ROOT / "inputs/paper/example_1d.json")
    deck["integrator"] = {"type": "variational", "alpha": 0.5}
    deck["output"] = {"histories": [{"file": "block.csv", "body": "block", "columns": ["time", "vx", "vy", "wz"]}]}
    block = case.run(deck, "1d_variational").history("block.csv")
    reason = "the discrete Lagrange-d'Alembert principle keeps it; round-off of 1e5 steps, as they may add up"
    for name, scale, reference in (("vx", speed, body["velocity"][0]), ("vy", speed, body["velocity"][1]),
                                   ("wz", speed / EDGE, body["angular_velocity"][2])):
        worst = largest(abs(v - reference) for v in block[name])
        case.at_most(f"1(d) variational: change of {name}, part of the impact's", worst / scale, 10 * 1e5 ** 0.5 * 2.2e-16, reason)
