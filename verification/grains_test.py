"""hopper_discharge, heap_slope and silo_pressure distinguish made-up results that depend on friction from ones that do not."""
import contextlib
import io
import math
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import grains  # noqa: E402
import harness  # noqa: E402


class Results:
    """What harness.Run offers, made by a function of the file's name."""

    def __init__(self, table):
        self.history = table


class MadeUp(harness.Case):
    """`table(mu, file)` stands for the results of a deck with friction mu."""

    def __init__(self, name, table):
        super().__init__(name, "/bin/true", tempfile.gettempdir())
        self.table = table

    def run(self, deck, name, **_):  # pylint: disable=arguments-differ
        mu = deck["interfaces"][0].get("friction", {"static": 0.0})["static"]
        return Results(lambda file: self.table(mu, file))


def holds(name, table):
    case = MadeUp(name, table)
    with contextlib.redirect_stdout(io.StringIO()):
        harness.load(name).compare(case)
    return case.holds


def bin_of(rate):
    """Grains that leave one after the other, all within 1 / rate(mu) seconds after the plug has gone."""
    def table(mu, file):
        leaves = 0.5 + int(file[len("grain"):-len(".csv")]) / 300 / rate(mu)
        times = [0.01 * k for k in range(84)]
        return {"time": times, "z": [-1.0 if t > leaves else 0.01 for t in times]}
    return table


def heap_of(angle):
    """A heap of grains of one size that rest, with a straight slope down to the rim."""
    module = harness.load("heap_slope")

    def table(mu, _):
        tangent, d = math.tan(math.radians(angle(mu))), grains.DIAMETER
        final = {column: [] for column in ("shape", "x", "z", "vx", "vy", "vz")}
        for k in range(int(module.WIDTH / module.COLUMN)):
            x = (k + 0.5) * module.COLUMN
            area = (1 + tangent * (module.WIDTH - x)) * module.COLUMN
            for layer in range(round(area * module.PACKING / (math.pi / 4))):
                row = (grains.shape_of_size(1.0), x * d, (layer + 0.5) * d, 0.0, 0.0, 0.0)
                for column, value in zip(final, row):
                    final[column].append(value)
        return final
    return table


class Grains(unittest.TestCase):
    def test_discharge(self):
        self.assertTrue(holds("hopper_discharge", bin_of(lambda mu: 2.0 / (1 + mu))))
        self.assertFalse(holds("hopper_discharge", bin_of(lambda mu: 2.0)))
        self.assertFalse(holds("hopper_discharge", bin_of(lambda mu: 2.0 / (1 + min(mu, 0.3)))))
        self.assertFalse(holds("hopper_discharge", bin_of(lambda mu: 2.0 * (1 + mu))))

    def test_slope(self):
        slope = harness.load("heap_slope").slope_deg
        module = harness.load("heap_slope")
        heap = heap_of(lambda mu: 20.0)(0.0, "")
        self.assertAlmostEqual(slope(module.left_on_platform(heap)), 20.0, delta=0.5)
        self.assertTrue(holds("heap_slope", heap_of(lambda mu: 30 * mu)))
        self.assertFalse(holds("heap_slope", heap_of(lambda mu: 10 + 30 * mu)))
        self.assertFalse(holds("heap_slope", heap_of(lambda mu: 5.0)))
        self.assertFalse(holds("heap_slope", heap_of(lambda mu: 40 * min(mu, 0.3))))

    def test_floor_of_a_silo(self):
        module = harness.load("silo_pressure")
        weights = (2.5, 5.0, 10.0)
        self.assertAlmostEqual(module.fitted([(w, module.carried(w, 3.7)) for w in weights]), 3.7, places=6)
        fluid = module.fitted([(w, w) for w in weights])
        self.assertGreater(fluid, 20 * weights[-1])  # K near 0
        self.assertAlmostEqual(module.carried(weights[0], fluid), weights[0], delta=0.02)


if __name__ == "__main__":
    unittest.main()
