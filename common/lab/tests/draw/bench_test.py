"""Pictures of measurements say what the figures say; which pictures a result has follows from what was swept."""

import json

import pytest

from nbody_lab.draw.bench import gains, ladder, pictures_of, read_measured, speeds
from nbody_lab.draw.notebook import own_ladder
from nbody_lab.draw.simulated import pictures_of_simulated
from nbody_lab.measure.bench_file import BenchContext, BenchResult, BenchRow, Rates
from nbody_lab.measure.study_results import Simulated, SimulatedRow
from nbody_lab.notebook.notebook import Row


def row(name="naive", rate=1e9, n=1000, **more):
    """The middle half of the rounds is 0.8 to 1.3 of the median."""
    rates = Rates(median=rate, lower_quartile=0.8 * rate, upper_quartile=1.3 * rate)
    return BenchRow(name=name, n=n, rounds=3, interactions_per_s=rates, **more)


def bench(*rows, **context):
    about = {"part": "part1", "cpu": "A processor", "scene": "plummer", "day": "2026-01-01"}
    return BenchResult(context=BenchContext(**about, **context), summary=rows)


def attempt(number, times_naive=2.0, verdict="as expected", **more):
    fields = {"name": "mine", "idea": "an idea", "expected": 1.5, "measured": 1.5, "n": 5000}
    return Row(row=number, times_naive=times_naive, verdict=verdict, **{**fields, **more})


def simulated(*rows):
    """(ranks, seconds, what they computed when) of one iteration."""
    made = [
        SimulatedRow(
            ranks=ranks,
            n=1000,
            seconds=seconds,
            interactions_per_s=1e6 / seconds,
            efficiency=1e-3 / seconds / ranks,
            computing=0.5,
            spans=spans,
        )
        for ranks, seconds, spans in rows
    ]
    place = {"name": "mine", "network": "gbe", "rate": 1.0, "rate_from": "as asked"}
    return Simulated(**place, per_rank=None, rows=made)


def words(sheet):
    """Those inside the axes, beside bars, points and the ends of lines."""
    return [text.get_text() for text in sheet.axes.texts if text.get_text()]


def heights(sheet):
    """Of each line, by its name."""
    handles, names = sheet.axes.get_legend_handles_labels()
    lines = (one if hasattr(one, "get_ydata") else one[0] for one in handles)
    return {name: list(line.get_ydata()) for name, line in zip(names, lines)}


def lengths(sheet):
    return [bar.get_width() for bar in sheet.axes.patches]


ROUNDS = (
    row(seconds_of_rounds=(4.0, 4.4, 5.0)),
    row("tiles", 4e9, seconds_of_rounds=(1.0, 1.0, 1.0)),
    row("lucky", 5e9, seconds_of_rounds=(1.0, 0.4, 2.0)),
)
FASTER = (row("fused", 2e9, parent="naive"), row("tiles", 4e9, parent="fused", kind="exhibit"))
WRONG = row("race", 9e9, outcome="wrong")


@pytest.mark.parametrize(
    ("rows", "title", "bars", "beside", "subtitle"),
    [
        (
            (row(), *FASTER),
            "tiles is 4.00 x as fast as naive",
            [1, 2, 4],
            ["1.00 x", "2.00 x", "4.00 x, 2.00 x fused"],
            "pink: an exhibit",
        ),
        (ROUNDS, "lucky is the fastest by its median", [1, 4, 5], ["1.00 x", "4.40 x"], "N = 1000"),
        ((row(), WRONG), "naive is the fastest", [1, 9], ["1.00 x", "9.00 x"], "hatched: wrong"),
        (
            (row(n=500), row(rate=3e9)),
            "naive is the fastest",
            [3],
            ["1.00 x"],
            "N = 1000, 1 thread",
        ),
    ],
)
def test_a_ladder(rows, title, bars, beside, subtitle):
    """Where the rounds do not agree there is no ratio; a wrong result is hatched and is not the fastest."""
    sheet = ladder(bench(*rows))
    assert sheet.title == f"part1: {title}"
    assert (lengths(sheet), words(sheet)) == (bars, beside)
    assert subtitle in sheet.subtitle
    assert [not bar.get_hatch() for bar in sheet.axes.patches] == [
        one.is_right for one in rows if one.n == 1000
    ]
    whisker = sheet.axes.collections[0].get_segments()[0][:, 0]
    assert list(whisker) == pytest.approx([0.8 * bars[0], 1.3 * bars[0]])


BY_THREADS = [row("openmp", r, threads=t) for t, r in ((1, 1e9), (2, 1.8e9), (4, 3e9))]
LUCKY = (row("lucky", 1e9, threads=1, busy_machine=True), row("lucky", 9e9, threads=4))
LATE = row("late", 1e9, threads=2)


@pytest.mark.parametrize(
    ("sheet", "title", "lines"),
    [
        (
            speeds(bench(row(), row(rate=2e9, n=2000), device_peak_flops_per_s=6e10), "n"),
            "naive reaches 2.00 x 10⁹ interactions/s, 67 % of the peak",
            {"naive": [1, 2], "peak, at 20 flops": [3, 3]},
        ),
        (
            speeds(bench(row(block=32), row(rate=2e9, block=64)), "block"),
            "naive reaches 2.00 x 10⁹ interactions/s, blocks of 64",
            {"naive": [1, 2]},
        ),
        (
            speeds(bench(*(row(n=n, ranks=p) for n in (1, 2) for p in (1, 4))), "n"),
            "naive reaches 1.00 x 10⁹ interactions/s",
            {"1 rank": [1, 1], "4 ranks": [1, 1]},
        ),
        (
            gains(bench(*BY_THREADS, *LUCKY, LATE), "threads"),
            "openmp with 4 threads is 3.00 x as fast as with 1 thread",
            {"openmp": [1, 1.8, 3], "lucky": [1, 9], "ideal": [1, 2, 4]},
        ),
    ],
)
def test_lines(sheet, title, lines):
    """What other programs disturbed is no finding; what was not run on the fewest threads has no line. Each line has its
    name at its end."""
    assert sheet.title == f"part1: {title}"
    assert heights(sheet) == {name: pytest.approx(line) for name, line in lines.items()}
    assert sorted(words(sheet)) == sorted(lines)
    assert sheet.axes.get_legend() is None


def both(axis):
    return bench(*(row(n=n, **{axis: k}) for n in (4096, 8192) for k in (1, 2)))


@pytest.mark.parametrize(
    ("sheets", "names"),
    [
        (pictures_of(bench(row(), row(n=2000))), ["ladder", "bodies"]),
        (pictures_of(both("threads")), ["ladder", "bodies", "threads"]),
        (pictures_of(both("ranks")), ["ladder", "bodies", "ranks"]),
        (pictures_of(bench(row(ranks=2), row("of part 3"))), ["ladder"]),
        (pictures_of(both("block")), ["block"]),
        (pictures_of_simulated(simulated((2, 8e-4, [[0, 1e-4], [0, 2e-4]]))), ["mine_gbe_ranks"]),
        (pictures_of_simulated(simulated((1, 1e-3, []), (9, 1e-4, []))), ["mine_gbe_scaling"]),
    ],
)
def test_pictures_follow_what_was_measured(sheets, names):
    assert [sheet.name for sheet in sheets] == names


def test_simulated_ranks():
    one, two = (1, 1e-3, [[0, 1e-3]]), (2, 8e-4, [[0, 3e-4, 4e-4, 6e-4], [0, 5e-4]])
    curve, timeline = pictures_of_simulated(simulated(one, two))
    assert curve.title == "simulated: part4/mine on gbe: 2 ranks reach 62 % of the ideal"
    assert heights(curve) == {"ideal": [1, 2], "mine": pytest.approx([1, 1.25])}
    bars = [[p.get_extents().width for p in one.get_paths()] for one in timeline.axes.collections]
    assert bars == [pytest.approx([0.3, 0.2]), pytest.approx([0.5])]  # ms


def test_a_ladder_of_tries():
    """An upright line where the bar would end, had the prediction come true. What was typed stays text."""
    odd = attempt(3, 4.0, "wrong: zeros", expected=None, idea="from $5 to $6 and \\frac \x07")
    rows = [attempt(1, expected=3.0), attempt(2, None), odd, attempt(4, against="1")]
    sheet = own_ladder("part1", rows)
    assert sheet.title == "part1, 3 tries: at best 2.00 x naive"
    assert lengths(sheet) == [2, 4, 2]
    assert words(sheet) == [
        "2.00 x: as expected",
        "4.00 x, wrong",
        "2.00 x, 1.50 x row 1: as expected",
    ]
    guesses = [line.get_segments()[0][0][0] for line in sheet.axes.collections]
    assert guesses == [4, 2]
    labels = [label.get_text() for label in sheet.axes.get_yticklabels()]
    assert labels[1] == "3  mine, N = 5000\nfrom $5 to $6 and \\frac ?"
    assert own_ladder("part1", [attempt(1, None)]) is None


@pytest.mark.parametrize(
    ("rates", "names"),
    [
        ({"part1/naive": 1e9, "best": 1e9}, ["part1/naive", "part3/best"]),
        ({"naive": 1e9, "crash": 0}, ["naive"]),
    ],
)
def test_names_of_what_was_measured(rates, names, tmp_path):
    """They carry their part where parts meet; what has no speed is left out."""
    rows = [{"name": k, "n": 1, "interactions_per_s": {"median": v}} for k, v in rates.items()]
    (tmp_path / "x.json").write_text(json.dumps({"context": {"part": "part3"}, "summary": rows}))
    assert read_measured(tmp_path / "x.json").names == names
