"""The option --on-cpu: which commands accept it, and what is refused."""

from types import SimpleNamespace
from typing import Any

import pytest

from nbody_lab.building import on_cpu
from nbody_lab.core.errors import LabError

GPU_ONLY = SimpleNamespace(part="part3", name="mine_graph", why="CUDA graphs")


def _lab(kernels: bool = True, known: bool = True) -> Any:
    lab = SimpleNamespace(part="part3", preset="release", step=lambda *_: None, by_cpu=False)
    lab.has_kernels, lab.demand_part = lambda: kernels, lambda: None
    lab.use_cpu = lambda: setattr(lab, "by_cpu", True)
    lab.known = lambda: SimpleNamespace(gpu_only=(GPU_ONLY,)) if known else None
    return lab


def test_nothing_is_measured_on_the_cpu() -> None:
    """Its times mean nothing. It has programs of its own."""
    with pytest.raises(LabError, match="--on-cpu is for check and run only"):
        on_cpu.demand_command("bench", ["part3", "mine", "--on-cpu"])
    on_cpu.demand_command("check", ["--on-cpu"])
    lab = _lab()
    on_cpu.begin(lab, ["mine"])
    assert lab.by_cpu


@pytest.mark.parametrize(
    ("lab", "name", "why"),
    [
        (_lab(), "mine_graph", "part3/mine_graph uses CUDA graphs, which only a GPU has"),
        (_lab(kernels=False), "mine", "part3 has none"),
        (_lab(known=False), "mine", "kernels cannot run on the CPU here"),
    ],
)
def test_what_cannot_run_so_is_refused(lab: Any, name: str, why: str) -> None:
    with pytest.raises(LabError, match=why):
        on_cpu.begin(lab, [name])
