"""The tree that ./lab works in: its parts, its build folders, the manifest, and builds with CMake and Ninja."""

import ctypes
import functools
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from nbody_lab import ROOT
from nbody_lab.building.cpuinfo import best_program, features_of_processor
from nbody_lab.building.explain import BuildFailed, Culprit, explain_failure
from nbody_lab.building.gpus import Gpu, read_gpus
from nbody_lab.building.manifest import Implementation, Manifest, ManifestError
from nbody_lab.building.warnings import find_remark, warning_lines
from nbody_lab.core.errors import LabError, say, tell
from nbody_lab.core.run import run_step
from nbody_lab.core.words import is_own, nearest, nearest_part

CUDA_COMPILERS = (  # besides PATH
    ROOT / "build/tools/cuda/bin/nvcc",
    Path("/usr/local/cuda/bin/nvcc"),
)
# What a part needs to be built, and the option of ./lab setup that installs it.
BUILT_WITH = {"part3": ("a CUDA compiler", "--cuda"), "part4": ("an MPI library", "--mpi")}


def known_parts() -> list[str]:
    """The parts that have a folder, configured or not."""
    return sorted(file.parent.name.split("_")[0] for file in ROOT.glob("part*_*/CMakeLists.txt"))


def parse_part(text: str) -> str:
    """part1 for part1, part1_standard_opti or, by completion, part1_standard_opti/. Raises LabError."""
    part = text.rstrip("/")
    if (ROOT / part / "CMakeLists.txt").exists():
        part = part.split("_")[0]
    parts = known_parts()
    # A part may lie elsewhere than in a folder here, such as languages; once configured, the manifest knows them all.
    elsewhere = (ROOT / f"solutions/other_{part}").is_dir()
    if part not in parts and not elsewhere and not Lab().names(part=part):
        near = nearest_part(text, parts)
        raise LabError(f"there is no part '{text}'{near}; parts: {' '.join(parts)}")
    return part


@functools.cache
def gpu_answers() -> bool:
    """Whether NVIDIA's driver is here and has a GPU, as the programs test it; nothing is built to know."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return (
        driver.cuInit(0) == 0
        and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
        and count.value > 0
    )


def missing_here(features: Iterable[str]) -> str:
    """The first of these (features of the processor, or `gpu`) that this machine lacks; empty: it has all."""
    known = features_of_processor() | ({"gpu"} if gpu_answers() else set())
    missing = next((one for one in features if one not in known), "")
    return "a GPU" if missing == "gpu" else missing


class Built(NamedTuple):
    """A build that ended."""

    lines: Sequence[str] = ()  # warnings, what CMake left out, why some did not compile
    whole: bool = True  # all that was asked for


def show_built(built: Built) -> bool:
    """Says what a build has to say; returns whether all was built."""
    tell(built.lines)
    return built.whole


class Lab:
    """A build folder, and the part that a command works on."""

    def __init__(self, part: str = "") -> None:
        import filelock  # with asyncio: a help text need not wait for it

        self.part = part
        self._lock = filelock.FileLock(ROOT / "build" / "lock")
        self.build_dir = ROOT / "build/release"
        self.log = self.build_dir / "lab.log"
        self.made_for = ""  # follows the part's name in target names
        self.manifest = self.build_dir / "manifest.json"
        self._known: Manifest | None = None
        # CMake and Ninja installed without root
        os.environ["PATH"] = f"{ROOT}/build/tools/bin:{os.environ.get('PATH', '')}"

    def use_cpu(self) -> None:
        """Switches to the programs with kernels on the CPU (common/cuda/on_cpu). They have their own manifest and targets, so
        that no command measures them by mistake."""
        self.made_for, self._known = "_on_cpu", None
        self.manifest = self.build_dir / "manifest_on_cpu.json"

    def begin_on_cpu(self, names: Sequence[str]) -> None:
        """The same for --on-cpu, after begin(). Raises LabError for what cannot run so."""
        if not self.has_kernels():
            raise LabError(f"--on-cpu is for CUDA kernels: {self.part} has none")
        self.use_cpu()
        if self.known() is None:
            self.step("finding out how kernels run on the CPU", "cmake", "--preset", "release")
        manifest = self.known()
        if manifest is None:
            needs = "Linux, Python, and g++ 11 or clang 16"
            raise LabError(f"kernels cannot run on the CPU here: that needs {needs}")
        self.demand_part()
        for row in manifest.gpu_only:
            if row.part == self.part and row.name in names:
                why = f"uses {row.why}, which only a GPU has"
                raise LabError(f"{row.part}/{row.name} {why}: it cannot run with --on-cpu")

    # --- the manifest; empty results before it exists ---

    def known(self) -> Manifest | None:
        """None if there is none. It is read again after CMake or Ninja ran."""
        if self._known is None:
            try:
                self._known = Manifest(self.manifest)
            except ManifestError:
                return None
        return self._known

    def rows(self, kind: str | None = None, part: str | None = None) -> list[Implementation]:
        known = self.known()
        return known.of_part(part or self.part, kind) if known else []

    def names(self, kind: str | None = None, part: str | None = None) -> list[str]:
        return [row.name for row in self.rows(kind, part)]

    def find(self, name: str) -> Implementation | None:
        """Of this part, or as "part2/blocked" of another."""
        part, _, own_name = name.rpartition("/")
        return next((row for row in self.rows(part=part) if row.name == own_name), None)

    def of_part(self, field: str) -> Any:
        known = self.known()
        part = known.part(self.part) if known else None
        return getattr(part, field) if part else ""

    def program(self, name: str) -> str:
        """The path of the program that runs here, from the build folder; it is also its Ninja target."""
        row = self.find(name)
        best = row and (best_program(row.programs) or row)
        return best.program if best else ""

    def targets(self, name: str, precision: str) -> list[str]:
        row = self.find(name)
        return [one.program for one in row.programs if one.precision == precision] if row else []

    def source(self, name: str) -> Path:
        row = self.find(name)
        return ROOT / (row.source if row else "")

    # --- parts and names ---

    def folder(self) -> Path:
        """The part's own folder, which holds its notebook."""
        for file in sorted(ROOT.glob(f"{self.part}_*/CMakeLists.txt")):
            return file.parent
        raise LabError(f"{self.part} has no folder, so no notebook")

    def demand_part(self) -> None:
        """Stops unless the part is built: part 3 needs a CUDA compiler, part 4 an MPI library."""
        if self.names():
            return
        # It may have been installed since the last configuration.
        what, option = BUILT_WITH.get(self.part, ("its folder in CMakeLists.txt", ""))
        self.step(f"looking for {what}", "cmake", "--preset", "release")
        if not self.names():
            install = f" (./lab setup {option})" if option else ""
            instead = f"; ./lab check {self.part} mine --on-cpu works" if self.has_kernels() else ""
            raise LabError(f"{self.part} is not built here: {what} was not found{install}{instead}")

    def demand_name(self, name: str) -> None:
        """Stops unless the name exists."""
        self.demand_part()
        if name in self.names() and self.source(name).exists():
            return
        self.look_again()
        if name not in self.names():
            suffix = ".cuh" if self.has_kernels() else ".hpp"
            own = f"; is its file {name}{suffix} there?" if is_own(name) else ""
            near = nearest(name, self.names()) or own or f"; ./lab list {self.part} shows them"
            why = f"{self.part} has no implementation '{name}'{near}"
            raise LabError("\nlab: ".join([*self.take_notices(f"{name}{suffix}"), why]))

    def demand_names(self, names: Sequence[str]) -> None:
        """Stops unless the part is built and has these; without names, looks what it has now."""
        self.demand_part()
        for name in names:
            self.demand_name(name)
        if not names:
            self.look_again()

    def look_again(self) -> None:
        """Lets CMake see headers that came or went, and changed flags: until then, the manifest is the last build's."""
        self.step("looking at the headers", "ninja", "-C", self.build_dir, "build.ninja")

    # --- building ---

    def begin(self) -> None:
        """Takes the lock, so that no other ./lab builds here, and configures if necessary."""
        self.lock()
        self.configure()

    def lock(self) -> None:
        """Locks until this process ends, becomes another program or calls unlock()."""
        import filelock

        (ROOT / "build").mkdir(exist_ok=True)
        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            say("another ./lab builds or measures in this folder; waiting for it")
            self._lock.acquire()
        except (NotImplementedError, OSError):
            pass  # the file system has no locks

    def unlock(self) -> None:
        self._lock.release(force=True)

    def configure(self) -> None:
        """By CMake, unless it was done; anew if the tree was moved or copied with its build folder."""
        for name in ("cmake", "ninja"):
            if not shutil.which(name):
                raise LabError(f"{name} is missing; run: ./lab setup")
        cache = self.build_dir / "CMakeCache.txt"
        if (self.build_dir / "build.ninja").exists() and cache.exists():
            here = f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n"
            if here in cache.read_text(encoding="utf-8", errors="replace"):
                return
        setup = ["bash", str(ROOT / "common/setup/setup.sh"), "--compiler"]
        found = subprocess.run(setup, stdout=subprocess.PIPE, text=True, check=False)
        if found.returncode != 0:
            raise SystemExit(2)
        compiler = found.stdout.strip()
        cache.unlink(missing_ok=True)
        shutil.rmtree(self.build_dir / "CMakeFiles", ignore_errors=True)
        chosen = [f"-DCMAKE_CXX_COMPILER={compiler}"] if compiler else []
        self.step("configuring", "cmake", "--preset", "release", *chosen)

    def works(self, label: str, *command: object) -> bool:
        """Runs a step; returns whether it succeeded."""
        self._known = None
        return run_step(label, [str(word) for word in command], self.log, ROOT) == 0

    def step(self, label: str, *command: object) -> None:
        """Runs a step that the command needs. Raises BuildFailed."""
        if not self.works(label, *command):
            raise self.failure()

    def failure(self) -> BuildFailed:
        """Why the last step failed."""
        return explain_failure(self.log, ROOT, self.build_dir)

    def build(self, label: str, *targets: str) -> Built:
        """Builds targets, with progress. Of warnings, only those about the student's own files are told. Raises BuildFailed."""
        ninja = ("ninja", "-C", self.build_dir, "-k", "0")
        built = self.works(f"building {label}", *ninja, *targets)
        lines = warning_lines(self.log, ROOT)
        lines += [f"lab: {notice}" for notice in self.take_notices()]
        if not built:
            fault = self.failure()
            raise BuildFailed([*lines, str(fault)], fault.culprit)
        return Built(lines)

    def try_to_build(self, label: str, *targets: str) -> Built:
        """The same, but headers of implementations that do not compile do not stop the others."""
        try:
            return self.build(label, *targets)
        except BuildFailed as fault:
            if fault.culprit is not Culprit.IMPLEMENTATIONS:
                raise
            return Built([fault.report()], whole=False)

    def build_for(self, names: Sequence[str], precisions: Sequence[str], *tools: str) -> Built:
        """Builds the programs of these, or of the whole part, where one header that does not compile does not stop the
        others."""
        if names:
            programs = (self.targets(name, kind) for name in names for kind in precisions)
            return self.build(f"{self.part}/{' '.join(names)}", *tools, *chain(*programs))
        whole = self.part + self.made_for
        in_double = [f"{whole}_in_double"] if "double" in precisions else []
        return self.try_to_build(self.part, *tools, whole, *in_double)

    def remarks(self, names: Sequence[str]) -> Iterator[str]:
        """Of classes that override nothing: that they compute as naive does."""
        for name in names:
            if remark := find_remark(self.build_dir / self.program(name)):
                yield f"lab: {self.source(name).relative_to(ROOT)}: {remark}"

    def take_notices(self, file_of_name: str = "") -> list[str]:
        """What CMake left out, once until it changes; each time what it says of this file."""
        file, shown = self.build_dir / "notices.txt", self.build_dir / "notices_shown.txt"
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        lines = [line for line in text.splitlines() if line]
        if shown.exists() and shown.read_text(encoding="utf-8") == text:
            about = f"/{file_of_name} is left out"
            return [line for line in lines if line.startswith(self.part) and about in line]
        if text:
            shown.write_text(text, encoding="utf-8")
        return lines

    # --- GPUs ---

    def has_kernels(self) -> bool:
        """Whether the part is written in CUDA; the manifest cannot tell without a CUDA compiler."""
        return any(ROOT.glob(f"{self.part}_*/naive.cuh"))

    def on_gpu(self) -> bool:
        return bool(self.of_part("device") == "gpu")

    def gpus(self) -> list[Gpu]:
        """Those that programs can use; none without a GPU or a CUDA compiler."""
        if not gpu_answers() or not self.names(part="part3"):
            return []
        devices = ("ninja", "-C", self.build_dir, "bin/devices")
        self.step("building the devices program", *devices)
        try:
            return read_gpus(self.build_dir)
        except LabError:
            return []

    def gpu(self) -> str:
        """The one that programs run on, and its software; '' without."""
        return next((gpu.description for gpu in self.gpus()), "")

    def refuse_without_gpu(self, instead: str = "") -> None:
        """Stops before anything is configured or built if the part needs a GPU and none answers. `instead`: what works
        without."""
        if self.has_kernels() and not gpu_answers():
            instead = instead or f"./lab check {self.part} mine --on-cpu checks kernels without one"
            raise LabError(f"no NVIDIA GPU answers here, so {self.part} cannot run; {instead}")

    def demand_gpu(self) -> str:
        """The GPU's name, or '' for a part that needs none."""
        if not self.on_gpu():
            return ""
        gpu = self.gpu()
        if not gpu:
            raise LabError(f"no NVIDIA GPU answers here (./lab doctor), so {self.part} cannot run")
        return gpu
