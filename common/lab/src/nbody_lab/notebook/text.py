"""What ./lab try says of a trial."""

from collections.abc import Iterator

from nbody_lab.core.console import format_table, wrapped
from nbody_lab.notebook.gain import as_expected, compare
from nbody_lab.notebook.trial import Trial


def describe(trial: Trial, whose: str) -> str:
    """The text of a trial of `whose` (PART/NAME)."""
    return "\n".join([*_head(trial, whose), *_measured(trial), *_notes(trial)])


def _labelled(label: str, text: str) -> str:
    """A label of the left column and its text, wrapped beside it."""
    return "\n".join(wrapped(f"  {label:<8}  {text}", indent=" " * 12))


def _head(trial: Trial, whose: str) -> Iterator[str]:
    cases, failed = len(trial.checked.cases), len(trial.checked.failed)
    if not trial.wrong:
        yield f"{whose}: right ({cases} cases)"
    elif failed:
        yield f"{whose}: WRONG in {failed} of {cases} cases; ./lab check shows which"
    else:
        yield f"{whose}: WRONG"
    if trial.times:
        yield from wrapped(f"  timed with {trial.question.conditions}", indent=" " * 13)
        yield ""


def _measured(trial: Trial) -> Iterator[str]:
    question, gain = trial.question, trial.over_before
    if not gain:
        return
    naive, mine, *before = trial.times
    rows = []
    for name, row in zip(
        ["naive", *([question.before_in_words] if before else []), question.name],
        [naive, *before, mine],
    ):
        speed, over_naive = row.interactions_per_s.median / 1e9, compare(row, naive)
        ratio = f"{over_naive.ratio:.2f}" if over_naive else ""
        rows.append([name, f"{speed:.3f}", f"{100 * row.spread:.0f} %", ratio])
    yield format_table(["program", ">10^9 interactions/s", ">spread", ">x naive"], rows, indent=2)
    yield "  speeds: medians of all rounds; x: median of the rounds' ratios, not the ratio of the speeds"
    yield ""
    yield _labelled(
        "expected",
        f"{question.expected:.2f} x {question.before_in_words} ({as_expected(question.expected)})",
    )
    yield _labelled(
        "measured",
        f"{gain.ratio:.2f} x, {gain.lower:.2f} to {gain.upper:.2f} in the middle half",
    )
    if gain.noisy:
        yield _labelled("", "rounds differ by more than 30 %: try again when the machine is quiet")
    elif not gain.real:
        yield _labelled("", "that is within the noise of this measurement")
    if mine.cores_used:
        yield _labelled("cores", f"{mine.cores_used:.1f} in use on average while it was timed")


def _notes(trial: Trial) -> Iterator[str]:
    if trial.times and trial.times[1].writes:
        yield _labelled(
            "note",
            "it writes to standard output or error while it computes, which takes time: remove the output and try "
            "again; you may delete this line of notebook.csv",
        )
    if trial.busy:
        yield _labelled("busy", f"not timed, since the machine was busy: {trial.busy}")
    yield _labelled("verdict", trial.verdict)
