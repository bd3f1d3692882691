import math
import unittest

import slot_bin
from judging import largest, smallest

BIN = slot_bin.Bin(width=0.1, depth=0.03, slot=0.05, counted=0.02, opens=0.5, end=0.8, every=0.1, density=1000.0, young=1e6,
                   poisson=0.3, restitution=0.5)


class Curve(unittest.TestCase):
    def test_rows_between_the_times_are_interpolated(self):
        table = {"time": [0.0, 0.45, 0.55, 0.65, 0.75, 0.8], "bodies": [0, 0, 2, 6, 8, 10]}
        for got, expected in zip(BIN.curve(table, 10), [0.1, 0.4, 0.7, 1.0]):
            self.assertAlmostEqual(got, expected, places=12)

    def test_time_of_a_part(self):
        self.assertAlmostEqual(slot_bin.time_of(0.5, [0, 1, 2], [0, 0.4, 0.8]), 1.25)
        self.assertEqual(slot_bin.time_of(0.9, [0, 1, 2], [0, 0.4, 0.8]), math.inf)


class Plates(unittest.TestCase):
    def test_the_plug_closes_the_slot(self):
        plates = BIN.plates()
        self.assertEqual(largest(x for x, _, _ in plates["left"]), smallest(x for x, _, _ in plates["plug"]))
        self.assertEqual(smallest(x for x, _, _ in plates["right"]), largest(x for x, _, _ in plates["plug"]))
        self.assertAlmostEqual(largest(x for x, _, _ in plates["plug"]) - smallest(x for x, _, _ in plates["plug"]), 0.05)


if __name__ == "__main__":
    unittest.main()
