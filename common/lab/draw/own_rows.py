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
CONDITIONS = (("n", "N = {:.0f}"), ("threads", "threads: {}"), ("precision", "{}"), ("step", "{} step"), ("scene", "{} scene"))


def drawable(rows):
    """Rows with a speed, right or wrong, in the order of the tries."""
    return [row for row in rows if row["times_naive"]]


def predicted(row):
    """Times the naive, had the prediction come true: both programs ran side by side, and `measured` is their ratio, so
    no speed of another day is needed. None where nothing was predicted or measured."""
    if not row["expected"] or not row["measured"]:
        return None
    return row["times_naive"] * row["expected"] / row["measured"]


def colour_of(row):
    return OUTCOMES.get(row["verdict"], OTHER if row["right"] else theme.WHITE)


def values_of(rows, name):
    return {row[name] for row in rows if row[name]}


def conditions_of(rows):
    """The conditions that all rows share."""
    return ", ".join(unit.format(*values_of(rows, name)) for name, unit in CONDITIONS if len(values_of(rows, name)) == 1)


def drawable_text(text):
    """Replaces characters that no picture can show with question marks."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def number_of(row):
    return "" if row["row"] is None else f"{row['row']:.0f}"


def label_of(row, rows):
    """Number, name, idea, and the conditions that the rows do not share."""
    idea = textwrap.shorten(drawable_text(row["idea"]), LONGEST, placeholder=" ...")
    apart = [unit.format(row[name]) for name, unit in CONDITIONS if row[name] and len(values_of(rows, name)) > 1]
    name = f"{number_of(row)}  {drawable_text(row['name'])}".strip()
    return f"{', '.join([name, *apart])}\n{idea}"


def own_ladder(part, rows):
    """`rows`: as notebook.rows() returns them."""
    shown = drawable(rows)
    if not shown:
        raise NoResult(f"the notebook of {part} has no row with a speed yet: ./lab try {part} mine \"idea\" --expect 1.5")
    sheet = Sheet("ladder", f"{part}: your ladder so far", "times as fast as naive; upright line: what you predicted",
                  conditions_of(shown), height=175 + 40 * len(shown))
    axes = sheet.axes
    most = 0.0
    for k, row in enumerate(shown):
        speed, guess = row["times_naive"], predicted(row)
        axes.barh(k, speed, height=0.62, color=colour_of(row), edgecolor=theme.QUIET if row["right"] else WRONG,
                  hatch=None if row["right"] else "////", linewidth=0.8, gid=f"bar-{number_of(row)}")
        if guess:
            axes.plot([guess, guess], [k - 0.42, k + 0.42], color=theme.INK, linewidth=2.2, gid=f"predicted-{number_of(row)}")
        end = max(speed, guess or 0)
        # Blanks in front would do, but SVG drops them.
        axes.annotate(words_of(row), (end, k), xytext=(6, 0), textcoords="offset points", va="center", fontsize=9)
        most = max(most, end)
    axes.set_yticks(range(len(shown)), [label_of(row, shown) for row in shown], fontsize=9)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlim(0, 1.55 * most)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.axvline(1, color=theme.SOFT, linewidth=0.9, linestyle=":", gid="naive")
    axes.set_xlabel("x naive")
    return sheet


def words_of(row):
    if not row["right"]:
        return f"{times(row['times_naive'])}, wrong"
    gain = f", {times(row['measured'])} {'naive' if row['against'] == 'naive' else 'row ' + row['against']}" \
        if row["measured"] and row["against"] not in ("", "naive") else ""
    return f"{times(row['times_naive'])}{gain}: {row['verdict']}"
