"""bin/check asked from Python, as ./lab check and the tests of the zoo ask it: what is planned, and what comes of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.building import lab as lab_module
from nbody_lab.building.manifest import Implementation, Manifest, Part, Program, manifest_text
from nbody_lab.check.plan import Asked, plan_of
from nbody_lab.check.result import NO_DOUBLE, Answers, CheckedProgram
from nbody_lab.check.run import run
from nbody_lab.core.errors import LabError
from tests import BUILD

BIN = BUILD / "bin"
PLAIN = BIN / "honest/plain"
INSIDE = BIN / "wrong_double/float_inside"
MPI = {"launcher": ("mpirun", "-n", "RANKS"), "ranks": 4}


def row(name: str, program: Path | str = PLAIN, **more: Any) -> Implementation:
    """An implementation of one program in float."""
    programs = more.pop("programs", [("float", "", program)])
    made = [Program(precision=p, instruction_set=s, program=str(file)) for p, s, file in programs]
    about = {"part": "zoo", "kind": "rung", **more}
    return Implementation.model_validate({"name": name, "programs": made, **about})


def mistaken(name: str, **more: Any) -> Implementation:
    return row(name, BIN / "wrong/wrong", arguments=("--mistake", "raw_rsqrt"), **more)


ROWS = [
    row("right", programs=[("float", "", PLAIN), ("double", "", f"{PLAIN}_double")]),
    mistaken("rough"),
    mistaken("exhibit", expect="few_digits"),
    row("harmless", expect="few_digits"),
    row("coarse", programs=[("float", "", INSIDE), ("double", "", f"{INSIDE}_double")]),
    row("hang", BIN / "wrong/hang"),
    row("dies", BIN / "wrong/crash"),
    row("throws", BIN / "wrong/throws"),
    row("missing", "/no/such/program"),
    row("mixed_up", **{"class": "MixedUp"}),  # made from a header, but with another row's program
    row("needy", needs=("no_such_feature",)),
    row("two", programs=[("float", "sse2", BIN / "wrong/crash"), ("float", "neon", PLAIN)]),
    row("rank", part="ranks"),
    row("boxed", part="ranks"),
]


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    file = tmp_path / "manifest.json"
    text = json.loads(manifest_text(ROWS, [Part(name="zoo"), Part(name="ranks", **MPI)]))
    text["implementations"][-1]["launcher"] = ["box"]  # as the grader's sandbox
    file.write_text(json.dumps(text))
    return Manifest(file)


def checked(manifest: Manifest, name: str, **asked: Any) -> CheckedProgram:
    """Few and small cases, unless asked for more."""
    plan = plan_of(manifest, "zoo", [name], Asked(**{"largest": 17, "seed": 1, **asked}))
    (found,) = run(BIN / "check", plan).implementations
    return found


# --- what is planned ---


def planned(manifest: Manifest, *names: str, **asked: Any) -> dict[str, Any]:
    part = asked.pop("part", "zoo")
    plan: dict[str, Any] = json.loads(plan_of(manifest, part, names, Asked(**asked)).as_json())
    return plan


def test_programs_with_all_that_is_needed_to_start_them(
    manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, mixed_up = planned(manifest, "right", "mixed_up", "right")["programs"]
    assert (right["file"], right["double_file"]) == (str(PLAIN), f"{PLAIN}_double")
    assert right["hello"] == [] and mixed_up["hello"] == ["zoo", "mixed_up", ""]
    assert planned(manifest, "exhibit")["programs"][0]["arguments"] == ["--mistake", "raw_rsqrt"]
    (only,) = planned(manifest, "right", no_double=True)["programs"]
    assert only["double_file"] == ""
    (double,) = planned(manifest, "right", precision="double")["programs"]
    assert (double["file"], double["double_file"]) == (f"{PLAIN}_double", "")
    rank, boxed = planned(manifest, "rank", "boxed", part="ranks")["programs"]
    assert (rank["launcher"], rank["ranks"]) == (["mpirun", "-n", "RANKS"], 4)
    assert boxed["launcher"] == ["box"]
    monkeypatch.setattr(lab_module, "features_of_processor", lambda: {"sse2"})
    (sse2,) = plan_of(manifest, "zoo", ["two"], Asked(arch="sse2")).subjects
    assert sse2.name == "two_sse2" and sse2.program.name == "crash"
    (neon,) = plan_of(manifest, "zoo", ["two"], Asked(arch="neon")).subjects
    assert neon.why_not == "needs asimd"


def test_an_unknown_name_is_refused(manifest: Manifest) -> None:
    with pytest.raises(LabError, match="zoo has no implementation 'nobody'; it has: right rough"):
        plan_of(manifest, "zoo", ["nobody"], Asked())


# --- what comes of it ---


@pytest.mark.parametrize(
    ("name", "asked", "verdict", "sentence"),
    [
        ("right", {}, "passed", ""),
        ("right", {"precision": "double"}, "passed", ""),
        # `wrong` knows what its own mistakes are seen as.
        ("rough", {}, "fails as expected", "reciprocal square root"),
        ("rough", {"tolerance": "approximate"}, "PASSED, but should fail", ""),
        ("exhibit", {}, "fails as expected", "reciprocal square root"),
        ("harmless", {}, "PASSED, but should fail", ""),
        ("mixed_up", {}, "FAILED", "what came back is not an answer to the request"),
        ("missing", {}, "FAILED", "cannot start /no/such/program: No such file"),
        ("dies", {}, "FAILED", "the program died: killed by signal 6 (Aborted)"),
        ("throws", {}, "FAILED", "the program stopped with: index 8 of 7"),
        ("hang", {"timeout": 0.2}, "FAILED", "no answer in time"),
        ("coarse", {"no_double": True}, "passed", ""),
        ("coarse", {}, "FAILED", "right in float, but in double off by"),
        ("coarse", {"precision": "double"}, "FAILED", "off by what float loses"),
        ("needy", {}, "skipped: needs no_such_feature", ""),
        ("two", {"arch": "avx2"}, "skipped: has no program of its own for avx2", ""),
        ("dies", {"precision": "double"}, "skipped: has no program for double", ""),
    ],
)
def test_a_verdict(
    manifest: Manifest, name: str, asked: dict[str, Any], verdict: str, sentence: str
) -> None:
    found = checked(manifest, name, **asked)
    assert found.verdict == verdict
    assert sentence in found.sentence and bool(sentence) == bool(found.sentence)
    good = verdict in ("passed", "fails as expected") or verdict.startswith("skipped")
    assert found.as_expected == good
    assert (NO_DOUBLE in found.left_out) == ("no_double" in asked)


def test_a_seed_decides_what_is_asked(manifest: Manifest) -> None:
    once, again, other = (checked(manifest, "right", no_double=True, seed=k) for k in (5, 5, 8))
    assert once == again and once != other
    assert {case.group for case in once.cases} > {"forces", "steps", "adaptive step", "threads"}
    assert max(case.n for case in once.cases) <= 17
    drawn = {planned(manifest, "right")["seed"] for _ in range(5)}
    assert len(drawn) > 1 and planned(manifest, "right", thorough=True)["seeds"] == 5


def test_a_program_in_double_is_built_when_it_is_needed(manifest: Manifest) -> None:
    plan, asked = plan_of(manifest, "zoo", ["rough", "right"], Asked(largest=7, seed=1)), []
    for builds in (True, False):

        def build(subject: Any, _: object, builds: bool = builds) -> bool:
            asked.append(subject.name)
            return builds

        _, right = run(BIN / "check", plan, build).implementations
        scenes = {case.scene for case in right.cases if case.group == "in double"}
        assert (scenes == {"build"}) == (not builds) and scenes
        assert (right.verdict == "passed") == builds
    assert asked == ["right"] * 2


# --- how a result follows from an answer ---

PASSED = {"group": "forces", "n": 7, "seed": 1, "error": 1e-6, "limit": 1e-5, "verdict": "passed"}
FAILED = {**PASSED, "verdict": "failed", "error": 1e-2, "diagnosis": "./lab check PART NAME"}


@pytest.mark.parametrize(
    ("cases", "verdict", "worst", "sentence"),
    [
        ([PASSED], "passed", 0.1, ""),
        ([PASSED, {**PASSED, "error": 0, "limit": 0}], "passed", 0.1, ""),
        ([PASSED, FAILED], "FAILED", 1000, "./lab check zoo right"),
        ([PASSED, {**FAILED, "error": None}], "FAILED", None, "./lab check zoo right"),
        ([], "FAILED", 0, ""),
    ],
)
def test_every_case_must_pass(
    manifest: Manifest, cases: list[Any], verdict: str, worst: float | None, sentence: str
) -> None:
    answers = Answers(plan_of(manifest, "zoo", ["right"], Asked()))
    assert answers.result() is None  # it was cut off
    telling = next((k for k, case in enumerate(cases) if case["verdict"] == "failed"), None)
    about = {"program": 0, "tolerance": "standard", "force_limit": 1e-5, "expect": ""}
    answers.hear({**about, "most_informative_case": telling, "left_out": [], "cases": cases})
    result = answers.result()
    assert result
    (found,) = result.implementations
    assert (found.verdict, found.sentence) == (verdict, sentence)
    assert found.worst_share_of_limit == (worst and pytest.approx(worst))
