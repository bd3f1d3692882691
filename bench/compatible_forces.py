#!/usr/bin/env python3
"""Compatible forces of the square pyramid: accuracy against the reference, and time over the base.

usage: compatible_forces.py --binary build/bench/compatible_forces [--work FOLDER] [--reference FOLDER]
                            [--base 10 20 30 40] [--exact]
The reference is ../shared/references/cannonball (contacts_n20.csv has eight digits). --exact runs its solve.py at the
exact geometry as well (numpy and scipy). Prints figures, judges none; times are of the processor, one core.
"""
import argparse
import csv
import importlib.util
import math
import pathlib
import subprocess

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("compatible_forces"))
    parser.add_argument("--reference", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2] / "shared/references/cannonball")
    parser.add_argument("--base", type=int, nargs="*", default=[10, 20, 30, 40])
    parser.add_argument("--exact", action="store_true")
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        file = chosen.work / f"{case}.csv"
        for base in (6, 20):
            for more in ((), ("one-step",)):
                line, _, forces = run(chosen.binary, base, case, file, *more)
                text = f"{case} {base}: against the file {distance(forces, from_file(chosen.reference, base, case)):.1e}"
                if chosen.exact:
                    text += f", solve.py {distance(forces, exact(chosen.reference, base, case)):.1e}"
                print(text + "\n  " + line, flush=True)
        times = [run(chosen.binary, base, case, file)[1] for base in chosen.base]
        for before, after in zip(times, times[1:]):
            growth = math.log(after["of_processor"] / before["of_processor"]) / math.log(after["bodies"] / before["bodies"])
            print(f"{case} {after['bodies']:.0f} bodies: {after['of_processor']:.3f} s, exponent {growth:.2f}", flush=True)


if __name__ == "__main__":
    main()
