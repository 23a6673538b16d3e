"""Matches submissions to rows of Moodle's worksheet: by participant number, else by author name."""

import unicodedata
from collections import defaultdict


def plain(name):
    """The name as two people may both write it."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def by_number(results):
    return {str(one["student_id"]): one for one in results["submissions"] if one.get("student_id")}


def by_name(results):
    """{name: submissions that name this author}"""
    found = defaultdict(list)
    for submission in results["submissions"]:
        for author in submission.get("authors") or []:
            found[plain(author)].append(submission)
    return found


def matched(sheet, results):
    """([(row, submission)], remarks). Students named in another worksheet keep their own submission; an ambiguous name
    fills nothing."""
    numbers, names = by_number(results), by_name(results)
    same_name = defaultdict(int)
    for row in sheet.students():
        same_name[plain(sheet.of(row, "full name"))] += 1
    pairs, remarks = [], []
    for row in sheet.students():
        name = sheet.of(row, "full name")
        own, named = numbers.get(sheet.number_of(row)), names.get(plain(name), [])
        others = [one for one in named if one is not own]
        if own:
            pairs.append((row, own))
            remarks += [f"{name} handed in {own['name']} and is also named in {one['name']}" for one in others]
        elif len(named) == 1 and same_name[plain(name)] == 1:
            pairs.append((row, named[0]))
        elif named:
            why = f"named in {', '.join(one['name'] for one in named)}" if len(named) > 1 else "a name of several students"
            remarks.append(f"{name} is {why}: left empty")
    found = {submission["name"] for _, submission in pairs}
    remarks += [f"{one['name']} matches no student in Moodle's worksheet" for one in results["submissions"] if one["name"] not in found]
    return pairs, remarks
