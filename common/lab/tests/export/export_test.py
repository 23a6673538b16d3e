"""./lab export: numbers are preserved bit for bit, no file is half-written, and each error is one line."""

import base64
import errno
import os
import re
import struct
import sys
import xml.etree.ElementTree as xml
import zlib

import pytest

from nbody_lab.core.steps import Step
from nbody_lab.core.whole_file import UnfinishedFile
from nbody_lab.export.body_text import parse_state, read_states
from nbody_lab.export.command import in_words
from nbody_lab.export.formats import open_writer
from tests import said_by
from tests.export.runs_for_tests import RunFolder

HEAD = "G=1 soft=0 dt=0.1 mdt=0 integrator=kdk"
ONE, TWO = (1.5, 0.1, 1 / 3, -2e-300, 3, 0.1, 0.2, -0.0), (2.5, 0, -1, 5e10, 6, 0.7, 8, 9)
OLDER = "remove the files of the older run"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes a state of the run six, in the folder where the test works."""
    monkeypatch.chdir(tmp_path)

    def write_state(iteration, bodies=(ONE, TWO), names=(), head=HEAD):
        RunFolder(tmp_path, "six").write(iteration, bodies, head, names, iteration / 10)

    return write_state


def decode(array):
    """The numbers in a DataArray, decoded as a reader does."""
    text = array.text.strip()
    head, block = base64.b64decode(text[:44]), base64.b64decode(text[44:])
    content = zlib.decompress(block)
    assert struct.unpack("=4Q", head) == (1, len(content), 0, len(block))
    letter = "d" if array.get("type") == "Float64" else "q"
    return list(struct.unpack(f"={len(content) // 8}{letter}", content))


def test_xyz_has_all_states_in_order(write, run_lab, tmp_path):
    """Files with other names are not theirs."""
    for iteration in (0, 10, 2):
        write(iteration)
    for other in ("six.dat", "six.x.dat", "six.1.dat.7.tmp", "six_orbits.svg", "other.3.dat"):
        (tmp_path / other).write_text("no body file")
    assert run_lab("export", "six", "six.xyz") == (0, "six.xyz: 3 states of 2 bodies, 0.5 kB\n", "")
    lines = (tmp_path / "six.xyz").read_text().splitlines()
    assert lines[0::4] == ["2"] * 3
    times = [re.search(r"Time=(\S+) iteration=(\d+) ", line).groups() for line in lines[1::4]]
    assert times == [("0.0", "0"), ("0.2", "2"), ("1.0", "10")]
    assert "Properties=pos:R:3:velo:R:3:mass:R:1:radius:R:1 " in lines[1]
    assert "Lattice" not in lines[1]
    mass, radius, *rest = map(float, ONE)
    assert lines[2] == " ".join(map(repr, (*rest, mass, radius)))


def test_xyz_names_bodies_that_have_names(write, run_lab, tmp_path):
    write(0, names=["The  Sun"])
    run_lab("export", "six", "six.xyz")
    lines = (tmp_path / "six.xyz").read_text().splitlines()
    assert lines[1].startswith("Properties=name:S:1:pos:R:3:")
    assert [(line.split()[0], len(line.split())) for line in lines[2:]] == [
        ("The_Sun", 9),
        ("body", 9),
    ]


def test_vtk_holds_the_same_bits(write, run_lab, tmp_path):
    write(0)
    write(10)
    (tmp_path / "new").mkdir()
    assert run_lab("export", "six", "new/a b.pvd").status == 0
    rows = xml.parse("new/a b.pvd").getroot().findall("Collection/DataSet")
    listed = [(row.get("timestep"), row.get("file")) for row in rows]
    assert listed == [("0.0", "a b.0.vtp"), ("1.0", "a b.10.vtp")]
    root = xml.parse("new/a b.10.vtp").getroot()
    arrays = {array.get("Name"): decode(array) for array in root.iter("DataArray")}
    assert repr(arrays) == repr(  # -0.0 is not 0.0
        {
            "TimeValue": [1.0],
            "mass": [1.5, 2.5],
            "radius": [0.1, 0.0],
            "velocity": [0.1, 0.2, -0.0, 0.7, 8.0, 9.0],
            "Points": [1 / 3, -2e-300, 3.0, -1.0, 5e10, 6.0],
            "connectivity": [0, 1],
            "offsets": [1, 2],
        }
    )


def test_another_export_replaces_the_first(write, run_lab, tmp_path):
    write(0)
    for name in ("six.xyz", "six.pvd"):
        (tmp_path / name).write_text("old")
        assert run_lab("export", "six", name).status == 0
        assert (tmp_path / name).read_text() != "old"
    assert sorted(os.listdir()) == ["six.0.dat", "six.0.vtp", "six.pvd", "six.xyz"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        *(
            (
                f"{base} a.xyz",
                rf"{base}\.<iteration>\.dat: no such file; "
                rf"./lab run PART NAME \.\.\. -w {base} --every 10 writes them",
            )
            for base in ("none", "no/six")
        ),
        ("six.csv a.xyz", r"six\.csv: is not a BASE of -w; a log has no positions"),
        (
            "six.0.dat a.xyz",
            r"six\.0\.dat: is a file, not a BASE of -w; the BASE of x\.0\.dat is x",
        ),
        ("", "export needs BASE; for example: .*"),
        ("six", "export needs FILE; for example: .*"),
        ("six a.xyz b", "export takes no 'b'.*"),
        ("--every a.xyz", "export: there is no option --every.*"),
        ("six a.vtp", r"export writes FILE\.xyz \(OVITO\) or FILE\.pvd \(ParaView\), not 'a.vtp'"),
        ("six a", r"export writes .* not 'a'"),
        ("six .xyz", r"export writes .* not '.xyz'"),
        ("six a.XYZ", r"export writes .* not 'a.XYZ'"),
        (
            "six /proc/a.xyz",
            r"/proc/a\.xyz: cannot be written \(No such .*; the partial .* removed",
        ),
        ("six new/a.xyz", r"new/a\.xyz: cannot be written \(no folder new\): create it or .*"),
        ("none new/a.pvd", r"new/a\.pvd: cannot be written \(no folder new\): create it or .*"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_line(words, complaint, write, run_lab):
    write(0)
    status, output, error = run_lab("export", *words.split())
    assert (status, output, os.listdir()) == (2, "", ["six.0.dat"])
    assert re.fullmatch(f"lab: {complaint}\n", error)


@pytest.mark.parametrize("file", ["a.xyz", "a.pvd"])
@pytest.mark.parametrize(
    ("bodies", "head", "complaint"),
    [
        ((ONE,), HEAD, f"six.1.dat: 1 bodies, but 2 in six.0.dat: {OLDER}"),
        ((ONE, TWO), HEAD.replace("kdk", "dkd"), "six.1.dat:1: integrator=dkd, but kdk in six.0"),
        ((ONE, TWO), HEAD.replace("dt=0.1", "dt=0.2"), "six.1.dat:1: dt=0.2, but 0.1 in six.0.d"),
        ((ONE, (3, *TWO[1:])), HEAD, f"six.1.dat: other masses than in six.0.dat: {OLDER}"),
        ((ONE, (0,) * 8), HEAD, "six.1.dat:4: mass of record 2 is '0.0', but a mass must be above"),
    ],
)
def test_states_that_do_not_belong_together_leave_no_file(
    file, bodies, head, complaint, write, run_lab
):
    write(0)
    write(1, bodies, head=head)
    status, output, error = run_lab("export", "six", file)
    assert (status, output) == (2, "")
    assert error.startswith(f"lab: {complaint}")
    assert sorted(os.listdir()) == ["six.0.dat", "six.1.dat"]


@pytest.mark.parametrize("ending", ["xyz", "pvd"])
def test_a_full_disk_leaves_nothing(ending, write, run_lab, monkeypatch):
    """The third piece no longer fits."""
    for iteration in (0, 1, 2):
        write(iteration)
    write_piece, pieces = UnfinishedFile.write, []

    def write_two(file, content):
        pieces.append(content)
        if len(pieces) > 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_piece(file, content)

    monkeypatch.setattr(UnfinishedFile, "write", write_two)
    said = f"lab: a.{ending}: cannot be written (No space left on device); the partial file was"
    assert run_lab("export", "six", f"a.{ending}").error.startswith(said)
    assert sorted(os.listdir()) == ["six.0.dat", "six.1.dat", "six.2.dat"]


@pytest.mark.parametrize("ending", ["xyz", "pvd"])
def test_an_interrupt_leaves_nothing(ending, tmp_path):
    with (
        pytest.raises(KeyboardInterrupt),
        open_writer(tmp_path / f"a.{ending}") as writer,
    ):
        writer.add(0, parse_state(b"1\n1 1 1 1 1 1 1 1", ""))
        raise KeyboardInterrupt
    assert not os.listdir(tmp_path)


def test_long_work_says_how_far_it_is(write, capsys, monkeypatch):
    """Elsewhere than on a terminal a line every ten seconds, here every time."""
    monkeypatch.setattr(Step.__init__, "__defaults__", (None, 0))
    write(0)
    write(1)
    list(read_states([(0, "six.0.dat"), (1, "six.1.dat")], "exporting"))
    assert capsys.readouterr().err.splitlines()[0] == "exporting ... 1/2"


def test_it_needs_no_numpy():
    """Only pictures need it."""
    script = "import sys; sys.modules['numpy'] = None; import nbody_lab.export.command"
    assert said_by([sys.executable, "-c", script]) == (0, "", "")


@pytest.mark.parametrize(
    ("size_bytes", "words"),
    [(0, "0.0 kB"), (730, "0.7 kB"), (999_000, "999.0 kB"), (1e6, "1.0 MB"), (2.34e6, "2.3 MB")],
)
def test_sizes(size_bytes, words):
    assert in_words(size_bytes) == words
