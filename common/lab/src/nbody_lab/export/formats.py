"""The files that ./lab export writes (docs/file_formats.md), one state at a time: extended XYZ for OVITO and ASE; for
ParaView and VTK one .vtp per state, and a .pvd that lists them with their times."""

import base64
import struct
import sys
import zlib
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from xml.sax.saxutils import quoteattr

from nbody_lab.core.whole_file import UnfinishedFile
from nbody_lab.export.body_text import MASS, PLACE, RADIUS, VELOCITY, State

_BYTE_ORDER = "LittleEndian" if sys.byteorder == "little" else "BigEndian"
_VTK_TYPES = {"d": "Float64", "q": "Int64"}


class Writer(ABC):
    """Its files get their names when all are complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: list[UnfinishedFile] = []

    @abstractmethod
    def add(self, iteration: int, state: State) -> None: ...

    def finish(self) -> None:
        for file in self.files:
            file.finish()

    def discard(self) -> None:
        for file in self.files:
            file.discard()

    def size_bytes(self) -> int:
        return sum(file.bytes for file in self.files)

    def _open(self, name: str) -> UnfinishedFile:
        self.files.append(UnfinishedFile(self.path.with_name(name)))
        return self.files[-1]


class XyzFile(Writer):
    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._file = self._open(path.name)

    def add(self, iteration: int, state: State) -> None:
        self._file.write(format_xyz(iteration, state).encode())


class VtkFiles(Writer):
    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._listed: list[tuple[float, str]] = []

    def add(self, iteration: int, state: State) -> None:
        name = f"{self.path.stem}.{iteration}.vtp"
        file = self._open(name)
        file.write(_format_vtp(state))
        file.stream.close()  # there may be more states than files can be open
        self._listed.append((state.time, name))

    def finish(self) -> None:
        self._open(self.path.name).write(_format_pvd(self._listed))
        super().finish()


WRITERS: dict[str, type[Writer]] = {".xyz": XyzFile, ".pvd": VtkFiles}


@contextmanager
def open_writer(path: Path) -> Iterator[Writer]:
    """The writer for a file of this type. If anything goes wrong, no file stays."""
    writer = WRITERS[path.suffix](path)
    try:
        yield writer
        writer.finish()
    except BaseException:
        writer.discard()
        raise


def format_xyz(iteration: int, state: State) -> str:
    """One frame. No Lattice, since the bodies are in no box. Numbers read back to the same doubles."""
    named = "name:S:1:" if state.names else ""
    lines = [
        str(state.n),
        f"Properties={named}pos:R:3:velo:R:3:mass:R:1:radius:R:1 "
        f'Time={state.time!r} iteration={iteration} pbc="F F F"',
    ]
    for k in range(state.n):
        mass, radius, *place_and_velocity = state.numbers[8 * k : 8 * k + 8]
        name = ["_".join(state.names.get(k, "body").split())] if named else []
        lines.append(" ".join([*name, *map(repr, (*place_and_velocity, mass, radius))]))
    return "\n".join(lines) + "\n"


def _format_pvd(listed: Sequence[tuple[float, str]]) -> bytes:
    rows = [
        f'    <DataSet timestep="{time!r}" group="" part="0" file={quoteattr(name)}/>'
        for time, name in listed
    ]
    return _format_xml("Collection", "", ["  <Collection>", *rows, "  </Collection>"])


def _format_vtp(state: State) -> bytes:
    """One state; each body is a point and also a vertex, which makes it visible."""
    n, numbers = state.n, state.numbers
    pieces = f'NumberOfPoints="{n}" NumberOfVerts="{n}"'
    lines = [
        "  <PolyData>",
        "    <FieldData>",
        _data_array("TimeValue", array("d", [state.time]), 'NumberOfTuples="1" '),
        "    </FieldData>",
        f'    <Piece {pieces} NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="0">',
        '      <PointData Scalars="mass" Vectors="velocity">',
        _data_array("mass", numbers[MASS::8]),
        _data_array("radius", numbers[RADIUS::8]),
        _vectors("velocity", state, VELOCITY),
        "      </PointData>",
        "      <Points>",
        _vectors("Points", state, PLACE),
        "      </Points>",
        "      <Verts>",
        _data_array("connectivity", array("q", range(n))),
        _data_array("offsets", array("q", range(1, n + 1))),
        "      </Verts>",
        "    </Piece>",
        "  </PolyData>",
    ]
    more = ' header_type="UInt64" compressor="vtkZLibDataCompressor"'
    return _format_xml("PolyData", more, lines)


def _format_xml(kind: str, more: str, lines: Sequence[str]) -> bytes:
    head = [
        '<?xml version="1.0"?>',
        f'<VTKFile type="{kind}" version="1.0" byte_order="{_BYTE_ORDER}"{more}>',
    ]
    return "\n".join([*head, *lines, "</VTKFile>", ""]).encode()


def _vectors(name: str, state: State, first: int) -> str:
    components = (state.numbers[k::8] for k in range(first, first + 3))
    values = array("d", chain.from_iterable(zip(*components)))
    return _data_array(name, values, 'NumberOfComponents="3" ')


def _data_array(name: str, values: "array[float] | array[int]", more: str = "") -> str:
    kind = _VTK_TYPES[values.typecode]
    opening = f'<DataArray type="{kind}" Name="{name}" {more}format="binary">'
    return f"        {opening}{_pack(values)}</DataArray>"


def _pack(values: "array[float] | array[int]") -> str:
    """Base64 of: number of blocks (one), its size, 0 (no partial block), its compressed size; then the block."""
    content = values.tobytes()
    small = zlib.compress(content, 1)
    head = struct.pack("=4Q", 1, len(content), 0, len(small))
    return (base64.b64encode(head) + base64.b64encode(small)).decode()
