"""A measurement is drawn in the requested folder, kept if nothing can draw, and never drawn over another."""

import json
from functools import partial

import pytest

from nbody_lab.core.whole_file import write_text
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import What
from tests.limits.roofline_for_tests import roofline_json

RATES = {"median": 1e9, "lower_quartile": 1e9, "upper_quartile": 1e9}
ROWS = [{"name": "naive", "n": n, "interactions_per_s": RATES} for n in (1000, 2000)]
BENCH = {"context": {"part": "part1"}, "summary": ROWS}


def write(file, status=0):
    """A measurement; the status of its program."""
    write_text(file, json.dumps(BENCH))
    return status


def test_no_measurement_is_overwritten(tmp_path):
    """The second of a folder has a name of its own; a wrong result is drawn, too."""
    for status, stem in ((0, "result"), (1, "result-2")):
        work = partial(write, status=status)
        assert pictures.measured_and_drawn(work, "part1", tmp_path, None) == status
        assert (tmp_path / f"{stem}.json").exists() and (tmp_path / f"{stem}_bodies.png").exists()


def test_without_a_folder_each_measurement_has_its_own(tmp_path, monkeypatch):
    """What measured nothing leaves nothing."""
    monkeypatch.setattr(pictures, "ROOT", tmp_path)
    assert pictures.measured_and_drawn(lambda _: 2, "part1", None, None) == 2
    assert not list(tmp_path.iterdir())
    pictures.measured_and_drawn(write, "part1", None, None)
    found = [one.name for one in tmp_path.glob("build/pictures/*_part1/*.svg")]
    assert sorted(found) == ["result_bodies.svg", "result_ladder.svg"]


def test_where_nothing_draws_the_result_stays(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(pictures, "can_draw", lambda: False)
    pictures.measured_and_drawn(write, "part1", tmp_path, tmp_path / "mine.json")
    assert [one.name for one in tmp_path.iterdir()] == ["mine.json"]
    error = capsys.readouterr().err
    assert "./lab setup --pictures" in error
    assert f"./lab bench --from {tmp_path / 'mine.json'}" in error


@pytest.mark.parametrize(
    ("what", "content", "names"),
    [
        (What.BENCH, BENCH, ["mine_bodies", "mine_ladder"]),
        (What.BENCH, {**BENCH, "summary": [{"name": "naive", "n": 50, "outcome": "busy"}]}, []),
        (What.ROOFLINE, roofline_json(), ["mine"]),
    ],
)
def test_files_are_drawn_again_over_their_pictures(what, content, names, tmp_path, capsys):
    """None of a result without a speed."""
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(content))
    for _ in range(2):
        assert pictures.draw(what, file, tmp_path) == 0
    for kind in ("svg", "png"):
        assert sorted(one.stem for one in tmp_path.glob(f"*.{kind}")) == names
    assert all(f"{name}.svg and .png" in capsys.readouterr().out for name in names[:1])
