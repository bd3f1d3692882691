#!/usr/bin/env python3
"""Runs the tests of a build folder but the verification cases, and leaves a record as a case does.

usage: run_tests.py --build BUILD --work FOLDER [--long] [--cores N]
--long: those that ./scree test leaves out. Exit status 0 if all pass, 1 if not.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import judging  # noqa: E402

READMES = {False: "# Unit tests\n\nUnit tests, those on 1, 2 and 4 ranks, checks of the sources, decks that we ship: `./scree test` but for "
                  "the cases.\n",
           True: "# Long tests\n\nTests that `./scree test` leaves out because they take minutes.\n"}
TAIL = 1500  # characters of what a failing test printed


def results(file):
    """[(name, seconds, passed, output)] of ctest's JUnit file."""
    found = []
    for test in xml.etree.ElementTree.parse(file).getroot().iter("testcase"):
        if test.get("status") == "disabled":
            continue
        output = test.findtext("system-out") or ""
        # The file has no colours, but what tests print may hold characters that XML does not allow.
        found.append((test.get("name"), float(test.get("time") or 0), test.get("status") == "run", output[-TAIL:]))
    return found


def judge(tests, comparisons):
    """A row for all, and one for each that failed."""
    failed = [test for test in tests if not test[2]]
    comparisons.none(f"failures of {len(tests)} tests", len(failed), "each says what it expected", bool(tests))
    for name, _, _, output in failed:
        comparisons.fail(name, output)
    for name, seconds, _, _ in sorted(tests, key=lambda test: -test[1])[:5]:
        comparisons.tell(f"{name}, of the longest", f"{seconds:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--cores", type=int, default=1)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    file = (arguments.work / "junit.xml").resolve()
    file.unlink(missing_ok=True)
    comparisons = judging.Comparisons("tests.long" if arguments.long else "tests", READMES[arguments.long])
    comparisons.is_slow = arguments.long
    start = time.monotonic()
    subprocess.run(["ctest", "--test-dir", str(arguments.build), "--output-on-failure", "-j", str(arguments.cores), "-E", r"^case\.",
                    *(["-L", "slow"] if arguments.long else ["-LE", "slow"]), "--output-junit", str(file)], check=False)
    judge(results(file) if file.exists() else [], comparisons)
    comparisons.seconds = time.monotonic() - start
    (arguments.work / "record.json").write_text(json.dumps(comparisons.record()), encoding="utf-8")
    return 0 if comparisons.holds else 1


if __name__ == "__main__":
    sys.exit(main())
