"""What beds are measured by, on bodies whose measures are known."""
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import superquadric_bed as beds  # noqa: E402

HALF_TURN = math.sqrt(0.5)  # w and x of the quaternion that turns by 90 degrees about x


def bed(places, half_axes, blockiness, quaternion=(1.0, 0.0, 0.0, 0.0)):
    table = {axis: [place[k] for place in places] for k, axis in enumerate("xyz")}
    table.update({name: [value] * len(places) for name, value in zip(("qw", "qx", "qy", "qz"), quaternion)})
    return beds.Bed(table, half_axes, blockiness)


class Measures(unittest.TestCase):
    def test_support_is_that_of_theory_06_section_12(self):
        m = (1 / 3, -2 / 3, 2 / 3)
        self.assertAlmostEqual(beds.support((1, 2, 3), (3, 5), m), 2.805913811917, delta=1e-11)

    def test_volume_is_that_of_theory_06_section_12(self):
        self.assertAlmostEqual(beds.volume((1, 2, 3), (3, 5)), 36.765476651185, delta=1e-10)

    def test_tops_follow_the_orientation(self):
        upright = bed([(0, 0, 1)], (0.1, 0.2, 0.3), (8, 2))
        lying = bed([(0, 0, 1)], (0.1, 0.2, 0.3), (8, 2), (HALF_TURN, HALF_TURN, 0, 0))  # y is up
        self.assertAlmostEqual(upright.tops()[0], 1.3)
        self.assertAlmostEqual(lying.tops()[0], 1.2)

    def test_surface_is_that_of_the_highest_body_above_a_place(self):
        two = bed([(0, 0, 0.1), (0, 0.05, 0.4)], (0.1, 0.1, 0.1), (2, 2))
        self.assertAlmostEqual(two.height_at(0, 0.05, 1e-4), 0.5, delta=1e-4)
        self.assertAlmostEqual(two.height_at(0, -0.06, 1e-4), 0.1 + 0.08, delta=1e-4)
        self.assertEqual(two.height_at(0.2, 0, 1e-4), 0.0)

    def test_packing_of_a_lattice_is_volume_over_volume_also_across_the_faces_of_the_cell(self):
        places = [(0.25 * i, 0.25 * j, 0.25 * k) for i in range(4) for j in range(4) for k in range(8)]
        measured = bed(places, (0.1, 0.1, 0.1), (2, 2)).slab_packing(1.0, 0.375, 1.375, 20000)
        self.assertAlmostEqual(measured, 4 / 3 * math.pi * 0.1 ** 3 / 0.25 ** 3, delta=0.012)  # 4 deviations

    def test_coordination_counts_loaded_contacts_between_bodies_twice(self):
        contacts = {"body_b": ["floor", 1.0, 2.0, 3.0], "fn": [2.0, 1.0, 0.0, 3.0]}
        self.assertEqual(beds.coordination(contacts, ("floor",), 4), 1.0)


if __name__ == "__main__":
    unittest.main()
