"""Central impacts of a ball of 5 cm with a given number h omega of radians of the contact per time step."""
import math

SPEED, RADIUS, BIG, DENSITY, POISSON = 1.7, 0.05, 0.5, 2000.0, 0.3
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
KINDS = ("moving floor", "free ball of 1000 times the mass", "pair through a periodic face")
LAWS = ("barrier", "hooke", "hertz")
PERIOD = 2.0  # m
# Step [s] and h omega: from impacts that last 30 steps to those that last a thousandth of one.
STEPS = ((1e-5, 0.1), (1e-4, 1.0), (1e-3, 10.0), (5e-3, 100.0), (1e-3, 1000.0))


def steps_of(number):
    """Two of STEPS, so that five numbers in a row have each of them twice."""
    return STEPS[number % 5], STEPS[(number + 2) % 5]


def reach(orientation, half):
    """Distance from the centre of a cube of edge 2 half to its lowest point."""
    if not orientation:
        return half
    angle = math.radians(orientation["angle_deg"])
    norm = math.hypot(*orientation["axis"])
    x, y, z = (a / norm for a in orientation["axis"])
    s, c = math.sin(angle), 1 - math.cos(angle)
    row = (-s * y + c * z * x, s * x + c * z * y, 1 - c * (x * x + y * y))  # last row of the rotation matrix
    return half * sum(abs(value) for value in row)


def law_of(law, kind, omega):
    """The law, Young's modulus and the distance of onset of a contact of the frequency omega [1/s] at SPEED."""
    mass, radius = (MASS / 2, RADIUS / 2) if kind == KINDS[2] else (MASS, RADIUS)
    if law == "barrier":
        threshold = 2 * SPEED / omega
        return {"law": law, "threshold": threshold, "stiffness": 2 * mass * SPEED**2 / (0.6 * threshold) ** 4}, 1e9, threshold
    if law == "hooke":
        return {"law": law, "stiffness": mass * omega**2}, 1e9, 0.0
    modulus = math.sqrt((2.87 * omega / math.pi) ** 5 * mass**2 / (radius * SPEED))  # Hertz's duration is pi / omega
    return {"law": law}, modulus * (1 - POISSON**2) * (1 if kind == KINDS[0] else 2), 0.0  # the floor is rigid


def deck_of(kind, law, e, step, frequency):
    omega = frequency / step
    normal, young, onset = law_of(law, kind, omega)
    gap = onset + 2.5 * SPEED * step
    deck = {"gravity": [0, 0, 0], "time": {"end": 6 * step + 3 * math.pi / omega, "step": step}, "integrator": {"type": "energy"},
            "materials": {"rock": {"density": DENSITY, "young": young, "poisson": POISSON}, "floor": {"density": DENSITY}},
            "shapes": {"ball": {"type": "sphere", "radius": RADIUS}, "big": {"type": "sphere", "radius": BIG}},
            "interfaces": [{"between": ["*", "*"], "normal": {**normal, "restitution": e}}]}
    if kind == KINDS[0]:
        deck["boundaries"] = [{"name": "floor", "type": "plane", "material": "floor", "point": [0, 0, 0], "normal": [0, 0, 1],
                               "motion": {"velocity": [0, 0, SPEED]}}]
        deck["bodies"] = [ball("upper", "ball", [0, 0, RADIUS + gap], [0, 0, 0])]
    elif kind == KINDS[1]:
        deck["bodies"] = [ball("upper", "ball", [0, 0, BIG + RADIUS + gap], [0, 0, -SPEED]), ball("lower", "big", [0, 0, 0], [0, 0, 0])]
    else:  # both also move through the face
        deck["periodic"] = {"z": [0, PERIOD]}
        deck["bodies"] = [ball("upper", "ball", [0.1, 0.1, RADIUS + gap / 2], [0, 0, SPEED]),
                          ball("lower", "ball", [0.1, 0.1, PERIOD - RADIUS - gap / 2], [0, 0, 2 * SPEED])]
    deck["output"] = {"histories": [{"file": f"{body['name']}.csv", "body": body["name"], "every": deck["time"]["end"],
                                     "columns": ["time", "vz"]} for body in deck["bodies"]]}
    return deck


def ball(name, shape, position, velocity):
    return {"name": name, "shape": shape, "material": "rock", "position": position, "velocity": velocity}


def rebound(run, kind):
    """Speed of separation at the end over the speed of approach."""
    lower = SPEED if kind == KINDS[0] else run.history("lower.csv")["vz"][-1]
    return (run.history("upper.csv")["vz"][-1] - lower) / SPEED
