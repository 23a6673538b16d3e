"""--regrade NAME: repeats the measurement of a submission and shows old and new marks side by side."""

from nbody_lab.core.messages import UserError, stop
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import nearest
from nbody_lab.grade.kept import read_record, why_again
from nbody_lab.grade.measure import measure_all
from nbody_lab.grade.progress import Progress
from nbody_lab.grade.score import score
from nbody_lab.notebook.file import shown


def points(item):
    return "-" if item["points"] is None else f"{item['points']:g}"


def side_by_side(old, new):
    """Lines of text. `old`, `new`: one submission of results.json each."""
    before = {(item["part"], item["item"]): item for item in old["items"]}
    lines = [f"{'':44} {'before':>8} {'now':>8} {'of':>6}"]
    for item in new["items"]:
        was = before.get((item["part"], item["item"]))
        lines.append(
            f"{(item['part'] + ' ' + item['item'])[:44]:44} {points(was) if was else '-':>8} {points(item):>8} {item['maximum']:>6g}"
        )
    lines.append(f"{'points':44} {old['points']:>8g} {new['points']:>8g} {new['maximum']:>6g}")
    return lines


def regrade(course, submissions, name, rubric):
    file = course.measured(name)
    submission = next((one for one in submissions if one.name == name), None)
    if submission is None:
        stop(
            f"--regrade: there is no submission '{name}'{nearest(name, [one.name for one in submissions])}"
        )
    if not file.exists():
        stop(f"--regrade: {name} has not been graded yet: run ./lab grade without --regrade")
    try:
        old = read_record(file, name)
    except UserError as fault:
        raise UserError(f"--regrade: {name}: {fault}") from fault
    kept = course.out / "earlier" / f"{name}_{old.date.replace(':', '')}.json"
    kept.parent.mkdir(exist_ok=True)
    write_text(kept, file.read_text(encoding="utf-8"))
    why = why_again(old, course, submission)
    if why:
        print(f"{name}: {why}")
    course.judged(name).unlink(missing_ok=True)
    aside = file.with_suffix(".before")
    file.rename(aside)
    try:
        measure_all(course, [submission], 1, Progress, old.seed)
    finally:
        if file.exists():
            aside.unlink()
        else:
            aside.rename(file)
    new = read_record(file, name)
    both = [
        score([record.model_dump(mode="json")], rubric, parts=course.parts)["submissions"][0]
        for record in (old, new)
    ]
    print("\n".join(side_by_side(*both)))
    print("not in this table: points given by hand and days late, which stay as they are")
    print(
        f"seed {new.seed}; measured before: {shown(kept)}\n./lab grade --rescore {shown(course.out)} writes the tables again"
    )
    return 0
