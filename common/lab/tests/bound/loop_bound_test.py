"""The bound of a loop: what limits it, what one instruction fewer gains, and the tools that count."""

import re
from pathlib import Path

import pytest

from nbody_lab.bound import ports
from nbody_lab.bound.loop_bound import (
    bound_of_loop,
    find_full_ports,
    find_step,
    least_cycles,
    times_beside,
    with_gain,
)
from nbody_lab.bound.ports import CannotCount, PortCounts, count_ports, has_osaca
from nbody_lab.core.bound_file import Bound, bound_file
from nbody_lab.core.model import load
from nbody_lab.hardware.cores import CORES, core_called
from tests.bound.bounds_for_tests import NEWTON, SPR, make_bound, make_loop

# Measured on Sapphire Rapids: 14 and 18 fma of 512 bits with an estimate of 1/sqrt take 8.5 and 10.5
# cycles, so the estimate takes 3 slots. OSACA 0.7.1 has 4 for it: half a cycle more.
MEASURED = {14: 8.5, 18: 10.5}
NEEDS_OSACA = pytest.mark.skipif(not has_osaca(), reason="no OSACA (./lab setup --pictures)")
NEEDS_MCA = pytest.mark.skipif(not ports.find_mca(), reason="no llvm-mca here")
BESIDE = ("movss (%rdx),%xmm0", "add $0x28,%rcx", "addss (%rcx),%xmm0", "add $0x4,%rdx")


@pytest.mark.parametrize(
    ("chain_cycles", "instructions", "limit"),
    [
        (4.0, 1, (9.0, "0")),
        (9.0, 1, (9.0, "0")),
        (12.0, 1, (12.0, "chain")),
        (None, 60, (10.0, "front end")),
    ],
)
def test_limit(chain_cycles: float | None, instructions: int, limit: tuple[float, str]) -> None:
    """What has most to do takes the time: a port, the dependency chain, or the front end."""
    counts = PortCounts("a tool", "a core", {"0": 9.0, "5": 9.0, "2": 4.0}, chain_cycles)
    assert least_cycles(counts, ["nop"] * instructions, 6) == limit
    assert find_full_ports({"0": 9.0, "5": 8.95, "2": 8.8}) == ["0", "5"]  # but for rounding
    assert find_full_ports({"0": 0.0}) == []


def test_loop_beside() -> None:
    """Its iterations follow from the steps of both loops through the same bodies."""
    hot = make_loop("sqrtps (%r11,%rax,1),%xmm0", "add $0x10,%rax", "add $0x1,%rbx")
    other = make_loop(*BESIDE)
    unknown = make_loop("addss %xmm0,%xmm1")
    assert (times_beside(hot, other), times_beside(hot, unknown)) == (4, None)
    assert times_beside(other, hot) is None
    assert find_step(["add $0x2,%rax", "movsd (%rbx,%rax,8),%xmm0"]) == 16


def test_loops_beside_take_their_part() -> None:
    """The divider limits the loop with the roots; the front end limits the one beside it for longer."""
    other = make_loop("movss (%rdx),%xmm0", "add $0x4,%rdx", *["nop"] * 10, roots=0)
    hot = make_loop("sqrtps (%r11,%rax,1),%xmm0", "add $0x10,%rax", others=[other])

    def count(_: object, texts: list[str]) -> PortCounts:
        ports = {"0DV": 6.0, "0": 1.0} if texts == hot.texts else {"0": 1.0}
        return PortCounts("a tool", "a core", ports, chain_cycles=1.0)

    bound = bound_of_loop(hot, SPR, 8, count)
    assert bound.taken_by == {"front end": 8.0, "0DV": 6.0}
    assert (bound.cycles_per_iteration, bound.limit) == (14.0, "0DV")
    (beside,) = bound.beside
    assert (beside.times, beside.cycles, beside.limit) == (4.0, 2.0, "front end")


@pytest.mark.parametrize(
    ("change", "cycles"),
    [
        ({}, 8.8),  # then port 2 is full
        ({"full_ports": ("0DV",), "limit": "0DV", "slot": 3.0, "ports": {"0DV": 9.0}}, 6.0),
        ({"chain_cycles": 9.0}, 9.0),
        ({"limit": "chain"}, None),
    ],
)
def test_one_instruction_less(change: dict[str, object], cycles: float | None) -> None:
    """It saves its slot on the full ports, until something else is full."""
    ports = {"0": 9.0, "5": 9.0, "2": 8.8}
    bound = make_bound(ports=ports).model_copy(update={"one_slot_less": None, **change})
    gain = with_gain(bound).one_slot_less
    assert (gain and gain.cycles_per_iteration) == cycles


def test_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line says which tool to install. Each core is known to one, or a similar one to OSACA."""
    assert all(core.osaca or core.mca for core in CORES)
    assert all(getattr(core_called(core.like), "osaca", "") for core in CORES if core.like)
    monkeypatch.setattr(ports, "has_osaca", lambda: False)
    monkeypatch.setenv("PATH", "/nowhere")
    for core, why in (
        (SPR, "setup --pictures"),
        (core_called("Neoverse V1"), "OSACA does not know Neoverse V1, .*the package llvm"),
        (None, "this processor"),
    ):
        with pytest.raises(CannotCount, match=why):
            count_ports(core, NEWTON)


def test_recorded_answer_of_mca(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cycles of a port are those of all instructions together; another format is one line."""
    file = Path(__file__).parent / "recordings/newton.mca.json"
    answer = ports.Answer.model_validate_json(file.read_bytes())
    busy = {port: cycles for port, cycles in answer.ports().items() if cycles > 0.1}
    assert (answer.core, len(answer.instructions)) == ("sapphirerapids", 4)
    assert busy == {"SKXPort0": 2.02, "SKXPort1": 0.99, "SKXPort5": 1.99, "SKXPort6": 1.0}
    (tmp_path / "llvm-mca").write_text("#!/bin/sh\necho '{}'\n")
    (tmp_path / "llvm-mca").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(CannotCount, match="writes another format"):
        ports.count_by_mca(SPR, NEWTON)


@NEEDS_MCA
def test_mca() -> None:
    """It counts without the instructions that it does not know, and names them."""
    counts = ports.count_by_mca(SPR, [*NEWTON, "nonsense %rax"])
    assert counts.unknown == ["nonsense %rax"]
    assert max(counts.ports.values()) > 1
    with pytest.raises(CannotCount, match="does not know this core"):
        ports.count_by_mca(SPR, ["nonsense"])


@NEEDS_OSACA
@pytest.mark.parametrize(("arithmetic", "cycles"), MEASURED.items())
def test_osaca_agrees_with_what_was_measured(arithmetic: int, cycles: float) -> None:
    """But for the estimate of a root, on which it is half a cycle too slow."""
    texts = [f"vfmadd231ps %zmm31,%zmm31,%zmm{k}" for k in range(arithmetic)]
    bound = bound_of_loop(make_loop(*texts, "vrsqrt14ps %zmm31,%zmm30"), SPR, 16)
    assert (bound.cycles_per_iteration, bound.full_ports) == (cycles + 0.5, ("0", "5"))


@NEEDS_OSACA
def test_osaca_with_borrowed_and_unknown_instructions() -> None:
    """It takes an older core's ports, and names what nobody knows; a similar core stands in."""
    code = "subss 0xc(%rbx),%xmm2; minss %xmm2,%xmm3; divss %xmm2,%xmm4; lock cmpxchg %r8d,(%rdi)"
    bound = bound_of_loop(make_loop(*code.split("; "), "jb 10 <f>", roots=1), SPR, 1)
    assert bound.unknown == ("lock cmpxchg %r8d,(%rdi)",)
    assert list(bound.borrowed) == ["minss %xmm2,%xmm3"]
    assert (bound.full_port, bound.slot) == ("0DV", 3.0)
    assert "divss" in " ".join(bound.chain)
    counts = count_ports(core_called("Zen 5"), NEWTON)
    assert (counts.core, counts.instead_of) == ("AMD Zen4", "Zen 5")


def test_file(tmp_path: Path) -> None:
    """What is written is read as the same bound; unknown texts are empty there, unknown numbers null."""
    bound = make_bound(instead_of=None)
    file = tmp_path / "bound.json"
    file.write_text(bound.to_json())
    assert load(Bound, file) == bound and bound.one_slot_less
    text = file.read_text()
    assert '"instead_of": ""' in text and '"clock_hz": null' in text
    assert not re.search("other_kernels|busy_machine|source", text)
    assert bound_file("part1", "mine", "double").name == "part1_mine_double.json"
    assert bound_file("part1", "mine", "float").name == "part1_mine.json"
