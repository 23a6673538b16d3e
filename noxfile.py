"""The lab's tests as sessions: `./lab test` runs them, in the tiers of common/lab/src/nbody_lab/commands/tests.py.

A session runs in the lab's root with the lab's Python environment. session.skip() says what is missing.
"""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nox

from nbody_lab.building.manifest import Manifest
from nbody_lab.core.tree_copy import SCRATCH, copy_tree, link_tools
from nbody_lab.handout.pack import checked_members
from tests import CHROMIUM
from tests.house.bare import HANDOUTS
from tests.measure.profile_command_test import make_mine_openmp

ROOT = Path(__file__).resolve().parent
RELEASE = ("-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release")
HALF_AN_HOUR = 1800
UNIT_RESULTS, PYTHON_PASSED = "build/test_logs/unit.xml", "build/test_logs/python_passed.txt"
(ROOT / UNIT_RESULTS).parent.mkdir(parents=True, exist_ok=True)
CHECKING = ("-m", "nbody_lab.check.run")  # shows what a check program finds
nox.options.default_venv_backend = "none"


# --- what they are made of -----------------------------------------------------------------------


def run(session, *words, cwd=None, **environment):
    """Runs a program; its failure ends the session."""
    with session.chdir(cwd or ROOT):
        return session.run(
            *map(str, words),
            external=True,
            env={name: str(value) for name, value in environment.items()},
        )


def said_by(session, *words, cwd=None):
    """The output of a program, which must succeed."""
    with session.chdir(cwd or ROOT):
        return session.run(*map(str, words), external=True, silent=True, stderr=None) or ""


def python(session, *words, **environment):
    run(session, sys.executable, *words, **environment)


def pytest(session, *words, **environment):
    python(session, "-m", "pytest", *words, **environment)


def ctest(session, preset, *options, **environment):
    run(
        session,
        "ctest",
        "--preset",
        preset,
        "--no-tests=error",
        "-j",
        "2",
        "--timeout",
        HALF_AN_HOUR,
        "--output-on-failure",
        *options,
        **environment,
    )


def configure(session, preset, cwd=None):
    """Configures with the compiler that setup chose if CMake's default is too old."""
    compiler = said_by(session, "bash", "common/setup/setup.sh", "--compiler", cwd=cwd).strip()
    run(
        session,
        "cmake",
        "--preset",
        preset,
        *([f"-DCMAKE_CXX_COMPILER={compiler}"] if compiler else []),
        cwd=cwd,
    )


def build(session, preset, *targets, cwd=None):
    configure(session, preset, cwd)
    run(session, "cmake", "--build", "--preset", preset, "--target", *targets, cwd=cwd)


def build_everything(session):
    run(session, "./lab", "build", "all")


def need(session, *programs):
    for program in programs:
        if not shutil.which(program):
            session.skip(f"{program} is missing")


def need_git(session):
    if (
        subprocess.run(
            ["git", "rev-parse", "--is-inside-work-tree"],
            cwd=ROOT,
            capture_output=True,
            check=False,
        ).returncode
        != 0
    ):
        session.skip("not a git checkout")


def tracked(session, *patterns):
    """The files that belong to the tree, also those that git does not know yet."""
    need_git(session)
    listed = said_by(session, "git", "ls-files", "-z", "-co", "--exclude-standard", "--", *patterns)
    return [name for name in listed.split("\0") if name and os.path.lexists(name)]


def scratch_tree(session, folder=None):
    """A copy of the tree, or of a tree in `folder`, which sessions use one after another, so that later ones reuse what
    earlier ones built."""
    files = (
        tracked(session)
        if folder is None
        else [str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()]
    )
    copy_tree(files, SCRATCH, folder or ROOT)
    link_tools(SCRATCH, ROOT)
    return SCRATCH


def has_solutions():
    return Path("solutions").is_dir()


# --- while you work ------------------------------------------------------------------------------


def passed_inside():
    """The tree of the lab on an empty Debian, if all has passed there just before (suite bare)."""
    folder = os.environ.get("LAB_PASSED_INSIDE")
    return Path(folder) if folder else None


def tests_passed(results):
    """The names in CTest's results of the tests that ran and passed."""
    cases = xml.etree.ElementTree.parse(results).iter("testcase")
    return [case.get("name") for case in cases if case.get("status") == "run"]


@nox.session
def unit(session):
    """The tests in C++, and those in Python that belong to them."""
    build(session, "release", "unit_tests")
    inside, there = passed_inside(), []
    if inside:
        there = ["-E", f"^({'|'.join(map(re.escape, tests_passed(inside / UNIT_RESULTS)))})$"]
    which = ("-LE", "zoo|slow|weekly|thorough", "--output-junit", ROOT / UNIT_RESULTS)
    ctest(session, "release", *which, *there)


@nox.session(name="python")
def python_tests(session):
    """The tests in Python that need no more than the programs of the tests in C++."""
    build(session, "release", "unit_tests", "bin/check", "bin/part1/naive")
    inside = passed_inside()
    names = {"LAB_PASSED": PYTHON_PASSED}
    if inside:
        names = {"LAB_PASSED_BEFORE": inside / PYTHON_PASSED}
    pytest(session, "-m", "not slow and not weekly", "-n", "3", **names)  # many wait: for two cores


@nox.session
def parts(session):
    """The given code of each part, as ./lab check builds it; kernels on the CPU in double, too."""
    configure(session, "release")
    programs = []
    for name, in_double in (("manifest", False), ("manifest_on_cpu", True)):
        file = Path("build/release", f"{name}.json")
        rows = Manifest(file).rows if file.exists() else []
        programs += [
            program.program
            for row in rows
            if row.kind in ("naive", "mine")
            for program in row.programs
            if in_double or program.precision == "float"
        ]
    run(session, "ninja", "-C", "build/release", "bin/check", *programs)
    manifest = Manifest("build/release/manifest.json")
    inside = passed_inside()
    there = Manifest(inside / "build/release/manifest.json") if inside else None
    for file in sorted(Path().glob("part*_*/CMakeLists.txt")):
        part = file.parent.name.split("_")[0]
        if there and (there.of_part(part) or (file.parent / "naive.cuh").exists()):
            session.log(f"{part} has been checked in suite bare")
            continue
        if manifest.of_part(part):
            run(session, "./lab", "check", part, "naive", "mine")
        else:
            session.log(f"{part} is not built here, so not checked")
        if (file.parent / "naive.cuh").exists():
            run(session, "./lab", "check", part, "naive", "mine", "--on-cpu")


# --- before you commit ---------------------------------------------------------------------------


@nox.session(name="build")
def build_all(session):
    """Everything compiles without a warning."""
    build_everything(session)


@nox.session
def style(session):
    """Form and types: shellcheck, clang-format, ruff, mypy, imports."""
    scripts = ["lab", ".ci/run", *tracked(session, "*.sh")]
    python(session, "-m", "ruff", "check", "--quiet", ".")
    python(session, "-m", "ruff", "format", "--quiet", "--check", ".")
    python(session, "-m", "mypy")
    for questions in tracked(session, "part*/questions.py"):  # modules of one name: one at a time
        python(session, "-m", "mypy", "--strict", questions, MYPYPATH="common/lab/src")
    layers = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    python(session, "-c", layers, "--no-cache")
    need(session, "shellcheck", "clang-format-14")
    run(session, "shellcheck", "-x", *scripts)
    sources = tracked(session, "*.hpp", "*.cpp", "*.cu", "*.cuh")
    session.log(
        f"clang-format-14 --dry-run -Werror: {len(sources)} files; clang-format-14 -i FILE puts one into form"
    )
    session.run(
        "clang-format-14",
        "--dry-run",
        "-Werror",
        "--ferror-limit=3",
        *sources,
        external=True,
        log=False,
    )


@nox.session
def slow(session):
    """More of them: slow tests that measure or compile a lot."""
    build_everything(session)
    ctest(session, "release", "-L", "slow")
    pytest(session, "-m", "slow and not weekly and not alone", "-n", "2")
    pytest(session, "-m", "slow and alone")
    if shutil.which("clang++"):  # what the other compiler says is worded otherwise
        pytest(session, "common/lab/tests/building/explain_test.py", LAB_CXX="clang++")


def on_bare_systems(session, systems):
    """Each system with the steps that it takes (tests/house/bare.py)."""
    need_git(session)
    why_not = None
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n", "--preserve-env"]
    if as_root and subprocess.run(["sudo", "-n", "true"], check=False).returncode != 0:
        why_not = "an empty Debian cannot be made without root"
    elif not shutil.which("mmdebstrap"):
        why_not = "mmdebstrap is missing, which makes an empty Debian"
    if why_not and os.environ.get("CI"):
        session.error(why_not)
    if why_not:
        session.skip(why_not)
    for release, steps in systems:
        run(session, *as_root, sys.executable, "-m", "tests.house.bare", release, *steps)


@nox.session
def bare(session):
    """A stranger's first ten minutes, and what the handouts of parts 1 and 2 tell a student to type."""
    on_bare_systems(
        session,
        [
            ("bookworm", ["demo", "documents", "test", "student"]),
            ("trixie", ["demo", "some-tests"]),
        ],
    )
    # What has passed there does not run again in the sessions after this one.
    os.environ["LAB_PASSED_INSIDE"] = str(ROOT / "build/bare/bookworm/srv/lab")


@nox.session(name="bare-weekly")
def bare_weekly(session):
    """Debian 13 in full."""
    on_bare_systems(session, [("trixie", ["demo", "documents", "test", "student"])])


@nox.session
def fresh(session):
    """A new clone makes its environment, and the demo builds everything it needs. The sessions after this one continue in the
    same folder."""
    need_git(session)
    shutil.rmtree(SCRATCH, ignore_errors=True)
    run(session, "git", "clone", "-q", ".", SCRATCH)
    run(session, SCRATCH / "lab", "demo", "--help", cwd="/")
    run(session, SCRATCH / "lab", "demo", cwd="/")


@nox.session
def docs(session):
    """A document that is out of date."""
    python(session, "docs/run_docs.py", "--build")
    python(session, "docs/run_docs.py", "--self-test")
    there = ["--but", *HANDOUTS.split()] if passed_inside() else []
    python(session, "docs/run_docs.py", *there)


@nox.session
def profile(session):
    """In a copy of the tree with an extra header to profile."""
    need(session, "gprof")
    tree = scratch_tree(session)
    make_mine_openmp(tree)
    of_solutions = ["gprof_part1_openmp", "gprof_part2_blocked"] if has_solutions() else []
    build(
        session,
        "release",
        "gprof_part1_naive",
        "gprof_part1_mine_rows",
        "gprof_debug_part1_naive",
        *of_solutions,
        cwd=tree,
    )
    pytest(session, "common/lab/tests/measure/profile_command_test.py", LAB_TREE=tree)


def handed_out(session):
    """A folder with the files that ./lab handout packs, including uncommitted changes."""
    need_git(session)
    folder = Path("build/handed_out")
    shutil.rmtree(folder, ignore_errors=True)
    for path, member in checked_members(ROOT).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(member.content)
        (folder / path).chmod(member.mode)
    return folder


@nox.session(name="without-solutions")
def without_solutions(session):
    """naive is right, and bench shows the reference speed."""
    if not has_solutions():
        session.skip("this copy of the lab has no folder solutions/")
    tree = scratch_tree(session, handed_out(session))
    (tree / "build/release/CMakeCache.txt").unlink(
        missing_ok=True
    )  # forgets what CMake found with the solutions
    build(session, "release", "part1", "part1_in_double", "check", "bench", cwd=tree)
    if "reference: the solution reaches" not in said_by(
        session,
        "./lab",
        *("bench", "part1", "naive", "-n", 200, "--quick", "--wait", 300),
        cwd=tree,
    ):
        session.error("bench does not show the reference of data/references.json")
    python(
        session,
        *CHECKING,
        "build/release/bin/check",
        "part1",
        "--largest",
        129,
        "--manifest",
        "build/release/manifest.json",
        cwd=tree,
    )
    # What the tests import is handed out, too. The copy's own environment holds no pytest.
    package = tree / "common/lab"
    run(
        session,
        sys.executable,
        *("-m", "pytest", "--collect-only", "--quiet"),
        cwd=tree,
        PYTHONPATH=f"{package / 'src'}:{package}",
    )


@nox.session
def mpi(session):
    """Part 4 with the other MPI library: Open MPI."""
    if not Path("part4_mpi").is_dir():
        session.skip("this lab has no part 4")
    need(session, "mpicxx.openmpi")
    run(
        session,
        "cmake",
        "-S",
        ".",
        "-B",
        "build/open_mpi",
        *RELEASE,
        "-DLAB_WITH_CUDA=OFF",
        "-DLAB_TESTS=OFF",
        "-DMPI_EXECUTABLE_SUFFIX=.openmpi",
    )
    run(
        session,
        "cmake",
        "--build",
        "build/open_mpi",
        "--target",
        "check",
        "part4_naive",
        *(["part4"] if has_solutions() else []),
    )
    manifest = "build/open_mpi/manifest.json"
    names = [row.name for row in Manifest(manifest).of_part("part4") if row.name != "deadlock"]

    def check(some):
        python(
            session,
            *CHECKING,
            "build/open_mpi/bin/check",
            "part4",
            *some,
            "--seed",
            1,
            "--no-double",
            "--largest",
            1100,  # the messages differ here, not the arithmetic: zoo-weekly asks the rest
            "--timeout",
            60,
            "--manifest",
            manifest,
        )

    # Two checks: in each, ranks wait for each other half of the time.
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(check, (names[::2], names[1::2])))
    python(session, "common/mpi/programs_test.py", manifest)


@nox.session
def grader(session):
    """The grader's own class, honest and hostile."""
    if not Path("common/lab/tests/grade/made_class").is_dir():
        session.skip("the grader's own class is not in the handout")
    run(session, "./lab", "build", "part1", "naive")
    python(session, "-m", "tests.grade.class_suite")


@nox.session
def zoo(session):
    """The checker finds each known mistake, and no others."""
    build_everything(session)
    ctest(session, "release", "-L", "zoo")


def check_sanitized(session, *words):
    python(
        session,
        *CHECKING,
        "build/debug/bin/check",
        "--no-double",
        "--largest",
        70,
        "--seed",
        1,
        "--manifest",
        "build/debug/manifest.json",
        *words,
    )


@nox.session
def sanitizers(session):
    """Rooms that read outside input, the given code of part 1 and the loops of part 2 with their tails."""
    configure(session, "debug")
    rows = Manifest("build/debug/manifest.json").of_part("part2")
    programs = [
        program.program
        for row in rows
        for program in row.programs
        if program.program.endswith("_avx2")
    ]
    build(
        session,
        "debug",
        "core_test",
        "session_test",
        "simulation_test",
        "part1_naive",
        "part1_mine",
        "check",
        *programs,
    )
    ctest(session, "debug", "-R", "^(core|session|simulation)_.*test$")
    check_sanitized(session, "part1", "naive", "mine")
    check_sanitized(
        session, "part2", "--arch", "avx2"
    )  # skips instruction sets that the machine lacks


# --- every week ----------------------------------------------------------------------------------


@nox.session(name="zoo-weekly")
def zoo_weekly(session):
    """The rest of the zoo, and the programs that daily builds leave out. And half of every limit must be enough for the
    honest, whatever is asked."""
    build_everything(session)
    build(session, "release", "part2_in_double", "part3_in_double", "part4_in_double")
    ctest(session, "release", "-L", "thorough")
    for precision in ("float", "double"):
        python(
            session,
            *CHECKING,
            "build/release/bin/check",
            *("honest", "--half", "--no-double", "--precision", precision, "--seeds", 6),
            *("--manifest", "build/release/manifest.json"),
        )


@nox.session(name="sanitized-tests")
def sanitized_tests(session):
    """All tests, and every instruction set."""
    build(
        session, "debug", "lab_tests", "part1", "part2", "check"
    )  # two of the tests include the zoo's headers
    ctest(session, "debug", "-LE", "zoo|thorough")
    pytest(session, "-m", "not slow and not weekly", "-n", "2", LAB_BUILD=ROOT / "build/debug")
    check_sanitized(session, "part1")
    for instructions in ("sse2", "avx512"):
        check_sanitized(session, "part2", "--arch", instructions)


@nox.session
def compilers(session):
    """A part with every compiler and set of flags; other tests that measure."""
    build_everything(session)
    ctest(session, "release", "-L", "weekly", "--no-tests=ignore")
    pytest(session, "-m", "weekly and not browser")


@nox.session(name="old-compiler")
def old_compiler(session):
    """The oldest g++ that is supported."""
    need(session, "g++-11")
    run(
        session,
        "cmake",
        "-S",
        ".",
        "-B",
        "build/old_compiler",
        *RELEASE,
        "-DCMAKE_CXX_COMPILER=g++-11",
        "-DLAB_WITH_CUDA=OFF",
    )
    programs = ("part1", "part2", "check", "bench", "ceilings", "part1_worksheet_program")
    run(session, "cmake", "--build", "build/old_compiler", "--target", *programs)


def pip_tools(folder, requirement):
    """Whether pip could install it. FOLDER/python then holds it, FOLDER/bin its cmake, ctest and ninja."""
    script = '. common/setup/user_space.sh; pip_tools "$@"'
    return (
        subprocess.run(
            ["bash", "-c", script, "pip_tools", str(folder), requirement], check=False
        ).returncode
        == 0
    )


@nox.session(name="cmake-versions")
def cmake_versions(session):
    """The oldest supported CMake and the newest. One program is enough: CMake reads the same files for all."""
    for version in ("cmake==3.22.*", "cmake>=4"):
        folder = Path("build/cmake_versions", re.sub("[^0-9]", "", version))
        if not pip_tools(folder / "tools", version):
            session.skip(f"pip cannot install {version}: {folder}/tools/pip.log")
        cmake = folder / "tools/bin/cmake"
        run(session, cmake, "--version")
        run(session, cmake, "-S", ".", "-B", folder / "build", *RELEASE, "-DLAB_WITH_CUDA=OFF")
        run(session, cmake, "--build", folder / "build", "--target", "part1_naive")


@nox.session
def page(session):
    """Pages in a real browser."""
    if not CHROMIUM:
        session.skip("chromium is missing")
    pytest(session, "-m", "browser")


@nox.session
def neon(session):
    """Part 2 on ARM, emulated."""
    if not Path("common/setup/neon_test.sh").exists():
        session.skip("there are no solutions to run on ARM")
    run(session, "bash", "common/setup/neon_test.sh", "build", "build/neon")
    run(session, "bash", "common/setup/neon_test.sh", "run", "build/neon")


# Part 3 for the students' GPUs: T4, A100, H100. The tests of the programs are in unit.
FOR_ALL_GPUS = (
    "bin/part3/naive",
    "bin/part3/naive_double",
    "bin/part3/third_law",
    "bin/part3/exchange",
)


def find_cuobjdump(folder):
    """The toolkit's cuobjdump, else the one that ./lab setup --cuda installs with pip; None if both are missing."""
    if shutil.which("cuobjdump"):
        return "cuobjdump"
    listed = re.search(
        r"^nvidia-cuda-cuobjdump\S*",
        Path("common/setup/packages.txt").read_text(encoding="utf-8"),
        re.M,
    )
    pip_tools(folder, listed.group())
    return next(folder.glob("python/nvidia/cu*/bin/cuobjdump"), None)


@nox.session
def cuda(session):
    """Machine code for each GPU, and PTX of the last for future ones."""
    said = said_by(
        session,
        "cmake",
        "-S",
        ".",
        "-B",
        "build/cuda",
        *RELEASE,
        "-DLAB_CUDA_ARCHITECTURES=75;80;90",
    )
    left_out = re.search(r"^-- (.*part 3 is left out.*)", said, re.M)
    if left_out:
        session.skip(left_out.group(1))
    run(session, "cmake", "--build", "build/cuda", "--target", *FOR_ALL_GPUS)
    tool = find_cuobjdump(Path("build/cuda_tools"))
    if not tool:
        session.skip(
            "the programs are built but not inspected: no cuobjdump, and pip cannot install it"
        )
    for program in FOR_ALL_GPUS:
        said = said_by(session, tool, "--list-elf", "--list-ptx", f"build/cuda/{program}")
        for part in ("sm_75.cubin", "sm_80.cubin", "sm_90.cubin", "sm_90.ptx"):
            if part not in said:
                session.error(f"{program} has no {part}")
        print(f"{program}: machine code for sm_75, 80, 90 and PTX")
