"""1000 superquadrics of three blockinesses settle in a periodic column, against LIGGGHTS."""
import csv

import superquadric_bed
from harness import CASES, read_table
from liggghts_law import hertz_tangential_history
from judging import largest

FOLDER = CASES / "superquadric_settling"
COUNT, HALF_AXES, DENSITY, GRAVITY = 1000, (0.003, 0.003, 0.004), 2500.0, 9.81
WIDTH, CEILING = 0.1, 0.25  # of the periodic column, and its height [m]
YOUNG, POISSON, RESTITUTION, FRICTION = 1e7, 0.3, 0.5, 0.3
END, REST = 0.8, 1e-5  # s; kinetic energy of a body, part of what lifts it by its length: as YADE's script (bench/yade_cubes.py)
ROCKING = 1.0  # unbalanced force of a body at rest, part of its weight: LIGGGHTS's last ones still rock at 0.8 s
STEP = {"initial": 1e-4, "min": 1e-8, "max": 1e-3, "resolution": 4}  # five steps in an impact
BLOCKINESS = (2, 4, 8)
SHARP = 1000  # face_radius: LIGGGHTS rounds no faces, and the default of 30 takes 1.8 % off corners of blockiness 8
SHIFTS = ((0, 0), (0.03, 0.05), (0.07, 0.02))  # of the start in x and y, which are periodic [m]: the same bed, but for chaos
LOWEST, PART = 0.01, 0.7  # the slab reaches from here to this part of the top [m, -]
SAMPLES = 160000  # settle.py has 40000; the noise is then 0.17 % of the packing
WALLS = ("floor", "ceiling")


def shifted(path, by):
    """Writes the start moved within the periodic cell. @returns path."""
    start = read_table(FOLDER / "start.csv")
    for axis, way in zip("xy", by):
        start[axis] = [(place + way) % WIDTH for place in start[axis]]
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(start)
        writer.writerows(zip(*start.values()))
    return path


def rest(blockiness):
    """Kinetic energy of all bodies at rest [J]."""
    mass = DENSITY * superquadric_bed.volume(HALF_AXES, (blockiness, blockiness))
    return REST * COUNT * mass * GRAVITY * 2 * largest(HALF_AXES)


def deck_of(blockiness, step, start, young=YOUNG):
    normal, friction = hertz_tangential_history(RESTITUTION, FRICTION, smooth=True)
    return {
        "title": f"1000 superquadrics settle, blockiness {blockiness}",
        "gravity": [0, 0, -GRAVITY],
        "time": {"end": END, "step": step, "stop": {"when": "at rest", "kinetic_energy": rest(blockiness),
                                                       "unbalanced_force": ROCKING, "after": 0.2}},
        "integrator": {"type": "newmark"},
        "materials": {"grain": {"density": DENSITY, "young": young, "poisson": POISSON}},
        "shapes": {"grain": {"type": "superquadric", "half_axes": list(HALF_AXES),
                             "blockiness": [blockiness, blockiness], "face_radius": SHARP}},
        "bodies": [{"shape": "grain", "material": "grain", "file": str(start)}],
        "boundaries": [{"name": name, "type": "plane", "point": [0, 0, z], "normal": [0, 0, up], "material": "grain"}
                       for name, z, up in zip(WALLS, (0, CEILING), (1, -1))],
        "periodic": {"x": [0, WIDTH], "y": [0, WIDTH]},
        "interfaces": [{"between": ["*", "*"], "normal": normal, "friction": friction}],
        "solver": {"newton": {"relative": 1e-3}},
        "output": {"histories": [{"file": "energy.csv", "every": 0.01,
                                  "columns": ["time", "step", "translational_energy", "rotational_energy", "contacts",
                                              "newton_iterations", "max_velocity", "min_gap", "closure_error"]}],
                   "contacts": {"every": 10}, "final_state": "final.csv"},
    }


def measured(case, what, blockiness, run):
    """Reports one run. @returns (top [m], packing of the slab, coordination)."""
    bed = superquadric_bed.Bed(run.history("final.csv"), HALF_AXES, (blockiness, blockiness))
    contacts = run.last_contacts()
    tops = sorted(bed.tops())
    packing = bed.slab_packing(WIDTH, LOWEST, PART * tops[-1], SAMPLES)
    coordination = superquadric_bed.coordination(contacts, WALLS, COUNT)
    case.tell(what + "top [m], packing, coordination, mean height [m]",
              f"{tops[-1]:.5f}, {packing:.4f}, {coordination:.3f}, {bed.mean_height():.5f}")
    case.tell(what + "tops of the five highest [mm]", " ".join(f"{1e3 * top:.1f}" for top in tops[-5:]))
    steps, energy = run.report["steps"], run.history("energy.csv")
    case.tell(what + "steps, rejected steps, Newton iterations per step, at rest, at [s]",
              f"{steps}, {run.report['cuts']}, {run.report['newton_iterations'] / steps:.2f}, {run.report['at_rest']}, "
              f"{run.report['time']:.3f}")
    pairs = sum(n * h for n, h in zip(energy["contacts"], energy["step"])) / sum(energy["step"])
    case.tell(what + "CPU time [s], us per step and contact",
              f"{run.core_seconds:.0f}, {1e6 * run.core_seconds / steps / pairs:.1f}")
    overlaps = [-1e6 * gap for gap, fn in zip(contacts["gap"], contacts["fn"]) if fn != 0]
    case.tell(what + "overlap, mean and largest [um]", f"{sum(overlaps) / len(overlaps):.2f}, {largest(overlaps):.1f}")
    return tops[-1], packing, coordination


def judge(case, blockiness, figures, rested, expected):
    """Means over the runs of one blockiness. expected: value of a column of settle_summary.csv."""
    what = f"blockiness {blockiness}: "
    top, packing, coordination = (sum(column) / len(column) for column in zip(*figures))
    case.true(what + "all runs at rest before the end", rested, f"kinetic energy at most {rest(blockiness):.1e} J by {END:g} s")
    case.equal(what + "height of the top [m]", top, expected("top_surface_m"), "required: 3 %", relative=0.03)
    case.equal(what + f"packing from {LOWEST:g} m to {PART:g} of the top", packing,
               expected("slab_packing_fraction_0.01m_to_0.7top"), "required: 3 %", relative=0.03)
    case.equal(what + "mean coordination", coordination, expected("mean_coordination_particle_particle"), "required: 5 %",
               relative=0.05)
    case.tell(what + "LIGGGHTS: mean height [m], CPU time to 0.8 s [s], overlap without walls, mean and largest [um]",
              f"{expected('mean_centre_height_m'):.5f}, {expected('cpu_total_s'):.0f}, {expected('mean_overlap_um'):.2f}, "
              f"{expected('max_overlap_um'):.1f}")


def compare(case):
    summary = read_table(FOLDER / "settle_summary.csv")
    series = []
    for row, blockiness in enumerate(BLOCKINESS):
        runs = []
        for k, shift in enumerate(SHIFTS):
            start = shifted(case.work / f"start_{k}.csv", shift)
            runs.append(case.run(deck_of(blockiness, STEP, start), f"blockiness_{blockiness}_{k}"))
        figures = [measured(case, f"blockiness {blockiness}, start {k}: ", blockiness, run) for k, run in enumerate(runs)]
        judge(case, blockiness, figures, all(run.report["at_rest"] for run in runs),
              lambda column, row=row: summary[column][row])
        energy = runs[0].history("energy.csv")
        series.append((f"blockiness {blockiness}", energy["time"][1:], energy["translational_energy"][1:], "curve"))
    case.plot("Translational energy", "time [s]", "energy [J]", series, log="y")
