#!/usr/bin/env python3
"""Citations in code and pages name something: fails on a key that docs/references.bib does not have.

usage: check_citations.py [ROOT]
A citation is [Key, Eq. (n)], [Key, Eqs. ...], [Key, section n], [Key, chapter n] or [Key, p. n] with an
optional section sign; keys start with a capital. Exit status 0, or 1 with one line per unknown or unused key.
"""
import pathlib
import re
import sys

FOLDERS = ["core", "elements", "contact", "assembly", "solvers", "io", "verification", "docs", "bench"]
CITATION = re.compile(r"\[([A-Z][A-Za-z]*\d{0,4}[a-z]?),\s*(?:Eqs?\.|eqs?\.|section|chapter|ch\.|p\.|pp\.|table|Fig\.|§)")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    bibliography = (root / "docs/references.bib").read_text(encoding="utf-8")
    keys = set(re.findall(r"@\w+\{([^,\s]+),", bibliography))
    unknown, cited = [], set()
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".hpp", ".cpp", ".md", ".py") or not file.is_file():
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                for key in CITATION.findall(line):
                    if key == "Key":  # the example in explanations
                        continue
                    cited.add(key)
                    if key not in keys:
                        unknown.append(f"{file.relative_to(root)}:{number}: [{key}] is not in docs/references.bib")
    for line in unknown:
        print(line)
    print(f"{len(cited)} keys cited, {len(unknown)} unknown")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
