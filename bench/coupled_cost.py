#!/usr/bin/env python3
"""What repetitions of a coupled step cost: to keep the accepted state and to go back to it, beside the solutions of the step.

Columns of blocks stand on a plate whose vertices move. Each coupled step is solved three times, with one state that is kept and two ways
back to it (docs/howto/coupling.md). Also measured: `Simulation::save`, and what a triangle of a coupled surface costs. The Python module
of the build folder is used. All times are CPU time of one process."""
import argparse
import os
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402
from common import DENSITY, EDGE, GRAVITY, harness  # noqa: E402
from judging import largest, smallest  # noqa: E402

PYTHON = pathlib.Path("/usr/bin/python3")  # for which the module is built, see io/python/CMakeLists.txt
STEP = 2e-4  # s
SIDE, HEIGHT = EDGE + 3e-3, EDGE + 0.93e-3  # between centres [m]: side by side without contact; below, a gap that bears 1 to 20 blocks
CELLS = 24  # of the plate along an edge: 1152 triangles
AIM = 0.1
STILL = 1e-5  # m, largest displacement of the plate in a step: blocks stay in contact


def sheet(numpy, cells, width):
    """Vertices and triangles of a square in z = 0."""
    x = numpy.linspace(-width / 2, width / 2, cells + 1)
    vertices = numpy.array([[a, b, 0.0] for b in x for a in x])
    first = [(cells + 1) * j + i for j in range(cells) for i in range(cells)]
    return vertices, numpy.array([t for k in first for t in ((k, k + 1, k + cells + 2), (k, k + cells + 2, k + cells + 1))])


def deck_of(bodies, plate):
    """Blocks, a coupled plate, and the law of theory 09 with friction. Blocks are solved to 1e-6 of their weight."""
    return {"title": "cost of repeated steps", "gravity": [0, 0, -GRAVITY], "time": {"end": 1, "step": STEP},
            "solver": {"newton": {"relative": 1e-6}}, "materials": {"block": {"density": DENSITY}},
            "shapes": {"block": {"type": "box", "size": [EDGE] * 3}}, "bodies": bodies,
            "boundaries": [{"name": "plate", "type": "surface", "material": "block", "motion": "coupled",
                            "vertices": plate[0], "faces": plate[1]}],
            "interfaces": [{"between": ["*", "*"], "friction": {"static": 0.4, "dynamic": 0.3, "stiffness": 3e5},
                            "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e13, "exponent": 3,
                                       "damping_ratio": 0.3}}]}


def columns(per, layers):
    """per x per columns of blocks, slightly shifted, turned and in motion."""
    draw = random.Random(1)
    bodies = []
    for k in range(per * per * layers):
        place = [(k % per - per / 2 + 0.5) * SIDE, (k // per % per - per / 2 + 0.5) * SIDE, (k // per ** 2 + 1) * HEIGHT - EDGE / 2]
        bodies.append({"shape": "block", "material": "block", "position": [x + 1e-5 * draw.uniform(-1, 1) for x in place],
                       "orientation": {"rodrigues": [1e-4 * draw.uniform(-1, 1) for _ in range(3)]},
                       "velocity": [5e-3 * draw.uniform(-1, 1) for _ in range(3)]})
    return bodies


def timed(work, *arguments):
    """@returns CPU seconds, and what `work` returns."""
    start = time.process_time()
    result = work(*arguments)
    return time.process_time() - start, result


def solve(side, plate, u):
    side.set_motion(plate, u)
    seconds, report = timed(side.solve_step, STEP)
    if not report.converged:
        raise harness.CaseError(f"a step at {side.time:g} s was not solved: {report.message}")
    return seconds, report


def repeated_steps(scree, numpy, deck, warm_up, steps):
    """Coupled steps of three solutions each. @returns the first time that a state was kept [s], bytes of a kept state, and of each measured
    step: keep [s], two ways back [s], solutions [s], Newton iterations and time steps of each."""
    side = scree.Participant(deck)
    plate = side.add_surface("plate")
    side.initialize()
    x = side.reference(plate)
    sag = numpy.zeros_like(x)
    sag[:, 2] = -STILL * (1 - (x[:, 0] / x[:, 0].max()) ** 2) * (1 - (x[:, 1] / x[:, 1].max()) ** 2)
    kept, first, measured = None, None, []
    for step in range(warm_up + steps):
        kept = None  # its memory is used again
        keep, kept = timed(side.save)
        first = keep if first is None else first
        back, solutions, newton = [], [], []
        for part in (1.1, 1.01, 1.0):  # iterates that converge
            if solutions:
                back.append(timed(side.restore, kept)[0])
            seconds, report = solve(side, plate, (step + part) * sag)
            solutions.append(seconds)
            newton.append((report.newton, report.substeps))
        side.accept()
        if step >= warm_up:
            measured.append((keep, back, solutions, newton))
    return first, kept.size, measured


def resident():
    """Memory of this process [bytes]."""
    pages = int(pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def cost_of_triangles(scree, numpy, cells):
    """32 blocks on a large plate, whose triangles are as wide as a block, so that few are near one. @returns triangles, CPU seconds of a
    time step and bytes, per triangle."""
    vertices, triangles = sheet(numpy, cells, cells * EDGE)
    deck = deck_of(columns(4, 2), sheet(numpy, 1, 1.0))
    before = resident()
    side = scree.Participant(deck)
    plate = side.add_surface("plate", vertices, triangles)
    side.initialize()
    u = numpy.zeros_like(vertices)
    seconds, steps = 0.0, 0
    for step in range(4):
        u[:, 2] = -STILL * (step + 1)
        taken, report = solve(side, plate, u)
        side.accept()
        if step > 0:
            seconds, steps = seconds + taken, steps + report.substeps
    return len(triangles), seconds / steps / len(triangles), (resident() - before) / len(triangles)


def main(ratios):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(parser, "coupled_cost")
    parser.add_argument("--blocks", type=int, nargs=2, default=[22, 21], metavar=("SIDE", "LAYERS"), help="SIDE x SIDE x LAYERS of them")
    parser.add_argument("--cells", type=int, default=224, help="of the large plate, along an edge")
    parser.add_argument("--warm-up", type=int, default=2, help="coupled steps before those that are measured")
    parser.add_argument("--steps", type=int, default=3, help="coupled steps that are measured")
    arguments = common.parse(parser, "coupled_cost")
    os.environ.update(harness.ENVIRONMENT, OMPI_MCA_ess_singleton_isolated="1")
    sys.path.insert(0, str(arguments.build.resolve() / "python"))
    try:
        import numpy  # pylint: disable=import-outside-toplevel
        import scree  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        ratios.skip(f"the Python module cannot be used: {error}")
        return
    each, per_triangle, bytes_each = cost_of_triangles(scree, numpy, arguments.cells)  # first: memory that others freed would be used again
    per, layers = arguments.blocks
    deck = deck_of(columns(per, layers), sheet(numpy, CELLS, (per + 1) * SIDE))
    first, size, measured = repeated_steps(scree, numpy, deck, arguments.warm_up, arguments.steps)
    simulation = scree.Simulation(deck)
    simulation.step()
    save, snapshot = timed(simulation.save)
    print(f"\n{per * per * layers} blocks on a plate of {2 * CELLS ** 2} triangles, one rank, CPU time [s]:")
    shares = [(keep + sum(back)) / sum(solutions) for keep, back, solutions, _ in measured]
    common.table(["coupled step", "keep the state", "go back to it", "solutions", "Newton iterations (time steps)", "share"],
                 [[k + 1, f"{keep:.3f}", " ".join(f"{x:.3f}" for x in back), " ".join(f"{x:.2f}" for x in solutions),
                   " ".join(f"{iterations} ({parts})" for iterations, parts in newton), f"{share:.3f}"]
                  for k, ((keep, back, solutions, newton), share) in enumerate(zip(measured, shares))])
    each_part = [x / parts for _, _, solutions, newton in measured for x, (_, parts) in zip(solutions, newton)]
    print(f"time step: {smallest(each_part):.2f} to {largest(each_part):.2f} s")
    print(f"keep the state for the first time: {first:.3g} s; memory {size / 1e6:.0f} MB\n"
          f"Simulation::save: {save:.3g} s, {snapshot.size / 1e6:.0f} MB\n"
          f"plate of {each} triangles, 32 blocks: {1e6 * per_triangle:.2g} us per triangle and time step, "
          f"{bytes_each / 1e3:.2g} kB per triangle\n", flush=True)
    ratios.at_most("one state kept and two ways back over three solutions of a step, largest of the steps", largest(shares), AIM,
                   "coupling adds less than a tenth of the solvers' time")


if __name__ == "__main__":
    if PYTHON.exists() and pathlib.Path(sys.executable).resolve() != PYTHON.resolve():
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    sys.exit(common.main_of("coupled_cost", __doc__, main))
