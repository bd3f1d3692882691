"""Running many jobs, known misses, and the record of the unit tests, on data with known answers."""
import argparse
import contextlib
import io
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import check_extremes  # noqa: E402
import jobs  # noqa: E402
import judging  # noqa: E402
import known_misses  # noqa: E402
import report  # noqa: E402
import run_case  # noqa: E402
import run_tests  # noqa: E402


def record_of(*measured, name="bed"):
    """A record with a row "row K" at most 1 for each figure."""
    made = judging.Comparisons(name)
    with contextlib.redirect_stdout(io.StringIO()):
        for k, value in enumerate(measured):
            made.at_most(f"row {k}", value, 1.0, "")
    return json.loads(json.dumps(made.record()))


def miss(row, beyond, case="bed"):
    return {"case": case, "row": row, "measured": "2", "bound": "1", "beyond": beyond, "reason": "why"}


def scatter(row, beyond, bound="at most 1 degree", **numbers):
    return {**miss(row, beyond), "bound": bound, "scatter": {"mean": 1.5, "deviation": 0.5, "samples": 3, **numbers}}


class Extremes(unittest.TestCase):
    def test_not_a_number_is_kept_wherever_it_stands(self):
        for values in ([math.nan, 1.0], [1.0, math.nan], [1.0, math.nan, 2.0]):
            self.assertTrue(math.isnan(judging.largest(values)), values)
            self.assertTrue(math.isnan(judging.smallest(values)), values)
        self.assertEqual(judging.largest([1.0, 3.0, 2.0]), 3.0)
        self.assertEqual(judging.smallest([1.0, 3.0, 0.5]), 0.5)
        self.assertTrue(math.isnan(judging.largest([])), "nothing was compared")
        self.assertEqual(judging.largest([], default=0.0), 0.0)


class ExtremesOfTheSources(unittest.TestCase):
    def check(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / name
            file.parent.mkdir(parents=True)
            file.write_text(text)
            return len(check_extremes.check(pathlib.Path(folder))[0])

    def test_a_worst_value_that_drops_not_a_number_is_found(self):
        for line in ("worst = std::max(worst, error);", "least = std::min({least, a, b});", "w = std::fmax(w, x);",
                     "  worst = std::max<double>(\n      worst, error);", "if (error > worst) worst = error;",
                     "errors.high = std::max(errors.high, e);", "at->low = std::min(at->low, e);",
                     "worst[k] = std::max(std::abs(e[k] - f[k]), worst[k]);", "run.most[fine] =\n    std::fmin(run.most[fine], e);",
                     "(k < 5 ? first : second) = std::max(k < 5 ? first : second, drift);",
                     "worst =\n    std::max({a(b), worst, outside(c, d)});", "if (e > worst[k]) worst[k] = e;",
                     "worst = {std::max(worst[0], e), std::max(worst[1], f)};", "(*worst) = std::max(*worst, e);"):
            self.assertEqual(self.check("core/a_test.cpp", line), 1, line)
        for line in ("test::keep_largest(worst, error);", "h = std::max(e, 1e-3);", "if (a > b) c = a;",
                     "const double gap = std::min(gap_n, t.gap);", "most = std::max(all.most, most_of(b));",
                     "low = {std::min(a, b), low_of(c)};", "bool same = a == std::max(a, b);", "worst = {worst[0] + 1, 0};",
                     "at->low = std::min(at->low, 2e-3);"):
            self.assertEqual(self.check("core/a_test.cpp", line), 0, line)
        self.assertEqual(self.check("core/a.cpp", "worst = std::max(worst, error);"), 0, "no test")
        self.assertEqual(self.check("inputs/coupling/a_test.cpp", "worst = std::max(worst, error);"), 1)

    def test_the_same_in_python(self):
        for line in ("worst = max(abs(e) for e in errors)", "case.at_most('a', max(values), 1, '')", "worst = max(worst, e)",
                     "low = min(map(abs, values))", "high = max(*values, 0)", "worst[k] = max(worst[k], e)", "self.low = min(e, self.low)"):
            self.assertEqual(self.check("verification/cases/a/compare.py", line), 1, line)
        for name in ("inputs/coupling/precice/run.py", "io/python/tests/a_test.py"):
            self.assertEqual(self.check(name, "worst = max(worst, e)"), 1, name)
        for line in ("worst = largest(abs(e) for e in errors)", "x = max(x, 0.0)", "high = max(a, b)",
                     "first = min(rows, key=lambda row: row[0])", "wide = max(len(name) for name in names)",
                     "end = max(times)  # finite: of the deck"):
            self.assertEqual(self.check("verification/cases/a/compare.py", line), 0, line)


class KnownMisses(unittest.TestCase):
    def test_the_list_is_complete(self):
        for entry in known_misses.load():
            self.assertGreater(entry["beyond"], 0, entry)

    def test_a_listed_miss_is_known_and_no_more(self):
        self.assertEqual(known_misses.state(record_of(0.5, 2.0), [miss("row 1", 1.5)]), "known")
        self.assertEqual(known_misses.state(record_of(0.5), []), "yes")

    def test_a_miss_that_is_not_listed_is_new(self):
        self.assertIn("row 0", known_misses.complaints(record_of(2.0, 2.0), [miss("row 1", 1.5)])[0])
        self.assertEqual(known_misses.state(record_of(2.0), [miss("row 0", 1.5, case="other")]), "NO")

    def test_a_miss_by_more_than_listed_is_new(self):
        for value in (2.6, math.inf, math.nan):
            self.assertIn("beyond by", known_misses.complaints(record_of(value), [miss("row 0", 1.5)])[0])

    def test_what_no_longer_misses_is_to_be_struck_off(self):
        self.assertIn("strike it off", known_misses.complaints(record_of(0.5), [miss("row 0", 1.5)])[0])
        self.assertIn("no such row", known_misses.complaints(record_of(0.5), [miss("row 7", 1.5)])[0])

    def test_nothing_compared_is_wrong_and_not_run_is_told(self):
        self.assertEqual(known_misses.state(record_of(), []), "NO")
        skipped = judging.Comparisons("bench")
        with contextlib.redirect_stdout(io.StringIO()):
            skipped.skip("no reference")
        self.assertEqual(known_misses.state(skipped.record(), []), "not run")

    def test_an_incomplete_entry_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "known.json"
            for wrong in ([{"case": "bed"}], [miss("row 0", 1), miss("row 0", 2)]):
                file.write_text(json.dumps(wrong))
                with self.assertRaises(ValueError):
                    known_misses.load(file)

    def test_a_row_that_scatters_may_hold_or_miss(self):
        for values in ((0.5,), (2.4,)):
            record = record_of(*values)
            self.assertEqual(known_misses.complaints(record, [scatter("row 0", 1.5)]), [], values)
            self.assertEqual(known_misses.state(record, [scatter("row 0", 1.5)]), "scatters", values)
            self.assertRegex(run_case.table([record], [scatter("row 0", 1.5)]), r"bed +\d of 1 .* scatters")
        self.assertEqual(known_misses.state(record_of(0.5, 2.0), [scatter("row 0", 1.5), miss("row 1", 1.5)]), "known")
        self.assertEqual(known_misses.state(record_of(0.5, 2.0), [scatter("row 0", 1.5)]), "NO", "another row misses")

    def test_a_row_that_scatters_misses_beyond_its_limit(self):
        for value in (2.6, math.inf, math.nan):
            self.assertIn("beyond by", known_misses.complaints(record_of(value), [scatter("row 0", 1.5)])[0])
            self.assertEqual(known_misses.state(record_of(value), [scatter("row 0", 1.5)]), "NO")
        self.assertIn("no such row", known_misses.complaints(record_of(0.5), [scatter("row 7", 1.5)])[0])

    def test_the_scatter_is_about_the_bound_of_the_row(self):
        for bound in ("at most 2", "at least 1"):
            self.assertIn("expected <= 1", known_misses.complaints(record_of(0.5), [scatter("row 0", 1.5, bound)])[0])

    def test_a_scatter_beside_one_side_of_a_bound_with_two(self):
        record = record_of(0.5)
        record["rows"][0]["expected"] = "1 +- 0.6"
        self.assertEqual(known_misses.complaints(record, [scatter("row 0", 1.5, "1 +- 0.6 mm")]), [])
        self.assertIn("expected 1 +- 0.6", known_misses.complaints(record, [scatter("row 0", 1.5, "1 +- 0.7")])[0])

    def test_a_scatter_has_a_mean_and_a_deviation_that_reach_the_bound(self):
        def load(entry):
            file.write_text(json.dumps([entry]))
            return known_misses.load(file)

        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "known.json"
            for right in (scatter("row 0", 1), scatter("row 0", 1, mean=1.9), scatter("row 0", 1, "at least -1e-1", mean=0.8),
                          scatter("row 0", 1, "1 +- 0.6"), scatter("row 0", 1, "2 +- 0.6 mm")):
                self.assertEqual(load(right), [right])
            without = [{**miss("row 0", 1), "scatter": {key: 1 for key in ("mean", "deviation", "samples") if key != name}}
                       for name in ("mean", "deviation", "samples")]
            for wrong in (*without, {**miss("row 0", 1), "scatter": "1.5 +- 0.5"}, scatter("row 0", 1, mean="1.5"),
                          scatter("row 0", 1, deviation=math.nan), scatter("row 0", 1, deviation=0), scatter("row 0", 1, samples=1),
                          scatter("row 0", 1, samples=True), scatter("row 0", 1, "1 +- 3"), scatter("row 0", 1, more=1)):
                with self.assertRaisesRegex(ValueError, "row 0", msg=wrong):
                    load(wrong)
            for mean in (2.1, -0.1):
                with self.assertRaisesRegex(ValueError, "2.2 standard deviations"):
                    load(scatter("row 0", 1, mean=mean))


LEAVE = "import json,sys,time; time.sleep(float(sys.argv[2])); json.dump(json.loads(sys.argv[3]), open(sys.argv[1], 'w'))"


class Jobs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.told = []

    def job(self, name, expected, takes=0.0, alone=False, script=LEAVE):
        work = self.root / name
        command = [sys.executable, "-c", script, work / "record.json", str(takes), json.dumps(record_of(0.5, name=name))]
        (self.root / "input").touch()
        return jobs.Job(name, command, work, [self.root / "input"], expected, alone)

    def run_all(self, todo, cores=2, resume=False):
        return jobs.run_all(todo, cores, resume, lambda job, record, number, left: self.told.append((job.name, number)))

    def test_the_shortest_comes_first(self):
        records, whole = self.run_all([self.job("c", 3), self.job("a", 1), self.job("b", 2)], cores=1)
        self.assertTrue(whole)
        self.assertEqual([record["name"] for record in records], ["a", "b", "c"])
        self.assertEqual(self.told[-1], ("c", "3/3"))

    def test_long_ones_follow_the_longest_first_and_those_alone_come_last(self):
        records, _ = self.run_all([self.job("d", 900), self.job("e", 60, alone=True), self.job("c", 1800), self.job("b", 119),
                                   self.job("a", 1)], cores=1)
        self.assertEqual([record["name"] for record in records], ["a", "b", "c", "d", "e"])

    def test_two_run_side_by_side_and_what_is_alone_does_not(self):
        stamp = ("import sys,time,pathlib\np=pathlib.Path(sys.argv[1]).parent; a=time.time(); (p/'began').touch()\n{wait}\n"
                 "(p/'when').write_text(f'{{a}} {{time.time()}}'); (p/'record.json').write_text(sys.argv[3])")
        # Two that begin together wait for each other, however slow the machine is.
        meet = stamp.format(wait="other=p.parent/{'a':'b','b':'a'}[p.name]/'began'\n"
                                 "while not other.exists() and time.time()<a+60: time.sleep(0.02)")
        stamp = stamp.format(wait="")
        self.run_all([self.job("a", 1, script=meet), self.job("b", 2, script=meet), self.job("c", 3, script=stamp, alone=True),
                      self.job("d", 4, script=stamp)])
        when = {name: [float(t) for t in (self.root / name / "when").read_text().split()] for name in "abcd"}
        self.assertLess(when["b"][0], when["a"][1])
        for name in "abd":
            self.assertGreaterEqual(when["c"][0], when[name][1])

    def test_tests_and_benchmarks_run_alone(self):
        arguments = argparse.Namespace(binary=self.root / "scree", work=self.root, cores=2)
        todo = run_case.jobs_of_the_rest(arguments)
        self.assertIn("tests.long", [job.name for job in todo])
        self.assertEqual([job.name for job in todo if not job.alone], [])

    def test_what_remains_counts_jobs_that_run_alone_in_full(self):
        left = []
        todo = [self.job("a", 10), self.job("b", 20), self.job("c", 40, alone=True)]
        jobs.run_all(todo, 2, False, lambda job, record, number, seconds: left.append((job.name, seconds)))
        self.assertEqual([seconds for _, seconds in left[1:]], [40.0, 0])  # the order of the first two is open

    def test_a_job_that_hangs_is_stopped_and_the_others_run(self):
        with unittest.mock.patch.multiple(jobs, FACTOR=2.0, LEAST=0.0):
            records, whole = self.run_all([self.job("a", 0.5, takes=60.0), self.job("b", 10)], cores=1)
        self.assertTrue(whole)
        self.assertIn("stopped after 1 s", known_misses.complaints(records[0], [])[0])
        self.assertEqual([record["name"] for record in records], ["a", "b"])
        self.assertTrue(records[1]["rows"][0]["holds"])

    def test_a_job_that_leaves_no_record_misses(self):
        records, _ = self.run_all([self.job("a", 1, script="import sys; print('no memory'); sys.exit(3)")])
        self.assertIn("exit status 3", known_misses.complaints(records[0], [])[0])
        self.assertIn("no memory", records[0]["rows"][0]["why"])

    def test_resume_takes_what_is_finished_with_the_same_inputs(self):
        count = "import sys,pathlib; p=pathlib.Path(sys.argv[1]); open(p.parent/'runs','a').write('x'); p.write_text(sys.argv[3])"
        for resume, runs in ((False, 1), (True, 1), (False, 2)):
            self.run_all([self.job("a", 1, script=count)], resume=resume)
            self.assertEqual(len((self.root / "a" / "runs").read_text()), runs, resume)
        (self.root / "input").write_text("changed")
        self.run_all([self.job("a", 1, script=count)], resume=True)
        self.assertEqual(len((self.root / "a" / "runs").read_text()), 3)

    def test_an_interrupt_stops_what_runs_and_keeps_what_is_finished(self):
        program = (f"import sys; sys.path.insert(0, {str(pathlib.Path(jobs.__file__).parent)!r}); import jobs, pathlib\n"
                   f"root = pathlib.Path({self.folder.name!r})\n"
                   "quick = jobs.Job('a', [sys.executable, '-c', 'pass'], root / 'a', [], 1)\n"
                   "slow = jobs.Job('b', ['sleep', '60'], root / 'b', [], 2)\n"
                   "records, whole = jobs.run_all([quick, slow], 1, False, lambda *_: print('ended', flush=True))\n"
                   "print(len(records), whole)\n")
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline().strip(), "ended")
        time.sleep(0.5)
        start = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        self.assertEqual(process.communicate()[0].strip(), "1 False")
        self.assertLess(time.monotonic() - start, 5)
        self.assertFalse((self.root / "b" / "record.json").exists())


class UnitTests(unittest.TestCase):
    JUNIT = ('<testsuite><testcase name="core.a" time="0.1" status="run"/>'
             '<testcase name="core.b" time="2" status="fail"><system-out>expected 1</system-out></testcase>'
             '<testcase name="core.c" time="0" status="disabled"/></testsuite>')

    def test_a_failing_test_is_a_row_that_misses(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "junit.xml"
            file.write_text(self.JUNIT)
            made = judging.Comparisons("tests")
            with contextlib.redirect_stdout(io.StringIO()):
                run_tests.judge(run_tests.results(file), made)
        self.assertEqual([(row[0], row[3]) for row in made.rows], [("failures of 2 tests", False), ("core.b", False)])
        self.assertIn("expected 1", made.rows[1][4])

    def test_no_test_at_all_misses(self):
        made = judging.Comparisons("tests")
        with contextlib.redirect_stdout(io.StringIO()):
            run_tests.judge([], made)
        self.assertFalse(made.holds)


class WideBounds(unittest.TestCase):
    def test_a_bound_far_above_what_is_measured_is_listed_by_its_nearest_row(self):
        record = record_of(0.01, 0.04, 0.5, name="wide")
        self.assertEqual(run_case.list_of_wide_bounds([record]).splitlines()[1:], [])
        self.assertEqual(run_case.list_of_wide_bounds([record_of(0.06, name="narrow"), record_of(0.01, 0.06)]).splitlines()[1:], [])
        record["rows"].pop()  # of rows with one reason, the one nearest to its bound counts
        head, line = run_case.list_of_wide_bounds([record]).splitlines()
        self.assertIn("without effect", head)
        self.assertRegex(line, r"25 +2 +wide: row 1: 0.04 <= 1 ")


class Tables(unittest.TestCase):
    def test_the_table_tells_known_from_new(self):
        text = run_case.table([record_of(0.5, 2.0), record_of(2.0, name="heap")], [miss("row 1", 1.5)])
        self.assertRegex(text, r"bed +1 of 2 .* known")
        self.assertRegex(text, r"heap +0 of 1 .* FAIL")

    def test_the_page_shows_what_scatters(self):
        for value, status in ((0.5, "scatters"), (2.0, "scatters"), (2.6, "FAIL")):
            with unittest.mock.patch.object(known_misses, "load", lambda: [scatter("row 0", 1.5)]):
                page = report.page([record_of(value)])
            self.assertEqual(page.count(f">{status}</td>"), 2, value)  # of the case and of the row
            self.assertIn("Scatters, row 0: 2 for at most 1 degree; mean 1.5, standard deviation 0.5, 3 samples; why.", page)


if __name__ == "__main__":
    unittest.main()
