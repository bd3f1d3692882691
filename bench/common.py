"""Where the benchmarks find the verification harness, and the deck that both start from."""
import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "verification"))
sys.dont_write_bytecode = True
import harness  # noqa: E402

EDGE, DENSITY, GRAVITY = 0.1, 2000.0, 9.81
MASS = DENSITY * EDGE ** 3


def add_options(parser, work):
    parser.add_argument("--binary", default=ROOT / "build" / "scree")
    parser.add_argument("--work", default=ROOT / "build" / "bench" / work)
    parser.add_argument("--petsc", default="", help="PETSc options, in quotes")


def core_seconds(command, folder, out=subprocess.DEVNULL, **environment):
    """Runs a peer's command in `folder`, what it prints going to `out`. @returns user and system time of it [s]; raises
    CalledProcessError if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                   env={**os.environ, **environment})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def deck_of(csv_file, plan, height, end):
    """Cubes of a state file in a box of plan x plan with open top; law, friction and steps of theory page 09."""
    deck = harness.read_deck(ROOT / "inputs/paper/example_5.json")
    deck["title"] = f"benchmark, {csv_file}"
    deck["bodies"] = [{"shape": "cube", "material": "block", "file": csv_file}]
    deck["boundaries"] = [{"name": "box", "type": "box", "min": [0, 0, 0], "max": [plan, plan, height],
                           "open": ["+z"], "material": "block"}]
    deck["time"]["end"] = end
    deck["solver"] = {"newton": {"relative": 1e-4}}  # theory 09, section 5: 1e-4 of the weight
    deck["output"] = {"histories": [{"file": "energy.csv", "every": 0.001,
                                     "columns": ["time", "step", "kinetic_energy", "contacts", "newton_iterations"]}]}
    return deck


def write_state(path, rows):
    """Rows of (x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz) as the deck reads them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"]
    lines += [",".join(repr(float(v)) for v in row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def table(head, rows):
    """Prints columns, aligned."""
    cells = [head] + [[str(c) for c in row] for row in rows]
    widths = [max(len(row[k]) for row in cells) for k in range(len(head))]
    for row in cells:
        print("  ".join(c.rjust(w) if k else c.ljust(w) for k, (c, w) in enumerate(zip(row, widths))), flush=True)
