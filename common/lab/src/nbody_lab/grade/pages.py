"""The pages of a class: index.html, students/NAME.html, and questions/PART_K.html for each question that people read."""

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from nbody_lab.core.clean_text import harmless
from nbody_lab.core.html import (
    NOTHING,
    day,
    in_digits,
    in_percent,
    make_environment,
    mark_of,
    style_of,
)
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import plural
from nbody_lab.grade.class_facts import (
    STAGES,
    Question,
    Row,
    class_facts,
    find_questions,
    find_reasons,
    item_statistics,
)
from nbody_lab.grade.decisions import ManualRow
from nbody_lab.grade.evidence import Evidence
from nbody_lab.grade.feedback import points_so_far, points_text
from nbody_lab.grade.models import Machine, Record, Results, Speed
from nbody_lab.grade.rubric import Rubric
from nbody_lab.grade.score import flops_per_interaction
from nbody_lab.grade.timing import FEWEST_FLOPS

_HERE = Path(__file__).resolve().parent / "templates"


def _if_known(show: Callable[[float], str]) -> Callable[[float | None], str]:
    return lambda value: NOTHING if value is None else show(value)


def _machine_line(machine: Machine | None) -> str:
    if machine is None or not machine.cpu:
        return "a machine not yet measured"
    cores = plural(machine.cores, "core")
    return " · ".join(filter(None, [machine.cpu, cores, machine.compiler]))


def _bars(speed: Speed) -> list[tuple[str, float, float]]:
    """(label, rate, width) of the known speeds; the longest bar has full length."""
    rates = {
        "naive": speed.naive_interactions_per_s,
        "yours": speed.interactions_per_s,
        "solution": speed.solution_interactions_per_s,
    }
    known = {label: rate for label, rate in rates.items() if rate}
    most = max(known.values(), default=1)
    return [(label, rate, 100 * rate / most) for label, rate in known.items()]


_FILTERS = {
    "points": _if_known(points_text),
    "points_or_empty": points_text,
    "so_far": points_so_far,
    "number": _if_known(in_digits),
    "percent": _if_known(lambda value: f"{in_percent(value)} %"),
    "magnitude": _if_known("{:.1e}".format),
    "day": day,
    "colour": mark_of,
    "machine_line": _machine_line,
    "bars": _bars,
    "flops": flops_per_interaction,
    "roof": lambda speed: FEWEST_FLOPS * speed.bound_interactions_per_s,
    "harmless": harmless,
    "file_name": lambda path: path.rpartition("/")[2],  # where it lies concerns nobody
}


_ENVIRONMENT = make_environment(_HERE)
_ENVIRONMENT.filters.update(_FILTERS)


def _render_page(
    template: str, title: str, contents: Mapping[str, str], script: str, **more: Any
) -> str:
    """`script`: the file of the only script that may run in the page, or ""."""
    code = (_HERE / script).read_text(encoding="utf-8") if script else ""
    checksum = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    text: str = _ENVIRONMENT.get_template(template).render(
        title=title,
        contents=list(contents.items()),
        style=style_of(_HERE / "grades.css"),
        script=Markup(code),
        allowed_script=Markup(f"'sha256-{checksum}'" if code else "'none'"),
        **more,
    )
    return text


def _student_page(results: Results, row: Row) -> str:
    marks, record = row.marks, row.record
    contents = {"points": "Points", **{name: name for name in record.parts}, "files": "Files"}
    title = f"{results.title}: {', '.join(marks.authors) or marks.name}"
    return _render_page(
        "student.html.j2", title, contents, "", results=results, marks=marks, record=record
    )


def _class_page(
    results: Results, rows: Sequence[Row], questions: Sequence[Question], evidence: Evidence
) -> str:
    look, grouped = find_reasons(rows, questions, evidence)
    contents = {
        "overview": "Overview",
        **({"look": "What needs a person first"} if look or questions or grouped else {}),
        "table": "Table",
        "items": "Items",
        "evidence": "Evidence",
        "machine": "How it was measured",
        "times": "Time",
    }
    best_first = sorted(
        rows, key=lambda row: (not row.marks.has_points, -row.marks.points, row.marks.name)
    )
    return _render_page(
        "class.html.j2",
        f"{results.title}: the class",
        contents,
        "sort.js",
        results=results,
        rows=best_first,
        facts=class_facts(results, rows),
        parts=list(dict.fromkeys(mark.part for row in rows for mark in row.marks.items)),
        look=look,
        grouped=grouped,
        questions=questions,
        statistics=item_statistics(results),
        evidence=evidence,
        stages=STAGES,
    )


def _question_page(results: Results, question: Question) -> str:
    contents = {
        one.marks.name: ", ".join(one.marks.authors) or one.marks.name for one in question.answers
    }
    title = f"{question.part}: {question.question}"
    return _render_page(
        "question.html.j2", title, contents, "question.js", results=results, question=question
    )


def write_pages(
    out: Path,
    results: Results,
    records: Mapping[str, Record],
    rubric: Rubric,
    evidence: Evidence,
    manual: Sequence[ManualRow] = (),
) -> None:
    rows = [Row(marks, records[marks.name]) for marks in results.submissions]
    questions = find_questions(out, results, rubric, manual)
    for row in rows:
        write_text(out / "students" / f"{row.marks.name}.html", _student_page(results, row))
    for question in questions:
        write_text(out / "questions" / question.file, _question_page(results, question))
    write_text(out / "index.html", _class_page(results, rows, questions, evidence))
