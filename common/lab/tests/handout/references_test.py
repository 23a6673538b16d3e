"""The solution's speed: computed from measured figures, shown only without solutions."""

import json

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.handout.references import FILE, read_ladders, show

RESULTS = ROOT / "data/results"
CONTEXT = {"cpu": "A processor", "compiler": "g++ 12", "day": "2026-11-21", "adaptive": False}


def bench(threads, rates, **context):
    """A file of ./lab bench --json. A rate of None: wrong."""
    rows = [
        {"name": name, "threads": threads, "n": 5000, "precision": precision}
        | ({"interactions_per_s": {"median": rate}} if rate else {})
        for precision in ("float", "double")
        for name, rate in rates.items()
    ]
    return json.dumps({"context": {**CONTEXT, **context}, "summary": rows, "benchmarks": []})


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (
            bench(2, {"naive": 1e8, "trick": 2e8, "best": 5.2e8, "wrong": None}),
            "reference: the solution reaches 5.2 x naive (2 threads, 5000 bodies, fixed step; "
            "A processor, 2026-11-21)",
        ),
        (
            bench(1, {"naive": 1e11, "best": 6e11}, device="NVIDIA H200 (132 SM)", adaptive=True),
            "reference: the solution reaches 6 x naive (5000 bodies, adaptive step; "
            "NVIDIA H200, 2026-11-21)",
        ),
    ],
)
def test_a_sentence_where_the_solution_is_not(result, sentence, tmp_path, capsys):
    """Of a GPU without threads."""
    (tmp_path / "part1_ladder_1_thread.json").write_text(result)
    (tmp_path / "data").mkdir()
    show(tmp_path, "part1")
    (tmp_path / FILE).write_text(read_ladders(tmp_path, ["part1", "part2"]).model_dump_json())
    show(tmp_path, "part2")
    assert capsys.readouterr().out == ""
    show(tmp_path, "part1")
    assert " ".join(capsys.readouterr().out.split()) == sentence
    (tmp_path / "solutions").mkdir()
    show(tmp_path, "part1")
    assert capsys.readouterr().out == ""


def test_a_broken_file_is_one_line(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / FILE).write_text('{"what": "", "version": 2, "parts": {}}')
    with pytest.raises(LabError, match=r"references\.json: version should be 1"):
        show(tmp_path, "part1")


@pytest.mark.skipif(
    not (RESULTS / "part1_ladder_1_thread.json").exists(), reason="no measured ladders here"
)
def test_of_what_is_kept():
    parts = read_ladders(RESULTS, ["part1", "part2", "part3"]).parts
    threads = {part: [row.threads for row in rows] for part, rows in parts.items()}
    assert threads == {"part1": [1, 2, 1], "part2": [1, 2], "part3": [0]}
    assert all(1 < row.x_naive < 100 for rows in parts.values() for row in rows)
