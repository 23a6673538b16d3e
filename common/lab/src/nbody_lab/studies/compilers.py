"""What do compilers and flags do? Builds naive, mine and the last rung of a part with each compiler and set of flags,
and measures all of them together. Each compiler has one build folder: with other flags only the implementations are
compiled again, and their programs are kept.

Implementations with OpenMP keep it.
"""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from nbody_lab.core.manifest import Implementation, Manifest, manifest_text
from nbody_lab.core.messages import Failure, UserError, say
from nbody_lab.core.steps import run_step
from nbody_lab.core.whole_file import write_text

COMPILERS = ("g++", "clang++")
FLAG_SETS = ("-O2", "-O3", "-O3 -march=native", "-O3 -march=native -ffast-math")


def names_to_study(manifest: Manifest, part: str) -> list[str]:
    """naive, mine and the best: the last row of kind `solution`. Raises UserError if there is none of them."""
    solutions = [row.name for row in manifest.of_part(part, "solution")]
    there = [row.name for row in manifest.of_part(part)]
    names = [name for name in ("naive", "mine", *solutions[-1:]) if name in there]
    if not names:
        raise UserError(f"{part} has neither naive, mine nor a solution")
    return names


def rows_of(
    folder: Path, part: str, names: Sequence[str], compiler: str, flags: str
) -> list[Implementation]:
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


def _build(
    root: Path, folder: Path, part: str, names: Sequence[str], compiler: str, flags: str
) -> bool:
    """True if the build succeeds; `folder` then has its log, programs and manifest."""
    build, log = folder.parent / f"of_{compiler}", folder / "log"
    configuring = ["cmake", "-S", str(root), "-B", str(build), "-G", "Ninja"]
    configuring += ["-DCMAKE_BUILD_TYPE=Release", "-DLAB_TESTS=OFF"]
    configuring += [f"-DCMAKE_CXX_COMPILER={compiler}", f"-DLAB_STUDY_FLAGS={flags}"]
    targets = [f"{part}_{name}" for name in names]
    building = ["cmake", "--build", str(build), "--target", *targets]
    for what, words in (("configuring for", configuring), ("building with", building)):
        if run_step(f"{what} {compiler} {flags}", words, log, root):
            return False
    shutil.copy(build / "manifest.json", folder)
    manifest = Manifest(folder / "manifest.json")
    for row in (manifest.row(part, name) for name in names):
        for program in {row.program, *(one.program for one in row.programs)}:
            if (build / program).exists():  # those for double are not built
                (folder / program).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(build / program, folder / program)
    return True


def build_all(root: Path, part: str, manifest: Path) -> Path:
    """Builds all combinations; returns the manifest of those that could be built."""
    studied = root / "build/study"
    names = names_to_study(Manifest(manifest), part)
    rows: list[Implementation] = []
    for compiler in filter(shutil.which, COMPILERS):
        for flags in FLAG_SETS:
            label = re.sub(r"[^A-Za-z0-9_+.-]", "_", f"{compiler} {flags}".replace(" -", "_"))
            folder = studied / label
            if _build(root, folder, part, names, compiler, flags):
                rows += rows_of(folder, part, names, compiler, flags)
            else:
                say(f"{compiler} {flags}: does not build, left out; see {folder}/log")
    if not rows:
        say("nothing was built")
        raise Failure(1)
    # Sort by implementation: all naive ones first, and so on.
    rows.sort(key=lambda row: names.index(row.name.split()[0]))
    write_text(studied / "manifest.json", manifest_text(rows))
    return studied / "manifest.json"
