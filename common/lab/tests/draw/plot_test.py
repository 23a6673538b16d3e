"""./lab plot as a command: the files it writes, and one line and status 2 for bad input; and pictures inside a page."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.draw.bench import ladder
from nbody_lab.draw.sheet import save
from tests import LAB
from tests.draw.made import bench, row
from tests.draw.runs_for_tests import RunFolder, circle
from tests.roofline import roofline_for_tests as made


@pytest.fixture
def base(tmp_path):
    run = RunFolder(tmp_path, "moon")
    for k in range(0, 30, 10):
        run.write(k, [circle(0.01, 3 + k), circle(1, k)], names=["Earth", "Moon"])
    return str(run.base)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("orbits", "{base}"), "_orbits"),
        (("orbits", "{base}", "--around", "Earth"), "_orbits_around_Earth"),
        (("energy", "{base}"), "_energy"),
    ],
)
def test_pictures_lie_beside_the_files(base, words, name, run_lab):
    words = [word.format(base=base) for word in words]
    assert run_lab("plot", *words) == (0, f"{base}{name}.svg and .png\n", "")
    for ending in (".svg", ".png"):
        assert Path(f"{base}{name}{ending}").stat().st_size > 5000


def test_beside_a_kernel_of_jupyter(base):
    """It passes on the name of a backend that only its own environment has."""
    kernels = os.environ | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    ended = subprocess.run([*LAB, "plot", "orbits", base], env=kernels, check=False)
    assert ended.returncode == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("orbits {base}x", "{base}x.<iteration>.dat: no such file; ./lab run PART NAME ... "),
        ("energy {base}x", "{base}x.<iteration>.dat: no such file; ./lab run PART NAME ... "),
        ("energy {base}.txt", "{base}.txt: is not a BASE of -w; a log of --log must end with .csv"),
        ("orbits six.csv", "six.csv: orbits needs a BASE of -w; a log has no positions"),
        ("energy {base}", "{base}.40.dat:3: radius of record 1 is 'x', not a finite decimal"),
        ("orbits", "plot needs FILE; for example: ./lab plot notebook part1"),
        ("orbit {base}", "plot: WHAT "),
        ("orbits {base} --about 1", "plot: there is no option --about"),
        ("orbits {base} build", "plot orbits takes no FOLDER: its pictures go beside the files"),
        ("energy {base} --around 1", "plot energy: --around is for orbits"),
        ("bench x.json build --again", "plot bench: --again is for roofline"),
        ("bench x.json", "plot bench needs a FOLDER: ./lab plot bench x.json build/pictures"),
        ("bench x.json {empty}", "plot: [FOLDER] is empty"),
        ("bench no_such.json {base}", "no_such.json"),
        ("roofline {base}.json build", "{base}.json was not written by ./lab roofline PART"),
        ("notebook part9", "there is no part or folder 'part9'; for example: ./lab plot notebook "),
        ("", "plot needs WHAT"),
    ],
)
def test_one_line_and_status_2(base, words, message, refusal_of):
    Path(f"{base}.40.dat").write_text("# nbody-lab: G=1 dt=0.5 mdt=0\n2\n1 x\n")
    Path(f"{base}.json").write_text("{}")
    Path(f"{base}.txt").write_text("iteration,time\n", encoding="utf-8")
    words = [word.format(base=base, empty="") for word in words.split()]
    assert refusal_of("plot", *words).startswith(message.format(base=base))


def test_a_file_is_drawn_and_drawn_over(tmp_path, run_lab):
    """A slide has a name of its own."""
    file = tmp_path / "part1.json"
    for points, option in ((made.ROWS, "--again"), ([], "--again"), ([], "--slide")):
        file.write_text(json.dumps(made.roofline_json(points)))
        name = "part1_slide" if option == "--slide" else "part1"
        written = f"{tmp_path}/{name}.svg and .png\n"
        assert run_lab("plot", "roofline", file, tmp_path, option) == (0, written, "")
    names = sorted(path.name for path in tmp_path.glob("*g"))
    assert names == ["part1.png", "part1.svg", "part1_slide.png", "part1_slide.svg"]


def test_nothing_is_overwritten(tmp_path):
    def draw(rate):
        return [path.name for path in save([ladder(bench(row(), row("mine", rate)))], tmp_path)]

    assert [draw(2e9), draw(3e9), draw(2e9)] == [["ladder"], ["ladder-2"], ["ladder"]]


def test_a_folder_that_cannot_be_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"\A[^\n]*\Z"):
        save([ladder(bench(row()))], tmp_path / "file")


def test_a_reader_that_has_seen_enough_is_no_fault(base):
    reading, writing = os.pipe()
    os.close(reading)
    words = [*LAB, "plot", "energy", base]
    done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert done.stderr == ""
