"""What a person should look at, whatever the marks are."""

from grade.item import quoted
from grade.manual import plain


def rows_above_bound(one):
    """One sentence per row, however many of its times are too good."""
    return [f"{name}/{quoted(row['name'])}: faster than this machine allows: a person should look"
            for name, part in one["parts"].items() for row in part["rows"] if any(speed["above_bound"] for speed in row["speed"])]


def other_machine(one, rubric, machine):
    found = []
    if {**one["machine"], "no_bound": ""} != {**machine, "no_bound": ""}:
        found.append(f"measured on a different machine than the first of the class: {quoted(one['machine']['cpu'])}")
    if rubric["calibrated_on"] and rubric["calibrated_on"] != one["machine"]["cpu"]:
        found.append(f"the bands were calibrated on {rubric['calibrated_on']}, this was measured on {quoted(one['machine']['cpu'])}")
    return found


def twice(one, measured):
    """Authors who appear in several submissions."""
    mine = {plain(author): author for author in one["submission"]["authors"]}
    return [f"{quoted(mine[plain(author)])} is an author of {other['submission']['name']} as well"
            for other in measured if other is not one for author in other["submission"]["authors"] if plain(author) in mine]


def marked_late(told, late):
    """A platform may mark a submission as late without a number of days: then nothing is deducted."""
    open_yet = told.get("late") and not late.days and late.why != "excused"
    return [f"the platform marked it late, but no points were taken off: in late.csv (--late), '{told['name']},1' means one day, "
            f"'{told['name']},excused' none"] if open_yet else []


def flags_of(one, rubric, measured, late):
    banner = one["isolation"]["banner"]
    return (rows_above_bound(one) + other_machine(one, rubric, measured[0]["machine"]) + twice(one, measured) + marked_late(one["submission"], late) +
            ([] if one["submission"]["authors"] else ["no author is named"]) + ([quoted(banner)] if banner else []))
