"""The option --on-cpu: which commands accept it, and what is refused."""

from types import SimpleNamespace
from typing import Any

import pytest

from nbody_lab.building import on_cpu
from nbody_lab.core.errors import LabError

GPU_ONLY = SimpleNamespace(part="part3", name="mine_graph", why="CUDA graphs")


def _lab(kernels: bool = True, known: bool = True, part: str = "part3") -> Any:
    lab = SimpleNamespace(part=part, preset="release", by_cpu=False)
    lab.has_kernels = lambda: kernels
    lab.use_cpu = lambda: setattr(lab, "by_cpu", True)
    lab.known = lambda: SimpleNamespace(gpu_only=(GPU_ONLY,)) if known else None
    lab.step = lambda *_: None
    lab.demand_part = lambda: None
    return lab


@pytest.mark.parametrize("command", ["bench", "try", "profile", "roofline", "count"])
def test_nothing_is_measured_on_the_cpu(command: str) -> None:
    """Its times mean nothing."""
    with pytest.raises(LabError, match="--on-cpu is for check and run only"):
        on_cpu.demand_command(command, ["part3", "mine", "--on-cpu"])
    on_cpu.demand_command(command, ["part3"])
    for allowed in ("check", "run"):
        on_cpu.demand_command(allowed, ["--on-cpu"])


def test_it_has_programs_of_its_own() -> None:
    """The lab switches to their manifest."""
    lab = _lab()
    on_cpu.begin(lab, ["mine"])
    assert lab.by_cpu


@pytest.mark.parametrize(
    ("lab", "name", "why"),
    [
        (_lab(), "mine_graph", "part3/mine_graph uses CUDA graphs, which only a GPU has"),
        (_lab(kernels=False, part="part1"), "mine", "part1 has none"),
        (_lab(known=False), "mine", "kernels cannot run on the CPU here"),
    ],
)
def test_what_cannot_run_so_is_refused(lab: Any, name: str, why: str) -> None:
    """In one line that says why."""
    with pytest.raises(LabError, match=why) as refused:
        on_cpu.begin(lab, [name])
    assert "\n" not in str(refused.value)
