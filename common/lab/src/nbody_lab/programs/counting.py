"""Counts of an implementation's work: their files, how they are made, and who may see them yet."""

import json
import shutil

from nbody_lab.core.messages import Failure
from nbody_lab.explain.uncountable import explain_uncountable
from nbody_lab.notebook import kept_results, notebook
from nbody_lab.programs.ranks import has_ranks
from nbody_lab.worksheet import command as worksheet_command
from nbody_lab.worksheet.command import Desk
from nbody_lab.workshop import ROOT


def sealed_source(lab, name):
    """(its path from the root, the seal of its present text). Call it before building."""
    return lab.row(name).get("source", ""), kept_results.seal_of(lab.source(name))


def seal_fields(lab, name):
    """The seal as fields of a stored result. Call it before building."""
    source, seal = sealed_source(lab, name)
    return {"source": source, "source_sha256": seal}


def counts_of(lab, name):
    """The file in which the build stores the counts."""
    return lab.build / "bin" / lab.part / f"{name}_count.json"


def stored_counts(lab, name):
    """Counts of the given code, made on another machine."""
    return ROOT / "data/results" / f"{lab.part}_counts" / f"{name}_count.json"


def count_to_file(lab, name):
    """False, without a file, for code that cannot be counted. GPU code is not counted without a GPU: the given code then
    gets the stored counts of another machine."""
    if has_ranks(lab):  # messages are counted while it runs
        return True
    file = counts_of(lab, name)
    if lab.on_gpu() and not lab.gpu():
        file.unlink(missing_ok=True)
        if name == "naive":
            shutil.copy(stored_counts(lab, name), file)
    elif not lab.works(
        f"counting {lab.part}/{name}", "ninja", "-C", lab.build, f"bin/{lab.part}/{name}_count.json"
    ):
        file.unlink(missing_ok=True)
        return False
    return True


MUCH_MORE = 1.5  # times naive's flops


def flops_per_interaction(file):
    """Of compute_accelerations(), as the build counted it; None: it is not counted."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        n = found["n"]
        return found["work"]["compute_accelerations"]["flops"]["counted"][str(n)] / n**2
    except (OSError, ValueError, KeyError, TypeError):
        return None


def needless_work(lab, name):
    """A sentence on much more work than naive's; empty if there is none. It raises flop/s, and makes nothing faster."""
    ours, naive = (flops_per_interaction(counts_of(lab, one)) for one in (name, "naive"))
    if not ours or not naive or ours <= MUCH_MORE * naive:
        return ""
    return (
        f"note: {ours:.0f} flops per interaction where naive has {naive:.0f}: are all of them needed? More work raises Gflop/s, "
        "and not the speed, which is interactions/s"
    )


def why_uncountable(lab, name):
    """The sentence that names the line; empty if the code fails to compile for another reason."""
    return "\n".join(
        explain_uncountable(lab.log.read_text(encoding="utf-8", errors="replace"), lab.source(name))
    )


def has_worksheet(lab):
    return any(ROOT.glob(f"{lab.part}_*/worksheet.hpp"))


def desk_of(lab):
    """The files of the part's worksheet."""
    folder = lab.build / "bin" / lab.part
    return Desk(
        questions=lab.folder() / "questions.json",
        answers=folder / "worksheet_answers",
        counts=folder,
        ceilings=ROOT / "build/ceilings.json",
        notebook=notebook.right_rows(lab.folder()),
    )


def build_worksheet(lab):
    """The part's desk, with the answers program built."""
    desk = desk_of(lab)
    if worksheet_command.complained(worksheet_command.read, desk):
        raise Failure(2)
    lab.demand_targets(f"the worksheet of {lab.part}", f"bin/{lab.part}/worksheet_answers")
    count_to_file(lab, "naive")
    return desk


def forget_old_counts(lab):
    """Deletes counts older than their source: they would price the wrong work."""
    for name in lab.names("mine"):
        source, counts = lab.source(name), counts_of(lab, name)
        if counts.exists() and source.exists() and source.stat().st_mtime > counts.stat().st_mtime:
            counts.unlink()


def names_with_hidden_counts(lab):
    """Implementations whose counts bench may not show yet."""
    counted = [name for name in ["naive", *lab.names("mine")] if counts_of(lab, name).exists()]
    if not counted or not has_worksheet(lab) or not desk_of(lab).answers.exists():
        return []
    return worksheet_command.hidden_among(desk_of(lab), counted)
