#!/usr/bin/env python3
"""Bounds that are much wider than what was measured: a change for the worse could hide below them.

usage: wide_bounds.py [RUNS [FACTOR]]     records below RUNS (build/verification/runs), bounds FACTOR (20) times wider or more
Rows of a case with one and the same reason are one family, of which the row nearest to its bound counts. What is bounded from below
or must be exact has no width. Prints: bound over measured, number of rows, case, row, measured, bound, reason. `run_case.py --all` ends
with the same list, and is not failed by it: whether the README of the case gives a reason is for a reader to judge.
"""
import json
import math
import pathlib
import sys

FACTOR = 20.0  # docs/developer/testing.md


def families(record):
    """{reason: (bound over measured, rows, the row)} of a record."""
    found = {}
    for row in record["rows"]:
        bound = row.get("bound")
        if not bound or bound < 0 or not math.isfinite(row["beyond"]):
            continue
        # A row that is exact by luck says nothing about the others of its family.
        off = abs(row["beyond"] + bound)
        width = bound / off if off > 0 else math.inf
        old = found.get(row["why"], (math.inf, 0, row))
        found[row["why"]] = (width, old[1] + 1, row) if width <= old[0] else (old[0], old[1] + 1, old[2])
    return found


def lines(records, factor=FACTOR):
    """One line per family of `records` whose bound is at least `factor` times what was measured."""
    found = []
    for record in records:
        for why, (width, rows, row) in families(record).items():
            if width >= factor:
                off = abs(row["beyond"] + row["bound"])
                found.append(f"{width:9.3g} {rows:3d}  {record['name']}: {row['what']}: {off:.2g} <= {row['bound']:.2g}  ({why})")
    return found


def main():
    runs = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/verification/runs")
    factor = float(sys.argv[2]) if len(sys.argv) > 2 else FACTOR
    for line in lines([json.loads(file.read_text(encoding="utf-8")) for file in sorted(runs.glob("*/record.json"))], factor):
        print(line)


if __name__ == "__main__":
    main()
