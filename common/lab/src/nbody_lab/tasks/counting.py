"""Counts of an implementation's work, and the evidence for a worksheet: their files, and how they are made."""

from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.building.ranks import has_ranks
from nbody_lab.check.kept import seal_of
from nbody_lab.core.errors import LabError, tell
from nbody_lab.core.whole_file import write_text
from nbody_lab.measure.count_file import count
from nbody_lab.notebook import notebook
from nbody_lab.tasks.evidence import Counts, Evidence, ceilings_of_this_machine
from nbody_lab.tasks.judge import reason_to_hide_counts
from nbody_lab.tasks.program import ask
from nbody_lab.tasks.questions import Questions, load_questions
from nbody_lab.tasks.slips import find_cut_divisions


def seal_fields(lab: Lab, name: str) -> dict[str, str]:
    """Its path from the root and the seal of its present text, as fields of a stored result. Call it before building."""
    row = lab.find(name)
    return {"source": row.source if row else "", "source_sha256": seal_of(lab.source(name))}


def counts_of(lab: Lab, name: str) -> Path:
    """The file in which the build stores the counts."""
    return lab.build_dir / "bin" / lab.part / f"{name}_count.json"


def count_to_file(lab: Lab, name: str) -> str:
    """Why the code has no counts; without them there is no file either. It is counted again if its program is newer."""
    if has_ranks(lab):  # messages are counted while it runs
        return ""
    file, program = counts_of(lab, name), f"bin/{lab.part}/{name}_count"
    label = f"building {lab.part}/{name} with counting numbers"
    if not lab.works(label, "ninja", "-C", lab.build_dir, program):
        file.unlink(missing_ok=True)
        return lab.failure().report().rpartition("lab: ")[2]
    made = (lab.build_dir / program).stat().st_mtime
    if file.exists() and file.stat().st_mtime > made:
        return ""
    file.unlink(missing_ok=True)
    try:
        write_text(file, count(lab.build_dir / program).model_dump_json(by_alias=True) + "\n")
    except LabError as error:
        return str(error)
    return ""


def has_worksheet(lab: Lab) -> bool:
    return any(ROOT.glob(f"{lab.part}_*/worksheet.hpp"))


def load_worksheet(
    folder: Path, programs: Path, ceilings: Path = ROOT / "build/ceilings.json"
) -> tuple[Questions, Evidence]:
    """The questions of a part's folder, and the evidence to judge the answers by. `programs`: the folder with the program
    of answers and the counts. Passes on what the student's code printed. Raises LabError."""
    answers, printed = ask(programs / "worksheet_answers")
    tell(printed.splitlines())
    source, rows = folder / "worksheet.hpp", notebook.right_rows(folder)
    divisions = find_cut_divisions(source.read_text(encoding="utf-8", errors="replace"))
    return load_questions(folder), Evidence(
        answers,
        Counts(programs),
        rows,
        ceilings_of_this_machine(ceilings),
        divisions,
    )


def build_worksheet(lab: Lab) -> tuple[Questions, Evidence]:
    """The same for a part, with the program of answers built and naive counted."""
    show_built(lab.build(f"the worksheet of {lab.part}", f"bin/{lab.part}/worksheet_answers"))
    count_to_file(lab, "naive")
    return load_worksheet(lab.folder(), counts_of(lab, "naive").parent)


def forget_old_counts(lab: Lab) -> None:
    """Deletes counts older than their source: they would be of other work."""
    for name in lab.names("mine"):
        source, counts = lab.source(name), counts_of(lab, name)
        if counts.exists() and source.exists() and source.stat().st_mtime > counts.stat().st_mtime:
            counts.unlink()


def names_with_hidden_counts(lab: Lab) -> list[str]:
    """Implementations whose counts bench may not show yet; all of them if the worksheet cannot be judged."""
    counted = [name for name in ["naive", *lab.names("mine")] if counts_of(lab, name).exists()]
    programs = counts_of(lab, "naive").parent
    if not counted or not (programs / "worksheet_answers").exists():
        return []
    try:
        questions, evidence = load_worksheet(lab.folder(), programs)
        return [name for name in counted if reason_to_hide_counts(name, questions, evidence)]
    except LabError:
        return counted
