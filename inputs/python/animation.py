"""Pictures of a run, frame by frame, as it goes on.

    ./scree python inputs/python/animation.py [--short]

Writes frames/0000.png, ... where matplotlib is installed (else frames/0000.csv, ...): centres of the bodies from the side,
coloured by speed. ffmpeg -i frames/%04d.png animation.mp4 makes a film of them; io/post/render.py draws surfaces of what the program writes.
"""
import pathlib
import sys

import numpy
import scree

DECK = pathlib.Path(__file__).resolve().parent.parent / "box_of_blocks.json"
END, EVERY = (0.06, 0.02) if "--short" in sys.argv else (1.5, 0.02)
try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    pyplot = None


def draw(sim, stem):
    position = sim.bodies.position
    speed = numpy.linalg.norm(sim.bodies.velocity, axis=1)
    if pyplot is None:
        numpy.savetxt(stem.with_suffix(".csv"), numpy.column_stack([position, speed]), delimiter=",", header="x,y,z,speed", comments="")
        return
    figure, axes = pyplot.subplots()
    points = axes.scatter(position[:, 0], position[:, 2], c=speed, vmin=0, vmax=3)
    figure.colorbar(points, label="speed [m/s]")
    axes.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", title=f"t = {sim.time:.2f} s", xlim=LIMITS[0], ylim=LIMITS[1])
    figure.savefig(stem.with_suffix(".png"), dpi=100)
    pyplot.close(figure)


folder = pathlib.Path("frames")
folder.mkdir(exist_ok=True)
with scree.Simulation(DECK) as sim:
    start = sim.bodies.position
    LIMITS = [(start[:, 0].min() - 0.1, start[:, 0].max() + 0.1), (0, start[:, 2].max() + 0.1)]
    number = 0
    while sim.time < END and not sim.finished:
        draw(sim, folder / f"{number:04d}")
        sim.run(until=sim.time + EVERY)
        number += 1
print(f"{number} frames in {folder}/")
