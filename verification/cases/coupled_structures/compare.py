"""Figures of the coupled programs, against beam and plate theory, and against each other."""
import json
import os
import subprocess

import harness

PROGRAMS = ("beam", "plate", "rockfall")
FINER = {"half the step": ["--step", "2.5e-7"], "finer elements": ["--element", "0.003"], "a larger plate": ["--size", "0.4"],
         "two elements through the thickness": ["--through", "2"], "a smaller radius of means": ["--spread", "0.006"]}

COST = 0.1  # of the time of both solvers


def run(case, program, name, options=(), ranks=1):
    """Figures of a program by their quantity."""
    folder = case.work / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "measured.json").unlink(missing_ok=True)
    command = [str(program), *options, "--results", str(folder)]
    if ranks > 1:
        command = ["mpirun", "-n", str(ranks), *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, **harness.ENVIRONMENT})
    if not (folder / "measured.json").exists():
        raise harness.CaseError(f"{name}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return {row["quantity"]: row for row in json.loads((folder / "measured.json").read_text(encoding="utf-8"))}


def judge(case, figures, why):
    """Rows with an expected value are judged, and what the coupling costs; the others are reported."""
    for quantity, row in figures.items():
        if "expected" in row:
            case.equal(quantity, row["measured"], row["expected"], why, absolute=row["tolerance"])
        elif "time of coupling" in quantity:
            case.at_most(quantity, row["measured"], COST, "what the coupling adds")
        else:
            case.tell(quantity, f"{row['measured']:.4g}")


def compare(case):
    folder = case.binary.parent
    if not (folder / "inputs/coupling/cmake_install.cmake").exists():
        case.skip("no build folder with coupled programs")
        return
    built = subprocess.run(["cmake", "--build", str(folder), "--target", *(f"couple_{name}" for name in PROGRAMS)],
                           capture_output=True, text=True, check=False)
    if built.returncode != 0:
        if "unknown target" in built.stdout + built.stderr:
            case.skip("deal.II is not installed (libdeal.ii-dev)")
            return
        raise harness.CaseError(f"the coupled programs cannot be built:\n{built.stdout[-3000:]}")
    beam, plate, rockfall = (folder / f"inputs/coupling/couple_{name}" for name in PROGRAMS)

    first = run(case, beam, "beam")
    judge(case, first, "Timoshenko's beam")
    second = run(case, beam, "beam_2_ranks", ranks=2)
    for quantity, row in first.items():
        if "expected" in row:
            case.equal(f"2 ranks: {quantity}", second[quantity]["measured"], row["measured"], "tolerance of the coupling",
                       relative=1e-5)
    twice = run(case, beam, "beam_without_means", ["--spread", "0", "--across", "4"])
    force = "strike: largest force [N]"
    case.at_most("without means: largest force [N]", twice[force]["measured"], 0.98 * first[force]["expected"],
                 "indentation is counted twice")

    coarse = run(case, plate, "plate")
    judge(case, coarse, "Zener")
    for name, options in FINER.items():
        fine = run(case, plate, "plate_" + name.replace(" ", "_"), options)
        for quantity, row in coarse.items():
            if "restitution" in quantity or "largest force" in quantity:
                case.equal(f"{name}: {quantity}", fine[quantity]["measured"], row["measured"], "resolved", relative=0.01)
    judge(case, run(case, rockfall, "rockfall"), "balance of both sides")
