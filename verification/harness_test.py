"""The harness, the layer check and the reference integration, on data with known answers."""
import math
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import check_layers  # noqa: E402
import harness  # noqa: E402
import reference_block  # noqa: E402


class Decks(unittest.TestCase):
    def test_comments_go_and_strings_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "deck.json"
            path.write_text('// head\n{"a": "http://x /* y */", /* gone\n */ "b": "\\"//\\"", "c": 1} // tail\n')
            self.assertEqual(harness.read_deck(path), {"a": "http://x /* y */", "b": '"//"', "c": 1})

    def test_tables_keep_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "t.csv"
            path.write_text("body_a,fn\nfloor,1.5\n7,2\n")
            self.assertEqual(harness.read_table(path), {"body_a": ["floor", 7.0], "fn": [1.5, 2.0]})


class Judging(unittest.TestCase):
    def test_a_case_holds_only_if_every_row_does(self):
        case = harness.Case("any", "/bin/true", tempfile.gettempdir())
        self.assertFalse(case.holds, "a case without comparisons shows nothing")
        case.equal("x", 1.0, 1.01, "", relative=0.02)
        self.assertTrue(case.holds)
        case.equal("x", 1.0, 1.03, "", relative=0.02)
        self.assertFalse(case.holds)

    def test_not_a_number_never_holds(self):
        for judge in ("at_most", "at_least"):
            case = harness.Case("any", "/bin/true", tempfile.gettempdir())
            getattr(case, judge)("x", math.nan, 1.0, "")
            self.assertFalse(case.holds, judge)

    def test_turned_angle_is_sharp_for_small_angles(self):
        angle, start = 1e-10, reference_block.axis_angle((1, 2, 3), 77)
        half = angle / 2
        turn = (math.cos(half), 0.0, math.sin(half), 0.0)
        end = (turn[0] * start[0] - turn[2] * start[2], turn[0] * start[1] + turn[2] * start[3],
               turn[0] * start[2] + turn[2] * start[0], turn[0] * start[3] - turn[2] * start[1])
        table = {name: [start[k], end[k]] for k, name in enumerate(("qw", "qx", "qy", "qz"))}
        self.assertAlmostEqual(harness.turned_angle(table, 1) / angle, 1.0, places=5)


class Reference(unittest.TestCase):
    def test_law_is_continuous_with_its_slope_and_energy(self):
        law = reference_block.Law()
        d = 1e-9
        for gap in (law.inner, 0.5 * law.inner, 0.7 * law.threshold):
            self.assertAlmostEqual(law.force(gap - d) / law.force(gap + d), 1.0, places=4)
            self.assertAlmostEqual((law.energy(gap - d) - law.energy(gap + d)) / (2 * d) / law.force(gap), 1.0, places=5)
        left, right = (law.force(law.inner - d) - law.force(law.inner)), (law.force(law.inner) - law.force(law.inner + d))
        self.assertAlmostEqual(left / right, 1.0, places=4)

    def test_tumbling_keeps_energy_and_spin_about_the_vertical(self):
        block = reference_block.Block(reference_block.Law())
        q = reference_block.axis_angle((2, 1, 0), 20)
        z = 0.051 - reference_block.lowest(q, 0.1)
        events = list(block.integrate(z, q, 0.0, (0.0, 0.0, 3.0), 0.15))
        self.assertGreater(len(events), 4)
        start = block.energy(*events[0][1:])
        for event in events:
            self.assertLess(abs(block.energy(*event[1:]) - start), 1e-9)
            self.assertAlmostEqual(event[4][2], 3.0, places=12)


class Layers(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return check_layers.check(root)[0]

    def test_arrows_of_the_table_pass(self):
        self.assertEqual(self.check({"core/a.hpp": "#include <vector>\n", "contact/b.cpp": '#include "core/a.hpp"\n'}), [])

    def test_arrows_against_the_table_fail(self):
        faults = self.check({"contact/b.hpp": "", "elements/c.cpp": '#include "contact/b.hpp"\n'})
        self.assertEqual(len(faults), 1)
        self.assertIn("elements may not include contact", faults[0])

    def test_libraries_stay_in_their_layers(self):
        self.assertEqual(len(self.check({"contact/b.cpp": "#include <petscvec.h>\n#include <nlohmann/json.hpp>\n"})), 2)
        self.assertEqual(self.check({"assembly/b.cpp": "#include <petscvec.h>\n"}), [])

    def test_circles_fail(self):
        faults = self.check({"core/a.hpp": '#include "core/b.hpp"\n', "core/b.hpp": '#include "core/a.hpp"\n'})
        self.assertTrue(any("circle" in fault for fault in faults), faults)

    def test_the_intersection_test_shares_no_code(self):
        faults = self.check({"core/a.hpp": "", "verification/intersection/x.cpp": '#include "core/a.hpp"\n'})
        self.assertIn("shares no code", faults[0])


if __name__ == "__main__":
    unittest.main()
