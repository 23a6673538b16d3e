"""What does each small idea gain alone, added to naive or taken out of third_law?

    make_ablation.py FILE.json [options of bench]     needs a GPU; minutes

Changes a line or two in a copy of the sources, builds each as a student's version of part 3, measures all in one run.
"""

import re
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

from nbody_lab import ROOT

TREE = ROOT / "build/ablation"
LADDER = "solutions/part3_cuda"
MADE_OF = {
    "third_law": "09_third_law.cuh",
    "third_law_kernel": "support/third_law_kernel.cuh",
    "interaction": "support/interaction.cuh",
    "estimates": "support/estimates.cuh",
}
# What those files include.
BESIDE = (
    "support/real4.cuh",
    "support/arrays.cuh",
    "support/padded_arrays.cuh",
    "support/third_law_plan.hpp",
)
BENCH = ("-n", "65536", "--rounds", "5")

Edit = namedtuple("Edit", "file old new")
Idea = namedtuple("Idea", "name flags edits")
FTZ, SHAPE = "-O3 -ftz=true", "ThirdLawShape{9, 4, 2, 2, 3}"


def in_naive(old, new):
    return Edit("naive", old, new)


def shape(other):
    return (Edit("third_law", SHAPE, f"ThirdLawShape{{{other}}}"),)


RSQRT = in_naive("1 / sqrt(r2)", "rsqrt(r2)")
LOOP = "for (std::size_t j = 0; j < n; ++j)"

# Edits of naive are within the kernel of its accelerations.
ADDED = (
    Idea("rsqrt", "-O3", (RSQRT,)),
    Idea("ftz", FTZ, ()),
    Idea("rsqrt_and_ftz", FTZ, (RSQRT,)),
    Idea("fast_math", "-O3 -use_fast_math", ()),
    Idea(
        "registers",
        "-O3",
        (
            in_naive("bodies[i].q", "self.q"),
            in_naive("  real ax = ", "  const Body self = bodies[i];\n  real ax = "),
        ),
    ),
    Idea("no_test", "-O3", (in_naive("if (i != j) {", "{"),)),
    Idea("unroll_8", "-O3", (in_naive(f"  {LOOP}", f"#pragma unroll 8\n  {LOOP}"),)),
    Idea("int_index", "-O3", (in_naive(LOOP, "for (int j = 0; j < static_cast<int>(n); ++j)"),)),
)
TAKEN_OUT = (
    Idea("nothing", FTZ, ()),
    Idea("ftz", "-O3", ()),
    Idea(
        "rsqrt",
        FTZ,
        (
            Edit(
                "estimates",
                'asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));',
                "y = 1.0f / sqrtf(x);",
            ),
        ),
    ),
    Idea("mass_apart", FTZ, (Edit("third_law_kernel", "tile.mass[lane + turn]", "j.w"),)),
    Idea("unrolling", FTZ, shape("9, 4, 1, 2, 3")),
    Idea("ahead", FTZ, shape("9, 4, 2, 0, 3")),
    Idea("five_of_nine_bodies", FTZ, shape("4, 4, 2, 2, 3")),
    Idea("eight_of_nine_bodies", FTZ, shape("1, 4, 2, 1, 3")),
)


class NothingChanged(Exception):
    """An edit that finds nothing is a mistake in this table."""


def edited(text, edits, file):
    for edit in edits:
        if edit.file != file:
            continue
        if edit.old not in text:
            raise NothingChanged(f"there is no '{edit.old}' in {file}.cuh")
        text = text.replace(edit.old, edit.new)
    return text


def as_mine(text, class_name):
    return re.sub(rf"\b(class|explicit) {class_name}\b", r"\1 Mine", text)


def naive_with(idea, root=ROOT):
    """{file name: text}"""
    text = (root / "part3_cuda/naive.cuh").read_text(encoding="utf-8")
    begin = text.index("void accelerations(")
    end = text.index("\n}", begin)
    return {
        f"mine_plus_{idea.name}.cuh": as_mine(
            text[:begin] + edited(text[begin:end], idea.edits, "naive") + text[end:], "Naive"
        )
    }


def third_law_without(idea, root=ROOT):
    """{file name: text}: the files that it is made of, under names of their own."""
    name, files = f"mine_minus_{idea.name}", {}
    for part, file in MADE_OF.items():
        text = edited((root / LADDER / file).read_text(encoding="utf-8"), idea.edits, part)
        text = text.replace('#include "support/', '#include "')
        for included in MADE_OF:
            text = text.replace(f'"{included}.cuh"', f'"minus_{idea.name}_{included}.cuh"')
        files[f"{name}.cuh" if part == "third_law" else f"minus_{idea.name}_{part}.cuh"] = as_mine(
            text, "ThirdLaw"
        )
    return files


def versions():
    """[(name, flags, {file name: text})]"""
    return [(f"mine_plus_{idea.name}", idea.flags, naive_with(idea)) for idea in ADDED] + [
        (f"mine_minus_{idea.name}", idea.flags, third_law_without(idea)) for idea in TAKEN_OUT
    ]


def make_tree(made):
    """A copy of the sources with the versions in it."""
    shutil.rmtree(TREE, ignore_errors=True)
    shutil.copytree(
        ROOT,
        TREE,
        ignore=lambda folder, names: [
            name
            for name in names
            if Path(folder) == ROOT and (name == "build" or name.startswith("."))
        ],
    )
    (TREE / "build").mkdir()
    if (ROOT / "build/tools").exists():
        (TREE / "build/tools").symlink_to(ROOT / "build/tools")
    for file in BESIDE:
        shutil.copy(TREE / LADDER / file, TREE / "part3_cuda")
    for _, _, files in made:
        for file, text in files.items():
            (TREE / "part3_cuda" / file).write_text(text, encoding="utf-8")
    with open(TREE / "part3_cuda/flags.txt", "a", encoding="utf-8") as flags:
        flags.writelines(f"{name}: {words}\n" for name, words, _ in made)


def run(*words):
    status = subprocess.run([str(word) for word in words], cwd=TREE, check=False).returncode
    if status:
        sys.exit(status)


def main(words):
    if not words or words[0].startswith("-"):
        print("make_ablation: needs the name of a JSON file to write", file=sys.stderr)
        return 2
    made = versions()
    make_tree(made)
    names = [name for name, _, _ in made]
    run(
        "./lab",
        "bench",
        "part3",
        "naive",
        "third_law",
        *names,
        *BENCH,
        "--json",
        Path(words[0]).resolve(),
        *words[1:],
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
