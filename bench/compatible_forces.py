#!/usr/bin/env python3
"""Compatible forces of the square pyramid: accuracy against the reference, time over the base, and beside the time of the
linear complementarity problem by bncg.

The reference folder (--reference) has contacts_n20.csv with eight digits. --exact runs its solve.py at the
exact geometry as well (numpy and scipy). Times are of the processor, one core.
"""
import argparse
import csv
import importlib.util
import json
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402
from common import harness  # noqa: E402
from judging import smallest  # noqa: E402

ACCURACY, LCP_PART, BASE, REPEAT = 1e-7, 0.3, 20, 3
CASES = ("hooke", "hertz", "two_species")


def run(binary, base, case, file, *more):
    line = subprocess.run([binary, str(base), case, str(file), *more], capture_output=True, text=True).stdout.strip()
    words = line.split()
    figures = {words[k]: float(words[k + 1]) for k in range(0, 18, 2) if k + 1 < len(words)}
    with open(file, encoding="utf-8") as rows:
        forces = {(int(row["i"]), int(row["j"])): float(row["force"]) for row in csv.DictReader(rows)}
    return line, figures, forces


def distance(forces, wanted):
    """Relative, 2-norms; a contact that the reference leaves out is unloaded."""
    off = sum((force - wanted.get(pair, 0.0)) ** 2 for pair, force in forces.items())
    return math.sqrt(off / sum(force ** 2 for force in wanted.values()))


def from_file(folder, base, case):
    with open(folder / f"contacts_n{base}.csv", encoding="utf-8") as rows:
        return {(int(row["i"]), int(row["j"])): float(row[f"F_{case}_over_mg"]) for row in csv.DictReader(rows)}


def exact(folder, base, case):
    import numpy  # only here: Debian's python3 comes without
    spec = importlib.util.spec_from_file_location("solve", folder / "solve.py")
    solve = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(solve)
    spheres, _, pairs, _, _, rates, load = solve.network(base)
    odd = (numpy.arange(len(spheres)) % 2)[pairs].sum(1)
    ratio = numpy.array([0.2, 1 / 3, 1.0])[odd] if case == "two_species" else numpy.ones(len(pairs))
    forces = solve.solve(rates, load, ratio, 2.5 if case == "hertz" else 2.0)[0]
    return {(int(i), int(j)): float(force) for (i, j), force in zip(pairs, forces)}


def lcp_seconds(program):
    """CPU time [s] of the linear complementarity problem to 1e-9 by bncg, the fastest of some."""
    done = subprocess.run([program, "--base", str(BASE), "--method", "bncg", "--tolerance", "1e-9", "--repeat", str(REPEAT)],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise harness.CaseError(f"{program}: {done.stderr.strip()}")
    return json.loads(done.stdout)["seconds"]


def main(ratios):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(parser, "compatible_forces")
    parser.add_argument("--reference", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[1] / "verification/cases/cannonball")
    parser.add_argument("--base", type=int, nargs="*", default=[10, 20, 30, 40])
    parser.add_argument("--exact", action="store_true")
    chosen = common.parse(parser, "compatible_forces")
    program, lcp = (chosen.build / "bench" / name for name in ("compatible_forces", "lcp_pyramid"))
    if not (chosen.reference / "contacts_n20.csv").is_file():
        ratios.skip(f"no contacts_n20.csv in {chosen.reference} (--reference FOLDER)")
        return
    lcp = lcp_seconds(lcp)
    ratios.tell(f"LCP by bncg, base {BASE}", f"{lcp:.3f} CPU s")
    for case in CASES:
        file = chosen.work / f"{case}.csv"
        for base in (6, 20):
            for more in ((), ("one-step",)):
                line, _, forces = run(program, base, case, file, *more)
                off = distance(forces, from_file(chosen.reference, base, case))
                text = f"{case} {base}: against the file {off:.1e}"
                if chosen.exact:
                    text += f", solve.py {distance(forces, exact(chosen.reference, base, case)):.1e}"
                print(text + "\n  " + line, flush=True)
                ratios.at_most(f"{case}, base {base}{', one step' if more else ''}: off the reference", off, ACCURACY,
                               "the reference has eight digits")
        seconds = smallest(run(program, BASE, case, file)[1]["of_processor"] for _ in range(REPEAT))
        ratios.at_most(f"{case}, base {BASE}: CPU time over that of the LCP by bncg", seconds / lcp, LCP_PART,
                       "the forces are found once more, not the motion")
        times = [run(program, base, case, file)[1] for base in chosen.base]
        for before, after in zip(times, times[1:]):
            growth = math.log(after["of_processor"] / before["of_processor"]) / math.log(after["bodies"] / before["bodies"])
            print(f"{case} {after['bodies']:.0f} bodies: {after['of_processor']:.3f} s, exponent {growth:.2f}", flush=True)


if __name__ == "__main__":
    sys.exit(common.main_of("compatible_forces", __doc__, main))
