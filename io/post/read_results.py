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

As a program it says what a results folder holds:    python3 io/post/read_results.py RESULTS
"""
import csv
import json
import pathlib
import sys


def _value(text):
    try:
        return float(text)  # the decimals that Scree writes read back exactly
    except ValueError:
        return text


# Names of bodies, boundaries, shapes and materials, which may look like numbers, stay text.
_TEXT = {"name", "shape", "material", "body_a", "body_b", "file"}


def read_table(path):
    """A CSV file as {column: [values]}."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = next(rows)
        table = {name: [] for name in names}
        for row in rows:
            for name, text in zip(names, row):
                table[name].append(text if name in _TEXT else _value(text))
    return table


class Results:
    """The results folder of a run."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def history(self, name):
        """A history as {column: [values]}, one value per row."""
        return read_table(self.folder / name)

    def state(self, name="last_state.csv"):
        """The bodies of a final or last state, in deck order, as [{column: value}]."""
        table = read_table(self.folder / name)
        return [dict(zip(table, row)) for row in zip(*table.values())]

    def contacts(self):
        """Yields (time [s], {column: [values]}) per sampled state, in order of time."""
        index = read_table(self.folder / "contacts_index.csv")
        for name, time in zip(index["file"], index["time"]):
            yield time, read_table(self.folder / name)

    def report(self):
        """The figures of the summary: steps, cuts, iterations, energy, seconds by phase."""
        return json.loads((self.folder / "report.json").read_text(encoding="utf-8"))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    files = sorted(folder.glob("*.csv"))
    if not files:
        sys.exit(f"read_results.py: {folder}: no such folder, or no CSV files in it")
    for file in files:
        table = read_table(file)
        rows = len(next(iter(table.values()), []))
        print(f"{file.name}: {rows} {'row' if rows == 1 else 'rows'} of {', '.join(table)}")


if __name__ == "__main__":
    main()
