"""A measurement is drawn in the requested folder, kept if nothing can draw, and never drawn over another."""

import json
import re

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import What
from tests.limits.roofline_for_tests import roofline_json


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """Runs a measurement that writes its result: (status, the file that it was given, what was drawn)."""
    monkeypatch.setattr(pictures, "ROOT", tmp_path)

    def run(plot=None, json=None, can_draw=True, status=0):
        drawn, files = [], []
        monkeypatch.setattr(pictures, "can_draw", lambda: can_draw)
        monkeypatch.setattr(pictures, "draw", lambda *asked: drawn.append(asked))

        def measure(file):
            files.append(file)
            if status < 2:
                file.write_text("{}")
            return status

        return pictures.measured_and_drawn(measure, "part1", plot, json), files[0], drawn

    return run


def test_into_the_folder_that_was_named(measured, tmp_path):
    """The second measurement gets a name of its own; a file that was named is drawn too."""
    for name in ("result", "result-2"):
        file = tmp_path / f"a/{name}.json"
        assert measured(tmp_path / "a") == (0, file, [(What.BENCH, file, tmp_path / "a")])
    file = tmp_path / "mine.json"
    assert measured(tmp_path, file) == (0, file, [(What.BENCH, file, tmp_path)])


def test_without_a_name_each_measurement_has_a_folder(measured):
    status, _, ((_, _, folder),) = measured(status=1)
    assert status == 1
    assert re.search(r"build/pictures/\d{4}-\d\d-\d\d_\d{6}_part1$", str(folder))


def test_where_nothing_draws_the_result_stays_and_the_command_is_told(measured, tmp_path, capsys):
    _, file, drawn = measured(tmp_path / "a", can_draw=False)
    assert (file.exists(), drawn) == (True, [])
    said = capsys.readouterr().err
    assert "./lab setup --pictures" in said and f"./lab bench --from {file}" in said


def test_what_measured_nothing_leaves_nothing(measured, tmp_path):
    assert measured(tmp_path / "a", status=2)[2] == []
    assert not (tmp_path / "a").exists()


def test_a_folder_that_cannot_be_is_refused_before_measuring(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="cannot be written"):
        pictures.measured_and_drawn(lambda _: pytest.fail("measured"), "x", tmp_path / "file", None)


ROWS = [{"name": "naive", "n": n, "interactions_per_s": {"median": 1e9}} for n in (1000, 2000)]
BENCH = {"context": {"part": "part1"}, "summary": ROWS}


@pytest.mark.parametrize(
    ("what", "content", "names"),
    [
        (What.BENCH, BENCH, ["mine_bodies", "mine_ladder"]),
        (What.ROOFLINE, roofline_json(), ["mine"]),
    ],
)
def test_files_are_drawn_again_over_their_pictures(what, content, names, tmp_path, capsys):
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(content))
    for _ in range(2):
        assert pictures.draw(what, file, tmp_path) == 0
    for kind in ("svg", "png"):
        assert sorted(one.stem for one in tmp_path.glob(f"*.{kind}")) == names
    assert f"{names[0]}.svg and .png" in capsys.readouterr().out


def test_a_result_without_a_speed_has_no_picture(tmp_path, capsys):
    row = {"name": "naive", "n": 50, "outcome": "busy", "verdict": "too busy to measure"}
    file = tmp_path / "result.json"
    file.write_text(json.dumps({**BENCH, "summary": [row]}))
    assert pictures.draw(What.BENCH, file, tmp_path) == 0
    assert (list(tmp_path.glob("*.svg")), *capsys.readouterr()) == ([], "", "")
