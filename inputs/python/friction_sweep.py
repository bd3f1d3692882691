"""One box of blocks, filled once; then the same fall on with three coefficients of friction.

    ./scree python inputs/python/friction_sweep.py [--short]

The pile that has come about with 0.3 stands with 0.6 too, and slides down with 0.1. Contact memory is part of a saved state, so that
friction goes on from where it was. Writes friction_sweep.csv, and friction_sweep.png where matplotlib is installed.
"""
import pathlib
import sys

import scree

DECK = pathlib.Path(__file__).resolve().parent.parent / "box_of_blocks.json"
SHORT = "--short" in sys.argv
FILLED, END, EVERY = (0.2, 0.24, 0.01) if SHORT else (0.6, 1.6, 0.02)


def deck(friction):
    made = scree.read_deck(DECK)
    made["time"]["end"] = END
    for interface in made["interfaces"]:
        interface["friction"].update({"static": friction, "dynamic": friction})
    return made


with scree.Simulation(deck(0.3)) as sim:
    sim.run(until=FILLED)
    filled = sim.save()

rows = []
for mu in (0.1, 0.3, 0.6):
    # Friction is no part of the state: a simulation of the same bodies with another law takes it.
    with scree.Simulation(deck(mu)) as sim:
        sim.restore(filled)
        while not sim.finished:
            sim.run(until=sim.time + EVERY)
            rows.append((mu, sim.time, sim.energy["kinetic"], sim.energy["friction_loss"], len(sim.contacts)))
        print(f"mu = {mu}: kinetic energy {sim.energy['kinetic']:.4g} J at t = {sim.time:g} s, "
              f"friction has taken {sim.energy['friction_loss']:.4g} J")

with open("friction_sweep.csv", "w", encoding="utf-8") as file:
    file.write("friction,time,kinetic_energy,friction_loss,contacts\n")
    file.writelines(",".join(repr(value) for value in row) + "\n" for row in rows)
try:
    import matplotlib
except ImportError:
    sys.exit(0)
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

for mu in sorted({row[0] for row in rows}):
    pyplot.semilogy([row[1] for row in rows if row[0] == mu], [row[2] for row in rows if row[0] == mu], label=f"μ = {mu}")
pyplot.xlabel("time [s]")
pyplot.ylabel("kinetic energy [J]")
pyplot.legend()
pyplot.savefig("friction_sweep.png", dpi=150)
