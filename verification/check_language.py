#!/usr/bin/env python3
"""Pages and decks use one vocabulary: fails on phrases that the glossary replaces.

usage: check_language.py [--sources] [ROOT]
Checks the text (not the code spans and code blocks) of README.md, CHANGELOG.md, CONTRIBUTING.md, docs/, bench/README.md and
verification/cases/*/README.md, and titles and comments of the decks in inputs/. docs/input.md is generated from the sources and belongs to
these. --sources: checks it too, and comments and string literals of C++ sources and of Python programs. Only phrases that are wrong
in every context are listed; terms and meanings are in docs/reference/glossary.md. A line with "language: quoted" is not checked.
Exit status 0, or 1 with one line per phrase.
"""
import io
import pathlib
import re
import sys
import tokenize

EXCUSE = "language: quoted"
GENERATED = "docs/input.md"

# What is avoided (regular expression, whole words, any case), and what to write.
PHRASES = [
    # Wording.
    (r"where it is left out|where they are left out|none where", 'default: "Default: ..."'),
    (r"(?:there )?(?:is|are) none", "not defined"),
    (r"in the place of", "instead of"),
    (r"some \d[\d.,]*", "about 230"),
    (r"hardly", "the number, or the limit"),
    (r"(?:goes|go|went|going) on(?! (?:the|a|an|to one)\b)", "continues"),
    (r"(?:asks?|asked|asking) for", "requires"),
    (r"(?:is|are) (?:there|given) twice", "duplicate"),
    (r"(?:tells|told|telling)", "reports, prints, warns"),
    (r"(?:it|they|log|deck|message|summary|program|history|file|run|page|README) says?|said", "reports, states, contains"),
    (r"speaks?|spoke", "reports"),
    (r"never mind|of the house|are well\b", "the fact itself"),
    # Time stepping.
    (r"cut steps?|steps? cut|was cut|were cut|are cut|is cut", "rejected; reduced"),
    (r"taken back", "rejected"),
    (r"core seconds?|core s", "CPU time, CPU s"),
    (r"bounds? on motion|clipped|clips", "collision-free step length; limited"),
    (r"travelled", "displacement"),
    (r"knots?", "time points"),
    # Energy.
    (r"ledger|(?:is|are|was|were) booked|the books", "energy balance; counted as"),
    (r"closure error", "energy balance error"),
    (r"let go", "released"),
    (r"(?:what is|was|were|the) exchanged", "reference energy"),
    (r"so there should be|there is, in all", "expected total energy"),
    # Contact.
    (r"interpenetrat\w*", "intersect, intersection-free"),
    (r"never touch(?:es)?", "intersection-free"),
    (r"first touch", "contact onset"),
    (r"lone impact|restitution that is realised", "coefficient of restitution of a binary collision"),
    (r"laws? at overlap|meet at overlap", "overlap-based contact laws"),
    (r"interface laws?", "contact law"),
    (r"elastic slip", "elastic tangential displacement"),
    (r"memory of (?:friction|contacts?)|remember(?:s|ed)?|luggage|parcels?", "contact history; message"),
    (r"inside out|turned outwards", "inverted orientation"),
    (r"folded (?:bodies|body|pairs?|polyhedra)", "non-convex"),
    (r"without end|endless(?:ly)?", "infinite, periodic"),
    (r"come and go|came and went|let in|lets in|dealt out", "inserted, removed; distributed"),
    (r"loose bod(?:y|ies)", "rattler"),
    (r"made anew|carried along|climbs?|uphill|summit", "rebuilt; warm start; maximise; maximum"),
    (r"made unique", "force compatibility"),
    # Verification.
    (r"MISS(?:ES|ED)?(?-i:)", "FAIL"),
    # A repository has no diary.
    (r"(?:this|our|last|next|another) session|helpers? (?:said|wrote|found)|issue \d+|the issue", "the fact itself"),
    (r"/work/|\.\./shared|shared/references|shared material", "files of the repository"),
    (r"an hour (?:before|earlier)|once upon", "the conditions of the measurement"),
]


def compiled():
    """[(pattern, advice)]"""
    list_ = []
    for phrase, advice in PHRASES:
        exact = phrase.endswith("(?-i:)")
        phrase = phrase[:-6] if exact else phrase
        left = r"(?<![\w-])" if phrase[0].isalnum() or phrase[0] == "(" else ""
        right = r"(?![\w-])" if phrase[-1] not in " /" and not phrase.endswith(r"\b)") else ""
        list_.append((re.compile(f"{left}(?:{phrase}){right}", 0 if exact else re.IGNORECASE), advice))
    return list_


def prose_of_page(text):
    """Lines of a Markdown page with code spans, code blocks, comments and link targets blanked."""
    fenced = False
    for line in text.splitlines():
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
            yield ""
        elif fenced or line.startswith("    "):
            yield ""
        else:
            yield re.sub(r"<!--.*?-->", "", re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "`", line)))


def prose_of_deck(text):
    """Lines of a deck: comments and the title."""
    for line in text.splitlines():
        title = re.search(r'"title":\s*"((?:[^"\\]|\\.)*)"', line)
        comment = re.search(r"(?:^|\s)//(.*)", line)
        yield " ".join(found.group(1) for found in (title, comment) if found)


def is_text(literal):
    """Whether a string literal is text: a single word is a key or a name."""
    return re.search(r"\S\s+\S|[{}<>]", literal) is not None


def prose_of_source(text):
    """Lines of a C++ source: comments, without code spans, and string literals."""
    for line in text.splitlines():
        comment = re.search(r"(?:^|\s)//(.*)", line)
        code = line[:comment.start()] if comment else line
        strings = [] if code.lstrip().startswith("#include") else re.findall(r'"((?:[^"\\]|\\.)*)"', code)
        strings = [one for one in strings if is_text(one)]
        yield " ".join(strings + ([re.sub(r"`[^`]*`", "`", comment.group(1))] if comment else []))


def prose_of_python(text):
    """Lines of a Python program: comments and string literals, without the code in f-strings and code spans."""
    lines = [""] * (text.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or token.type == tokenize.STRING and is_text(token.string):
            prose = token.string
            if re.match(r"[rbu]*f", prose, re.IGNORECASE):
                prose = re.sub(r"\{[^{}]*\}", "{", prose)
            for k, part in enumerate(re.sub(r"`[^`\n]*`", "`", prose).splitlines()):
                lines[token.start[0] - 1 + k] += " " + part
    return lines


def texts_of(root, sources):
    """Yields (file, lines of prose)."""
    pages = [root / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "bench/README.md")]
    pages += sorted((root / "docs").rglob("*.md")) + sorted((root / "verification/cases").glob("*/README.md"))
    for page in pages:
        if page.is_file() and (sources or page != root / GENERATED):
            yield page, prose_of_page(page.read_text(encoding="utf-8"))
    for deck in sorted((root / "inputs").rglob("*.json")):
        yield deck, prose_of_deck(deck.read_text(encoding="utf-8"))
    if sources:
        for folder in ("core", "elements", "contact", "assembly", "solvers", "io", "verification", "bench", "fuzz"):
            for file in sorted((root / folder).rglob("*.[ch]pp")):
                yield file, prose_of_source(file.read_text(encoding="utf-8"))
            for file in sorted((root / folder).rglob("*.py")):
                if file.name != pathlib.Path(__file__).name:
                    yield file, prose_of_python(file.read_text(encoding="utf-8"))


def check(root, sources=False):
    """@returns a line for each phrase, and the number of files."""
    patterns, found, files = compiled(), [], 0
    for file, lines in texts_of(root, sources):
        files += 1
        for number, line in enumerate(lines, 1):
            if EXCUSE in line:
                continue
            for pattern, advice in patterns:
                for match in pattern.finditer(line):
                    found.append(f'{file.relative_to(root)}:{number}: "{match.group(0).strip()}"; use: {advice}')
    return found, files


def main():
    arguments = [a for a in sys.argv[1:] if a != "--sources"]
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent).resolve()
    found, files = check(root, "--sources" in sys.argv[1:])
    for line in found:
        print(line)
    print(f"{files} files, {len(found)} phrases to replace")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
