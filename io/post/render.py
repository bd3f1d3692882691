#!/usr/bin/python3
"""Renders a state of a run to a picture (PNG, white background).

usage: xvfb-run -a io/post/render.py RESULTS picture.png [options]
RESULTS is the results folder of a run (its last state, or --frame or --time) or a .pvtp or .vtp file of bodies.

Needs the Debian packages python3-vtk9, and on a machine without a display xvfb and xauth (xvfb-run).
"""
import argparse
import collections
import itertools
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
from scree.tables import read_series  # noqa: E402

try:
    import vtkmodules.all as vtk
except ImportError:
    sys.exit("render.py: this Python has no VTK; use Debian's /usr/bin/python3 after: apt-get install python3-vtk9 xvfb xauth")

INK = (0.16, 0.17, 0.20)
# Sand, slate and rust: neighbours differ, none shouts.
STONES = [(0.85, 0.74, 0.56), (0.76, 0.62, 0.45), (0.90, 0.83, 0.70), (0.66, 0.60, 0.54), (0.58, 0.63, 0.68),
          (0.80, 0.56, 0.42), (0.72, 0.70, 0.62)]
# Perceptual, dark to bright (viridis and inferno at 0, 1/4, 1/2, 3/4, 1).
VIRIDIS = [(0.267, 0.005, 0.329), (0.229, 0.322, 0.546), (0.128, 0.567, 0.551), (0.369, 0.789, 0.383),
           (0.993, 0.906, 0.144)]
EMBER = [(0.99, 0.80, 0.45), (0.97, 0.58, 0.18), (0.87, 0.33, 0.10), (0.66, 0.12, 0.18), (0.34, 0.05, 0.33)]
LABELS = {"speed": "speed [m/s]", "contact_force_magnitude": "contact force [N]"}


def choose_files(arguments):
    """The files (bodies, contacts, boundaries) of the requested state; None for a missing file."""
    path = pathlib.Path(arguments.results)
    if path.is_file():
        name = path.name
        contacts = path.with_name(name.replace("bodies_", "contacts_", 1))
        walls = path.with_name(name.replace("bodies_", "boundaries_", 1)).with_suffix(".vtp")
        return [path] + [f if f != path and f.exists() else None for f in (contacts, walls)]
    frames = read_series(path, "bodies")
    if not frames:
        sys.exit(f'render.py: {path}/bodies.pvd not found or empty; add "vtk" to /output of the deck')
    if arguments.time is not None:
        time = min((t for t, _ in frames), key=lambda t: abs(t - arguments.time))
    elif -len(frames) <= arguments.frame < len(frames):
        time = frames[arguments.frame][0]
    else:
        sys.exit(f"render.py: frame {arguments.frame} does not exist; valid: 0 to {len(frames) - 1}")
    return [dict(read_series(path, name)).get(time) for name in ("bodies", "contacts", "boundaries")]


def read(file):
    reader = vtk.vtkXMLPPolyDataReader() if file.suffix == ".pvtp" else vtk.vtkXMLPolyDataReader()
    reader.SetFileName(str(file))
    reader.Update()
    return reader.GetOutput()


def color_map(colors, low, high):
    function = vtk.vtkColorTransferFunction()
    for k, color in enumerate(colors):
        function.AddRGBPoint(low + (high - low) * k / (len(colors) - 1), *color)
    return function


def actor_of(port, color=None):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(port)
    if color:
        mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    if color:
        actor.GetProperty().SetColor(*color)
    return actor


def paint_stones(bodies):
    """Gives each body a colour of its own, the same in all pictures of a run."""
    ids = bodies.GetCellData().GetArray("body")
    colors = vtk.vtkUnsignedCharArray()
    colors.SetName("stone")
    colors.SetNumberOfComponents(3)
    for cell in range(bodies.GetNumberOfCells()):
        pick = random.Random(int(ids.GetValue(cell)) * 2654435761 % 2**32)
        light = pick.uniform(0.92, 1.06)
        colors.InsertNextTuple3(*(min(255, 255 * c * light) for c in pick.choice(STONES)))
    bodies.GetCellData().AddArray(colors)


def add_bodies(renderer, bodies, arguments):
    """Surfaces, smooth where the shape is round, and dark lines along sharp edges."""
    normals = vtk.vtkPolyDataNormals()
    normals.SetInputData(bodies)
    normals.SetFeatureAngle(40)
    normals.SplittingOn()
    normals.ConsistencyOff()
    actor = actor_of(normals.GetOutputPort())
    mapper = actor.GetMapper()
    mapper.SetScalarModeToUseCellFieldData()
    if arguments.forces and arguments.color == "stone":
        mapper.ScalarVisibilityOff()  # the arrows have the colours
        actor.GetProperty().SetColor(0.66, 0.71, 0.78)
    elif arguments.color == "stone":
        paint_stones(bodies)
        mapper.SelectColorArray("stone")
        mapper.SetColorModeToDirectScalars()
    else:
        array = bodies.GetCellData().GetArray(arguments.color)
        if array is None:
            names = [bodies.GetCellData().GetArrayName(k) for k in range(bodies.GetCellData().GetNumberOfArrays())]
            sys.exit(f'render.py: unknown array "{arguments.color}"; valid: stone, {", ".join(names)}')
        low, high = arguments.range or array.GetRange()
        table = color_map(VIRIDIS, low, max(high, low + 1e-30))
        mapper.SelectColorArray(arguments.color)
        mapper.SetLookupTable(table)
        mapper.UseLookupTableScalarRangeOn()
        renderer.AddActor2D(color_bar(table, LABELS.get(arguments.color, arguments.color), arguments, 0.93))
    finish = actor.GetProperty()
    finish.SetInterpolationToPhong()
    finish.SetAmbient(0.28)
    finish.SetDiffuse(0.88)
    finish.SetSpecular(0.08)
    finish.SetSpecularPower(20)
    finish.SetOpacity(arguments.opacity)
    renderer.AddActor(actor)
    if arguments.edges:
        edges = vtk.vtkFeatureEdges()
        edges.SetInputData(bodies)
        edges.SetFeatureAngle(40)
        edges.BoundaryEdgesOff()
        edges.ManifoldEdgesOff()
        edges.NonManifoldEdgesOff()
        edges.ColoringOff()
        lines = actor_of(edges.GetOutputPort(), INK)
        lines.GetProperty().SetLineWidth(1.1 * arguments.oversampling)
        # Through clear bodies all edges show at once: they must not be what one sees.
        lines.GetProperty().SetOpacity(0.75 if arguments.opacity == 1 else 0.12 + 0.5 * arguments.opacity**2)
        lines.GetProperty().LightingOff()
        lines.GetMapper().SetResolveCoincidentTopologyToPolygonOffset()
        lines.GetMapper().SetRelativeCoincidentTopologyLineOffsetParameters(0, -4)
        renderer.AddActor(lines)


def used_part(walls, faces):
    """A filter that gives some faces of the walls with their points alone, which neighbours share."""
    part = vtk.vtkPolyData()
    part.SetPoints(walls.GetPoints())
    part.SetPolys(faces)
    used = vtk.vtkCleanPolyData()
    used.SetInputData(part)
    return used


def add_walls(renderer, walls, arguments):
    """Faces with an upward normal, which carry shade, and the outline of each boundary: free edges and folds."""
    floor, parts = vtk.vtkCellArray(), collections.defaultdict(vtk.vtkCellArray)
    boundary = walls.GetCellData().GetArray("boundary")
    normal = [0.0, 0.0, 0.0]
    for number in range(walls.GetNumberOfCells()):
        face = walls.GetCell(number)
        vtk.vtkPolygon.ComputeNormal(face.GetPoints(), normal)
        if normal[2] > 0.5:
            floor.InsertNextCell(face)
        parts[int(boundary.GetTuple1(number))].InsertNextCell(face)
    if floor.GetNumberOfCells() > 0:
        used = used_part(walls, floor)
        actor = actor_of(used.GetOutputPort(), (0.93, 0.93, 0.92))
        actor.GetProperty().SetAmbient(0.45)
        actor.GetProperty().SetDiffuse(0.6)
        renderer.AddActor(actor)
    if not parts:
        return
    rims = vtk.vtkAppendPolyData()
    for part in parts.values():
        used = used_part(walls, part)
        rim = vtk.vtkFeatureEdges()
        rim.SetInputConnection(used.GetOutputPort())
        rim.SetFeatureAngle(40)
        rim.ColoringOff()
        rims.AddInputConnection(rim.GetOutputPort())
    outline = actor_of(rims.GetOutputPort(), (0.55, 0.56, 0.58))
    outline.GetProperty().SetLineWidth(1.4 * arguments.oversampling)
    outline.GetProperty().LightingOff()
    renderer.AddActor(outline)


def add_arrows(renderer, contacts, scale, arguments):
    """Arrows from the contact along the normal force on body_a, as long and as dark as the force is large."""
    magnitude = contacts.GetPointData().GetArray("normal_force_magnitude")
    if contacts.GetNumberOfPoints() == 0 or magnitude.GetRange()[1] <= 0:
        return
    largest = magnitude.GetRange()[1]
    contacts.GetPointData().SetActiveVectors("normal_force")
    contacts.GetPointData().SetActiveScalars("normal_force_magnitude")
    arrow = vtk.vtkArrowSource()
    arrow.SetTipResolution(24)
    arrow.SetShaftResolution(24)
    arrow.SetTipRadius(0.09)
    arrow.SetShaftRadius(0.035)
    glyphs = vtk.vtkGlyph3D()
    glyphs.SetInputData(contacts)
    glyphs.SetSourceConnection(arrow.GetOutputPort())
    glyphs.SetVectorModeToUseVector()
    glyphs.SetScaleModeToScaleByVector()
    glyphs.SetColorModeToColorByScalar()
    glyphs.SetScaleFactor(arguments.arrow_length * scale / largest)
    actor = actor_of(glyphs.GetOutputPort())
    table = color_map(EMBER, 0, largest)
    actor.GetMapper().SetLookupTable(table)
    actor.GetMapper().UseLookupTableScalarRangeOn()
    actor.GetProperty().SetAmbient(0.35)
    renderer.AddActor(actor)
    right = 0.93 if arguments.color == "stone" else 0.84
    renderer.AddActor2D(color_bar(table, "normal force [N]", arguments, right))


def color_bar(table, title, arguments, left):
    bar = vtk.vtkScalarBarActor()
    bar.SetLookupTable(table)
    bar.SetTitle(title + "\n ")
    bar.SetNumberOfLabels(5)
    bar.SetLabelFormat("%.3g")
    bar.SetMaximumWidthInPixels(20 * arguments.oversampling)
    bar.SetBarRatio(0.9)
    bar.SetUnconstrainedFontSize(True)
    for text in (bar.GetTitleTextProperty(), bar.GetLabelTextProperty()):
        text.SetFontSize(15 * arguments.oversampling)
        text.SetColor(*INK)
        text.ItalicOff()
        text.BoldOff()
        text.ShadowOff()
    bar.GetPositionCoordinate().SetValue(left - 0.03, 0.30)
    bar.SetWidth(0.09)
    bar.SetHeight(0.42)
    return bar


def set_lights(renderer, center, radius):
    """A warm key light from the upper left, a weak cold fill from the right, light from behind for the rims."""
    renderer.RemoveAllLights()
    for place, strength, color in (((-1.2, -1.6, 2.6), 0.78, (1.0, 0.97, 0.92)), ((2.2, -1.2, 0.9), 0.30, (0.90, 0.95, 1.0)),
                                   ((0.3, 2.2, 1.6), 0.25, (1.0, 1.0, 1.0))):
        light = vtk.vtkLight()
        light.SetPosition(*(c + 4 * radius * p for c, p in zip(center, place)))
        light.SetFocalPoint(*center)
        light.SetColor(*color)
        light.SetIntensity(strength)
        renderer.AddLight(light)


def set_camera(renderer, center, radius, arguments):
    azimuth, elevation = (math.radians(a) for a in arguments.view)
    camera = renderer.GetActiveCamera()
    direction = (math.sin(azimuth) * math.cos(elevation), -math.cos(azimuth) * math.cos(elevation), math.sin(elevation))
    camera.SetFocalPoint(*center)
    camera.SetPosition(*(c + 10 * radius * d for c, d in zip(center, direction)))
    camera.SetViewUp(0, 0, 1)
    camera.SetViewAngle(24)
    renderer.ResetCamera()
    # What is seen fills the picture: the corners of its box, in coordinates of the picture from -1 to 1.
    seen_x, seen_y = [], []
    for corner in itertools.product(*zip(*[iter(renderer.ComputeVisiblePropBounds())] * 2)):
        renderer.SetWorldPoint(*corner, 1)
        renderer.WorldToView()
        x, y, _ = renderer.GetViewPoint()
        seen_x.append(x)
        seen_y.append(y)
    bar = 0.12 if arguments.forces or arguments.color != "stone" else 0.0  # room on the right
    width, height = max(seen_x) - min(seen_x), max(seen_y) - min(seen_y)
    zoom = arguments.zoom * 1.88 / max(width / (1 - bar), height)
    camera.SetWindowCenter((min(seen_x) + max(seen_x)) / 2 * zoom + bar, (min(seen_y) + max(seen_y)) / 2 * zoom)
    camera.Zoom(zoom)
    renderer.ResetCameraClippingRange()


def body_size(bodies):
    """Typical length of a body: root of the surface per body. @returns metres."""
    mass = vtk.vtkMassProperties()
    mass.SetInputData(bodies)
    mass.Update()
    low, high = bodies.GetCellData().GetArray("body").GetRange()
    return math.sqrt(mass.GetSurfaceArea() / (6 * (high - low + 1)))


def render(arguments):
    body_file, contact_file, wall_file = choose_files(arguments)
    bodies = read(body_file)
    if bodies.GetNumberOfCells() == 0:
        sys.exit(f"render.py: {body_file}: no bodies, or not a file of bodies")
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    add_bodies(renderer, bodies, arguments)
    if wall_file is not None and arguments.walls:
        add_walls(renderer, read(wall_file), arguments)
    if arguments.forces:
        if contact_file is None:
            sys.exit('render.py: --forces requires contact files; add "vtk" to /output')
        add_arrows(renderer, read(contact_file), body_size(bodies), arguments)
    low_x, high_x, low_y, high_y, low_z, high_z = renderer.ComputeVisiblePropBounds()
    center = ((low_x + high_x) / 2, (low_y + high_y) / 2, (low_z + high_z) / 2)
    radius = math.dist((low_x, low_y, low_z), (high_x, high_y, high_z)) / 2
    set_lights(renderer, center, radius)
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(*(n * arguments.oversampling for n in arguments.size))
    window.AddRenderer(renderer)
    set_camera(renderer, center, radius, arguments)
    if arguments.opacity < 1:
        window.SetAlphaBitPlanes(1)
        renderer.SetUseDepthPeeling(1)
        renderer.SetMaximumNumberOfPeels(40)
    if arguments.shade and arguments.opacity == 1:
        # Light that does not reach into gaps: without it a pile looks like confetti.
        ambient = vtk.vtkSSAOPass()
        ambient.SetDelegatePass(vtk.vtkRenderStepsPass())
        ambient.SetRadius(1.2 * body_size(bodies))
        ambient.SetBias(0.02 * body_size(bodies))
        ambient.SetKernelSize(128)
        ambient.BlurOn()
        renderer.SetPass(ambient)
    window.Render()
    save(window, arguments)


def save(window, arguments):
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    average = vtk.vtkImageResize()
    average.SetInputConnection(grab.GetOutputPort())
    average.SetOutputDimensions(*arguments.size, 1)
    average.InterpolateOn()
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(arguments.picture)
    writer.SetInputConnection(average.GetOutputPort())
    writer.Write()
    if writer.GetErrorCode() != 0:
        text = vtk.vtkErrorCode.GetStringFromErrorCode(writer.GetErrorCode())
        sys.exit(f"render.py: {arguments.picture}: cannot be written ({text})")


def pair(kind, separator):
    """Reader of two values for argparse."""
    def parse(text):
        first, second = text.split(separator)
        return kind(first), kind(second)
    parse.__name__ = f"two numbers with '{separator}' between"
    return parse


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("picture")
    parser.add_argument("--frame", type=int, default=-1, help="number of the frame, from 0, or from the end (-1)")
    parser.add_argument("--time", type=float, help="simulated time [s]; the nearest frame")
    parser.add_argument("--color", default="stone", help="an array of the bodies (speed, rank, ...), default: stone")
    parser.add_argument("--range", type=pair(float, ":"), help="of the colours, LOW:HIGH")
    parser.add_argument("--forces", action="store_true", help="arrows of the normal forces, bodies as of glass")
    parser.add_argument("--arrow-length", type=float, default=2.0, help="of the largest force, in body sizes")
    parser.add_argument("--opacity", type=float, help="of the bodies; default 1, with --forces 0.13")
    parser.add_argument("--view", type=pair(float, ","), default=(30.0, 24.0), help="AZIMUTH,ELEVATION [degrees]")
    parser.add_argument("--zoom", type=float, default=1.0, help="1: all of it fills the picture")
    parser.add_argument("--size", type=pair(int, "x"), default=(1400, 1050), help="WIDTHxHEIGHT [pixels]")
    parser.add_argument("--no-walls", dest="walls", action="store_false")
    parser.add_argument("--no-edges", dest="edges", action="store_false")
    parser.add_argument("--no-shade", dest="shade", action="store_false", help="faster")
    parser.add_argument("--oversampling", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.opacity is None:
        arguments.opacity = 0.13 if arguments.forces else 1.0
    render(arguments)


if __name__ == "__main__":
    main()
