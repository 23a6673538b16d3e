#!/usr/bin/env python3
"""Does a function of naive.cuh compile once it is pasted into mine.cuh, with a kernel of its own? And is
a misspelled one refused? nvcc compiles for one GPU and links nothing, so none is needed.

usage: paste_test.py NVCC [FLAG...]
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from nbody_lab.building.handed_out import is_given_mine

HERE = pathlib.Path(__file__).resolve().parent
COMMON = HERE.parent / "common"

NAIVE = (HERE / "naive.cuh").read_text()
BASE = (COMMON / "cuda/copied_bodies.cuh").read_text()
MINE = (HERE / "mine.cuh").read_text()


def functions_of(text):
    """Name -> text of each overriding member function."""
    pattern = r"(^  [^\n]*\b(\w+)\([^\n]*\)[^\n]* override \{\n.*?^  \}\n)"
    return {name: text for text, name in re.findall(pattern, text, re.M | re.S)}


def kernel_of(text, name):
    return re.search(r"^__global__ void " + name + r"\(.*?^\}\n", text, re.M | re.S).group()


def own_names(text):
    return text.replace("void accelerations(", "void my_accelerations(").replace(
        " accelerations<<<", " my_accelerations<<<"
    )


def empty():
    """mine.cuh without its function; its kernel is still there."""
    place = "  using Naive::Naive;\n"
    assert MINE.count(place) == 1, "mine.cuh no longer inherits the constructor"
    return MINE.replace("\n" + functions_of(MINE)["compute_accelerations"], "")


def pasted(*texts):
    """The texts below the inherited constructor."""
    place = "  using Naive::Naive;\n"
    return empty().replace(place, place + "\n" + "\n".join(texts))


def begins_as_naive():
    """Whether kernel and function of mine.cuh are naive's, except for the kernel's name."""
    same_kernel = kernel_of(MINE, "my_accelerations") == own_names(
        kernel_of(NAIVE, "accelerations")
    )
    return same_kernel and functions_of(MINE) == {
        "compute_accelerations": own_names(functions_of(NAIVE)["compute_accelerations"])
    }


def own_class():
    """Naive and the class below it as one class."""
    text = (
        MINE[: MINE.index("class Mine")]
        + BASE[BASE.index("class CopiedBodies") : BASE.index("};\n\n}  // namespace")]
    )
    functions = "\n".join(functions_of(NAIVE).values())
    text = text.replace("class CopiedBodies", "class Mine").replace(
        "explicit CopiedBodies", "explicit Mine"
    )
    return text + "\n public:\n" + functions + "};\n\n}  // namespace nbody\n"


def compiles(mine, command):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "mine.cuh").write_text(mine)
        (folder / "naive.cuh").write_text(NAIVE)
        (folder / "use.cu").write_text('#include "mine.cuh"\n')
        # Warnings too: a pasted line should not cause one.
        words = [*command, "-std=c++20", "--expt-relaxed-constexpr", "-arch=sm_75", "-cubin"]
        words += ["-Werror=all-warnings", "-Xcompiler=-Wall,-Wextra", f"-I{COMMON}"]
        done = subprocess.run(
            [*words, "-o", str(folder / "use.cubin"), str(folder / "use.cu")],
            check=False,
            capture_output=True,
            text=True,
        )
    return done.returncode == 0, done.stderr + done.stdout


def cases():
    functions, of_base = functions_of(NAIVE), functions_of(BASE)
    assert set(functions) == {"compute_accelerations", "largest_time_step", "update_bodies"}, (
        f"functions found in naive.cuh: {sorted(functions)}"
    )
    assert set(of_base) == {"kick", "drift"}, (
        f"functions found in copied_bodies.cuh: {sorted(of_base)}"
    )
    assert begins_as_naive(), "mine.cuh does not begin with naive's function and kernel"
    yield "mine.cuh as it is", MINE, True
    yield "all pasted", pasted(*functions.values(), *of_base.values()), True
    yield "a class of its own", own_class(), True
    for name in ("compute_accelerations", "update_bodies"):
        yield f"{name} misspelled", pasted(functions[name].replace(name, name + "s")), False


def main():
    if not is_given_mine(HERE, MINE):
        print("skipped: mine.cuh is no longer the file that students start from")
        return 77
    failures = 0
    for name, mine, wanted in cases():
        good, message = compiles(mine, sys.argv[1:])
        # Refused for the one reason, not because a bracket is missing.
        if not wanted and "override" not in message:
            good = True
        verdict = "ok" if good == wanted else "FAILED"
        print(f"{verdict}: {name} {'compiles' if wanted else 'is refused'}", flush=True)
        if good != wanted:
            failures += 1
            print(message)
    return 1 if failures else 0


sys.exit(main())
