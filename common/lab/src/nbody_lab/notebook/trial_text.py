"""What ./lab try says of a trial."""

from collections.abc import Iterator

from nbody_lab.core.console import format_table, wrapped
from nbody_lab.measure.bench_file import BenchRow
from nbody_lab.notebook.gain import Gain, as_expected, compare
from nbody_lab.notebook.trial import Question, Times, Trial


def _labelled(label: str, text: str) -> str:
    """A label of the left column and its text, wrapped beside it."""
    return "\n".join(wrapped(f"  {label:<8}  {text}", indent=" " * 12))


def _head(trial: Trial, whose: str) -> Iterator[str]:
    cases = [case for case in trial.checked.cases if case.group != "timed"]
    failed = sum(case.verdict == "failed" for case in cases)
    if not trial.wrong:
        yield f"{whose}: right ({len(cases)} cases)"
    elif failed:
        yield f"{whose}: WRONG in {failed} of {len(cases)} cases; ./lab check shows which"
    else:
        yield f"{whose}: WRONG"
    if trial.times:
        yield from wrapped(f"  timed with {trial.conditions}", indent=" " * 13)
        yield ""


def _speeds(question: Question, times: Times, over_naive: Gain) -> Iterator[str]:
    def cells(name: str, row: BenchRow, gain: Gain | None) -> list[str]:
        speed = f"{row.interactions_per_s.median / 1e9:.3f}"
        return [name, speed, f"{100 * row.spread:.0f} %", f"{gain.ratio:.2f}" if gain else ""]

    rows = [[*cells("naive", times.naive, None)[:3], "1.00"]]
    if times.before:
        rows.append(
            cells(question.before_in_words, times.before, compare(times.before, times.naive))
        )
    rows.append(cells(question.name, times.mine, over_naive))
    yield format_table(["program", ">10^9 interactions/s", ">spread", ">x naive"], rows, indent=2)
    yield "  speeds: medians of all rounds; x: median of the rounds' ratios, not the ratio of the speeds"
    yield ""


def _gain(question: Question, gain: Gain, cores_used: float) -> Iterator[str]:
    yield _labelled(
        "expected",
        f"{question.expected:.2f} x {question.before_in_words} ({as_expected(question.expected)})",
    )
    yield _labelled(
        "measured",
        f"{'~' if gain.estimated else ''}{gain.ratio:.2f} x, "
        f"{gain.lower:.2f} to {gain.upper:.2f} in the middle half",
    )
    if gain.estimated:
        yield _labelled("", "~ estimated from both speed-ups over naive: the older program is gone")
    if gain.noisy:
        yield _labelled("", "rounds differ by more than 30 %: try again when the machine is quiet")
    elif not gain.real:
        yield _labelled("", "that is within the noise of this measurement")
    if cores_used:
        yield _labelled("cores", f"{cores_used:.1f} in use on average while it was timed")


def _notes(trial: Trial) -> Iterator[str]:
    if trial.busy:
        yield _labelled("busy", trial.busy)
    if trial.times and trial.times.mine.writes:
        yield _labelled(
            "note",
            "it writes to standard output or error while it computes, which takes time: remove the output and try "
            "again; you may delete this line of notebook.csv",
        )
    if trial.times and trial.over_before and not trial.times.mine.step_count_verified:
        yield _labelled(
            "note",
            "it is unknown whether all steps were made: two joined ones would end at the same place, since float "
            "cannot tell so many apart",
        )


def describe(trial: Trial, whose: str) -> str:
    """The text of a trial of `whose` (PART/NAME)."""
    lines = [*_head(trial, whose)]
    if trial.times and trial.over_naive and trial.over_before:
        lines += _speeds(trial.question, trial.times, trial.over_naive)
        lines += _gain(trial.question, trial.over_before, trial.times.mine.cores_used)
    return "\n".join([*lines, *_notes(trial), _labelled("verdict", trial.verdict)])
