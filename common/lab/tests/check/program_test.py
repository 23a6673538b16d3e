"""bin/check asked from Python, as ./lab check and the tests of the zoo ask it: what is planned, and what comes of it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.building import lab as lab_module
from nbody_lab.building.manifest import Implementation, Manifest, Part, Program, manifest_text
from nbody_lab.check import run as run_module
from nbody_lab.check.plan import Asked, Plan, plan_of
from nbody_lab.check.result import Answer, Answers, Case, CheckedProgram, checked_program
from nbody_lab.check.run import build_in_double, main, run
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import Step
from tests import BUILD

BIN = BUILD / "bin"
PLAIN = BIN / "honest/plain"


def row(name: str, program: Path | str = PLAIN, **more: Any) -> Implementation:
    """An implementation of one program in float."""
    programs = more.pop("programs", [("float", "", program)])
    made = [Program(precision=p, instruction_set=s, program=str(file)) for p, s, file in programs]
    return Implementation(part="zoo", name=name, kind="rung", programs=tuple(made), **more)


def mistaken(name: str, mistake: str, **more: Any) -> Implementation:
    return row(name, BIN / "wrong/wrong", arguments=("--mistake", mistake), **more)


INSIDE = BIN / "wrong_double/float_inside"
ROWS = [
    row("right", programs=[("float", "", PLAIN), ("double", "", f"{PLAIN}_double")]),
    mistaken("rough", "raw_rsqrt"),
    mistaken("exhibit", "raw_rsqrt", expect="raw_root"),
    row("harmless", expect="raw_root"),
    row("coarse", programs=[("float", "", INSIDE), ("double", "", f"{INSIDE}_double")]),
    row("hang", BIN / "wrong/hang"),
    row("dies", BIN / "wrong/crash"),
    row("throws", BIN / "wrong/throws"),
    row("missing", "/no/such/program"),
    # Made from a header, but with another row's program.
    Implementation.model_validate(
        row("mixed_up").model_dump(by_alias=True) | {"class": "MixedUp", "kind": "rung"}
    ),
    row("needy", needs=("no_such_feature",)),
    row("two", programs=[("float", "sse2", BIN / "wrong/crash"), ("float", "neon", PLAIN)]),
]


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    file = tmp_path / "manifest.json"
    file.write_text(manifest_text(ROWS, [Part(name="zoo")]))
    return Manifest(file)


def checked(manifest: Manifest, name: str, **asked: Any) -> CheckedProgram:
    """Few and small cases, unless asked for more."""
    plan = plan_of(manifest, "zoo", [name], Asked(**{"largest": 17, "seed": 1, **asked}))
    (found,) = run(BIN / "check", plan).implementations
    return found


# --- what is planned ---


def planned(manifest: Manifest, *names: str, **asked: Any) -> dict[str, Any]:
    plan: dict[str, Any] = json.loads(plan_of(manifest, "zoo", names, Asked(**asked)).as_json())
    return plan


def test_programs_with_all_that_is_needed_to_start_them(manifest: Manifest) -> None:
    right, mixed_up = planned(manifest, "right", "mixed_up", "right")["programs"]
    assert (right["file"], right["double_file"]) == (str(PLAIN), f"{PLAIN}_double")
    assert right["hello"] == [] and mixed_up["hello"] == ["zoo", "mixed_up", ""]
    assert planned(manifest, "exhibit")["programs"][0]["arguments"] == ["--mistake", "raw_rsqrt"]
    (only,) = planned(manifest, "right", no_double=True)["programs"]
    assert only["double_file"] == ""
    (double,) = planned(manifest, "right", precision="double")["programs"]
    assert (double["file"], double["double_file"]) == (f"{PLAIN}_double", "")


def test_launchers_are_of_the_part_or_of_the_row(tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    rows = [row("a"), row("b", launcher=("box",))]
    parts = [Part(name="zoo", launcher=("mpirun", "-n", "RANKS"), ranks=4)]
    dumped = [one.model_dump(by_alias=True) for one in rows]
    del dumped[0]["launcher"]
    about = {"version": 2, "parts": [one.model_dump() for one in parts]}
    file.write_text(json.dumps({**about, "implementations": dumped}))
    a, b = planned(Manifest(file))["programs"]
    assert (a["launcher"], a["ranks"]) == (["mpirun", "-n", "RANKS"], 4)
    assert b["launcher"] == ["box"]


def test_seeds(manifest: Manifest) -> None:
    assert planned(manifest, "right")["seeds"] == 1
    assert planned(manifest, "right", thorough=True)["seeds"] == 5
    assert planned(manifest, "right", thorough=True, seeds=2, seed=7)["seeds"] == 2
    assert len({planned(manifest, "right")["seed"] for _ in range(5)}) > 1  # drawn


@pytest.mark.parametrize(
    ("name", "asked", "why"),
    [
        ("needy", {}, "needs no_such_feature"),
        ("two", {"arch": "avx2"}, "has no program of its own for avx2"),
        ("dies", {"precision": "double"}, "has no program for double"),
    ],
)
def test_what_cannot_be_checked_is_skipped(
    manifest: Manifest, name: str, asked: dict[str, Any], why: str
) -> None:
    found = checked(manifest, name, **asked)
    assert (found.verdict, found.as_expected) == (f"skipped: {why}", True)


def test_the_program_of_an_instruction_set(
    manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab_module, "features_of_processor", lambda: {"sse2"})
    plan = plan_of(manifest, "zoo", ["two"], Asked(arch="sse2"))
    assert plan.subjects[0].name == "two_sse2" and plan.subjects[0].program.name == "crash"
    (neon,) = plan_of(manifest, "zoo", ["two"], Asked(arch="neon")).subjects
    assert neon.why_not == "needs asimd"


@pytest.mark.parametrize(
    ("part", "name", "arch", "said"),
    [
        ("zoo", "nobody", "", "zoo has no implementation 'nobody'; it has: right rough"),
        ("none", "right", "", "there is no part 'none'; parts: zoo"),
        ("zoo", "right", "mmx", "--arch: choose from sse2, avx2"),
    ],
)
def test_what_there_is_not(manifest: Manifest, part: str, name: str, arch: str, said: str) -> None:
    with pytest.raises(LabError, match=said):
        plan_of(manifest, part, [name], Asked(arch=arch))


# --- what comes of it ---


@pytest.mark.parametrize(
    ("name", "asked", "verdict", "sentence"),
    [
        ("right", {}, "passed", ""),
        ("right", {"precision": "double"}, "passed", ""),
        ("rough", {}, "FAILED", "reciprocal square root"),
        ("rough", {"tolerance": "approximate"}, "PASSED, but should fail", ""),
        ("exhibit", {}, "fails as expected", "reciprocal square root"),
        ("harmless", {}, "PASSED, but should fail", ""),
        ("mixed_up", {}, "FAILED", "what came back is not an answer to the request"),
        ("missing", {}, "FAILED", "cannot start /no/such/program: No such file"),
        ("dies", {}, "FAILED", "the program died: killed by signal 6 (Aborted)"),
        ("throws", {}, "FAILED", "the program stopped with: index 8 of 7"),
        ("hang", {"timeout": 0.2}, "FAILED", "no answer in time"),
        ("coarse", {"no_double": True}, "passed", ""),
        ("coarse", {}, "FAILED", "right in float, not in double"),
        ("coarse", {"precision": "double"}, "FAILED", "float is used instead of double"),
    ],
)
def test_a_verdict(
    manifest: Manifest, name: str, asked: dict[str, Any], verdict: str, sentence: str
) -> None:
    """`wrong` knows what its own mistakes are seen as: without EXPECT, too, they fail as expected."""
    if name == "rough" and verdict == "FAILED":
        verdict = "fails as expected"
    found = checked(manifest, name, **asked)
    assert found.verdict == verdict
    assert sentence in found.sentence and bool(sentence) == bool(found.sentence)


def test_a_program_that_never_answers_is_waited_for_once(manifest: Manifest) -> None:
    late = checked(manifest, "hang", timeout=0.2)
    assert [case.answer for case in late.cases].count("late") == 1  # the others are not asked
    assert {case.answer for case in late.cases} == {"late", "missing"}
    assert late.worst_share_of_limit is None


def test_the_first_family_that_is_wrong_is_the_last_that_is_asked(manifest: Manifest) -> None:
    wrong, right = checked(manifest, "rough"), checked(manifest, "right", no_double=True)
    assert {case.group for case in wrong.cases} == {"forces"}
    assert {case.group for case in right.cases} > {"forces", "steps", "adaptive step", "threads"}
    assert any("forces must be right first" in line for line in wrong.left_out)


def test_a_seed_decides_what_is_asked(manifest: Manifest) -> None:
    once, again, other = (checked(manifest, "right", no_double=True, seed=k) for k in (5, 5, 8))
    assert once == again and once != other
    both = checked(manifest, "right", no_double=True, seed=5, seeds=2)
    assert {case.seed for case in both.cases} == {5, 6}
    assert max(case.n for case in both.cases) <= 17


def test_half_of_a_limit_is_asked_of_the_honest(
    manifest: Manifest, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [str(BIN / "check"), "zoo", "right", "--no-double", "--largest", "17", "--half"]
    words += ["--manifest", str(manifest.file), "--seed", "1"]
    assert main(words) == 0
    monkeypatch.setattr(run_module, "_HALF", 0.01)
    assert main(words) == 1
    assert capsys.readouterr().out.endswith("zoo/right is above half of a limit\n")


def test_without_a_result_its_own_words_are_shown(
    manifest: Manifest, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "check"
    script.write_text("#!/bin/sh\necho check: what is wrong >&2; exit 2\n")
    script.chmod(0o755)
    with pytest.raises(SystemExit) as end:
        run(script, plan_of(manifest, "zoo", ["right"], Asked()))
    assert end.value.code == 2 and "check: what is wrong\n" in capfd.readouterr().err


def test_a_program_in_double_is_built_when_it_is_needed(manifest: Manifest) -> None:
    plan, asked = plan_of(manifest, "zoo", ["rough", "right"], Asked(largest=7, seed=1)), []
    for why, found in ((None, "in double"), ("not built", "build"), ("saved meanwhile", "")):

        def build(subject: Any, _: object, why: Any = why) -> Any:
            asked.append(subject.name)
            return why

        _, right = run(BIN / "check", plan, build).implementations
        doubles = [case for case in right.cases if case.group == "in double"]
        assert bool(doubles) == bool(found)
        assert (right.verdict == "passed") == (found != "build")
        assert any("saved during the check" in what for what in right.left_out) == (not found)
    assert asked == ["right"] * 3


# --- how a result follows from an answer ---


def passed(**changes: Any) -> Case:
    usual = {"group": "forces", "n": 7, "seed": 1, "error": 1e-6, "limit": 1e-5}
    return Case.model_validate({**usual, "verdict": "passed", **changes})


def answer(*cases: Case, telling: int | None = None) -> Answer:
    return Answer(
        program=0,
        tolerance="standard",
        force_limit=1e-5,
        expect="",
        most_informative_case=telling,
        left_out=(),
        cases=cases,
    )


def test_a_diagnosis_names_the_program(manifest: Manifest) -> None:
    race = passed(verdict="failed", diagnosis="a race: ./lab check PART NAME --sanitize")
    (subject,) = plan_of(manifest, "zoo", ["right"], Asked()).subjects
    found = checked_program(subject, answer(passed(), race, telling=1))
    assert found.sentence == "a race: ./lab check zoo right --sanitize"
    assert found.cases[1].diagnosis == found.sentence


@pytest.mark.parametrize(
    ("cases", "verdict", "worst"),
    [
        ([passed()], "passed", 0.1),
        ([passed(), passed(error=0, limit=0)], "passed", 0.1),
        ([passed(), passed(verdict="failed", error=1e-2)], "FAILED", 1000),
        ([passed(), passed(verdict="failed", error=None)], "FAILED", None),
        ([passed(), passed(verdict="not run", error=None)], "FAILED", None),
        ([], "FAILED", 0),
    ],
)
def test_every_case_must_pass(
    manifest: Manifest, cases: list[Case], verdict: str, worst: float | None
) -> None:
    (subject,) = plan_of(manifest, "zoo", ["right"], Asked()).subjects
    found = checked_program(subject, answer(*cases))
    assert found.verdict == verdict
    assert found.worst_share_of_limit == (worst and pytest.approx(worst))


def test_a_check_that_was_cut_off_has_no_result(manifest: Manifest) -> None:
    plan: Plan = plan_of(manifest, "zoo", ["right", "rough"], Asked())
    answers = Answers(plan)
    answers.hear(answer(passed()).model_dump())
    assert answers.result() is None


def test_a_source_that_is_saved_meanwhile_is_not_judged_in_double(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A verdict on two texts would be none: in float what was saved first, in double what came after."""
    monkeypatch.setattr(run_module, "ROOT", tmp_path)
    lab, program = tmp_path / "lab", tmp_path / "program"
    source = tmp_path / "right.hpp"
    source.write_text("")
    program.write_text("")
    os.utime(source, (1, 1))
    (tmp_path / "manifest.json").write_text(
        manifest_text([row("right", program, source="right.hpp")], [Part(name="zoo")])
    )
    (subject,) = plan_of(Manifest(tmp_path / "manifest.json"), "zoo", [], Asked()).subjects
    for does, why in (
        ("true", None),
        ("exit 1", "not built"),
        ("touch right.hpp", "saved meanwhile"),
    ):
        lab.write_text(f"#!/bin/sh\ncd {tmp_path}; {does}\n")
        lab.chmod(0o755)
        with Step("checking") as step:
            assert build_in_double(subject, step) == why
