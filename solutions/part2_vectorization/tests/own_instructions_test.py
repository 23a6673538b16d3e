#!/usr/bin/env python3
"""Does every program of part 2 keep to its own instruction set?

    own_instructions_test.py FOLDER     with NAME_sse2, NAME_avx2, NAME_avx512

An inlined template that the linker took from elsewhere would end the program on an older machine. Looks at the
registers in the assembly. Where qemu-x86_64 is there, the sse2 programs are also run on a processor of 2006.
Status 77: no objdump, or no such programs.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

AVX = r"%ymm\d"
AVX512 = r"%(zmm\d|[xy]mm(1[6-9]|2\d|3[01]))"  # registers 16 to 31 belong to AVX-512, in all widths
ZMM = r"%zmm"


def faults_of(folder, name):
    """What is wrong, a line each. What cannot be found where it must be cannot be missed elsewhere."""

    def uses(ending, registers):
        listing = subprocess.run(
            ["objdump", "-d", "--no-show-raw-insn", folder / f"{name}{ending}"],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        return re.search(registers, listing) is not None

    if uses("_sse2", f"{AVX}|{AVX512}"):
        yield f"{name}_sse2 uses registers of AVX"
    if uses("_avx2", AVX512):
        yield f"{name}_avx2 uses registers of AVX-512"
    if not uses("_avx2", AVX):
        yield f"{name}_avx2 uses no register of AVX"
    if not uses("_avx512", ZMM):
        yield f"{name}_avx512 uses no register of AVX-512"
    if shutil.which("qemu-x86_64"):
        run = subprocess.run(
            ["qemu-x86_64", "-cpu", "Conroe", folder / f"{name}_sse2", "-n", "33", "-i", "2"],
            stdout=subprocess.DEVNULL,
            check=False,
        )
        if run.returncode != 0:
            yield f"{name}_sse2 does not run on a Conroe"


def main(folder):
    # intrinsics are for AVX-512 alone.
    names = sorted(program.name[: -len("_sse2")] for program in folder.glob("*_sse2"))
    if not shutil.which("objdump") or not names:
        print("objdump is not there" if names else f"{folder} has no programs for instruction sets")
        return 77
    faults = [fault for name in names for fault in faults_of(folder, name)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
