"""Results of a run as NumPy arrays: what scree.open returns."""
import functools

import numpy

from . import tables, vtp


class Table(dict):
    """Columns {name: array or list}; also table.name, len(table) rows, and table.to_pandas()."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no column {name!r}; there are: {', '.join(self)}") from None

    def __len__(self):
        return len(next(iter(self.values()), ()))

    def __bool__(self):
        return bool(dict.__len__(self))

    def to_pandas(self):
        """A pandas.DataFrame; of a column of vectors one column per component: force_0, force_1, force_2."""
        import pandas
        flat = {}
        for name, values in self.items():
            values = numpy.asarray(values)
            if values.ndim == 1:
                flat[name] = values
            else:
                flat.update({f"{name}_{k}": values[:, k] for k in range(values.shape[1])})
        return pandas.DataFrame(flat)


def _column(values):
    # Values that were not requested are empty in files.
    return numpy.array([numpy.nan if value == "" else value for value in values])


def _columns(columns):
    return Table({name: values if name in tables.TEXT else _column(values) for name, values in columns.items()})


def _bodies(surface):
    """One row per body, from the triangles of all of them."""
    ids, first = numpy.unique(surface.cell_data["body"], return_index=True)
    table = Table({"body": ids})
    corners = surface.points.astype(float)[surface.connectivity.reshape(-1, 3)]
    of = numpy.searchsorted(ids, surface.cell_data["body"])
    # Centre of the volume that the triangles enclose: sum of tetrahedra with one corner at a point of the body, for round-off.
    origin = corners[first, 0][of]
    a, b, c = (corners[:, k] - origin for k in range(3))
    volume = numpy.einsum("ij,ij->i", a, numpy.cross(b, c)) / 6
    total = numpy.bincount(of, volume, len(ids))
    moment = numpy.stack([numpy.bincount(of, volume * (a + b + c)[:, k] / 4, len(ids)) for k in range(3)], axis=1)
    table["position"] = corners[first, 0] + moment / total[:, None]
    table["volume"] = total  # of inscribed triangles: results of older versions have no other
    table.update({axis: table["position"][:, k] for k, axis in enumerate("xyz")})
    table.update({name: values[first] for name, values in surface.cell_data.items() if name != "body"})
    return table


class Frame:
    """A state in bodies.pvd; files are read on demand, and kept."""

    def __init__(self, time, files, before_walls=False):
        self.time = time  #: [s]
        self._files = files
        self._before_walls = before_walls

    def __repr__(self):
        return f"<Frame: t = {self.time:g} s>"

    def _read(self, name):
        if name not in self._files:
            raise KeyError(f"the run wrote no {name} at t = {self.time:g} s")
        return vtp.read(self._files[name])

    @functools.cached_property
    def surface(self):
        """Triangles of all bodies: a vtp.PolyData with cell_data and points [m], in single precision, far from the origin in
        double."""
        return self._read("bodies")

    @functools.cached_property
    def bodies(self):
        """Table with one row per body, ascending in `body` (id): position, x, y, z (centre of the volume, from the drawn
        surface with its precision [m]), volume [m^3] (of the shape), velocity [m/s], speed, angular_velocity [rad/s], contact_force [N],
        contact_force_magnitude, shape (index into surface.field_data["shape_names"]), rank."""
        return _bodies(self.surface)

    @functools.cached_property
    def contacts(self):
        """Table with one row per contact: body_a, body_b (-1 - k: boundary k), point [m], normal, gap [m], normal_force
        (vector) and friction on body_a [N], normal_force_magnitude [N], weight."""
        cloud = self._read("contacts")
        return Table({"point": cloud.points, **cloud.point_data})

    @functools.cached_property
    def boundaries(self):
        """Walls as drawn: a vtp.PolyData. Planes are drawn where bodies have been: before the first one there is nothing."""
        if not self._before_walls:
            return self._read("boundaries")
        nothing = vtp.PolyData()
        nothing.cell_data["boundary"] = numpy.zeros(0, dtype=numpy.int32)
        return nothing


class Results(tables.Results):
    """The results folder of a run: a sequence of frames, and its tables.

    results[-1].bodies["x"]; len(results); results.times; results.history("energy.csv")["kinetic_energy"].
    """

    def __init__(self, folder):
        super().__init__(folder)
        if not self.folder.is_dir():
            raise FileNotFoundError(f"{folder}: no such folder; expected the output directory of a run")
        if not any(any(self.folder.glob(files)) for files in ("*.csv", "*.pvd", "*.json")):
            raise FileNotFoundError(f"{folder}: holds no results; expected the output directory of a run")
        series = {name: dict(tables.read_series(self.folder, name)) for name in ("bodies", "contacts", "boundaries")}
        walls_from = min(series["boundaries"], default=-numpy.inf)
        self._frames = [Frame(time, {name: files[time] for name, files in series.items() if time in files}, time < walls_from)
                        for time in series["bodies"]]

    def __repr__(self):
        return f"<Results: {self.folder}, {len(self)} frames>"

    def __len__(self):
        return len(self._frames)

    def __getitem__(self, index):
        return self._frames[index]

    @property
    def times(self):
        """Times of the frames [s]."""
        return numpy.array([frame.time for frame in self._frames])

    @property
    def files(self):
        """Names of the CSV files in the folder and those below it."""
        return sorted(file.relative_to(self.folder).as_posix() for file in self.folder.rglob("*.csv"))

    def table(self, name):
        """A CSV file of the folder as a Table of arrays; columns of names are lists of text."""
        return _columns(super().table(name))

    def state(self, name="last_state.csv"):
        """The bodies of a final or last state as a Table, one row per body in deck order: name, x, y, z, qw, ..., material."""
        return self.table(name)
