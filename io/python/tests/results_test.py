"""What the program writes, read by scree.open. Run by ctest (python.results)."""
import json
import pathlib
import sys
import tempfile
import unittest

import numpy
import scree
from decks import deck, program, shortened


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        folder = pathlib.Path(cls.temporary.name)
        content = deck("box_of_blocks.json")
        content["time"]["end"] = 0.5
        content["output"] = {"directory": "results", "vtk": {"every": 0.25}, "contacts": {"every": 0.25}, "final_state": "final.csv",
                             "histories": [{"file": "energy.csv"}]}
        (folder / "deck.json").write_text(json.dumps(content), encoding="utf-8")
        run = program("run", "deck.json", folder=folder)
        assert run.returncode == 0, run.stderr
        cls.results = scree.open(folder / "results")

    def test_frames_are_those_of_the_series(self):
        self.assertEqual(len(self.results), 3)
        self.assertEqual(self.results.times[0], 0)
        self.assertEqual(self.results[-1].time, 0.5)
        with self.assertRaises(IndexError):
            _ = self.results[3]

    def test_bodies_of_the_last_frame_are_those_of_the_final_state(self):
        bodies, final = self.results[-1].bodies, self.results.state("final.csv")
        self.assertEqual(len(bodies), len(final))
        place = numpy.stack([final[axis] for axis in "xyz"], axis=1)
        # Points are in single precision.
        size = numpy.abs(self.results[-1].surface.points).max()
        numpy.testing.assert_allclose(bodies.position, place, atol=4e-7 * size)
        numpy.testing.assert_array_equal(bodies.velocity, numpy.stack([final[v] for v in ("vx", "vy", "vz")], axis=1))
        self.assertEqual(bodies["x"].shape, (len(final),))

    def test_contacts_of_a_frame_are_those_of_the_table(self):
        tables = list(self.results.contacts())
        self.assertEqual([time for time, _ in tables], self.results.times.tolist())
        frame, table = self.results[-1].contacts, tables[-1][1]
        self.assertEqual(len(frame), len(table))
        numpy.testing.assert_array_equal(numpy.sort(frame.normal_force_magnitude), numpy.sort(table.fn))
        numpy.testing.assert_array_equal(numpy.sort(frame.point[:, 2]), numpy.sort(table.z))

    def test_walls_are_drawn_from_the_first_body_on(self):
        self.assertGreater(len(self.results[0].boundaries.points), 0)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "deck.json").write_text(json.dumps(shortened("hopper.json", 0.02, vtk={"every": 0.01})), encoding="utf-8")
            run = program("run", "deck.json", folder=folder)
            self.assertEqual(run.returncode, 0, run.stderr)
            frames = scree.open(folder / "results")
            self.assertEqual((len(frames[0].bodies), len(frames[0].boundaries.points)), (0, 0))
            self.assertGreater(len(frames[1].boundaries.points), 0)
            self.assertEqual(len(frames[1].boundaries.cell_data["boundary"]), len(frames[1].boundaries.offsets))

    def test_bodies_of_many_sizes_have_the_shapes_of_the_deck(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            content = shortened("hopper.json", 0.02, vtk={"every": 0.02}, final_state="final.csv")
            content["inlets"][0]["scale"] = {"uniform": [0.8, 1.2]}
            (folder / "deck.json").write_text(json.dumps(content), encoding="utf-8")
            run = program("run", "deck.json", folder=folder)
            self.assertEqual(run.returncode, 0, run.stderr)
            frame, final = scree.open(folder / "results")[-1], scree.open(folder / "results").state("final.csv")
            names = frame.surface.field_data["shape_names"]
            self.assertEqual(names.tolist(), ["ball", "pill"])
            self.assertGreater(len(final), 0)
            self.assertEqual(names[frame.bodies.shape].tolist(), [shape.split("*")[0] for shape in final["shape"]])
            ball = 4 / 3 * numpy.pi * 0.006**3
            pill = 4 / 3 * numpy.pi * 0.004**3 + numpy.pi * 0.004**2 * 0.01
            volumes = [{"ball": ball, "pill": pill}[parent] * float(factor)**3
                       for parent, factor in (shape.split("*") for shape in final["shape"])]
            numpy.testing.assert_allclose(frame.bodies.volume, volumes, rtol=1e-14)
            # Results without the array: the triangles drawn are inscribed.
            del frame.surface.cell_data["volume"]
            del frame.bodies
            ratios = frame.bodies.volume / volumes
            self.assertTrue(numpy.all((ratios > 0.96) & (ratios < 0.98)), ratios)

    def test_histories_are_arrays(self):
        energy = self.results.history("energy.csv")
        self.assertEqual(energy.time.dtype, float)
        self.assertEqual(energy["time"][-1], 0.5)
        self.assertEqual(energy.kinetic_energy.shape, energy.time.shape)
        with self.assertRaisesRegex(AttributeError, "there are: time"):
            _ = energy.kinetics
        self.assertEqual(self.results.report()["time"], 0.5)

    def test_they_are_read_without_the_compiled_part(self):
        self.assertNotIn("scree._scree", sys.modules)

    def test_what_is_not_there_is_an_error(self):
        with self.assertRaisesRegex(FileNotFoundError, "expected the output directory"):
            scree.open("no_such_folder")
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(FileNotFoundError, "holds no results"):
            scree.open(folder)
        with self.assertRaises(FileNotFoundError):
            self.results.history("no_such.csv")

    def test_files_below_the_folder_are_listed_too(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "sub").mkdir()
            (folder / "report.json").write_text("{}", encoding="utf-8")
            (folder / "sub" / "a.csv").write_text("x\n1\n", encoding="utf-8")
            results = scree.open(folder)
            self.assertEqual(results.files, ["sub/a.csv"])
            self.assertEqual(results.table("sub/a.csv")["x"].tolist(), [1])


if __name__ == "__main__":
    unittest.main()
