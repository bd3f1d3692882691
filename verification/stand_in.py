"""Stands in for the program in tests of the cases: integrates the decks of the impact cases by reference_impact.py, so that a
case can be seen to hold on right results and to miss on wrong ones without a build. Standard library only."""
import pathlib

import harness
import reference_impact as impact


class Results:
    """As harness.Run: tables by the name of their file."""

    def __init__(self, tables):
        self.tables = tables
        self.wall_seconds = self.core_seconds = 0.0
        self.report = {}

    def history(self, name):
        return self.tables[name]


class Case(harness.Case):
    """A case whose runs come from `integrate(deck) -> {file: table}`. What it judges is gathered and not printed."""

    def __init__(self, name, integrate):
        super().__init__(name, "/bin/false", pathlib.Path("/nonexistent"))
        self.integrate = integrate

    def run(self, deck, name, **_):
        return Results(self.integrate(deck))

    def _row(self, what, measured, expected, holds, why):
        self.rows.append((what, measured, expected, bool(holds), why))

    def tell(self, what, measured):
        self.told.append((what, str(measured)))

    def missed(self):
        return [row[0] for row in self.rows if not row[3]]


def impacts(deck, stiffness=1.0, damping=1.0):
    """Histories of the pairs of a deck of two_particle_impact; the factors make it wrong."""
    bodies = {body["name"]: body for body in deck["bodies"]}
    laws = {interface["between"][0]: interface for interface in deck["interfaces"]}
    step = deck["time"]["step"]
    tables = {}
    original = impact.STIFFNESS
    impact.STIFFNESS = original * stiffness
    try:
        for history in deck["output"]["histories"]:
            body = bodies[history["body"]]
            law = laws[body["material"]]
            pair = impact.Pair(damping * law["normal"]["damping"] / impact.RATE, "friction" in law)
            state = (*body["position"][:2], *body["velocity"][:2], body["angular_velocity"][2])
            rows = [(0.0, *state)]
            for k in range(1, round(deck["time"]["end"] / step) + 1):
                state = pair.step(deck["integrator"]["alpha"])(state, step)
                rows.append((k * step, *state))
            tables[history["file"]] = dict(zip(history["columns"], zip(*rows)))
    finally:
        impact.STIFFNESS = original
    return tables


def walls(deck, stiffness=1.0):
    """Histories of the spheres of a deck of walls_250_collisions, whatever its integrator, by the variational one."""
    bodies = {body["name"]: body for body in deck["bodies"]}
    step = deck["time"]["step"]
    count = round(deck["time"]["end"] / step)
    tables = {}
    original = impact.STIFFNESS
    impact.STIFFNESS = original * stiffness
    try:
        for history in deck["output"]["histories"]:
            rows, due = [], 0.0
            for k, (x, v) in enumerate(impact.between_walls(bodies[history["body"]]["position"][0], step, count),
                                       1):
                if k * step >= due - 1e-15:
                    rows.append((k * step, x, v))
                    due += history["every"]
            tables[history["file"]] = dict(zip(history["columns"], zip(*rows)))
    finally:
        impact.STIFFNESS = original
    return tables
