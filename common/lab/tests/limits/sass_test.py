"""The slots of a kernel, from a program's listing as cuobjdump prints it: a main loop with two roots
and a call for small numbers, its remainder; a kernel of pairs; one that searches for the time step."""

from pathlib import Path

import pytest

from nbody_lab.limits import sass
from nbody_lab.limits.machine_code import NoBound
from nbody_lab.limits.sass import count_busy, disassemble, find_kernel, roots_of

_KERNELS = {
    "_Z5tilesv": "LDC R1; FFMA R2; MUFU.RSQ R6; @!P0 BRA 0x60; MOV R8; CALL.REL 0x200; MUFU.RSQ R7;"
    " LDS.128 R8; @P1 BRA 0x10; MUFU.RSQ R7; @P1 BRA 0x90; EXIT; BRA 0xc0",
    "_Z5pairsv": "FADD R2; FADD R3; FADD R4; MUFU.RSQ R6; @P1 BRA 0x0; MUFU.RSQ R7; EXIT; MOV R9; BRA 0x20",
    "_Z10time_stepsv": "MUFU.RSQ R6; @P1 BRA 0x0; EXIT",
}


def listing(kernels: dict[str, str]) -> str:
    lines = ["\tcode for sm_90"]
    for name, code in kernels.items():
        lines += [f"\t\tFunction : {name}", '\t.headerflags\t@"EF_CUDA_SM90"']
        texts = enumerate(code.split("; "))
        lines += [f"        /*{16 * k:04x}*/        {text} ;  /* 0x1 */" for k, text in texts]
    return "\n".join(lines) + "\n"


def test_one_of_several_kernels() -> None:
    """The fewest slots per root of those that are launched; without the call and the remainder."""
    text = listing(_KERNELS)
    loop = find_kernel(text, {"tiles", "pairs"})
    assert (loop.function, roots_of(loop)) == ("tiles", 2)
    slow_way_behind_the_end = find_kernel(text, {"pairs"})  # jumps back, and is no loop
    assert roots_of(slow_way_behind_the_end) == 1
    assert count_busy(loop.texts, "sm_90") == {"slots": 6, "float": 1, "special": 16, "shared": 4}


def test_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    tensor = listing(_KERNELS | {"_Z8matricesv": "@P0 HMMA.16816.F32 R4, R4, R8"})
    with pytest.raises(NoBound, match="computes on the tensor cores"):
        find_kernel(tensor, {"tiles", "matrices"})
    with pytest.raises(NoBound, match="no kernel with a square root"):
        find_kernel(listing({"_Z5movesv": "HFMA2.MMA R1, -RZ; EXIT"}), {"moves"})
    monkeypatch.setattr(sass, "_FOLDERS", ())
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NoBound, match="setup --cuda"):
        disassemble(Path("program"))
