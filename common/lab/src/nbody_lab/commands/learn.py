"""./lab next and ./lab hint."""

from nbody_lab.core.messages import stop
from nbody_lab.core.words import wants_help
from nbody_lab.handout import references
from nbody_lab.programs.counting import build_worksheet, has_worksheet
from nbody_lab.tasks import hint as open_hint
from nbody_lab.tasks import next_task, solved
from nbody_lab.worksheet.judge import judged_sheet
from nbody_lab.worksheet.sheet_text import told_lines
from nbody_lab.workshop import ROOT, known_parts


def hint(lab, words):
    if wants_help(words):
        return open_hint.main(["--help"])
    words = lab.choose_part("hint", words)
    folder = lab.folder()
    if "--solved" in words:
        return solved.main(
            [ROOT, lab.part, folder, *(word for word in words if word != "--solved")]
        )
    if not (folder / "hints.md").exists():
        stop(f"there are no hints for {lab.part}")
    return open_hint.main(
        ["--folder", str(folder), "--hints", str(folder / "hints.md"), lab.part, *words]
    )


def worksheet_of(lab):
    """The judged lines of the part's worksheet; builds it if necessary."""
    lab.begin()
    desk = build_worksheet(lab)
    lab.unlock()
    return told_lines(judged_sheet(*desk.given()))


def next_step(lab, words):
    """The next task of the named part, or of the first part with open questions."""
    if len(words) > 1:
        stop("next takes one part at most: ./lab next [PART]")
    if words:
        lab.choose_part("next", words)
        if not has_worksheet(lab):
            stop(f"{lab.part} has no worksheet, so your progress is unknown")
    for part in [lab.part] if words else known_parts():
        lab.part = part
        if not has_worksheet(lab):
            continue
        states = next_task.states_of(worksheet_of(lab))
        handout, hints = lab.folder() / "README.md", lab.folder() / "hints.md"
        tasks = next_task.tasks_in(handout.read_text(encoding="utf-8"), states)
        text = hints.read_text(encoding="utf-8") if hints.exists() else ""
        lines = next_task.overview(part, handout.relative_to(ROOT), text, tasks, states)
        if next_task.current(tasks, states):
            break
    print("\n".join(lines))
    return references.show(ROOT, lab.part)
