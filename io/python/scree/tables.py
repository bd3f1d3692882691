"""Files that a run writes, read with Python's standard library alone: CSV tables, the report, the list of frames.

scree.results gives the same as NumPy arrays; io/post/read_results.py and io/post/render.py use this module.
"""
import csv
import json
import pathlib
import re


def _value(text):
    try:
        return float(text)  # the decimals that Scree writes read back exactly
    except ValueError:
        return text


# Names of bodies, boundaries, shapes and materials, which may look like numbers, stay text.
TEXT = {"name", "shape", "material", "body_a", "body_b", "file"}


def read_table(path):
    """A CSV file as {column: [values]}."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = next(rows)
        table = {name: [] for name in names}
        for row in rows:
            for name, text in zip(names, row):
                table[name].append(text if name in TEXT else _value(text))
    return table


def read_series(folder, name):
    """Frames of NAME.pvd as [(time [s], file)]; empty if the run wrote none."""
    pvd = pathlib.Path(folder) / (name + ".pvd")
    if not pvd.exists():
        return []
    found = re.findall(r'timestep="([^"]+)".*?file="([^"]+)"', pvd.read_text(encoding="utf-8"))
    return [(float(time), pvd.parent / file) for time, file in found]


class Results:
    """The results folder of a run."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def table(self, name):
        """A CSV file of the folder as {column: [values]}."""
        return read_table(self.folder / name)

    def history(self, name):
        """A history as {column: [values]}, one value per row."""
        return self.table(name)

    def state(self, name="last_state.csv"):
        """The bodies of a final or last state, in deck order, as [{column: value}]."""
        table = read_table(self.folder / name)
        return [dict(zip(table, row)) for row in zip(*table.values())]

    def contacts(self):
        """Yields (time [s], {column: values}) per sampled state, in order of time."""
        index = read_table(self.folder / "contacts_index.csv")
        for name, time in zip(index["file"], index["time"]):
            yield time, self.table(name)

    def report(self):
        """The figures of the summary: steps, cuts, iterations, energy, seconds by phase."""
        return json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
