"""The folder of one submission while it is graded: its files over the given ones, and what is built from them."""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from nbody_lab.core.running import capture
from nbody_lab.grade.pristine import INSIDE

if TYPE_CHECKING:
    from nbody_lab.grade.pristine import Pristine

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
        self.folder, self.pristine = Path(folder), pristine
        self.build, self.counts = self.folder / "build", self.folder / "counts"
        self.tree = self.folder / "tree"
        self.tree_inside, self.build_inside = pristine.tree, pristine.build

    def fill(self, files: Mapping[str, Path], part: str) -> None:
        """Lays `files`, {"part1_standard_opti/mine.hpp": Path}, over the given tree. `part`: the part that will be
        built."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.tree.mkdir(parents=True)
        self._bring_given(part)
        for name, file in files.items():
            target = self.tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(Path(file).read_bytes())
            target.chmod(0o644)
        self.counts.mkdir()

    def _bring_given(self, _: str) -> None:
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
        remove(self.tree)


class OwnBox(Box):
    """For one's own files where no sandbox starts, and nothing can be laid over the given tree: a copy of the lab,
    configured and built in place, which takes half a minute. It holds no code of the submission yet."""

    def __init__(self, folder: Path, pristine: Pristine) -> None:
        super().__init__(folder, pristine)
        self.build = self.tree / "build/release"
        self.tree_inside, self.build_inside = self.tree, self.build

    def _bring_given(self, part: str) -> None:
        given = self.pristine.tree
        shutil.copytree(
            given,
            self.tree,
            symlinks=True,
            dirs_exist_ok=True,
            ignore=lambda folder, _: ["build"] if Path(folder) == given else [],
        )
        self.build.mkdir(parents=True)
        tools = given / "build/tools"
        if tools.is_symlink():
            os.symlink(os.readlink(tools), self.tree / "build/tools")
        self._build_given("cmake", "--preset", "release", "-DLAB_TESTS=OFF")
        self._build_given("ninja", "-C", str(self.build), *self.pristine.targets(part))
        for made_of_mine in [self.build / "bin" / part, *self.build.rglob("*_mine*.dir")]:
            shutil.rmtree(made_of_mine, ignore_errors=True)

    def _build_given(self, *argv: str) -> None:
        done = capture(*argv, cwd=self.tree)
        if done.returncode:
            raise RuntimeError(
                f"the given lab cannot be built: {(done.stdout + done.stderr)[-300:]}"
            )

    def to_build(self) -> tuple[_Binds, _Binds]:
        tools = [(folder, folder) for folder in self.pristine.tools()]
        tree, build = str(self.tree), str(self.build)
        return [(tree, tree), *tools], [(build, build)]

    def keep_programs(self) -> None:
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
    """The text of a file written by a student's program; None unless it is a plain file of a sensible size."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _LONGEST:
            return None
        with open(descriptor, "rb", closefd=False) as opened:
            return opened.read(_LONGEST).decode("utf-8", "replace")
    finally:
        os.close(descriptor)
