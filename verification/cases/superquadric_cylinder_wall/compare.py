"""Impact of a superquadric cylinder on a wall against the impulse balance."""
import math

A, C, DENSITY, SPEED = 0.004, 0.00265, 1200.0, 1.0
ANGLES = (1, 2, 3, 5, 7.5, 10, 15, 20, 25, 30, 33.524, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 87, 89)
R = math.hypot(A, C)


def beta(x, y):
    return math.exp(math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y))


def mass_and_inertia(n1):
    """Of a = b, n2 = 2, about y; beta form (theory 06 section 2)."""
    e1, e2 = 2 / n1, 1.0
    volume = 2 * A * A * C * e1 * e2 * beta(e1 / 2 + 1, e1) * beta(e2 / 2, e2 / 2)
    inertia = 0.5 * A * A * C * e1 * e2 * (A * A * beta(1.5 * e2, e2 / 2) * beta(e1 / 2, 2 * e1 + 1)
                                           + 4 * C * C * beta(e2 / 2, e2 / 2 + 1) * beta(1.5 * e1, e1 + 1))
    return DENSITY * volume, DENSITY * inertia


def lowest(theta, n1):
    """Lowest point from the centre, (horizontal, vertical), of the body turned by theta about y."""
    ux, uz = math.sin(theta), -math.cos(theta)
    q = n1 / (n1 - 1)
    size = (abs(A * ux) ** q + abs(C * uz) ** q) ** (1 / q)
    x = math.copysign(A * (abs(A * ux) / size) ** (1 / (n1 - 1)), ux)
    z = math.copysign(C * (abs(C * uz) / size) ** (1 / (n1 - 1)), uz)
    return x * math.cos(theta) + z * math.sin(theta), -x * math.sin(theta) + z * math.cos(theta)


def balance(mass, inertia, lever):
    omega = mass * 2 * SPEED * lever / (inertia + mass * lever**2)
    return R * omega / SPEED, 1 - omega * lever / SPEED


def deck(n1, face_radius):
    bodies, histories = [], []
    for k, angle in enumerate(ANGLES):
        height = -lowest(math.radians(angle), n1)[1] + 2e-5
        bodies.append({"name": f"b{k}", "shape": "cylinder", "material": "rock", "position": [0.05 * k, 0, height],
                       "orientation": {"axis": [0, 1, 0], "angle_deg": angle}, "velocity": [0, 0, -SPEED]})
        histories.append({"file": f"b{k}.csv", "body": f"b{k}", "columns": ["time", "vz", "wy", "fz"]})
    return {"title": "Cylinder on a wall", "gravity": [0, 0, 0], "time": {"end": 8e-5 if face_radius == 1000 else 4e-4, "step": 5e-8},  # corners of rounder bodies are further away
            "integrator": {"type": "newmark", "beta": 0.25, "gamma": 0.5},
            "materials": {"rock": {"density": DENSITY, "young": 1e11, "poisson": 0.3}},
            "shapes": {"cylinder": {"type": "superquadric", "half_axes": [A, A, C], "blockiness": [n1, 2],
                                    "face_radius": face_radius}},
            "bodies": bodies,
            "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock"}],
            "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz"}}],
            "output": {"histories": histories}}


def rebound(run, k):
    """(r omega / V, V+ / V) where body k parts for the first time."""
    table = run.history(f"b{k}.csv")
    touched = next((i for i, f in enumerate(table["fz"]) if f > 0), None)
    parted = None if touched is None else next((i for i in range(touched, len(table["fz"])) if table["fz"][i] == 0), None)
    if parted is None:
        return None
    return -R * table["wy"][parted] / SPEED, table["vz"][parted] / SPEED


def compare(case):
    cylinder_mass = DENSITY * math.pi * A * A * 2 * C
    cylinder_inertia = cylinder_mass * (3 * A * A + 4 * C * C) / 12
    edge = math.atan2(C, A)
    true_cylinder = [balance(cylinder_mass, cylinder_inertia, R * math.cos(edge + math.radians(t))) for t in ANGLES]
    for n1 in (6, 20):
        mass, inertia = mass_and_inertia(n1)
        expected = [balance(mass, inertia, lowest(math.radians(t), n1)[0]) for t in ANGLES]
        for face_radius in (1000, 30):
            run = case.run(deck(n1, face_radius), f"n1_{n1}_face_{face_radius}")
            found = [rebound(run, k) for k in range(len(ANGLES))]
            whole = f"n1 = {n1}, face radius {face_radius}: all part"
            missing = [t for t, f in zip(ANGLES, found) if f is None]
            if face_radius == 1000:
                case.true(whole, not missing, "contacts last 10 to 30 us")
            elif missing:
                case.tell(whole, f"no, not those at {missing} degrees")
            if missing:
                continue
            for what, i in (("r omega", 0), ("V+", 1)):
                errors = [abs(f[i] - e[i]) for f, e in zip(found, expected)]
                worst = max(range(len(ANGLES)), key=errors.__getitem__)
                label = f"n1 = {n1}, face radius {face_radius}: worst difference of {what} / V"
                if face_radius == 1000:
                    case.at_most(label, errors[worst], 0.02, f"required; worst at {ANGLES[worst]:g} degrees")
                else:
                    case.tell(label, f"{errors[worst]:.4f} at {ANGLES[worst]:g} degrees")
            if face_radius == 1000:
                for what, i in (("r omega / V", 0), ("V+ / V", 1)):
                    case.plot(f"Cylinder on a wall, n1 = {n1}", "inclination [degrees]", what,
                              [("Scree", ANGLES, [f[i] for f in found], "curve"),
                               ("impulse balance of the superquadric", ANGLES, [e[i] for e in expected], "points"),
                               ("true cylinder", ANGLES, [t[i] for t in true_cylinder], "dashed")])
