#!/usr/bin/env python3
"""Links in pages lead somewhere: fails on relative links and anchors that do not exist.

usage: check_links.py [ROOT]
Checks every Markdown file of the tree: the target of each relative link or picture must be a file or folder inside the tree, and an
anchor must be a heading of the target page (GitHub's rules). Pages under docs/ that sources, scripts and decks name in their text must
exist too. Links to other sites are not followed. Exit status 0, or 1 with one line per broken link.
"""
import pathlib
import re
import sys

SKIPPED = {".git", "results", "__pycache__", ".cache"}
SOURCES = {".hpp", ".cpp", ".py", ".json", ".txt", ".sh"}
OWN_TEST = "check_pages_test.py"  # names pages that do not exist
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
NAMED_PAGE = re.compile(r"\bdocs/[\w./-]+\.md\b")
ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def files_of(root):
    """Files of the tree, without build folders and results."""
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if any(part in SKIPPED or part.startswith("build") for part in parts[:-1]):
            continue
        if path.is_file():
            yield path


def without_code(text):
    """The text with code blocks and code spans blanked; lines keep their numbers."""
    lines, fenced = [], False
    for line in text.splitlines():
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
            lines.append("")
        else:
            lines.append("" if fenced else re.sub(r"`[^`]*`", "``", line))
    return "\n".join(lines)


def anchor_of(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading.replace("`", ""))
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def anchors_of(text):
    """All anchors of a page; headings with equal text get -1, -2, ... ."""
    found, fenced = {}, False
    for line in text.splitlines():
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
        heading = None if fenced else re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            anchor = anchor_of(heading.group(1))
            number = found.get(anchor, -1) + 1
            found[anchor] = number
            if number:
                found[f"{anchor}-{number}"] = 0
    return set(found) | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def broken_link(root, page, target):
    """@returns why a link of a page leads nowhere, "" if it does not."""
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if not path.is_relative_to(root):
        return "leaves the repository"
    if not path.exists():
        return "no such file"
    if anchor and path.suffix == ".md" and anchor not in anchors_of(path.read_text(encoding="utf-8")):
        return f"no heading #{anchor}"
    return ""


def check(root):
    """@returns a line for each broken link, and the number of links."""
    broken, count = [], 0
    for file in files_of(root):
        where = file.relative_to(root)
        if file.suffix == ".md":
            # A link may run over the end of a line.
            text = without_code(file.read_text(encoding="utf-8"))
            for match in LINK.finditer(text):
                if ELSEWHERE.match(match.group(1)):
                    continue
                count += 1
                why = broken_link(root, file, match.group(1))
                if why:
                    broken.append(f"{where}:{text.count(chr(10), 0, match.start()) + 1}: {match.group(1)}: {why}")
        elif file.suffix in SOURCES and file.name != OWN_TEST and where.parts[:2] != ("fuzz", "corpus"):
            for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                for name in NAMED_PAGE.findall(line):
                    count += 1
                    if not (root / name).is_file():
                        broken.append(f"{where}:{number}: {name}: no such file")
    return broken, count


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    broken, count = check(root)
    for line in broken:
        print(line)
    print(f"{count} links, {len(broken)} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
