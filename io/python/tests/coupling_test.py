"""Coupled runs in Python: motion in, forces out, steps that are repeated. Run by ctest (python.coupling)."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy
import scree
from decks import INPUTS, program

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "verification"))
from judging import largest  # noqa: E402

VERTICES = numpy.array([[x, y, 0.0] for y in (-0.5, 0, 0.5) for x in (-0.5, 0, 0.5)])
TRIANGLES = numpy.array([t for j in (0, 3) for k in (j, j + 1) for t in ((k, k + 1, k + 4), (k, k + 4, k + 3))])
DECK = {
    "time": {"end": 0.2, "step": 1e-4}, "gravity": [0, 0, -9.81], "materials": {"rock": {"density": 2500}},
    "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
    "bodies": [{"shape": "ball", "material": "rock", "position": [0.03, 0.02, 0.051], "velocity": [0, 0, -0.5]}],
    "boundaries": [{"name": "plate", "type": "surface", "material": "rock", "motion": "coupled",
                    "vertices": VERTICES, "faces": TRIANGLES}],
    "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5, "damping": 40}}]}


class Coupling(unittest.TestCase):
    def test_a_repeated_step_gives_the_same_forces_and_accept_goes_on(self):
        with scree.Participant(DECK) as side:
            plate = side.add_surface("plate")
            side.initialize()
            reference = side.reference(plate)
            self.assertEqual(reference.shape, (9, 3))
            self.assertTrue((side.triangles(plate) == TRIANGLES).all())
            most = 0
            for k in range(1, 11):
                u = numpy.zeros_like(reference)
                u[:, 2] = 1e-4 * k * (1 + reference[:, 0])
                side.set_motion(plate, u)
                self.assertTrue(side.solve_step(1e-3).converged)
                first = side.forces(plate)
                side.set_motion(plate, 1.1 * u)
                self.assertTrue(side.solve_step(1e-3).converged)
                side.set_motion(plate, u)
                report = side.solve_step(1e-3)
                self.assertTrue(report.converged)
                self.assertGreater(report.substeps, 1)
                self.assertTrue((side.forces(plate) == first).all())
                force, moment = side.resultant(plate)
                numpy.testing.assert_allclose(first.sum(axis=0), force, atol=1e-12)
                numpy.testing.assert_allclose(numpy.cross(reference + u, first).sum(axis=0), moment, atol=1e-12)
                side.accept()
                most = largest([most, -force[2]])
            self.assertGreater(most, 10)
            self.assertAlmostEqual(side.time, 0.01)

    def test_bodies_contacts_boundaries_and_energy_are_those_of_the_last_step(self):
        content = {**DECK, "time": {"end": 0.005, "step": 1e-4}}
        with scree.Participant(content) as side, scree.Participant(content) as blind, scree.Simulation(content) as alone:
            for call in (lambda: side.contacts, lambda: side.boundaries, lambda: side.energy, lambda: side.bodies.position):
                self.assertRaisesRegex(ValueError, "not initialised", call)
            plate, other = side.add_surface("plate"), blind.add_surface("plate")
            side.initialize()
            blind.initialize()
            start = side.bodies.position
            while side.max_step > 0:
                for one in (side, blind):
                    self.assertTrue(one.solve_step(min(1e-3, one.max_step)).converged)
                waiting, force = side.bodies.position, side.resultant(plate)[0]
                # Sums of up to 200 N: a hundred times their round-off.
                for shown in (-side.boundaries.force[0], side.bodies.force[0], side.contacts.force.sum(axis=0)):
                    numpy.testing.assert_allclose(shown, -force, rtol=0, atol=3e-12)
                for one in (side, blind):
                    one.accept()
                numpy.testing.assert_array_equal(side.bodies.position, waiting)
                numpy.testing.assert_array_equal(side.forces(plate), blind.forces(other))  # looking changes nothing
            self.assertLess(force[2], -100)
            alone.run()  # the plate stands still in both
            for name in ("position", "velocity"):
                numpy.testing.assert_array_equal(getattr(side.bodies, name), getattr(alone.bodies, name))
            for name in ("kinetic", "contact", "damping_loss"):
                self.assertAlmostEqual(side.energy[name], alone.energy[name], delta=1e-12)  # of 0.2 J
            self.assertEqual((side.bodies.shape, side.boundaries.name), (["ball"], ["plate"]))
            last = side.bodies.position
            end = last.copy()
        numpy.testing.assert_array_equal(start, [[0.03, 0.02, 0.051]])  # an array keeps what it shows
        numpy.testing.assert_array_equal(last, end)

    def test_a_mesh_of_the_partner_replaces_that_of_the_deck(self):
        with scree.Participant(DECK) as side:
            plate = side.add_surface("plate", VERTICES + [0, 0, -0.01], TRIANGLES)
            side.initialize()
            numpy.testing.assert_array_equal(side.positions(plate), VERTICES + [0, 0, -0.01])

    def test_warnings_are_told_without_outputs(self):
        soft = {"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 2e3, "damping": 1}}
        side = scree.Participant({**DECK, "interfaces": [soft]})
        self.assertEqual(side.warnings, [])
        side.add_surface("plate", 100 * VERTICES, TRIANGLES)
        self.assertEqual([(one["code"], one["where"], one["time"]) for one in side.warnings], [("large_mesh", "/boundaries/0", 0)])
        self.assertIn("measures 141.4 m", side.warnings[0]["message"])
        side.initialize()
        for _ in range(20):
            self.assertTrue(side.solve_step(1e-3).converged)
            side.accept()
        self.assertNotIn("overlap", [one["code"] for one in side.warnings])
        side.finish()
        self.assertEqual([one["code"] for one in side.warnings][0], "large_mesh")
        self.assertIn("overlap", [one["code"] for one in side.warnings])
        side.close()

    def test_a_step_that_did_not_converge_has_no_forces(self):
        barrier = {"between": ["*", "*"], "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e11, "restitution": 0.5}}
        ceiling = {"name": "ceiling", "type": "plane", "material": "rock", "point": [0, 0, 0.15], "normal": [0, 0, -1]}
        ball = {"shape": "ball", "material": "rock", "position": [0.03, 0.02, 0.07]}
        with scree.Participant({**DECK, "bodies": [ball], "boundaries": [*DECK["boundaries"], ceiling], "interfaces": [barrier],
                                "time": {"end": 0.2, "step": {"initial": 1e-4, "min": 1e-6, "max": 1e-3}}}) as side:
            plate = side.add_surface("plate")
            side.initialize()
            start = side.save()
            for up, status in ((0.2, "infeasible"), (0.01, "converged")):
                side.set_motion(plate, numpy.tile([0, 0, up], (9, 1)))
                self.assertEqual(side.solve_step(0.01).status, status)
                for call in (side.forces, side.tractions, side.resultant):
                    if status == "converged":
                        call(plate)
                    else:
                        self.assertRaisesRegex(ValueError, "did not converge", call, plate)
                self.assertTrue(0.05 < side.bodies.position[0, 2] < 0.1)  # where it is, between plate and ceiling
            fallen = side.bodies.position
            side.restore(start)
            numpy.testing.assert_array_equal(side.bodies.position, [ball["position"]])
            self.assertLess(fallen[0, 2], 0.0699)

    def test_a_surface_that_is_mirrored_degenerates_on_the_way(self):
        with scree.Participant(DECK) as side:
            plate = side.add_surface("plate")
            side.initialize()
            side.set_motion(plate, VERTICES * [-2, 0, 0])
            with self.assertRaisesRegex(scree.InputError, "triangle 0 degenerates on the way, its area becomes "):
                side.solve_step(1e-3)

    def test_nothing_can_be_called_after_close(self):
        side = scree.Participant(DECK)
        side.add_surface("plate")
        bodies = side.bodies
        side.close()
        for call in (side.initialize, side.accept, side.save, lambda: side.solve_step(1e-3), side.finish, side.write_checkpoint,
                     lambda: side.resume("."), lambda: side.warnings, lambda: side.contacts, lambda: side.boundaries,
                     lambda: side.energy, lambda: bodies.position):
            self.assertRaisesRegex(scree.RunError, "closed", call)

    def test_a_run_that_is_ended_early_is_complete_unless_an_exception_ended_it(self):
        for failure in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                output = {"directory": folder, "final_state": "final.csv"}
                try:
                    with scree.Participant({**DECK, "output": output}, outputs=True) as side:
                        side.add_surface("plate")
                        side.initialize()
                        self.assertTrue(side.solve_step(1e-3).converged)
                        side.accept()
                        if failure:
                            raise RuntimeError
                except RuntimeError:
                    pass
                self.assertEqual([name in os.listdir(folder) for name in ("final.csv", "last_state.csv")],
                                 [not failure, failure])

    def test_the_state_before_a_bad_motion_is_saved_and_the_program_continues_it(self):
        def run(folder, fails):
            content = {**DECK, "time": {"end": 0.02, "step": 1e-4},
                       "output": {"directory": str(folder), "checkpoint": {}, "final_state": "final.csv"}}
            with scree.Participant(content, outputs=True) as side:
                plate = side.add_surface("plate")
                side.initialize()
                u = numpy.zeros_like(side.reference(plate))
                for k in range(1, 21):
                    if k <= 8:  # it rises, then stands still, as it does without a partner
                        u[:, 2] = 1e-4 * k * (1 + side.reference(plate)[:, 0])
                    elif k > 10 and fails:
                        u[4, 1] = numpy.nan
                    side.set_motion(plate, u)
                    self.assertTrue(side.solve_step(1e-3).converged)
                    side.accept()

        with tempfile.TemporaryDirectory() as name:
            whole, broken = pathlib.Path(name) / "whole", pathlib.Path(name) / "broken"
            run(whole, False)
            with self.assertRaisesRegex(scree.InputError, r"got -?nan as .* has been saved in .*checkpoint\.000000\.h5"):
                run(broken, True)
            self.assertTrue((broken / "last_state.csv").is_file())
            self.assertFalse((broken / "final.csv").exists())
            resumed = program("resume", "broken", folder=name)
            self.assertEqual(resumed.returncode, 0, resumed.stderr)
            self.assertFalse((broken / "last_state.csv").exists())
            expected, found = scree.open(whole).state("final.csv"), scree.open(broken).state("final.csv")
            for column in ("x", "y", "z", "vx", "vy", "vz"):
                numpy.testing.assert_allclose(found[column], expected[column], rtol=0, atol=1e-6)
            self.assertGreater(expected["vz"][0], 0.1)  # the plate has thrown the ball back
            self.assertEqual(scree.open(broken).report()["time"], 0.02)

    def test_a_participant_continues_from_a_checkpoint_to_the_bit(self):
        def content(folder):
            # Two balls that push each other apart, and slide on the plate.
            bodies = [{"shape": "ball", "material": "rock", "position": [x, 0.12, 0.0499], "velocity": [v, 0.3 * v, 0]}
                      for x, v in ((0.08, 0.05), (0.1799, -0.05))]
            friction = {"static": 0.5, "dynamic": 0.4, "stiffness": 5e4}
            return {**DECK, "bodies": bodies, "interfaces": [{**DECK["interfaces"][0], "friction": friction}],
                    "output": {"directory": str(folder), "checkpoint": {}, "final_state": "final.csv"}}

        def take_steps(side, plate, steps):
            found = []
            for k in steps:
                u = numpy.zeros_like(side.reference(plate))
                u[:, 1] = 1e-4 * k
                u[:, 2] = 2e-5 * k * (1 + side.reference(plate)[:, 0])
                side.set_motion(plate, u)
                self.assertTrue(side.solve_step(1e-3).converged)
                side.accept()
                found.append(side.forces(plate))
            return found

        with tempfile.TemporaryDirectory() as name:
            whole, copied = pathlib.Path(name) / "whole", pathlib.Path(name) / "copied"
            with scree.Participant(content(whole), outputs=True) as side:
                plate = side.add_surface("plate")
                self.assertRaises(ValueError, side.write_checkpoint)  # there is no state yet
                side.initialize()
                take_steps(side, plate, range(1, 4))
                force = side.resultant(plate)[0]
                self.assertLess(force[1], -1)  # friction
                self.assertLess(force[2], -15)
                self.assertEqual(side.write_checkpoint(), str(whole / "checkpoint.000000.h5"))
                shutil.copytree(whole, copied)
                expected = take_steps(side, plate, range(4, 9))
            with scree.Participant({**content(copied), "materials": {"rock": {"density": 5000}}}) as side:
                side.add_surface("plate")
                with self.assertRaisesRegex(scree.RunError, "/materials/rock/density: 2500 in the checkpoint, 5000"):
                    side.resume(copied)
            with scree.Participant(content(copied), outputs=True) as side:
                plate = side.add_surface("plate", VERTICES + [0, 0, -0.01], TRIANGLES)
                with self.assertRaisesRegex(scree.RunError, 'boundary "plate": got vertex 0 at'):
                    side.resume(copied)
            with scree.Participant(content(copied), outputs=True) as side:
                plate = side.add_surface("plate")
                with self.assertRaisesRegex(ValueError, "expected the output directory of the deck"):
                    side.resume(whole)
                side.resume(copied)
                self.assertAlmostEqual(side.time, 0.003)
                found = take_steps(side, plate, range(4, 9))
            numpy.testing.assert_array_equal(found, expected)
            self.assertEqual((copied / "final.csv").read_bytes(), (whole / "final.csv").read_bytes())
            final = scree.open(whole).state("final.csv")
            self.assertGreater(final["vx"][1] - final["vx"][0], 0)
            # Without outputs any folder will do, and nothing is written.
            with scree.Participant(content(whole)) as side:
                side.add_surface("plate")
                side.resume(copied)
                self.assertAlmostEqual(side.time, 0.008)
                self.assertEqual(side.write_checkpoint(), "")

    def test_a_participant_does_not_continue_with_files_that_have_changed(self):
        tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
        with tempfile.TemporaryDirectory() as name:
            stone, results = pathlib.Path(name) / "stone.obj", pathlib.Path(name) / "results"
            deck = {**DECK, "shapes": {**DECK["shapes"], "stone": {"type": "polyhedron", "file": str(stone)}},
                    "output": {"directory": str(results), "checkpoint": {}}}
            stone.write_text(tetrahedron, encoding="ascii")
            with scree.Participant(deck, outputs=True) as side:
                side.add_surface("plate")
                side.initialize()
                side.write_checkpoint()
            stone.write_text(tetrahedron.replace("v 1 0 0", "v 2 0 0"), encoding="ascii")
            with scree.Participant(deck, outputs=True) as side:
                side.add_surface("plate")
                with self.assertRaisesRegex(scree.InputError, "stone.obj: the file has changed"):
                    side.resume(results)

    def test_what_is_open_at_exit_is_closed_newest_first(self):
        script = "\n".join((
            "import sys, scree",
            "from coupling_test import DECK",
            "still_open = []",
            "for k in range(4):",
            "    side = scree.Participant({**DECK, 'output': {'directory': f'{sys.argv[1]}/{k}'}}, outputs=True)",
            "    side.add_surface('plate')",
            "    side.initialize()",
            "    still_open.append(side)"))
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-c", script, folder], cwd=os.path.dirname(os.path.abspath(__file__)), check=True)
            ended = [os.stat(os.path.join(folder, str(k), "last_state.csv")).st_mtime_ns for k in range(4)]
            self.assertEqual(ended, sorted(ended, reverse=True))

    def test_options_of_two_participants_are_apart(self):
        content = {**DECK, "solver": {"petsc_options": "-scree_snes_max_it 1"}}
        with scree.Participant(content) as first, scree.Participant(DECK) as second, scree.Participant(content) as third:
            self.assertEqual([side.options_prefix for side in (first, second, third)], ["scree_", "scree2_", "scree3_"])
            for side in (first, second):
                side.add_surface("plate")
                side.initialize()
            with self.assertRaisesRegex(ValueError, "another prefix"):
                scree.Participant(content, options_prefix="scree_")
            first.close()
            with scree.Participant(content, options_prefix="scree_"):  # nobody has it any more
                pass

    def test_the_example_without_fenicsx_has_the_status_of_what_was_not_run(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "dolfinx.py").write_text("raise ImportError('none here')\n", encoding="ascii")
            paths = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
            ended = subprocess.run([sys.executable, str(INPUTS / "python" / "coupled_beam.py")], capture_output=True, text=True,
                                   env={**os.environ, "PYTHONPATH": paths}, check=False)
        self.assertEqual(ended.returncode, 77, ended.stderr)  # SKIP_RETURN_CODE in io/python/CMakeLists.txt
        self.assertIn("not run: none here", ended.stdout)

    def test_what_is_wrong_is_reported(self):
        with scree.Participant(DECK) as side:
            self.assertRaises(scree.InputError, side.add_surface, "floor")
            plate = side.add_surface("plate")
            side.initialize()
            self.assertRaises(ValueError, side.set_motion, plate, numpy.zeros((3, 3)))
            self.assertRaises(ValueError, side.solve_step, 1.0)
            self.assertRaises(ValueError, side.accept)
            with self.assertRaisesRegex(ValueError, r"u: got an array of shape .3, 9.; expected .n, 3."):
                side.set_motion(plate, numpy.zeros((3, 9)))
            with self.assertRaisesRegex(TypeError, "got an array of complex128; expected real numbers"):
                side.set_motion(plate, 1j * numpy.zeros((9, 3)))
            masked = numpy.ma.masked_array(numpy.zeros((9, 3)), mask=False)
            side.set_motion(plate, masked)  # nothing is hidden
            masked[4, 1] = numpy.ma.masked
            with self.assertRaisesRegex(ValueError, "masked array with masked entries"):
                side.set_motion(plate, masked)
            with scree.Participant(DECK) as other:
                with self.assertRaisesRegex(TypeError, "got an array of float64; expected whole numbers"):
                    other.add_surface("plate", VERTICES, TRIANGLES + 0.0)
                with self.assertRaisesRegex(scree.InputError, "2147483647"):
                    other.add_surface("plate", VERTICES, numpy.array(TRIANGLES) + 2**32)
                with self.assertRaisesRegex(scree.InputError, "got a mesh without triangles"):
                    other.add_surface("plate", numpy.zeros((0, 3)), numpy.zeros((0, 3), int))
                with self.assertRaisesRegex(scree.InputError, "got 5 vertex numbers; expected 0"):
                    other.add_surface("plate", id=numpy.arange(5))
                with self.assertRaisesRegex(ValueError, "a surface of another participant"):
                    other.positions(plate)
            u = numpy.zeros((9, 3))
            u[4, 1] = numpy.nan
            side.set_motion(plate, u)
            with self.assertRaisesRegex(scree.InputError, "got nan as displacement .m. of vertex 4"):
                side.solve_step(1e-3)
            self.assertEqual(side.time, 0)


class Iterations(unittest.TestCase):
    def test_aitken_finds_the_fixed_point_where_relaxation_diverges(self):
        target = numpy.array([[1.0, -2.0, 3.0]])
        diverging = scree.Accelerator("constant", initial=1.0)
        self.assertFalse(diverging.iterate(lambda x: 8 * target - 7 * x, numpy.zeros((1, 3)))[1])
        x, converged, iterations = scree.Accelerator().iterate(lambda x: 8 * target - 7 * x, numpy.zeros((1, 3)))
        self.assertTrue(converged)
        self.assertLessEqual(iterations, 3)
        numpy.testing.assert_allclose(x, target, rtol=1e-9)

    def test_an_image_that_is_none_and_tolerances_without_sense_are_refused(self):
        with self.assertRaisesRegex(TypeError, "image returned NoneType; expected .* 3 real numbers"):
            scree.Accelerator().iterate(lambda x: None, numpy.zeros(3))
        for wrong in ({"relative": float("nan")}, {"relative": -1e-6}, {"absolute": float("nan")}, {"iterations": 0}):
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, "of a coupled step"):
                scree.Accelerator().iterate(lambda x: x, numpy.zeros(3), **wrong)

    def test_errors_of_the_image_and_of_options_come_through(self):
        with self.assertRaisesRegex(ValueError, "unknown acceleration"):
            scree.Accelerator("broyden")
        with self.assertRaisesRegex(ValueError, "expected 3"):
            scree.Accelerator().iterate(lambda x: [1.0], numpy.zeros(3))
        with self.assertRaises(ZeroDivisionError):
            scree.Accelerator().iterate(lambda x: 1 / 0, numpy.zeros(3))

    def test_predicted_forces_are_extrapolated(self):
        predictor = scree.ForcePredictor()
        start = numpy.ones((1, 3))
        predicted = predictor.predict(start)
        numpy.testing.assert_array_equal(predicted, start)
        predicted *= 0.5
        self.assertEqual(start[0, 2], 1)  # a copy
        for k in range(1, 4):
            predictor.accept(numpy.array([[0.0, 0.0, 2.0 * k]]))
        self.assertEqual(predictor.predict(numpy.zeros((1, 3)))[0, 2], 8)
        with self.assertRaisesRegex(ValueError, "got an array of 6 values; expected 3"):
            predictor.predict(numpy.zeros((2, 3)))
        with self.assertRaisesRegex(ValueError, "got 6 values; expected 3"):
            predictor.accept(numpy.zeros((2, 3)))


if __name__ == "__main__":
    unittest.main()
