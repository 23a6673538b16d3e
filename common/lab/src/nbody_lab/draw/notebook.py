"""The ladder of a student's own rows: what each ./lab try gained, beside what was predicted."""

import textwrap
from collections.abc import Sequence

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.words import plural
from nbody_lab.draw.sheet import Sheet, draw_bars
from nbody_lab.draw.theme import QUIET, SOFT, times
from nbody_lab.notebook.notebook import Row

_OUTCOMES = {"as expected": "C3", "more than expected": "C1", "less than expected": "C5"}


def predicted(row: Row) -> float | None:
    """Times the naive, had the prediction come true: both programs ran side by side, and `measured` is their ratio, so
    no speed of another day is needed. None where nothing was predicted or measured."""
    if not (row.expected and row.measured and row.times_naive):
        return None
    return row.times_naive * row.expected / row.measured


def _label_of(row: Row) -> str:
    """Number, name and bodies; below, the idea."""
    idea = textwrap.shorten(in_one_line(row.idea), 46, placeholder=" ...")
    return f"{row.row or ''}  {in_one_line(row.name)}, N = {row.n}\n{idea}".strip()


def _outcome(row: Row) -> str:
    """Beside the bar: the speed-up, and the gain over the row that it was compared with."""
    total = times(row.times_naive or 0)
    if not row.is_right:
        return f"{total}, wrong"
    if row.measured and row.against not in ("", "naive"):
        total += f", {times(row.measured)} row {row.against}"
    return f"{total}: {row.verdict}"


def own_ladder(part: str, rows: Sequence[Row]) -> Sheet | None:
    """Of the rows with a speed, right or wrong; None if there are none yet."""
    shown = [row for row in rows if row.times_naive]
    if not shown:
        return None
    lengths = [row.times_naive or 0 for row in shown]
    best = max((row.times_naive or 0 for row in shown if row.is_right), default=0)
    sheet = Sheet(
        "ladder",
        f"{part}, {plural(len(shown), 'try', 'tries')}: at best {times(best)} naive",
        "times as fast as naive; upright line: what you predicted",
        height=150 + 40 * len(shown),
    )
    axes = sheet.axes
    draw_bars(
        axes,
        [_label_of(row) for row in shown],
        lengths,
        [_OUTCOMES.get(row.verdict, QUIET) for row in shown],
        [row.is_right for row in shown],
        [""] * len(shown),
    )
    for k, (row, length) in enumerate(zip(shown, lengths)):
        guess = predicted(row)
        if guess:
            axes.vlines(guess, k - 0.44, k + 0.44, color="black", linewidth=2.2)
        end = max(length, guess or 0), k
        axes.annotate(_outcome(row), end, (6, 0), textcoords="offset points", va="center")
    axes.axvline(1, color=SOFT, linewidth=0.9, linestyle=":")
    axes.set_xlabel("x naive")
    return sheet
