"""The harness, the layer check and the reference integration, on data with known answers."""
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import check_layers  # noqa: E402
import harness  # noqa: E402
import judging  # noqa: E402
import reference_block  # noqa: E402
import report  # noqa: E402
import stand_in  # noqa: E402
import svg_plot  # noqa: E402


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
        case = judging.Comparisons("any")
        self.assertFalse(case.holds, "a case without comparisons shows nothing")
        case.equal("x", 1.0, 1.01, "", relative=0.02)
        self.assertTrue(case.holds)
        case.equal("x", 1.0, 1.03, "", relative=0.02)
        self.assertFalse(case.holds)

    def test_not_a_number_never_holds(self):
        for judge in ("at_most", "at_least"):
            case = judging.Comparisons("any")
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


class CoupledByPrecice(unittest.TestCase):
    def test_a_run_that_does_not_exist_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            measured = subprocess.run([sys.executable, str(harness.ROOT / "inputs/coupling/precice/run.py"), folder, "--results", folder,
                                       "--only", "oblik"], capture_output=True, text=True, check=False)
            self.assertEqual(measured.returncode, 2, measured.stderr)
            self.assertIn("oblik", measured.stderr)
            self.assertIn("oblique", measured.stderr)


class Resuming(unittest.TestCase):
    def test_only_what_the_same_binary_finished_with_the_same_deck_is_taken(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            binary = folder / "program"

            def build(status):
                binary.write_text(f"#!/bin/sh\necho run >> {folder}/runs\nmkdir -p results\nexit {status}\n")
                binary.chmod(0o755)

            def runs(deck, **how):
                program = harness.Program(binary, folder / "work", resume=True)
                program.run(deck, "a", **how)
                return (folder / "runs").read_text().count("run")

            build(0)
            self.assertEqual(runs({"x": 1}), 1)
            self.assertEqual(runs({"x": 1}), 1)
            self.assertEqual(runs({"x": 2}), 2)
            self.assertEqual(runs({"x": 2}, options=["--quiet"]), 3)
            build(1)
            for _ in range(2):
                with self.assertRaises(harness.CaseError):
                    runs({"x": 2}, options=["--quiet"])
            self.assertEqual((folder / "runs").read_text().count("run"), 5)


    def test_what_the_intersection_test_told_is_kept_with_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            program, checker = folder / "program", folder / "checker"
            program.write_text("#!/bin/sh\nmkdir -p results\ntouch trace.0\n")
            checker.write_text(f"#!/bin/sh\necho x >> {folder}/asked\nls $1.0 || exit 3\n"
                               "echo intersections 0\necho states 7\necho smallest separation 1e-3\n")
            for file in (program, checker):
                file.chmod(0o755)
            for asked in (1, 1):
                made = harness.Program(program, folder / "work", checker, resume=True)
                made.run({}, "a", trace=True)
                self.assertEqual(made.intersections("a"), (0, 1e-3, 7))
                self.assertEqual((folder / "asked").read_text().count("x"), asked)
            made.run({"x": 1}, "a", trace=True)
            made.intersections("a")
            self.assertEqual((folder / "asked").read_text().count("x"), 2)


class Pages(unittest.TestCase):
    PLOT = {"title": "a < b & c", "x": "t [s]", "y": "E [J]", "x_log": False, "y_log": True,
            "series": [{"label": "measured", "x": [0.0, 1.0, 2.0, 3.0], "y": [1e-9, 1e-3, 0.0, math.nan],
                        "style": "curve"},
                       {"label": "reference", "x": [0.0, 1.0], "y": [1e-9, 1e-3], "style": "points"}]}

    def record(self, holds):
        case = harness.Case("free_top_euler", "/bin/true", tempfile.gettempdir())
        case.equal("order", 2.0 if holds else 1.0, 2.0, "h^2", absolute=0.1)
        case.tell("seen", "1 < 2")
        case.plot("x", "t [s]", "x [m]", [("run", range(5), range(5), "curve")])
        return case.record()

    def test_a_plot_is_well_formed_and_leaves_out_what_has_no_place_on_its_axes(self):
        root = xml.etree.ElementTree.fromstring(svg_plot.svg(self.PLOT))
        lines = [e for e in root.iter() if e.tag.endswith("polyline")]
        self.assertEqual(len(lines[0].get("points").split()), 2, "0 and NaN have no logarithm")
        texts = [e.text for e in root.iter() if e.tag.endswith("text")]
        self.assertIn("a < b & c", texts)
        self.assertIn("reference", texts)

    def test_points_lie_where_their_values_are(self):
        axis = svg_plot.Axis([0.0, 10.0], False, (100, 200))
        self.assertAlmostEqual(axis.place(5.0), 150.0)
        axis = svg_plot.Axis([1e-4, 1.0], True, (300, 100))
        self.assertAlmostEqual(axis.place(1e-2), 200.0)

    def test_ticks_tell_their_own_value(self):
        for values in ([0.9991, 1.0003], [0.0, 6.5e-9], [-3e5, 4e6], [0.1, 0.1]):
            axis = svg_plot.Axis(values, False, (0, 500))
            ticks = axis.ticks()
            self.assertTrue(3 <= len(ticks) <= 9, ticks)
            for value, text in ticks:
                self.assertAlmostEqual(float(text) * 10.0 ** axis.exponent / (value or 1.0), 1.0 if value else 0.0)

    def test_thinning_keeps_spikes_and_ends(self):
        points = [(k, 0.0) for k in range(5000)]
        points[1234] = (1234, 7.0)
        kept = svg_plot.thinned(points)
        self.assertLess(len(kept), 700)
        self.assertIn((1234, 7.0), kept)
        self.assertEqual((kept[0], kept[-1]), (points[0], points[-1]))

    def test_a_page_needs_nothing_else_and_shows_a_failure(self):
        page = report.page([self.record(True), self.record(False)])
        self.assertNotRegex(page.replace('xmlns="http://www.w3.org/2000/svg"', ""), r"https?:|<script|<link|src=|@import")
        self.assertIn("failed: free_top_euler", page)
        self.assertIn(">FAIL<", page)
        self.assertIn("all passed", report.page([self.record(True)]))
        for text in ("# A title alone", ""):  # of a job that was stopped before it had a text
            report.page([{**self.record(True), "readme": text}])
        self.assertNotIn(">FAIL<", report.page([self.record(True)]))


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


class Cases(unittest.TestCase):
    """Cases hold on right results and miss on wrong ones, which a stand-in for the program makes."""

    def judged(self, name, integrate):
        case = stand_in.Case(name, integrate)
        harness.load(name).compare(case)
        self.assertGreater(len(case.plots), 0)
        return case.missed()

    def test_two_particle_impact(self):
        self.assertEqual(self.judged("two_particle_impact", stand_in.impacts), [])
        missed = self.judged("two_particle_impact", lambda deck: stand_in.impacts(deck, damping=1.02))
        for word in ("same method", "LAMMPS", "continuous", "oscillator", "order"):
            self.assertTrue(any(word in what for what in missed), (word, missed))

    def test_spinning_sphere(self):
        module = harness.load("spinning_sphere")
        self.assertEqual(self.judged("spinning_sphere", lambda deck: stand_in.spinning(module, deck)), [])
        soft = self.judged("spinning_sphere", lambda deck: stand_in.spinning(module, deck, stiffness=0.95))
        self.assertTrue(any("frequency" in what for what in soft), soft)
        rough = self.judged("spinning_sphere", lambda deck: stand_in.spinning(module, deck, friction=1.003))
        self.assertTrue(any("begin of rolling" in what for what in rough), rough)

    def test_three_balls(self):
        module = harness.load("three_balls")
        self.assertEqual(self.judged("three_balls", lambda deck: stand_in.three_balls(module, deck)), [])
        rough = self.judged("three_balls", lambda deck: stand_in.three_balls(module, deck, friction=1.01))
        self.assertTrue(any("rolling again" in what for what in rough), rough)

    def test_walls_tell_energy_per_flight(self):
        walls = harness.load("walls_250_collisions")
        gap, v = walls.impact.HALF_GAP, walls.impact.SPEED
        places = [(0, v), (1.1 * gap, v / 2), (0, -v), (-gap / 2, -v), (-1.1 * gap, v), (0, 2 * v)]
        self.assertEqual(walls.flights(places), [1.0, 4.0])
        self.assertEqual(walls.flights([(0, v), (gap / 2, v)]), [])


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

    def test_a_header_and_its_source_are_one_unit(self):
        files = {"core/a.hpp": "", "core/a.cpp": '#include "core/b.hpp"\n', "core/b.hpp": '#include "core/a.hpp"\n'}
        self.assertTrue(any("circle" in fault for fault in self.check(files)))
        tests = {"core/a.hpp": "", "core/b.hpp": '#include "core/a.hpp"\n', "core/a_test.cpp": '#include "core/b.hpp"\n'}
        self.assertEqual(self.check(tests), [])

    def test_the_library_is_given_its_communicators(self):
        text = "// not MPI_COMM_WORLD\nint size(MPI_Comm comm = MPI_COMM_WORLD);\n"
        faults = self.check({"assembly/a.hpp": text, "assembly/a_mpi_test.cpp": text, "io/main.cpp": text, "io/python/b.cpp": text})
        self.assertEqual(len(faults), 1)
        self.assertIn("assembly/a.hpp:2", faults[0])

    def test_the_intersection_test_shares_no_code(self):
        faults = self.check({"core/a.hpp": "", "verification/intersection/x.cpp": '#include "core/a.hpp"\n'})
        self.assertIn("shares no code", faults[0])


if __name__ == "__main__":
    unittest.main()
