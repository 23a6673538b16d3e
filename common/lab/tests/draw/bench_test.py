"""Pictures of measurements say what the figures say; which pictures a result has follows from what was swept."""

import pytest

from nbody_lab.draw.bench import ladder, line_chart, pictures_of
from nbody_lab.draw.notebook import own_ladder
from nbody_lab.measure.bench_file import BenchContext, BenchResult, BenchRow, Rates
from nbody_lab.notebook.notebook import Row


def row(name="naive", rate=1e9, n=1000, **more):
    """The middle half of the rounds is 0.8 to 1.3 of the median."""
    rates = Rates(median=rate, lower_quartile=0.8 * rate, upper_quartile=1.3 * rate)
    return BenchRow(name=name, n=n, rounds=3, interactions_per_s=rates, **more)


def bench(*rows, **context):
    return BenchResult(context=BenchContext(part="part1", **context), summary=rows)


def words(sheet):
    return [text.get_text() for text in sheet.axes.texts if text.get_text()]


def heights(sheet):
    """Of each line, by its name in the legend."""
    handles, names = sheet.axes.get_legend_handles_labels()
    lines = (one if hasattr(one, "get_ydata") else one[0] for one in handles)
    return {name: list(line.get_ydata()) for name, line in zip(names, lines)}


def lengths(sheet):
    return [bar.get_width() for bar in sheet.axes.patches]


FASTER = (row("fused", 2e9, parent="naive"), row("tiles", 4e9, parent="fused", kind="exhibit"))
OF_PARENT, WRONG = "4.00 x, 2.00 x fused", row("race", 9e9, outcome="wrong")


@pytest.mark.parametrize(
    ("rows", "title", "beside"),
    [
        ((row(), *FASTER), "tiles is 4.00 x as", ["1.00 x", "2.00 x", OF_PARENT]),
        ((row(), WRONG), "naive is the fastest", ["1.00 x", "9.00 x"]),
    ],
)
def test_a_ladder(rows, title, beside):
    """Of the largest N. A wrong result is hatched, and never the fastest."""
    sheet = ladder(bench(*rows, row("small", n=500)))
    assert sheet.title.startswith(f"part1: {title}")
    assert lengths(sheet) == [one.speed / 1e9 for one in rows]
    assert words(sheet) == beside
    assert [not bar.get_hatch() for bar in sheet.axes.patches] == [one.is_right for one in rows]


BY_THREADS = (row("openmp", 1e9, threads=2), row("openmp", 2e9, threads=8))
LUCKY = (row("lucky", 1e9, threads=2), row("lucky", 9e9, threads=8, busy_machine=True))


def test_lines():
    """What other programs disturbed is no finding. The legend has the names in the order of the lines' ends."""
    sheet = line_chart(bench(*BY_THREADS, *LUCKY), "threads")
    assert sheet.title.endswith("8 threads: 2.00 x 2 threads")
    lines = {"openmp": [1, 2], "lucky": [1, 9], "ideal: openmp": [1, 4]}
    assert heights(sheet) == {name: pytest.approx(line) for name, line in lines.items()}
    named = [text.get_text() for text in sheet.axes.get_legend().get_texts()]
    assert named == sorted(lines, key=lambda name: -lines[name][-1])
    over_n = bench(row(), row(rate=2e9, n=2000), device_peak_flops_per_s=6e10)
    assert line_chart(over_n, "n").title.endswith("67 % of the peak")


def test_pictures_follow_what_was_measured():
    def names(*rows):
        return [sheet.name for sheet in pictures_of(bench(*rows))]

    sizes = 4096, 8192
    assert names() == []
    assert names(row(), row(n=2000)) == ["ladder", "bodies"]
    assert names(row(ranks=2), row("of part 3")) == ["ladder"]
    threads = [row(n=n, threads=k) for n in sizes for k in (1, 2)]
    assert names(*threads) == ["ladder", "bodies", "threads"]
    assert names(*(row(n=n, block=k) for n in sizes for k in (32, 64))) == ["block"]


def attempt(number, times_naive=2.0, verdict="as expected", **more):
    fields = {"name": "mine", "idea": "an idea", "expected": 1.5, "measured": 1.5, "n": 5000} | more
    return Row(row=number, times_naive=times_naive, verdict=verdict, **fields)


def test_a_ladder_of_tries():
    """An upright line where the bar would end, had the prediction come true. What was typed stays text."""
    odd = attempt(3, 4.0, "wrong: zeros", expected=None, idea="from $\\frac$ \x07")
    rows = [attempt(1, expected=3.0), attempt(2, None), odd, attempt(4, against="1")]
    sheet = own_ladder("part1", rows)
    assert sheet.title == "part1, 3 tries: at best 2.00 x naive"
    assert lengths(sheet) == [2, 4, 2]
    beside = ["2.00 x: as expected", "4.00 x, wrong", "2.00 x, 1.50 x row 1: as expected"]
    assert words(sheet) == beside
    guesses = [line.get_segments()[0][0][0] for line in sheet.axes.collections]
    assert guesses == [4, 2]
    labels = [label.get_text() for label in sheet.axes.get_yticklabels()]
    assert labels[1] == "3  mine, N = 5000\nfrom $\\frac$ ?"
    sheet.figure.draw_without_rendering()
    assert own_ladder("part1", [attempt(1, None)]) is None
