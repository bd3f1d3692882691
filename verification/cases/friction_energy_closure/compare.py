"""Energy balance with friction where contacts succeed each other over edges."""
import math
import random

import harness
import judging

MESH = 0.05  # edge of a cell of the mesh [m]
STEPS = [4e-4, 2e-4, 1e-4, 5e-5]
NEWMARK = {"type": "newmark", "beta": 0.3, "gamma": 0.5}
INTEGRATORS = {"newmark": NEWMARK, "variational": {"type": "variational", "alpha": 0.5},
               "trapezoidal": {"type": "trapezoidal", "phi": 0.5}}
FLOOR = {"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "m"}


def barrier(threshold, stiffness, zeta, mu, tangential):
    return {"between": ["*", "*"],
            "normal": {"law": "barrier", "threshold": threshold, "stiffness": stiffness, "exponent": 3,
                       "barrier_fraction": 0.4, "barrier_exponent": -2, "damping_ratio": zeta},
            "friction": {"static": mu, "dynamic": mu, "stiffness": tangential}}


def mesh(depth):
    """A surface of triangles that lie up to `depth` [m] below z = 0: every edge is one that contacts slide over."""
    place = random.Random(3)
    nx, ny = 24, 14
    vertices = [[(i - 6) * MESH, (j - ny // 2) * MESH, -depth * abs(place.uniform(-1, 1))]
                for i in range(nx + 1) for j in range(ny + 1)]
    faces = []
    for i in range(nx):
        for j in range(ny):
            a, b, c, d = (u * (ny + 1) + v for u, v in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
            faces += [[a, b, c], [a, c, d]] if (i + j) % 2 else [[a, b, d], [b, c, d]]
    return {"name": "mesh", "type": "surface", "vertices": vertices, "faces": faces, "material": "m"}


def box_on_mesh():
    return {"end": 0.3, "density": 2000, "boundaries": [mesh(0.002)],
            "shapes": {"box": {"type": "box", "size": [0.1] * 3}},
            "bodies": [{"shape": "box", "material": "m", "position": [0, 0, 0.053], "velocity": [0.7, 0.2, 0],
                        "orientation": {"axis": [0, 0, 1], "angle_deg": 11}}],
            "interface": barrier(1e-3, 2e11, 0.3, 0.3, 3e3)}


def ball_on_mesh():
    """Hertz, Mindlin's springs and those of rolling resistance."""
    return {"end": 0.3, "density": 2000, "boundaries": [mesh(0.004)],
            "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
            "bodies": [{"shape": "ball", "material": "m", "position": [0, 0, 0.0499], "velocity": [0.5, 0.2, 0],
                        "angular_velocity": [0, 2, 3]}],
            "interface": {"between": ["*", "*"], "normal": {"law": "hertz", "damping_ratio": 0.1},
                          "friction": {"static": 0.3, "dynamic": 0.3, "stiffness": "mindlin"},
                          "rolling": {"coefficient": 0.1, "stiffness": 20, "damping_ratio": 0.1}}}


def plate_over_edge():
    """A plate that leans on the edge of a fixed block and slides down along it."""
    angle = math.radians(35)
    normal = (math.cos(angle), -math.sin(angle))
    height = 0.0008 + 0.01 * math.sin(angle) + 0.1 * math.cos(angle)  # foot just above the floor
    across = -(0.0108 - (0.1006 - height) * normal[1]) / normal[0]  # face 0.8 mm from the edge
    return {"end": 0.3, "density": 2000, "boundaries": [FLOOR],
            "shapes": {"plate": {"type": "box", "size": [0.02, 0.1, 0.2]}, "block": {"type": "box", "size": [0.1] * 3}},
            "bodies": [{"shape": "block", "material": "m", "position": [0.05, 0, 0.0506], "fixed": True},
                       {"shape": "plate", "material": "m", "position": [across, 0.013, height],
                        "orientation": {"axis": [0, 1, 0], "angle_deg": 35}}],
            "interface": barrier(1e-3, 2e11, 0.3, 0.2, 3e3)}


def card_house():
    """Two pairs of leaning cards, a lid, and a third pair on it. All edges are aligned: contacts whose terms cancel but
    for round-off change with every step."""
    thickness, width, height, lean, gap = 0.05, 0.5, 1.0, math.radians(20), 0.0012
    up = 0.5 * (height * math.cos(lean) + thickness * math.sin(lean))
    aside = 0.5 * (height * math.sin(lean) + thickness * math.cos(lean))
    top = 2 * up + gap
    bodies = [{"shape": "lid", "material": "m", "position": [0, 0, top + 0.5 * thickness + gap + 0.004]}]
    for x, z in ((-0.45 * height, 0), (0.45 * height, 0), (0, top + thickness + gap + 0.006)):
        bodies += [{"shape": "card", "material": "m", "position": [x + s * (aside + gap), 0, z + up + gap],
                    "orientation": {"axis": [0, 1, 0], "angle_deg": -20 * s}} for s in (-1, 1)]
    return {"end": 0.5, "density": 2500, "boundaries": [FLOOR], "bodies": bodies,
            "shapes": {"card": {"type": "box", "size": [thickness, width, height]},
                       "lid": {"type": "box", "size": [1.5 * height, width, thickness]}},
            "interface": barrier(2e-3, 1e13, 0.1, 0.2, 1e5)}


def run(case, scene, name, integrator, step):
    """(largest energy balance error over the run, friction loss at its end) [J]."""
    deck = {"gravity": [0, 0, -9.81], "time": {"end": scene["end"], "step": step}, "integrator": integrator,
            "materials": {"m": {"density": scene["density"], "young": 2e7, "poisson": 0.3}},
            **{key: scene[key] for key in ("shapes", "bodies", "boundaries")}, "interfaces": [scene["interface"]],
            "solver": {"newton": {"relative": 1e-10}},
            "output": {"histories": [{"file": "energy.csv", "columns": ["time", "friction_loss", "closure_error"]}]}}
    table = case.run(deck, name).history("energy.csv")
    return judging.largest(map(abs, table["closure_error"])), table["friction_loss"][-1]


def fixed_steps(case, scene, integrator):
    name = scene.__name__
    results = [run(case, scene(), f"{name}_{integrator}_{k}", INTEGRATORS[integrator], h) for k, h in enumerate(STEPS)]
    parts = [error / loss for error, loss in results]
    order = harness.slope([math.log2(h) for h in STEPS], [math.log2(p) for p in parts])
    case.at_least(f"{name}, {integrator}: order of the energy balance error in the step", order, 1.5, "2, and chance of when contacts begin")
    case.at_most(f"{name}, {integrator}: largest energy balance error at {STEPS[-1]:g} s, part of the friction loss", parts[-1],
                 2.5e-5, "three times the largest that is measured")
    return (f"{name}, {integrator}", STEPS, parts, "curve")


def compare(case):
    curves = [fixed_steps(case, scene, integrator) for scene, integrator in (
        (box_on_mesh, "newmark"), (box_on_mesh, "variational"), (box_on_mesh, "trapezoidal"), (ball_on_mesh, "newmark"),
        (ball_on_mesh, "variational"), (plate_over_edge, "newmark"))]
    case.plot("Energy balance error", "step [s]", "largest over the run, part of the friction loss", curves, log="xy")
    resolutions, losses, errors = [1, 0.3, 0.1, 0.03], [], []
    for resolution in resolutions:
        step = {"initial": 1e-5, "min": 1e-10, "max": 2e-3, "resolution": resolution}
        error, loss = run(case, card_house(), f"cards_{resolution:g}", NEWMARK, step)
        errors.append(error / loss)
        losses.append(loss)
    case.plot("Card house", "resolution", "part of the friction loss", [("largest energy balance error", resolutions, errors, "curve")],
              log="xy")
    # From 0.3 on the error of a contact's energy limits steps, whatever the resolution (theory 09 section 4).
    for coarse, fine, bound in ((0, 2, 0.8), (2, 3, 0.5)):
        case.at_most(f"cards: energy balance error, resolution {resolutions[fine]:g} over {resolutions[coarse]:g}", errors[fine] / errors[coarse],
                     bound, "smaller steps")
    case.at_most("cards: change of the friction loss, resolution 0.1 to 0.03", abs(losses[3] / losses[2] - 1), 4e-3,
                 "the collapse itself depends on the step")
