"""What all submissions of a class share while it is graded."""

import contextlib
from pathlib import Path

from grade.isolation import Isolation
from grade.timing import times_wanted


class Course:
    """What all submissions share. `references`: this lab's manifest, with solutions; `programs`: its bin folder;
    `ceilings`: rows of this machine."""

    def __init__(self, out, pristine, references, programs, isolation, ceilings, rubric, parts, machine, lab):
        self.out, self.pristine, self.references, self.programs = Path(out), pristine, references, Path(programs)
        self.isolation, self.ceilings, self.rubric, self.parts = isolation, ceilings, rubric, parts
        self.machine, self.lab = machine, lab

    def measured(self, name):
        return self.out / "measured" / f"{name}.json"

    def judged(self, name):
        return self.out / "work" / name / "judged.json"

    def timings(self):
        """The speeds that the rubric asks for: {part: [{"threads", "n", "scene"}]}."""
        return {part: [dict(zip(("threads", "n", "scene"), one)) for one in times_wanted(self.rubric, part)] for part in self.parts}

    @contextlib.contextmanager
    def own_isolation(self):
        """An isolation with its own user, so that parallel submissions are different users."""
        with Isolation(self.isolation.builder, self.isolation.groups, self.isolation.banner) as isolation:
            yield isolation

    def solution(self, part):
        return next((row["name"] for row in self.references.of_part(part, "solution")), "")

    def on_gpu(self, part):
        return (self.references.part(part) or {}).get("device") == "gpu"

    def reason_against(self, part):
        """Why a part is not graded here; empty if it is."""
        if not self.references.of_part(part, "mine"):
            return "it cannot be built here"
        if self.on_gpu(part) and not self.machine.get("gpu"):
            return "needs a GPU"
        return ""
