"""./lab plot as a command: the files it writes, and one line and status 2 for bad input; and pictures inside a page."""

import json

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.draw.bench import ladder
from nbody_lab.draw.sheet import save
from tests.draw.made import bench, row
from tests.roofline import roofline_for_tests as made


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("bench", "plot needs FILE; for example: ./lab plot notebook part1"),
        ("orbit x", "plot: WHAT "),
        ("bench x.json --about 1", "plot: there is no option --about"),
        ("notebook part1 build", "plot notebook takes no FOLDER"),
        ("bench x.json build --again", "plot bench: --again is for roofline"),
        ("bench x.json", "plot bench needs a FOLDER: ./lab plot bench x.json build/pictures"),
        ("bench x.json {empty}", "plot: [FOLDER] is empty"),
        ("bench no_such.json build", "no_such.json"),
        ("roofline {json} build", "{json} was not written by ./lab roofline PART"),
        ("notebook part9", "there is no part or folder 'part9'; for example: ./lab plot notebook "),
        ("", "plot needs WHAT"),
    ],
)
def test_one_line_and_status_2(tmp_path, words, message, refusal_of):
    json_file = tmp_path / "x.json"
    json_file.write_text("{}")
    words = [word.format(json=json_file, empty="") for word in words.split()]
    assert refusal_of("plot", *words).startswith(message.format(json=json_file))


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
