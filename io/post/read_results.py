#!/usr/bin/env python3
"""Reads what a run wrote, with Python's standard library alone.

    from read_results import Results
    results = Results("results/box_of_blocks")
    energy = results.history("energy.csv")        # {"time": [...], "kinetic_energy": [...], ...}
    for body in results.state("final.csv"):       # [{"name": ..., "x": ..., ..., "shape": ...}, ...]
        print(body["name"], body["z"])
    for time, contacts in results.contacts():     # one table per contacts.NNNNNN.csv
        print(time, sum(contacts["fn"]))
    print(results.report()["steps"])

The same as NumPy arrays, with frames: scree.open (docs/howto/python.md).
As a program it lists the content of a results folder:    python3 io/post/read_results.py RESULTS
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
from scree.tables import Results, read_table  # noqa: E402,F401


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    files = sorted(folder.rglob("*.csv"))
    if not files:
        sys.exit(f"read_results.py: {folder}: no such folder, or no CSV files in it")
    for file in files:
        table = read_table(file)
        rows = len(next(iter(table.values()), []))
        print(f"{file.relative_to(folder).as_posix()}: {rows} {'row' if rows == 1 else 'rows'} of {', '.join(table)}")


if __name__ == "__main__":
    main()
