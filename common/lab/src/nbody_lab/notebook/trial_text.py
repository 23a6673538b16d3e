"""What ./lab try says of a trial."""

from nbody_lab.core.screen import table, wrapped
from nbody_lab.core.speeds import spread_of
from nbody_lab.notebook.gain import CLOSE_ENOUGH, gain_of


def times(ratio):
    return f"{ratio:.2f}"


def labelled(label, text):
    """A label of the left column and its text, wrapped beside it."""
    return "\n".join(wrapped(f"  {label:<8}  {text}", indent=" " * 12))


def head_lines(trial, whose):
    cases = trial.checked["cases"]
    failed = sum(case["verdict"] == "failed" and case["group"] != "timed" for case in cases)
    if not trial.wrong:
        yield f"{whose}: right ({len(cases)} cases)"
    elif failed:
        yield f"{whose}: WRONG in {failed} of {len(cases)} cases; ./lab check shows which"
    else:
        yield f"{whose}: WRONG"
    if trial.mine:
        yield from wrapped(f"  timed with {trial.conditions}", indent=" " * 13)
        if trial.conditions.before:
            yield " " * 13 + trial.conditions.before
        yield ""


def speed_lines(trial):
    question = trial.question

    def cells(name, row, ratio):
        return [
            name,
            f"{row['interactions_per_s']['median'] / 1e9:.3f}",
            f"{100 * spread_of(row):.0f} %",
            ratio,
        ]

    rows = [cells("naive", trial.naive, "1.00")]
    if trial.before:
        over_naive = gain_of(trial.before, trial.naive)
        rows.append(
            cells(
                f"{question.name_of_before}, {question.before['name']}",
                trial.before,
                times(over_naive.ratio) if over_naive else "",
            )
        )
    rows.append(cells(question.name, trial.mine, times(trial.over_naive.ratio)))
    yield table(["program", ">10^9 interactions/s", ">spread", ">x naive"], rows, indent="  ")
    yield "  speeds: medians of all rounds; x: median of the rounds' ratios, not the ratio of the speeds"
    yield ""


def gain_lines(trial):
    gain, question = trial.over_before, trial.question
    before = f"{question.name_of_before}, {question.before['name']}" if question.before else "naive"
    yield labelled(
        "expected",
        f"{times(question.expected)} x {before} ({100 * CLOSE_ENOUGH:.0f} % more or less is as expected)",
    )
    yield labelled(
        "measured",
        f"{'~' * gain.estimated}{times(gain.ratio)} x, {times(gain.lower)} to {times(gain.upper)} in the middle half",
    )
    if gain.estimated:
        yield labelled("", "~ estimated from both speed-ups over naive: the older program is gone")
    if gain.noisy:
        yield labelled("", "rounds differ by more than 30 %: try again when the machine is quiet")
    elif not gain.real:
        yield labelled("", "that is within the noise of this measurement")
    if trial.mine["cores_used"]:
        yield labelled(
            "cores", f"{trial.mine['cores_used']:.1f} in use on average while it was timed"
        )


def note_lines(trial):
    if trial.busy:
        yield labelled("busy", trial.busy)
    if trial.mine and trial.mine["writes"]:
        yield labelled(
            "note",
            "it writes to standard output or error while it computes, which takes time: remove the output and try "
            "again; you may delete this line of notebook.csv",
        )
    if trial.over_before and not trial.mine["step_count_verified"]:
        yield labelled(
            "note",
            "it is unknown whether all steps were made: two joined ones would end at the same place, since float "
            "cannot tell so many apart",
        )


def lines_of(trial, whose):
    """The text of a trial of `whose` (PART/NAME)."""
    yield from head_lines(trial, whose)
    if trial.over_before:
        yield from speed_lines(trial)
        yield from gain_lines(trial)
    yield from note_lines(trial)
    yield labelled("verdict", trial.verdict)
