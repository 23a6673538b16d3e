"""The solution's speed: computed from measured figures, shown only without solutions."""

import json

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.handout.references import FILE, read_ladders, show

RESULTS = ROOT / "data/results"
CONTEXT = {"cpu": "A processor", "compiler": "g++ 12", "day": "2026-11-21", "adaptive": False}


def bench(rates, **context):
    """A file of ./lab bench --json. A rate of 0: wrong."""
    rows = [
        {"name": name, "threads": threads, "n": 5000, "precision": precision}
        | {"interactions_per_s": {"median": rate * threads}}
        for precision in ("float", "double")
        for threads in (1, 2)
        for name, rate in rates.items()
    ]
    return json.dumps({"context": {**CONTEXT, **context}, "summary": rows, "benchmarks": []})


def test_a_sentence_for_each_run_where_the_solution_is_not(tmp_path, capsys):
    """Of a GPU without threads."""
    rates = {"naive": 1e8, "trick": 2e8, "best": 5.2e8, "wrong": 0}
    (tmp_path / "part1_ladder_1_thread.json").write_text(bench(rates))
    gpu = bench({"naive": 1e11, "best": 6e11}, device="NVIDIA H200 (132 SM)", adaptive=True)
    (tmp_path / "part3_study_ladder.json").write_text(gpu)
    (tmp_path / "data").mkdir()
    show(tmp_path, "part1")
    references = read_ladders(tmp_path, ["part1", "part2", "part3"])
    (tmp_path / FILE).write_text(references.model_dump_json())
    show(tmp_path, "part2")
    assert capsys.readouterr().out == ""
    show(tmp_path, "part1")
    assert " ".join(capsys.readouterr().out.split()) == (
        "reference: the solution reaches 5.2 x naive with 1 thread, 5.2 x naive with 2 threads "
        "(5000 bodies, fixed step; A processor, 2026-11-21)"
    )
    show(tmp_path, "part3")
    assert "reaches 6 x naive, 6 x naive (5000 bodies, adaptive step; NVIDIA H200," in (
        capsys.readouterr().out
    )
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
