"""One idea, judged and timed: what ./lab try asks of the programs check and bench, and what follows from their answers."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from nbody_lab.building.manifest import Implementation, Manifest, Program, manifest_text
from nbody_lab.check.result import Case, CheckedProgram, CheckResult
from nbody_lab.core.clean_text import printable
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import parse
from nbody_lab.core.run import SHORT_SPINS, result_of
from nbody_lab.core.words import plural
from nbody_lab.measure.bench_file import BenchResult, BenchRow
from nbody_lab.notebook.columns import Row
from nbody_lab.notebook.gain import BUSY, Gain, compare, estimate, verdict_on

SCENE = "plummer"
_BODIES, _BODIES_ON_GPU = 2000, 16384  # enough to give a small GPU work, few enough to take seconds
# Quick, so that it is used often; nine rounds: see gain.py.
_CLOCK = ("--rounds", 9, "--least", 0.03, "--timeout", 20)
_TRY_LATER = "try again when the machine is quiet, or with --wait 120"


@dataclass(frozen=True)
class Programs:
    """Those of a part, as they are built."""

    part: str
    build: Path
    manifest: Path
    device: str = ""  # the GPU's name; empty: the processor


@dataclass(frozen=True)
class Question:
    """What is measured beside what."""

    name: str
    expected: float
    before: Row | None = None  # the row of the notebook that it is compared with; None: naive
    before_program: Path | None = None  # None: it is gone
    threads: int | None = None  # None: as many as each program wants
    ranks: int | None = None  # None: the part's default
    adaptive: bool = False
    n: int | None = None
    wait_s: int | None = None  # for free cores, at most

    @property
    def name_before(self) -> str:
        return f"row {self.before.row}" if self.before else "naive"

    @property
    def before_in_words(self) -> str:
        return f"{self.name_before}, {self.before.name}" if self.before else "naive"


@dataclass(frozen=True)
class Conditions:
    """What numbers of one measurement have in common."""

    n: int
    adaptive: bool
    device: str
    threads: int | None  # at most; None on a GPU
    ranks: int | None  # None: one process
    flags: tuple[str, ...]

    @property
    def step(self) -> str:
        return "adaptive" if self.adaptive else "fixed"

    def __str__(self) -> str:
        ranks = f"{plural(self.ranks, 'rank')}, " if self.ranks else ""
        runs_on = self.device or threads_in_words(self.threads)
        return f"{self.n} bodies, {self.step} step, float, {ranks}{runs_on}, flags {' '.join(self.flags)}"


def threads_in_words(threads: int | None) -> str:
    return "1 thread" if threads == 1 else f"{threads} threads at most"


@dataclass(frozen=True)
class Times:
    """Rows of bench, timed in the same rounds."""

    naive: BenchRow
    mine: BenchRow
    before: BenchRow | None = None  # None: its program is gone, or no longer right


@dataclass(frozen=True)
class Trial:
    """A question and its answers."""

    question: Question
    conditions: Conditions
    check: CheckResult
    program: Path | None = None  # judged and timed; None: one of several, for instruction sets
    times: Times | None = None  # None: not timed
    wrong: str = ""
    busy: str = ""
    over_naive: Gain | None = None  # both or none
    over_before: Gain | None = None

    @property
    def checked(self) -> CheckedProgram:
        return self.check.implementations[0]

    @property
    def verdict(self) -> str:
        if self.wrong:
            return f"wrong: {printable(self.wrong)}"
        return verdict_on(self.question.expected, self.over_before) if self.over_before else BUSY

    def row(self) -> Row:
        """What it fills in of a row of the notebook; without a gain, no measured number."""
        conditions, gain = self.conditions, self.over_before
        row = Row(
            expected=self.question.expected,
            verdict=self.verdict,
            n=conditions.n,
            threads=conditions.threads,
            step=conditions.step,
            scene=SCENE,
            precision="float",
            device=conditions.device,
            flags=" ".join(conditions.flags),
        )
        if not (gain and self.over_naive and self.times):
            return row
        measured = {
            "measured": gain.ratio,
            "lower": gain.lower,
            "upper": gain.upper,
            "estimated": "yes" if gain.estimated else "",
            "times_naive": self.over_naive.ratio,
            "interactions_per_s": self.times.mine.interactions_per_s.median,
            "spread": self.times.mine.spread,
        }
        return row.model_copy(update=measured)


# --- what is asked -------------------------------------------------------------------------------


def _most_threads(ranks: int | None) -> int:
    """A program's own default: OMP_NUM_THREADS, or all cores, shared out to its processes."""
    asked = os.environ.get("OMP_NUM_THREADS", "").split(",")[0]
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    return max(1, len(os.sched_getaffinity(0)) // (ranks or 1))


def conditions_of(programs: Programs, manifest: Manifest, question: Question) -> Conditions:
    part = manifest.part(programs.part)
    launcher, ranks = (part.launcher, part.ranks) if part else ((), 0)
    if question.ranks and not launcher:
        raise LabError(f"--ranks: {programs.part} runs as one process; part 4 runs as several")
    used_ranks = (question.ranks or ranks) if launcher else None
    threads = None if programs.device else question.threads or _most_threads(used_ranks)
    return Conditions(
        n=question.n or (_BODIES_ON_GPU if programs.device else _BODIES),
        adaptive=question.adaptive,
        device=programs.device,
        threads=threads,
        ranks=used_ranks,
        flags=manifest.row(programs.part, question.name).flags,
    )


def implementations_asked(
    manifest: Manifest, part: str, question: Question
) -> list[Implementation]:
    """Those of the manifest, with the program that the row before kept."""
    mine = manifest.row(part, question.name)
    if not question.before_program:
        return list(manifest.rows)
    # It may be of another name: what it says of itself is not compared.
    others = {"name": question.name_before, "class_name": "", "parent": "", "count": None}
    path = str(question.before_program)
    program = Program(precision="float", instruction_set="", program=path)
    before = mine.model_copy(update={"program": path, "programs": (program,), **others})
    return [*manifest.rows, before]


@contextlib.contextmanager
def _manifest_asked(manifest: Manifest, part: str, question: Question) -> Iterator[Path]:
    """A manifest beside the real one, since its paths begin there."""
    text = manifest_text(implementations_asked(manifest, part, question), manifest.parts)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=manifest.file.parent, prefix="manifest_of_try_", suffix=".json"
    ) as file:
        file.write(text)
        file.flush()
        yield Path(file.name)


def bench_options(conditions: Conditions, question: Question) -> list[object]:
    options: list[object] = ["-n", conditions.n, *_CLOCK]
    options += ["--threads", question.threads] if question.threads else ["--own-threads"]
    options += ["--vdt"] if conditions.adaptive else []
    options += ["--ranks", conditions.ranks] if conditions.ranks else []
    options += ["--device", conditions.device] if conditions.device else []
    return options + (["--wait", question.wait_s] if question.wait_s else [])


# --- what is answered ----------------------------------------------------------------------------


def _wrong_while_timed(trial: Trial, mine: BenchRow) -> Trial:
    """Timed answers may be wrong although every case of the check passed."""
    wrong = f"while it was timed: {mine.verdict}"
    case = Case(
        group="timed",
        scene=SCENE,
        n=trial.conditions.n,
        error=mine.error,
        limit=mine.limit,
        verdict="failed",
        detail=wrong,
    )
    failed = {"verdict": "FAILED", "as_expected": False, "sentence": wrong}
    cases = (*trial.checked.cases, case)
    checked = trial.checked.model_copy(update={**failed, "cases": cases})
    check = trial.check.model_copy(update={"implementations": (checked,)})
    return replace(trial, check=check, wrong=wrong)


def _gains(question: Question, times: Times) -> tuple[Gain, Gain] | None:
    """Over naive, and over the row before; None if too few rounds count."""
    over_naive = compare(times.mine, times.naive)
    over_before = over_naive
    before = question.before
    if before and times.before:
        over_before = compare(times.mine, times.before)
    elif before and before.times_naive and over_naive:
        over_before = estimate(
            over_naive.ratio, times.mine.spread, before.times_naive, before.spread or 0
        )
    return (over_naive, over_before) if over_naive and over_before else None


def with_times(trial: Trial, rows: tuple[BenchRow, ...]) -> Trial:
    """`rows` of bench: naive, this one, and the row before if its program is kept."""
    naive, mine, *more = rows
    times = Times(naive, mine, next((row for row in more if row.is_right), None))
    trial = replace(trial, times=times)
    if not naive.is_right and not naive.too_busy:
        raise LabError(f"naive does not run: {naive.verdict}")
    if not mine.is_right and not mine.too_busy:
        return _wrong_while_timed(trial, mine)
    busy = next((row.about_cores for row in rows if row.too_busy), "")
    if busy:
        return replace(trial, busy=busy)
    gains = _gains(trial.question, times)
    if not gains:
        return replace(trial, busy=f"other programs came and went; {_TRY_LATER}")
    return replace(trial, over_naive=gains[0], over_before=gains[1])


def _program_built(programs: Programs, row: Implementation) -> Path | None:
    for program in row.programs:
        if (program.precision, program.instruction_set) == ("float", ""):
            return programs.build / program.program
    return None


def run_trial(programs: Programs, question: Question) -> Trial:
    """Checks, and times what is right."""
    part, name, bin_folder = programs.part, question.name, programs.build / "bin"
    manifest = Manifest(programs.manifest)
    conditions = conditions_of(programs, manifest, question)
    with (
        tempfile.TemporaryDirectory() as folder,
        _manifest_asked(manifest, part, question) as asked,
    ):
        argv = [bin_folder / "check", part, name, "--no-double", "--manifest", asked]
        check = parse(
            CheckResult, result_of(argv, Path(folder, "check.json"), **SHORT_SPINS), "check"
        )
        trial = Trial(
            question, conditions, check, _program_built(programs, manifest.row(part, name))
        )
        if not trial.checked.cases:
            raise LabError(f"{part}/{name}: {trial.checked.verdict}")
        if not trial.checked.as_expected:
            wrong = trial.checked.sentence or "not everything could be checked"
            return replace(trial, wrong=wrong)
        names = ["naive", name, *([question.name_before] if question.before_program else [])]
        argv = [bin_folder / "bench", part, *names, "--manifest", asked]
        options = bench_options(conditions, question)
        found = result_of([*argv, *options], Path(folder, "bench.json"))
        return with_times(trial, parse(BenchResult, found, "bench").summary)
