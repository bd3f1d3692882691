"""Cubes and octahedra heaped in a bin by rigid contact and by the barrier law."""
import math

import harness  # noqa: F401  # pylint: disable=unused-import
from judging import largest  # noqa: E402

EDGE, DENSITY, GRAVITY, COUNT, END = 0.1, 2000.0, 9.81, 24, 3.0
WIDTH = 0.37  # no multiple of the edge: cubes wedge in such a bin
HALF = EDGE / math.sqrt(2)  # of an octahedron's diagonal
SHAPES = {
    "cubes": ({"type": "box", "size": [EDGE] * 3}, EDGE**3),
    "octahedra": ({"type": "polyhedron",
                   "vertices": [[HALF, 0, 0], [-HALF, 0, 0], [0, HALF, 0], [0, -HALF, 0], [0, 0, HALF], [0, 0, -HALF]],
                   "faces": [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]},
                  math.sqrt(2) / 3 * EDGE**3),
}
LAWS = {
    "rigid": ("contact-dynamics", {"law": "rigid"}),
    "barrier": ("dynamic", {"law": "barrier", "threshold": 0.01 * EDGE, "stiffness": 1e9, "damping_ratio": 0.5}),
}


STEP = {"initial": 1e-4, "min": 1e-8, "max": 2e-3}


def deck_of(shape, law, step):
    analysis, normal = LAWS[law]
    return {
        "analysis": analysis, "gravity": [0, 0, -GRAVITY],
        "time": {"end": END, "step": step},
        "materials": {"rock": {"density": DENSITY}}, "shapes": {"grain": SHAPES[shape][0]},
        "bodies": [{"shape": "grain", "material": "rock", "count": COUNT, "seed": 2,
                    "region": {"min": [0, 0, 0.05], "max": [WIDTH, WIDTH, 1.2]}}],
        "boundaries": [
            {"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock"},
            {"name": "walls", "type": "box", "min": [0, 0, -0.1], "max": [WIDTH, WIDTH, 3], "open": ["+z", "-z"],
             "material": "rock"}],
        "interfaces": [{"between": ["*", "*"], "normal": normal}],
        "output": {"final_state": "final.csv", "histories": [{"file": "energy.csv", "every": 0},
                                                             {"file": "floor.csv", "boundary": "floor", "every": 0}]}}


def mean_over_time(rows):
    """Mean of values by the sizes of their steps. @param rows [(size, value)]."""
    return sum(h * value for h, value in rows) / sum(h for h, _ in rows)


def mean_floor_force(run):
    """Upwards, over the last fifth of the run; the steps count by their size."""
    table = run.history("floor.csv")
    rows = [(t - before, -f) for before, t, f in zip(table["time"], table["time"][1:], table["fz"][1:]) if before >= 0.8 * END]
    return mean_over_time(rows)


def mean_overlap(run):
    """Deepest overlap of each state [m], mean over time."""
    table = run.history("energy.csv")
    return mean_over_time([(h, largest((0.0, -gap))) for h, gap in zip(table["step"][1:], table["min_gap"][1:])])


def compare(case):
    for shape, (_, volume) in SHAPES.items():
        weight = COUNT * DENSITY * volume * GRAVITY
        height = {}
        for law in LAWS:
            run = case.run(deck_of(shape, law, STEP), f"{shape}_{law}")
            z = run.history("final.csv")["z"]
            height[law] = sum(z) / COUNT
            case.equal(f"{shape}, {law}: force on the floor in the last fifth, by the weight", mean_floor_force(run) / weight, 1,
                       "at rest all weight is on the floor", relative=0.02)
            case.tell(f"{shape}, {law}: height of the highest and mean of all [m]; kinetic energy at the end [J]; CPU time [s]",
                      f"{largest(z):.4f}, {height[law]:.4f}; {run.history('energy.csv')['kinetic_energy'][-1]:.2g}; "
                      f"{run.core_seconds:.1f}")
            if law != "rigid":
                continue
            figures = run.report["contact_dynamics"]
            case.at_most(f"{shape}: complementarity in every step", figures["worst_complementarity"], 1e-9, "solver tolerance")
            case.at_most(f"{shape}: deepest overlap at the end of a step, of an edge", -figures["deepest_overlap"] / EDGE, 1e-2,
                         "gaps are linear in a step")
            case.tell(f"{shape}: steps in which \"newton\" had to finish", f"{figures['steps_by_newton']} of {run.report['steps']}")
        case.at_most(f"{shape}: difference of the mean heights, of an edge", abs(height["rigid"] - height["barrier"]) / EDGE, 0.2,
                     "packings of some layers differ in a few places")
    depth = [mean_overlap(case.run(deck_of("cubes", "rigid", 2e-3 / k), f"cubes_rigid_{k}")) for k in (1, 2, 4)]
    case.tell("cubes: mean over time of the deepest overlap for h = 2, 1, 0.5 ms, of an edge",
              ", ".join(f"{d / EDGE:.2g}" for d in depth))
    case.at_least("cubes: by what it falls over two halvings of the step", depth[0] / depth[2], 4,
                  "first order where features change, second elsewhere")
