"""What all submissions of a class share: the references, the lab as handed out, the limits of the machine, what is timed."""

import errno
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building import cpuinfo
from nbody_lab.building.handed_out import COPIES
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.building.manifest import Manifest, Part
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.run import capture, run_step
from nbody_lab.core.tree_copy import copy_tree, link_tools
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.grade.models import Machine, Setup
from nbody_lab.grade.rubric import Rubric
from nbody_lab.grade.sandbox import MB, require_isolation
from nbody_lab.handout.handed_in import is_given
from nbody_lab.measure import doctor
from nbody_lab.tasks.counting import count_to_file

# --- the lab as handed out, built once: the files of a submission lie over its tree. It has no solutions, so that no
# submission can include or read one.

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


_NO_CODE = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\s+", re.DOTALL)


def code_of(file: Path) -> str:
    """Of a source, without comments and white space."""
    return _NO_CODE.sub("", file.read_text("utf-8", "replace"))


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

    def has_code(self, name: str, file: Path) -> bool:
        """Whether only comments and white space differ from the given file."""
        given = self.tree / name
        return given.is_file() and code_of(given) == code_of(file)

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


# --- the machine, and what is asked of it ---

ON_GPU = 0  # threads, which a GPU does not have
_MOST_PATIENCE = 10.0
LEAST_FREE = 200 * MB


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


def patience() -> float:
    """By how much time limits are longer now: runnable programs per core."""
    return min(_MOST_PATIENCE, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))


def require_space(folder: Path) -> None:
    """Raises OSError on a full disk, where building and measuring fail whatever was handed in."""
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        why = f"only {free // MB} MB are free on the disk: make room"
        raise OSError(errno.ENOSPC, why, str(folder))


def measured_file(out: Path, name: str) -> Path:
    return out / "measured" / f"{name}.json"


@dataclass(frozen=True)
class Course:
    """`references`: this lab's manifest, with solutions; `programs`: its bin folder; `lab`: its version."""

    out: Path
    given: Given
    references: Manifest
    programs: Path
    rubric: Rubric
    parts: Sequence[str]
    machine: Machine
    lab: str
    timed: bool = True

    def timings(self) -> dict[str, tuple[Setup, ...]]:
        """The speeds that are asked for, per part, without duplicates."""
        found: dict[str, dict[Setup, None]] = {part: {} for part in self.parts}
        for part in self.parts if self.timed else ():
            adaptive = self._part(part).default_step == "adaptive"
            for one in self.rubric.parts[part].speed:
                threads = one.threads_of(cores(), self.processes(part))
                found[part][Setup(threads=threads, n=one.n, adaptive=adaptive)] = None
        return {part: tuple(setups) for part, setups in found.items()}

    def solution(self, part: str) -> str:
        return next((row.name for row in self.references.of_part(part, "solution")), "")

    def _part(self, part: str) -> Part:
        return self.references.part(part) or Part.model_validate({"name": part, "folder": part})

    def on_gpu(self, part: str) -> bool:
        return self._part(part).device == "gpu"

    def launcher(self, part: str) -> tuple[str, ...]:
        """What starts a program of several processes; nothing for one."""
        return self._part(part).launcher

    def processes(self, part: str) -> int:
        """ON_GPU for a program of a GPU."""
        if self.on_gpu(part):
            return ON_GPU
        return self._part(part).ranks if self.launcher(part) else 1

    def reason_against(self, part: str) -> str:
        """Why a part is not graded here; empty if it is."""
        if not self.references.of_part(part, "mine"):
            return "it cannot be built here"
        return "needs a GPU" if self.on_gpu(part) and not self.machine.gpu else ""


def _build_references(lab: Lab, parts: Sequence[str]) -> Manifest:
    """Builds naive, solution, check and bench of this lab, which is trusted."""
    for part in parts:
        lab.part = part
        lab.begin()
        if lab.names("mine"):
            naive, solutions = lab.names("naive"), lab.names("solution")
            built = lab.build(
                f"the references of {part}",
                *("bin/check", "bin/bench"),
                *(lab.program(name) for name in naive + solutions),
                *(target for name in naive for target in lab.targets(name, "double")),
            )
            show_built(built)
            for name in naive:
                count_to_file(lab, name)
        lab.unlock()
    return Manifest(lab.manifest)


def course_of(lab: Lab, out: Path, rubric: Rubric, parts: Sequence[str], timed: bool) -> Course:
    """Raises LabError, and OSError on a full disk."""
    require_isolation(ROOT)
    require_space(out)
    folders = {part: next(ROOT.glob(f"{part}_*")).name for part in parts}
    given = Given(ROOT, ROOT / "build/grading/given", folders)
    if not given.build.exists():
        say("the first class on this machine takes five to ten minutes more")
    references = _build_references(lab, parts)
    given.prepare()
    lab.part = parts[0]
    devices = [row.device for row in references.parts if row.name in parts]
    machine = Machine(
        cpu=cpuinfo.fields().get("model name") or platform.machine(),
        cores=cores(),
        compiler=doctor.first_line("c++", "--version"),
        gpu=lab.gpu() if "gpu" in devices else "",
    )
    # Its version is the last commit that changes measurements; documents and rubrics do not. Empty without git.
    git, of = ("git", "-C", str(ROOT)), ("--", ".", ":!docs", ":!data", ":!*.md")
    version = doctor.first_line(*git, "log", "-1", "--format=%h", *of)
    version += "-dirty" if doctor.first_line(*git, "status", "--porcelain", *of) else ""
    programs = lab.build_dir / "bin"
    return Course(out, given, references, programs, rubric, parts, machine, version, timed)
