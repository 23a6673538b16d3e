"""The lab as handed out, built once: the base for the files of every submission.

It has no solutions, so that no submission can include or read one.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.core.handed_out import COPIES
from nbody_lab.core.messages import UserError
from nbody_lab.core.steps import run_step
from nbody_lab.core.tree_copy import copy_tree
from nbody_lab.core.whole_file import write_bytes
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
            raise UserError(f"{doing} the lab as handed out failed: see {log}")

    def targets(self, part: str) -> list[str]:
        """Those of the given mine that are built here: part 3 needs a CUDA compiler, and ranks are not counted."""
        argv = ["ninja", "-C", str(self.build), "-t", "targets", "all"]
        listed = subprocess.run(argv, capture_output=True, text=True, check=False)
        if listed.returncode:
            raise UserError(f"the lab as handed out cannot be built: {listed.stderr.strip()}")
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
