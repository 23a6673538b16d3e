"""One idea, judged and timed: what ./lab try asks of the programs check and bench, and what follows from their answers."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nbody_lab.building.lab import Lab
from nbody_lab.building.manifest import Implementation, Manifest, Program, manifest_text
from nbody_lab.check.plan import Asked as CheckAsked
from nbody_lab.check.plan import plan_of as check_plan
from nbody_lab.check.result import CheckedProgram
from nbody_lab.check.run import run as check
from nbody_lab.core.clean_text import printable
from nbody_lab.core.errors import INTERRUPTED, LabError
from nbody_lab.core.turns import turn
from nbody_lab.core.words import plural
from nbody_lab.measure.bench import measure
from nbody_lab.measure.bench_file import BenchRow
from nbody_lab.measure.bench_plan import Asked, Clock, plan_of
from nbody_lab.notebook.gain import BUSY, Gain, compare, verdict_on
from nbody_lab.notebook.notebook import Row

_SCENE = "plummer"
# Quick, so that it is used often; nine rounds: see gain.py.
_CLOCK = Clock(rounds=9, seconds=0.03, timeout_s=20)


@dataclass(frozen=True)
class Question:
    """What is measured beside what."""

    name: str
    idea: str
    expected: float
    before: Row | None = None  # the row of the notebook that it is compared with; None: naive
    before_program: Path | None = None  # of that row
    n: int = 2000
    adaptive: bool = False
    threads: int | None = None  # None: as many as each program wants
    ranks: int | None = None  # None: one process
    device: str = ""  # the GPU's name; empty: the processor
    flags: str = ""  # of the compiler
    wait_s: int = 30  # for cores that other programs use, at most

    @property
    def before_in_words(self) -> str:
        return f"row {self.before.row}, {self.before.name}" if self.before else "naive"

    @property
    def step(self) -> str:
        return "adaptive" if self.adaptive else "fixed"

    @property
    def most_threads(self) -> int | None:
        """Of a process; None on a GPU. A program's own default is OMP_NUM_THREADS, or all cores shared out to the processes."""
        if self.device:
            return None
        asked = os.environ.get("OMP_NUM_THREADS", "").split(",")[0]
        default = int(asked) if asked.isdecimal() else 0
        cores = len(os.sched_getaffinity(0))
        return self.threads or default or max(1, cores // (self.ranks or 1))

    @property
    def conditions(self) -> str:
        ranks = f"{plural(self.ranks, 'rank')}, " if self.ranks else ""
        threads = "1 thread" if self.most_threads == 1 else f"{self.most_threads} threads at most"
        where = f"{ranks}{self.device or threads}"
        return f"{self.n} bodies, {self.step} step, float, {where}, flags {self.flags}"

    def asked(self, names: Sequence[str]) -> Asked:
        """Of the clock."""
        return Asked(
            names,
            (self.n,),
            threads=(self.threads or 0,),
            ranks=(self.ranks or 0,),
            adaptive=self.adaptive,
            device=self.device,
            clock=replace(_CLOCK, wait_s=self.wait_s),
        )


@dataclass(frozen=True)
class Trial:
    """A question and its answers."""

    question: Question
    checked: CheckedProgram
    times: tuple[BenchRow, ...] = ()  # naive, this one, and the row before unless that is naive
    wrong: str = ""
    busy: str = ""
    over_naive: Gain | None = None  # both or none
    over_before: Gain | None = None

    @property
    def verdict(self) -> str:
        if self.wrong:
            return f"wrong: {printable(self.wrong)}"
        return verdict_on(self.question.expected, self.over_before) if self.over_before else BUSY

    def row(self) -> Row:
        """Of the notebook; without a gain, it has no measured number."""
        question, gain = self.question, self.over_before
        row = Row(
            name=question.name,
            idea=question.idea,
            expected=question.expected,
            against=str(question.before.row) if question.before else "naive",
            n=question.n,
            threads=question.most_threads,
            verdict=self.verdict,
            step=question.step,
            scene=_SCENE,
            precision="float",
            device=question.device,
            flags=question.flags,
        )
        if not gain or not self.over_naive:
            return row
        measured = {
            "measured": gain.ratio,
            "lower": gain.lower,
            "upper": gain.upper,
            "times_naive": self.over_naive.ratio,
            "interactions_per_s": self.times[1].interactions_per_s.median,
            "spread": self.times[1].spread,
        }
        return row.model_copy(update=measured)


def implementations_asked(
    manifest: Manifest, part: str, question: Question
) -> list[Implementation]:
    """Those of the manifest, with the program that the row before kept."""
    if not question.before or not question.before_program:
        return list(manifest.rows)
    program = Program(precision="float", program=str(question.before_program))
    update = {
        "name": f"row {question.before.row}",
        "program": program.program,
        "programs": (program,),
        # It may be of another name: what it says of itself is not compared.
        "class_name": "",
        "parent": "",
        "count": None,
    }
    return [*manifest.rows, manifest.row(part, question.name).model_copy(update=update)]


def answered(question: Question, checked: CheckedProgram, rows: Sequence[BenchRow]) -> Trial:
    """What follows from the rows of bench: naive, this one, and the row before unless that is naive."""
    naive, mine, *before = rows
    trial = Trial(question, checked, tuple(rows))
    for row, whose in zip([naive, *before], ["naive", question.before_in_words]):
        if not row.is_right and not row.too_busy:
            raise LabError(f"{whose} does not run: {row.verdict}")
    if not mine.is_right and not mine.too_busy:
        return replace(trial, wrong=f"while it was timed: {mine.verdict}")
    if busy := [row for row in rows if row.too_busy]:
        return replace(trial, busy=busy[0].about_cores)
    gains = compare(mine, naive), compare(mine, before[0] if before else naive)
    if not all(gains):
        return replace(trial, busy="other programs came and went; try again when it is quiet")
    return replace(trial, over_naive=gains[0], over_before=gains[1])


def run_trial(lab: Lab, question: Question) -> Trial:
    """Checks, and times what is right, once there are cores for it."""
    part, manifest = lab.part, Manifest(lab.manifest)
    whose = f"{part}/{question.name}"
    # Beside the real one, since its paths begin there.
    with tempfile.NamedTemporaryFile(
        "w",
        encoding="utf-8",
        dir=lab.manifest.parent,
        prefix="manifest_of_try_",
        suffix=".json",
    ) as asked:
        rows = implementations_asked(manifest, part, question)
        asked.write(manifest_text(rows, manifest.parts))
        asked.flush()
        known = Manifest(asked.name)
        checks = check_plan(known, part, [question.name], CheckAsked(no_double=True))
        (checked,) = check(lab.build_dir / "bin/check", checks).implementations
        if not checked.cases:
            raise LabError(f"{whose}: {checked.verdict}")
        if not checked.as_expected:
            wrong = checked.sentence or "not everything could be checked"
            return Trial(question, checked, wrong=wrong)

        names = ["naive", question.name, *(row.name for row in rows[len(manifest.rows) :])]

        plan = plan_of(known, part, question.asked(names))
        with turn(f"{whose} with ./lab try"):
            status, result, _ = measure(lab.build_dir / "bin/bench", plan, f"bench {part}")
        if status == INTERRUPTED:
            raise KeyboardInterrupt
        return answered(question, checked, result.summary)
