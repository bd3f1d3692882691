"""Run with: python3 -m unittest discover -s io/post -p "*_test.py" """
import importlib.util
import pathlib
import sys
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))


@unittest.skipUnless(importlib.util.find_spec("vtkmodules"), "this Python has no VTK")
class AddWalls(unittest.TestCase):
    def test_walls_are_two_actors_and_edges_inside_of_a_boundary_are_not_drawn(self):
        import render
        sheet = render.vtk.vtkPlaneSource()  # 25 squares in rows of 5, normal +z
        sheet.SetResolution(5, 5)
        sheet.Update()
        walls = sheet.GetOutput()
        boundary = render.vtk.vtkIntArray()
        boundary.SetName("boundary")
        for number in range(25):
            boundary.InsertNextValue(0 if number < 5 else 1)  # one row, and the other four
        walls.GetCellData().AddArray(boundary)
        renderer = render.vtk.vtkRenderer()
        render.add_walls(renderer, walls, types.SimpleNamespace(oversampling=1))
        actors = renderer.GetActors()
        self.assertEqual(actors.GetNumberOfItems(), 2)
        actors.InitTraversal()
        cells = []
        for _ in range(2):
            mapper = actors.GetNextActor().GetMapper()
            mapper.Update()
            cells.append(mapper.GetInput().GetNumberOfCells())
        self.assertEqual(cells, [25, 12 + 18], "squares of the floor; edges around the row, and around the four")


if __name__ == "__main__":
    unittest.main()
