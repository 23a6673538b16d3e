"""One idea, judged and timed: what ./lab try asks of the programs check and bench, and what follows from their answers."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.core.messages import stop
from nbody_lab.core.running import SHORT_SPINS, result_of
from nbody_lab.core.speeds import spread_of
from nbody_lab.notebook.file import printable
from nbody_lab.notebook.gain import Gain, estimated_gain, gain_of, verdict_word

SCENE, BODIES, BODIES_ON_GPU = (
    "plummer",
    2000,
    16384,
)  # enough to give a small GPU work, few enough to take seconds there
CLOCK = (
    "--rounds",
    9,
    "--least",
    0.03,
    "--timeout",
    20,
)  # quick, so that it is used often; nine rounds: see gain.py
BUSY = "no verdict: the machine was busy"
TRY_LATER = "try again when the machine is quiet, or with --wait 120"


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
    before: dict | None = None  # the row of the notebook that it is compared with; None: naive
    before_program: Path | None = None  # None: it is gone
    program: Path | None = None  # kept from an earlier row; None: the one that is built
    threads: int = 0  # 0: as many as each program wants
    ranks: int = 0  # 0: the part's default
    adaptive: bool = False
    n: int = 0
    wait: int = 0  # for free cores, at most so many seconds

    @property
    def name_of_before(self):
        return f"row {self.before['row']}" if self.before else "naive"

    @property
    def threads_before(self):
        """As it was measured; 0: as the others."""
        threads = self.before["threads"] if self.before else ""
        return int(threads) if threads.isdecimal() and 0 < int(threads) <= 4096 else 0


@dataclass(frozen=True)
class Conditions:
    """What numbers of one measurement have in common."""

    n: int
    adaptive: bool
    device: str
    threads: str  # at most; empty on a GPU
    ranks: int  # 0: one process
    flags: Sequence[str]
    before: str = ""  # those of the row before, if different

    @property
    def step(self):
        return "adaptive" if self.adaptive else "fixed"

    def __str__(self):
        ranks = f"{counted(self.ranks, 'rank')}, " if self.ranks else ""
        runs_on = self.device or threads_text(self.threads)
        return f"{self.n} bodies, {self.step} step, float, {ranks}{runs_on}, flags {' '.join(self.flags)}"


def counted(number, word):
    return f"{number} {word}{'' if number == 1 else 's'}"


def threads_text(threads):
    return "1 thread" if threads == "1" else f"{threads} threads at most"


# --- what is asked -------------------------------------------------------------------------------


def most_threads(threads, ranks):
    """A program's own default, in words: OMP_NUM_THREADS, or all cores, shared out to its processes."""
    return str(
        threads
        or os.environ.get("OMP_NUM_THREADS")
        or max(1, len(os.sched_getaffinity(0)) // (ranks or 1))
    )


def row_of(manifest, part, name):
    return next(
        row for row in manifest["implementations"] if (row["part"], row["name"]) == (part, name)
    )


def program_of(programs, manifest, question):
    found = row_of(manifest, programs.part, question.name)["programs"]
    return next(
        (
            programs.build / one["program"]
            for one in found
            if (one["precision"], one["instruction_set"]) == ("float", "")
        ),
        None,
    )


def conditions_of(programs, manifest, question):
    part = next(part for part in manifest["parts"] if part["name"] == programs.part)
    if question.ranks and not part["launcher"]:
        stop(f"--ranks: {programs.part} runs as one process; part 4 runs as several")
    ranks = (question.ranks or part["ranks"]) if part["launcher"] else 0
    threads = "" if programs.device else most_threads(question.threads, ranks)
    before = ""
    if question.before_program and question.threads_before not in (
        0,
        int(threads) if threads.isdecimal() else 0,
    ):
        before = f"{question.name_of_before} with {threads_text(str(question.threads_before))}, as it was measured"
    n = question.n or (BODIES_ON_GPU if programs.device else BODIES)
    return Conditions(
        n,
        question.adaptive,
        programs.device,
        threads,
        ranks,
        row_of(manifest, programs.part, question.name)["flags"],
        before,
    )


def with_kept_programs(manifest, part, question):
    """The manifest with the programs that rows of the notebook kept."""
    mine = row_of(manifest, part, question.name)
    rows = [row for row in manifest["implementations"] if row is not mine]

    def kept(row, program):
        return {
            **row,
            "program": str(program),
            "programs": [
                {"precision": "float", "instruction_set": "", "program": str(program), "target": ""}
            ],
        }

    rows.append(kept(mine, question.program) if question.program else mine)
    if question.before_program:
        # It may be of another name: what it says of itself is not compared.
        rows.append(
            {
                **kept(mine, question.before_program),
                "name": question.name_of_before,
                "class": "",
                "parent": "",
                "count": None,
            }
        )
    return {**manifest, "implementations": rows}


def bench_words(conditions, question):
    words = [
        "-n",
        conditions.n,
        *CLOCK,
        *(["--threads", question.threads] if question.threads else ["--own-threads"]),
    ]
    words += ["--last-threads", question.threads_before] if conditions.before else []
    words += ["--vdt"] if conditions.adaptive else []
    words += ["--ranks", conditions.ranks] if conditions.ranks else []
    words += ["--device", conditions.device] if conditions.device else []
    return words + (["--wait", question.wait] if question.wait else [])


# --- what is answered ----------------------------------------------------------------------------


@dataclass
class Trial:
    """A question and its answers."""

    question: Question
    conditions: Conditions
    check: dict  # as ./lab check --json writes it
    program: Path | None = (
        None  # what was judged and timed; None: it is one of several, for instruction sets
    )
    mine: dict | None = None  # rows of bench; None: not timed
    naive: dict | None = None
    before: dict | None = None
    wrong: str = ""
    busy: str = ""
    over_naive: Gain | None = None
    over_before: Gain | None = None

    @property
    def checked(self):
        return self.check["implementations"][0]

    @property
    def verdict(self):
        if self.wrong:
            return f"wrong: {printable(self.wrong)}"
        return verdict_word(self.question.expected, self.over_before) if self.over_before else BUSY

    def take_times(self, rows):
        """The rows of bench: naive, this one, and the row before if its program is kept."""
        self.naive, self.mine = rows[0], rows[1]
        self.before = rows[2] if len(rows) > 2 and rows[2]["verdict"] == "right" else None
        if self.naive["verdict"] != "right" and not self.naive["too_busy"]:
            stop(f"naive does not run: {self.naive['verdict']}")
        if self.mine["verdict"] != "right" and not self.mine["too_busy"]:
            self.fail_while_timed()
            return
        self.busy = next((row["about_cores"] for row in rows if row["too_busy"]), "")
        if not self.busy:
            self.compare()

    def fail_while_timed(self):
        """Timed answers may be wrong although every case of the check passed."""
        self.wrong = f"while it was timed: {self.mine['verdict']}"
        self.checked["cases"].append(
            {
                "group": "timed",
                "scene": SCENE,
                "n": self.conditions.n,
                "seed": 0,
                "error": self.mine["error"],
                "limit": self.mine["limit"],
                "verdict": "failed",
                "detail": self.wrong,
                "diagnosis": "",
            }
        )
        self.checked.update(verdict="FAILED", as_expected=False, sentence=self.wrong)

    def compare(self):
        self.over_naive = gain_of(self.mine, self.naive)
        if not self.question.before:
            self.over_before = self.over_naive
        elif self.before:
            self.over_before = gain_of(self.mine, self.before)
        elif self.over_naive:
            row = self.question.before
            self.over_before = estimated_gain(
                self.over_naive.ratio,
                spread_of(self.mine),
                float(row["times_naive"]),
                float(row["spread"] or 0),
            )
        if not (self.over_naive and self.over_before):
            self.over_naive = self.over_before = None
            self.busy = f"other programs came and went; {TRY_LATER}"


def tried(programs, question):
    """Checks, and times what is right."""
    manifest = json.loads(programs.manifest.read_text(encoding="utf-8"))
    conditions = conditions_of(programs, manifest, question)
    with tempfile.TemporaryDirectory() as folder:
        # Beside the real one, since its paths begin there.
        told = programs.manifest.with_name("manifest_of_try.json")
        told.write_text(
            json.dumps(with_kept_programs(manifest, programs.part, question)), encoding="utf-8"
        )
        try:
            check = result_of(
                [
                    programs.build / "bin/check",
                    programs.part,
                    question.name,
                    "--no-double",
                    "--manifest",
                    told,
                ],
                Path(folder, "check.json"),
                **SHORT_SPINS,
            )
            trial = Trial(question, conditions, check, program_of(programs, manifest, question))
            if not trial.checked["cases"]:
                stop(f"{programs.part}/{question.name}: {trial.checked['verdict']}")
            if not trial.checked["as_expected"]:
                trial.wrong = trial.checked["sentence"] or "not everything could be checked"
                return trial
            names = [
                "naive",
                question.name,
                *([question.name_of_before] if question.before_program else []),
            ]
            found = result_of(
                [
                    programs.build / "bin/bench",
                    programs.part,
                    *names,
                    "--manifest",
                    told,
                    *bench_words(conditions, question),
                ],
                Path(folder, "bench.json"),
            )
            trial.take_times(found["summary"])
            return trial
        finally:
            told.unlink()


def columns_of(trial):
    """What a trial fills in of a row of the notebook (docs/file_formats.md); without a number, not the measured ones."""
    conditions = trial.conditions
    found = {
        "expected": trial.question.expected,
        "verdict": trial.verdict,
        "n": conditions.n,
        "step": conditions.step,
        "scene": SCENE,
        "precision": "float",
        "threads": conditions.threads,
        "device": conditions.device,
        "flags": " ".join(conditions.flags),
    }
    if trial.over_before:
        gain = trial.over_before
        found |= {
            "measured": gain.ratio,
            "lower": gain.lower,
            "upper": gain.upper,
            "times_naive": trial.over_naive.ratio,
            "interactions_per_s": trial.mine["interactions_per_s"]["median"],
            "spread": spread_of(trial.mine),
        }
    return found
