"""All marks of a part, in the order of the rubric."""

from nbody_lab.core.words import plural
from nbody_lab.grade.item import (
    FOR_A_PERSON,
    NOT_ASKED,
    NOT_HERE,
    graded,
    quoted,
    rounded,
    ungraded,
)
from nbody_lab.grade.score_correctness import correctness
from nbody_lab.grade.score_speed import item_of, speed

# Points for the worksheet: the rubric's points times the share of its lines' points that are right.
EARNED = ("right", "noted")
# What `./lab worksheet` says about a line that its author cannot fix.
NOT_COUNTED = "not counted"
OPEN = "answered"  # right or wrong is not shown


def not_judged(line):
    return line["state"] == OPEN or (
        line["state"] == "waits" and line["words"].startswith(NOT_COUNTED)
    )


def numbers(lines):
    return ", ".join(dict.fromkeys(quoted(line["number"]) for line in lines))


def sum_of(lines):
    return sum(line["points"] for line in lines)


def text_of(lines):
    """26 of 31 points of the sheet; wrong: 3, 13; missing: 19"""
    groups = {"wrong": ("wrong",), "missing": ("",), "waits for another answer": ("waits",)}
    found = {
        words: [line for line in lines if line["state"] in states]
        for words, states in groups.items()
    }
    told = "".join(f"; {words}: {numbers(some)}" for words, some in found.items() if some)
    return f"{sum_of(line for line in lines if line['state'] in EARNED):g} of {sum_of(lines):g} points of the sheet{told}"


def worksheet(part, rule):
    """The marks. Lines that could not be judged get a second mark, so that they cost nothing."""
    points, left_out = rule["worksheet"]["points"], rule["worksheet"]["leave_out"]
    sheet = part["worksheet"]
    if not sheet or not (sheet["lines"] or sheet["problem"]):
        return [graded("worksheet", 0, points, "no worksheet.hpp was handed in")]
    if not sheet["lines"]:
        return [
            ungraded(
                "worksheet",
                points,
                FOR_A_PERSON,
                f"worksheet.hpp could not be judged: {quoted(sheet['problem'])}",
            )
        ]
    lines = [
        line for line in sheet["lines"] if line["points"] > 0 and line["number"] not in left_out
    ]
    return marks_of(lines, points)


def marks_of(lines, points):
    open_lines = [line for line in lines if not_judged(line)]
    judged = [line for line in lines if not not_judged(line)]
    open_points = rounded(points * sum_of(open_lines) / sum_of(lines)) if lines else points
    marks = []
    if judged:
        share = sum_of(line for line in judged if line["state"] in EARNED) / sum_of(judged)
        marks.append(
            graded(
                "worksheet",
                share * (points - open_points),
                rounded(points - open_points),
                text_of(judged),
            )
        )
    if open_points:
        why = (
            f"could not be judged here: {numbers(open_lines)}"
            if open_lines
            else "the sheet has no line that counts"
        )
        marks.append(ungraded("worksheet, lines not judged", open_points, FOR_A_PERSON, why))
    return marks


# Points for the notebook: for ideas predicted and measured. A right prediction earns nothing extra.


def is_try(row, needs_prediction):
    predicted = row["expected"] is not None and row["expected"] > 0
    return (
        bool(row["idea"].strip())
        and row["measured"] is not None
        and (predicted or not needs_prediction)
    )


def tries(rows, needs_prediction):
    """The number of tries; a copied row counts once."""
    return {
        (row["idea"].strip(), row["expected"], row["measured"])
        for row in rows
        if is_try(row, needs_prediction)
    }


def notebook(part, rule):
    of_rubric = rule["notebook"]
    points, wanted, needs = (
        of_rubric["points"],
        of_rubric["rows_for_all"],
        of_rubric["needs_prediction"],
    )
    book = part["notebook"]
    if book and book["problem"]:
        return ungraded(
            "notebook",
            points,
            FOR_A_PERSON,
            f"the notebook could not be read: {quoted(book['problem'])}",
        )
    rows = book["rows"] if book else []
    if not rows:
        return graded("notebook", 0, points, "the notebook has no rows")
    found = len(tries(rows, needs))
    what = "idea, prediction and measurement" if needs else "idea and measurement"
    why = f"{found} of its {plural(len(rows), 'row')} {'has' if found == 1 else 'have'} {what}; {plural(wanted, 'row')} give all points"
    return graded("notebook", points * min(1, found / wanted), points, why)


def single(rule, name):
    return [(name, rule[name]["points"])] if name in rule else []


def automatic_items(rule):
    """[(item, its maximum)] without manual items."""
    first = [one for name in ("correctness", "worksheet", "notebook") for one in single(rule, name)]
    return first + [(item_of(one), one["points"]) for one in rule["speed"]]


def manual_items(rule):
    return [(one["question"], one["points"]) for one in rule["manual"]]


def all_alike(items, state, why):
    return [ungraded(item, points, state, why) for item, points in items]


def manual_marks(rule):
    return all_alike(manual_items(rule), FOR_A_PERSON, "to be marked by hand")


def not_here(part, rule, why):
    """The marks of a part that cannot run here; worksheet and notebook are judged all the same."""
    judged = {"worksheet": worksheet, "notebook": lambda *what: [notebook(*what)]}
    marks = []
    for item, points in automatic_items(rule):
        on_paper = part and item in judged and part[item]
        marks += judged[item](part, rule) if on_paper else [ungraded(item, points, NOT_HERE, why)]
    return marks + manual_marks(rule)


def nothing_handed_in(name, rule):
    return [
        graded(item, 0, points, f"nothing was handed in for {name}")
        for item, points in automatic_items(rule) + manual_items(rule)
    ]


def measured_marks(name, part, rule, cores):
    gates = rule.get("correctness", {}).get("gates", True)
    return [
        *([correctness(name, part, rule)] if "correctness" in rule else []),
        *(worksheet(part, rule) if "worksheet" in rule else []),
        *([notebook(part, rule)] if "notebook" in rule else []),
        *(speed(name, part, one, gates, cores) for one in rule["speed"]),
        *manual_marks(rule),
    ]


def why_unreadable(one):
    """Why nothing in any part can be graded, else "": an unreadable submission does not get zero."""
    measured = any(part["state"] == "measured" for part in one["parts"].values())
    problems = [
        problem for problem in one["problems"] if problem["stage"] == "unpack" or not one["parts"]
    ]
    if measured or not problems:
        return ""
    said = quoted(problems[0]["text"])
    return (
        said if problems[0]["stage"] == "measure" else f"the submission could not be read: {said}"
    )


def not_asked_for(rule, parts):
    why = f"{' and '.join(parts)} alone {'was' if len(parts) == 1 else 'were'} asked for"
    return all_alike(automatic_items(rule) + manual_items(rule), NOT_ASKED, why)


def marks_of_part(name, one, rule):
    """`one`: a measured submission."""
    part, unreadable = one["parts"].get(name), why_unreadable(one)
    if unreadable:
        return all_alike(automatic_items(rule), FOR_A_PERSON, unreadable) + manual_marks(rule)
    if part is None:
        return not_here(part, rule, f"{name} was not measured")
    if part["state"] == "nothing handed in":
        return nothing_handed_in(name, rule)
    if part["state"] == "not graded here":
        return not_here(
            part, rule, f"not graded here: {quoted(part['reason']) or 'no reason given'}"
        )
    return measured_marks(name, part, rule, one["machine"]["cores"])
