"""The ladder of a student's own rows: what each ./lab try gained, beside what was predicted."""

import textwrap
from collections.abc import Sequence

from nbody_lab.core.messages import UserError
from nbody_lab.draw import theme
from nbody_lab.draw.bench import draw_bar, set_bar_axis, times
from nbody_lab.draw.sheet import Sheet
from nbody_lab.notebook.columns import Row

_LONGEST = 46  # letters of an idea in a line
_OUTCOMES = {
    "as expected": theme.SERIES[3],
    "more than expected": theme.SERIES[1],
    "less than expected": theme.SERIES[5],
}
_OTHER = theme.QUIET  # no difference, too noisy
_CONDITIONS = {
    "n": "N = {}",
    "threads": "threads: {}",
    "precision": "{}",
    "step": "{} step",
    "scene": "{} scene",
}


def drawable(rows: Sequence[Row]) -> list[Row]:
    """Rows with a speed, right or wrong, in the order of the tries."""
    return [row for row in rows if row.times_naive]


def predicted(row: Row) -> float | None:
    """Times the naive, had the prediction come true: both programs ran side by side, and `measured` is their ratio, so
    no speed of another day is needed. None where nothing was predicted or measured."""
    if not (row.expected and row.measured and row.times_naive):
        return None
    return row.times_naive * row.expected / row.measured


def _values(rows: Sequence[Row], name: str) -> set[object]:
    return {getattr(row, name) for row in rows if getattr(row, name)}


def conditions_of(rows: Sequence[Row]) -> str:
    """The conditions that all rows share."""
    return ", ".join(
        unit.format(*_values(rows, name))
        for name, unit in _CONDITIONS.items()
        if len(_values(rows, name)) == 1
    )


def _printable(text: str) -> str:
    """Replaces characters that no picture can show with question marks."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _number(row: Row) -> str:
    return "" if row.row is None else str(row.row)


def label_of(row: Row, rows: Sequence[Row]) -> str:
    """Number, name, idea, and the conditions that the rows do not share."""
    idea = textwrap.shorten(_printable(row.idea), _LONGEST, placeholder=" ...")
    apart = [
        unit.format(getattr(row, name))
        for name, unit in _CONDITIONS.items()
        if getattr(row, name) and len(_values(rows, name)) > 1
    ]
    name = f"{_number(row)}  {_printable(row.name)}".strip()
    return f"{', '.join([name, *apart])}\n{idea}"


def _outcome(row: Row) -> str:
    """Beside the bar: the speed-up, and the gain over the row that it was compared with."""
    total = times(row.times_naive or 0)
    if not row.is_right:
        return f"{total}, wrong"
    if row.measured and row.against not in ("", "naive"):
        total += f", {times(row.measured)} row {row.against}"
    return f"{total}: {row.verdict}"


def own_ladder(part: str, rows: Sequence[Row]) -> Sheet:
    """Raises UserError if no row has a speed."""
    shown = drawable(rows)
    if not shown:
        raise UserError(
            f'the notebook of {part} has no row with a speed yet: ./lab try {part} mine "idea" --expect 1.5'
        )
    sheet = Sheet(
        "ladder",
        f"{part}: your ladder so far",
        "times as fast as naive; upright line: what you predicted",
        conditions_of(shown),
        height=175 + 40 * len(shown),
    )
    axes = sheet.axes
    most = 0.0
    for k, row in enumerate(shown):
        speed, guess = row.times_naive or 0, predicted(row)
        colour = _OUTCOMES.get(row.verdict, _OTHER)
        draw_bar(axes, k, speed, colour, row.is_right, f"bar-{_number(row)}", height=0.62)
        if guess:
            axes.plot(
                [guess, guess],
                [k - 0.42, k + 0.42],
                color=theme.INK,
                linewidth=2.2,
                gid=f"predicted-{_number(row)}",
            )
        end = max(speed, guess or 0)
        # Blanks in front would do, but SVG drops them.
        axes.annotate(
            _outcome(row),
            (end, k),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
        )
        most = max(most, end)
    set_bar_axis(axes, [label_of(row, shown) for row in shown], fontsize=9)
    axes.set_xlim(0, 1.55 * most)
    axes.axvline(1, color=theme.SOFT, linewidth=0.9, linestyle=":", gid="naive")
    axes.set_xlabel("x naive")
    return sheet
