"""./lab bench: what its options ask for, and stored results. What is measured: measure/bench_test.py."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nbody_lab import cli
from nbody_lab.building.lab import Built
from nbody_lab.commands import bench
from nbody_lab.core.model import load
from nbody_lab.measure.bench_plan import QUICK, Asked
from nbody_lab.measure.simulated import Simulated
from tests.conftest import Ended

TWO_OF_EACH = {"n": [50, 60], "precision": ["float", "double"], "threads": [1, 2]}
LAUNCHED = {"block": [32, 64], "unroll": [4], "grid": [7], "ranks": [3], "scene": "six"}
COMMANDS = [  # what is asked for, beside what nobody asked for
    ("", {}),
    (
        "-n 50,60 --precision float,double --vdt --threads 1,2 --arch sse2,avx2",
        TWO_OF_EACH | {"adaptive": True, "arch": ["sse2", "avx2"]},
    ),
    ("--block 32,64 --unroll 4 --grid 7 --ranks 3 --scene six", LAUNCHED),
    ("--quick --wait 9", {"clock": replace(QUICK, wait_s=9)}),
]


@pytest.mark.parametrize(("words", "changed"), COMMANDS)
def test_what_options_ask_for(
    words: str,
    changed: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run_lab: Callable[..., Ended],
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(bench, "run_bench", lambda _, *given: asked.extend(given) or 0)
    monkeypatch.setattr(bench.pictures, "can_draw", lambda: False)
    monkeypatch.setattr(bench.Lab, "has_kernels", lambda _: True)
    monkeypatch.setattr(bench.Lab, "refuse_without_gpu", lambda *_: None)
    for name in ("begin", "demand_name", "demand_part"):
        monkeypatch.setattr(bench.Lab, name, lambda *_: None)
    monkeypatch.setattr(bench, "names_with_hidden_counts", lambda _: ["mine"])
    built = []

    def build(_: object, *targets: str) -> Built:
        built.append(targets)
        return Built()

    monkeypatch.setattr(bench.Lab, "targets", lambda _, name, precision: [f"{name}_{precision}"])
    monkeypatch.setattr(bench.Lab, "build", build)
    file = tmp_path / "x.json"
    assert run_lab("bench", "part1", "mine.hpp", *words.split(), "--json", file).status == 0
    usual = Asked(["mine"], [5000], [1], ["float"], *[[0]] * 4, hidden=["mine"])
    assert asked == [replace(usual, **changed), file]
    in_double = ["mine_double"] if "double" in words else []
    assert built == [("part1/mine", "bin/bench", "mine_float", *in_double)]


@pytest.mark.parametrize("name", ["part1_sizes", "part4_simulated_ring"])
def test_a_stored_result_is_shown_and_drawn_again(
    name: str, tmp_path: Path, run_lab: Callable[..., Ended]
) -> None:
    file = cli.ROOT / f"data/results/{name}.json"
    status, out, err = run_lab("bench", "--from", file, "--plot", tmp_path)
    assert (status, err) == (0, "")
    assert ("simulated: part4/ring on gbe" in out) == ("simulated" in name)
    drawn = {picture.stem for picture in tmp_path.glob("*.svg")}
    assert drawn >= ({"ring_gbe_scaling"} if "simulated" in name else {"part1_sizes_bodies"})


def test_a_simulated_cluster_without_its_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_lab: Callable[..., Ended]
) -> None:
    """It says how to draw it."""
    result = load(Simulated, cli.ROOT / "data/results/part4_simulated_ring.json")
    monkeypatch.setattr(bench.simulate, "simulate", lambda *_: result)
    monkeypatch.setattr(bench.pictures, "can_draw", lambda: False)
    file = tmp_path / "x.json"
    ended = run_lab("bench", "part4", "ring", "--simulated", "gbe", "--json", file)
    assert ended.status == 0 and load(Simulated, file) == result
    assert ended.error.startswith("lab: no picture: ./lab setup --pictures ")
    assert ended.error.endswith(f"; then: ./lab bench --from {file}\n")
