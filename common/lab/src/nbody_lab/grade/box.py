"""The folder of one submission while it is graded: its files over the given ones, and what is built from them."""

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

from nbody_lab.grade.pristine import INSIDE

MOST_ROWS = 12  # mine*.hpp files in a part
LONGEST = 1 << 22  # bytes of a file written by a student's program


def row_names(folder):
    """(rows that become programs, rows too many), read as common/cmake/student_flags.cmake reads them."""
    found = sorted(
        file.stem
        for file in folder.iterdir()
        if re.fullmatch(r"mine(_[A-Za-z0-9_]+)?\.(hpp|cuh)", file.name)
    )
    names = [name for name in found if not name.endswith(("_count", "_double"))]
    return names[:MOST_ROWS], names[MOST_ROWS:]


class Box:
    """Holds `tree` and `build`; a build sees them as `tree_inside` and `build_inside`, where the given lab was
    configured."""

    def __init__(self, folder, pristine):
        self.folder, self.pristine = Path(folder), pristine
        self.build, self.counts = self.folder / "build", self.folder / "counts"
        self.tree = self.folder / "tree"
        self.tree_inside, self.build_inside = pristine.tree, pristine.build

    def fill(self, files, part):
        """Lays `files`, {"part1_standard_opti/mine.hpp": Path}, over the given tree. `part`: the part that will be
        built."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.tree.mkdir(parents=True)
        self.bring_given(part)
        for name, file in files.items():
            target = self.tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(Path(file).read_bytes())
            target.chmod(0o644)
        self.counts.mkdir()

    def bring_given(self, _):
        """Links to the given lab and its build."""
        for entry in self.pristine.tree.iterdir():
            if entry.name in self.pristine.parts.values():
                shutil.copytree(entry, self.tree / entry.name)
            elif entry.name != "build":
                os.symlink(entry, self.tree / entry.name)
        self.pristine.copy_build(self.build)

    def bring_back(self, part, name):
        """Replaces the student's file by the given one; False if they are the same."""
        file = self.tree / self.pristine.parts[part] / name
        given = self.pristine.tree / self.pristine.parts[part] / name
        if not given.is_file() or file.read_bytes() == given.read_bytes():
            return False
        file.write_bytes(given.read_bytes())
        return True

    # What the sandbox shows: (path here, path inside)

    def to_build(self):
        """Shows the tree where it was configured."""
        tree, pristine = self.tree, self.pristine
        read_only = [
            (str(pristine.tree), str(pristine.tree)),
            (str(pristine.build), INSIDE),
            *((folder, folder) for folder in pristine.tools()),
        ]
        read_only += [
            (str(tree / folder), str(pristine.tree / folder)) for folder in pristine.parts.values()
        ]
        return read_only, [(str(self.build), str(pristine.build))]

    def to_run(self):
        return [(str(self.build / "bin"), str(self.build / "bin"))]

    def program(self, part, name):
        return self.build / "bin" / part / name

    def is_built(self, part, name):
        return self.program(part, name).is_file()

    def keep_programs(self):
        """Deletes everything but the programs."""
        self.empty_build()
        shutil.rmtree(self.tree, ignore_errors=True)

    def empty_build(self):
        for entry in self.build.iterdir():
            if entry.is_dir() and not entry.is_symlink() and entry.name != "bin":
                shutil.rmtree(entry, ignore_errors=True)
            elif not entry.is_dir() or entry.is_symlink():
                entry.unlink()


class OwnBox(Box):
    """For hosts without namespaces, where nothing can be laid over the given tree: a copy of the lab, configured and
    built in place, which takes half a minute. It holds no code of the submission yet."""

    def __init__(self, folder, pristine):
        super().__init__(folder, pristine)
        self.build = self.tree / "build/release"
        self.tree_inside, self.build_inside = self.tree, self.build

    def bring_given(self, part):
        shutil.copytree(
            self.pristine.tree,
            self.tree,
            symlinks=True,
            dirs_exist_ok=True,
            ignore=lambda folder, _: ["build"] if Path(folder) == self.pristine.tree else [],
        )
        self.build.mkdir(parents=True)
        tools = self.pristine.tree / "build/tools"
        if tools.is_symlink():
            os.symlink(os.readlink(tools), self.tree / "build/tools")
        for words in (
            ["cmake", "--preset", "release", "-DLAB_TESTS=OFF"],
            [
                "ninja",
                "-C",
                str(self.build),
                *(
                    f"{part}_{what}"
                    for what in ("mine", "mine_double", "mine_count", "worksheet_program")
                ),
            ],
        ):
            done = subprocess.run(
                words,
                cwd=self.tree,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
            )
            if done.returncode:
                raise RuntimeError(f"the given lab cannot be built: {done.stdout[-300:]}")
        for made_of_mine in [self.build / "bin" / part, *self.build.rglob("*_mine*.dir")]:
            shutil.rmtree(made_of_mine, ignore_errors=True)

    def to_build(self):
        return [
            (str(self.tree), str(self.tree)),
            *((folder, folder) for folder in self.pristine.tools()),
        ], [(str(self.build), str(self.build))]

    def keep_programs(self):
        self.empty_build()
        for entry in self.tree.iterdir():
            if entry.name != "build":
                (shutil.rmtree if entry.is_dir() else os.unlink)(entry)


def read_written(file):
    """The text of a file written by a student's program; None unless it is a plain file of a sensible size."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        told = os.fstat(descriptor)
        if not stat.S_ISREG(told.st_mode) or told.st_size > LONGEST:
            return None
        with os.fdopen(os.dup(descriptor), "rb") as opened:
            return opened.read(LONGEST).decode("utf-8", "replace")
    finally:
        os.close(descriptor)
