"""The lab as handed out, built once, and the folder of a submission, whose files lie over it.

It has no solutions, so that no submission can include or read one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.building.handed_out import COPIES
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import run_step
from nbody_lab.core.tree_copy import copy_tree
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.grade.archives import read_plain
from nbody_lab.handout.handed_in import is_baseline, is_students

INSIDE = "/pristine_build"  # where a submission's build finds the large files
_LEFT_OUT = ("solutions/", "build/", "docs/solutions", "common/lab/tests/", COPIES)
_LARGE = 100_000  # bytes: larger build files are linked, not copied, for each submission
_PROGRAM = re.compile(
    r"^CMAKE_(?:CXX_COMPILER|CUDA_COMPILER|MAKE_PROGRAM|COMMAND|LINKER|AR):\w+=(/.*)$", re.M
)


def _git(root: Path, *argv: str) -> bytes | None:
    done = subprocess.run(["git", "-C", str(root), *argv], capture_output=True, check=False)
    return None if done.returncode else done.stdout


def _names_below(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("build", ".git", "__pycache__")]
        yield from (os.path.relpath(os.path.join(folder, name), root) for name in names)


def files_of(root: Path) -> list[str]:
    """The paths, relative to the root, of all files of the lab; without git, of all files there."""
    listed = (_git(root, "ls-files", "-z") or b"").split(b"\0")
    names = [os.fsdecode(name) for name in listed if name] or _names_below(root)
    return [name for name in names if not name.startswith(_LEFT_OUT) and (root / name).is_file()]


def copy_given(root: Path, tree: Path) -> None:
    """Copies the lab as handed out. Files that students change, and the baseline naive.hpp, come from the handout's copies
    or from git, so that local edits do not count; those that were not handed out are left out."""
    copies, of_git = root / COPIES, tree.with_name(f"{tree.name}_given")
    roots = {}
    for name in files_of(root):
        roots[name] = root
        if is_students(name) or is_baseline(name):
            if copies.is_dir():
                roots[name] = copies
            elif (root / ".git").exists():
                roots[name] = of_git
                content = _git(root, "show", f"HEAD:{name}")
                if content is not None:
                    write_bytes(of_git / name, content)
    given = {name: at for name, at in roots.items() if (at / name).is_file()}
    copy_tree(given, tree)
    for name in given:  # the user of a sandbox may read them
        (tree / name).chmod(0o755 if os.access(root / name, os.X_OK) else 0o644)
    shutil.rmtree(of_git, ignore_errors=True)


def _copy_or_link(source: Path, target: Path, inside: str) -> None:
    if source.is_symlink():
        os.symlink(os.readlink(source), target)
    elif source.stat().st_size > _LARGE and source.suffix in (".a", ".gch", ".o"):
        os.symlink(inside, target)
    else:
        shutil.copy2(source, target)


@dataclass(frozen=True)
class Pristine:
    """`root`: the lab here; `tree`: the lab as handed out; `parts`: {part1: part1_standard_opti}."""

    root: Path
    tree: Path
    parts: Mapping[str, str]

    @property
    def build(self) -> Path:
        return self.tree / "build/release"

    def prepare(self) -> None:
        """Builds it: a minute the first time, then seconds."""
        self.tree.mkdir(parents=True, exist_ok=True)
        copy_given(self.root, self.tree)
        self.build.mkdir(parents=True, exist_ok=True)
        tools = self.tree / "build/tools"
        if (self.root / "build/tools").exists() and not tools.exists():
            tools.symlink_to(os.path.realpath(self.root / "build/tools"))
        self._step("configuring", ["cmake", "--preset", "release", "-DLAB_TESTS=OFF"])
        targets = [target for part in self.parts for target in self.targets(part)]
        self._step("building", ["ninja", "-C", str(self.build), *targets])

    def _step(self, doing: str, argv: list[str]) -> None:
        log = self.tree / "build/grade.log"
        if run_step(f"{doing} the lab as handed out", argv, log, self.tree):
            raise LabError(f"{doing} the lab as handed out failed: see {log}")

    def targets(self, part: str) -> list[str]:
        """Those of the given mine that are built here: part 3 needs a CUDA compiler, and ranks are not counted."""
        argv = ["ninja", "-C", str(self.build), "-t", "targets", "all"]
        listed = subprocess.run(argv, capture_output=True, text=True, check=False)
        if listed.returncode:
            raise LabError(f"the lab as handed out cannot be built: {listed.stderr.strip()}")
        wanted = (f"{part}_mine", f"{part}_mine_double", f"{part}_mine_count")
        found = [name for name in wanted if f"\n{name}: " in listed.stdout]
        return [*found, f"{part}_worksheet_program"] if found else []

    def is_untouched(self, name: str, file: Path) -> bool:
        """Whether a submission's file is the given one."""
        given = self.tree / name
        return given.is_file() and given.read_bytes() == file.read_bytes()

    def _programs(self) -> list[Path]:
        """The programs that a build runs, as CMake found them."""
        try:
            cache = (self.build / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        found = map(Path, _PROGRAM.findall(cache))
        return [program.resolve() for program in found if program.exists()]

    def tools(self) -> list[str]:
        """The folders that a build needs besides /usr: those of a setup without root, xsimd, and the folders where its
        programs are installed."""
        prefixes = (program.parent.parent for program in self._programs())
        others = [
            prefix
            for prefix in prefixes
            if not prefix.is_relative_to("/usr") and prefix not in (Path("/"), Path.home())
        ]
        found = [(self.root / "build/tools").resolve(), *others]
        return [str(folder) for folder in dict.fromkeys(found) if folder.is_dir()]

    def path(self) -> str:
        """PATH for a build: the folders of its programs, and the system's."""
        folders = [str(program.parent) for program in self._programs()]
        return ":".join(dict.fromkeys([*folders, "/usr/local/bin", "/usr/bin", "/bin"]))

    def copy_build(self, to: Path) -> None:
        """Copies this build folder for a submission, without anything built from the given mine.hpp."""
        for folder, _, names in os.walk(self.build):
            inside = os.path.relpath(folder, self.build)
            if inside == "bin" or inside.startswith("bin/"):
                continue
            target = to / inside
            target.mkdir(parents=True, exist_ok=True)
            if "_mine" not in inside:
                for name in names:
                    _copy_or_link(Path(folder, name), target / name, f"{INSIDE}/{inside}/{name}")
        (to / "bin").mkdir(parents=True, exist_ok=True)


# --- the folder of one submission while it is graded: its files over the given ones, and what is built from them ---


_Binds = list[tuple[str, str]]  # (path here, path inside)
_MOST_ROWS = 12  # mine*.hpp files in a part
_LONGEST = 1 << 22  # bytes of a file written by a student's program


def row_names(folder: Path) -> tuple[list[str], list[str]]:
    """(rows that become programs, rows too many), read as common/cmake/student_flags.cmake reads them."""
    found = sorted(
        file.stem
        for file in folder.iterdir()
        if re.fullmatch(r"mine(_[A-Za-z0-9_]+)?\.(hpp|cuh)", file.name)
    )
    names = [name for name in found if not name.endswith(("_count", "_double"))]
    return names[:_MOST_ROWS], names[_MOST_ROWS:]


class Box:
    """Holds `tree` and `build`; a build sees them as `tree_inside` and `build_inside`, where the given lab was
    configured."""

    def __init__(self, folder: Path, pristine: Pristine) -> None:
        self.folder, self.pristine = folder, pristine
        self.build, self.counts = self.folder / "build", self.folder / "counts"
        self.tree = self.folder / "tree"
        self.tree_inside, self.build_inside = pristine.tree, pristine.build

    def fill(self, files: Mapping[str, Path]) -> None:
        """Lays `files`, {"part1_standard_opti/mine.hpp": Path}, over the given tree."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.tree.mkdir(parents=True)
        self._bring_given()
        for name, file in files.items():
            target = self.tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
            target.chmod(0o644)
        self.counts.mkdir()

    def _bring_given(self) -> None:
        """Links to the given lab and its build."""
        for entry in self.pristine.tree.iterdir():
            if entry.name in self.pristine.parts.values():
                shutil.copytree(entry, self.tree / entry.name)
            elif entry.name != "build":
                os.symlink(entry, self.tree / entry.name)
        self.pristine.copy_build(self.build)

    def bring_back(self, part: str, name: str) -> bool:
        """Replaces the student's file by the given one; False if they are the same."""
        folder = self.pristine.parts[part]
        file, given = self.tree / folder / name, self.pristine.tree / folder / name
        if not given.is_file() or file.read_bytes() == given.read_bytes():
            return False
        file.write_bytes(given.read_bytes())
        return True

    def to_build(self) -> tuple[_Binds, _Binds]:
        """(read-only, writable): the tree where it was configured."""
        tree, pristine = self.tree, self.pristine
        read_only = [(str(pristine.tree), str(pristine.tree)), (str(pristine.build), INSIDE)]
        read_only += [(folder, folder) for folder in pristine.tools()]
        for folder in pristine.parts.values():
            read_only.append((str(tree / folder), str(pristine.tree / folder)))
        return read_only, [(str(self.build), str(pristine.build))]

    def to_run(self) -> _Binds:
        return [(str(self.build / "bin"), str(self.build / "bin"))]

    def program(self, part: str, name: str) -> Path:
        return self.build / "bin" / part / name

    def is_built(self, part: str, name: str) -> bool:
        return self.program(part, name).is_file()

    def keep_programs(self) -> None:
        """Deletes everything but the programs."""
        _empty(self.build, "bin")
        _empty(self.tree, "build")


def remove(path: Path) -> None:
    """Deletes a path, whatever a student's program made of it."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _empty(folder: Path, but: str) -> None:
    """Deletes everything in it, but for the folder of this name."""
    for entry in folder.iterdir():
        if entry.name != but or not entry.is_dir() or entry.is_symlink():
            remove(entry)


def read_written(file: Path) -> str | None:
    """The text of a file written by a student's program, which has ended; None unless it is a plain file of a sensible
    size."""
    try:
        text = read_plain(file, _LONGEST + 1)
    except OSError:
        return None
    return None if len(text) > _LONGEST else text.decode("utf-8", "replace")
