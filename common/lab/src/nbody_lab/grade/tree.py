"""The lab as handed out, built once, and the tree of a submission, whose files lie over it.

It has no solutions, so that no submission can include or read one.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.building.handed_out import COPIES
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import capture, run_step
from nbody_lab.core.tree_copy import copy_tree
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.handout.handed_in import is_given

_INSIDE = "/given_build"  # where a submission's build finds the large files
_LEFT_OUT = ("solutions/", "build/", "docs/solutions", "common/lab/tests/", COPIES)
_LARGE = 100_000  # bytes: larger build files are linked, not copied, for each submission
_PROGRAM = re.compile(
    r"^CMAKE_(?:CXX_COMPILER|CUDA_COMPILER|MAKE_PROGRAM|COMMAND|LINKER|AR):\w+=(/.*)$", re.M
)


def _git(root: Path, *argv: str) -> bytes | None:
    done = subprocess.run(["git", "-C", str(root), *argv], capture_output=True, check=False)
    return None if done.returncode else done.stdout


def files_of(root: Path) -> list[str]:
    """The paths, relative to the root, of all files of the lab; without git, of all files there."""
    names = os.fsdecode(_git(root, "ls-files", "-z") or b"").split("\0")
    if not any(names):
        names = []
        for folder, folders, found in os.walk(root):
            folders[:] = [name for name in folders if name not in ("build", ".git", "__pycache__")]
            names += [os.path.relpath(os.path.join(folder, name), root) for name in found]
    return [name for name in names if not name.startswith(_LEFT_OUT) and (root / name).is_file()]


def copy_given(root: Path, tree: Path) -> None:
    """Copies the lab as handed out. Files that students change, and the baseline naive.hpp, come from the handout's copies
    or from git, so that local edits do not count; those that were not handed out are left out."""
    copies, of_git = root / COPIES, tree.with_name(f"{tree.name}_of_git")
    roots = {}
    for name in files_of(root):
        roots[name] = root
        if is_given(name):
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


@dataclass(frozen=True)
class Given:
    """`root`: the lab here; `tree`: the lab as handed out; `parts`: {part1: part1_standard_opti}."""

    root: Path
    tree: Path
    parts: Mapping[str, str]

    @property
    def build(self) -> Path:
        return self.tree / "build/release"

    def prepare(self) -> None:
        """Builds it: a minute the first time, then seconds."""
        copy_given(self.root, self.tree)
        self.build.mkdir(parents=True, exist_ok=True)
        tools = self.tree / "build/tools"
        if (self.root / "build/tools").exists() and not tools.exists():
            tools.symlink_to(os.path.realpath(self.root / "build/tools"))
        self._step("configuring", ["cmake", "--preset", "release", "-DLAB_TESTS=OFF"])
        argv = ["ninja", "-C", str(self.build)]
        there = capture(*argv, "-t", "targets", "all").stdout
        wanted = [
            f"{part}_{name}"
            for part in self.parts
            for name in ("mine", "mine_double", "mine_count", "worksheet_program")
            # Part 3 needs a CUDA compiler, part 4 an MPI library; ranks are not counted.
            if f"\n{part}_mine: " in there and f"\n{part}_{name}: " in there
        ]
        self._step("building", [*argv, *wanted])

    def _step(self, doing: str, argv: list[str]) -> None:
        log = self.tree / "build/grade.log"
        if run_step(f"{doing} the lab as handed out", argv, log, self.tree):
            raise LabError(f"{doing} the lab as handed out failed: see {log}")

    def has(self, name: str, file: Path) -> bool:
        """Whether a submission's file is the given one."""
        given = self.tree / name
        return given.is_file() and given.read_bytes() == file.read_bytes()

    def _programs(self) -> list[Path]:
        """The programs that a build runs, as CMake found them."""
        cache = self.build / "CMakeCache.txt"
        text = cache.read_text(encoding="utf-8", errors="replace") if cache.exists() else ""
        found = map(Path, _PROGRAM.findall(text))
        return [program.resolve() for program in found if program.exists()]

    def tools(self) -> list[Path]:
        """The folders that a build needs besides /usr: those of a setup without root, xsimd, and the folders where its
        programs are installed."""
        prefixes = {(self.root / "build/tools").resolve(): None}
        prefixes |= {program.parent.parent: None for program in self._programs()}
        return [
            folder
            for folder in prefixes
            if folder.is_dir()
            and not folder.is_relative_to("/usr")
            and folder not in (Path("/"), Path.home())
        ]

    def path(self) -> str:
        """PATH for a build: the folders of its programs, and the system's."""
        folders = [str(program.parent) for program in self._programs()]
        return ":".join(dict.fromkeys([*folders, "/usr/local/bin", "/usr/bin", "/bin"]))

    def copy_build(self, to: Path) -> None:
        """Copies its build folder for a submission, without anything built from the given mine.hpp."""

        def left_out(folder: str, names: list[str]) -> list[str]:
            inside = os.path.relpath(folder, self.build)
            return names if inside == "bin" or "_mine" in inside else []

        def copy_or_link(source: str, target: str) -> None:
            path = Path(source)
            if path.stat().st_size > _LARGE and path.suffix in (".a", ".gch", ".o"):
                os.symlink(f"{_INSIDE}/{path.relative_to(self.build)}", target)
            else:
                shutil.copy2(source, target)

        shutil.copytree(self.build, to, symlinks=True, ignore=left_out, copy_function=copy_or_link)


Binds = list[tuple[Path | str, Path | str]]  # (path here, path inside)


class Box:
    """The folder of a part of a submission while it is graded: its `tree` and `build`, which a build sees where the given lab
    was configured, and its `programs`."""

    def __init__(self, folder: Path, given: Given, part: str) -> None:
        self.folder, self.given, self.part = folder, given, part
        self.tree, self.build, self.programs = folder / "tree", folder / "build", folder / "bin"
        self.name = given.parts[part]  # of the part's folder

    def fill(self, files: Mapping[str, Path]) -> None:
        """Lays `files`, {"part1_standard_opti/mine.hpp": Path}, over the given tree."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.tree.mkdir(parents=True)
        for entry in self.given.tree.iterdir():
            if entry.name in self.given.parts.values():
                shutil.copytree(entry, self.tree / entry.name)
            elif entry.name != "build":
                os.symlink(entry, self.tree / entry.name)
        self.given.copy_build(self.build)
        for name, file in files.items():
            write_bytes(self.tree / name, file.read_bytes())
            (self.tree / name).chmod(0o644)

    def bring_back(self, name: str) -> bool:
        """Replaces the student's file by the given one; False if they are the same."""
        file, given = self.tree / self.name / name, self.given.tree / self.name / name
        if not given.is_file() or self.given.has(f"{self.name}/{name}", file):
            return False
        write_bytes(file, given.read_bytes())
        return True

    def to_build(self) -> tuple[Binds, Binds]:
        """(read-only, writable)"""
        given = self.given
        read_only: Binds = [(given.tree, given.tree), (given.build, _INSIDE)]
        read_only += [(folder, folder) for folder in given.tools()]
        read_only += [(self.tree / name, given.tree / name) for name in given.parts.values()]
        return read_only, [(self.build, given.build)]

    def keep_programs(self) -> None:
        """Of what was built, once it is."""
        built = self.build / "bin" / self.part
        built.mkdir(exist_ok=True)
        built.replace(self.programs)
        shutil.rmtree(self.build)

    def program(self, name: str) -> Path | None:
        """None if it was not built."""
        file = self.programs / name
        return file if file.is_file() else None
