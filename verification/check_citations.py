#!/usr/bin/env python3
"""Citations in code and pages name something that exists: a key of docs/references.bib, a section of docs/theory.

usage: check_citations.py [ROOT]
Literature: [Key, Eq. (n)], [Key, Eqs. ...], [Key, section n], [Key, chapter n] or [Key, p. n] with an optional section
sign; keys start with a capital. In docs/theory also [Key].
Theory manual, also across the lines of a comment:
    theory 03
    theory 03 section 4.1
    theory 07 sections 3 and 5          theory 07 sections 1, 3 and 5
    theory 04, C17                      theory 02 section 5, R1
Two digits name the page docs/theory/03-*.md, a number one of its headings ("### 4.1 Title"), C, D or R with a number a
correction that the page has in bold. Other ways to write a citation are faults, as they would not be checked.
Pages of docs/theory name source files as `folder/file.cpp`: these have to exist too.
Exit status 0, or 1 with one line per fault.
"""
import pathlib
import re
import sys

FOLDERS = ["core", "elements", "contact", "assembly", "solvers", "io", "verification", "docs", "bench", "inputs", "fuzz"]
FILES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CMakeLists.txt"]
SUFFIXES = (".hpp", ".cpp", ".md", ".py", ".json", ".sh", ".txt")
UNREAD = ("fuzz/corpus/", "verification/check_citations")  # made by machine; full of wrong citations on purpose
CITATION = re.compile(r"\[([A-Z][A-Za-z]*\d{0,4}[a-z]?),\s*(?:Eqs?\.|eqs?\.|section|chapter|ch\.|p\.|pp\.|table|Fig\.|§)")

# Between two words: blanks, or the end of a line and the sign of a comment.
GAP = r"(?:[ \t]+|[ \t]*\n[ \t]*(?:///?<?|#|\*)?[ \t]*)"
NUMBER = r"\d{1,2}(?:\.\d{1,2})?"
ENDS = r"(?=[\s.,;:)|\]\"'`]|$)"
MARK = r"[CDR]\d{1,2}"
THEORY = re.compile(rf"\b[Tt]heory{GAP}(?P<page>\d\d)\b"
                    rf"(?:{GAP}(?:section{GAP}(?P<one>{NUMBER})|"
                    rf"sections{GAP}(?P<many>{NUMBER}(?:,{GAP}{NUMBER})*{GAP}and{GAP}{NUMBER})))?"
                    rf"(?:,{GAP}(?P<mark>{MARK})\b)?")
UNSETTLED = [re.compile(pattern) for pattern in (
    rf"\b[Tt]heory{GAP}(?:pages?|sections?){GAP}\d",
    rf"\b[Tt]heory{GAP}\d\b(?!\.\d)",
    rf"\b[Tt]heory{GAP}\d\d,?{GAP}(?:part|pitfalls|pages?|§|\({MARK})",
    rf"\b[Tt]heory{GAP}\d\d,{GAP}(?:sections?\b|{NUMBER}{ENDS})",
    rf"\b[Tt]heory{GAP}\d\d{GAP}{MARK}\b",
    rf"\b[Tt]heory{GAP}\d\d{GAP}section{GAP}{NUMBER}(?:,|{GAP}and|{GAP}to){GAP}(?!0\d){NUMBER}{ENDS}",
    rf"\b[Tt]heory{GAP}\d\d{GAP}sections?{GAP}{NUMBER}{GAP}?[-–]{GAP}?\d",
    rf"\b[Tt]heory{GAP}\d\d{GAP}sections{GAP}{NUMBER}(?!{GAP}and|,|\.?\d)",
)]
PAGE_WITHOUT_NAME = re.compile(rf"\b(?:0\d|10){GAP}sections?{GAP}\d")
NAMED = re.compile(rf"[Tt]heory{GAP}?(?:pages?{GAP})?$")
HEADING = re.compile(r"^#{2,6}\s+(\d+(?:\.\d+)*)\.?\s", re.MULTILINE)
BOLD_MARK = re.compile(rf"\*\*({MARK})\b[^*]*\*\*")
SOURCE = re.compile(r"`([a-z_]+/[\w/.-]*)`")
PLAIN = re.compile(r"\[([A-Z][A-Za-z]+)\](?!\()")  # in docs/theory: a source as a whole


class Page:
    """A page of the theory manual: its sections and corrections."""

    def __init__(self, text):
        self.sections = HEADING.findall(text)
        self.marks = set(BOLD_MARK.findall(text))

    def listed(self):
        return ", ".join(self.sections) or "no section"


def theory_pages(root):
    """{"03": Page} of docs/theory."""
    pages = {}
    for file in sorted((root / "docs/theory").glob("[0-9][0-9]-*.md")):
        pages[file.name[:2]] = Page(file.read_text(encoding="utf-8"))
    return pages


def numbers_of(match):
    """Section numbers that a match of THEORY names."""
    if match["one"]:
        return [match["one"]]
    return re.findall(NUMBER, match["many"]) if match["many"] else []


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def theory_faults(text, pages):
    """Yields (line, message) for what is wrong with the theory citations of a text."""
    for match in THEORY.finditer(text):
        line, page = line_of(text, match.start()), match["page"]
        if page not in pages:
            yield line, f"no page theory {page}; there are {', '.join(pages) or 'none'}"
            continue
        for number in numbers_of(match):
            if number not in pages[page].sections:
                yield line, f"theory {page} has no section {number}; it has {pages[page].listed()}"
        if match["mark"] and match["mark"] not in pages[page].marks:
            yield line, (f"theory {page} has no correction {match['mark']}; it has "
                         f"{', '.join(sorted(pages[page].marks, key=lambda m: (m[0], int(m[1:])))) or 'none'}")
    places = {match.start() for pattern in UNSETTLED for match in pattern.finditer(text)}
    places |= {match.start() for match in PAGE_WITHOUT_NAME.finditer(text) if not NAMED.search(text[:match.start()][-40:])}
    for place in sorted(places):
        shown = " ".join(text[place:place + 40].split())
        yield line_of(text, place), f'write "theory NN section K", "theory NN sections K and L" or "theory NN, C1": {shown}'


def file_faults(root, text):
    """Yields (line, message) for source files that a page of the manual names and that are not there."""
    for match in SOURCE.finditer(text):
        name = match[1]
        if (root / name.split("/")[0]).is_dir() and not (root / name).exists():
            yield line_of(text, match.start()), f"no file {name}"


def files_of(root):
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in SUFFIXES and file.is_file():
                yield file
    for name in FILES:
        if (root / name).is_file():
            yield root / name


def check(root):
    """(faults as "file:line: message", number of keys cited, number of theory citations) of the tree at `root`."""
    bibliography = (root / "docs/references.bib").read_text(encoding="utf-8")
    keys = set(re.findall(r"@\w+\{([^,\s]+),", bibliography))
    pages = theory_pages(root)
    faults, cited, theory = [], set(), 0
    for file in files_of(root):
        path = file.relative_to(root).as_posix()
        if path.startswith(UNREAD):
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        found = []
        manual = path.startswith("docs/theory/")
        for match in [*CITATION.finditer(text), *(PLAIN.finditer(text) if manual else [])]:
            key = match[1]
            if key == "Key":  # the example in explanations
                continue
            cited.add(key)
            if key not in keys:
                found.append((line_of(text, match.start()), f"[{key}] is not in docs/references.bib"))
        found += theory_faults(text, pages)
        theory += sum(1 for _ in THEORY.finditer(text))
        if manual:
            found += file_faults(root, text)
        faults += [f"{path}:{line}: {message}" for line, message in sorted(found)]
    return faults, len(cited), theory


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    faults, keys, theory = check(root)
    for fault in faults:
        print(fault)
    print(f"{keys} keys and {theory} places of the theory manual cited, {len(faults)} fault(s)")
    return 1 if faults or theory == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
