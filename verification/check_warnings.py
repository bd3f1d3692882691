#!/usr/bin/env python3
"""Runs small decks as a user does: which warnings they raise, on standard error, in the summary and in report.json, and
what --strict makes of them (on one rank). Usage: check_warnings.py BINARY [--ranks 1 2]"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402

DECKS = pathlib.Path(__file__).resolve().parent / "warnings"


def run(binary, deck, folder, ranks=1, options=()):
    """(status, standard output, standard error, report.json) of a run in `folder`."""
    command = [str(binary), "run", str(deck), "--output", str(folder), *options]
    if ranks > 1:
        command = ["mpirun", "-n", str(ranks), *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False,
                          env={**os.environ, **harness.ENVIRONMENT})
    return done.returncode, done.stdout, done.stderr, json.loads((folder / "report.json").read_text(encoding="utf-8"))


def faults_of(binary, deck, scratch, ranks):
    """What a run of `deck` does otherwise than its list "expected" of codes says, in sentences."""
    expected = sorted(harness.read_deck(deck)["title"].split("warnings: ")[1].split())
    expected = [] if expected == ["none"] else expected
    faults = []
    for strict in (False, True) if ranks == 1 else (False,):
        folder = scratch / f"{deck.stem}_{ranks}_{strict}"
        status, out, err, report = run(binary, deck, folder, ranks, ["--strict"] if strict else [])
        codes = sorted(warning["code"] for warning in report["warnings"])
        lines = [f"warning: {warning['where']}: {warning['message']}" for warning in report["warnings"]]
        if codes != expected:
            faults.append(f"raised {codes or 'none'}, expected {expected or 'none'}: " + " | ".join(lines))
        # A run that has created much energy has failed, with --strict or without.
        failed = report["energy"]["closure_error"] > 0.1 * report["energy"]["reference"] > 0
        if status != (1 if failed or (strict and expected) else 0):
            faults.append(f"status {status} with{'' if strict else 'out'} --strict")
        if report["exit_status"] != status or (status == 1) != bool(report["message"]) or report["message"] not in err:
            faults.append(f"report: status {report['exit_status']} with \"{report['message']}\", not {status}: {err}")
        missing = [line for line in lines if line not in out.splitlines()]
        # The text on standard error may have the numbers of an earlier time.
        missing += [w["where"] for w in report["warnings"] if f"warning: {w['where']}: " not in err]
        if missing:
            faults.append(f"not printed: {missing}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    binary = arguments.binary.resolve()
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for deck in sorted(DECKS.glob("*.json")):
            for ranks in arguments.ranks:
                faults = faults_of(binary, deck, pathlib.Path(scratch), ranks)
                failed += bool(faults)
                print(f"{'FAIL' if faults else 'PASS'} {deck.stem}, {ranks} rank(s)", *faults, sep="\n    ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
