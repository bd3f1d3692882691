"""Run with: python3 -m unittest discover -s io/post -p "*_test.py" """
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from read_results import Results, main  # noqa: E402


class ReadResults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.results = Results(self.folder.name)

    def write(self, name, text):
        (pathlib.Path(self.folder.name) / name).write_text(text, encoding="utf-8")

    def test_history_gives_columns_of_numbers(self):
        self.write("energy.csv", "time,min_gap\n0,inf\n0.1,1e-05\n")
        history = self.results.history("energy.csv")
        self.assertEqual(history, {"time": [0.0, 0.1], "min_gap": [float("inf"), 1e-5]})

    def test_state_gives_bodies_whose_names_stay_text(self):
        self.write("final.csv", 'name,x,shape\n0,1.5,block\n"a, b",2,ball\n')
        bodies = self.results.state("final.csv")
        self.assertEqual(bodies[0], {"name": "0", "x": 1.5, "shape": "block"})
        self.assertEqual(bodies[1]["name"], "a, b")

    def test_contacts_come_in_the_order_of_the_index(self):
        self.write("contacts_index.csv", "file,time\ncontacts.000000.csv,0\ncontacts.000001.csv,0.5\n")
        self.write("contacts.000000.csv", "body_a,body_b,fn\n")
        self.write("contacts.000001.csv", "body_a,body_b,fn\n0,floor,2.5\n")
        found = list(self.results.contacts())
        self.assertEqual([time for time, _ in found], [0.0, 0.5])
        self.assertEqual(found[0][1]["fn"], [])
        self.assertEqual(found[1][1], {"body_a": ["0"], "body_b": ["floor"], "fn": [2.5]})

    def test_the_list_names_files_of_subfolders_too(self):
        (pathlib.Path(self.folder.name) / "sub").mkdir()
        self.write("sub/energy.csv", "time,min_gap\n0,inf\n")
        with contextlib.redirect_stdout(io.StringIO()) as out, unittest.mock.patch("sys.argv", ["read_results.py", self.folder.name]):
            main()
        self.assertEqual(out.getvalue(), "sub/energy.csv: 1 row of time, min_gap\n")


if __name__ == "__main__":
    unittest.main()
