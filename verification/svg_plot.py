"""Plots as SVG text, of the standard library alone: curves and points, linear or logarithmic axes, a legend.

A plot is a plain dict (it is kept in a case's record): {"title", "x", "y", "x_log", "y_log", "series"}, where a
series is {"label", "x": [...], "y": [...], "style": "curve" | "dashed" | "points" | "both"}.
"""
import html
import math

# Okabe and Ito's colours, which people of all kinds of colour vision tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#444444", "#8A6D00")
WIDTH, LEFT, RIGHT, TOP, AREA = 560, 76, 14, 34, 270  # px; AREA: height of the field between the axes
MOST_POINTS = 600  # per series: more cannot be seen at this width
STYLES = ("curve", "dashed", "points", "both")
_SUPERSCRIPT = str.maketrans("-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")


def thinned(points, most=MOST_POINTS):
    """At most about `most` of the points (x, y): of each run of neighbours the lowest and the highest, so that
    spikes stay."""
    if len(points) <= most:
        return points
    size = math.ceil(2 * len(points) / most)
    kept = []
    for start in range(0, len(points), size):
        run = range(start, min(start + size, len(points)))
        low, high = (pick(run, key=lambda k: points[k][1]) for pick in (min, max))
        kept += sorted({low, high})
    ends = {0, len(points) - 1}
    return [points[k] for k in sorted(ends.union(kept))]


class Axis:
    """Maps values to pixels and says where the ticks are. Widened to a margin around the values."""

    def __init__(self, values, log, pixels):
        self.log, self.pixels, self.exponent = log, pixels, 0
        low, high = (min(values), max(values)) if values else (1.0, 10.0) if log else (0.0, 1.0)
        if log:
            low, high = math.log10(low), math.log10(high)
        span = high - low
        if span <= 1e-12 * max(abs(low), abs(high), 1e-300):
            span = 1.0 if log else abs(high) or 1.0
            low, high = low - span / 2, high + span / 2
        self.low, self.high = low - 0.03 * span, high + 0.03 * span
        if not log:
            largest = max(abs(low), abs(high))
            if largest >= 1e5 or largest < 1e-2:
                self.exponent = 3 * math.floor(math.log10(largest) / 3)

    def place(self, value):
        value = math.log10(value) if self.log else value
        return self.pixels[0] + (value - self.low) / (self.high - self.low) * (self.pixels[1] - self.pixels[0])

    def ticks(self):
        """[(value, text)]."""
        if self.log:
            decades = range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1)
            if len(decades) >= 2:
                stride = math.ceil(len(decades) / 8)
                return [(10.0 ** k, f"10{str(k).translate(_SUPERSCRIPT)}") for k in decades if k % stride == 0]
            candidates = [m * 10.0 ** k for k in range(math.floor(self.low), math.ceil(self.high) + 1)
                          for m in (1, 1.5, 2, 3, 4, 5, 7)]
            return [(v, f"{v:.3g}") for v in candidates if self.low <= math.log10(v) <= self.high]
        raw = (self.high - self.low) / 8
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw)
        digits = max(0, -math.floor(math.log10(step) + 1e-9) + self.exponent)
        first = math.ceil(self.low / step - 1e-9)
        values = [k * step for k in range(first, math.floor(self.high / step + 1e-9) + 1)]
        return [(v, f"{v / 10.0 ** self.exponent:.{digits}f}") for v in values]

    def caption(self, text):
        if not self.exponent:
            return text
        power = f"10{str(self.exponent).translate(_SUPERSCRIPT)}"
        return text.replace("[", f"[{power} ", 1) if "[" in text else f"{text} [{power}]"


def _visible(series, x_log, y_log):
    """The points of a series that have a place on the axes."""
    return [(x, y) for x, y in zip(series["x"], series["y"])
            if math.isfinite(x) and math.isfinite(y) and (x > 0 or not x_log) and (y > 0 or not y_log)]


def _mark(style, colour, path):
    """SVG of a series along the pixel points `path`."""
    parts = []
    if style != "points" and len(path) > 1:
        dash = ' stroke-dasharray="6 4"' if style == "dashed" else ""
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in path)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
    if style in ("points", "both"):
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="#fff" stroke="{colour}" stroke-width="1.2"/>'
                  for x, y in path]
    return "".join(parts)


def _legend(series, top):
    """(SVG, height) of the legend below the field, in rows."""
    parts, x, y = [], LEFT, top
    for number, one in enumerate(series):
        width = 34 + 6.9 * len(one["label"])
        if x > LEFT and x + width > WIDTH - RIGHT:
            x, y = LEFT, y + 18
        colour = COLOURS[number % len(COLOURS)]
        parts.append(_mark(one["style"], colour, [(x, y - 4), (x + 11, y - 4), (x + 22, y - 4)]))
        parts.append(f'<text x="{x + 28:.0f}" y="{y}">{html.escape(one["label"])}</text>')
        x += width + 10
    return "".join(parts), y - top + 18


def svg(plot):
    """The plot as an <svg> element."""
    x_log, y_log = plot.get("x_log", False), plot.get("y_log", False)
    points = [_visible(one, x_log, y_log) for one in plot["series"]]
    xs, ys = ([p[k] for run in points for p in run] for k in (0, 1))
    bottom = TOP + AREA
    across, up = Axis(xs, x_log, (LEFT, WIDTH - RIGHT)), Axis(ys, y_log, (bottom, TOP))
    parts = [f'<text x="{LEFT}" y="18" class="title">{html.escape(plot["title"])}</text>']
    for value, text in across.ticks():
        x = across.place(value)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" class="grid"/>'
                     f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{text}</text>')
    for value, text in up.ticks():
        y = up.place(value)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" class="grid"/>'
                     f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    parts.append(f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - RIGHT - LEFT}" height="{AREA}" class="frame"/>')
    for number, (one, run) in enumerate(zip(plot["series"], points)):
        path = [(across.place(x), up.place(y)) for x, y in thinned(run)]
        parts.append(_mark(one["style"], COLOURS[number % len(COLOURS)], path))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle:.0f}" y="{bottom + 36}" text-anchor="middle">'
                 f'{html.escape(across.caption(plot["x"]))}</text>')
    centre = TOP + AREA / 2
    parts.append(f'<text x="14" y="{centre:.0f}" text-anchor="middle" transform="rotate(-90 14 {centre:.0f})">'
                 f'{html.escape(up.caption(plot["y"]))}</text>')
    legend, height = _legend(plot["series"], bottom + 60)
    parts.append(legend)
    total = bottom + 50 + height
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}" '
            f'height="{total}" font-family="sans-serif" font-size="12" fill="#222">'
            '<style>.grid{stroke:#e3e3e3;stroke-width:1}.frame{fill:none;stroke:#666}'
            f'.title{{font-weight:bold;font-size:13px}}</style>{"".join(parts)}</svg>')
