"""A measurement is drawn in the requested folder, kept if nothing can draw, and never drawn over another."""

import json
from functools import partial

from nbody_lab.core.whole_file import write_text
from nbody_lab.draw import pictures

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
