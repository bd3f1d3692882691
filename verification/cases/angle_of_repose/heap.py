"""A heap on a floor within a low rim: poured from above its middle, or left by a pipe that is lifted."""
import math

import harness
import superquadric_bed

RADIUS = 1.836e-3  # of a sphere of the superquadric's volume [m]
SHAPES = {"spheres": ((RADIUS,) * 3, (2, 2)), "superquadrics": ((0.002, 0.002, 0.001), (4, 4))}
DENSITY, YOUNG, POISSON, RESTITUTION, GRAVITY = 2500.0, 5e5, 0.3, 0.3, 9.81
TRAY, RIM, FACES = 0.026, 0.0037, 32  # radius and height of the rim [m]; faces of rim and pipe
GONE = 0.030  # from here on, along x or y, grains that fell over the rim are taken away [m]
NUMBER = {"poured": 900, "lifted": 700}
STEP = {"initial": 1e-4, "min": 1e-8, "max": 1e-3, "resolution": 1}
REST = 1e-7  # J in all: 2 mm/s in the mean
SQUARE, LOW, HIGH = 0.006, 0.027, 0.039  # half width and heights of the region above the middle [m]
POURED, DOWN = 1.0, 0.2  # s of pouring; speed with which grains enter [m/s]
PIPE, PIPE_FILLED, PIPE_RESTS, PIPE_SPEED, PIPE_TOP = 0.014, 0.3, 0.5, 0.04, 0.09  # m, s, s, m/s, m
END = 3.0
FRICTION = 1.0
ROLLING = {"coefficient": 0.2, "stiffness": 6e-5, "damping_ratio": 0.3}
STEP_DOWN = 1e-4  # of the surface's height [m]
RINGS, SECTORS = 24, 32
JUDGED = (0.15, 0.85)  # parts of the tray's radius between which the slope is taken


def deck(work, what, how):
    half_axes, blockiness = SHAPES[what]
    count, region, filled = NUMBER[how], (SQUARE, LOW, HIGH), POURED
    boundaries = [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "grain"},
                  {"name": "rim", "type": "cone", "point": [0, 0, 0], "axis": [0, 0, 1], "length": RIM,
                   "radius": [TRAY, TRAY], "faces": FACES, "material": "grain"}]
    if how == "lifted":
        filled, region = PIPE_FILLED, (0.7 * PIPE - RADIUS, 0.06, PIPE_TOP - RADIUS)
        rise = END - PIPE_RESTS
        work.mkdir(parents=True, exist_ok=True)
        (work / "lift.csv").write_text(f"time,x,y,z\n0,0,0,0\n{PIPE_RESTS},0,0,0\n{END},0,0,{PIPE_SPEED * rise}\n",
                                       encoding="utf-8")
        boundaries.append({"name": "pipe", "type": "cone", "point": [0, 0, 0], "axis": [0, 0, 1],
                           "length": PIPE_TOP, "radius": [PIPE, PIPE], "faces": FACES, "material": "grain",
                           "motion": {"table": str(work / "lift.csv")}})
    shape = {"type": "sphere", "radius": RADIUS} if what == "spheres" else \
        {"type": "superquadric", "half_axes": list(half_axes), "blockiness": list(blockiness)}
    interface = {"between": ["*", "*"], "normal": {"law": "hertz", "restitution": RESTITUTION, "radius": "mean"},
                 "friction": {"static": FRICTION, "dynamic": FRICTION, "stiffness": "mindlin"},
                 "rolling": ROLLING}
    square, low, high = region
    far = 1.0
    return {
        "title": f"{what} {how}, friction {FRICTION:g}",
        "integrator": {"type": "newmark"},
        "gravity": [0, 0, -GRAVITY],
        "time": {"end": END, "step": STEP,
                 "stop": {"when": "at rest", "kinetic_energy": REST, "after": filled + (0.2 if how == "poured" else 1.2)}},
        "materials": {"grain": {"density": DENSITY, "young": YOUNG, "poisson": POISSON}},
        "shapes": {"grain": shape},
        "inlets": [{"name": "spout", "shape": "grain", "material": "grain", "seed": 1, "velocity": [0, 0, -DOWN],
                    "region": {"min": [-square, -square, low], "max": [square, square, high]},
                    "rate": {"number": count / filled}, "until": filled}],
        "outlets": [{"name": name, "region": {"min": low, "max": high}} for name, low, high in (
            ("west", [-far, -far, -far], [-GONE, far, far]), ("east", [GONE, -far, -far], [far, far, far]),
            ("south", [-far, -far, -far], [far, -GONE, far]), ("north", [-far, GONE, -far], [far, far, far]))],
        "boundaries": boundaries,
        "interfaces": [interface],
        "solver": {"newton": {"relative": 1e-4}},
        "output": {"vtk": {"every": 0.1}, "histories": [{"file": "energy.csv", "every": 0.01,
                                  "columns": ["time", "step", "kinetic_energy", "contacts", "newton_iterations"]}],
                   "final_state": "final.csv"},
    }


def profile(table, what):
    """(radii, mean heights of the surface over the circle of each) [m]."""
    bed = superquadric_bed.Bed(table, *SHAPES[what])
    radii = [TRAY * (k + 0.5) / RINGS for k in range(RINGS)]
    turns = [2 * math.pi * (k + 0.5) / SECTORS for k in range(SECTORS)]
    return radii, [sum(bed.height_at(r * math.cos(t), r * math.sin(t), STEP_DOWN) for t in turns) / SECTORS for r in radii]


def angle_deg(radii, heights):
    """Slope of the straight line through the judged part of the profile."""
    low, high = (part * TRAY for part in JUDGED)
    points = [(r, z) for r, z in zip(radii, heights) if low <= r <= high]
    return math.degrees(math.atan(-harness.slope(*zip(*points))))
