"""The lab as handed out, built once: the base for the files of every submission.

It has no solutions, so that no submission can include or read one.
"""

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

from nbody_lab.core.handed_out import COPIES
from nbody_lab.core.messages import Failure, stop
from nbody_lab.core.steps import run_step
from nbody_lab.handout.handed_in import is_baseline, is_students

LEFT_OUT = ("solutions/", "build/", "docs/solutions", "common/lab/tests/", COPIES)
LARGE = 100_000  # bytes: larger build files are linked, not copied, for each submission
INSIDE = "/pristine_build"  # where a submission's build finds the large files


def files_of(root):
    """The paths, relative to the root, of all files of the lab; without git, of all files there."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=False
    )
    names = [os.fsdecode(name) for name in listed.stdout.split(b"\0") if name] or list(
        names_below(root)
    )
    return [name for name in names if not name.startswith(LEFT_OUT) and (root / name).is_file()]


def names_below(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("build", ".git", "__pycache__")]
        yield from (os.path.relpath(os.path.join(folder, name), root) for name in names)


def given(root, name):
    """The content of a file of the lab, or None if it was not handed out. A file that students change, and the
    baseline naive.hpp, is read from the handout's copy or from git, so that local edits do not count."""
    if not is_students(name) and not is_baseline(name):
        return (root / name).read_bytes()
    if (root / COPIES).is_dir():
        return (root / COPIES / name).read_bytes() if (root / COPIES / name).is_file() else None
    shown = subprocess.run(
        ["git", "-C", str(root), "show", f"HEAD:{name}"], capture_output=True, check=False
    )
    if shown.returncode == 0:
        return shown.stdout
    return None if (root / ".git").exists() else (root / name).read_bytes()


def copy_changed(root, names, tree):
    """Copies the files. Unchanged ones keep their time, so that nothing is rebuilt; files that no longer exist are
    deleted."""
    contents = {name: given(root, name) for name in names}
    names = [name for name in names if contents[name] is not None]
    for name in names:
        source, target, content = root / name, tree / name, contents[name]
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)
    wanted = {str(tree / name) for name in names}
    for file in sorted(tree.rglob("*")):
        if (
            file.is_file()
            and "build" not in file.relative_to(tree).parts[:1]
            and str(file) not in wanted
        ):
            file.unlink()


class Pristine:
    """`tree`: its folder; `build`: its build folder; `parts`: {part1: part1_standard_opti}."""

    def __init__(self, root, tree, parts):
        self.root, self.tree, self.parts = Path(root), Path(tree), parts
        self.build = self.tree / "build/release"
        self.log = self.tree / "build/grade.log"

    def prepare(self):
        """Builds it: a minute the first time, then seconds. Raises Failure."""
        self.tree.mkdir(parents=True, exist_ok=True)
        copy_changed(self.root, files_of(self.root), self.tree)
        self.build.mkdir(parents=True, exist_ok=True)
        tools = self.tree / "build/tools"
        if (self.root / "build/tools").exists() and not tools.exists():
            tools.symlink_to(os.path.realpath(self.root / "build/tools"))
        if run_step(
            "configuring the lab as handed out",
            ["cmake", "--preset", "release", "-DLAB_TESTS=OFF"],
            self.log,
            self.tree,
        ):
            stop(f"the lab as handed out cannot be configured: see {self.log}")
        targets = [
            f"{part}_{what}"
            for part in self.built_parts()
            for what in ("mine", "mine_double", "mine_count", "worksheet_program")
        ]
        if run_step(
            "building the lab as handed out",
            ["ninja", "-C", str(self.build), *targets],
            self.log,
            self.tree,
        ):
            stop(f"the lab as handed out cannot be built: see {self.log}")

    def built_parts(self):
        """The parts built here: part 3 only with a CUDA compiler."""
        told = subprocess.run(
            ["ninja", "-C", str(self.build), "-t", "targets", "all"],
            capture_output=True,
            text=True,
            check=False,
        )
        if told.returncode:
            raise Failure(1)
        return [part for part in self.parts if f"\n{part}_mine: " in told.stdout]

    def is_untouched(self, name, file):
        """Whether a submission's file is the given one."""
        given = self.tree / name
        return given.is_file() and given.read_bytes() == Path(file).read_bytes()

    def programs(self):
        """The programs that a build runs, as CMake found them."""
        try:
            cache = (self.build / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        found = [
            match[1]
            for match in re.finditer(
                r"^CMAKE_(?:CXX_COMPILER|CUDA_COMPILER|MAKE_PROGRAM|COMMAND|LINKER|AR):\w+=(/.*)$",
                cache,
                re.M,
            )
        ]
        return [os.path.realpath(program) for program in found if os.path.exists(program)]

    def tools(self):
        """The folders that a build needs besides /usr: those of a setup without root, xsimd, and the folders where its
        programs are installed."""
        found = [os.path.realpath(self.root / "build/tools")]
        for program in self.programs():
            prefix = os.path.dirname(os.path.dirname(program))
            if not f"{prefix}/".startswith("/usr/") and prefix not in (
                "/",
                os.path.expanduser("~"),
            ):
                found.append(prefix)
        return [folder for folder in dict.fromkeys(found) if os.path.isdir(folder)]

    def path(self):
        """PATH for a build: the folders of its programs, and the system's."""
        return ":".join(
            dict.fromkeys(
                [
                    *(os.path.dirname(program) for program in self.programs()),
                    "/usr/local/bin",
                    "/usr/bin",
                    "/bin",
                ]
            )
        )

    def copy_build(self, to):
        """Copies this build folder for a submission, without anything built from the given mine.hpp."""
        for folder, _, names in os.walk(self.build):
            inside = os.path.relpath(folder, self.build)
            if inside == "bin" or inside.startswith("bin/"):
                continue
            target = Path(to, inside)
            target.mkdir(parents=True, exist_ok=True)
            if "_mine" not in inside:
                for name in names:
                    copy_file(Path(folder, name), target / name, f"{INSIDE}/{inside}/{name}")
        Path(to, "bin").mkdir(parents=True, exist_ok=True)


def copy_file(source, target, inside):
    told = source.lstat()
    if stat.S_ISLNK(told.st_mode):
        os.symlink(os.readlink(source), target)
    elif told.st_size > LARGE and source.suffix in (".a", ".gch", ".o"):
        os.symlink(inside, target)
    else:
        shutil.copy2(source, target)
