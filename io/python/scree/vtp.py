"""Surfaces and points that a run writes for ParaView (.vtp, .pvtp), as NumPy arrays and without VTK.

Only what Scree writes is read: PolyData, appended raw data compressed by zlib.
"""
import pathlib
import xml.etree.ElementTree as ElementTree
import zlib

import numpy

_TYPES = {"Int8": "i1", "UInt8": "u1", "Int32": "i4", "UInt32": "u4", "Int64": "i8", "UInt64": "u8", "Float32": "f4",
          "Float64": "f8"}
_CELLS = ("Verts", "Lines", "Strips", "Polys")


class PolyData:
    """points (n, 3) [m]; point_data, cell_data, field_data {name: array}; cells: connectivity and offsets of all cells."""

    def __init__(self):
        self.points = numpy.zeros((0, 3))
        self.point_data, self.cell_data, self.field_data = {}, {}, {}
        self.connectivity = numpy.zeros(0, dtype=numpy.int64)
        self.offsets = numpy.zeros(0, dtype=numpy.int64)


def _array(element, blob, header, endian):
    """The array that an element describes. Head: number of blocks, their size, size of the last, compressed sizes."""
    size = header.itemsize
    at = int(element.get("offset"))
    count = int(numpy.frombuffer(blob, header, 1, at)[0])
    sizes = numpy.frombuffer(blob, header, count, at + 3 * size) if count else []
    at += (3 + count) * size
    parts = []
    for compressed in sizes:
        parts.append(zlib.decompress(blob[at:at + int(compressed)]))
        at += int(compressed)
    if element.get("type") == "String":  # each ends in a zero
        return numpy.array(b"".join(parts).decode().split("\0")[:-1])
    values = numpy.frombuffer(b"".join(parts), numpy.dtype(endian + _TYPES[element.get("type")]))
    width = int(element.get("NumberOfComponents", 1))
    return values.reshape(-1, width) if width > 1 else values


def _read_piece(path):
    content = path.read_bytes()
    mark = content.find(b"<AppendedData")
    if mark < 0 or b"vtkZLibDataCompressor" not in content[:mark]:
        raise ValueError(f"{path}: no appended, compressed data; expected a .vtp file that Scree wrote")
    blob = content[content.index(b"_", mark + len(b"<AppendedData")) + 1:]
    root = ElementTree.fromstring(content[:mark] + b"</VTKFile>")
    endian = "<" if root.get("byte_order") == "LittleEndian" else ">"
    header = numpy.dtype(endian + _TYPES[root.get("header_type", "UInt32")])

    def arrays(parent):
        return {one.get("Name"): _array(one, blob, header, endian) for one in ([] if parent is None else parent)}

    data = PolyData()
    data.field_data = arrays(root.find("PolyData/FieldData"))
    piece = root.find("PolyData/Piece")
    data.point_data = arrays(piece.find("PointData"))
    data.cell_data = arrays(piece.find("CellData"))
    if int(piece.get("NumberOfPoints")):
        data.points = next(iter(arrays(piece.find("Points")).values())).reshape(-1, 3)
    for kind in _CELLS:
        if not int(piece.get("NumberOf" + kind)):
            continue
        found = arrays(piece.find(kind))
        data.offsets = numpy.concatenate([data.offsets, found["offsets"] + len(data.connectivity)])
        data.connectivity = numpy.concatenate([data.connectivity, found["connectivity"]])
    return data


def _joined(pieces):
    """Pieces of several ranks as one."""
    whole = PolyData()
    whole.field_data = pieces[0].field_data
    for names, of in ((pieces[0].point_data, "point_data"), (pieces[0].cell_data, "cell_data")):
        getattr(whole, of).update({name: numpy.concatenate([getattr(piece, of)[name] for piece in pieces]) for name in names})
    whole.points = numpy.concatenate([piece.points for piece in pieces])
    points = cells = 0
    connectivity, offsets = [], []
    for piece in pieces:
        connectivity.append(piece.connectivity + points)
        offsets.append(piece.offsets + cells)
        points += len(piece.points)
        cells += len(piece.connectivity)
    whole.connectivity, whole.offsets = numpy.concatenate(connectivity), numpy.concatenate(offsets)
    return whole


def read(path):
    """The PolyData of a .vtp or .pvtp file. Raises OSError, or ValueError for a file that Scree did not write."""
    path = pathlib.Path(path)
    if path.suffix != ".pvtp":
        return _read_piece(path)
    root = ElementTree.parse(path).getroot()
    return _joined([_read_piece(path.parent / one.get("Source")) for one in root.iter("Piece")])
