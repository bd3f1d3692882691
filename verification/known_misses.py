"""The misses that are known, and what is new beside them.

verification/known_misses.json lists rows that miss their bound, each with what was measured, the bound, by how much it may be
missed at most ("beyond", in the unit of the row: what was measured and what builds differ by), and the reason. A row that misses
and is not listed is new; so is one that misses by more than listed. A listed row that holds is struck off the list.
"""
import json
import pathlib

FILE = pathlib.Path(__file__).resolve().parent / "known_misses.json"
STATUS = {"yes": "PASS", "known": "known miss", "NO": "FAIL", "not run": "not run"}  # of `state`, as tables show it
KEYS = {"case", "row", "measured", "bound", "beyond", "reason"}


def load(file=FILE):
    """The list; raises ValueError if an entry is incomplete or there twice."""
    entries = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    for entry in entries:
        if set(entry) != KEYS:
            raise ValueError(f"{file}: an entry has the keys {sorted(entry)}; expected {sorted(KEYS)}")
    names = [(entry["case"], entry["row"]) for entry in entries]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{file}: {name[0]}, \"{name[1]}\" is listed twice")
    return entries


def complaints(record, entries):
    """What is newly wrong with a record (see judging.Comparisons.record), a line each; empty if all is as known."""
    if record.get("skipped"):
        return []
    listed = {entry["row"]: entry for entry in entries if entry["case"] == record["name"]}
    found = []
    if not record["rows"] and not record["told"]:
        found.append("nothing was compared")
    for row in record["rows"]:
        if row["holds"]:
            continue
        shown = f"{row['what']}: {row['measured']} (expected {row['expected']})"
        entry = listed.get(row["what"])
        if entry is None:
            found.append(shown)
        elif not row["beyond"] <= entry["beyond"]:
            found.append(f"{shown}: beyond by {row['beyond']:.3g}, known is {entry['measured']}, at most {entry['beyond']:g} beyond")
    missed = {row["what"] for row in record["rows"] if not row["holds"]}
    there = {row["what"] for row in record["rows"]}
    for name in listed:
        if name not in there:
            found.append(f"{name}: listed as known miss, but there is no such row")
        elif name not in missed:
            found.append(f"{name}: no longer misses; strike it off verification/known_misses.json")
    return found


def state(record, entries):
    """One word for the table: "yes" (all hold), "known" (nothing new), "NO", "not run"."""
    if record.get("skipped"):
        return "not run"
    if complaints(record, entries):
        return "NO"
    return "yes" if all(row["holds"] for row in record["rows"]) else "known"
