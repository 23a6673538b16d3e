"""A bar of interactions/s per implementation: the gain of each rung of a ladder, and of each of a student's own
rows."""

import textwrap

from nbody_lab.draw import theme
from nbody_lab.draw.bench_result import NoResult, threads
from nbody_lab.draw.sheet import Sheet

BAR_PIXELS = 31


def largest_setup(result):
    """The rows that a ladder shows: largest N, then most threads, then the first precision and launch shape."""
    rows = result.rows
    for best in (lambda row: row.n, lambda row: row.threads):
        most = max(map(best, rows))
        rows = [row for row in rows if best(row) == most]
    first = rows[0]
    return [
        row
        for row in rows
        if (row.precision, row.block, row.unroll) == (first.precision, first.block, first.unroll)
    ]


def ratios(row, rows):
    """'4.61 x, 1.29 x fused': against the first bar, and against the parent if that is another bar."""
    first = rows[0]
    parent = next((other for other in rows if other.name == row.parent), None)
    text = times(row.judged / first.judged)
    if parent and parent is not first:
        text += f", {times(row.judged / parent.judged)} {parent.name}"
    return text


def times(ratio):
    return (
        f"{ratio:.0f} x" if ratio >= 100 else f"{ratio:.3g} x" if ratio >= 10 else f"{ratio:.2f} x"
    )


def colour_of(row, rows):
    if not row.right:
        return theme.WHITE
    return theme.GIVEN if row is rows[0] else theme.BAR


def scale_of(most):
    """(unit, its name) that suits rates of this size."""
    for unit, name in ((1e12, "10^12"), (1e9, "10^9"), (1e6, "10^6")):
        if most >= unit:
            return unit, f"{name} interactions/s"
    return 1, "interactions/s"


def ladder(result, name="ladder"):
    """Wrong results are hatched, since their speed does not count."""
    rows = largest_setup(result)
    first, gpu = rows[0], bool(result.context.get("device"))
    about = [f"N = {first.n}", first.precision] + ([] if gpu else [threads(first.threads)])
    subtitle = ", ".join(about) + f". On the bars: x {first.name}"
    if any(row.parent and row.parent != first.name for row in rows):
        subtitle += ", then x the rung it comes from"
    if any(not row.right for row in rows):
        subtitle += "; hatched: wrong results"
    sheet = Sheet(
        name,
        f"{result.part}: interactions per second",
        subtitle + ".",
        result.footnote(),
        height=150 + BAR_PIXELS * len(rows),
    )
    draw_bars(sheet.axes, rows)
    return sheet


def draw_bars(axes, rows):
    most = max(max(row.judged, row.rate["upper_quartile"]) for row in rows)
    unit, label = scale_of(most)
    for k, row in enumerate(rows):
        axes.barh(
            k,
            row.judged / unit,
            height=0.72,
            color=colour_of(row, rows),
            gid=f"bar-{row.name}",
            edgecolor=theme.QUIET if row.right else theme.ACCENT,
            hatch=None if row.right else "////",
            linewidth=0.8,
        )
        low, high = row.rate["lower_quartile"] / unit, row.rate["upper_quartile"] / unit
        axes.plot(
            [low, high],
            [k, k],
            color=theme.INK,
            linewidth=1.6,
            marker="|",
            markersize=9,
            gid=f"whisker-{row.name}",
        )
        axes.text(
            max(high, row.judged / unit) + 0.012 * most / unit,
            k,
            ratios(row, rows),
            va="center",
            fontsize=9,
            gid=f"ratio-{row.name}",
        )
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    longest = max(len(ratios(row, rows)) for row in rows)
    axes.set_xlim(0, (1.03 + 0.0125 * longest) * most / unit)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.set_xlabel(label)


# The ladder of a student's own rows: what each try gained, beside what was predicted.
LONGEST = 46  # letters of an idea in a line
OUTCOMES = {
    "as expected": theme.SERIES[3],
    "more than expected": theme.SERIES[1],
    "less than expected": theme.SERIES[5],
}
OTHER = theme.QUIET  # no difference, too noisy
WRONG = theme.ACCENT
CONDITIONS = (
    ("n", "N = {:.0f}"),
    ("threads", "threads: {}"),
    ("precision", "{}"),
    ("step", "{} step"),
    ("scene", "{} scene"),
)


def drawable(rows):
    """Rows with a speed, right or wrong, in the order of the tries."""
    return [row for row in rows if row["times_naive"]]


def predicted(row):
    """Times the naive, had the prediction come true: both programs ran side by side, and `measured` is their ratio, so
    no speed of another day is needed. None where nothing was predicted or measured."""
    if not row["expected"] or not row["measured"]:
        return None
    return row["times_naive"] * row["expected"] / row["measured"]


def colour_of_try(row):
    return OUTCOMES.get(row["verdict"], OTHER if row["right"] else theme.WHITE)


def values_of(rows, name):
    return {row[name] for row in rows if row[name]}


def conditions_of(rows):
    """The conditions that all rows share."""
    return ", ".join(
        unit.format(*values_of(rows, name))
        for name, unit in CONDITIONS
        if len(values_of(rows, name)) == 1
    )


def drawable_text(text):
    """Replaces characters that no picture can show with question marks."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def number_of(row):
    return "" if row["row"] is None else f"{row['row']:.0f}"


def label_of(row, rows):
    """Number, name, idea, and the conditions that the rows do not share."""
    idea = textwrap.shorten(drawable_text(row["idea"]), LONGEST, placeholder=" ...")
    apart = [
        unit.format(row[name])
        for name, unit in CONDITIONS
        if row[name] and len(values_of(rows, name)) > 1
    ]
    name = f"{number_of(row)}  {drawable_text(row['name'])}".strip()
    return f"{', '.join([name, *apart])}\n{idea}"


def own_ladder(part, rows):
    """`rows`: as notebook.rows() returns them."""
    shown = drawable(rows)
    if not shown:
        raise NoResult(
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
        speed, guess = row["times_naive"], predicted(row)
        axes.barh(
            k,
            speed,
            height=0.62,
            color=colour_of_try(row),
            edgecolor=theme.QUIET if row["right"] else WRONG,
            hatch=None if row["right"] else "////",
            linewidth=0.8,
            gid=f"bar-{number_of(row)}",
        )
        if guess:
            axes.plot(
                [guess, guess],
                [k - 0.42, k + 0.42],
                color=theme.INK,
                linewidth=2.2,
                gid=f"predicted-{number_of(row)}",
            )
        end = max(speed, guess or 0)
        # Blanks in front would do, but SVG drops them.
        axes.annotate(
            words_of(row),
            (end, k),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
        )
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
    gain = (
        f", {times(row['measured'])} {'naive' if row['against'] == 'naive' else 'row ' + row['against']}"
        if row["measured"] and row["against"] not in ("", "naive")
        else ""
    )
    return f"{times(row['times_naive'])}{gain}: {row['verdict']}"
