"""The ladder of a student's own rows: what each ./lab try gained, beside what was predicted."""

import textwrap
from collections.abc import Sequence
from typing import Any

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.words import plural
from nbody_lab.draw.sheet import Sheet, draw_bars
from nbody_lab.draw.theme import QUIET, SOFT, times
from nbody_lab.notebook.notebook import Row

_OUTCOMES = {"as expected": "C3", "more than expected": "C1", "less than expected": "C5"}


def own_ladder(part: str, rows: Sequence[Row]) -> Sheet | None:
    """Of the rows with a speed, right or wrong; None if there are none yet. Beside a bar stands the gain over the row that
    it was compared with, too."""
    shown = [(row, row.times_naive) for row in rows if row.times_naive]
    if not shown:
        return None
    best = max((total for row, total in shown if row.is_right), default=0)
    sheet = Sheet(
        "ladder",
        f"{part}, {plural(len(shown), 'try', 'tries')}: at best {times(best)} naive",
        "speed over that of naive; upright line: what you predicted",
        height=150 + 40 * len(shown),
    )
    draw_bars(
        sheet.axes,
        [_label_of(row) for row, _ in shown],
        [total for _, total in shown],
        [_OUTCOMES.get(row.verdict, QUIET) for row, _ in shown],
        [row.is_right for row, _ in shown],
        [""] * len(shown),
    )
    for k, (row, total) in enumerate(shown):
        words, guess = times(total), 0.0
        if row.measured and row.against not in ("", "naive"):
            words += f", {times(row.measured)} row {row.against}"
        if row.expected and row.measured:
            # Both programs ran side by side, so no speed of another day is needed.
            guess = total * row.expected / row.measured
            sheet.axes.vlines(guess, k - 0.44, k + 0.44, color="black", linewidth=2.2)
        words += f": {row.verdict}" if row.is_right else ", wrong"
        place: Any = {"xytext": (6, 0), "textcoords": "offset points", "va": "center"}
        sheet.axes.annotate(words, (max(total, guess), k), **place)
    sheet.axes.axvline(1, color=SOFT, linewidth=0.9, linestyle=":")
    sheet.axes.set_xlabel("x naive")
    return sheet


def _label_of(row: Row) -> str:
    """Number, name and bodies; below, the idea."""
    idea = textwrap.shorten(in_one_line(row.idea), 46, placeholder=" ...")
    return f"{row.row or ''}  {in_one_line(row.name)}, N = {row.n}\n{idea}".strip()
