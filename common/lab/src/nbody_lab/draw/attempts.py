"""The ladder of a student's own rows: what each ./lab try gained, beside what was predicted."""

import textwrap
from collections.abc import Sequence

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import plural
from nbody_lab.draw import theme
from nbody_lab.draw.bench import draw_bar, set_bar_axis
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


def _conditions(row: Row, rows: Sequence[Row], shared: bool) -> list[str]:
    """Those of the row that all rows share, or do not share."""
    words = []
    for name, unit in _CONDITIONS.items():
        values = {getattr(one, name) for one in rows if getattr(one, name)}
        if getattr(row, name) and (len(values) == 1) == shared:
            words.append(unit.format(getattr(row, name)))
    return words


def _number(row: Row) -> str:
    return "" if row.row is None else str(row.row)


def _label_of(row: Row, rows: Sequence[Row]) -> str:
    """Number, name, and the conditions that the rows do not share; below, the idea."""
    name = f"{_number(row)}  {in_one_line(row.name)}".strip()
    label = ", ".join([name, *_conditions(row, rows, shared=False)])
    idea = textwrap.shorten(in_one_line(row.idea), _LONGEST, placeholder=" ...")
    return f"{label}\n{idea}"


def _outcome(row: Row) -> str:
    """Beside the bar: the speed-up, and the gain over the row that it was compared with."""
    total = theme.times(row.times_naive or 0)
    if not row.is_right:
        return f"{total}, wrong"
    if row.measured and row.against not in ("", "naive"):
        total += f", {theme.times(row.measured)} row {row.against}"
    return f"{total}: {row.verdict}"


def own_ladder(part: str, rows: Sequence[Row]) -> Sheet:
    """Raises LabError if no row has a speed."""
    shown = drawable(rows)
    if not shown:
        raise LabError(
            f'the notebook of {part} has no row with a speed yet: ./lab try {part} mine "idea" --expect 1.5'
        )
    ends = [max(row.times_naive or 0, predicted(row) or 0) for row in shown]
    best = max((row.times_naive or 0 for row in shown if row.is_right), default=0)
    sheet = Sheet(
        "ladder",
        f"{part}, {plural(len(shown), 'try', 'tries')}: at best {theme.times(best)} naive",
        "times as fast as naive; upright line: what you predicted",
        ", ".join(_conditions(shown[0], shown, shared=True)),
        height=175 + 40 * len(shown),
    )
    axes = sheet.axes
    for k, (row, end) in enumerate(zip(shown, ends)):
        colour = _OUTCOMES.get(row.verdict, _OTHER)
        gid = f"bar-{_number(row)}"
        draw_bar(axes, k, row.times_naive or 0, colour, row.is_right, gid, height=0.62)
        guess = predicted(row)
        if guess:
            look = theme.line(theme.INK, 2.2) | {"gid": f"predicted-{_number(row)}"}
            axes.plot([guess, guess], [k - 0.42, k + 0.42], **look)
        # Blanks in front would do, but SVG drops them.
        axes.annotate(_outcome(row), (end, k), (6, 0), va="center", **theme.OFFSET)
    labels = {k: _label_of(row, shown) for k, row in enumerate(shown)}
    set_bar_axis(axes, labels, fontsize=theme.SMALL)
    axes.set_xlim(0, 1.55 * max(ends))
    axes.axvline(1, gid="naive", **theme.line(width=0.9, dashes=":"))
    axes.set_xlabel("x naive")
    return sheet
