"""Simulations in Python: the same bits as the program's, saved states, errors, Ctrl-C, arrays. Run by ctest (python.simulation)."""
import contextlib
import gc
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import numpy
import scree
from decks import INPUTS, deck, program, shortened


def resident():
    """Memory of this process [bytes]."""
    pages = pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def state_of(sim):
    """What final states hold, as one array."""
    b = sim.bodies
    return numpy.hstack([b.position, b.orientation, b.velocity, b.angular_velocity])


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, content, name="deck.json"):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def finished(self, content):
        """Results of the program."""
        run = program("run", str(self.write(content)), folder=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        return scree.open(self.folder / "results")


class Bits(WithFolder):
    DECKS = {"block_on_slope.json": 0.3, "box_of_blocks.json": 0.1, "hopper.json": 0.05, "inclined_flow.json": 0.02,
             "beam_on_three_supports.json": None, "rotating_drum.json": 0.02}

    def test_final_states_are_those_of_the_program(self):
        for name, end in self.DECKS.items():
            with self.subTest(name), in_folder(INPUTS):
                content = shortened(name, end or deck(name)["time"]["end"], final_state="final.csv", contacts={"every": 1e9},
                                    histories=[{"file": "energy.csv"}])
                results = self.finished_in_inputs(content)
                final = results.state("final.csv")
                with scree.Simulation(content) as sim:
                    sim.run()
                    columns = ("x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")
                    numpy.testing.assert_array_equal(state_of(sim), numpy.stack([final[c] for c in columns], axis=1))
                    self.assertEqual(sim.bodies.name, final["name"])
                    self.assertEqual(sim.bodies.shape, final["shape"])
                    self.assertEqual(sim.bodies.material, final["material"])
                    self.assertEqual(sim.energy["kinetic"], results.history("energy.csv")["kinetic_energy"][-1])
                    forces = list(results.contacts())[-1][1]["fn"]
                    numpy.testing.assert_array_equal(numpy.sort(sim.contacts.normal_force), numpy.sort(forces))
                    self.assertEqual(sim.report()["steps"], results.report()["steps"])

    def finished_in_inputs(self, content):
        run = program("run", str(self.write(content)), "--output", str(self.folder / "results"), folder=INPUTS)
        self.assertEqual(run.returncode, 0, run.stderr)
        return scree.open(self.folder / "results")


@contextlib.contextmanager
def in_folder(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


class SavedStates(unittest.TestCase):
    def setUp(self):
        self.sim = scree.Simulation(INPUTS / "box_of_blocks.json")
        self.addCleanup(self.sim.close)
        for _ in range(50):
            self.sim.step()

    def test_a_step_can_be_solved_again(self):
        start = self.sim.save()
        dt = min(self.sim.largest_step, 1e-4)
        self.assertTrue(self.sim.solve(dt).converged)
        self.sim.accept()
        once = state_of(self.sim)
        self.sim.restore(start)
        self.assertEqual(self.sim.save(), start)
        self.assertTrue(self.sim.solve(0.6 * dt).converged)  # an attempt that leaves no trace
        self.sim.restore(start)
        self.assertTrue(self.sim.solve(dt).converged)
        self.sim.accept()
        numpy.testing.assert_array_equal(state_of(self.sim), once)

    def test_another_simulation_goes_on_from_a_saved_state(self):
        start = self.sim.save()
        with scree.Simulation(INPUTS / "box_of_blocks.json") as other:
            other.restore(start)
            for _ in range(10):  # side by side, in turns
                self.sim.step()
                other.step()
            numpy.testing.assert_array_equal(state_of(self.sim), state_of(other))
            self.assertEqual(self.sim.time, other.time)

    def test_calls_out_of_order_are_errors(self):
        with self.assertRaisesRegex(ValueError, "no converged step"):
            self.sim.accept()
        with self.assertRaisesRegex(ValueError, "expected a size in"):
            self.sim.solve(-1)
        self.sim.solve(1e-5)
        with self.assertRaisesRegex(scree.RunError, "accept\\(\\) or reject\\(\\)"):
            _ = self.sim.bodies.position
        self.sim.reject()
        self.assertEqual(self.sim.bodies.position.shape, (len(self.sim.bodies), 3))
        with scree.Simulation(INPUTS / "block_on_slope.json") as other, self.assertRaisesRegex(ValueError, "another model"):
            other.restore(self.sim.save())
        self.sim.close()
        with self.assertRaisesRegex(scree.RunError, "closed"):
            self.sim.step()

    def test_nothing_can_be_called_after_close(self):
        snapshot, bodies = self.sim.save(), self.sim.bodies
        self.sim.close()
        for name in ("time", "finished", "at_rest", "largest_step", "energy", "warnings", "contacts", "boundaries"):
            with self.subTest(name), self.assertRaisesRegex(scree.RunError, "closed"):
                getattr(self.sim, name)
        for call in (self.sim.step, self.sim.run, self.sim.accept, self.sim.reject, self.sim.save, self.sim.report,
                     lambda: self.sim.solve(1e-4), lambda: self.sim.restore(snapshot), lambda: bodies.position, lambda: len(bodies)):
            self.assertRaisesRegex(scree.RunError, "closed", call)
        self.sim.close()
        self.assertEqual(repr(self.sim), "<Simulation: closed>")

    def test_objects_that_were_never_made_are_errors(self):
        never = [(scree.Simulation, "time"), (scree.Snapshot, "size"), (scree.StepReport, "cause"), (scree.Bodies, "id"),
                 (scree.Participant, "time"), (scree.Accelerator, "residual")]
        for kind, name in never:
            with self.subTest(kind.__name__), self.assertRaisesRegex(TypeError, "__init__.. was not called"):
                getattr(kind.__new__(kind), name)
        with self.assertRaisesRegex(TypeError, "__init__.. was not called"):
            self.sim.restore(scree.Snapshot.__new__(scree.Snapshot))

    def test_a_snapshot_of_other_bodies_is_refused_with_what_differs(self):
        ball = {"name": "a", "shape": "ball", "material": "rock", "position": [0, 0, 1]}
        deck = {"time": {"end": 1, "step": 1e-3}, "materials": {"rock": {"density": 2000}},
                "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
                "bodies": [ball, {**ball, "name": "b", "position": [1, 0, 1], "mass": 3}],
                "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5}}]}
        a, b = deck["bodies"]
        others = {"1 bodies in the deck, not 2": {"bodies": [a]}, "other names": {"bodies": [b, a]},
                  "shapes or sizes": {"shapes": {"ball": {"type": "sphere", "radius": 0.01}}},
                  "other masses": {"materials": {"rock": {"density": 2001}}},
                  "fixed degrees": {"bodies": [{**a, "fixed": True}, b]}}
        with scree.Simulation(deck) as first:
            first.step()
            snapshot = first.save()
        for what, changed in others.items():
            with scree.Simulation({**deck, **changed}) as other, self.subTest(what):
                with self.assertRaisesRegex(ValueError, "another model.*" + what):
                    other.restore(snapshot)
                other.step()
        with scree.Simulation({**deck, "gravity": [0, 0, -1]}) as other:  # loads may differ
            other.restore(snapshot)

    def test_a_wall_that_no_longer_moves_is_shown_where_it_was_left(self):
        floor = {"name": "floor", "type": "plane", "material": "m", "point": [0, 0, 0], "normal": [0, 0, 1]}
        deck = {"time": {"end": 1, "step": 1e-2}, "materials": {"m": {"density": 2000}},
                "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
                "bodies": [{"shape": "ball", "material": "m", "position": [0, 0, 0.5]}],
                "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5}}]}
        lowered = {**floor, "motion": {"velocity": [0, 0, -0.5]}}
        with scree.Simulation({**deck, "boundaries": [lowered]}) as first, scree.Simulation({**deck, "boundaries": [floor]}) as other:
            first.run(0.1)
            other.restore(first.save())
            self.assertAlmostEqual(other.boundaries.position[0, 2], -0.05, places=12)
            self.assertEqual(other.boundaries.velocity[0, 2], 0)

    def test_a_snapshot_of_other_boundaries_is_refused_with_what_differs(self):
        rough = {"name": "rough", "type": "plane", "material": "m", "point": [0, 0, 0], "normal": [0, 0, 1]}
        smooth = {**rough, "name": "smooth", "point": [0, 0, -0.001]}
        box = {"name": "bin", "type": "box", "min": [-0.2, -0.2, -1], "max": [0.2, 0.2, 1], "open": ["+z"], "material": "m"}
        deck = {"time": {"end": 1, "step": 1e-3}, "materials": {"m": {"density": 2000}},
                "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
                "bodies": [{"shape": "ball", "material": "m", "position": [0, 0, 0.0508]}], "boundaries": [rough, smooth, box],
                "interfaces": [{"between": ["*", "*"], "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e9}}]}
        with scree.Simulation(deck) as first:
            first.step()
            snapshot = first.save()
        others = {'boundary "smooth" in place of "rough": .*order': [smooth, rough, box],
                  r'"bin": wall 0 at \[-0.4, -0.2, -1\] m, not \[-0.2,': [rough, smooth, {**box, "min": [-0.4, -0.2, -1]}],
                  '"rough": type sphere with bodies inside, not plane':
                      [{**{k: rough[k] for k in ("name", "material")}, "type": "sphere", "point": [0, 0, 3], "radius": 3, "inside": True},
                       smooth, box],
                  "do not allow the saved state: .*\"rough\": overlap": [{**rough, "motion": {"velocity": [0, 0, 10]}}, smooth, box]}
        for what, boundaries in others.items():
            with scree.Simulation({**deck, "boundaries": boundaries}) as other, self.subTest(what):
                self.assertRaisesRegex(ValueError, what, other.restore, snapshot)
                other.step()

    def test_numbers_that_are_not_finite_are_named(self):
        deck = {"time": {"end": float("inf"), "step": 1e-3}, "gravity": numpy.array([0, 0, numpy.nan])}
        with self.assertRaises(scree.InputError) as caught:
            scree.Simulation(deck)
        self.assertEqual([str(one) for one in caught.exception.diagnostics],
                         ["<dict>: /time/end: got inf; expected a finite number.",
                          "<dict>: /gravity/2: got nan; expected a finite number."])

    def test_a_dict_that_contains_itself_is_named(self):
        deck = {"gravity": [0, 0, -9.81]}
        deck["time"] = {"end": 1, "step": deck}
        with self.assertRaisesRegex(scree.InputError, "contains itself"):
            scree.Simulation(deck)

    def test_duplicate_keys_are_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "deck.json"
            file.write_text('{"time": {"end": 1, "step": 1, // comment\n "end": 2}}', encoding="utf-8")
            with self.assertRaisesRegex(ValueError, '"end" is a duplicate'):
                scree.read_deck(file)

    def test_a_run_ends_where_it_is_told(self):
        until = self.sim.time + 1.23456e-3
        self.assertGreater(self.sim.run(until), 0)
        self.assertAlmostEqual(self.sim.time, until, delta=1e-12 * until)
        self.assertEqual(self.sim.run(until), 0)
        with self.assertRaisesRegex(ValueError, "expected a time later"):
            self.sim.step(until)
        with self.assertRaisesRegex(ValueError, "expected a time"):
            self.sim.run(float("nan"))
        self.assertEqual(self.sim.run(callback=lambda sim: sim is self.sim), 1)
        self.assertEqual(self.sim.run(callback=lambda sim: sim.bodies.position[0, 2] < 1e9), 1)  # a bool of numpy

    def test_a_state_continues_with_the_time_points_of_the_deck_that_takes_it(self):
        def made(active, ramp):
            return scree.Simulation({
                "time": {"end": 0.2, "step": 1e-2}, "materials": {"m": {"density": 2000}},
                "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
                "bodies": [{"shape": "ball", "material": "m", "position": [0, 0, 0.5]}],
                "boundaries": [{"name": "floor", "type": "plane", "material": "m", "point": [0, 0, 0], "normal": [0, 0, 1],
                                "active": active}],
                "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e6}}],
                "loads": [{"type": "force", "body": 0, "value": [10, 0, 0], "ramp": ramp}]})

        def times(sim):
            seen = []
            sim.run(callback=lambda sim: seen.append(sim.time))
            return seen

        first = made([0, 1], [[0, 0], [1, 0]])
        first.run(0.1)
        ramp = [[0.1, 0], [0.1031, 1], [0.1062, 0]]
        other, whole = made([0, 0.113], ramp), made([0, 0.113], ramp)
        other.restore(first.save())
        seen = times(other)
        self.assertEqual([round(t, 12) for t in seen], [round(t, 12) for t in times(whole) if t > 0.1 + 1e-9])
        self.assertIn(0.113, [round(t, 12) for t in seen])
        self.assertAlmostEqual(other.bodies.velocity[0, 0], whole.bodies.velocity[0, 0], places=12)

    def test_a_run_that_made_energy_says_so(self):
        with scree.Simulation({
                "gravity": [0, 0, -9.81], "time": {"end": 0.5, "step": 1.5e-3}, "integrator": {"type": "trapezoidal", "phi": 0},
                "materials": {"m": {"density": 2500}}, "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
                "bodies": [{"shape": "ball", "material": "m", "position": [0, 0, 0.06]}],
                "boundaries": [{"name": "floor", "type": "plane", "material": "m", "point": [0, 0, 0], "normal": [0, 0, 1]}],
                "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e6}}]}) as sim:
            sim.run(0.1)
            self.assertNotIn("energy_created", [one["code"] for one in sim.warnings])
            self.assertEqual([sim.report()[key] for key in ("exit_status", "ended_by", "message")], [None, None, ""])
            sim.run()
            self.assertGreater(sim.energy["closure_error"], 0.1 * sim.energy["reference"])
            for warnings in (sim.warnings, sim.report()["warnings"]):
                self.assertIn("energy_created", [one["code"] for one in warnings])
            self.assertEqual([sim.report()[key] for key in ("exit_status", "ended_by", "end")], [1, "end time", 0.5])
            self.assertIn("created energy", sim.report()["message"])

    def test_saving_and_restoring_a_hundred_thousand_times_takes_no_memory(self):
        with scree.Simulation(INPUTS / "block_on_slope.json") as sim:
            sim.run(0.01)
            for _ in range(500):
                sim.restore(sim.save())
            gc.collect()
            before = resident()
            for _ in range(100_000):
                sim.restore(sim.save())
            # Less than 10 bytes each: a snapshot of one body has several hundred.
            self.assertGreater(sim.save().size, 500)
            self.assertLess(resident() - before, 1_000_000)


class Arrays(unittest.TestCase):
    def setUp(self):
        self.sim = scree.Simulation(INPUTS / "box_of_blocks.json")
        self.addCleanup(self.sim.close)
        self.sim.run(0.05)

    def test_they_look_into_memory_and_cannot_be_written(self):
        one, other = self.sim.bodies.position, self.sim.bodies.position
        self.assertTrue(numpy.shares_memory(one, other))
        self.assertFalse(one.flags.owndata)
        with self.assertRaises(ValueError):
            one[0, 0] = 1
        with self.assertRaises(ValueError):
            one.flags.writeable = True

    def test_they_keep_what_they_show(self):
        velocity = self.sim.bodies.velocity
        before = velocity.copy()
        self.sim.step()
        self.assertFalse(numpy.array_equal(self.sim.bodies.velocity, before))
        numpy.testing.assert_array_equal(velocity, before)
        last = self.sim.bodies.velocity
        kept = last.copy()
        self.sim.restore(self.sim.save())
        self.sim.close()
        del self.sim.__dict__
        gc.collect()
        numpy.testing.assert_array_equal(last, kept)

    def test_looking_does_not_change_the_run(self):
        kept = []
        with scree.Simulation(INPUTS / "box_of_blocks.json") as seen, scree.Simulation(INPUTS / "box_of_blocks.json") as blind:
            for _ in range(100):
                seen.step()
                kept.append((seen.bodies.position, seen.contacts, seen.boundaries, seen.bodies.force, seen.energy))
                blind.step()
            numpy.testing.assert_array_equal(state_of(seen), state_of(blind))

    def test_forces_balance_during_impacts(self):
        self.sim.run(0.2)
        self.check_forces()

    def test_forces_balance(self):
        self.sim.run(1.0)
        self.check_forces()

    def check_forces(self):
        total = self.sim.boundaries.force.sum(axis=0)
        contacts = self.sim.contacts
        onto = contacts.force[contacts.body_b < 0].sum(axis=0)
        scale = numpy.abs(contacts.force).max()
        self.assertGreater(scale, 0)
        numpy.testing.assert_allclose(total, -onto, atol=1e-12 * scale)
        bodies = numpy.zeros((len(self.sim.bodies), 3))
        numpy.add.at(bodies, contacts.body_a, contacts.force)
        numpy.add.at(bodies, contacts.body_b[contacts.body_b >= 0], -contacts.force[contacts.body_b >= 0])
        numpy.testing.assert_allclose(self.sim.bodies.force, bodies, atol=1e-12 * scale)


class Errors(WithFolder):
    def messages(self, content):
        path = self.write(content)
        told = program("check", str(path), folder=self.folder)
        return path, [line for line in told.stderr.splitlines() if "nothing was run" not in line]

    def test_messages_are_those_of_the_program(self):
        bad = deck("block_on_slope.json")
        bad["gravity"] = [0, 0]
        bad["bodies"][0]["shape"] = "cubes"
        for content in (bad, '{"title": ', "{}"):
            path, told = self.messages(content)
            found = scree.check(path)
            self.assertEqual([str(one) for one in found], told)
            self.assertGreater(len(found), 0)
            with self.assertRaises(scree.InputError) as caught:
                scree.Simulation(path)
            self.assertEqual(caught.exception.diagnostics, found)
            self.assertEqual({one.severity for one in found}, {"error"})

    def test_bodies_that_overlap_are_an_error_of_the_deck(self):
        content = deck("block_on_slope.json")
        content["bodies"].append({**content["bodies"][0], "name": "twin"})
        path, told = self.messages(content)
        self.assertEqual([str(one) for one in scree.check(path)], told)
        with self.assertRaisesRegex(scree.InputError, "twin"):
            scree.Simulation(content)

    def test_a_deck_with_a_coupling_is_refused(self):
        with self.assertRaisesRegex(scree.InputError, r"deck\.json: /coupling: .*scree\.Participant"):
            scree.Simulation(INPUTS / "coupling" / "precice" / "deck.json")

    def test_what_is_no_deck_is_an_error(self):
        self.assertIn("no_such.json", scree.check("no_such.json")[0].message + scree.check("no_such.json")[0].where)
        for wrong in (3, None, ["deck.json"]):
            with self.assertRaises(TypeError):
                scree.Simulation(wrong)
        with self.assertRaises(TypeError):
            scree.Simulation({"gravity": object()})
        with self.assertRaises(ValueError):
            scree.Simulation({"gravity": float("nan")})
        with self.assertRaisesRegex(TypeError, "communicator of mpi4py"):
            scree.Simulation(INPUTS / "block_on_slope.json", comm=3)

    def test_a_good_deck_has_notes_at_most(self):
        found = scree.check(INPUTS / "block_on_slope.json")
        self.assertEqual([one for one in found if one.severity != "note"], [])

    def test_a_check_has_warnings_of_the_start_and_the_library_that_is_missing(self):
        coarse = deck("block_on_slope.json")
        coarse["time"] = {"end": 0.1, "step": {"initial": 1e-4, "min": 1e-9, "max": 1e-2, "resolution": 5}}
        coupled = deck("block_on_slope.json")
        coupled["boundaries"].append({
            "name": "plate", "type": "surface", "material": coupled["boundaries"][0]["material"], "motion": "coupled",
            "vertices": [[90, 90, 90], [91, 90, 90], [91, 91, 90], [90, 91, 90]], "faces": [[0, 1, 2], [0, 2, 3]]})
        coupled["coupling"] = {"type": "precice", "config": "none.xml", "participant": "Scree", "surfaces": [
            {"boundary": "plate", "mesh": "M", "displacement": "D", "force": "F"}]}
        for content in (coarse, coupled):
            path, told = self.messages(content)
            found = [one for one in scree.check(path) if one.severity != "note"]
            self.assertEqual([str(one) for one in found], told)
            if content is coarse:
                self.assertIn("/time/step/resolution", [one.where for one in found])

    def test_dicts_may_hold_arrays(self):
        content = deck("block_on_slope.json", gravity=numpy.array([0, 0, -9.81]))
        with scree.Simulation(content) as sim:
            sim.step()

    def test_options_of_two_simulations_are_apart(self):
        content = deck("box_of_blocks.json")
        content.setdefault("solver", {})["petsc_options"] = "-scree_snes_max_it 1"
        with scree.Simulation(content) as first, scree.Simulation(INPUTS / "box_of_blocks.json") as second:
            self.assertEqual((first.options_prefix, second.options_prefix), ("scree_", "scree2_"))
            iterations = [0, 0]
            for _ in range(300):
                for k, sim in enumerate((first, second)):
                    iterations[k] = max(iterations[k], sim.step().newton)  # finite: counts
            self.assertEqual(iterations[0], 1)
            self.assertGreater(iterations[1], 1)
            with self.assertRaisesRegex(ValueError, "another prefix"):
                scree.Simulation(content, options_prefix="scree_")
            with scree.Simulation(content, options_prefix="mine_") as third:
                self.assertEqual(max(third.step().newton for _ in range(300)), 1)  # finite: counts
        with scree.Simulation(INPUTS / "box_of_blocks.json", options_prefix="scree_") as later:
            self.assertGreater(max(later.step().newton for _ in range(300)), 1)  # finite: counts
            with scree.Simulation(content) as other:  # options of its deck are not for one that is there
                self.assertEqual(other.options_prefix, "scree2_")


class Interrupts(unittest.TestCase):
    def test_ctrl_c_ends_a_step_and_keeps_the_accepted_state(self):
        with scree.Simulation(INPUTS / "box_of_blocks.json") as sim:
            with subprocess.Popen(["sh", "-c", f"sleep 0.7; kill -INT {os.getpid()}"]):
                reached = 0
                start = time.monotonic()
                with self.assertRaises(KeyboardInterrupt):
                    while time.monotonic() < start + 60:
                        reached = sim.time
                        sim.step()
                        if sim.finished:
                            sim.restore(first)
                        elif reached == 0:
                            first = sim.save()
            self.assertLess(time.monotonic() - start, 5)
            self.assertGreaterEqual(sim.time, reached)
            self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
            before = sim.time
            sim.step()
            self.assertGreater(sim.time, before)

    def test_the_handler_of_the_user_is_called(self):
        called = []
        old = signal.signal(signal.SIGINT, lambda *_: called.append(1))
        self.addCleanup(signal.signal, signal.SIGINT, old)
        with scree.Simulation(INPUTS / "box_of_blocks.json") as sim:
            start = sim.save()
            with subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -INT {os.getpid()}"]):
                with contextlib.suppress(KeyboardInterrupt):
                    while not called:
                        if sim.finished:
                            sim.restore(start)
                        sim.step()
        self.assertEqual(called, [1])


if __name__ == "__main__":
    unittest.main()
