#!/usr/bin/env python3
"""Tests keep the worst of many values so that not a number is kept too: fails where one would be dropped.

usage: check_extremes.py [ROOT]
`worst = std::max(worst, x)` drops x if it is NaN, and max() of Python drops it or not by its place, so that a bound on the worst
value holds for results that are no numbers. Forbidden are
  1. in C++ tests (*_test.cpp, test_*.hpp): a variable, a member or an element that std::max, std::min, std::fmax or std::fmin of itself
     is assigned to, also in braces, and `if (x > worst) worst = x`; test::keep_largest and test::keep_smallest
     (core/test_extremes.hpp) are there for it;
  2. in Python of verification/, bench/, inputs/ and io/python/tests/: max(...) and min(...) of a generator, a list or another iterable,
     and `worst = max(worst, x)`; judging.largest and judging.smallest are there for it. Lengths are numbers, with key= an item is chosen
     and no worst value, and a line with "# finite: WHY" is left alone.
A variable limited by a number, `x = std::max(x, 0.0)`, is a clip and no worst value.
Exit status 0, or 1 with one line per offence.
"""
import ast
import pathlib
import re
import sys

FOLDERS = ("core", "elements", "contact", "assembly", "solvers", "io", "verification", "fuzz", "inputs")
# What is assigned to: a variable, its member or element, or one of two by a condition.
TARGET = r"([A-Za-z_(][\w.\[\]>()-]*|\([^()=;{}]*\?[^()=;{}]*\))"
EXTREME = r"std::f?(?:max|min)(?:<[^>]*>)?"
ASSIGNED = re.compile(TARGET + r"\s*=\s*(?:" + EXTREME + r"\(|(\{))")
NUMBER = r"-?[\d.]+(?:[eE][-+]?\d+)?"
EXTREME_CALL = re.compile(EXTREME + r"\(")
COMPARED = re.compile(r"\bif \([^;{}]*?[<>]=?\s*" + TARGET + r"\)\s*\{?\s*\1\s*=[^=]")
PYTHON = ("verification", "bench", "inputs", "io/python/tests")
# What plots, schedules or writes tables judges nothing.
NOT_JUDGED = {"svg_plot.py", "jobs.py", "run_case.py", "run_tests.py", "judging.py"}
EXCUSE = "# finite: "


def _inside(text, start):
    """What stands from `start` on, without spaces, up to the bracket that closes the one before it."""
    depth = 1
    for end in range(start, len(text)):
        depth += (text[end] in "({[") - (text[end] in ")}]")
        if depth == 0:
            break
    return re.sub(r"\s", "", text[start:end])


def _keeps_itself_in_cpp(text, match):
    """The target, if it is among the arguments of the extreme, or of an extreme in the braces that are assigned to it."""
    target = re.sub(r"\s", "", match.group(1))
    if target.count("(") < target.count(")"):  # of an if or a cast before it
        target = target.rstrip(")")
    if "?" in target:
        target = target[1:-1]
    given = _inside(text, match.end())
    of_braces = match.group(2) is not None
    if of_braces and not EXTREME_CALL.search(given):
        return None
    if re.fullmatch(f"{re.escape(target)},{NUMBER}|{NUMBER},{re.escape(target)}", given):
        return None  # a clip, and no worst value
    # An element of the target is a value of its own, but where the whole is assigned to.
    after = r"(?![\w(])" if of_braces else r"(?![\w(.\[]|->)"
    return target if re.search(r"(?<![\w.>])" + re.escape(target) + after, given) else None


def offences_of_cpp(text):
    """Yields (line, what) of a C++ test."""
    found = [(match, _keeps_itself_in_cpp(text, match)) for match in ASSIGNED.finditer(text)]
    found += [(match, match.group(1)) for match in COMPARED.finditer(text)]
    for match, target in found:
        if target:
            yield text.count("\n", 0, match.start()) + 1, f"{target} drops not a number; see core/test_extremes.hpp"


def _is_many(call):
    """One argument that has many values, or a starred one; a key chooses an item, by what need be no number."""
    element = getattr(call.args[0], "elt", None) if call.args else None
    if isinstance(element, ast.Call) and getattr(element.func, "id", "") == "len":
        return False
    return (len(call.args) == 1 or any(isinstance(arg, ast.Starred) for arg in call.args)) and \
        not any(word.arg == "key" for word in call.keywords)


def _keeps_itself(node):
    """x = max(x, ...), but for x = max(x, 0.0), which is a clip and no worst value. x may be a member or an element."""
    if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) and
            node.value.func.id in ("max", "min") and len(node.targets) == 1):
        return False
    target = ast.unparse(node.targets[0])
    return any(ast.unparse(arg) == target for arg in node.value.args) and \
        not any(isinstance(arg, ast.Constant) for arg in node.value.args)


def offences_of_python(text):
    """Yields (line, what) of a Python file."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        many = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("max", "min") and _is_many(node)
        if (many or _keeps_itself(node)) and not any(EXCUSE in line for line in lines[node.lineno - 1:node.end_lineno]):
            yield node.lineno, "max or min drops not a number; see judging.largest, or say why it is finite"


def check(root):
    """@returns a line for each offence, and the number of files looked at."""
    found, count = [], 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            if path.name.endswith("_test.cpp") or path.name.startswith("test_"):
                count += 1
                found += [f"{path.relative_to(root)}:{line}: {what}" for line, what in offences_of_cpp(path.read_text(encoding="utf-8"))]
    for folder in PYTHON:
        for path in sorted((root / folder).rglob("*.py")):
            if path.name not in NOT_JUDGED:
                count += 1
                found += [f"{path.relative_to(root)}:{line}: {what}" for line, what in offences_of_python(path.read_text(encoding="utf-8"))]
    return found, count


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found, count = check(root)
    for line in found:
        print(line)
    print(f"{count} files, {len(found)} place(s) where not a number would be dropped")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
