"""A measurement is drawn in the requested folder, kept if nothing can draw, and never drawn over another."""

import json
import re

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import Request, What


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """Runs a measurement that writes its result: (status, the file that it was given, what was drawn)."""
    monkeypatch.setattr(pictures, "ROOT", tmp_path)

    def run(plot=None, json=None, can_draw=True, status=0, writes=True):
        drawn, files = [], []
        monkeypatch.setattr(pictures, "can_draw", lambda: can_draw)
        monkeypatch.setattr(pictures, "draw", lambda what, request: drawn.append((what, request)))

        def measure(file):
            files.append(file)
            if writes and file:
                file.write_text("{}")
            return status

        return pictures.measured_and_drawn(measure, "part1", plot, json), files[0], drawn

    return run


def drawn_of(file):
    """Beside the file."""
    return [(What.BENCH, Request(str(file), file.parent, if_any=True))]


def test_into_the_folder_that_was_named(measured, tmp_path):
    """The second measurement gets a name of its own."""
    for name in ("result", "result-2"):
        file = tmp_path / f"a/{name}.json"
        assert measured(plot=tmp_path / "a") == (0, file, drawn_of(file))


def test_a_file_that_was_named_is_drawn_too(measured, tmp_path):
    file = tmp_path / "mine.json"
    assert measured(tmp_path, file) == (0, file, drawn_of(file))


def test_without_a_name_each_measurement_has_a_folder(measured):
    status, _, drawn = measured(status=1)
    assert status == 1
    folder = str(drawn[0][1].folder)
    assert re.search(r"build/pictures/\d{4}-\d\d-\d\d_\d{6}_part1$", folder)


def test_where_nothing_draws_the_result_stays_and_the_command_is_told(measured, tmp_path, capsys):
    _, file, _ = measured(plot=tmp_path / "a", can_draw=False)
    assert file.exists()
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "./lab setup --pictures" in said
    assert f"./lab bench --from {tmp_path}/a/result.json" in said
    status, file, drawn = measured(can_draw=False)
    assert (status, file.exists(), drawn) == (0, True, [])
    assert capsys.readouterr().err == ""


def test_what_measured_nothing_leaves_nothing(measured, tmp_path):
    status, _, drawn = measured(tmp_path / "a", status=2, writes=False)
    assert (status, drawn, (tmp_path / "a").exists()) == (2, [], False)


def test_an_older_result_is_not_drawn_again(measured, tmp_path):
    file = tmp_path / "mine.json"
    file.write_text("{}")
    assert measured(json=file, status=2, writes=False) == (2, file, [])


def test_a_folder_that_cannot_be_is_refused_before_measuring(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="cannot be written"):
        pictures.measured_and_drawn(lambda _: pytest.fail("measured"), "x", tmp_path / "file", None)


def test_a_machine_too_busy_to_measure_leaves_nothing_to_draw(tmp_path, capsys):
    """Said once, by the measurement; whoever asks for a picture is told why there is none."""
    file = tmp_path / "result.json"
    row = {"name": "naive", "n": 50, "outcome": "busy", "verdict": "too busy to measure"}
    file.write_text(json.dumps({"context": {"part": "part1"}, "summary": [row]}))
    assert pictures.draw(What.BENCH, Request(str(file), tmp_path, if_any=True)) == 0
    assert capsys.readouterr() == ("", "")
    assert pictures.draw(What.BENCH, Request(str(file), tmp_path)) == 2
    assert "has no measured row" in capsys.readouterr().err
