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
from nbody_lab.page.collect import bench_of
from nbody_lab.page.part import Bench, Headline, Part
from nbody_lab.page.records import MachineCeilings, PartRoofline
from tests.hardware.ceilings_for_tests import known, levels, row
from tests.page.tree_for_tests import POINTS
from tests.roofline.roofline_for_tests import roofline, roofline_of_gpu

_KINDS = {"mine": "mine", "mine_rows": "mine", "third_law": "rung"}
_KNOWN = tuple(Implementation(part="part1", name=name, kind=kind) for name, kind in _KINDS.items())


def measured(
    name: str, rate: float, threads: int = 1, precision: str = "float", verdict: str = "right"
) -> MeasuredRow:
    rates = Rates(median=rate, lower_quartile=rate, upper_quartile=rate)
    return MeasuredRow(
        name=name,
        n=5000,
        threads=threads,
        precision=precision,
        interactions_per_s=rates,
        verdict=verdict,
        rounds=5,
    )


def bench(*rows: MeasuredRow, part: str = "part1") -> Bench:
    return bench_of(BenchResult(context=BenchContext(part=part), summary=rows))


def attempt(name: str = "mine", times_naive: float = 2.5, **more: Any) -> Row:
    verdict = {"verdict": "as expected", "date": "2026-11-22", "n": 5000, "threads": 1}
    speed = {"precision": "float", "interactions_per_s": times_naive * 1e8}
    return Row(name=name, times_naive=times_naive, **{**verdict, **speed, **more})


def drawn(data: Roofline) -> PartRoofline:
    return PartRoofline.model_validate(data.model_dump())


def part(
    of_bench: Bench | None = None,
    rooflines: Sequence[PartRoofline] = (),
    notebook: Sequence[Row] = (),
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
OTHERS = drawn(roofline(POINTS[:1]))
NAIVE, MINE = measured("naive", 1e8), measured("mine", 4e8)
OWN = bench(measured("mine", 3e8), measured("mine_rows", 4e8))


@pytest.mark.parametrize(
    ("rows", "name", "times_naive"),
    [
        ([MINE, NAIVE], "mine", 4),
        ([measured("fused", 2e8), NAIVE, MINE], "mine", 4),
        ([NAIVE, MINE, measured("naive", 2e8, 2), measured("mine", 6e8, 2)], "mine", 3),
        (
            [NAIVE, measured("mine", 9e8, verdict="WRONG"), measured("mine_rows", 2e8)],
            "mine_rows",
            2,
        ),
        ([measured("mine", 3e8), measured("mine_rows", 4e8)], "mine_rows", None),
    ],
)
def test_a_bench_is_compared_with_its_own_naive(
    rows: list[MeasuredRow], name: str, times_naive: float | None
) -> None:
    """Wherever it stands, of the same setting; a wrong row has no speed, and no other row stands for naive."""
    found = best(bench(*rows))
    assert (found.name, found.speed.times_naive) == (name, times_naive)


def test_of_several_parts_it_is_this_parts_naive() -> None:
    names = {"part1/naive": 1e8, "part3/naive": 5e8, "part3/mine": 1e9}
    rows = bench(*(measured(name, rate) for name, rate in names.items()), part="part3").rows
    assert [row.times_naive for row in rows] == [0.2, 1, 2]
    assert OWN.naive is None and part(bench(measured("fused", 3e8))).headline is None


@pytest.mark.parametrize(
    ("found", "name", "source", "times_naive"),
    [
        (part(OWN, [], [attempt()]), "mine", "notebook", 2.5),
        (part(None, [ONE]), "mine", "roofline", 3.4 / 1.05),
        (part(None, [drawn(roofline(POINTS[1:]))]), "mine", "roofline", None),
        (part(bench(measured("mine", 3e8), NAIVE), [ONE]), "mine", "bench", 3),
    ],
)
def test_another_source_counts_if_it_knows_naive(
    found: Part, name: str, source: str, times_naive: float | None
) -> None:
    assert found.headline
    speed = found.headline.speed
    assert (found.headline.name, speed.source) == (name, source)
    assert speed.times_naive == (times_naive and pytest.approx(times_naive))


def test_of_several_points_float_on_one_thread_counts() -> None:
    double = drawn(roofline(POINTS, threads=2, precision="double"))
    points = [point.model_copy(update={"precision": "double"}) for point in double.points]
    double = double.model_copy(update={"points": tuple(points)})
    speed = best(None, [double, BOTH, ONE]).speed
    assert (speed.precision, speed.threads, speed.n) == ("float", 1, 5000)


@pytest.mark.parametrize(
    ("speed", "rooflines", "drawn_in"),
    [
        ({"threads": 1}, [DOUBLE, ONE, BOTH], ONE),
        ({"threads": 2}, [DOUBLE, ONE, BOTH], BOTH),
        ({"threads": 4}, [ONE, BOTH], None),
        ({"precision": "double"}, [ONE, BOTH], None),
        ({"precision": "double"}, [ONE, DOUBLE], DOUBLE),
    ],
)
@pytest.mark.parametrize("source", ["bench", "notebook"])
def test_the_limiter_is_of_the_same_setting(
    source: str, speed: dict[str, Any], rooflines: list[PartRoofline], drawn_in: PartRoofline | None
) -> None:
    rows = [measured(name, rate, **speed) for name, rate in (("naive", 1e8), ("mine", 3e8))]
    of_bench = bench(*rows) if source == "bench" else None
    found = best(of_bench, rooflines, [attempt(**speed)])
    assert found.speed.source == source
    assert found.point == (drawn_in.find("mine") if drawn_in else None)


def test_a_gpu_has_no_threads() -> None:
    gpu = drawn(roofline_of_gpu())
    points = [point.model_copy(update={"name": f"mine_{point.number}"}) for point in gpu.points]
    gpu = gpu.model_copy(update={"points": tuple(points)})
    assert best(bench(NAIVE, measured("mine_2", 1e12)), [gpu]).point == points[1]


@pytest.mark.parametrize(
    ("rooflines", "speed", "others", "command"),
    [
        ([ONE], {"threads": 2}, "float with 1 thread", "./lab roofline part1 --threads all"),
        ([BOTH], {}, "float with 2 threads", "./lab roofline part1"),
        ([ONE], {"precision": "double"}, "float with 1 thread", "./lab roofline part1 --double"),
        ([], {"threads": 2}, "", "./lab roofline part1 --threads all"),
        ([OTHERS], {"threads": 2}, "", "./lab roofline part1 --threads all"),
        ([ONE], {}, "", "./lab roofline part1"),
    ],
)
def test_what_makes_a_missing_limiter_has_the_setting_of_the_speed(
    rooflines: list[PartRoofline], speed: dict[str, Any], others: str, command: str
) -> None:
    found = best(None, rooflines, [attempt(**speed)])
    assert (found.other_settings, found.command) == (others, command)


@pytest.mark.parametrize(
    ("of_bench", "row", "expected"),
    [
        (None, attempt(date="2026-01-02"), ("notebook", 2.5e8)),
        (None, attempt(date="2026-01-01"), ("notebook", 2.5e8)),  # the day of the roofline
        (None, attempt(date="2025-12-31"), ("roofline", 3.4e8)),
        (None, attempt(verdict="wrong"), ("roofline", 3.4e8)),
        (bench(MINE, NAIVE), attempt(), None),
    ],
)
def test_without_a_bench_the_newest_speed_is_shown(
    of_bench: Bench | None, row: Row, expected: tuple[str, float] | None
) -> None:
    rows = {one.name: one.elsewhere for one in part(of_bench, [ONE], [row]).implementations}
    mine = rows["mine"]
    assert (mine and (mine.source, mine.interactions_per_s)) == expected
    assert rows["third_law"]


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
