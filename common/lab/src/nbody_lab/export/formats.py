"""The formats of ./lab export. VTK: one .vtp per state, and a .pvd that lists them with their times, for ParaView and
VTK."""

import base64
import math
import struct
import sys
import zlib
from array import array
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from nbody_lab.core.whole_file import UnfinishedFile
from nbody_lab.export.body_text import (
    BadFile,
    complaint,
    demand_same_run,
    is_number,
    names_of,
    numbers_in,
    setting_of,
)

# The states of a run, one at a time, for export to other formats. It uses the standard library only.
MASS, RADIUS, PLACE, VELOCITY = 0, 1, slice(2, 5), slice(5, 8)  # indices in a record


class State(NamedTuple):
    """The bodies after an iteration. All numbers are in SI units, or in units with G = 1."""

    iteration: int
    time: float
    records: list  # one tuple per body: mass radius qx qy qz vx vy vz
    names: dict = {}  # {index from 0: name}, only bodies that have one
    setting: dict = {}  # the keys of the first line
    file: str = ""

    @property
    def n(self):
        return len(self.records)

    @property
    def masses(self):
        return [record[MASS] for record in self.records]


def read_state(path, iteration):
    """Raises BadFile with one line, FILE:LINE: message."""
    try:
        with open(path, "rb") as stream:
            text = stream.read()
    except OSError as fault:
        raise BadFile(f"{path}: cannot be read ({fault.strerror}): check the name") from fault
    setting = setting_of(text, path)
    records = records_of(numbers_in(text))
    if records is None:
        raise BadFile(complaint(text, path))
    return State(iteration, setting["time"], records, names_of(text), setting, path)


def records_of(words):
    """None if a rule is broken; complaint() finds out which one."""
    if words is None:
        return None
    try:
        numbers = list(map(float, words))
    except ValueError:
        return None
    if not all(map(math.isfinite, numbers)) or not all(
        is_number(word) for word, number in zip(words, numbers) if number == 0
    ):
        return None
    records = list(zip(*[iter(numbers)] * 8))
    return records if all(mass > 0 and radius >= 0 for mass, radius, *_ in records) else None


def states_of(files):
    """Yields the states of files_of(BASE) in order; raises BadFile if they are not of one run."""
    first = None
    for iteration, path in files:
        state = read_state(path, iteration)
        first = first or state
        demand_same_run(first, state)
        yield state


BYTE_ORDER = "LittleEndian" if sys.byteorder == "little" else "BigEndian"
TYPES = {"d": "Float64", "q": "Int64"}


class VtkFiles:
    """Writes FILE.<iteration>.vtp beside FILE.pvd; the .pvd comes last (finish())."""

    def __init__(self, path):
        self.path = Path(path)
        self.listed, self.files = [], []

    def add(self, state):
        name = f"{self.path.stem}.{state.iteration}.vtp"
        file = UnfinishedFile(self.path.with_name(name))
        self.files.append(file)
        file.write(vtp_of(state))
        file.stream.close()
        self.listed.append((state.time, name))

    def finish(self):
        collection = UnfinishedFile(self.path)
        self.files.append(collection)
        collection.write(pvd_of(self.listed))
        for file in self.files:
            file.finish()

    def discard(self):
        for file in self.files:
            file.discard()


def pvd_of(listed):
    rows = [
        f'    <DataSet timestep="{time!r}" group="" part="0" file={quoteattr(name)}/>'
        for time, name in listed
    ]
    return xml_of("Collection", "", ["  <Collection>", *rows, "  </Collection>"])


def vtp_of(state):
    """One state; each body is a point and also a vertex, which makes it visible."""
    n, records = state.n, state.records
    lines = [
        "  <PolyData>",
        "    <FieldData>",
        numbers("TimeValue", array("d", [state.time]), 'NumberOfTuples="1" '),
        "    </FieldData>",
        f'    <Piece NumberOfPoints="{n}" NumberOfVerts="{n}" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="0">',
        '      <PointData Scalars="mass" Vectors="velocity">',
        numbers("mass", array("d", (record[MASS] for record in records))),
        numbers("radius", array("d", (record[RADIUS] for record in records))),
        numbers(
            "velocity",
            array("d", chain.from_iterable(record[VELOCITY] for record in records)),
            'NumberOfComponents="3" ',
        ),
        "      </PointData>",
        "      <Points>",
        numbers(
            "Points",
            array("d", chain.from_iterable(record[PLACE] for record in records)),
            'NumberOfComponents="3" ',
        ),
        "      </Points>",
        "      <Verts>",
        numbers("connectivity", array("q", range(n))),
        numbers("offsets", array("q", range(1, n + 1))),
        "      </Verts>",
        "    </Piece>",
        "  </PolyData>",
    ]
    return xml_of("PolyData", ' header_type="UInt64" compressor="vtkZLibDataCompressor"', lines)


def xml_of(kind, more, lines):
    head = [
        '<?xml version="1.0"?>',
        f'<VTKFile type="{kind}" version="1.0" byte_order="{BYTE_ORDER}"{more}>',
    ]
    return "\n".join([*head, *lines, "</VTKFile>", ""]).encode()


def numbers(name, values, more=""):
    return f'        <DataArray type="{TYPES[values.typecode]}" Name="{name}" {more}format="binary">{packed(values)}</DataArray>'


def packed(values):
    """Base64 of: number of blocks (one), its size, 0 (no partial block), its compressed size; then the block."""
    content = values.tobytes()
    small = zlib.compress(content, 1)
    head = struct.pack("=4Q", 1, len(content), 0, len(small))
    return (base64.b64encode(head) + base64.b64encode(small)).decode()


# Extended XYZ: all states in one file, for OVITO and ASE (docs/file_formats.md).
COLUMNS = "pos:R:3:velo:R:3:mass:R:1:radius:R:1"
NAMED = "name:S:1:"  # first column, if bodies have names


class XyzFile:
    """A file that grows by one state at a time and gets its name once it is complete (finish())."""

    def __init__(self, path):
        self.files = [UnfinishedFile(path)]

    def add(self, state):
        self.files[0].write(text_of(state).encode())

    def finish(self):
        self.files[0].finish()

    def discard(self):
        self.files[0].discard()


def text_of(state):
    """One frame. No Lattice, since the bodies are in no box. Numbers read back to the same doubles."""
    lines = [str(state.n), comment_of(state)]
    for k, record in enumerate(state.records):
        numbers = (*record[PLACE], *record[VELOCITY], record[MASS], record[RADIUS])
        name = [as_word(state.names.get(k, "body"))] if state.names else []
        lines.append(" ".join([*name, *map(repr, numbers)]))
    return "\n".join(lines) + "\n"


def comment_of(state):
    words = [
        f"Properties={NAMED if state.names else ''}{COLUMNS}",
        f"Time={state.time!r}",
        f"iteration={state.iteration}",
    ]
    return " ".join([*words, 'pbc="F F F"'])


def as_word(name):
    """Joins the words of a name, since blanks separate columns."""
    return "_".join(name.split())
