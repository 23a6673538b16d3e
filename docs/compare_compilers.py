"""What do compilers and flags do? Builds naive, mine and the last rung of a part with g++ and clang++ and four sets of flags,
and measures all of them together.

    ./lab build part1 && compare_compilers.py PART [-n N] [--quick]     as ./lab bench

Results go to build/study/PART.json. Each compiler has one build folder: with other flags only the implementations are
compiled again, and their programs are kept. Implementations with OpenMP keep it.
"""

import argparse
import re
import shutil
import sys

from nbody_lab import ROOT
from nbody_lab.building.manifest import Manifest, manifest_text
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.run import run_step
from nbody_lab.core.whole_file import write_text
from nbody_lab.measure.bench import measure
from nbody_lab.measure.bench_plan import QUICK, Asked, Clock, plan_of
from nbody_lab.measure.bench_text import bench_text

COMPILERS = ("g++", "clang++")
FLAG_SETS = ("-O2", "-O3", "-O3 -march=native", "-O3 -march=native -ffast-math")
STUDIED, RELEASE = ROOT / "build/study", ROOT / "build/release"


def names_to_study(manifest, part):
    """naive, mine and the best: the last row of kind `solution`."""
    solutions = [row.name for row in manifest.of_part(part, "solution")]
    there = [row.name for row in manifest.of_part(part)]
    return [name for name in ("naive", "mine", *solutions[-1:]) if name in there]


def rows_of(folder, part, names, compiler, flags):
    """The rows of one build, with compiler and flags in their names."""
    manifest, rows = Manifest(folder / "manifest.json"), []
    for row in (manifest.row(part, name) for name in names):
        programs = [
            one.model_copy(update={"program": f"{folder.name}/{one.program}"})
            for one in row.programs
        ]
        changed = {
            "name": f"{row.name} {folder.name}",
            "flags": (compiler, *flags.split()),
            "program": f"{folder.name}/{row.program}",
            "programs": tuple(programs),
            "count": None,
            "class_name": "",  # so that bench does not compare the name that a program reports
        }
        rows.append(row.model_copy(update=changed))
    return rows


def build(folder, part, names, compiler, flags):
    """True if it succeeds; the folder then has its log, programs and manifest."""
    tree, log = STUDIED / f"of_{compiler}", folder / "log"
    configuring = ["cmake", "-S", str(ROOT), "-B", str(tree), "-G", "Ninja"]
    configuring += ["-DCMAKE_BUILD_TYPE=Release", "-DLAB_TESTS=OFF"]
    configuring += [f"-DCMAKE_CXX_COMPILER={compiler}", f"-DLAB_STUDY_FLAGS={flags}"]
    targets = [f"{part}_{name}" for name in names]
    building = ["cmake", "--build", str(tree), "--target", *targets]
    for what, words in (("configuring for", configuring), ("building with", building)):
        if run_step(f"{what} {compiler} {flags}", words, log, ROOT):
            return False
    shutil.copy(tree / "manifest.json", folder)
    manifest = Manifest(folder / "manifest.json")
    for row in (manifest.row(part, name) for name in names):
        for program in {row.program, *(one.program for one in row.programs)}:
            if (tree / program).exists():  # those for double are not built
                (folder / program).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(tree / program, folder / program)
    return True


def build_all(part):
    """The rows of all combinations that could be built, sorted by implementation: all naive ones first, and so on."""
    names = names_to_study(Manifest(RELEASE / "manifest.json"), part)
    rows = []
    for compiler in filter(shutil.which, COMPILERS):
        for flags in FLAG_SETS:
            label = re.sub(r"[^A-Za-z0-9_+.-]", "_", f"{compiler} {flags}".replace(" -", "_"))
            folder = STUDIED / label
            if build(folder, part, names, compiler, flags):
                rows += rows_of(folder, part, names, compiler, flags)
            else:
                say(f"{compiler} {flags}: does not build, left out; see {folder}/log")
    return sorted(rows, key=lambda row: names.index(row.name.split()[0]))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("part")
    parser.add_argument("-n", type=int, default=5000)
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args(arguments)
    manifest, part = STUDIED / "manifest.json", asked.part
    try:
        rows = build_all(part)
        manifest.write_text(manifest_text(rows), encoding="utf-8")
        clock = QUICK if asked.quick else Clock()
        plan = plan_of(Manifest(manifest), part, Asked(n=(asked.n,), clock=clock))
        status, result, text = measure(RELEASE / "bin/bench", plan, f"measuring {part}")
        write_text(STUDIED / f"{part}.json", text)
        show(bench_text(result))
    except (LabError, OSError) as fault:
        print(f"compare_compilers: {fault}", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
