"""A flat-bottomed bin with a slot that opens: what hopper_ellipsoids and hopper_cylinders share.

The slot runs along y from front to back, which are smooth walls or one (periodic); bodies settle on a plug, the plug goes, and an outlet below
counts what has fallen.
"""
import dataclasses
import math

from liggghts_law import hertz_tangential_history

GRAVITY = 9.81


@dataclasses.dataclass(frozen=True)
class Bin:
    """Lengths in m, times in s, E in Pa, density in kg/m^3."""
    width: float
    depth: float
    slot: float
    counted: float  # depth below the bottom at which a body counts as discharged
    opens: float
    end: float
    every: float  # between the rows of the curve
    density: float
    young: float
    poisson: float
    restitution: float
    periodic: bool = False  # along y

    def plates(self):
        """{name: corners} of the bottom's three parts, x from 0 to width; those beside the plug extend behind the walls."""
        low, high = (self.width - self.slot) / 2, (self.width + self.slot) / 2
        more = 0.2 * self.width
        spans = {"left": (-more, low), "right": (high, self.width + more), "plug": (low, high)}
        return {name: [[a, -more, 0], [b, -more, 0], [b, self.depth + more, 0], [a, self.depth + more, 0]]
                for name, (a, b) in spans.items()}

    def deck(self, title, shape, bodies, mu, step):
        """The law is that of LIGGGHTS' `hertz tangential history`. bodies: entries of the deck, of the shape "grain"."""
        normal, rough = hertz_tangential_history(self.restitution, mu, smooth=shape["type"] == "superquadric")
        planes = [("west", [0, 0, 0], [1, 0, 0], "grain"), ("east", [self.width, 0, 0], [-1, 0, 0], "grain"),
                  ("front", [0, 0, 0], [0, 1, 0], "glass"), ("back", [0, self.depth, 0], [0, -1, 0], "glass")]
        walls = planes[:2] if self.periodic else planes
        boundaries = [{"name": name, "type": "plane", "point": point, "normal": inward, "material": material}
                      for name, point, inward, material in walls]
        for name, corners in self.plates().items():
            active = {"active": [0, self.opens]} if name == "plug" else {}
            boundaries.append({"name": name, "type": "surface", "material": "grain", "vertices": corners,
                               "faces": [[0, 1, 2, 3]], **active})
        far = 10 * self.width
        elastic = {"young": self.young, "poisson": self.poisson}
        cell = {"periodic": {"y": [0, self.depth]}} if self.periodic else {}
        return {
            **cell,
            "title": title,
            "gravity": [0, 0, -GRAVITY],
            "time": {"end": self.end, "step": step},
            "integrator": {"type": "newmark"},
            "materials": {"grain": {"density": self.density, **elastic}, **({} if self.periodic else {"glass": elastic})},
            "shapes": {"grain": shape},
            "bodies": bodies,
            "boundaries": boundaries,
            "outlets": [{"name": "below", "region": {"min": [-far, -far, -far], "max": [far, far, -self.counted]}}],
            "interfaces": [{"between": ["*", "*"], "normal": normal, **({"friction": rough} if mu > 0 else {})},
                           *([] if self.periodic else [{"between": ["grain", "glass"], "normal": normal}])],
            "solver": {"newton": {"relative": 1e-4}},
            "output": {"histories": [
                {"file": "below.csv", "outlet": "below", "every": self.every},
                {"file": "energy.csv", "every": self.every,
                 "columns": ["time", "step", "kinetic_energy", "contacts", "newton_iterations", "closure_error"]}],
                "final_state": "final.csv"}}

    def curve(self, table, count):
        """[part of `count` bodies that has fallen] at the times(), from the history of the outlet, linear in between: its
        rows are at the ends of steps."""
        rows = list(zip(table["time"], (n / count for n in table["bodies"])))
        parts, row = [], 0
        for time in (self.opens + after for after in self.times()):
            while row + 2 < len(rows) and rows[row + 1][0] < time:
                row += 1
            (t0, p0), (t1, p1) = rows[row:row + 2]
            parts.append(p0 + (p1 - p0) * min(1.0, (time - t0) / (t1 - t0)))
        return parts

    def times(self):
        """After the opening: what curves are given at [s]."""
        return [k * self.every for k in range(int((self.end - self.opens) / self.every + 0.5) + 1)]


def time_of(part, times, curve):
    """When a rising curve reaches `part`, linear in between; infinity if it does not."""
    for (t0, p0), (t1, p1) in zip(zip(times, curve), zip(times[1:], curve[1:])):
        if p0 < part <= p1:
            return t0 + (part - p0) / (p1 - p0) * (t1 - t0)
    return math.inf
