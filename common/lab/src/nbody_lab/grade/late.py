"""Days late, by the deadline or by late.csv, and the points they cost."""

import math
from collections import namedtuple
from datetime import datetime, timedelta

from nbody_lab.grade.csv_text import Bad, number_in, read_csv

LateRow = namedtuple("LateRow", "who days where")  # days: a number, or "excused"; where: FILE:LINE
Late = namedtuple("Late", "days taken_off why")

COLUMNS = {"who": True, "days": True}  # column: is it required?


def moment(text):
    """An ISO 8601 time, or None. Python before 3.11 does not know Z for UTC."""
    try:
        return datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)
    except ValueError:
        return None


def days_in(word):
    if word.lower() == "excused":
        return "excused"
    days = number_in(word)
    if days is None or days < 0:
        raise Bad(f"'{word}' is not a number of days: write one, or excused")
    return days


def read_late(file):
    """[LateRow] of a CSV with the columns who and days. Raises InputError."""
    return read_csv(
        file,
        COLUMNS,
        lambda row, where: (
            LateRow(row["who"], days_in(row["days"]), where) if row["days"] else None
        ),
    )


def count(days):
    return f"{days:g} day{'' if days == 1 else 's'}"


def days_after(deadline, submitted):
    """(days begun after the deadline, explanation). A time without a zone is in the deadline's zone."""
    end, at = moment(deadline), moment(submitted)
    if end is None:
        return 0, ""
    if at is None:
        return 0, "the time of submission is unknown"
    if at.tzinfo is None:
        at = at.replace(tzinfo=end.tzinfo)
    days = math.ceil(max(at - end, timedelta(0)) / timedelta(days=1))
    words = f"handed in {at.astimezone(end.tzinfo):%Y-%m-%d %H:%M}, the deadline was {end:%Y-%m-%d %H:%M %z}"
    return days, words if days else ""


def late_of(points, submitted, row, rubric):
    """The mark for lateness, which says what was deducted. `row`: of late.csv, or None."""
    if row and row.days == "excused":
        return Late(0, 0, "excused")
    days, words = (
        (row.days, "as late.csv says") if row else days_after(rubric["deadline"], submitted)
    )
    if not days:
        return Late(0, 0, words if not row else "")
    free, percent = rubric["late"]["free_days"], rubric["late"]["per_day_percent"]
    share = min(1, max(0, days - free) * percent / 100)
    without = f", {count(free)} free" if free else ""
    return Late(
        days, round(share * points, 2), f"{count(days)} late{without}, {percent:g} % a day: {words}"
    )
