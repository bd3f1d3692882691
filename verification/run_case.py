#!/usr/bin/env python3
"""Runs verification cases, prints measured against reference and writes a page with plots.

usage: run_case.py [CASE...] [--slow|--all] [--resume] [--html PAGE|--no-html] [--markdown FILE]
                   [--binary BUILD/scree] [--checker BUILD/verification/intersection_check] [--work FOLDER]
Without CASE: all but those labelled slow; --slow: those as well; --all: all cases, the unit tests, the long tests and the
benchmarks, and a list of wide bounds (wide_bounds.py) at the end. Several run side by side on all cores, those that measure time
alone, the shortest first. Decks, results, output and the record of each stay in FOLDER (default: the build folder's
verification/runs), the page is written beside it unless --html says where. Exit status 0 if nothing is newly wrong
(known_misses.json lists what misses), 1 if something is, 2 on a wrong command line, 130 after Ctrl-C (--resume continues
from there).
"""
import argparse
import json
import os
import pathlib
import platform
import signal
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import jobs  # noqa: E402
import known_misses  # noqa: E402
import report  # noqa: E402
import wide_bounds  # noqa: E402

INTERRUPTED = 130
UNIT_SECONDS, LONG_SECONDS = 700.0, 1200.0  # expected
BENCHMARKS = {  # name: (script, options, seconds expected)
    "yade_cubes": ("yade_cubes.py", [], 120.0),
    "compatible_forces": ("compatible_forces.py", [], 120.0),
    "newton_at_large_steps": ("newton_at_large_steps.py", [], 60.0),
    "lcp_pyramid": ("lcp_pyramid.py", ["--growth", "--patience", "60"], 400.0),
    "lammps_218": ("lammps_218.py", [], 900.0),
    "superquadrics_stiff": ("superquadrics_stiff.py", ["--blockiness", "4"], 600.0),
    "scaling": ("scaling.py", ["--repeat", "2"], 900.0),
    "coupled_cost": ("coupled_cost.py", [], 200.0),
    "chains": ("chains.py", ["--links", "3", "10", "--triangles", "1200", "10000"], 120.0),
}


def run(case):
    """Runs one case; a case that cannot be finished has a failing row that says how far it came. Its record is kept in
    its folder of results, and returned."""
    print(case.name, flush=True)
    start = time.monotonic()
    try:
        harness.load(case.name).compare(case)
    except harness.CaseError as error:
        case.fail("the run", str(error))
    except Exception as error:  # pylint: disable=broad-except  # the other cases still run; this one is a miss
        traceback.print_exc()
        case.fail("the comparison", f"{type(error).__name__}: {error}")
    case.seconds = time.monotonic() - start
    case.work.mkdir(parents=True, exist_ok=True)
    record = case.record()
    (case.work / "record.json").write_text(json.dumps(record), encoding="utf-8")
    return record


def table(records, known):
    """The overview that ends the output."""
    wide = max(len(record["name"]) for record in records)
    lines = [f"{'case':<{wide}}  comparisons   time [s]  status"]
    for record in sorted(records, key=lambda record: record["name"]):
        held = f"{sum(row['holds'] for row in record['rows'])} of {len(record['rows'])}"
        lines.append(f"{record['name']:<{wide}}  {held:>11}  {record['seconds']:9.1f}  {known_misses.STATUS[known_misses.state(record, known)]}")
    return "\n".join(lines)


def list_of_wide_bounds(records):
    """Bounds that are much wider than what was measured. They fail nothing."""
    lines = wide_bounds.lines(sorted(records, key=lambda record: record["name"]))
    if not lines:
        return f"no bound is {wide_bounds.FACTOR:g} times what was measured, or wider"
    head = (f"bounds at least {wide_bounds.FACTOR:g} times what was measured, without effect on the status: times, rows with this reason, "
            "the nearest of them (reason)")
    return "\n".join([head, *lines])


def markdown(records):
    lines = ["| case | quantity | measured | reference | status |", "| --- | --- | --- | --- | --- |"]
    for record in records:
        for row in record["rows"]:
            lines.append(f"| {record['name']} | {row['what']} | {row['measured']} | {row['expected']} | "
                         f"{'PASS' if row['holds'] else '**FAIL**'} |")
    return "\n".join(lines) + "\n"


def parsed():
    known = sorted(path.parent.name for path in harness.CASES.glob("*/compare.py"))
    build = harness.ROOT / "build"
    parser = argparse.ArgumentParser(prog="verify", description=__doc__.splitlines()[0],
                                     epilog="cases: " + ", ".join(known))
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--slow", action="store_true", help="the slow ones as well")
    parser.add_argument("--all", action="store_true", help="everything: all cases, unit tests, long tests, benchmarks")
    parser.add_argument("--resume", action="store_true",
                        help="what this binary has finished with the same decks is not run again")
    parser.add_argument("--html", metavar="PAGE", help="where the page is written")
    parser.add_argument("--no-html", action="store_true", help="no page")
    parser.add_argument("--markdown", metavar="FILE", help="writes the table of all comparisons to this file as well")
    parser.add_argument("--binary", type=pathlib.Path, default=build / "scree")
    parser.add_argument("--checker", type=pathlib.Path, default=build / "verification" / "intersection_check")
    parser.add_argument("--work", type=pathlib.Path, help="folder of decks, results and records")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="so many cases side by side")
    arguments = parser.parse_args()
    for name in arguments.cases:
        if name not in known:
            parser.error(f"no case \"{name}\"; there are: {', '.join(known)}")
    if arguments.cases and arguments.all:
        parser.error("--all runs everything; leave out the names of cases")
    if arguments.work is None:
        arguments.work = arguments.binary.resolve().parent / "verification" / "runs"
    if arguments.html is None:
        arguments.html = arguments.work.parent / "report.html"
    arguments.named = bool(arguments.cases)
    arguments.cases = arguments.cases or known
    return arguments


def jobs_of_cases(arguments, cases):
    verification = harness.CASES.parent
    shared = [arguments.binary, arguments.checker, harness.ROOT / "inputs", *sorted(verification.glob("*.py"))]
    options = ["--binary", arguments.binary.resolve(), "--checker", arguments.checker.resolve(), "--work", arguments.work.resolve(),
               "--no-html"]
    return [jobs.Job(case.name, [sys.executable, verification / "run_case.py", case.name, *options,
                                 *(["--resume"] if arguments.resume else [])],
                     case.work, [*shared, case.folder], case.expected_seconds, case.is_alone) for case in cases]


def jobs_of_the_rest(arguments):
    """Unit tests, long tests and benchmarks, which are in the build folder of the binary."""
    build = arguments.binary.resolve().parent
    programs = sorted(build.glob("*_tests")) + [arguments.binary, harness.ROOT / "inputs"]
    made = [jobs.Job(name, [sys.executable, harness.CASES.parent / "run_tests.py", "--build", build, "--work",
                            (arguments.work / name).resolve(), *options], arguments.work / name, programs, seconds, alone=True)
            for name, options, seconds in (("tests", ["--cores", arguments.cores], UNIT_SECONDS),
                                           ("tests.long", ["--long"], LONG_SECONDS))]  # checks of both have time limits
    bench = harness.ROOT / "bench"
    for name, (script, options, seconds) in BENCHMARKS.items():
        work = arguments.work / f"bench.{name}"
        command = [sys.executable, bench / script, "--build", build, "--work", work.resolve(), "--record",
                   (work / "record.json").resolve(), *options]
        inputs = [arguments.binary, build / "bench" / "lcp_pyramid", build / "bench" / "compatible_forces", build / "python",
                  *sorted(bench.glob("*.py"))]
        made.append(jobs.Job(f"bench.{name}", command, work, inputs, seconds, alone=True))
    return made


def duration(seconds):
    return f"{seconds / 3600:.1f} h" if seconds > 5400 else f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"


def run_many(arguments, cases, known):
    """All cases, each in a process of its own. @returns records, and whether it came to the end."""
    todo = jobs_of_cases(arguments, cases) + (jobs_of_the_rest(arguments) if arguments.all else [])

    def tell(job, record, number, left):
        held = f"{sum(row['holds'] for row in record['rows'])} of {len(record['rows'])}"
        print(f"[{number}] {job.name}: {held}, {record['seconds']:.1f} s, {known_misses.STATUS[known_misses.state(record, known)]}; remaining "
              f"{duration(left)}", flush=True)
        if record["skipped"]:
            print(f"    not run: {record['skipped']}", flush=True)
        for line in known_misses.complaints(record, known):
            print(f"    {line}", flush=True)

    return jobs.run_all(todo, arguments.cores, arguments.resume, tell)


def main():
    arguments = parsed()
    known = known_misses.load()
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell's background jobs ignore SIGINT otherwise
        signal.signal(number, signal.default_int_handler)
    cases = [harness.Case(name, arguments.binary, arguments.work, arguments.checker, arguments.resume)
             for name in arguments.cases]
    if not arguments.named and not arguments.slow and not arguments.all:
        cases = [case for case in cases if not case.is_slow]
    start = time.time()
    if len(cases) == 1 and not arguments.all:
        records, whole = [run(cases[0])], True
    else:
        records, whole = run_many(arguments, cases, known)
    failed = {record["name"]: found for record in records if (found := known_misses.complaints(record, known))}
    comparisons = sum(len(record["rows"]) for record in records)
    if records:
        print(f"\n{table(records, known)}\n")
    for name, found in failed.items():
        print(f"{name}:\n" + "\n".join(f"    {line}" for line in found))
    if arguments.all:
        print(list_of_wide_bounds(records))
    print(f"{len(records)} case(s), {comparisons} comparisons, failed: {', '.join(failed) or 'none'}")
    if arguments.markdown:
        pathlib.Path(arguments.markdown).write_text(markdown(records), encoding="utf-8")
    if not arguments.no_html:
        page = pathlib.Path(arguments.html)
        page.parent.mkdir(parents=True, exist_ok=True)
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(start))
        context = f"{when}, {platform.machine()}, {os.cpu_count()} cores." + ("" if whole else " Interrupted.")
        page.write_text(report.page(records, context), encoding="utf-8")
        print(f"page: {page}")
    if not whole:
        print("interrupted; --resume continues from here")
        return INTERRUPTED
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
