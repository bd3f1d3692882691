#!/usr/bin/env python3
"""One page of all that was measured against reference: HTML with plots as inline SVG, no network, no script.

usage: report.py RUNS PAGE.html     from the records that run_case.py left below the folder RUNS
"""
import html
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import known_misses  # noqa: E402
import svg_plot  # noqa: E402

STYLE = """
body{font:15px/1.45 sans-serif;color:#222;max-width:1190px;margin:24px auto;padding:0 16px}
h1{font-size:24px} h2{font-size:19px;margin-top:44px;border-top:2px solid #ddd;padding-top:16px}
table{border-collapse:collapse;margin:10px 0} td,th{border:1px solid #ddd;padding:3px 9px;text-align:left;
vertical-align:top} th{background:#f4f4f4} td.n{text-align:right} .yes{color:#00734f} .no{color:#b00020;font-weight:bold}
.known{color:#8a5a00}
.why{color:#666} .plots{display:flex;flex-wrap:wrap;gap:14px;align-items:flex-start} svg{max-width:100%;height:auto}
.readme{background:#fafafa;border:1px solid #eee;padding:2px 16px;max-width:1020px} code,pre{background:#f1f1f1;padding:0 3px}
.info{color:#444} a{color:#0060a0;text-decoration:none}
"""


def _inline(text):
    """Code and emphasis of a Markdown line."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(f"<code>{html.escape(p[1:-1])}</code>" if len(p) > 1 and p[0] == "`" else
                   re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", html.escape(p)) for p in pieces)


def _table(lines):
    cells = [[_inline(c.strip()) for c in line.strip().strip("|").split("|")] for line in lines]
    head = "".join(f"<th>{c}</th>" for c in cells[0])
    body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in cells[2:])
    return f"<table><tr>{head}</tr>{body}</table>"


def markdown(text):
    """The Markdown that the READMEs use (paragraphs, tables, lists, code, one level of heading) as HTML."""
    parts = []
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.splitlines()
        if lines and lines[0].startswith("#"):
            parts.append(f"<h3>{_inline(lines.pop(0).lstrip('# '))}</h3>")
        if not lines:
            continue
        if lines[0].startswith("|"):
            parts.append(_table(lines))
        elif lines[0].startswith("    ") or lines[0].startswith("```"):
            parts.append("<pre>" + html.escape("\n".join(l for l in lines if not l.startswith("```"))) + "</pre>")
        elif re.match(r"[-*] |\d+\. ", lines[0]):
            items = re.split(r"\n(?=[-*] |\d+\. )", "\n".join(lines))
            parts.append("<ul>" + "".join(f"<li>{_inline(re.sub(r'^([-*]|[0-9]+[.]) ', '', i))}</li>" for i in items)
                         + "</ul>")
        else:
            parts.append(f"<p>{_inline(' '.join(lines))}</p>")
    return "".join(parts)


COLOURS = {"yes": "yes", "NO": "no"}  # classes of STYLE of verdicts and states; all others: "known"


def _cell(state):
    return f"<td class={COLOURS.get(state, 'known')}>{known_misses.STATUS[state]}</td>"


def _note(entry):
    """What is known about a listed row."""
    kind, spread = "Known miss", ""
    if "scatter" in entry:
        kind = "Scatters"
        spread = "; mean {mean:g}, standard deviation {deviation:g}, {samples:g} samples".format(**entry["scatter"])
    text = f"{kind}, {entry['row']}: {entry['measured']} for {entry['bound']}{spread}; {entry['reason']}."
    return f"<p class=known>{html.escape(text)}</p>"


def _section(record, known):
    """The part of the page about one case."""
    listed = {entry["row"]: entry for entry in known if entry["case"] == record["name"]}
    name = html.escape(record["name"])
    # The first line of a README is its title, which the heading of the section takes.
    title, _, rest = record["readme"].partition("\n")
    rows = "".join(
        f"<tr><td>{html.escape(r['what'])}</td><td class=n>{html.escape(r['measured'])}</td>"
        f"<td class=n>{html.escape(r['expected'])}</td>{_cell(known_misses.verdict(r, listed.get(r['what'])))}"
        f"<td class=why>{html.escape(r['why'])}</td></tr>"
        for r in record["rows"])
    notes = "".join(_note(entry) for entry in listed.values())
    notes += "".join(f"<p class=no>{html.escape(line)}</p>" for line in known_misses.complaints(record, known))
    if record.get("skipped"):
        notes += f"<p class=known>Not run: {html.escape(record['skipped'])}</p>"
    told = "".join(f"<li>{html.escape(what)}: {html.escape(str(measured))}</li>" for what, measured in record["told"])
    plots = "".join(svg_plot.svg(plot) for plot in record["plots"])
    return (f'<h2 id="{name}">{html.escape(title.lstrip("# "))}</h2><p><code>{name}</code>, '
            f'{record["seconds"]:.1f} s</p><div class=readme>{markdown(rest)}</div>{notes}'
            f"<table><tr><th>quantity</th><th>measured</th><th>reference</th><th>status</th><th>tolerance and rationale</th></tr>"
            f"{rows}</table>" + (f"<ul class=info>{told}</ul>" if told else "") + f"<div class=plots>{plots}</div>")


def page(records, context=""):
    """The whole page. @param context A line on the machine and the program."""
    known = known_misses.load()
    overview = []
    for record in records:
        held = sum(r["holds"] for r in record["rows"])
        state = known_misses.state(record, known)
        overview.append(
            f'<tr><td><a href="#{html.escape(record["name"])}">{html.escape(record["name"])}</a></td>'
            f'<td class=n>{held} of {len(record["rows"])}</td>{_cell(state)}<td class=n>{record["seconds"]:.1f}</td>'
            f'<td>{"slow" if record["slow"] else ""}</td></tr>')
    missed = [record["name"] for record in records if known_misses.complaints(record, known)]
    listed = [record["name"] for record in records if known_misses.state(record, known) in ("known", "scatters")]
    total = sum(len(record["rows"]) for record in records)
    passed = "all passed" + (f" except known misses and rows that scatter: {html.escape(', '.join(listed))}" if listed else "")
    verdict = f'<span class=no>failed: {html.escape(", ".join(missed))}</span>' if missed else f"<span class=yes>{passed}</span>"
    return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Scree verification report'
            f"</title><style>{STYLE}</style></head><body><h1>Scree verification report</h1>"
            f"<p>{len(records)} cases, {total} comparisons, {verdict}. {html.escape(context)}</p>"
            "<table><tr><th>case</th><th>comparisons</th><th></th><th>time [s]</th><th></th></tr>"
            f'{"".join(overview)}</table>{"".join(_section(record, known) for record in records)}</body></html>\n')


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    files = sorted(pathlib.Path(sys.argv[1]).glob("*/record.json"))
    records = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    if not records:
        sys.exit(f"no records below {sys.argv[1]}: run run_case.py first")
    pathlib.Path(sys.argv[2]).write_text(page(records), encoding="utf-8")
    return 1 if any(known_misses.complaints(record, known_misses.load()) for record in records) else 0


if __name__ == "__main__":
    sys.exit(main())
