"""From names and setups to rows of bin/bench, from its answers to the file, and what a stop keeps."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.building import lab as lab_module
from nbody_lab.building.manifest import Manifest
from nbody_lab.core.errors import LabError
from nbody_lab.measure.bench_file import BenchRow, read_result
from nbody_lab.measure.bench_plan import QUICK, Asked, plan_of
from nbody_lab.measure.bench_result import Answers, Timing, result_of, row_of

ROWS: list[dict[str, Any]] = [
    {"name": "naive", "class": "Naive", "kind": "naive", "flags": ["-O3"]},
    {"name": "exhibit", "expect": "too weak", "kind": "exhibit", "arguments": ["--mistake"]},
    {"name": "needy", "needs": ["no_such_feature"]},
    {"name": "kernel", "needs": ["gpu"]},
    {"name": "multi", "sets": ["sse2", "avx2"], "count": {"program": "count"}},
    {"name": "ring", "part": "four"},
    {"name": "guest", "launcher": ["env", "-i"]},
    {"name": "unbuilt", "part": "later"},
]
COUNT = {"fixed_step": {"flops": {"polynomial": {"n2": 55, "n": 0, "1": 0, "over": 2}}}}


@pytest.fixture
def manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Manifest:
    """Programs NAME and NAME_double, or NAME_SET; this processor has SSE2 alone."""
    monkeypatch.setattr(lab_module, "features_of_processor", lambda: {"sse2"})
    monkeypatch.setattr("nbody_lab.building.cpuinfo.features_of_processor", lambda: {"sse2"})
    monkeypatch.setattr(lab_module, "gpu_answers", lambda: False)
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
PLANS: list[tuple[str, Asked, list[str] | str, dict[str, Any]]] = [
    # What is asked; rows, or why there are none; what the program is told of the first.
    ("zoo", Asked(["naive"]), ["naive" + ONE], {"hello": ["zoo", "naive", ""], "flops": 20}),
    (
        "zoo",
        Asked(["naive", "zoo/exhibit", "naive"], (50, 60), (1, 2), ("float", "double")),
        [
            f"{name}/n:{n}/threads:{threads}/{precision}"
            for precision in ("float", "double")
            for threads in (1, 2)
            for n in (50, 60)
            for name in ("naive", "zoo/exhibit")
        ],
        {"threads": 1, "precision": "float"},
    ),
    ("zoo", Asked(["exhibit"]), ["exhibit" + ONE], {"hello": [], "arguments": ["--mistake"]}),
    ("zoo", Asked(["naive", "multi"], arch=["sse2"]), ["naive" + ONE, "multi_sse2" + ONE], {}),
    (
        "zoo",
        Asked(["naive"], block=(32, 64), grid=(7,)),
        [f"naive{ONE}/block:{block}/grid:7" for block in (32, 64)],
        {"arguments": ["--block", "32", "--grid", "7"]},
    ),
    ("zoo", Asked(["multi"], (10,)), ["multi/n:10/threads:1/float"], {"flops": 27.5}),
    ("zoo", Asked(["multi"], hidden=["multi"]), ["multi" + ONE], {"flops": 20}),
    ("zoo", Asked(["guest"]), ["guest" + ONE], {"launcher": ["env", "-i"], "ranks": 1}),
    ("four", Asked(), [f"ring{ONE}/ranks:4"], {"launcher": ["mpiexec", "-n", "RANKS"]}),
    ("four", Asked(ranks=(1, 2)), [f"ring{ONE}/ranks:{k}" for k in (1, 2)], {"ranks": 1}),
    ("zoo", Asked(["nobody"]), "zoo has no implementation 'nobody'", {}),
    ("zoo", Asked(["no/naive"]), "there is no part 'no'", {}),
    ("zoo", Asked(["needy"]), "nothing of zoo can run on this machine", {}),
    ("later", Asked(), "nothing is built: run ./lab build later", {}),
    ("zoo", Asked(["naive"], arch=["sse2"]), "none of these is built for 'sse2'", {}),
    ("zoo", Asked(["naive"], ranks=(2,)), "naive runs as one process; part 4 runs as several", {}),
]


@pytest.mark.parametrize(("part", "asked", "titles", "told"), PLANS)
def test_rows(
    part: str, asked: Asked, titles: list[str] | str, told: dict[str, Any], manifest: Manifest
) -> None:
    if isinstance(titles, str):
        with pytest.raises(LabError, match=titles):
            plan_of(manifest, part, asked)
        return
    plan = plan_of(manifest, part, asked)
    assert [row.title for row in plan.rows] == titles
    written = json.loads(plan.as_json())
    assert (written["rounds"], told.items() <= written["rows"][0].items()) == (7, True)


def test_what_cannot_run_here_is_named(manifest: Manifest) -> None:
    skipped = ["needy skipped: needs no_such_feature", "kernel skipped: needs a GPU"]
    assert plan_of(manifest, "zoo", Asked()).skipped == skipped


TIMED: dict[str, Any] = {
    "rounds": [1e-3, 2e-3, 3e-3],
    "neighbours": [0, 0.5, 0],
    "cycles": [2.0**-31],
    "error": 1e-6,
    "limit": 1e-5,
    "wrong": "",
    "step_count_verified": True,
    "cores": 0.9,
    "others": 1.5,
    "workers": 1,
    "starved": False,
    "fault": "",
    "outcome": "failed",
    "writes": False,
}
BUSY = {"fault": "too busy to measure", "outcome": "busy", "cores": 0.5}
STARVED = BUSY | {"starved": True}
HAD = "1 thread had 0.5 cores on average, other programs 1.5:"


def judged(manifest: Manifest, name: str, threads: int = 1, **more: Any) -> BenchRow:
    (row,) = plan_of(manifest, "zoo", Asked([name], (100,), (threads,))).rows
    return row_of(row, Timing.model_validate(TIMED | more), 7)


@pytest.mark.parametrize(
    ("name", "more", "outcome", "verdict", "about_cores"),
    [
        ("naive", {}, "right", "right", ""),
        ("naive", {"error": 1e-4}, "wrong", "WRONG", ""),
        ("naive", {"error": None}, "wrong", "WRONG", ""),
        ("naive", {"wrong": "two cores"}, "wrong", "WRONG: two cores", ""),
        ("exhibit", {"error": 1e-4}, "wrong as expected", "wrong, as expected", ""),
        ("naive", {"fault": "killed by signal 11"}, "failed", "killed by signal 11", ""),
        ("exhibit", {"fault": "no answer", "outcome": "late"}, "late", "no answer", ""),
        ("naive", {"fault": "0 s", "outcome": "wrong", "wrong": "0 s"}, "wrong", "WRONG: 0 s", ""),
        ("naive", BUSY, "busy", "too busy to measure", "t(K) was never linear in K; try again"),
        ("naive", STARVED, "busy", "too busy to measure", HAD),
        (
            "naive",
            {"workers": 999},
            "right",
            "right",
            "999 threads shared the machine, and had 0.9",
        ),
    ],
)
def test_verdicts(
    name: str,
    more: dict[str, Any],
    outcome: str,
    verdict: str,
    about_cores: str,
    manifest: Manifest,
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
    assert row.seconds_per_iteration.lower_quartile == pytest.approx(1.5e-4)
    assert (row.rounds, row.busy_machine) == (3, True)  # its rounds differ
    once = judged(manifest, "naive", rounds=[1e-4])
    assert (once.spread, once.busy_machine) == (0, False)
    assert judged(manifest, "naive", rounds=[1e-4], cores=0.6).busy_machine
    assert not judged(manifest, "naive", 2, rounds=[1e-4], cores=0.6).busy_machine


def test_the_file_is_google_benchmarks_with_a_context_of_ours(manifest: Manifest) -> None:
    asked = Asked(["naive", "exhibit"], (100, 200), clock=QUICK, revision="abc", device="Abacus")
    plan, answers = plan_of(manifest, "zoo", asked), Answers()
    for k in range(4):
        answers.hear({"row": k, "timing": TIMED | {"rounds": [1e-3 / (k + 1)] * 2}})
    google = {"context": {"host_name": "secret", "num_cpus": 2}, "benchmarks": [{}]}
    answers.hear({"google": google, "seconds_spent": {"all": 9}, "stopped": True})
    _, text = result_of(plan, answers, manifest.file.parent / "bin/bench")
    file = manifest.file.with_name("result.json")
    file.write_text(text)
    written, context = json.loads(text), json.loads(text)["context"]
    assert "host_name" not in context  # results are shared
    expected = {"part": "zoo", "revision": "abc", "device": "Abacus", "clock_hz": 2.0**31}
    expected |= {"num_cpus": 2, "seconds_spent": {"all": 9}, "stopped": True}
    assert expected.items() <= context.items()
    assert context["flags"] == {"naive": "-O3", "exhibit": ""}
    assert written["benchmarks"] == [{}]
    assert [row["ratio_to_naive"] for row in written["summary"]] == pytest.approx([1, 2, 1, 4 / 3])
    assert "block" not in written["summary"][0] and "parent" not in written["summary"][0]
    assert read_result(file).context.device == "Abacus"


# Plays the bench program: answers with what it has when it is asked to stop.
BENCH = """#!/usr/bin/env python3
import json, signal, sys, time
json.load(sys.stdin)
def write(*_):
    print(json.dumps({"row": 0, "timing": TIMED}))
    print(json.dumps({"google": {"context": {}}, "seconds_spent": {}, "stopped": True}))
    sys.exit(130)
signal.signal(signal.SIGTERM, write)
print("ready", flush=True)
time.sleep(30)
"""
CALL = """
import pathlib, sys
from nbody_lab.measure.bench import run_bench
from nbody_lab.measure.bench_plan import Asked
from nbody_lab.building.lab import Lab
from nbody_lab.core.errors import ended
lab = Lab("zoo")
lab.build_dir = pathlib.Path(sys.argv[1])
lab.manifest = lab.build_dir / "manifest.json"
sys.exit(ended(run_bench, lab, Asked(["naive"]), lab.build_dir / "kept.json"))
"""


def test_the_end_of_a_jobs_time_keeps_what_is_measured(manifest: Manifest) -> None:
    """A batch system sends SIGTERM; Ctrl-C does the same."""
    folder = manifest.file.parent
    program = folder / "bin/bench"
    program.parent.mkdir()
    program.write_text(BENCH.replace("TIMED", repr(TIMED)), encoding="utf-8")
    program.chmod(0o755)
    argv, pipe = [sys.executable, "-c", CALL, str(folder)], subprocess.PIPE
    process = subprocess.Popen(argv, text=True, stdout=pipe, stderr=pipe, cwd=folder)
    assert process.stderr and process.stderr.readline() == "ready\n"
    process.terminate()
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, "stopped before all rounds" in out) == (130, True)
    assert read_result(folder / "kept.json").names == ["naive"]
