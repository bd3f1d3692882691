"""Comparisons of measured with expected, and the figures that are judged by them. Standard library only."""
import math

import svg_plot


def largest(values, default=math.nan):
    """The largest of `values`; not a number if one of them is not a number, where max() would drop it or not by its place. `default` if
    there are no values."""
    found = None
    for value in values:
        if math.isnan(value):
            return math.nan
        if found is None or value > found:
            found = value
    return default if found is None else found


def smallest(values, default=math.nan):
    """The smallest, as largest()."""
    return -largest((-value for value in values), -default)


class Comparisons:
    """Gathers rows; each says what was expected and why the tolerance is what it is."""

    def __init__(self, name, readme=""):
        self.name = name
        self.readme = readme  # Markdown, its first line is a title
        self.rows = []  # (what, measured, expected, holds, why, beyond, bound), see _row
        self.told = []  # (what, figure), reported and not judged
        self.plots = []  # as svg_plot.py takes them
        self.seconds = 0.0  # wall time of the whole
        self.skipped = ""  # why it was not run
        self.is_slow = False

    def _row(self, what, measured, expected, holds, why, beyond, bound=None):
        """beyond: by how much the bound is missed, in the unit of the row; at most 0 where it holds, math.inf where that
        cannot be stated. bound: of what is wanted to be small, None for other rows."""
        self.rows.append((what, measured, expected, bool(holds), why, math.inf if math.isnan(beyond) else beyond, bound))
        print(f"  {'PASS' if holds else 'FAIL'}  {what}: {measured}  (expected {expected})"
              + ("" if holds else f"\n         {why}"), flush=True)

    def equal(self, what, measured, reference, why, relative=0.0, absolute=0.0):
        """|measured - reference| <= relative |reference| + absolute."""
        tolerance = relative * abs(reference) + absolute
        shown = f"{reference:.9g} +- {tolerance:.2g}"
        off = abs(measured - reference)
        self._row(what, f"{measured:.9g}", shown, off <= tolerance, why, off - tolerance, tolerance)

    def at_most(self, what, measured, limit, why):
        self._row(what, f"{measured:.4g}", f"<= {limit:.4g}", measured <= limit, why, measured - limit, limit)

    def at_least(self, what, measured, limit, why):
        self._row(what, f"{measured:.4g}", f">= {limit:.4g}", measured >= limit, why, limit - measured)

    def true(self, what, holds, why):
        self._row(what, "yes" if holds else "no", "yes", holds, why, 0.0 if holds else 1.0)

    def none(self, what, count, why, applies=True):
        """`count` must be 0; applies: False if there was nothing to count in, which fails too."""
        self._row(what, str(count), "0", count == 0 and applies, why, float(count) if applies else math.inf)

    def fail(self, what, reason):
        """A row for what could not be finished at all."""
        self._row(what, "failed", "finished", False, reason, math.inf)

    def skip(self, reason):
        """Nothing is compared, because something is missing that is no part of the repository."""
        self.skipped = reason
        print(f"         not run: {reason}", flush=True)

    def tell(self, what, measured):
        """A figure that is reported and not judged."""
        self.told.append((what, str(measured)))
        print(f"         {what}: {measured}", flush=True)

    def plot(self, title, x, y, series, log=""):
        """A plot for the page of `run_case.py --html`. x, y: captions of the axes, with units. log: "", "x", "y" or
        "xy". series: (label, x values, y values, style) each, style as in svg_plot.STYLES; by habit what was measured
        is a curve and the reference is points. Only what can be seen is kept of long series."""
        kept = []
        for label, xs, ys, style in series:
            xs, ys = list(xs), list(ys)
            if style not in svg_plot.STYLES or len(xs) != len(ys):
                raise ValueError(f"series \"{label}\" of \"{title}\": style {style}, {len(xs)} and {len(ys)} values")
            points = svg_plot.thinned([(float(a), float(b)) for a, b in zip(xs, ys)
                                       if math.isfinite(a) and math.isfinite(b)])
            kept.append({"label": label, "x": [p[0] for p in points], "y": [p[1] for p in points], "style": style})
        self.plots.append({"title": title, "x": x, "y": y, "x_log": "x" in log, "y_log": "y" in log, "series": kept})

    def record(self):
        """All that the report needs, as JSON can keep it."""
        names = ("what", "measured", "expected", "holds", "why", "beyond", "bound")
        return {"name": self.name, "readme": self.readme, "slow": self.is_slow, "seconds": self.seconds,
                "holds": self.holds, "skipped": self.skipped, "rows": [dict(zip(names, row)) for row in self.rows],
                "told": self.told, "plots": self.plots}

    @property
    def holds(self):
        return bool(self.rows) and all(row[3] for row in self.rows)
