"""The lab as handed out, built once: the files of a submission lie over its tree. It has no solutions, so that no submission
can include or read one.
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
from nbody_lab.core.tree_copy import copy_tree, link_tools
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.handout.handed_in import is_given

_LEFT_OUT = ("solutions/", "build/", "docs/solutions", "common/lab/tests/", COPIES)
_PROGRAM = re.compile(
    r"^CMAKE_(?:CXX_COMPILER|CUDA_COMPILER|MAKE_PROGRAM|COMMAND|LINKER|AR):\w+=(/.*)$", re.M
)


def _git(root: Path, *argv: str) -> bytes | None:
    done = subprocess.run(["git", "-C", str(root), *argv], capture_output=True, check=False)
    return None if done.returncode else done.stdout


def copy_given(root: Path, tree: Path) -> None:
    """Copies the lab as handed out. Files that students change, and the baseline naive.hpp, come from the handout's copies
    or from git, so that local edits do not count."""
    names = os.fsdecode(_git(root, "ls-files", "-z") or b"").split("\0")[:-1]
    if not names:
        for folder, folders, found in os.walk(root):
            folders[:] = [name for name in folders if name not in ("build", ".git", "__pycache__")]
            names += [os.path.relpath(os.path.join(folder, name), root) for name in found]
    copies, of_git = root / COPIES, tree.with_name(f"{tree.name}_of_git")
    roots = {name: root for name in names if not name.startswith(_LEFT_OUT)}
    for name in filter(is_given, roots):
        if copies.is_dir():
            roots[name] = copies
        elif (content := _git(root, "show", f"HEAD:{name}")) is not None:
            roots[name] = of_git
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

        def step(doing: str, argv: list[str]) -> None:
            log = self.tree / "build/grade.log"
            if run_step(f"{doing} the lab as handed out", argv, log, self.tree):
                raise LabError(f"{doing} the lab as handed out failed: see {log}")

        copy_given(self.root, self.tree)
        self.build.mkdir(parents=True, exist_ok=True)
        link_tools(self.tree, self.root)
        # The system's Python: a sandbox shows no version manager of a home.
        python = shutil.which("python3", path="/usr/bin:/bin")
        given = [f"-DPYTHON3={python}"] if python else []
        step("configuring", ["cmake", "--preset", "release", "-DLAB_TESTS=OFF", *given])
        argv = ["ninja", "-C", str(self.build)]
        there = capture(*argv, "-t", "targets", "all").stdout
        wanted = [
            f"{part}_{name}"
            for part in self.parts
            for name in ("mine", "mine_double", "mine_count", "worksheet_program")
            # Part 3 needs a CUDA compiler, part 4 an MPI library; ranks are not counted.
            if f"\n{part}_mine: " in there and f"\n{part}_{name}: " in there
        ]
        step("building", [*argv, *wanted])

    def has(self, name: str, file: Path) -> bool:
        """Whether a submission's file is the given one."""
        given = self.tree / name
        return given.is_file() and given.read_bytes() == file.read_bytes()

    def tools(self) -> list[Path]:
        """The folders besides /usr that a build needs: where its programs are installed, and a setup without root."""
        cache = (self.build / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
        folders = [(self.root / "build/tools").resolve()]
        folders += [Path(one).resolve().parent.parent for one in _PROGRAM.findall(cache)]
        return [
            folder
            for folder in dict.fromkeys(folders)
            if folder.is_dir()
            and not folder.is_relative_to("/usr")
            and folder not in (Path("/"), Path.home())
        ]
