"""The solution's speed: computed from measured figures, shown only without solutions."""

import json

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.handout.make_references import read_ladders, to_json
from nbody_lab.handout.references import FILE, show

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
    return {"context": {**CONTEXT, **context}, "summary": rows, "benchmarks": []}


@pytest.fixture
def keep(tmp_path):
    """Makes references of part 1 from the results of bench, in the order of its ladders."""

    def make(*results):
        names = ("part1_ladder_1_thread", "part1_ladder_2_threads", "part1_fixed_step")
        for name, result in zip(names, results):
            (tmp_path / f"{name}.json").write_text(json.dumps(result))
        (tmp_path / "data").mkdir()
        (tmp_path / FILE).write_text(to_json(read_ladders(tmp_path, ["part1", "part2"])))

    return make


@pytest.mark.parametrize(
    ("results", "sentences"),
    [
        (
            [
                bench(1, {"naive": 1e8, "trick": 2e8, "best": 5.2e8, "wrong": None}),
                bench(2, {"naive": 1e8, "best": 9.1e8}),
                bench(4, {"naive": 1e8, "best": 2e9}, adaptive=True),
            ],
            "reference: the solution reaches 5.2 x naive with one thread, 9.1 x naive with two threads "
            "(5000 bodies, fixed step; measured on A processor, 2026-11-21) "
            "reference: the solution reaches 20 x naive with 4 threads "
            "(5000 bodies, adaptive step; measured on A processor, 2026-11-21)",
        ),
        (
            [bench(1, {"naive": 1e11, "best": 6e11}, device="NVIDIA H200 (132 SM)")],
            "reference: the solution reaches 6 x naive "
            "(5000 bodies, fixed step; measured on NVIDIA H200, 2026-11-21)",
        ),
    ],
)
def test_a_sentence_for_each_run(results, sentences, keep, tmp_path, capsys):
    """Of a GPU without threads."""
    keep(*results)
    show(tmp_path, "part1")
    show(tmp_path, "part2")
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 100
    assert " ".join(shown.split()) == sentences


def test_silent_where_the_solution_itself_is_or_no_file(keep, tmp_path, capsys):
    show(tmp_path, "part1")
    keep(bench(1, {"naive": 1e8, "best": 5e8}))
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
