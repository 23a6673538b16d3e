"""Writes everything made from OUT/results.json: tables, files for platforms, pages, and the final table of a run."""

from grade import run_pages
from grade.exports import write_exports
from grade.harmless import harmless
from grade.moodle import write_moodle
from grade.tables import write_grades
from messages import say
from notebook_file import shown

WIDTH = 100


def points_of(value):
    return "-" if value is None else f"{value:g}"


def line_of_submission(submission):
    needs = [f"{submission['to_decide']:g} to decide"] if submission.get("to_decide") else []
    flags = submission.get("flags") or []
    needs += [f"{len(flags)} flag{'s' if len(flags) > 1 else ''}"] if flags else []
    who = ", ".join(submission["authors"]) or "no names"
    return f"  {harmless(submission['name'])[:28]:28} {points_of(submission['points']):>6} of {submission['maximum']:<5g} {harmless(who)[:28]:28} {harmless('; '.join(needs))}"[:WIDTH]


def lines_of(submission):
    """Each item of one submission with its reason, wrapped."""
    import textwrap  # pylint: disable=import-outside-toplevel
    lines = []
    for item in submission["items"]:
        got = points_of(item["points"]) if item["state"] == "graded" else item["state"]
        lines.append(f"{item.get('part') or '':6} {item['item'][:40]:40} {got:>16} of {item['maximum']:g}")
        lines += textwrap.wrap(harmless(item["why"]), WIDTH, initial_indent=" " * 9, subsequent_indent=" " * 9)
    lines.append(f"{points_of(submission['points'])} of {submission['maximum']:g} points")
    return lines


def write_all(out, results, moodle=""):
    """Writes all of it and returns lines to print."""
    write_grades(out, results)
    remarks = write_moodle(out, results, moodle or None)
    write_exports(out, results)
    if run_pages.write_pages(out) is None:
        say(run_pages.WITHOUT)
    one = results["submissions"][0] if len(results["submissions"]) == 1 else None
    lines = lines_of(one) if one else [line_of_submission(submission) for submission in results["submissions"]]
    return [*lines, *remarks, f"{shown(out)}: grades.csv, moodle.csv, results.json, export/, index.html"]
