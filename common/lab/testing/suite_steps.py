"""The steps of each suite of ./lab test: build_NAME compiles what the suite needs, without a time limit; run_NAME
runs it within the budget of its row in suites.py, since a test may hang. NAME has _ for each -.

A step runs in the lab's root, in its own process. It fails by an exception; Skip says what is missing.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from budget import Fail, Skip
from archive import mode_of
from contributing_example import add_everything
from handout import checked_members
from manifest import Manifest
from profile_command_test import make_mine_openmp
from suite_tools import (SCRATCH, command, configure_preset, ctest, everything, need, need_git, pip_tools,
                         said_by, scratch_tree, tracked)

setup_level = "tests"  # set by suites.py: tests-all for more than ./lab test
RELEASE = ("-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release")


# --- plain -------------------------------------------------------------------------------------

def run_setup():
    command("bash", "common/setup/setup.sh", f"--{setup_level}")


build_build = build_slow = build_zoo = build_study = everything


def build_unit():
    configure_preset("release")
    command("cmake", "--build", "--preset", "release", "--target", "unit_tests")


def run_unit():
    ctest("release", "-LE", "zoo|slow|weekly")


def run_slow():
    ctest("release", "-L", "slow")


def build_parts():
    """The given code of each part, as ./lab check builds it; kernels on the CPU in double, too."""
    programs = []
    for manifest, in_double in (("manifest", False), ("manifest_on_cpu", True)):
        file = Path("build/release", f"{manifest}.json")
        rows = Manifest(file).rows if file.exists() else []
        programs += [program["program"] for row in rows if row["kind"] in ("naive", "mine") for program in row["programs"]
                     if in_double or program["precision"] == "float"]
    command("ninja", "-C", "build/release", "bin/check", *programs)


def run_parts():
    manifest = Manifest("build/release/manifest.json")
    for file in sorted(Path().glob("part*_*/CMakeLists.txt")):
        part = file.parent.name.split("_")[0]
        if manifest.of_part(part):
            command("./lab", "check", part, "naive", "mine")
        else:
            print(f"{part} is not built here, so not checked")
        if (file.parent / "naive.cuh").exists():
            command("./lab", "check", part, "naive", "mine", "--on-cpu")


def build_profile():
    """Builds a copy of the tree with an extra header to profile."""
    tree = scratch_tree()
    make_mine_openmp(tree)
    of_solutions = ["gprof_part1_openmp", "gprof_part2_blocked"] if Path("solutions").is_dir() else []
    configure_preset("release", cwd=tree)
    command("cmake", "--build", "--preset", "release", "--target", "gprof_part1_naive", "gprof_part1_mine_rows", "gprof_debug_part1_naive",
            *of_solutions, cwd=tree)


def run_profile():
    command(sys.executable, "common/lab/profiles/profile_command_test.py", SCRATCH)


def build_docs():
    command(sys.executable, "docs/run_docs.py", "--build")


def run_docs():
    command(sys.executable, "docs/run_docs.py", "--self-test")
    command(sys.executable, "docs/run_docs.py")


# --- --all -------------------------------------------------------------------------------------

def run_zoo():
    ctest("release", "-L", "zoo")


def check_sanitized(*words):
    command("build/debug/bin/check", "--no-double", "--largest", 70, "--seed", 1, "--manifest", "build/debug/manifest.json", *words)


def build_sanitizers():
    """Builds rooms that read outside input, and the code of two parts."""
    configure_preset("debug")
    programs = [program["program"] for row in Manifest("build/debug/manifest.json").of_part("part2") for program in row["programs"]]
    command("cmake", "--build", "--preset", "debug", "--target", "bodies_test", "protocol_messages_test", "protocol_session_test",
            "physics_test", "simulation_test", "launcher_test", "part1", "check", *(name for name in programs if name.endswith("_avx2")))


def run_sanitizers():
    ctest("debug", "-R", "^(bodies|protocol|physics|simulation|launcher)_.*test$")
    check_sanitized("part1")
    check_sanitized("part2", "--arch", "avx2")  # skips instruction sets that the machine lacks


def scripts():
    """All bash scripts."""
    return [Path("lab"), Path(".ci/run"), *(Path(name) for name in tracked("*.sh"))]


def run_style():
    sources = tracked("*.hpp", "*.cpp", "*.cu", "*.cuh")
    need("shellcheck")
    command("shellcheck", "-x", *scripts())
    if not shutil.which("clang-format-14"):
        raise Skip("scripts are clean; clang-format-14 is missing")
    command("clang-format-14", "--dry-run", "-Werror", *sources)


def handed_out():
    """A folder with the files that ./lab handout packs, including uncommitted changes."""
    need_git("no list of files to hand out")
    folder = Path("build/handed_out")
    shutil.rmtree(folder, ignore_errors=True)
    for path, member in checked_members(Path.cwd()).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(member.content)
        (folder / path).chmod(mode_of(member))
    return folder


def build_without_solutions():
    """Forgets what CMake found with the solutions; unchanged files stay compiled."""
    if not Path("solutions").is_dir():
        raise Skip("this copy of the lab has no folder solutions/")
    tree = scratch_tree(handed_out())
    (tree / "build/release/CMakeCache.txt").unlink(missing_ok=True)
    configure_preset("release", cwd=tree)
    command("cmake", "--build", "--preset", "release", "--target", "part1", "part1_in_double", "check", "bench", cwd=tree)


def run_without_solutions():
    """naive is right, and bench shows the reference speed."""
    if "reference: the solution reaches" not in said_by("./lab", "bench", "part1", "naive", "-n", 200, "--quick", cwd=SCRATCH):
        raise Fail("bench does not show the reference of data/references.json")
    command("build/release/bin/check", "part1", "--largest", 129, "--manifest", "build/release/manifest.json", cwd=SCRATCH)


def build_contributing():
    """Adds a rung, a part, a scheme and a question to a copy of the tree."""
    tree = scratch_tree()
    add_everything(tree)
    command("./lab", "build", "part9", cwd=tree)
    rung = ["part1_renamed", "part1_renamed_count"] if Path("solutions").is_dir() else []
    command("cmake", "--build", "--preset", "release", "--target", "check", "part9_naive_double", "part1_worksheet_program",
            *rung, cwd=tree)


def run_contributing():
    command(sys.executable, "common/lab/testing/contributing_test.py", SCRATCH)


def build_fresh():
    """Clones the lab from nothing. The suites after this one continue in the same folder."""
    need_git("nothing to clone")
    shutil.rmtree(SCRATCH, ignore_errors=True)
    command("git", "clone", "-q", ".", SCRATCH)
    command(SCRATCH.resolve() / "lab", "demo", "--help", cwd="/")  # builds everything it needs


def run_fresh():
    """The demo runs, and its diagnosis names the program that it is about."""
    said = said_by(SCRATCH.resolve() / "lab", "demo", cwd="/")
    print(said)
    if "PART NAME" in said:
        raise Fail("the demo's diagnosis does not name its program")


# --- --weekly ----------------------------------------------------------------------------------

def build_sanitized_tests():
    """Builds all tests, and every instruction set."""
    configure_preset("debug")
    command("cmake", "--build", "--preset", "debug", "--target", "lab_tests", "part2", "check")  # two of the tests include the zoo's headers


def run_sanitized_tests():
    ctest("debug", "-LE", "zoo")
    for instructions in ("sse2", "avx512"):
        check_sanitized("part2", "--arch", instructions)


def fuzzers():
    return re.findall(r"^bin/([a-z0-9_]*_fuzz): ", said_by("ninja", "-C", "build/fuzz", "-t", "targets", "all"), re.M)


def build_fuzz():
    need("clang++")
    if not os.path.exists(said_by("clang++", f"-print-file-name=libclang_rt.fuzzer-{os.uname().machine}.a").strip()):
        raise Skip("clang's libFuzzer is missing")
    command("cmake", "--preset", "fuzz")
    programs = fuzzers()
    if not programs:
        raise Fail("no fuzzer found")
    command("cmake", "--build", "--preset", "fuzz", "--target", *programs)


def corpus_of(program):
    """The inputs of a fuzzer, which the build of its room has made."""
    corpus = "build/fuzz" / next(Path("common").glob(f"*/{program}.cpp")).parent / "corpus"
    if not any(corpus.iterdir()):
        raise Fail(f"{corpus} is empty")
    return corpus


def run_fuzz():
    for program in fuzzers():
        # New inputs go to the first folder, a scratch one; the others are only read.
        scratch = Path("build/fuzz/corpus", program)
        scratch.mkdir(parents=True, exist_ok=True)
        command(Path("build/fuzz/bin", program), "-max_total_time=20", "-timeout=10", "-print_final_stats=1",
                f"-artifact_prefix=build/fuzz/{program}-", scratch, corpus_of(program))


def run_study():
    """Builds a part with every compiler and set of flags, as the study does."""
    ctest("release", "-L", "weekly")


def build_old_compiler():
    need("g++-11")
    command("cmake", "-S", ".", "-B", "build/old_compiler", *RELEASE, "-DCMAKE_CXX_COMPILER=g++-11", "-DLAB_WITH_CUDA=OFF")
    programs = ("part1", "part2", "check", "bench", "ceilings", "part1_worksheet_program")
    command("cmake", "--build", "build/old_compiler", "--target", *programs)


def build_cmake_versions():
    """The oldest supported CMake and the newest. One program is enough: CMake reads the same files for all."""
    for version in ("cmake==3.22.*", "cmake>=4"):
        folder = Path("build/cmake_versions", re.sub("[^0-9]", "", version))
        if not pip_tools(folder / "tools", version):
            log = folder / "tools/pip.log"
            said = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else ["no pip"]
            raise Skip(f"pip cannot install {version}: {said[-1] if said else ''}")
        cmake = folder / "tools/bin/cmake"
        command(cmake, "--version")
        command(cmake, "-S", ".", "-B", folder / "build", *RELEASE, "-DLAB_WITH_CUDA=OFF")
        command(cmake, "--build", folder / "build", "--target", "part1_naive")


def build_mpi():
    if not Path("part4_mpi").is_dir():
        raise Skip("this lab has no part 4")
    need("mpicxx.openmpi")
    command("cmake", "-S", ".", "-B", "build/open_mpi", *RELEASE, "-DLAB_WITH_CUDA=OFF", "-DLAB_TESTS=OFF", "-DMPI_EXECUTABLE_SUFFIX=.openmpi")
    command("cmake", "--build", "build/open_mpi", "--target", "check", "part4_naive", *(["part4"] if Path("solutions").is_dir() else []))


def run_mpi():
    manifest = "build/open_mpi/manifest.json"
    names = [name for name in said_by(sys.executable, "common/lab/manifest.py", manifest, "names", "part4").split() if name != "deadlock"]
    command("build/open_mpi/bin/check", "part4", *names, "--seed", 1, "--no-double", "--manifest", manifest)
    command(sys.executable, "common/mpi/programs_test.py", manifest)


def build_mutation():
    """Mostly compiles, so it has no budget; ctest limits each test."""
    command(sys.executable, "common/lab/testing/mutate.py")
    command(sys.executable, "common/lab/testing/faults.py")


def build_grader():
    """Builds naive for the grader."""
    if not Path("common/lab/grade/test").is_dir():
        raise Skip("the grader's own class is not in the handout")
    command("./lab", "build", "part1", "naive")


def run_grader():
    command(sys.executable, "common/lab/grade/class_suite.py")


def build_grader_class():
    build_grader()


def run_grader_class():
    """Also without namespaces, as on machines without bubblewrap."""
    command(sys.executable, "common/lab/grade/class_suite.py", "--isolation", "landlock", "--only", "locals", "broken_build")
    command(sys.executable, "common/lab/grade/class_suite.py", "--all")


def run_page():
    """The tests skip themselves without Chromium or the packages that write pages."""
    command(sys.executable, "common/lab/page/page_browser_test.py")
    command(sys.executable, "common/lab/grade/pages_browser_test.py")
    command(sys.executable, "common/lab/documents/site_browser_test.py")


def build_readers():
    """Installs both in a virtual environment, 1.3 GB."""
    folder = Path("build/tools/readers")
    if (folder / "ready").exists():
        return
    try:
        command(sys.executable, "-m", "venv", folder)
        command(folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "ovito", "vtk")
    except subprocess.CalledProcessError:
        shutil.rmtree(folder, ignore_errors=True)
        raise Skip("pip cannot install OVITO and VTK") from None
    (folder / "ready").touch()


def run_readers():
    command("build/tools/readers/bin/python", "common/lab/export/export_readers_test.py")


def build_neon():
    if not Path("common/setup/neon_test.sh").exists():
        raise Skip("there are no solutions to run on ARM")
    command("bash", "common/setup/neon_test.sh", "build", "build/neon")


def run_neon():
    command("bash", "common/setup/neon_test.sh", "run", "build/neon")


# Part 3 for the students' GPUs: T4, A100, H100. The tests of the programs are in unit.
FOR_ALL_GPUS = ("bin/part3/naive", "bin/part3/naive_double", "bin/part3/third_law", "bin/part3/exchange")


def build_cuda():
    said = said_by("cmake", "-S", ".", "-B", "build/cuda", *RELEASE, "-DLAB_CUDA_ARCHITECTURES=75;80;90")
    print(said)
    left_out = re.search(r"^-- (.*part 3 is left out.*)", said, re.M)
    if left_out:
        raise Skip(left_out.group(1))
    command("cmake", "--build", "build/cuda", "--target", *FOR_ALL_GPUS)


def find_cuobjdump(folder):
    """The toolkit's cuobjdump, else the one that ./lab setup --cuda installs with pip; None if both are missing."""
    if shutil.which("cuobjdump"):
        return "cuobjdump"
    listed = re.search(r"^nvidia-cuda-cuobjdump\S*", Path("common/setup/packages.txt").read_text(encoding="utf-8"), re.M)
    pip_tools(folder, listed.group())
    return next(folder.glob("python/nvidia/cu*/bin/cuobjdump"), None)


def run_cuda():
    """Checks for machine code for each GPU, and PTX of the last for future ones."""
    tool = find_cuobjdump(Path("build/cuda_tools"))
    if not tool:
        raise Skip("the programs are built but not inspected: no cuobjdump, and pip cannot install it")
    for program in FOR_ALL_GPUS:
        said = said_by(tool, "--list-elf", "--list-ptx", f"build/cuda/{program}")
        for part in ("sm_75.cubin", "sm_80.cubin", "sm_90.cubin", "sm_90.ptx"):
            if part not in said:
                raise Fail(f"{program} has no {part}")
        print(f"{program}: machine code for sm_75, 80, 90 and PTX")
