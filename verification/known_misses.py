"""The misses that are known, and what is new beside them.

verification/known_misses.json lists rows that miss their bound, each with what was measured, the bound, by how much it may be
missed at most ("beyond", in the unit of the row: what was measured and what builds differ by), and the reason. A row that misses
and is not listed is new; so is one that misses by more than listed. A listed row that holds is struck off the list.

An entry with "scatter" is of a quantity that is random, as the slope of one heap of grains: "mean" and standard "deviation" of what
one run of the case measures, from "samples" independent values. Its bound ("at least VALUE", "at most VALUE" or "VALUE +- VALUE") lies
within the scatter, so that the row holds in one build and misses in the next: neither is new, but a miss by more than "beyond" is.
"""
import json
import math
import pathlib
import re

FILE = pathlib.Path(__file__).resolve().parent / "known_misses.json"
# Of `state` and `verdict`, as tables show it.
STATUS = {"yes": "PASS", "known": "known miss", "scatters": "scatters", "NO": "FAIL", "not run": "not run"}
KEYS = {"case", "row", "measured", "bound", "beyond", "reason"}
SCATTER = {"mean", "deviation", "samples"}
DEVIATIONS = 2  # between mean and bound at most: further apart, the row misses or holds as a rule
NUMBER = r"(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w.])"
ONE_SIDED = re.compile(r"at (least|most) " + NUMBER)
TWO_SIDED = re.compile(NUMBER + r" \+- " + NUMBER)


def _limit(entry):
    """("least" or "most", value) of the bound of an entry that scatters; of two, the one on the side of the mean."""
    if found := TWO_SIDED.match(entry["bound"]):
        middle, width = float(found[1]), float(found[2])
        return ("most", middle + width) if entry["scatter"]["mean"] > middle else ("least", middle - width)
    found = ONE_SIDED.match(entry["bound"])
    if not found:
        raise ValueError(f"bound \"{entry['bound']}\" of a row that scatters; expected \"at least VALUE\", \"at most VALUE\" or "
                         "\"VALUE +- VALUE\"")
    return found[1], float(found[2])


def _expected(entry):
    """The bound of an entry that scatters, as rows show it."""
    if found := TWO_SIDED.match(entry["bound"]):
        return found[0]
    side, limit = _limit(entry)
    return f"{'>=' if side == 'least' else '<='} {limit:.4g}"


def _check_scatter(entry):
    """Raises ValueError if mean and deviation are missing, or do not show that the bound lies within the scatter."""
    scatter = entry["scatter"]
    if not isinstance(scatter, dict) or set(scatter) != SCATTER:
        raise ValueError(f"scatter {json.dumps(scatter)}; expected an object with the keys {sorted(SCATTER)}")
    for key, value in scatter.items():
        if type(value) not in (int, float) or not math.isfinite(value):
            raise ValueError(f"scatter/{key} {json.dumps(value)}; expected a number")
    mean, deviation, samples = scatter["mean"], scatter["deviation"], scatter["samples"]
    if deviation <= 0 or samples < 2:
        raise ValueError(f"scatter: deviation {deviation:g} of {samples:g} sample(s); expected > 0, of at least 2")
    off = abs(_limit(entry)[1] - mean) / deviation
    if off > DEVIATIONS:
        raise ValueError(f"bound \"{entry['bound']}\" is {off:.1f} standard deviations from the mean {mean:g}, at most {DEVIATIONS} are "
                         "scatter; list the row without \"scatter\" if it misses, strike it off if it holds")


def load(file=FILE):
    """The list; raises ValueError if an entry is incomplete or there twice, or if its scatter does not reach its bound."""
    entries = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    for entry in entries:
        if set(entry) - {"scatter"} != KEYS:
            raise ValueError(f"{file}: an entry has the keys {sorted(entry)}; expected {sorted(KEYS)}, and \"scatter\" if it is random")
        if "scatter" in entry:
            try:
                _check_scatter(entry)
            except ValueError as error:
                raise ValueError(f"{file}: {entry['case']}, \"{entry['row']}\": {error}") from None
    names = [(entry["case"], entry["row"]) for entry in entries]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{file}: {name[0]}, \"{name[1]}\" is listed twice")
    return entries


def verdict(row, entry):
    """Status of one row; entry: that of the list, or None."""
    if not row["holds"] and (entry is None or not row["beyond"] <= entry["beyond"]):
        return "NO"
    if entry is not None and "scatter" in entry:
        return "scatters"
    return "yes" if row["holds"] else "known"


def complaints(record, entries):
    """What is newly wrong with a record (see judging.Comparisons.record), a line each; empty if all is as known."""
    if record.get("skipped"):
        return []
    listed = {entry["row"]: entry for entry in entries if entry["case"] == record["name"]}
    found = []
    if not record["rows"] and not record["told"]:
        found.append("nothing was compared")
    for row in record["rows"]:
        shown = f"{row['what']}: {row['measured']} (expected {row['expected']})"
        entry = listed.get(row["what"])
        if verdict(row, entry) == "NO":
            found.append(shown if entry is None else f"{shown}: beyond by {row['beyond']:.3g}, known is {entry['measured']}, "
                         f"at most {entry['beyond']:g} beyond")
        if entry is not None and "scatter" in entry:
            if row["expected"] != _expected(entry):
                found.append(f"{row['what']}: expected {row['expected']}, but listed is the scatter about \"{entry['bound']}\"")
    missed = {row["what"] for row in record["rows"] if not row["holds"]}
    there = {row["what"] for row in record["rows"]}
    for name in listed:
        if name not in there:
            found.append(f"{name}: listed as known miss, but there is no such row")
        elif name not in missed and "scatter" not in listed[name]:
            found.append(f"{name}: no longer misses; strike it off verification/known_misses.json")
    return found


def state(record, entries):
    """One word for the table: "yes" (all hold), "known" (nothing new), "scatters" (all hold but for rows that scatter), "NO",
    "not run"."""
    if record.get("skipped"):
        return "not run"
    if complaints(record, entries):
        return "NO"
    listed = {entry["row"]: entry for entry in entries if entry["case"] == record["name"]}
    verdicts = {verdict(row, listed.get(row["what"])) for row in record["rows"]}
    return "known" if "known" in verdicts else "scatters" if "scatters" in verdicts else "yes"
