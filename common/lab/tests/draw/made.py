"""Small results, runs and logs for tests of pictures."""

import math
from pathlib import Path

from nbody_lab.core.bench_file import BenchContext, BenchResult, BenchRow, Rates
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


class RunFolder:
    """The files BASE.<iteration>.dat of a run."""

    def __init__(self, folder, name="out"):
        self.folder, self.base = Path(folder), Path(folder) / name

    def write(self, iteration, bodies, head="G=1 soft=0 dt=0.5 mdt=0", names=(), time=None):
        """`bodies`: records of eight numbers."""
        time = 0.5 * iteration if time is None else time
        lines = [f"# nbody-lab: {head} time={time!r}", str(len(bodies))]
        for k, body in enumerate(bodies):
            name = f"  # {names[k]}" if k < len(names) else ""
            lines.append(" ".join(repr(float(value)) for value in body) + name)
        file = Path(f"{self.base}.{iteration}.dat")
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def write_circles(self, count, states=(0, 5)):
        for k in states:
            bodies = [circle(1 + j % 7, j + k / 9, 1, 0.01 * (j % 11)) for j in range(count)]
            self.write(k, bodies)

    def write_planets(self, tilt=0.0):
        """Sun, Earth and Moon over 38 days, in SI units."""
        for day in range(0, 40, 2):
            earth = circle(1.5e11, day / 58, 6e24)
            moon = list(circle(4e8, day / 4.3, 7e22, tilt * 4e8 * math.sin(day / 4.3)))
            moon[2:4] = [earth[2] + moon[2], earth[3] + moon[3]]
            bodies = [(2e30, 0, 0, 0, 0, 0, 0, 0), earth, moon]
            names = ["Sun", "Earth", "Moon"]
            self.write(day, bodies, "G=6.67384e-11 dt=86400", names, 86400.0 * day)

    def write_escape(self, count=4, leaving=1, far=100):
        """The first ones leave the others."""
        for k in range(9):
            radii = [1 if j >= leaving else 1 + k * far / 8 for j in range(count)]
            bodies = [circle(radii[j], j + k / 2, 1, 0.3 * (j % 3)) for j in range(count)]
            self.write(k, bodies)

    def write_tilted(
        self, count=3, far=1.0, head="G=1 dt=0.5 integrator=kdk damping=0.99", names=()
    ):
        for k in range(9):
            heights = [0.4 * far * (-1) ** (j + k // 4) for j in range(count)]
            bodies = [circle(far * (1 + j), j + k / 2, 1, heights[j]) for j in range(count)]
            self.write(k, bodies, head, names)


def circle(radius, angle, mass=1.0, z=0.0):
    """A record on a circle around the origin."""
    cos, sin = math.cos(angle), math.sin(angle)
    return (mass, 0, radius * cos, radius * sin, z, -sin, cos, 0)


HEAD = (
    "iteration,time,dt,energy,momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,"
    "angular_momentum_z,smallest_distance,force_evaluations,wall_s"
)
ROWS = (
    (0, 0, 0, -2, 0, 0, 0, 0, 0, 1, 0.5, 0, 0),
    (10, 1, 0.1, -1.98, 3, 4, 0, 0, 0, 1.25, 0.25, 11, 0.1),
    (20, 2, 0.1, -2.02, 0, 0, 1e-3, 0, 0, 1, 2, 21, 0.24),
)


def log_text(rows=ROWS, head=HEAD):
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"
