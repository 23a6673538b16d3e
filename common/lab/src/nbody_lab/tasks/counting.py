"""Counts of an implementation's work: their files, how they are made, and who may see them yet."""

import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.lab import Lab
from nbody_lab.building.ranks import has_ranks
from nbody_lab.check.kept import seal_of
from nbody_lab.core.errors import LabError
from nbody_lab.measure.count_file import FORCES, CountFile
from nbody_lab.notebook import notebook
from nbody_lab.notebook.notebook import Row, versions_of
from nbody_lab.tasks.evidence import Ceilings, Counts, Evidence
from nbody_lab.tasks.judge import reason_to_hide_counts
from nbody_lab.tasks.program import SECONDS, ask
from nbody_lab.tasks.questions import Questions, load_questions
from nbody_lab.tasks.sheet import decodable
from nbody_lab.tasks.slips import find_cut_divisions
from nbody_lab.tasks.uncountable import explain_uncountable

_MUCH_MORE = 1.5  # times naive's flops


def sealed_source(lab: Lab, name: str) -> tuple[str, str]:
    """(its path from the root, the seal of its present text). Call it before building."""
    row = lab.find(name)
    return row.source if row else "", seal_of(lab.source(name))


def seal_fields(lab: Lab, name: str) -> dict[str, str]:
    """The seal as fields of a stored result. Call it before building."""
    source, seal = sealed_source(lab, name)
    return {"source": source, "source_sha256": seal}


def counts_of(lab: Lab, name: str) -> Path:
    """The file in which the build stores the counts."""
    return lab.build_dir / "bin" / lab.part / f"{name}_count.json"


def stored_counts(lab: Lab, name: str) -> Path:
    """Counts of the given code, made on another machine."""
    return ROOT / "data/results" / f"{lab.part}_counts" / f"{name}_count.json"


def count_to_file(lab: Lab, name: str) -> bool:
    """False, without a file, for code that cannot be counted. GPU code is not counted without a GPU: the given code then
    gets the stored counts of another machine."""
    if has_ranks(lab):  # messages are counted while it runs
        return True
    file = counts_of(lab, name)
    if lab.on_gpu() and not lab.gpu():
        file.unlink(missing_ok=True)
        if name == "naive":
            shutil.copy(stored_counts(lab, name), file)
        return True
    target = f"bin/{lab.part}/{name}_count.json"
    if lab.works(f"counting {lab.part}/{name}", "ninja", "-C", lab.build_dir, target):
        return True
    file.unlink(missing_ok=True)
    return False


def _flops_per_interaction(file: Path) -> float | None:
    """Of compute_accelerations(), as the build counted it; None: it is not counted."""
    try:
        found = CountFile.model_validate_json(file.read_bytes())
        return found.work[FORCES]["flops"].per_interaction(found.n)
    except (OSError, ValueError, KeyError):
        return None


def remark_on_needless_work(lab: Lab, name: str) -> str | None:
    """On much more work than naive's, if there is any. It raises flop/s, and makes nothing faster."""
    ours, naive = (_flops_per_interaction(counts_of(lab, one)) for one in (name, "naive"))
    if not ours or not naive or ours <= _MUCH_MORE * naive:
        return None
    return (
        f"note: {ours:.0f} flops per interaction where naive has {naive:.0f}: are all of them needed? More work raises Gflop/s, "
        "and not the speed, which is interactions/s"
    )


def why_uncountable(lab: Lab, name: str) -> str:
    """The sentence that names the line; empty if the code fails to compile for another reason."""
    log = lab.log.read_text(encoding="utf-8", errors="replace")
    return "\n".join(explain_uncountable(log, lab.source(name)))


@dataclass(frozen=True)
class WorksheetFiles:
    folder: Path  # of the part, with its questions and worksheet.hpp
    program: Path  # writes the answers
    counts: Path  # folder with the files of the count programs
    ceilings: Path
    notebook: tuple[Row, ...] = ()  # the student's right rows
    seconds: float = SECONDS  # that the program may take

    def read_texts(self) -> set[str]:
        """The names and other texts that the student gave."""
        return set(ask(self.program, self.seconds).answers[0].texts.values())

    def load(self) -> tuple[Questions, Evidence]:
        """Passes on what the student's code printed. Raises LabError."""
        part = load_questions(self.folder)
        asked = ask(self.program, self.seconds)
        sys.stderr.write(decodable(asked.printed))
        sys.stderr.flush()
        ceilings = Ceilings.of_this_machine(self.ceilings)
        counts, divisions = Counts(self.counts), self._find_cut_divisions()
        versions = versions_of(self.folder, self.notebook)
        return part, Evidence(asked.answers, counts, self.notebook, ceilings, divisions, versions)

    def _find_cut_divisions(self) -> dict[str, str]:
        """They only help to explain slips, so a missing file does no harm."""
        try:
            source = self.folder / "worksheet.hpp"
            return find_cut_divisions(source.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            return {}

    def names_with_hidden_counts(self, names: Iterable[str]) -> list[str]:
        """The implementations whose counts must stay hidden; all of them if the worksheet cannot be judged."""
        names = list(names)
        try:
            part, answers = load_questions(self.folder), ask(self.program, self.seconds).answers
            evidence = Evidence(answers, Counts(self.counts), self.notebook)
            return [name for name in names if reason_to_hide_counts(name, part, evidence)]
        except LabError:
            return names


def has_worksheet(lab: Lab) -> bool:
    return any(ROOT.glob(f"{lab.part}_*/worksheet.hpp"))


def worksheet_files(lab: Lab) -> WorksheetFiles:
    programs = lab.build_dir / "bin" / lab.part
    return WorksheetFiles(
        folder=lab.folder(),
        program=programs / "worksheet_answers",
        counts=programs,
        ceilings=ROOT / "build/ceilings.json",
        notebook=notebook.right_rows(lab.folder()),
    )


def build_worksheet(lab: Lab) -> WorksheetFiles:
    """The files of the part's worksheet, with the program of answers built and naive counted."""
    files = worksheet_files(lab)
    lab.build(f"the worksheet of {lab.part}", f"bin/{lab.part}/worksheet_answers")
    count_to_file(lab, "naive")
    return files


def forget_old_counts(lab: Lab) -> None:
    """Deletes counts older than their source: they would be of other work."""
    for name in lab.names("mine"):
        source, counts = lab.source(name), counts_of(lab, name)
        if counts.exists() and source.exists() and source.stat().st_mtime > counts.stat().st_mtime:
            counts.unlink()


def names_with_hidden_counts(lab: Lab) -> list[str]:
    """Implementations whose counts bench may not show yet."""
    counted = [name for name in ["naive", *lab.names("mine")] if counts_of(lab, name).exists()]
    if not counted or not has_worksheet(lab):
        return []
    files = worksheet_files(lab)
    return files.names_with_hidden_counts(counted) if files.program.exists() else []
