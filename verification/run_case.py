#!/usr/bin/env python3
"""Runs verification cases, prints measured against reference and writes a page with plots.

usage: run_case.py [CASE...] [--slow|--all] [--resume] [--html PAGE] [--markdown FILE]
                   [--binary BUILD/scree] [--checker BUILD/verification/intersection_check] [--work FOLDER]
Without CASE: all but those labelled slow; --slow, --all: those as well. Decks, results, output and the record of each
case stay in FOLDER (default: the build folder's verification/runs), the page is written beside it unless --html says
where. Exit status 0 if everything holds, 1 on a miss, 2 on a wrong command line.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import platform
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import report  # noqa: E402


def load(name):
    """The module cases/NAME/compare.py. Files beside it can be imported by it."""
    folder = harness.CASES / name
    spec = importlib.util.spec_from_file_location(name, folder / "compare.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(case):
    """Runs one case; a case that cannot be finished has a failing row that says how far it came. Its record is kept in
    its folder of results."""
    print(case.name, flush=True)
    start = time.monotonic()
    try:
        load(case.name).compare(case)
    except harness.CaseError as error:
        case.fail("the run", str(error))
    except Exception as error:  # pylint: disable=broad-except  # the other cases still run; this one is a miss
        traceback.print_exc()
        case.fail("the comparison", f"{type(error).__name__}: {error}")
    case.seconds = time.monotonic() - start
    case.work.mkdir(parents=True, exist_ok=True)
    (case.work / "record.json").write_text(json.dumps(case.record()), encoding="utf-8")


def table(cases):
    """The overview that ends the output."""
    wide = max(len(case.name) for case in cases)
    lines = [f"{'case':<{wide}}  comparisons   time [s]  holds"]
    for case in cases:
        held = f"{sum(row[3] for row in case.rows)} of {len(case.rows)}"
        lines.append(f"{case.name:<{wide}}  {held:>11}  {case.seconds:9.1f}  {'yes' if case.holds else 'NO'}")
    return "\n".join(lines)


def markdown(cases):
    lines = ["| case | quantity | measured | expected | holds |", "| --- | --- | --- | --- | --- |"]
    for case in cases:
        for what, measured, expected, holds, _ in case.rows:
            lines.append(f"| {case.name} | {what} | {measured} | {expected} | {'yes' if holds else '**no**'} |")
    return "\n".join(lines) + "\n"


def parsed():
    known = sorted(path.parent.name for path in harness.CASES.glob("*/compare.py"))
    build = harness.ROOT / "build"
    parser = argparse.ArgumentParser(prog="verify", description=__doc__.splitlines()[0],
                                     epilog="cases: " + ", ".join(known))
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--slow", "--all", dest="slow", action="store_true", help="the slow ones as well")
    parser.add_argument("--resume", action="store_true",
                        help="what this binary has finished with the same decks is not run again")
    parser.add_argument("--html", metavar="PAGE", help="where the page is written")
    parser.add_argument("--markdown", metavar="FILE", help="writes the table of all comparisons to this file as well")
    parser.add_argument("--binary", default=build / "scree")
    parser.add_argument("--checker", default=build / "verification" / "intersection_check")
    parser.add_argument("--work", help="folder of decks, results and records")
    arguments = parser.parse_args()
    for name in arguments.cases:
        if name not in known:
            parser.error(f"no case \"{name}\"; there are: {', '.join(known)}")
    if arguments.work is None:
        arguments.work = pathlib.Path(arguments.binary).resolve().parent / "verification" / "runs"
    arguments.work = pathlib.Path(arguments.work)
    # A page that is not asked for is written only where several cases make one: ctest runs them one by one.
    if arguments.html is None and len(arguments.cases) != 1:
        arguments.html = arguments.work.parent / "report.html"
    arguments.named = bool(arguments.cases)
    arguments.cases = arguments.cases or known
    return arguments


def main():
    arguments = parsed()
    cases = [harness.Case(name, arguments.binary, arguments.work, arguments.checker, arguments.resume)
             for name in arguments.cases]
    if not arguments.named and not arguments.slow:
        cases = [case for case in cases if not case.is_slow]
    start = time.time()
    for case in cases:
        run(case)
    failed = [case.name for case in cases if not case.holds]
    comparisons = sum(len(case.rows) for case in cases)
    print(f"\n{table(cases)}\n\n{len(cases)} case(s), {comparisons} comparisons, failed: {', '.join(failed) or 'none'}")
    if arguments.markdown:
        pathlib.Path(arguments.markdown).write_text(markdown(cases), encoding="utf-8")
    if arguments.html:
        page = pathlib.Path(arguments.html)
        page.parent.mkdir(parents=True, exist_ok=True)
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(start))
        context = f"{when}, {platform.machine()}, {os.cpu_count()} cores."
        page.write_text(report.page([case.record() for case in cases], context), encoding="utf-8")
        print(f"page: {page}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
