"""Pictures of bench results: every bar as long, every point as high and every whisker as wide as the figures say; and
which pictures a result has."""

import json
import re

import pytest

from nbody_lab.core.bench_file import BenchContext, BenchResult, BenchRow, Rates
from nbody_lab.core.messages import UserError
from nbody_lab.draw import grids, sweeps, theme
from nbody_lab.draw.bench import ladder, pictures_of
from nbody_lab.draw.bench_rows import lines_of, pieces, read_measured, values
from nbody_lab.draw.save import save
from nbody_lab.draw.shares import copies_picture
from nbody_lab.draw.sheet import Sheet, collisions
from tests.draw.runs_for_tests import by_id, strange_colours, words_of

H200 = "NVIDIA H200 (132 SM, at most 1980 MHz), built with CUDA 13.0"


def row(name="naive", rate=1e9, n=1000, **more):
    """The interquartile range is 0.8 to 1.3 of the median."""
    rates = Rates(median=rate, lower_quartile=0.8 * rate, upper_quartile=1.3 * rate)
    return BenchRow(name=name, n=n, rounds=3, interactions_per_s=rates, **more)


def result(*rows, **context):
    about = {"part": "part1", "cpu": "A processor", "scene": "plummer", "day": "2026-01-01"}
    return BenchResult(context=BenchContext(**about, **context), summary=rows)


def read(folder, summary, part="part1"):
    file = folder / "x.json"
    file.write_text(json.dumps({"context": {"part": part}, "summary": summary}))
    return read_measured(file)


def stored(name, median=1e9):
    return {"name": name, "n": 1000, "interactions_per_s": {"median": median}}


def expect_line(sheet, name, places, heights):
    """... and its error bars, which reach from 0.8 to 1.3 of each height, or, of a time, the other way round."""
    line = by_id(sheet)[name]
    assert list(line.get_xdata()) == places
    assert list(line.get_ydata()) == pytest.approx(heights)
    ends = {
        (round(float(segment[0][1]), 6), round(float(segment[1][1]), 6))
        for bars in sheet.axes.collections
        for segment in bars.get_segments()
    }
    wanted = {(round(0.8 * h, 6), round(1.3 * h, 6)) for h in heights}
    wanted |= {(round(h / 1.3, 6), round(h / 0.8, 6)) for h in heights}
    assert len(ends & wanted) == len(heights), (ends, wanted)
    sheet.close()


def test_bars_and_whiskers():
    sheet = ladder(result(row(), row("mine", 2e9, fastest_interactions_per_s=2.4e9)))
    drawn = by_id(sheet)
    assert [drawn[f"bar-{name}"].get_width() for name in ("naive", "mine")] == [1, 2.4]
    assert list(drawn["whisker-mine"].get_xdata()) == pytest.approx([1.6, 2.6])
    assert drawn["ratio-mine"].get_text() == "2.40 x"
    sheet.close()


def test_ratios_are_to_the_first_and_to_the_parent():
    fused, tiles = row("fused", 2e9, parent="naive"), row("tiles", 3e9, parent="fused")
    sheet = ladder(result(row(), fused, tiles))
    drawn = by_id(sheet)
    assert drawn["ratio-fused"].get_text() == "2.00 x"
    assert drawn["ratio-tiles"].get_text() == "3.00 x, 1.50 x fused"
    sheet.close()


@pytest.mark.parametrize("verdict", ["right", "wrong"])
def test_what_is_wrong_is_hatched(verdict):
    sheet = ladder(result(row(), row("race", verdict=verdict)))
    svg = sheet.bytes_of("svg").decode()
    assert ("<pattern" in svg, "hatched: wrong results" in svg) == (2 * (verdict == "wrong",))
    sheet.close()


def test_the_ladder_shows_the_largest_setup():
    small, large = row(n=500, threads=8), row(n=1000, threads=2)
    sheet = ladder(result(small, large, row("mine", n=1000), row("mine", n=1000, threads=2)))
    assert {"bar-naive", "bar-mine"} <= set(by_id(sheet))
    assert len([gid for gid in by_id(sheet) if gid.startswith("bar-")]) == 2
    assert sheet.subtitle.startswith("N = 1000, float, 2 threads.")
    sheet.close()


BY_BODIES = result(row(), row(rate=2e9, n=2000), row("mine", 4e9), row("mine", 6e9, n=2000))
BY_THREADS = result(*(row("openmp", r, threads=t) for t, r in ((1, 1e9), (2, 1.8e9), (4, 3e9))))
BY_BLOCK = result(row("tiles", 1e12, block=32), row("tiles", 1.5e12, block=64), device=H200)
FAST = result(row(rate=3e12), row(rate=4e12, n=2000))


@pytest.mark.parametrize(
    ("sheet", "line", "places", "heights"),
    [
        (lambda: sweeps.time_by_bodies(BY_BODIES), "line-naive-1", [1000, 2000], [1, 2]),  # ms
        (lambda: sweeps.flops_by_bodies(BY_BODIES), "line-mine-1", [1000, 2000], [80, 120]),
        (lambda: sweeps.flops_by_bodies(FAST), "line-naive-1", [1000, 2000], [60, 80]),  # Tflop/s
        (lambda: sweeps.ratio_by_bodies(BY_BODIES), "line-mine-1", [1000, 2000], [4, 3]),
        (lambda: sweeps.by_workers(BY_THREADS, "threads"), "line-openmp-1", [1, 2, 4], [1, 1.8, 3]),
        (lambda: sweeps.by_tuning(BY_BLOCK, "block"), "line-tiles-1", [32, 64], [1000, 1500]),
    ],
)
def test_lines_and_error_bars(sheet, line, places, heights):
    expect_line(sheet(), line, places, heights)


def test_the_peak_and_the_ideal():
    fast = result(row(rate=1e12), row(rate=2e12, n=2000), device_peak_flops_per_s=6e13)
    peak, ideal = sweeps.flops_by_bodies(fast), sweeps.by_workers(BY_THREADS, "threads")
    assert list(by_id(peak)["peak"].get_ydata()) == [60, 60]
    assert list(by_id(ideal)["ideal"].get_ydata()) == [1, 2, 4]
    peak.close()
    ideal.close()


def test_what_was_not_run_on_the_fewest_threads_has_no_line():
    a, b = (row("a", threads=1), row("a", threads=2)), (row("b", threads=2), row("b", threads=4))
    sheet = sweeps.by_workers(result(*a, *b), "threads")
    assert not [gid for gid in by_id(sheet) if gid.startswith("line-b")]
    sheet.close()


def test_blocks_of_a_grid():
    rates = {(4096, 16): 1e11, (4096, 64): 2e11, (65536, 16): 8e11, (65536, 64): 7e11}
    rows = [row("tiles", rate, n=n, block=p) for (n, p), rate in rates.items()]
    other = row("float4", 9e12, n=4096, block=16)
    sheet = grids.blocks_of_grid(result(*rows, other, device=H200), "tiles")
    texts = [(text.get_text(), text.get_fontweight()) for text in sheet.axes.texts]
    assert texts == [
        ("256\n100", "normal"),
        ("64\n200", "bold"),
        ("4096\n800", "bold"),
        ("1024\n700", "normal"),
    ]
    is_dark = [by_id(sheet)[f"cell-{p}-{n}"].get_alpha() > 0.3 for n, p in rates]
    assert is_dark == [True, False, True, True]  # 132 SM
    sheet.close()


@pytest.mark.parametrize("axis", ["threads", "ranks", "unroll"])
def test_heat_by_bodies(axis):
    """The best of each number of bodies is bold, more speed is darker, and what was not measured is empty."""
    rates = {(500, 1): 1e9, (500, 2): 5e8, (8000, 1): 1e9, (8000, 2): 2e9, (8000, 4): 1e9}
    rows = [row("fast", rate, n=n, **{axis: count}) for (n, count), rate in rates.items()]
    sheet = grids.by_bodies(result(*rows), "fast", axis)
    texts = [(text.get_text(), text.get_fontweight()) for text in sheet.axes.texts]
    first, second = [("1.00", "bold"), ("1.00", "normal")], [("0.500", "normal"), ("2.00", "bold")]
    assert texts == [*first, *second, ("", "normal"), ("1.00", "normal")]
    drawn = by_id(sheet)
    assert drawn["cell-8000-2"].get_alpha() > drawn["cell-8000-1"].get_alpha()
    assert collisions(sheet) == []
    sheet.close()


def test_shares():
    shares = [[256, 20, 30, 40, 10], [1024, 5, 80, 10, 5]]
    sheet = copies_picture("part3/naive, adaptive step; A GPU; 2026-01-01", shares)
    heights = [[bar.get_height() for bar in bars] for bars in sheet.axes.containers]
    assert heights == [[20, 5], [30, 80], [40, 10], [10, 5]]
    assert [bar.get_y() for bar in sheet.axes.containers[3]] == [90, 95]
    sheet.close()


def both(axis, **more):
    return result(*(row(n=n, **{axis: k}) for n in (4096, 8192) for k in (1, 2)), **more)


@pytest.mark.parametrize(
    ("measured", "names"),
    [
        (BY_BODIES, {"ladder", "time", "flops", "ratio"}),
        (BY_THREADS, {"ladder", "threads"}),
        (both("threads"), {"ladder", "time", "flops", "threads", "threads_by_n_naive"}),
        (both("ranks"), {"ladder", "time", "flops", "ranks", "ranks_by_n_naive"}),
        (both("unroll", device=H200), {"unroll", "unroll_by_n_naive"}),
        (both("block", device=H200), {"block", "blocks_of_grid_naive"}),
    ],
)
def test_pictures_follow_what_was_swept(measured, names):
    sheets = pictures_of(measured)
    assert {sheet.name for sheet in sheets} == names
    for sheet in sheets:
        assert collisions(sheet) == [], sheet.name
        assert strange_colours(sheet.bytes_of("svg")) == set()
        sheet.close()


def test_lines_do_not_cross_what_was_not_measured():
    made = result(*(row(n=n) for n in (100, 200, 400)), *(row("mine", n=n) for n in (100, 400)))
    runs = {
        label: [[one.n for one in run] for run in pieces(rows, "n", values(made, "n"))]
        for label, rows in lines_of(made, "n")
    }
    assert runs == {"naive": [[100, 200, 400]], "mine": [[100], [400]]}
    assert len(pieces([row(n=100), row(n=1000)], "n", [100, 1000])) == 2


def test_names_carry_their_part_where_parts_meet(tmp_path):
    made = read(tmp_path, [stored("part1/naive"), stored("best")], "part3")
    assert made.names == ["part1/naive", "part3/best"]


def test_what_was_not_measured_is_not_drawn(tmp_path):
    assert read(tmp_path, [stored("naive"), stored("crash", 0)]).names == ["naive"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"summary": []}', '{"context": {}, "summary": [{"name": "x"}]}', "\xff"],
)
def test_what_is_no_result_is_one_line(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(UserError, match=r"x\.json[^\n]*\Z"):
        read_measured(tmp_path / "x.json")


# Files and sheets.


def test_overlaps_are_seen():
    sheet = Sheet("x", "A title")
    sheet.axes.text(0.5, 0.5, "one")
    sheet.axes.text(0.51, 0.5, "two")
    long = "far too long for what is left of this picture"
    sheet.figure.text(0.9, 0.2, long)
    assert collisions(sheet) == [(long, "the edge"), ("one", "two")]
    sheet.close()


def test_a_long_footnote_is_whole():
    note = " ".join(f"word{k}" for k in range(60))
    sheet = Sheet("x", "A title", "What it is about", note, width=500)
    assert collisions(sheet) == []
    assert note in " ".join(words_of(sheet.bytes_of("svg")))
    sheet.close()


def test_svg_has_ids_title_and_colours_of_both_pages():
    sheet = ladder(result(row(), row("mine", 2e9), row("race", 3e9, verdict="wrong")))
    svg = sheet.bytes_of("svg").decode()
    for gid in ("title", "bar-naive", "bar-mine", "whisker-race", "ratio-mine"):
        assert f'id="{gid}"' in svg
    assert "<title>part1: interactions per second</title>" in svg
    for name, colour in theme.PAPER.items():
        assert f"--{name}: {colour};" in svg
        assert f"--{name}: {theme.DARK[name]};" in svg
    used = set(re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", svg[svg.index("</style>") :]))
    assert used <= set(theme.PAPER.values())
    # Two names of one colour could not differ on a dark page.
    assert len(set(theme.PAPER.values())) == len(theme.PAPER)
    sheet.close()


def test_nothing_is_overwritten(tmp_path):
    def draw(rate):
        return [path.name for path in save([ladder(result(row(), row("mine", rate)))], tmp_path)]

    assert [draw(2e9), draw(3e9), draw(2e9)] == [["ladder"], ["ladder-2"], ["ladder"]]


def test_a_folder_that_cannot_be_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"\A[^\n]*\Z"):
        save([ladder(result(row()))], tmp_path / "file")
