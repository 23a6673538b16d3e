"""The student's best on the page: its speed-up over what, what limits it in the setting of the measurement, and where
speeds without a bench come from."""

from collections.abc import Sequence
from typing import Any

import pytest

from nbody_lab.core.bench_file import BenchContext, BenchResult, Rates
from nbody_lab.core.bench_file import BenchRow as MeasuredRow
from nbody_lab.core.manifest import Implementation
from nbody_lab.core.results import Roofline
from nbody_lab.notebook.columns import Row
from nbody_lab.notebook.gain import BUSY, TOO_NOISY
from nbody_lab.page.collect import bench_of
from nbody_lab.page.part import Bench, Headline, Part
from nbody_lab.page.records import JudgedSheet, MachineCeilings, PartRoofline
from nbody_lab.worksheet.sheet import Line, State
from tests.hardware.ceilings_for_tests import known, levels, row
from tests.page.tree_for_tests import POINTS
from tests.roofline.roofline_for_tests import roofline, roofline_of_gpu

_KINDS = {"mine": "mine", "mine_rows": "mine", "third_law": "rung"}
_KNOWN = tuple(Implementation(part="part1", name=name, kind=kind) for name, kind in _KINDS.items())


def bench(text: str, part: str = "part1", precision: str = "float") -> Bench | None:
    """ "naive=1 mine@2=4 mine!=9": 10^8 interactions/s, on two threads, wrong; None without rows."""
    rows = []
    for word in text.split():
        name, _, speed = word.partition("=")
        name, _, threads = name.partition("@")
        rate = 1e8 * float(speed)
        rates = Rates(median=rate, lower_quartile=rate, upper_quartile=rate)
        rows.append(
            MeasuredRow(
                name=name.removesuffix("!"),
                n=5000,
                threads=int(threads or 1),
                precision=precision,
                interactions_per_s=rates,
                outcome="wrong" if name.endswith("!") else "right",
                rounds=5,
            )
        )
    return bench_of(BenchResult(context=BenchContext(part=part), summary=rows)) if rows else None


def attempt(**more: Any) -> Row:
    found = {"verdict": "as expected", "date": "2026-11-22", "n": 5000, "threads": 1}
    speed = {"precision": "float", "times_naive": 2.5, "interactions_per_s": 2.5e8}
    return Row(name="mine", **{**found, **speed, **more})


def drawn(data: Roofline) -> PartRoofline:
    return PartRoofline.model_validate(data.model_dump())


def sheet(answer: str) -> JudgedSheet:
    state = State.RIGHT if answer else State.UNANSWERED
    lines = (Line("1", "flops?", "exact", answer, state),)
    about = {"source": "", "source_sha256": "", "date": "", "authors": ""}
    return JudgedSheet.model_validate({**about, "part": "part1", "lines": lines})


def part(
    of_bench: Bench | None, rooflines: Sequence[PartRoofline] = (), notebook: Sequence[Row] = ()
) -> Part:
    return Part(
        name="part1",
        known=_KNOWN,
        bench=of_bench,
        rooflines=tuple(rooflines),
        notebook=tuple(notebook),
    )


def best(*arguments: Any) -> Headline:
    found = part(*arguments).headline
    assert found
    return found


ONE, BOTH = drawn(roofline(POINTS)), drawn(roofline(POINTS, threads=2))
DOUBLE = drawn(roofline(POINTS, precision="double"))
OTHERS, NO_NAIVE = drawn(roofline(POINTS[:1])), drawn(roofline(POINTS[1:]))


@pytest.mark.parametrize(
    ("measured", "rooflines", "notebook", "headline"),
    [
        # Compared with naive of the same setting, wherever it stands; a wrong row has no speed.
        ("mine=4 naive=1", [], [], "mine bench 4"),
        ("fused=2 naive=1 mine=4", [], [], "mine bench 4"),
        ("naive=1 mine=4 naive@2=2 mine@2=6", [], [], "mine bench 3"),
        ("naive=1 mine!=9 mine_rows=2", [], [], "mine_rows bench 2"),
        # Another source counts if it knows naive.
        ("mine=3 mine_rows=4", [], [], "mine_rows bench None"),
        ("mine=3 mine_rows=4", [], [attempt()], "mine notebook 2.5"),
        ("", [ONE], [], "mine roofline 3.24"),
        ("", [NO_NAIVE], [], "mine roofline None"),
        ("mine=3 naive=1", [ONE], [], "mine bench 3"),
        # The fastest that was measured honestly, not the last.
        ("mine=2 naive=1", [], [attempt(), attempt(times_naive=2.1)], "mine notebook 2.5"),
        ("", [], [attempt(), attempt(times_naive=9, verdict="wrong: NaN")], "mine notebook 2.5"),
        ("", [], [attempt(), attempt(times_naive=9, verdict=TOO_NOISY)], "mine notebook 2.5"),
        ("", [], [attempt(), attempt(times_naive=9, verdict=BUSY)], "mine notebook 2.5"),
        ("mine=3 naive=1", [], [attempt(times_naive=9, verdict=TOO_NOISY)], "mine bench 3"),
        ("", [], [attempt(verdict=TOO_NOISY)], "mine notebook 2.5"),
    ],
)
def test_what_the_best_is_compared_with(
    measured: str, rooflines: list[PartRoofline], notebook: list[Row], headline: str
) -> None:
    found = best(bench(measured), rooflines, notebook)
    times = found.speed.times_naive
    shown = times if times is None else f"{times:.3g}"
    assert f"{found.name} {found.speed.source} {shown}" == headline


def test_of_an_earlier_attempt_neither_verdict_nor_limit_is_known() -> None:
    """Both are those of the source as it is now."""
    rows = [attempt(row=1), attempt(row=2, times_naive=2)]
    found = best(None, [ONE], rows)
    assert (found.speed.row, found.is_earlier, found.point) == (1, True, None)
    found = best(None, [ONE], rows[:1])
    assert (found.is_earlier, found.point) == (False, ONE.find("mine"))


def test_of_several_parts_it_is_this_parts_naive() -> None:
    several = bench("part1/naive=1 part3/naive=5 part3/mine=10", "part3")
    assert several and [row.times_naive for row in several.rows] == [0.2, 1, 2]
    assert part(bench("fused=3")).headline is None


def test_of_several_points_float_on_one_thread_counts() -> None:
    double = drawn(roofline(POINTS, threads=2, precision="double"))
    points = [point.model_copy(update={"precision": "double"}) for point in double.points]
    double = double.model_copy(update={"points": tuple(points)})
    speed = best(None, [double, BOTH, ONE]).speed
    assert (speed.precision, speed.threads, speed.n) == ("float", 1, 5000)


@pytest.mark.parametrize(
    ("threads", "precision", "rooflines", "drawn_in", "others", "options"),
    [
        (1, "float", [DOUBLE, ONE, BOTH], ONE, "", ""),
        (2, "float", [DOUBLE, ONE, BOTH], BOTH, "", " --threads all"),
        (1, "double", [ONE, DOUBLE], DOUBLE, "", " --double"),
        (2, "float", [ONE], None, "float with 1 thread", " --threads all"),
        (1, "float", [BOTH], None, "float with 2 threads", ""),
        (1, "double", [ONE], None, "float with 1 thread", " --double"),
        (2, "float", [OTHERS], None, "", " --threads all"),
        (1, "float", [], None, "", ""),
    ],
)
@pytest.mark.parametrize("source", ["bench", "notebook"])
def test_the_limiter_is_of_the_same_setting(
    source: str,
    threads: int,
    precision: str,
    rooflines: list[PartRoofline],
    drawn_in: PartRoofline | None,
    others: str,
    options: str,
) -> None:
    """Without one, the page says which are drawn, and the command that makes it."""
    rows = f"naive@{threads}=1 mine@{threads}=3" if source == "bench" else ""
    row = attempt(threads=threads, precision=precision)
    found = best(bench(rows, precision=precision), rooflines, [row])
    assert found.speed.source == source
    assert found.point == (drawn_in.find("mine") if drawn_in else None)
    assert (found.other_settings, found.command) == (others, f"./lab roofline part1{options}")


def test_a_gpu_has_no_threads() -> None:
    gpu = drawn(roofline_of_gpu())
    points = [point.model_copy(update={"name": f"mine_{point.number}"}) for point in gpu.points]
    gpu = gpu.model_copy(update={"points": tuple(points)})
    assert best(bench("naive=1 mine_2=10000"), [gpu]).point == points[1]


@pytest.mark.parametrize(
    ("measured", "row", "expected"),
    [
        ("", attempt(date="2026-01-02"), ("notebook", 2.5e8)),
        ("", attempt(date="2026-01-01"), ("notebook", 2.5e8)),  # the day of the roofline
        ("", attempt(date="2025-12-31"), ("roofline", 3.4e8)),
        ("", attempt(verdict="wrong"), ("roofline", 3.4e8)),
        ("mine=4 naive=1", attempt(), None),
    ],
)
def test_without_a_bench_the_newest_speed_is_shown(
    measured: str, row: Row, expected: tuple[str, float] | None
) -> None:
    rows = part(bench(measured), [ONE], [row]).implementations
    shown = {one.name: one.elsewhere for one in rows}
    mine = shown["mine"]
    assert (mine and (mine.source, mine.interactions_per_s)) == expected
    assert shown["third_law"]


@pytest.mark.parametrize(
    ("found", "begun"),
    [
        ({}, False),
        ({"notebook": (attempt(),)}, True),
        ({"bench": bench("naive=1")}, True),
        ({"worksheet": sheet("")}, False),
        ({"worksheet": sheet("7")}, True),
    ],
)
def test_a_part_is_begun_with_a_result_or_an_answer(found: dict[str, Any], begun: bool) -> None:
    assert Part(name="part1", **found).begun == begun


def test_loads_of_8_bytes_do_not_take_the_place_of_those_of_4() -> None:
    """Scalar loads of L1 are measured in both widths; question 9 of part 1 asks for those of a float."""
    (narrow,) = levels(29.2e9, name="L1 load, scalar, 4 bytes")
    wide = narrow.model_copy(update={"name": "L1 load, scalar, 8 bytes", "precision": "double"})
    rows = [row("flops", "mul_add", 9e9, name="scalar"), narrow, wide]
    read = MachineCeilings.model_validate(known(rows).model_dump())
    assert [(one.label, one.column) for one in read.ceilings] == [
        ("scalar", "float, 1 thread"),
        ("L1, scalar, 4 bytes", "load, 1 thread"),
        ("L1, scalar, 8 bytes", "load, 1 thread"),
    ]
