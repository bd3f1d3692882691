#!/usr/bin/env python3
"""Writes a deck of [Poly, section 3.6]: a box of tetrapods is packed and collapses.

usage: inputs/paper/example_6.py [COUNT [FOLDER]]     (125 tetrapods, example_6; the paper has 1005)

    ./scree run example_6/example_6.json

Five steps: tetrapods of random orientation fall into a box; its walls move inwards, to a square of 7.0 m for 1005 bodies (for other numbers
all lengths scale with the cube root); friction off; friction on; the walls are removed, and the heap collapses. The paper gives neither the
first box nor the times but that of the collapse, 7.0 s. Chosen here: a box 8 % wider than the last, and times that let the pile come to
static equilibrium before each next step and at the end, 10 s after the walls are removed. Law and mass are those of example 4.
"""
import json
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
PACKED, IN, OFF, ON, AWAY, END = 4.0, 5.5, 7.0, 8.5, 8.5, 18.5  # times [s]: what begins at PACKED ends at IN, ...
LENGTH = 7.0 / 1005 ** (1 / 3)  # side of the packed box over the cube root of the number of bodies [m]
WIDER, HIGHER = 1.083, 4.5  # first box: its side over that of the packed one, its height over that


def deck(count):
    """(deck, tables of the walls by file name) for so many tetrapods."""
    side = LENGTH * count ** (1 / 3)
    start, height = WIDER * side, HIGHER * side
    way = 0.5 * (start - side)
    walls, tables = [], {}
    for name, axis, sense in (("west", 0, 1), ("east", 0, -1), ("south", 1, 1), ("north", 1, -1)):
        point, normal, moved = [0.0] * 3, [0] * 3, [0.0] * 3
        point[axis], normal[axis], moved[axis] = -sense * start / 2, sense, sense * way
        tables[name + ".csv"] = "time,x,y,z\n0,0,0,0\n" + "".join(
            f"{t},{x},{y},{z}\n" for t, (x, y, z) in ((PACKED, (0, 0, 0)), (IN, moved)))
        walls.append({"name": name, "type": "plane", "point": point, "normal": normal, "material": "concrete",
                      "active": [0, AWAY], "motion": {"table": name + ".csv"}})
    friction = {"static": 0.5, "dynamic": 0.5, "stiffness": 1e5, "damping": 2000, "active": [[0, IN], [OFF, END]]}
    return {
        "title": f"Example 6: box of {count} tetrapods, then without walls",
        "gravity": [0, 0, -9.81],
        "time": {"end": END, "step": {"initial": 1e-3, "min": 1e-9, "max": 1e-2}},
        "integrator": {"type": "newmark"},
        "materials": {"concrete": {"density": 2400}},
        "shapes": {"tetrapod": {"type": "polyhedron", "file": "tetrapod.stl"}},
        "bodies": [{"shape": "tetrapod", "material": "concrete", "mass": 156.594, "count": count, "seed": 1,
                    "region": {"min": [-start / 2, -start / 2, 0], "max": [start / 2, start / 2, height]}}],
        "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1],
                        "material": "concrete"}, *walls],
        "interfaces": [{"between": ["*", "*"],
                        "normal": {"law": "barrier", "threshold": 0.01, "stiffness": 1e5, "exponent": 1,
                                   "barrier_fraction": 0.4, "barrier_exponent": -2, "damping_ratio": 0.9},
                        "friction": friction}],
        "output": {"vtk": {"every": 0.1},
                   "histories": [{"file": "system.csv", "every": 0}, {"file": "floor.csv", "boundary": "floor", "every": 0.01}],
                   "final_state": "final_state.csv"}}, tables


def write(count, folder):
    """The deck and the files that it names, in `folder`. Returns the deck."""
    made, tables = deck(count)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in tables.items():
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copy(HERE / "tetrapod.stl", folder)
    (folder / "example_6.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    return made


if __name__ == "__main__":
    write(int(sys.argv[1]) if len(sys.argv) > 1 else 125, pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "example_6"))
