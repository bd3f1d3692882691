"""The impact cases judge the integrated law as right, and laws that are wrong in one thing as wrong.

A stand-in for the program reads the decks of the cases and integrates each impact by reference_sphere.py, with other
steps than the cases' own reference.
"""
import contextlib
import io
import math
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import reference_sphere as sphere  # noqa: E402

STEPS = 250
FINE_STEPS = 1300  # where it is decided per step whether a dashpot acts
RUNS = {}  # of the integrator, by its arguments: the cases use the same ones several times
INTEGRATE = sphere.Impact.run


def remembered(impact, *arguments, **options):
    pair = impact.pair
    plain = {**vars(impact), "pair": (vars(pair.first), vars(pair.second), pair.stiffness, pair.shear)}
    key = repr((plain, [list(a) if isinstance(a, tuple) else a for a in arguments], options))
    if key not in RUNS:
        RUNS[key] = INTEGRATE(impact, *arguments, **options)
    return RUNS[key]


class Results:
    """What harness.Run offers, from memory."""

    def __init__(self, tables):
        self.tables = tables

    def history(self, name):
        return self.tables[name]


class StandIn(harness.Case):
    """`wrong` turns the constants of an impact (a dictionary) into those of a faulty program."""

    def __init__(self, name, wrong=None):
        super().__init__(name, "/bin/true", tempfile.gettempdir())
        self.wrong = wrong or (lambda constants: constants)

    def ball(self, deck, body):
        material = deck["materials"][body["material"]]
        ball = sphere.Ball(deck["shapes"][body["shape"]]["radius"], material["young"], material["poisson"],
                           material["density"])
        ball.inertia = body["inertia"][0]
        return ball

    def interface(self, deck, materials):
        for entry in reversed(deck["interfaces"]):
            if all(side in ("*", name) for side, name in zip(entry["between"], materials)):
                return entry
        raise AssertionError(f"no interface between {materials}")

    def run(self, deck, name, **_):  # pylint: disable=arguments-differ
        bodies = {body["name"]: body for body in deck["bodies"]}
        files = {entry["body"]: entry["file"] for entry in deck["output"].get("histories", [])}
        final = {column: [] for column in ("name", "x", "y", "vx", "vy", "wz")}
        tables = {"final.csv": final}
        for body in deck["bodies"]:
            if body["name"].endswith("_partner"):
                continue
            partner = bodies.get(body["name"] + "_partner")
            entry = self.interface(deck, (body["material"], partner["material"] if partner else "plane"))
            friction = entry.get("friction", {"static": 0.0, "dynamic": 0.0})
            clamp = entry["normal"]["no_tension"]
            constants = self.wrong({
                "mu": friction["static"], "xi": sphere.damping_ratio(entry["normal"]["restitution"], clamp),
                "no_tension": clamp, "dashpot": friction.get("damping", 0.0),
                "dashpot_ratio": friction.get("damping_ratio", 0.0), "limit": friction.get("limit", "coulomb"),
                "elastic_limit": friction.get("limiting_force") == "elastic",
                "spring": friction.get("spring", "dissipative"), "shear": 1.0, "modulus": 1.0})
            ball, other = self.ball(deck, body), self.ball(deck, partner) if partner else sphere.PLANE
            pair = sphere.Pair(ball, other)
            pair.shear *= constants.pop("shear")
            pair.stiffness *= constants.pop("modulus")
            moving = partner or {"position": [0, 0, 0], "velocity": [0, 0, 0], "angular_velocity": [0, 0, 0]}
            result = sphere.Impact(pair, **constants).run(
                body["velocity"][:2], body["angular_velocity"][2], moving["velocity"][:2],
                moving["angular_velocity"][2], steps=STEPS if constants["limit"] == "coulomb" else FINE_STEPS)
            for who, speed, spin in ((body, result["velocity"], result["spin"]),
                                     (partner, result["other_velocity"], result["other_spin"])):
                if who:
                    for column, value in zip(final, (who["name"], math.nan, math.nan, *speed, spin)):
                        final[column].append(value)
            if body["name"] in files:
                tables[files[body["name"]]] = self.history(body, moving, ball, result, deck["time"]["end"])
        return Results(tables)

    @staticmethod
    def history(body, moving, ball, result, end):
        share = 2 if "name" in moving else 1
        gap = body["position"][1] - ball.radius
        closing = moving["velocity"][1] - body["velocity"][1]
        rows = [(0.0, -gap, 0.0, 0.0)] + [(gap / closing + t, *rest) for t, *rest in result["history"][:-1]]
        last = (result["history"][-1][0] + gap / closing, result["history"][-1][1])
        parting = result["velocity"][1] - result["other_velocity"][1]
        rows.append((end, last[1] - parting * (end - last[0]), 0.0, 0.0))
        middle = gap / 2 if share == 2 else 0.0
        return {"time": [row[0] for row in rows], "y": [ball.radius + middle - row[1] / share for row in rows],
                "vy": [body["velocity"][1]] * (len(rows) - 1) + [result["velocity"][1]],
                "fy": [row[2] for row in rows]}


def holds(name, wrong=None):
    case = StandIn(name, wrong)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        harness.load(name).compare(case)
    return case.holds, said.getvalue()


def changed(**changes):
    """Constants with factors on some."""
    return lambda constants: {key: value * changes[key] if key in changes else value
                              for key, value in constants.items()}


def without_clamp(constants):
    return {**constants, "no_tension": False}


def other_spring(constants):
    return {**constants, "spring": "force" if constants["spring"] == "slip" else "slip"}


def other_limit(constants):
    return {**constants, "limit": "coulomb" if constants["limit"] == "stored" else "stored"}


FAULTS = {
    "chung_ooi_1": [changed(modulus=1.01), changed(modulus=0.99)],
    "chung_ooi_2": [changed(modulus=1.01)],
    "chung_ooi_3": [changed(xi=1.02), without_clamp],
    "chung_ooi_4": [changed(mu=1.01), changed(mu=0.0), changed(shear=0.9), changed(xi=0.0), other_spring],
    "chung_ooi_5": [changed(mu=0.99), changed(shear=0.9), other_spring],
    "chung_ooi_6": [changed(mu=1.01), changed(xi=0.98), changed(shear=0.8), changed(dashpot_ratio=0.9), other_limit],
    "chung_ooi_7": [changed(xi=0.95)],
    "chung_ooi_8": [changed(mu=1.01), changed(shear=0.9), other_limit],
}


LONG = bool(os.environ.get("SCREE_LONG_TESTS"))
OF_SECONDS = ("chung_ooi_4", "chung_ooi_6", "chung_ooi_8")  # ten and more


class Impacts(unittest.TestCase):
    def setUp(self):
        sphere.Impact.run = remembered

    def tearDown(self):
        sphere.Impact.run = INTEGRATE

    def test_restitution_in_closed_form_is_that_of_the_integrated_law(self):
        ball = sphere.Ball(0.01, 1e8, 0.3, 2000)
        for clamp in (False, True):
            for ratio in (0.05, 0.3, 0.8):
                result = sphere.Impact(sphere.Pair(ball), xi=ratio, no_tension=clamp).run((0.0, -0.7), steps=4000)
                self.assertAlmostEqual(result["velocity"][1] / 0.7, sphere.realised(ratio, clamp), places=3)

    def test_momentum_and_angular_momentum_stay(self):
        a, b = sphere.Ball(0.01, 1e7, 0.3, 2000), sphere.Ball(0.03, 3e7, 0.2, 1500)
        result = sphere.Impact(sphere.Pair(a, b), 0.4, 0.2).run((1.0, -1.0), 20.0, (0.0, 0.3), -5.0)
        u, w = result["velocity"], result["other_velocity"]
        self.assertAlmostEqual(a.mass * u[0] + b.mass * w[0], a.mass * 1.0, places=12)
        self.assertAlmostEqual(a.mass * u[1] + b.mass * w[1], -a.mass + 0.3 * b.mass, places=12)

    def test_cases_hold_for_the_right_law(self):
        for name in FAULTS if LONG else FAULTS.keys() - OF_SECONDS:
            right, said = holds(name)
            self.assertTrue(right, f"{name}\n{said}")

    @unittest.skipUnless(LONG, "half a minute; SCREE_LONG_TESTS=1 runs it")
    def test_cases_fail_for_wrong_laws(self):
        for name, faults in FAULTS.items():
            for number, wrong in enumerate(faults):
                self.assertFalse(holds(name, wrong)[0], f"{name}, fault {number}")


if __name__ == "__main__":
    unittest.main()
