"""Points given by people: manual.csv of one or several graders, and the submission that each row means."""

from collections import namedtuple

from nbody_lab.core.words import nearest
from nbody_lab.grade.csv_text import Bad, number_in, read_csv
from nbody_lab.grade.item import NOT_ASKED
from nbody_lab.grade.late import count
from nbody_lab.notebook.file import InputError, printable

ManualRow = namedtuple("ManualRow", "who question points comment where")  # where: FILE:LINE

COLUMNS = {
    "who": True,
    "question": True,
    "points": True,
    "comment": False,
}  # column: is it required?


def plain(text):
    """The text without differences in blanks and capitals."""
    return " ".join(text.split()).lower()


def row_of(cells, where):
    """The row; None without points, which means not marked yet."""
    if not cells["points"]:
        return None
    points = number_in(cells["points"])
    if points is None or points < 0:
        raise Bad(f"'{printable(cells['points'])}' is not a number of points: write 7 or 7.5")
    if not cells["question"]:
        raise Bad("the question is missing")
    return ManualRow(cells["who"], cells["question"], points, cells["comment"], where)


def read_manual(file):
    """[ManualRow] of a CSV with the columns who, question, points and optionally comment. Raises InputError."""
    return read_csv(file, COLUMNS, row_of)


def words_for(submission):
    """The words a row may use for a submission: name, number or an author's name."""
    return [
        word
        for word in (submission["name"], submission["student_id"], *submission["authors"])
        if word
    ]


def whose(row, submissions):
    """The name of the submission that a row means. Raises InputError."""
    by_word = {}
    for one in submissions:
        for word in words_for(one):
            by_word.setdefault(plain(word), set()).add(one["name"])
    found = sorted(by_word.get(plain(row.who), ()))
    if not found:
        close = nearest(row.who, [word for one in submissions for word in words_for(one)])
        raise InputError(
            f"{row.where}: no student is called '{printable(row.who)}'{close and printable(close)}"
        )
    if len(found) > 1:
        raise InputError(
            f"{row.where}: '{printable(row.who)}' is in {' and in '.join(found)}: say which"
        )
    return found[0]


def by_submission(rows, submissions, key, value):
    """{name: {key(row): row}}. Equal duplicates are fine; contradictory ones raise InputError."""
    found = {one["name"]: {} for one in submissions}
    for row in rows:
        name = whose(row, submissions)
        before = found[name].setdefault(key(row), row)
        if value(before) != value(row):
            raise InputError(
                f"{row.where}: {name} has {value(row)} here and {value(before)} in {before.where}: keep one of them"
            )
    return found


def manual_by_submission(rows, submissions):
    return by_submission(
        rows, submissions, lambda row: plain(row.question), lambda row: f"{row.points:g} points"
    )


def late_by_submission(rows, submissions):
    """{name: LateRow or None}"""
    found = by_submission(
        rows,
        submissions,
        lambda row: "",
        lambda row: row.days if row.days == "excused" else count(row.days),
    )
    return {name: of_name.get("") for name, of_name in found.items()}


def questions_for(items):
    """{words for an item in a row: the item}. A rubric question stands alone, any other item as `part1: speed, 1
    thread`."""
    named = {plain(f"{one['part']}: {one['item']}"): one for one in items}
    return {
        **named,
        **{
            plain(one["item"]): one
            for one in items
            if one["item"] not in ("correctness", "worksheet", "notebook")
        },
    }


def with_manual(items, rows):
    """The items with manual points. Raises InputError for an unknown question or too many points."""
    questions = questions_for(items)
    decided = {}
    for key, row in rows.items():
        if key not in questions:
            close = nearest(key, questions)
            raise InputError(
                f"{row.where}: there is no question '{printable(row.question)}'{close}"
                f"{'' if close else '; there are ' + ', '.join(dict.fromkeys(one['item'] for one in items))}"
            )
        item = questions[key]
        if row.points > item["maximum"]:
            raise InputError(
                f"{row.where}: {row.points:g} points, but there are {item['maximum']:g} at most for '{item['item']}'"
            )
        decided[id(item)] = row
    return [after(item, decided[id(item)]) if id(item) in decided else item for item in items]


def after(item, row):
    """The item with a person's points. They wait if the part was not asked for, because the class maximum excludes it
    too."""
    if item["state"] == NOT_ASKED:
        return {
            **item,
            "why": f"{item['why']}; {row.points:g} of {item['maximum']:g} by hand pending",
        }
    said = f": {' '.join(row.comment.split())}" if row.comment else ""
    before = (
        f" (before: {item['why']})"
        if item["state"] != "for a person" or item["points"] is not None
        else ""
    )
    return {
        **item,
        "points": row.points,
        "state": "graded",
        "why": f"{row.points:g} of {item['maximum']:g} by hand{said}{before}",
    }
