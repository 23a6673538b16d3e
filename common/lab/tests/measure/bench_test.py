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
    {
        "name": "exhibit",
        "expect": "too weak",
        "kind": "exhibit",
        "arguments": ["--mistake", "one_factor"],
    },
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


PLANS: list[tuple[str, Asked, list[str]]] = [
    ("zoo", Asked(["naive"]), ["naive/n:5000/threads:1/float"]),
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
    ),
    ("zoo", Asked(["naive", "multi"], arch=["sse2"]), ["naive/", "multi_sse2/"]),
    ("zoo", Asked(["naive", "multi"], (9,), arch=["sse2", "avx2"]), ["naive/", "multi_sse2/"]),
    (
        "zoo",
        Asked(["naive"], block=(32, 64), grid=(7,)),
        [f"naive/n:5000/threads:1/float/block:{block}/grid:7" for block in (32, 64)],
    ),
    ("four", Asked(), ["ring/n:5000/threads:1/float/ranks:4"]),
    ("four", Asked(ranks=(1, 2)), [f"ring/n:5000/threads:1/float/ranks:{k}" for k in (1, 2)]),
]


@pytest.mark.parametrize(("part", "asked", "titles"), PLANS)
def test_rows(part: str, asked: Asked, titles: list[str], manifest: Manifest) -> None:
    found = [row.title for row in plan_of(manifest, part, asked).rows]
    assert len(found) == len(titles)
    assert all(one.startswith(title) for one, title in zip(found, titles))


def test_what_cannot_run_here_is_named(manifest: Manifest) -> None:
    skipped = ["needy skipped: needs no_such_feature", "kernel skipped: needs a GPU"]
    assert list(plan_of(manifest, "zoo", Asked()).skipped) == skipped


@pytest.mark.parametrize(
    ("part", "asked", "why"),
    [
        ("zoo", Asked(["nobody"]), "zoo has no implementation 'nobody'"),
        ("zoo", Asked(["no/naive"]), "there is no part 'no'"),
        ("zoo", Asked(["needy"]), "nothing of zoo can run on this machine"),
        ("later", Asked(), "nothing is built: run ./lab build later"),
        ("zoo", Asked(["naive"], arch=["sse2"]), "none of these is built for 'sse2'"),
        ("zoo", Asked(["naive"], ranks=(2,)), "naive runs as one process; part 4 runs as several"),
    ],
)
def test_nothing_to_measure(part: str, asked: Asked, why: str, manifest: Manifest) -> None:
    with pytest.raises(LabError, match=why):
        plan_of(manifest, part, asked)


@pytest.mark.parametrize(
    ("part", "asked", "told"),
    [
        ("zoo", Asked(["naive"]), {"hello": ["zoo", "naive", ""], "flops": 20, "launcher": []}),
        ("zoo", Asked(["exhibit"]), {"hello": [], "arguments": ["--mistake", "one_factor"]}),
        ("zoo", Asked(["naive"], grid=(7,)), {"arguments": ["--grid", "7"]}),
        ("zoo", Asked(["multi"], (10,)), {"flops": 27.5}),
        ("zoo", Asked(["multi"], (10,), hidden=["multi"]), {"flops": 20}),
        ("zoo", Asked(["guest"]), {"launcher": ["env", "-i"], "ranks": 1}),
        ("four", Asked(ranks=(3,)), {"launcher": ["mpiexec", "-n", "RANKS"], "ranks": 3}),
    ],
)
def test_what_the_program_is_told(
    part: str, asked: Asked, told: dict[str, Any], manifest: Manifest
) -> None:
    (row,) = plan_of(manifest, part, asked).rows
    assert told.items() <= row.as_asked().items()
    assert json.loads(plan_of(manifest, part, asked).as_json())["rounds"] == 7


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
HAD = "its thread had 0.5 of a core on average, other programs 1.5:"


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
        ("naive", {"workers": 999}, "right", "right", "its 999 threads share the machine's "),
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
    _, text = result_of(plan, answers, manifest.file.parent / "bin/bench", load=1.5)
    file = manifest.file.with_name("result.json")
    file.write_text(text)
    written, context = json.loads(text), json.loads(text)["context"]
    assert "host_name" not in context  # results are shared
    expected = {"part": "zoo", "revision": "abc", "device": "Abacus", "clock_hz": 2.0**31}
    expected |= {
        "num_cpus": 2,
        "load_before": 1.5,
        "stopped": True,
        "flags": {"naive": "-O3", "exhibit": ""},
    }
    assert expected.items() <= context.items()
    assert written["benchmarks"] == [{}]
    assert [row["ratio_to_naive"] for row in written["summary"]] == pytest.approx([1, 2, 1, 4 / 3])
    assert "block" not in written["summary"][0] and "parent" not in written["summary"][0]
    assert read_result(file).context.seconds_spent.all == 9


# Plays the bench program: answers with what it has when it is asked to stop.
BENCH = """#!/usr/bin/env python3
import json, signal, sys, time
plan = json.load(sys.stdin)
def write(*stopped):
    print(json.dumps({"row": 0, "timing": TIMED}))
    print(json.dumps({"google": {"context": {}}, "seconds_spent": {}, "stopped": bool(stopped)}))
    sys.exit(130 if stopped else 0)
signal.signal(signal.SIGTERM, write)
print("ready", flush=True)
time.sleep(30 if plan["rounds"] == 9 else 0)
write()
"""
CALL = """
import pathlib, sys
from nbody_lab.measure.bench import run_bench
from nbody_lab.measure.bench_plan import Asked, Clock
from nbody_lab.building.lab import Lab
from nbody_lab.core.errors import ended
lab = Lab("zoo")
lab.build_dir = pathlib.Path(sys.argv[1])
lab.manifest = lab.build_dir / "manifest.json"
asked = Asked(["naive"], clock=Clock(rounds=int(sys.argv[3])))
sys.exit(ended(run_bench, lab, asked, pathlib.Path(sys.argv[2])))
"""


@pytest.mark.parametrize(
    ("file", "rounds", "status", "said"),
    [("kept.json", 9, 130, "stopped before all rounds"), ("/dev/null", 1, 0, "naive")],
)
def test_the_end_of_a_jobs_time_keeps_what_is_measured(
    file: str, rounds: int, status: int, said: str, manifest: Manifest
) -> None:
    """A batch system sends SIGTERM; Ctrl-C does the same. Tables are shown wherever the result goes."""
    folder = manifest.file.parent
    program = folder / "bin/bench"
    program.parent.mkdir()
    program.write_text(BENCH.replace("TIMED", repr(TIMED)), encoding="utf-8")
    program.chmod(0o755)
    argv, pipe = [sys.executable, "-c", CALL, str(folder), file, str(rounds)], subprocess.PIPE
    process = subprocess.Popen(argv, text=True, stdout=pipe, stderr=pipe, cwd=folder)
    assert process.stderr and process.stderr.readline() == "ready\n"
    if status:
        process.terminate()
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, said in out) == (status, True)
    if status:
        assert read_result(folder / file).names == ["naive"]
