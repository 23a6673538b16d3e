"""The ladder of a student's own rows: what each try gained, beside what was predicted."""

import textwrap

import theme
from bench_result import NoResult
from ladder import times
from sheet import Sheet

LONGEST = 46  # letters of an idea in a line
OUTCOMES = {"as expected": theme.SERIES[3], "more than expected": theme.SERIES[1], "less than expected": theme.SERIES[5]}
OTHER = theme.QUIET  # no difference, too noisy
WRONG = theme.ACCENT


def drawable(rows):
    """Those that have a speed, right or wrong, in the order of the tries."""
    return [row for row in rows if row["times_naive"]]


def predicted(row, rows):
    """Times the naive: what was expected of the row that it builds on. None where that cannot be told."""
    if not row["expected"]:
        return None
    if row["against"] in ("", "naive"):
        return row["expected"]
    base = next((other for other in rows if other["row"] is not None and f"{other['row']:.0f}" == row["against"]), None)
    return row["expected"] * base["times_naive"] if base and base["times_naive"] else None


def colour_of(row):
    return OUTCOMES.get(row["verdict"], OTHER if row["right"] else theme.WHITE)


def label_of(row):
    idea = textwrap.shorten(row["idea"], LONGEST, placeholder=" ...")
    return f"{row['row']:.0f}  {row['name']}\n{idea}"


def conditions_of(rows):
    """What all rows share."""
    words = []
    for name, unit in (("n", "N = {:.0f}"), ("threads", "threads: {}"), ("precision", "{}"), ("step", "{} step"), ("scene", "{} scene")):
        values = {row[name] for row in rows if row[name]}
        if len(values) == 1:
            words.append(unit.format(values.pop()))
    return ", ".join(words)


def own_ladder(part, rows):
    """`rows`: as notebook.rows() returns them."""
    shown = drawable(rows)
    if not shown:
        raise NoResult(f"the notebook of {part} has no row with a speed yet: ./lab try {part} mine \"idea\" --expect 1.5")
    sheet = Sheet("ladder", f"{part}: your ladder so far", "times as fast as naive; the line across a bar: what you predicted",
                  conditions_of(shown), height=175 + 40 * len(shown))
    axes = sheet.axes
    most = 0.0
    for k, row in enumerate(shown):
        speed, guess = row["times_naive"], predicted(row, rows)
        axes.barh(k, speed, height=0.62, color=colour_of(row), edgecolor=theme.QUIET if row["right"] else WRONG,
                  hatch=None if row["right"] else "////", linewidth=0.8, gid=f"bar-{row['row']:.0f}")
        if guess:
            axes.plot([guess, guess], [k - 0.42, k + 0.42], color=theme.INK, linewidth=2.2, gid=f"predicted-{row['row']:.0f}")
        end = max(speed, guess or 0)
        axes.text(end, k, "  " + words_of(row), va="center", fontsize=9)
        most = max(most, end)
    axes.set_yticks(range(len(shown)), [label_of(row) for row in shown], fontsize=9)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlim(0, 1.55 * most)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.set_xlabel("x naive")
    return sheet


def words_of(row):
    if not row["right"]:
        return f"{times(row['times_naive'])}, wrong"
    gain = f", {times(row['measured'])} {'naive' if row['against'] == 'naive' else 'row ' + row['against']}" \
        if row["measured"] and row["against"] not in ("", "naive") else ""
    return f"{times(row['times_naive'])}{gain}: {row['verdict']}"
