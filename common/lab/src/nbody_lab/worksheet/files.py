"""The files of a part's worksheet: what its program answers, and what the answers are judged by."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.core.messages import UserError
from nbody_lab.notebook.columns import Row
from nbody_lab.worksheet.ceilings import Ceilings
from nbody_lab.worksheet.counts import Counts
from nbody_lab.worksheet.judge import reason_to_hide_counts
from nbody_lab.worksheet.lines import decodable
from nbody_lab.worksheet.questions import Questions, load_questions
from nbody_lab.worksheet.scope import Evidence
from nbody_lab.worksheet.slips import find_cut_divisions
from nbody_lab.worksheet.student_program import SECONDS, ask


@dataclass(frozen=True)
class WorksheetFiles:
    questions: Path
    program: Path  # writes the answers
    counts: Path  # folder with the files of the count programs
    ceilings: Path
    notebook: tuple[Row, ...] = ()  # the student's right rows
    seconds: float = SECONDS  # that the program may take

    def read_texts(self) -> set[str]:
        """The names and other texts that the student gave."""
        return set(ask(self.program, self.seconds).answers[0].texts.values())

    def load(self) -> tuple[Questions, Evidence]:
        """Passes on what the student's code printed. Raises UserError."""
        part = load_questions(self.questions)
        asked = ask(self.program, self.seconds)
        sys.stderr.write(decodable(asked.printed))
        sys.stderr.flush()
        ceilings = Ceilings.of_this_machine(self.ceilings)
        counts, divisions = Counts(self.counts), self._find_cut_divisions()
        return part, Evidence(asked.answers, counts, self.notebook, ceilings, divisions)

    def _find_cut_divisions(self) -> dict[str, str]:
        """They only help to explain slips, so a missing file does no harm."""
        try:
            source = self.questions.with_name("worksheet.hpp")
            return find_cut_divisions(source.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            return {}

    def names_with_hidden_counts(self, names: Iterable[str]) -> list[str]:
        """The implementations whose counts must stay hidden; all of them if the worksheet cannot be judged."""
        names = list(names)
        try:
            part, answers = load_questions(self.questions), ask(self.program, self.seconds).answers
            evidence = Evidence(answers, Counts(self.counts), self.notebook)
            return [name for name in names if reason_to_hide_counts(name, part, evidence)]
        except UserError:
            return names
