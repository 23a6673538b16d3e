"""What ./lab check prints of a result, and when."""

import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.check import run as checking
from nbody_lab.check.result import Case, CheckedProgram, CheckResult
from nbody_lab.check.run import run_check
from nbody_lab.check.tables import check_text

SENTENCE = "threads write to the same place without synchronisation: a data race"
PASSED = Case(
    group="forces", scene="equal masses", n=7, seed=1, error=1e-6, limit=1e-5, verdict="passed"
)


def case(**changes: Any) -> Case:
    return PASSED.model_copy(update=changes)


def failed(**changes: Any) -> Case:
    usual = {"error": 1e-2, "verdict": "failed", "detail": "body 3: expected 1, got 2"}
    return case(**{**usual, **changes})


NOT_RUN = case(group="steps", scene="5 steps", error=None, verdict="not run", answer="missing")
STEPS = [failed(group="steps", scene=f"{k} steps", diagnosis="half a step") for k in range(9)]


def program(
    *cases: Case, name: str = "mine", verdict: str = "FAILED", **more: Any
) -> CheckedProgram:
    worst = next((k for k, one in enumerate(cases) if one.verdict == "failed"), None)
    more = {"most_informative_case": worst, "left_out": ("memory leaks",), **more}
    expected = verdict in ("passed", "fails as expected")
    return CheckedProgram(
        part="part1", name=name, verdict=verdict, as_expected=expected, cases=cases, **more
    )


def result(*programs: CheckedProgram, asked: int = 0, seeds: int = 1) -> CheckResult:
    return CheckResult(
        tolerance="standard",
        force_limit=1e-5,
        precision="float",
        seed=5,
        seeds=seeds,
        programs=asked or len(programs),
        implementations=programs,
    )


RESULTS = {
    "passed, in double too": result(
        program(
            PASSED, case(n=17), case(group="in double", error=1e-15, limit=1e-13), verdict="passed"
        ),
        seeds=2,
    ),
    "wrong in double": result(
        program(PASSED, failed(group="in double", scene="5 steps", diagnosis="float for real"))
    ),
    "a few kinds of each group": result(program(PASSED, *STEPS, NOT_RUN)),
    "only forces, if they are wrong": result(program(failed(diagnosis=SENTENCE), PASSED, *STEPS)),
    "no measure": result(
        program(failed(error=None, answer="not finite"), PASSED, name="nan"),
        program(failed(error=None, detail="late", answer="missing"), NOT_RUN, name="hang"),
        program(failed(error=None), case(error=0, limit=0), name="infinite"),
        program(verdict="skipped: needs a GPU", name="needy"),
    ),
    "remarks on what passed": result(
        program(
            case(group="many bodies", scene="galaxy", detail="beyond 1e-5"),
            case(group="many bodies", scene="disk", error=5e-6, detail="far beyond 1e-5"),
            verdict="passed",
        )
    ),
    "many programs": result(
        *(program(PASSED, name=f"rung{k}", verdict="passed") for k in range(4)),
        program(failed(diagnosis=SENTENCE), *STEPS, verdict="fails as expected"),
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_text(name: str, snapshot: Any) -> None:
    assert "\n".join(check_text(RESULTS[name])) == snapshot


@pytest.mark.parametrize("asked", [1, 4])
def test_a_diagnosis_is_said_once_for_each_of_a_few(asked: int) -> None:
    wrong = [program(failed(diagnosis=SENTENCE), name=f"mine{k}") for k in range(asked)]
    text = " ".join("\n".join(check_text(result(*wrong))).split())
    assert text.count(f"diagnosis: {SENTENCE}") == text.count("diagnosis") == asked
    assert text.count("threads write") == asked


def test_every_kind_and_every_case_on_request(snapshot: Any) -> None:
    shown = result(program(PASSED, failed(diagnosis=SENTENCE), *STEPS[:4], NOT_RUN))
    assert "\n".join(check_text(shown, verbose=True)) == snapshot


def test_a_narrow_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nbody_lab.core.console.width", lambda: 80)
    for one in RESULTS.values():
        tables = [
            line for text in check_text(one) for line in text.splitlines() if "  " in line.strip()
        ]
        assert max(map(len, tables)) <= 80


def test_each_verdict_as_soon_as_it_is_known(tmp_path: Path, capsys: Any) -> None:
    """The second program is judged only when the verdict on the first is on the screen."""
    screen, file = tmp_path / "screen", tmp_path / "check.json"
    stages = [result(*RESULTS["many programs"].implementations[:k], asked=2) for k in (1, 2)]
    for k, stage in enumerate(stages):
        (tmp_path / f"stage{k}").write_text(stage.model_dump_json())
    put = "mv stage{} new && mv new check.json"
    script = (
        f"{put.format(0)}; until grep -q rung0 screen; do sleep 0.01; done; {put.format(1)}; exit 1"
    )
    words = ["/bin/sh", "-c", f"cd {shlex.quote(str(tmp_path))}; {script}"]
    with screen.open("w") as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", stream)
        status, judged = run_check(words, file)
    assert (status, judged) == (1, stages[1])
    assert screen.read_text() == "\n".join([*check_text(stages[1]), ""])


def test_a_command_line_that_is_refused(tmp_path: Path, capsys: Any) -> None:
    assert run_check(["/bin/sh", "-c", "exit 2"], tmp_path / "check.json") == (2, None)
    assert capsys.readouterr().out == ""


def test_a_program_ends_when_nobody_reads_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with | head."""

    def refuse(_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(checking._Screen, "show_new", refuse)
    start = time.monotonic()
    with pytest.raises(BrokenPipeError):
        run_check(["sh", "-c", "exec sleep 300"], tmp_path / "check.json")
    assert time.monotonic() - start < 100
