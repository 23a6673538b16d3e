"""What is the same for all submissions of a class while it is graded."""

import contextlib
from pathlib import Path

from grade.isolation import Isolation
from grade.timing import times_wanted


class Course:
    """What is the same for all of a class. `references`: the manifest of this lab, with solutions; `programs`: its
    bin folder; `ceilings`: rows of this machine."""

    def __init__(self, out, pristine, references, programs, isolation, ceilings, rubric, parts, machine, lab):
        self.out, self.pristine, self.references, self.programs = Path(out), pristine, references, Path(programs)
        self.isolation, self.ceilings, self.rubric, self.parts = isolation, ceilings, rubric, parts
        self.machine, self.lab = machine, lab

    def measured(self, name):
        return self.out / "measured" / f"{name}.json"

    def judged(self, name):
        return self.out / "work" / name / "judged.json"

    def timings(self):
        """{part: [{"threads", "n", "scene"}]}: the speeds that the rubric asks for."""
        return {part: [dict(zip(("threads", "n", "scene"), one)) for one in times_wanted(self.rubric, part)] for part in self.parts}

    @contextlib.contextmanager
    def own_isolation(self):
        """One user for one submission; two that run at once are two."""
        with Isolation(self.isolation.builder, self.isolation.groups, self.isolation.banner) as isolation:
            yield isolation

    def solution(self, part):
        return next((row["name"] for row in self.references.of_part(part, "solution")), "")

    def on_gpu(self, part):
        return (self.references.part(part) or {}).get("device") == "gpu"

    def reason_against(self, part):
        """Why a part is not graded here; empty if it is."""
        if not self.references.of_part(part, "mine"):
            return "nothing of it can be built here"
        if self.on_gpu(part) and not self.machine.get("gpu"):
            return "needs a GPU"
        return ""
