#!/usr/bin/env python3
"""Who may include whom: fails on an include that is not an arrow of the architecture.

usage: check_layers.py [ROOT]
Reads every .hpp and .cpp of the source folders. Four rules:
  1. a folder includes itself and the folders below it in MAY_INCLUDE, always by the path from the root;
  2. libraries stay where they belong: MPI, PETSc and METIS from assembly up, Clp in solvers, JSON, fmt, CLI and VTK in io alone;
  3. the include graph of units (a header with its .cpp; tests left out) has no circle;
  4. the library works on the communicators that it is given: only programs, tests and the Python module name that of all ranks.
Exit status 0, or 1 with one line per offence.
"""
import pathlib
import re
import sys

MAY_INCLUDE = {
    "core": set(),
    "elements": {"core"},
    "contact": {"core"},
    "assembly": {"core", "elements", "contact"},
    "solvers": {"core", "elements", "contact", "assembly"},
    "io": {"core", "elements", "contact", "assembly", "solvers"},
}
# The intersection test must not share a line with what it tests.
INDEPENDENT = {"verification"}

LIBRARIES = [  # (pattern of the include, folders that may use it, name)
    (re.compile(r"(petsc\w*|mpi|metis)\.h$"), {"assembly", "solvers", "io"}, "MPI, PETSc, METIS"),
    (re.compile(r"coin/"), {"solvers"}, "Clp"),
    (re.compile(r"nlohmann/|fmt/|CLI/|vtk\w+\.h$"), {"io"}, "JSON, fmt, CLI, VTK"),
]
ALL_RANKS = re.compile(r"^(?!\s*//).*\b(?:MPI|PETSC)_COMM_WORLD\b", re.MULTILINE)
MAY_NAME_ALL_RANKS = re.compile(r"^verification/|^io/python/|/main\.cpp$|_test\.cpp$|_test_main\.cpp$|/test_\w+\.hpp$|/fabricated_run\.hpp$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def offences_of(path, folder, text, root):
    """Yields one message per include of `path` (relative) that breaks rule 1 or 2."""
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start(2)) + 1
        bracket, target = match.groups()
        top = target.split("/")[0]
        where = f"{path}:{line}"
        if top in MAY_INCLUDE:
            if folder in INDEPENDENT:
                yield f"{where}: {folder} shares no code with {top}/ (\"{target}\")"
            elif top != folder and top not in MAY_INCLUDE[folder]:
                allowed = ", ".join(sorted(MAY_INCLUDE[folder])) or "nothing"
                yield f"{where}: {folder} may not include {top} (\"{target}\"); it may include: {allowed}"
            elif not (root / target).exists():
                yield f"{where}: no file {target}"
        elif bracket == '"' and folder not in INDEPENDENT:
            yield f"{where}: \"{target}\" is not a path from the root"
        for pattern, allowed, name in LIBRARIES:
            if pattern.match(target) and folder not in allowed:
                yield f"{where}: {name} belong to {', '.join(sorted(allowed))}, not to {folder} (<{target}>)"


def communicators_of(path, text):
    """Yields one message per line of the library that names the communicator of all ranks."""
    if MAY_NAME_ALL_RANKS.search(path):
        return
    for match in ALL_RANKS.finditer(text):
        line = text.count("\n", 0, match.end()) + 1
        yield f"{path}:{line}: names the communicator of all ranks; take one as an argument"


def circles(graph):
    """Circles of the include graph {unit: [units]}, one per strongly tied group that a walk meets."""
    state, found = {}, []

    def walk(node, path):
        state[node] = "open"
        for target in graph.get(node, []):
            if state.get(target) == "open":
                found.append(path[path.index(target):] + [target] if target in path else [node, target])
            elif target not in state:
                walk(target, path + [target])
        state[node] = "done"

    for node in sorted(graph):
        if node not in state:
            walk(node, [node])
    return found


def is_test(path):
    """Whether a file is a test or serves tests: what it includes is no arrow of the architecture."""
    name = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return name.endswith("_test") or name.startswith("test_")


def check(root):
    """All offences of the tree at `root` and the number of files read."""
    offences, graph, count = [], {}, 0
    for folder in [*MAY_INCLUDE, *sorted(INDEPENDENT)]:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".hpp", ".cpp"):
                continue
            count += 1
            path = file.relative_to(root).as_posix()
            text = file.read_text(encoding="utf-8")
            offences += offences_of(path, folder, text, root)
            offences += communicators_of(path, text)
            if is_test(path):
                continue
            unit = path.rsplit(".", 1)[0]
            targets = (t.rsplit(".", 1)[0] for _, t in INCLUDE.findall(text) if t.split("/")[0] in MAY_INCLUDE)
            graph.setdefault(unit, []).extend(t for t in targets if t != unit)
    offences += [f"circle: {' -> '.join(c)}" for c in circles(graph)]
    return offences, count


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    offences, count = check(root)
    for offence in offences:
        print(offence)
    if count == 0:
        print(f"no source files under {root}")
    else:
        print(f"{count} files, {len(offences)} include violations")
    return 1 if offences or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
