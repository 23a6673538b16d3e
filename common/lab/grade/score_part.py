"""All marks of a part, in the order of the rubric."""

from grade.item import FOR_A_PERSON, NOT_ASKED, NOT_HERE, graded, quoted, ungraded
from grade.score_correctness import correctness
from grade.score_notebook import notebook
from grade.score_speed import item_of, speed
from grade.score_worksheet import worksheet


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
    return [graded(item, 0, points, f"nothing was handed in for {name}") for item, points in automatic_items(rule) + manual_items(rule)]


def measured_marks(name, part, rule, cores):
    gates = rule.get("correctness", {}).get("gates", True)
    return [*([correctness(name, part, rule)] if "correctness" in rule else []),
            *(worksheet(part, rule) if "worksheet" in rule else []),
            *([notebook(part, rule)] if "notebook" in rule else []),
            *(speed(name, part, one, gates, cores) for one in rule["speed"]), *manual_marks(rule)]


def why_unreadable(one):
    """Why nothing in any part can be graded, else "": an unreadable submission does not get zero."""
    measured = any(part["state"] == "measured" for part in one["parts"].values())
    problems = [problem for problem in one["problems"] if problem["stage"] == "unpack" or not one["parts"]]
    if measured or not problems:
        return ""
    said = quoted(problems[0]["text"])
    return said if problems[0]["stage"] == "measure" else f"the submission could not be read: {said}"


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
        return not_here(part, rule, f"not graded here: {quoted(part['reason']) or 'no reason given'}")
    return measured_marks(name, part, rule, one["machine"]["cores"])
