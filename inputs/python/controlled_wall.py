"""A controller: a wall that keeps a force on a layer of balls.

    ./scree python inputs/python/controlled_wall.py [--short]

The wall follows a table of displacements. Every 2 ms the controller measures the force on the wall and appends a time point: the velocity
of the wall is proportional to the missing force. Each interval is a simulation of its own, which takes the state of the one before; the
table up to that time is the same in both. The force is first 40 N, then 80 N. Writes controlled_wall.csv, and controlled_wall.png where
matplotlib is installed.
"""
import csv
import pathlib
import sys
import tempfile

import scree

SHORT = "--short" in sys.argv
EVERY = 2e-3  # s, of the controller
GAIN = 1e-3  # m/s per N; with 2e-3 the dashpots of the contacts, which answer the velocity of the wall, make it oscillate
FASTEST = 0.2  # m/s
CHANGE, END = (0.3, 0.6) if SHORT else (0.4, 1.0)
SIDE = 4  # balls along each side of the layer
RADIUS = 0.05


def target(time):
    return 40.0 if time < CHANGE else 80.0


def deck(table):
    width = 2 * RADIUS * SIDE
    places = [[RADIUS * (2 * i + 1), RADIUS * (2 * j + 1), RADIUS] for i in range(SIDE) for j in range(SIDE)]
    return {
        "gravity": [0, 0, -9.81],
        "time": {"end": END, "step": {"initial": 1e-4, "min": 1e-9, "max": EVERY}},
        "materials": {"rubber": {"density": 1000, "young": 1e6, "poisson": 0.3}},
        "shapes": {"ball": {"type": "sphere", "radius": 0.99 * RADIUS}},
        "bodies": [{"shape": "ball", "material": "rubber", "position": place} for place in places],
        "boundaries": [
            {"name": "box", "type": "box", "min": [0, 0, 0], "max": [width, width, 1], "open": ["+z"], "material": "rubber"},
            {"name": "wall", "type": "plane", "point": [0, 0, 2.05 * RADIUS], "normal": [0, 0, -1], "material": "rubber",
             "motion": {"table": str(table)}}],
        "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz", "restitution": 0.3}}],
        "output": {"directory": "results/controlled_wall"},
    }


def write_table(path, points):
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["time", "x", "y", "z"])
        rows.writerows([repr(time), 0, 0, repr(z)] for time, z in points)


points = [(0.0, 0.0)]  # time [s], displacement of the wall [m]
rows = []
state, force = None, 0.0
with tempfile.TemporaryDirectory() as folder:
    table = pathlib.Path(folder) / "wall.csv"
    while points[-1][0] < END - 1e-9:
        time, z = points[-1]
        velocity = max(-FASTEST, min(FASTEST, -GAIN * (target(time) - force)))  # down is negative
        points.append((time + EVERY, z + velocity * EVERY))
        write_table(table, points)
        with scree.Simulation(deck(table)) as sim:
            if state is not None:
                sim.restore(state)
            sim.run(until=points[-1][0])
            state = sim.save()
            force = float(sim.boundaries.force[sim.boundaries.name.index("wall"), 2])
        rows.append((points[-1][0], target(time), force, points[-1][1]))

for time, wanted, force, z in rows:
    if abs(time - CHANGE) < 1e-9 or time > END - EVERY / 2:
        print(f"t = {time:.3f} s: {force:.3f} N of {wanted:.0f} N, wall at {1000 * z:.3f} mm")
        if abs(force - wanted) > 0.02 * wanted:
            sys.exit("controlled_wall.py: the wall does not keep its force")

with open("controlled_wall.csv", "w", encoding="utf-8") as file:
    file.write("time,target,force,displacement\n")
    file.writelines(",".join(repr(value) for value in row) + "\n" for row in rows)
try:
    import matplotlib
except ImportError:
    sys.exit(0)
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

pyplot.plot([row[0] for row in rows], [row[1] for row in rows], "--", label="target")
pyplot.plot([row[0] for row in rows], [row[2] for row in rows], label="force on the wall")
pyplot.xlabel("time [s]")
pyplot.ylabel("force [N]")
pyplot.legend()
pyplot.savefig("controlled_wall.png", dpi=150)
