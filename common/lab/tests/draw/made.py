"""Small results and logs for tests of pictures."""

from nbody_lab.measure.bench_file import BenchContext, BenchResult, BenchRow, Rates
from nbody_lab.notebook.columns import Row
from tests.roofline import roofline_for_tests as made


def row(name="naive", rate=1e9, n=1000, **more):
    """The interquartile range is 0.8 to 1.3 of the median."""
    rates = Rates(median=rate, lower_quartile=0.8 * rate, upper_quartile=1.3 * rate)
    return BenchRow(name=name, n=n, rounds=3, interactions_per_s=rates, **more)


def bench(*rows, **context):
    about = {"part": "part1", "cpu": "A processor", "scene": "plummer", "day": "2026-01-01"}
    return BenchResult(context=BenchContext(**about, **context), summary=rows)


def attempt(number, times_naive=2.0, verdict="as expected", **more):
    fields = {"name": "mine", "idea": "an idea", "expected": 1.5, "measured": 1.4}
    setting = {"n": 5000, "threads": 1, "precision": "float", "step": "adaptive"}
    about = {"against": "naive", "scene": "plummer", "verdict": verdict}
    return Row(row=number, times_naive=times_naive, **{**fields, **setting, **about, **more})


def crowd(count):
    """Points at two intensities and of similar speed, and one above the roof."""
    rows = [
        ("naive", "naive", made.NAIVE, "scalar", 1.6e8),
        ("mine", "mine", made.NAIVE, "scalar", 1.61e8),
        ("mine_with_a_name_that_is_far_too_long", "mine", made.FUSED, "scalar", 2.9e8),
    ]
    for k in range(count):
        work = made.THIRD_LAW if k % 2 else made.FUSED
        rows.append((f"rung_{k}", "rung", work, "scalar", 3e8 * (1 + 0.03 * k)))
    return made.roofline([*rows, ("above", "rung", made.FUSED, "scalar", 5e8)])


CROWD, FEW = crowd(12), crowd(3)
OUTSIDE = made.roofline(
    [
        ("slow", "naive", made.FUSED, "scalar", 1e3),
        ("far", "rung", made.work(add=999, loads=1), "scalar", 1e6),
        ("near", "rung", made.work(add=1, loads=2000), "scalar", 1e6),
        ("none", "rung", made.work(fma=9), "scalar", 1e8),
    ]
)
