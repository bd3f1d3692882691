"""250 cylinders poured into a round container, bed height against Kodam's experiment."""
import math

import superquadric_bed
from judging import largest, smallest

COUNT, HALF_AXES, BLOCKINESS = 250, (0.004, 0.004, 0.00265), (8, 2)
DENSITY, YOUNG, POISSON, RESTITUTION, FRICTION = 1200.0, 1e7, 0.3, 0.5, 0.3
RADIUS = 0.0254  # of the container [m]
SQUARE, LOWEST, HIGHEST = 0.0145, 0.006, 0.55  # where centres start: half width, heights [m]
END, REST = 1.5, 1e-7  # s; kinetic energy of all [J]
ROCKING = 1.0  # unbalanced force of a cylinder that spins on its flat face, part of its weight: nothing damps it
LOOSE, DENSE = 0.55, 0.72  # packings of short cylinders, poured and shaken
STEP = {"initial": 1e-4, "min": 1e-8, "max": 1e-3, "resolution": 2}
GRID, DOWN = 0.002, 0.0001  # of the places whose heights are measured, and of the way down [m]


def deck():
    normal = {"law": "hertz", "restitution": RESTITUTION, "radius": "mean"}
    friction = {"static": FRICTION, "dynamic": FRICTION, "stiffness": "mindlin"}
    return {
        "title": "250 cylinders poured into a round container",
        "integrator": {"type": "newmark"},
        "gravity": [0, 0, -9.81],
        "time": {"end": END, "step": STEP, "stop": {"when": "at rest", "kinetic_energy": REST, "unbalanced_force": ROCKING,
                                                       "after": 0.4}},
        "materials": {"grain": {"density": DENSITY, "young": YOUNG, "poisson": POISSON}},
        "shapes": {"cylinder": {"type": "superquadric", "half_axes": list(HALF_AXES), "blockiness": list(BLOCKINESS)}},
        "bodies": [{"shape": "cylinder", "material": "grain", "count": COUNT, "seed": 1,
                    "region": {"min": [-SQUARE, -SQUARE, LOWEST], "max": [SQUARE, SQUARE, HIGHEST]}}],
        "boundaries": [{"name": "container", "type": "cylinder", "point": [0, 0, 0], "axis": [0, 0, 1],
                        "radius": RADIUS, "inside": True, "material": "grain"},
                       {"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1],
                        "material": "grain"}],
        "interfaces": [{"between": ["*", "*"], "normal": normal, "friction": friction}],
        "solver": {"newton": {"relative": 1e-4}},
        "output": {"histories": [{"file": "energy.csv", "every": 0.01,
                                  "columns": ["time", "step", "kinetic_energy", "contacts", "newton_iterations"]}],
                   "contacts": {"every": 10}, "final_state": "final.csv"},
    }


def surface(bed):
    """Heights of the bed's surface over places of a square grid, up to half a diameter of a cylinder from the wall [m]."""
    reach = RADIUS - HALF_AXES[0]
    number = int(reach / GRID)
    return [bed.height_at(i * GRID, j * GRID, DOWN) for i in range(-number, number + 1)
            for j in range(-number, number + 1) if math.hypot(i, j) * GRID <= reach]


def compare(case):
    run = case.run(deck(), "bed")
    bed = superquadric_bed.Bed(run.history("final.csv"), HALF_AXES, BLOCKINESS)
    heights = surface(bed)
    mean = sum(heights) / len(heights)
    contacts = run.last_contacts()
    case.true("at rest before the end", run.report["at_rest"], f"kinetic energy at most {REST:g} J by {END:g} s")
    case.true("cylinders inside of the container",
              all(math.hypot(x, y) < RADIUS and 0 < z for x, y, z in bed.centres), "none is lost")
    case.equal("height of the bed, mean of its surface [mm]", 1e3 * mean, 52.0, "the paper: 52.0 +- 3.0", absolute=3.0)
    case.tell("lowest and highest place of the surface, highest top [mm]",
              f"{1e3 * smallest(heights):.1f}, {1e3 * largest(heights):.1f}, {1e3 * largest(bed.tops()):.1f}")
    volume = superquadric_bed.volume(HALF_AXES, BLOCKINESS)
    packing = COUNT * volume / (math.pi * RADIUS ** 2 * mean)
    case.at_least("packing up to the mean height", packing, LOOSE, "a random bed of short cylinders")
    case.at_most("packing up to the mean height", packing, DENSE, "no more than shaken")
    case.tell("mean coordination", f"{superquadric_bed.coordination(contacts, ('container', 'floor'), COUNT):.2f}")
    case.tell("steps, rejected steps, time of rest [s], CPU time [s]",
              f"{run.report['steps']}, {run.report['cuts']}, {run.report['time']:.3f}, {run.core_seconds:.0f}")
