#!/usr/bin/python3
"""Pictures of ./scree couple rockfall: blocks and slab at some times, forces, energies.

usage: inputs/coupling/rockfall_picture.py RESULTS picture.png [--times T ...] [--magnify FACTOR]

Needs the Debian packages python3-vtk9 and python3-matplotlib; no display.
"""
import argparse
import csv
import pathlib
import re
import sys

try:
    import matplotlib
    import vtkmodules.all as vtk
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection
except ImportError:
    sys.exit("rockfall_picture.py: use Debian's /usr/bin/python3 after: apt-get install python3-vtk9 python3-matplotlib")


def frames(folder, name):
    """Times and files of a series."""
    text = (folder / f"{name}.pvd").read_text(encoding="utf-8")
    return sorted((float(time), folder / file) for time, file in re.findall(r'timestep="([^"]+)"[^>]*file="([^"]+)"', text))


def nearest(series, time):
    return min(series, key=lambda frame: abs(frame[0] - time))[1]


def read(file):
    kinds = {".vtu": vtk.vtkXMLUnstructuredGridReader, ".pvtp": vtk.vtkXMLPPolyDataReader, ".vtp": vtk.vtkXMLPolyDataReader}
    reader = kinds[file.suffix]()
    reader.SetFileName(str(file))
    reader.Update()
    return reader.GetOutput()


def polygons(surface, move=None):
    """Corners of all polygons."""
    all_corners = []
    for k in range(surface.GetNumberOfCells()):
        ids = surface.GetCell(k).GetPointIds()
        corners = []
        for i in range(ids.GetNumberOfIds()):
            point = surface.GetPoint(ids.GetId(i))
            corners.append(point if move is None else move(ids.GetId(i), point))
        all_corners.append(corners)
    return all_corners


def show(axes, folder, time, magnify, stress_scale):
    grid = read(nearest(frames(folder, "slab"), time))
    skin = vtk.vtkDataSetSurfaceFilter()
    skin.SetInputData(grid)
    skin.Update()
    slab = skin.GetOutput()
    displacement, stress = (slab.GetPointData().GetArray(name) for name in ("displacement", "von_mises"))
    moved = polygons(slab, lambda i, p: tuple(x + magnify * u for x, u in zip(p, displacement.GetTuple3(i))))
    values = []
    for k in range(slab.GetNumberOfCells()):
        ids = slab.GetCell(k).GetPointIds()
        values.append(1e-6 * sum(stress.GetValue(ids.GetId(i)) for i in range(ids.GetNumberOfIds())) / ids.GetNumberOfIds())
    paint = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, stress_scale), "viridis")
    axes.computed_zorder = False
    axes.add_collection3d(Poly3DCollection(moved, facecolors=paint.to_rgba(values), edgecolors="none", zorder=1))
    bodies = read(nearest(frames(folder, "bodies"), time))
    axes.add_collection3d(Poly3DCollection(polygons(bodies), facecolors=(0.85, 0.74, 0.56), edgecolors=(0.2, 0.2, 0.2),
                                           linewidths=0.3, zorder=2))
    axes.set(xlim=(0, 4), ylim=(0, 3), zlim=(-0.4, 2.0))
    axes.text2D(0.5, 0.92, f"{time:.3f} s", transform=axes.transAxes, ha="center", fontsize=10)
    axes.set_box_aspect((4, 3, 2.4), zoom=1.2)
    axes.view_init(22, -62)
    axes.set_axis_off()
    return paint


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("picture")
    parser.add_argument("--times", nargs="+", type=float, default=[0.05, 0.17, 0.35])
    parser.add_argument("--magnify", type=float, default=100.0, help="factor on the displacement of the slab")
    parser.add_argument("--stress", type=float, default=12.0, help="end of the scale [MPa]")
    options = parser.parse_args()
    figure = pyplot.figure(figsize=(12, 6.6), dpi=80)
    count = len(options.times)
    for k, time in enumerate(options.times):
        axes = figure.add_axes((0.94 * k / count, 0.42, 0.94 / count, 0.56), projection="3d")
        paint = show(axes, options.results, time, options.magnify, options.stress)
    bar = figure.colorbar(paint, cax=figure.add_axes((0.945, 0.52, 0.008, 0.35)))
    bar.set_label("von Mises stress [MPa]", fontsize=8)
    bar.ax.tick_params(labelsize=7)
    with open(options.results / "history.csv", encoding="utf-8") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    times = [row["time [s]"] for row in rows]
    forces = figure.add_axes((0.07, 0.09, 0.41, 0.29))
    forces.plot(times, [1e-3 * row["contact [N]"] for row in rows], lw=0.8, label="blocks on slab")
    forces.plot(times, [1e-3 * (row["left support [N]"] + row["right support [N]"]) for row in rows], lw=0.8, label="both supports")
    forces.set(xlabel="time [s]", ylabel="force [kN]")
    forces.legend(fontsize=8)
    energy = figure.add_axes((0.56, 0.09, 0.41, 0.29))
    energy.stackplot(times, *[[1e-3 * row[key] for row in rows] for key in ("bodies [J]", "slab [J]", "dissipated [J]")],
                     labels=("blocks", "slab", "dissipated"), colors=("#d9bd8f", "#3a7ca5", "#cccccc"))
    energy.set(xlabel="time [s]", ylabel="energy [kJ]")
    energy.legend(fontsize=8, loc="lower left")
    figure.savefig(options.picture)


if __name__ == "__main__":
    main()
