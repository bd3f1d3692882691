#!/usr/bin/env python3
"""Runs verification cases and prints measured against reference.

usage: run_case.py [CASE...] [--slow] [--binary BUILD/scree] [--checker BUILD/verification/intersection_check]
                   [--work FOLDER] [--markdown FILE]
Without CASE: all but those labelled slow; with --slow: all. Decks, results and output stay in FOLDER
(default: the build folder's verification/runs). Exit status 0 if everything holds.
"""
import argparse
import importlib.util
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import harness  # noqa: E402


def is_slow(name):
    return any(line.startswith("Label: slow")
               for line in (harness.CASES / name / "README.md").read_text(encoding="utf-8").splitlines())


def load(name):
    """The module cases/NAME/compare.py."""
    spec = importlib.util.spec_from_file_location(name, harness.CASES / name / "compare.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name, arguments):
    """Runs one case. Returns it, finished, or with a failing row that says how far it came."""
    print(name, flush=True)
    case = harness.Case(name, arguments.binary, arguments.work, arguments.checker)
    try:
        load(name).compare(case)
    except harness.CaseError as error:
        print(f"  FAILS  {error}", flush=True)
        case.rows.append(("the run", "failed", "finished", False, str(error)))
    return case


def markdown(cases):
    lines = ["| case | quantity | measured | expected | holds |", "| --- | --- | --- | --- | --- |"]
    for case in cases:
        for what, measured, expected, holds, _ in case.rows:
            lines.append(f"| {case.name} | {what} | {measured} | {expected} | {'yes' if holds else '**no**'} |")
    return "\n".join(lines) + "\n"


def main():
    known = sorted(path.parent.name for path in harness.CASES.glob("*/compare.py"))
    build = harness.ROOT / "build"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="cases: " + ", ".join(known))
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--slow", action="store_true", help="the slow ones as well")
    parser.add_argument("--binary", default=build / "scree")
    parser.add_argument("--checker", default=build / "verification" / "intersection_check")
    parser.add_argument("--work", default=None)
    parser.add_argument("--markdown", help="writes the table to this file as well")
    arguments = parser.parse_args()
    for name in arguments.cases:
        if name not in known:
            parser.error(f"no case \"{name}\"; there are: {', '.join(known)}")
    if arguments.work is None:
        arguments.work = pathlib.Path(arguments.binary).resolve().parent / "verification" / "runs"
    names = arguments.cases or [name for name in known if arguments.slow or not is_slow(name)]
    cases = [run(name, arguments) for name in names]
    failed = [case.name for case in cases if not case.holds]
    comparisons = sum(len(case.rows) for case in cases)
    print(f"{len(cases)} case(s), {comparisons} comparisons, failed: {', '.join(failed) or 'none'}")
    if arguments.markdown:
        pathlib.Path(arguments.markdown).write_text(markdown(cases), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
