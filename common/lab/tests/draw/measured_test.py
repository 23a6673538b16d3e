"""Pictures of measurements: every bar as long, every point as high and every whisker as wide as the figures say; and
which pictures a result has."""

import json

import pytest
from matplotlib.colors import to_rgba

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load
from nbody_lab.draw import sweeps, theme
from nbody_lab.draw.attempts import own_ladder, predicted
from nbody_lab.draw.bench import (
    footnote,
    ladder,
    lines_of,
    pieces,
    read_measured,
    values,
    whisker,
)
from nbody_lab.draw.studies import (
    pictures_of_simulated,
)
from nbody_lab.draw.sweeps import pictures_of
from nbody_lab.measure.study_results import Simulated, SimulatedRow
from tests.draw.geometry import drawn, of_axes, said
from tests.draw.made import attempt, bench, row

H200 = "NVIDIA H200 (132 SM, at most 1980 MHz), built with CUDA 13.0"


BY_BODIES = bench(row(), row(rate=2e9, n=2000), row("mine", 4e9), row("mine", 6e9, n=2000))
BY_THREADS = bench(*(row("openmp", r, threads=t) for t, r in ((1, 1e9), (2, 1.8e9), (4, 3e9))))
LUCKY = (row("lucky", 1e9, threads=1, busy_machine=True), row("lucky", 9e9, threads=4))
BY_BLOCK = bench(row("tiles", 1e12, block=32), row("tiles", 1.5e12, block=64), device=H200)
FAST = bench(row(rate=1e12), row(rate=2e12, n=2000), device_peak_flops_per_s=6e13)
LADDER = bench(
    row(),
    row("fused", 2e9, parent="naive"),
    row("tiles", 4e9, parent="fused"),
)
ROUNDS = bench(
    row(seconds_of_rounds=(4.0, 4.4, 5.0)),
    row("tiles", 4e9, parent="naive", seconds_of_rounds=(1.0, 1.0, 1.0)),
    row("lucky", 5e9, parent="naive", seconds_of_rounds=(1.0, 0.4, 2.0)),
)
RANKS = [row(rate=r, ranks=p) for p, r in ((1, 1e9), (4, 3.5e9))]
RANKS += [row("mine", r, ranks=p) for p, r in ((1, 2e9), (4, 7e9))]


def simulated(*rows):
    place = {"name": "mine", "network": "gbe", "rate": 1.0, "rate_from": "as asked"}
    rows = [
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
    return Simulated(**place, per_rank=None, rows=rows)


ONE, TWO = (1, 1e-3, [[0, 1e-3]]), (2, 8e-4, [[0, 3e-4, 4e-4, 6e-4], [0, 5e-4]])
TWO_BODIES, THREE = [1000, 2000], [1, 2, 4]


# What is drawn, its title, and figures in it: (places, heights) of a line, (start, length) of a bar, words.
DRAWN = [
    (
        lambda: ladder(LADDER),
        "part1: tiles is 4.00 x as fast as naive",
        {
            "bar-naive": (0, 1),
            "bar-fused": (0, 2),
            "bar-tiles": (0, 4),
            "whisker-fused": ([1.6, 2.6], [1, 1]),
            "ratio-fused": "2.00 x",
            "ratio-tiles": "4.00 x, 2.00 x fused",
        },
    ),
    (  # of several ranks, x is the bar above
        lambda: ladder(bench(*RANKS)),
        "part1: mine is 2.00 x as fast as naive",
        {"ratio-naive": "1.00 x", "ratio-mine": "2.00 x"},
    ),
    (  # the rounds decide, as in the table
        lambda: ladder(ROUNDS),
        "part1: lucky is the fastest by its median",
        {"ratio-tiles": "4.40 x", "ratio-lucky": ""},
    ),
    (
        lambda: ladder(bench(row(), row("race", 9e9, outcome="wrong"))),
        "part1: naive is the fastest",
        {"bar-race": (0, 9)},
    ),
    (
        lambda: sweeps.time_by_bodies(BY_BODIES),
        "part1, 2000 bodies: mine 0.667 ms, naive 2 ms for an iteration",
        {"line-naive-1": (TWO_BODIES, [1, 2])},
    ),
    (
        lambda: sweeps.flops_by_bodies(BY_BODIES),
        "part1: mine reaches 120 Gflop/s",
        {"line-mine-1": (TWO_BODIES, [80, 120])},
    ),
    (
        lambda: sweeps.flops_by_bodies(FAST),
        "part1: naive reaches 40.0 Tflop/s, 67 % of the peak",
        {"line-naive-1": (TWO_BODIES, [20, 40]), "peak": ([0, 1], [60, 60])},
    ),
    (
        lambda: sweeps.ratio_by_bodies(BY_BODIES),
        "part1: mine is up to 4.00 x as fast as naive on 1 thread",
        {"line-mine-1": (TWO_BODIES, [4, 3])},
    ),
    (
        lambda: sweeps.by_workers(BY_THREADS, "threads"),
        "part1: openmp with 4 threads is 3.00 x as fast as with 1 thread",
        {"line-openmp-1": (THREE, [1, 1.8, 3]), "ideal": (THREE, [1, 2, 4])},
    ),
    (  # what was disturbed is no finding
        lambda: sweeps.by_workers(bench(*BY_THREADS.summary, *LUCKY), "threads"),
        "part1: openmp with 4 threads is 3.00 x as fast as with 1 thread",
        {"line-lucky-1": ([1], [1]), "line-lucky-2": ([4], [9])},
    ),
    (
        lambda: sweeps.by_tuning(BY_BLOCK, "block"),
        "part1, 1000 bodies: tiles is fastest with blocks of 64",
        {"line-tiles-1": ([32, 64], [1000, 1500])},
    ),
    (
        lambda: sweeps.grid_by_bodies(both("threads"), "naive", "threads"),
        "part1, naive: fastest with 1 thread at every N",
        {},
    ),
    (
        lambda: own_ladder("part1", [attempt(1, expected=3.0, measured=1.5)]),
        "part1, 1 try: at best 2.00 x naive",
        {"bar-1": (0, 2), "predicted-1": ([4, 4], [-0.42, 0.42])},
    ),
    (
        lambda: pictures_of_simulated(simulated(ONE, TWO))[0],
        "simulated: part4/mine on gbe: 2 ranks reach 62 % of the ideal",
        {"ideal": ([1, 2], [1, 2]), "line-0": ([1, 2], [1, 1.25])},
    ),
]


@pytest.mark.parametrize(("draw", "title", "figures"), DRAWN)
def test_the_title_is_what_was_found_and_the_figures_are_drawn(draw, title, figures):
    sheet = draw()
    assert sheet.title == title
    found = drawn(sheet)
    for gid, expected in figures.items():
        if isinstance(expected, str):
            assert found[gid] == expected
        else:
            for ours, theirs in zip(found[gid], expected):
                assert ours == pytest.approx(theirs), gid


@pytest.mark.parametrize(
    ("draw", "height"), [(sweeps.flops_by_bodies, 20), (sweeps.time_by_bodies, 1)]
)
def test_whiskers_are_the_middle_half_of_the_rounds(draw, height):
    """... from 0.8 to 1.3 of each height, or, of a time, the other way round."""
    sheet = draw(bench(row(), row("mine", 1e9)))
    (segment, *_), *_ = (bars.get_segments() for bars in sheet.axes.collections)
    ends = (0.8, 1.3) if height == 20 else (1 / 1.3, 1 / 0.8)
    assert [y / height for _, y in segment] == pytest.approx(ends)


@pytest.mark.parametrize(
    "draw",
    [
        lambda: sweeps.time_by_bodies(BY_BODIES),
        lambda: sweeps.ratio_by_bodies(BY_BODIES),
        lambda: sweeps.by_workers(BY_THREADS, "threads"),
        lambda: sweeps.by_tuning(BY_BLOCK, "block"),
    ],
)
def test_each_line_has_its_name_to_the_right_of_the_axes(draw):
    sheet = draw()
    _, words = sheet.axes.get_legend_handles_labels()
    labels = of_axes(sheet, "label-")
    assert [*labels] == [f"label-{one}" for one in words] and sheet.axes.get_legend() is None
    sheet.canvas.draw()
    renderer, right = sheet.canvas.get_renderer(), sheet.axes.bbox.x1
    assert all(label.get_window_extent(renderer).x0 > right for label in labels.values())


def test_blocks_of_a_grid():
    rates = {(4096, 16): 1e11, (4096, 64): 2e11, (65536, 16): 8e11, (65536, 64): 7e11}
    rows = [row("tiles", rate, n=n, block=p) for (n, p), rate in rates.items()]
    other = row("float4", 9e12, n=4096, block=16)
    sheet = sweeps.blocks_of_grid(bench(*rows, other, device=H200), "tiles")
    texts = [(text.get_text(), text.get_fontweight()) for text in sheet.axes.texts]
    first = [("256\n100", "normal"), ("64\n200", "bold")]
    assert texts == [*first, ("4096\n800", "bold"), ("1024\n700", "normal")]
    cells = of_axes(sheet, "cell-")
    assert [cells[f"cell-{p}-{n}"].get_alpha() > 0.3 for n, p in rates] == [1, 0, 1, 1]  # 132 SM


@pytest.mark.parametrize("axis", ["threads", "ranks", "unroll"])
def test_heat_by_bodies(axis):
    """The best of each number of bodies is bold, more speed is darker, and what was not measured is empty. Below a rate
    stands what more threads gain."""
    rates = {(500, 1): 1e9, (500, 2): 5e8, (8000, 1): 1e9, (8000, 2): 2e9, (8000, 4): 1e9}
    rows = [row("fast", rate, n=n, **{axis: count}) for (n, count), rate in rates.items()]
    sheet = sweeps.grid_by_bodies(bench(*rows), "fast", axis)
    texts = [(text.get_text(), text.get_fontweight()) for text in sheet.axes.texts]
    first = [("1.00", "bold"), ("1.00", "normal")]
    second = [("0.500\n0.50 x", "normal"), ("2.00\n2.00 x", "bold")]
    assert texts == [*first, *second, ("", "normal"), ("1.00\n1.00 x", "normal")]
    cells = of_axes(sheet, "cell-")
    assert cells["cell-8000-2"].get_alpha() > cells["cell-8000-1"].get_alpha()


def test_ranks_compute_in_bars():
    timeline = pictures_of_simulated(simulated(ONE, TWO))[1]
    bars = [one.get_paths() for gid, one in of_axes(timeline, "bars-").items()]
    assert [[path.get_extents().width for path in own] for own in bars] == [
        pytest.approx([0.3, 0.2]),
        pytest.approx([0.5]),
    ]


def both(axis, **more):
    return bench(*(row(n=n, **{axis: k}) for n in (4096, 8192) for k in (1, 2)), **more)


@pytest.mark.parametrize(
    ("sheets", "names"),
    [
        (lambda: pictures_of(BY_BODIES), {"ladder", "time", "flops", "ratio"}),
        (lambda: pictures_of(BY_THREADS), {"ladder", "threads"}),
        (
            lambda: pictures_of(both("threads")),
            {"ladder", "time", "flops", "threads", "threads_by_n_naive"},
        ),
        (
            lambda: pictures_of(both("ranks")),
            {"ladder", "time", "flops", "ranks", "ranks_by_n_naive"},
        ),
        (lambda: pictures_of(both("unroll", device=H200)), {"unroll", "unroll_by_n_naive"}),
        (lambda: pictures_of(both("grid", device=H200)), {"grid"}),
        (lambda: pictures_of(both("block", device=H200)), {"block", "blocks_of_grid_naive"}),
        (lambda: pictures_of_simulated(simulated(ONE)), set()),
        (lambda: pictures_of_simulated(simulated(TWO)), {"mine_gbe_ranks"}),
        (lambda: pictures_of_simulated(simulated(ONE, (32, 1e-4, []))), {"mine_gbe_scaling"}),
    ],
)
def test_pictures_follow_what_was_measured(sheets, names):
    sheets = sheets()
    assert {sheet.name for sheet in sheets} == names
    assert len({sheet.title for sheet in sheets}) == len(sheets), "titles tell pictures apart"


# --- bench and notebook --------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", ["right", "wrong"])
def test_what_is_wrong_is_hatched(outcome):
    sheet = ladder(bench(row(), row("race", outcome=outcome)))
    svg = sheet.bytes_of("svg").decode()
    assert ("<pattern" in svg, "hatched: wrong results" in svg) == (2 * (outcome == "wrong",))


def test_a_whisker_lies_around_its_marker():
    """... also where the speed of an older result is that of the fastest round."""
    assert whisker(row(rate=1e9)) == (0.8e9, 1.3e9)
    fastest = row(rate=1e9, fastest_interactions_per_s=1.4e9)
    assert whisker(fastest) == (1e9, fastest.speed)
    assert "down to the median, else the middle half" in footnote(bench(fastest))


def test_naive_mine_and_exhibits_are_told_from_the_others():
    kinds = {"fused": "rung", "naive": "naive", "mine_2": "mine", "atomics": "exhibit"}
    sheet = ladder(bench(*(row(f"part1/{name}", kind=kind) for name, kind in kinds.items())))
    colours = [bar.get_facecolor() for bar in of_axes(sheet, "bar-").values()]
    assert colours == [to_rgba(one) for one in (theme.BAR, theme.GIVEN, theme.ACCENT, theme.BAR)]
    assert [*of_axes(sheet, "mine-")] == ["mine-part1/mine_2"]
    assert [*of_axes(sheet, "exhibit-")] == ["exhibit-part1/atomics"]
    assert "a cross: an exhibit" in sheet.subtitle
    wrong = ladder(bench(row("naive", kind="naive"), row("race", kind="exhibit", outcome="wrong")))
    assert not of_axes(wrong, "exhibit-") and "cross" not in wrong.subtitle


def test_numbers_of_an_axis_have_one_notation():
    assert theme.numbers([0, 0.01, 1, 10_000]) == ["0", "0.01", "1", "10000"]
    assert theme.numbers([0.0001, 0.01, 20]) == ["10⁻⁴", "10⁻²", "2 · 10¹"]
    sheet = sweeps.time_by_bodies(bench(*(row(n=n) for n in (100, 200))))
    written = sheet.axes.yaxis.get_major_formatter().format_ticks([1e-9, 20])
    assert written == ["", "20"]


def test_the_ladder_shows_the_largest_setup():
    small, large = row(n=500, threads=8), row(n=1000, threads=2)
    sheet = ladder(bench(small, large, row("mine", n=1000), row("mine", n=1000, threads=2)))
    assert set(of_axes(sheet, "bar-")) == {"bar-naive", "bar-mine"}
    assert sheet.subtitle.startswith("N = 1000, float, 2 threads.")


def test_what_was_not_run_on_the_fewest_threads_has_no_line():
    a, b = (row("a", threads=1), row("a", threads=2)), (row("b", threads=2), row("b", threads=4))
    assert not [
        gid for gid in drawn(sweeps.by_workers(bench(*a, *b), "threads")) if "line-b" in gid
    ]


def test_lines_do_not_cross_what_was_not_measured():
    made_ones = bench(*(row(n=n) for n in (100, 200, 400)), *(row("mine", n=n) for n in (100, 400)))
    runs = {
        label: [[one.n for one in run] for run in pieces(rows, "n", values(made_ones, "n"))]
        for label, rows in lines_of(made_ones, "n")
    }
    assert runs == {"naive": [[100, 200, 400]], "mine": [[100], [400]]}
    assert len(pieces([row(n=100), row(n=1000)], "n", [100, 1000])) == 2


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


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"summary": []}', "\xff"])
def test_what_is_no_result_is_one_line(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(LabError, match=r"x\.json[^\n]*\Z"):
        read_measured(tmp_path / "x.json")
    with pytest.raises(LabError, match=r"x\.json: "):
        load(Simulated, tmp_path / "x.json")


@pytest.mark.parametrize(
    ("times_naive", "expected", "measured", "wanted"),
    [(2.0, 3.0, 4.0, 1.5), (3.0, 2.0, 2.0, 3.0), (2.0, None, 1.4, None), (2.0, 1.5, None, None)],
)
def test_a_prediction_stands_where_the_bar_would_end(times_naive, expected, measured, wanted):
    assert predicted(attempt(1, times_naive, expected=expected, measured=measured)) == wanted


def test_a_ladder_of_tries():
    """Labels say what the rows do not share, the footnote what they do; verdicts have colours, wrong ones hatches."""
    verdicts = ("as expected", "more than expected", "less than expected", "too noisy to tell")
    rows = [attempt(k, verdict=one) for k, one in enumerate((*verdicts, "wrong: zeros"))]
    odd = attempt(5, n=2000, threads=2, idea="from $5 to $6 and \\frac \x07")
    sheet = own_ladder("part1", [*rows, odd, attempt(6, None)])
    bars = list(of_axes(sheet, "bar-").values())
    assert len({bar.get_facecolor() for bar in bars[:5]}) == 5
    assert [bar.get_hatch() for bar in bars] == [*[None] * 4, "////", None]
    labels = [label.get_text() for label in sheet.axes.get_yticklabels()]
    assert labels[4:] == [
        "4  mine, N = 5000, threads: 1\nan idea",
        "5  mine, N = 2000, threads: 2\nfrom $5 to $6 and \\frac ?",
    ]
    assert sheet.axes.texts[4].get_text() == "2.00 x, wrong"
    assert said(sheet, "footnote") == "float, adaptive step, plummer scene"
    with pytest.raises(LabError, match=r"\./lab try part1"):
        own_ladder("part1", [attempt(1, None)])
