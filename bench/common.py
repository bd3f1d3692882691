"""Where the benchmarks find the verification harness, the deck that both start from, and how ratios are judged."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "verification"))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import judging  # noqa: E402

EDGE, DENSITY, GRAVITY = 0.1, 2000.0, 9.81
MASS = DENSITY * EDGE ** 3


def add_options(parser, work):
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="the build folder")
    parser.add_argument("--binary", help="the program (default: of the build folder)")
    parser.add_argument("--work", type=pathlib.Path, help=f"folder of the runs (default: bench/{work} of the build folder)")
    parser.add_argument("--record", type=pathlib.Path, help="the ratios as a record, for verification/run_case.py")
    parser.add_argument("--petsc", default="", help="PETSc options, in quotes")


def parse(parser, work):
    """@returns the arguments, with the defaults that follow from --build."""
    arguments = parser.parse_args()
    arguments.binary = arguments.binary or arguments.build / "scree"
    arguments.work = (arguments.work or arguments.build / "bench" / f"{work}_work").resolve()
    arguments.work.mkdir(parents=True, exist_ok=True)
    return arguments


def main_of(name, about, measure):
    """Runs a benchmark: measure(ratios) judges ratios as a case judges rows.
    @returns the exit status: 0 if all aims are met, 1 if one is not or a run failed, 2 if nothing could be run."""
    ratios = judging.Comparisons(f"bench.{name}", f"# Benchmark {name}\n\n{about}\n")
    ratios.is_slow = True
    start, record = time.monotonic(), None
    for k, word in enumerate(sys.argv):
        if word == "--record":
            record = pathlib.Path(sys.argv[k + 1])
    try:
        measure(ratios)
    except harness.CaseError as error:
        ratios.fail("the run", str(error))
    ratios.seconds = time.monotonic() - start
    if record:
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(json.dumps(ratios.record()), encoding="utf-8")
    if ratios.skipped:
        return 2
    return 0 if all(row[3] for row in ratios.rows) else 1


def core_seconds(command, folder, out=subprocess.DEVNULL, **environment):
    """Runs a peer's command in `folder`, what it prints going to `out`. @returns user and system time of it [s]; raises
    CalledProcessError if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                   env={**os.environ, **environment})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def deck_of(csv_file, plan, height, end):
    """Cubes of a state file in a box of plan x plan with open top; law, friction and steps of theory 09."""
    deck = harness.read_deck(ROOT / "inputs/paper/example_5.json")
    deck["title"] = f"benchmark, {csv_file}"
    deck["bodies"] = [{"shape": "cube", "material": "block", "file": csv_file}]
    deck["boundaries"] = [{"name": "box", "type": "box", "min": [0, 0, 0], "max": [plan, plan, height],
                           "open": ["+z"], "material": "block"}]
    deck["time"]["end"] = end
    deck["solver"] = {"newton": {"relative": 1e-4}}  # theory 09 section 5: 1e-4 of the weight
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
