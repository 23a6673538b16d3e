"""What do compilers and flags do? Builds naive, mine and the last rung of a part with each compiler and set of flags,
and measures all of them together. Each compiler has one build folder: with other flags only the implementations are
compiled again, and their programs are kept.

    study_compilers.py ROOT PART MANIFEST BENCH [options of bench]

Implementations with OpenMP keep it.
"""

import json
import re
import shutil
import subprocess
import sys
import time

from nbody_lab.core.manifest import VERSION, Manifest, ManifestError
from nbody_lab.core.running import replace_by

COMPILERS = ["g++", "clang++"]
FLAG_SETS = ["-O2", "-O3", "-O3 -march=native", "-O3 -march=native -ffast-math"]


def say(text):
    print(f"study: {text}", file=sys.stderr, flush=True)


def names_to_study(manifest, part):
    """naive, mine and the best: the last row of kind `solution`."""
    solutions = [row["name"] for row in manifest.of_part(part, "solution")]
    there = [row["name"] for row in manifest.of_part(part)]
    return [name for name in ["naive", "mine", *solutions[-1:]] if name in there]


def label_of(compiler, flags):
    return re.sub(
        r"[^A-Za-z0-9_+.-]",
        "_",
        "_".join([compiler, *(flag.lstrip("-") for flag in flags.split())]),
    )


def rows_of(folder, part, names, compiler, flags):
    """The rows of one build, with compiler and flags in their names."""
    manifest, rows = Manifest(folder / "manifest.json"), []
    for name in names:
        row = manifest.row(part, name)
        row["name"] = f"{name} {folder.name}"
        row["flags"] = [compiler, *flags.split()]
        for program in [row, *row["programs"]]:
            program["program"] = f"{folder.name}/{program['program']}"
        row["count"] = None
        row["class"] = ""  # without it, bench does not compare the name that a program reports
        rows.append(row)
    return rows


def build(root, build_folder, folder, part, names, compiler, flags):
    """True if the build succeeds; `folder` then has its log, programs and manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    commands = [
        [
            "cmake",
            "-S",
            str(root),
            "-B",
            str(build_folder),
            "-G",
            "Ninja",
            "-DCMAKE_BUILD_TYPE=Release",
            "-DLAB_TESTS=OFF",
            f"-DCMAKE_CXX_COMPILER={compiler}",
            f"-DLAB_STUDY_FLAGS={flags}",
        ],
        ["cmake", "--build", str(build_folder), "--target", *(f"{part}_{name}" for name in names)],
    ]
    with open(folder / "log", "w", encoding="utf-8") as log:
        if any(
            subprocess.run(words, stdout=log, stderr=log, check=False).returncode != 0
            for words in commands
        ):
            return False
    shutil.copy(build_folder / "manifest.json", folder)
    manifest = Manifest(folder / "manifest.json")
    for row in (manifest.row(part, name) for name in names):
        for program in {row["program"], *(program["program"] for program in row["programs"])}:
            if (build_folder / program).exists():  # those for double are not built
                (folder / program).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(build_folder / program, folder / program)
    return True


def study(root, part, manifest, bench, options):
    """Builds all combinations and becomes bench; returns 1 if none could be built."""
    folder = root / "build" / "study"
    names = names_to_study(Manifest(manifest), part)
    if not names:
        raise ManifestError(f"{part} has neither naive, mine nor a solution")
    rows = []
    compilers = [compiler for compiler in COMPILERS if shutil.which(compiler)]
    for number, (compiler, flags) in enumerate((c, f) for c in compilers for f in FLAG_SETS):
        start, own = time.monotonic(), folder / label_of(compiler, flags)
        if build(root, folder / f"of_{compiler}", own, part, names, compiler, flags):
            rows += rows_of(own, part, names, compiler, flags)
            say(
                f"{number + 1} of {len(compilers) * len(FLAG_SETS)}: {compiler} {flags}, built in {time.monotonic() - start:.0f} s"
            )
        else:
            say(f"{compiler} {flags}: does not build, left out; see {own}/log")
    if not rows:
        say("nothing was built")
        return 1
    # Sort by implementation: all naive ones first, and so on.
    rows.sort(key=lambda row: names.index(row["name"].split()[0]))
    studied = folder / "manifest.json"
    studied.write_text(
        json.dumps({"version": VERSION, "parts": [], "implementations": rows}, indent=1),
        encoding="utf-8",
    )
    replace_by([bench, part, "--manifest", str(studied), *options])
    return None
