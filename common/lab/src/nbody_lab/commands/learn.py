"""./lab next and ./lab hint."""

from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.building.arguments import OptionalPart, PartName
from nbody_lab.building.lab import Lab, gpu_answers, known_parts
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError
from nbody_lab.handout import references
from nbody_lab.tasks import hint as hints
from nbody_lab.tasks import next_task
from nbody_lab.tasks.counting import build_worksheet, has_worksheet
from nbody_lab.tasks.evidence import count_ideas
from nbody_lab.tasks.judge import judge_sheet


def hint(
    part: PartName,
    task: Annotated[str | None, typer.Argument(metavar="TASK", help="its number: 3, 8a")] = None,
) -> None:
    """the next hint for a task

    There are three: a question, a direction, nearly the recipe. NOTEBOOK.md records which you opened.

    ./lab hint part1 2
    """
    hints.open_hint(Lab(part).folder(), part, task)


def next_step(part: OptionalPart = None) -> None:
    """where you are, and what the next task asks for

    Without PART: in the first part with open questions, or without an idea in the notebook.

    ./lab next part1
    """
    lab = Lab(part or "")
    if part and not has_worksheet(lab):
        raise LabError(f"{part} has no worksheet, so your progress is unknown")
    lines: list[str] = []
    for name in [part] if part else known_parts():
        lab.part = name
        if has_worksheet(lab):
            lines, is_finished = _overview(lab)
            if not is_finished:
                break
    if lab.on_gpu() and not gpu_answers():
        notebook = f"{lab.folder().name}/hosted_gpu.ipynb"
        lines.append(
            f"there is no GPU here: check with --on-cpu, and measure on a borrowed one ({notebook})"
        )
        if "part4" in known_parts():
            lines.append("without any GPU, go on with part 4: ./lab next part4")
    show(*lines)
    references.show(ROOT, lab.part)


def _overview(lab: Lab) -> tuple[list[str], bool]:
    """The lines to show, and whether all is done. Builds the worksheet if necessary."""
    lab.begin()
    questions, evidence = build_worksheet(lab)
    lab.unlock()
    answered = next_task.answered_questions(judge_sheet(questions, evidence).lines)
    handout, hints_file = lab.folder() / "README.md", lab.folder() / "hints.md"
    tasks = next_task.parse_tasks(handout.read_text(encoding="utf-8"), answered)
    hints_text = hints_file.read_text(encoding="utf-8") if hints_file.exists() else ""
    where, ideas = str(handout.relative_to(ROOT)), count_ideas(evidence.notebook or ())
    lines = next_task.format_overview(lab.part, where, hints_text, tasks, answered, ideas)
    return lines, ideas > 0 and next_task.current(tasks, answered) is None
