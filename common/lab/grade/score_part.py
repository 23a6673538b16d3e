"""All marks of a part, in the order of the rubric."""

from grade.item import FOR_A_PERSON, NOT_HERE, graded, quoted, ungraded
from grade.score_correctness import correctness
from grade.score_notebook import notebook
from grade.score_speed import item_of, speed
from grade.score_worksheet import worksheet


def manual_marks(rule):
    return [ungraded(one["question"], one["points"], FOR_A_PERSON, "to be marked by hand") for one in rule["manual"]]


def items_from_runs(rule):
    """[(item, its maximum)]"""
    first = [("correctness", rule["correctness"]["points"])] if "correctness" in rule else []
    return first + [(item_of(one), one["points"]) for one in rule["speed"]]


def items_on_paper(rule):
    return [(name, rule[name]["points"]) for name in ("worksheet", "notebook") if name in rule]


def all_alike(items, state, why):
    return [ungraded(item, points, state, why) for item, points in items]


def not_here(part, rule, why):
    """What was handed in on paper is judged all the same."""
    judged = {"worksheet": worksheet, "notebook": lambda *what: [notebook(*what)]}
    marks = all_alike(items_from_runs(rule), NOT_HERE, why)
    for item, points in items_on_paper(rule):
        marks += judged[item](part, rule) if part and part[item] else all_alike([(item, points)], NOT_HERE, why)
    return marks + manual_marks(rule)


def nothing_handed_in(name, rule):
    manual = [(one["question"], one["points"]) for one in rule["manual"]]
    return [graded(item, 0, points, f"nothing was handed in for {name}")
            for item, points in [*items_from_runs(rule), *items_on_paper(rule), *manual]]


def not_readable(one):
    """Why a submission has nothing to grade in any part, or "": what nobody could read is not worth zero."""
    measured = any(part["state"] == "measured" for part in one["parts"].values())
    problems = [problem for problem in one["problems"] if problem["stage"] == "unpack" or not one["parts"]]
    return "" if measured or not problems else quoted(problems[0]["text"])


def measured_marks(name, part, rule, cores):
    gates = rule.get("correctness", {}).get("gates", True)
    return [*([correctness(name, part, rule)] if "correctness" in rule else []),
            *(worksheet(part, rule) if "worksheet" in rule else []),
            *([notebook(part, rule)] if "notebook" in rule else []),
            *(speed(name, part, one, gates, cores) for one in rule["speed"]), *manual_marks(rule)]


def marks_of_part(name, one, rule):
    """`one`: a measured submission."""
    part, unreadable = one["parts"].get(name), not_readable(one)
    if unreadable:
        return all_alike([*items_from_runs(rule), *items_on_paper(rule)], FOR_A_PERSON,
                         f"the submission could not be read: {unreadable}") + manual_marks(rule)
    if part is None:
        return not_here(part, rule, f"{name} was not measured")
    if part["state"] == "nothing handed in":
        return nothing_handed_in(name, rule)
    if part["state"] == "not graded here":
        return not_here(part, rule, f"not graded here: {quoted(part['reason']) or 'no reason is known'}")
    return measured_marks(name, part, rule, one["machine"]["cores"])
