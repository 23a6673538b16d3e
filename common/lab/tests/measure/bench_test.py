"""From names and setups to rows of bin/bench, from its answers to the file, and what a stop keeps."""

import json
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.building import lab as lab_module
from nbody_lab.building.manifest import Manifest
from nbody_lab.core.errors import LabError
from nbody_lab.measure.bench import run_bench
from nbody_lab.measure.bench_file import BenchRow, read_result
from nbody_lab.measure.bench_plan import Asked, plan_of
from nbody_lab.measure.bench_result import Answers, Timing, result_of, row_of

ROWS: list[dict[str, Any]] = [
    {"name": "naive", "class": "Naive", "kind": "naive", "flags": ["-O3"]},
    {"name": "exhibit", "expect": "too weak", "kind": "exhibit", "arguments": ["--mistake"]},
    {"name": "needy", "needs": ["no_such_feature"]},
    {"name": "multi", "sets": ["sse2", "avx2"], "count": {"program": "count"}},
    {"name": "ring", "part": "four"},
    {"name": "unbuilt", "part": "later"},
]
COUNT = {"fixed_step": {"flops": {"polynomial": {"n2": 55, "n": 0, "1": 0, "over": 2}}}}


@pytest.fixture
def manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Manifest:
    """Programs NAME and NAME_double, or NAME_SET; this processor has SSE2 alone."""
    monkeypatch.setattr(lab_module, "features_of_processor", lambda: {"sse2"})
    monkeypatch.setattr("nbody_lab.building.cpuinfo.features_of_processor", lambda: {"sse2"})
    rows = []
    for row in ROWS:
        row, programs = {"part": "zoo", "kind": "rung", **row}, []
        for one in row.pop("sets", ["", "double"]):
            precision, end = ("double", "") if one == "double" else ("float", one)
            program = f"{row['name']}{f'_{one}' if one else ''}"
            programs.append({"precision": precision, "instruction_set": end, "program": program})
            (tmp_path / program).touch() if row["part"] != "later" else None
        rows.append({**row, "programs": programs})
    parts = [{"name": "zoo"}, {"name": "later"}]
    parts.append({"name": "four", "launcher": ["mpiexec", "-n", "RANKS"], "ranks": 4})
    text = json.dumps({"version": 2, "parts": parts, "implementations": rows})
    (tmp_path / "manifest.json").write_text(text)
    (tmp_path / "count.json").write_text(json.dumps({"work": COUNT}))
    return Manifest(tmp_path / "manifest.json")


ONE = "/n:5000/threads:1/float"
TUNED = [f"naive{ONE}/block:{block}/grid:7" for block in (32, 64)]
TWO = [f"{name}/n:{n}/threads:2/double" for n in (50, 60) for name in ("naive", "zoo/exhibit")]


@pytest.mark.parametrize(
    ("part", "asked", "titles", "told"),
    [  # What is asked; rows, or why there are none; what the program is told of the first.
        ("zoo", Asked(["naive"]), ["naive" + ONE], {"hello": ["zoo", "naive", ""], "flops": 20}),
        ("zoo", Asked(["naive", "zoo/exhibit", "naive"], (50, 60), (2,), ("double",)), TWO, {}),
        ("zoo", Asked(["exhibit"]), ["exhibit" + ONE], {"hello": [], "arguments": ["--mistake"]}),
        ("zoo", Asked(["naive", "multi"], arch=["sse2"]), ["naive" + ONE, "multi_sse2" + ONE], {}),
        ("zoo", Asked(["naive"], block=(32, 64), grid=(7,)), TUNED, {}),
        ("zoo", Asked(["multi"], (10,)), ["multi/n:10/threads:1/float"], {"flops": 27.5}),
        ("zoo", Asked(["multi"], hidden=["multi"]), ["multi" + ONE], {"flops": 20}),
        ("four", Asked(), [f"ring{ONE}/ranks:4"], {"launcher": ["mpiexec", "-n", "RANKS"]}),
        ("four", Asked(ranks=(1, 2)), [f"ring{ONE}/ranks:{k}" for k in (1, 2)], {"ranks": 1}),
        ("zoo", Asked(["nobody"]), "zoo has no implementation 'nobody'", {}),
        ("zoo", Asked(["needy"]), "nothing of zoo can run on this machine", {}),
        ("later", Asked(), "nothing is built: run ./lab build later", {}),
        ("zoo", Asked(["naive"], arch=["sse2"]), "none of these is built for 'sse2'", {}),
        ("zoo", Asked(["naive"], ranks=(2,)), "naive runs as one process; part 4 runs", {}),
    ],
)
def test_rows(part: str, asked: Asked, titles: Any, told: Any, manifest: Manifest) -> None:
    if isinstance(titles, str):
        with pytest.raises(LabError, match=titles):
            plan_of(manifest, part, asked)
        return
    plan = plan_of(manifest, part, asked)
    assert [row.title for row in plan.rows] == titles
    written = json.loads(plan.as_json())
    assert (written["rounds"], told.items() <= written["rows"][0].items()) == (7, True)


TIMED: dict[str, Any] = {
    "rounds": [1e-3, 2e-3, 3e-3],
    "neighbours": [0, 0.5, 0],
    "cycles": [2.0**-31],
    "error": 1e-6,
    "limit": 1e-5,
    "wrong": "",
    "step_count_verified": True,
    "writes": False,
    "cores": 0.9,
    "others": 1.5,
    "workers": 1,
    "starved": False,
    "fault": "",
    "outcome": "failed",
}
BUSY = {"fault": "too busy to measure", "outcome": "busy", "cores": 0.5}
HAD = "1 thread had 0.5 cores, other programs 1.5:"


def judged(manifest: Manifest, name: str, threads: int = 1, **more: Any) -> BenchRow:
    (row,) = plan_of(manifest, "zoo", Asked([name], (100,), (threads,))).rows
    return row_of(row, Timing.model_validate(TIMED | more), 7)


@pytest.mark.parametrize(
    ("name", "more", "outcome", "verdict", "about_cores"),
    [
        ("naive", {}, "right", "right", ""),
        ("naive", {"error": None}, "wrong", "WRONG", ""),
        ("naive", {"wrong": "two cores"}, "wrong", "WRONG: two cores", ""),
        ("exhibit", {"error": 1e-4}, "wrong as expected", "wrong, as expected", ""),
        ("naive", {"fault": "killed by signal 11"}, "failed", "killed by signal 11", ""),
        ("exhibit", {"fault": "no answer", "outcome": "late"}, "late", "no answer", ""),
        ("naive", {"fault": "0 s", "outcome": "wrong", "wrong": "0 s"}, "wrong", "WRONG: 0 s", ""),
        ("naive", BUSY, "busy", "too busy to measure", "t(K) was never linear in K; try again"),
        ("naive", BUSY | {"starved": True}, "busy", "too busy to measure", HAD),
        ("naive", {"workers": 999}, "right", "right", "999 threads shared the machine, and had"),
    ],
)
def test_verdicts(
    name: str, more: Any, outcome: str, verdict: str, about_cores: str, manifest: Manifest
) -> None:
    """Only what is right, or wrong as expected, has a speed."""
    row = judged(manifest, name, **more)
    assert (row.outcome, row.verdict) == (outcome, verdict)
    assert bool(row.speed) == bool(row.seconds_of_rounds) == row.as_expected
    assert row.rounds == (7 if "fault" in more else 3)
    assert row.about_cores.startswith(about_cores) and bool(row.about_cores) == bool(about_cores)


def test_a_speed_is_the_median_of_the_rounds_that_count(manifest: Manifest) -> None:
    row = judged(manifest, "naive", rounds=[0, 1e-4, 4e-4, 2e-4])
    assert row.interactions_per_s.median == pytest.approx(1e4 / 2e-4)
    assert (row.rounds, row.busy_machine) == (3, True)  # its rounds differ
    for threads, cores, busy in ((1, 0.9, False), (1, 0.6, True), (2, 0.6, False)):
        one = judged(manifest, "naive", threads, rounds=[1e-4], cores=cores)
        assert (one.spread, one.busy_machine) == (0, busy)


def test_the_file_is_google_benchmarks_with_a_context_of_ours(manifest: Manifest) -> None:
    asked = Asked(["naive", "exhibit"], (100, 200), revision="abc", device="Abacus")
    plan, answers = plan_of(manifest, "zoo", asked), Answers()
    for k in range(4):
        answers.hear({"row": k, "timing": TIMED | {"rounds": [1e-3 / (k + 1)] * 2}})
    google = {"context": {"host_name": "secret", "num_cpus": 2}, "benchmarks": [{}]}
    answers.hear({"google": google, "stopped": True})
    _, text = result_of(plan, answers, manifest.file.parent / "bin/bench")
    written, context = json.loads(text), json.loads(text)["context"]
    assert "host_name" not in context  # results are shared
    expected = {"part": "zoo", "revision": "abc", "device": "Abacus", "clock_hz": 2.0**31}
    expected |= {"num_cpus": 2, "stopped": True, "flags": {"naive": "-O3", "exhibit": ""}}
    assert expected.items() <= context.items()
    assert len(written["summary"]) == 4 and not any("block" in row for row in written["summary"])


def test_a_stop_keeps_what_is_measured(
    manifest: Manifest, capsys: pytest.CaptureFixture[str]
) -> None:
    """A batch system sends SIGTERM, which is passed on (run_test.py); Ctrl-C does the same."""
    folder = manifest.file.parent
    last = {"google": {"context": {}}, "stopped": True}
    program = folder / "bin/bench"
    program.parent.mkdir()
    lines = "\n".join(map(json.dumps, ({"row": 0, "timing": TIMED}, last)))
    program.write_text(f"#!/bin/sh\ncat > /dev/null\necho '{lines}'\nexit 130\n")
    program.chmod(0o755)
    lab = lab_module.Lab("zoo")
    lab.build_dir, lab.manifest = folder, manifest.file
    assert run_bench(lab, Asked(["naive"]), folder / "kept.json") == 130
    assert "stopped before all rounds" in capsys.readouterr().out
    assert read_result(folder / "kept.json").names == ["naive"]
