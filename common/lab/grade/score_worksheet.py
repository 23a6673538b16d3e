"""Points for the worksheet: the rubric's points times the share of its lines' points that are right."""

from grade.item import FOR_A_PERSON, graded, quoted, rounded, ungraded

EARNED = ("right", "noted")
# What `./lab worksheet` says about a line that its author cannot fix.
NOT_COUNTED = "not counted"
OPEN = "answered"  # right or wrong is not shown


def not_judged(line):
    return line["state"] == OPEN or line["state"] == "waits" and line["words"].startswith(NOT_COUNTED)


def numbers(lines):
    return ", ".join(dict.fromkeys(quoted(line["number"]) for line in lines))


def sum_of(lines):
    return sum(line["points"] for line in lines)


def text_of(lines):
    """26 of 31 points of the sheet; wrong: 3, 13; missing: 19"""
    groups = {"wrong": ("wrong",), "missing": ("",), "waits for another answer": ("waits",)}
    found = {words: [line for line in lines if line["state"] in states] for words, states in groups.items()}
    told = "".join(f"; {words}: {numbers(some)}" for words, some in found.items() if some)
    return f"{sum_of(line for line in lines if line['state'] in EARNED):g} of {sum_of(lines):g} points of the sheet{told}"


def worksheet(part, rule):
    """The marks. Lines that could not be judged get a second mark, so that they cost nothing."""
    points, left_out = rule["worksheet"]["points"], rule["worksheet"]["leave_out"]
    sheet = part["worksheet"]
    if not sheet or not (sheet["lines"] or sheet["problem"]):
        return [graded("worksheet", 0, points, "no worksheet.hpp was handed in")]
    if not sheet["lines"]:
        return [ungraded("worksheet", points, FOR_A_PERSON, f"worksheet.hpp could not be judged: {quoted(sheet['problem'])}")]
    lines = [line for line in sheet["lines"] if line["points"] > 0 and line["number"] not in left_out]
    return marks_of(lines, points)


def marks_of(lines, points):
    open_lines = [line for line in lines if not_judged(line)]
    judged = [line for line in lines if not not_judged(line)]
    open_points = rounded(points * sum_of(open_lines) / sum_of(lines)) if lines else points
    marks = []
    if judged:
        share = sum_of(line for line in judged if line["state"] in EARNED) / sum_of(judged)
        marks.append(graded("worksheet", share * (points - open_points), rounded(points - open_points), text_of(judged)))
    if open_points:
        why = f"could not be judged here: {numbers(open_lines)}" if open_lines else "the sheet has no line that counts"
        marks.append(ungraded("worksheet, lines not judged", open_points, FOR_A_PERSON, why))
    return marks
