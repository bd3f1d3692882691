"""Checkpoints, read with h5py as docs/reference/checkpoint.md says. Run by ctest (python.checkpoint)."""
import json
import pathlib
import tempfile
import unittest

import numpy
import scree
from decks import deck, program

try:
    import h5py
except ImportError:
    h5py = None


@unittest.skipIf(h5py is None, "this Python has no h5py (package python3-h5py)")
class Checkpoint(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        content = deck("box_of_blocks.json")
        content["time"]["end"] = 0.3
        content["output"] = {"directory": "results", "final_state": "final.csv", "checkpoint": {"every": 0.1, "keep": 9}}
        cls.text = json.dumps(content)
        (cls.folder / "deck.json").write_text(cls.text, encoding="utf-8")
        run = program("run", "deck.json", folder=cls.folder)
        assert run.returncode == 0, run.stderr
        cls.files = sorted((cls.folder / "results").glob("checkpoint.*.h5"))

    def test_attributes_say_what_it_is(self):
        times = []
        for name in self.files:
            with h5py.File(name) as file:
                self.assertEqual(file.attrs["format"].decode(), "scree checkpoint")
                self.assertEqual((file.attrs["format_version"], file.attrs["ranks"]), (8, 1))
                self.assertEqual(file["deck"][()].decode(), self.text)
                times.append(float(file.attrs["time"]))
        self.assertEqual(len(times), 3)
        self.assertEqual(times[-1], 0.3)
        for k, time in enumerate(times[:-1]):
            self.assertTrue(0.1 * (k + 1) - 1e-12 <= time <= 0.1 * (k + 1) + 0.01, times)

    def test_the_state_is_the_final_one(self):
        final = scree.open(self.folder / "results").state("final.csv")
        with h5py.File(self.files[-1]) as file:
            bodies = file["world/bodies"]
            position = bodies["position"]
            self.assertEqual(position.shape, (len(final), 3))
            self.assertEqual(position.attrs["units"].decode(), "m")
            for k, axis in enumerate("xyz"):
                numpy.testing.assert_array_equal(position[:, k], final[axis])
            for k, column in enumerate(("qx", "qy", "qz", "qw")):
                numpy.testing.assert_array_equal(bodies["orientation"][:, k], final[column])

    def test_each_dataset_has_a_hash_and_readable_rows(self):
        with h5py.File(self.files[-1]) as file:
            found = []
            file.visititems(lambda name, one: found.append((name, one)) if isinstance(one, h5py.Dataset) and "/" in name else None)
            self.assertGreater(len(found), 40)
            for name, one in found:
                self.assertIn("hashes_of_ranks", one.attrs, name)
                self.assertEqual(one[()].shape, one.shape, name)
            contacts = file["world/memory/contacts"]
            self.assertEqual(int(contacts["entries.count"][()].sum()), len(next(iter(contacts["entries"].values()))))


class Resume(unittest.TestCase):
    def test_a_run_that_stopped_at_rest_goes_on_if_it_is_told_to(self):
        content = {
            "time": {"end": 1, "step": 1e-3, "stop": {"when": "at rest", "kinetic_energy": 1e-3}}, "gravity": [0, 0, -9.81],
            "materials": {"m": {"density": 2000}}, "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
            "integrator": {"type": "newmark"}, "bodies": [{"shape": "ball", "material": "m", "position": [0, 0, 0.0499]}],
            "boundaries": [{"name": "floor", "type": "plane", "material": "m", "point": [0, 0, 0], "normal": [0, 0, 1]}],
            "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5, "damping": 20}}],
            "output": {"directory": "results", "checkpoint": {}}}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "deck.json").write_text(json.dumps(content), encoding="utf-8")

            def steps_after(*arguments):
                run = program(*arguments, folder=folder)
                self.assertEqual(run.returncode, 0, run.stderr)
                report = scree.open(folder / "results").report()
                self.assertTrue(report["at_rest"])
                return report["steps"]

            steps = steps_after("run", "deck.json")
            self.assertEqual(steps_after("resume", "results"), steps)
            self.assertEqual(steps_after("resume", "results", "--end", "2"), steps + 5)  # at rest once more
            self.assertEqual(steps_after("resume", "results"), steps + 5)

    def test_bodies_are_not_taken_over_with_another_shape_of_their_size(self):
        box = {"type": "box", "size": [0.2, 0.1, 0.04]}
        plank = {"shape": "plank", "material": "m", "position": [0, 0, 0.3]}
        content = {
            "time": {"end": 2e-3, "step": 1e-3}, "materials": {"m": {"density": 2000}}, "shapes": {"plank": box},
            "bodies": [plank, {**plank, "position": [1, 0, 0.3], "mass": 3}],
            "interfaces": [{"between": ["*", "*"], "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e9}}],
            "output": {"directory": "results", "checkpoint": {}}}
        radius = (0.2**2 + 0.1**2 + 0.04**2)**0.5 / 2
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)

            def run_of(deck):
                (folder / "deck.json").write_text(json.dumps(deck), encoding="utf-8")
                return program("run", "deck.json", folder=folder)

            def taken(**changed):
                file = folder / content["output"]["directory"] / "checkpoint.000000.h5"
                return run_of({**content, "bodies": [{"checkpoint": str(file)}], "output": {"directory": "other", "checkpoint": {}}, **changed})

            self.assertEqual(run_of(content).returncode, 0)
            for shape in ({**box, "size": [0.1, 0.04, 0.2]}, {"type": "sphere", "radius": radius}):
                run = taken(shapes={"plank": shape})
                self.assertEqual(run.returncode, 2, run.stdout)
                self.assertRegex(run.stderr, 'shape "plank" has moments of inertia per mass .* m.2 here, and .*; expected the shape')
            run = taken(shapes={"plank": {**box, "size": [0.2, 0.1, 0.05]}})
            self.assertRegex(run.stderr, 'shape "plank" has a bounding radius of')
            run = taken(materials={"m": {"density": 500}})  # masses stay
            self.assertEqual(run.returncode, 0, run.stderr)
            # From what such a deck has saved, too; inertia that the first deck gives is no shape.
            content.update(bodies=[{"checkpoint": str(folder / "other/checkpoint.000000.h5")}], output={"directory": "third", "checkpoint": {}})
            self.assertEqual(run_of(content).returncode, 0)
            self.assertEqual(taken(shapes={"plank": {"type": "sphere", "radius": radius}}).returncode, 2)
            content["bodies"] = [{**plank, "inertia": [1, 1, 1]}]
            self.assertEqual(run_of(content).returncode, 0)
            run = taken()
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("have other moments of inertia than the shape", run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
