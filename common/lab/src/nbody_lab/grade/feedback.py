"""The marks of a submission in words, as platforms show them, and what to try next: plain lines by the grader, safe to
print."""

import re
from collections import namedtuple

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.grade.item import NOT_ASKED, quoted
from nbody_lab.grade.score_correctness import (
    NOT_BUILT,
    RIGHT,
    UNTOUCHED,
    WRONG,
    best_row,
    outcome,
    rows_that_count,
)


def points_text(value):
    """'61.5', '10'; empty if there are no points yet."""
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def item_title(item):
    return ", ".join(in_one_line(item[key], 120) for key in ("part", "item") if item.get(key))


def is_graded(item):
    return item.get("points") is not None


def item_line(item):
    """'part1, speed, 1 thread: 5 of 10. Why.'"""
    many = (
        f"{points_text(item['points'])} of {points_text(item['maximum'])}"
        if is_graded(item)
        else item["state"]
    )
    why = in_one_line(item.get("why") or "")
    begins_with_a_name = any(mark in why.split(" ")[0] for mark in "./")
    sentence = why if begins_with_a_name else f"{why[:1].upper()}{why[1:]}"
    return f"{item_title(item)}: {many}{f'. {sentence}' if why else ''}"


def total_line(submission):
    if submission["points"] is None:
        return "No points yet: a person decides."
    open_points = submission.get("to_decide") or 0
    more = f" A person still decides on {points_text(open_points)} more." if open_points else ""
    return (
        f"{points_text(submission['points'])} of {points_text(submission['maximum'])} points.{more}"
    )


def late_line(submission):
    """The line on lateness; empty if it was in time."""
    late = submission.get("late") or {}
    if not late.get("days"):
        return ""
    days, taken = points_text(late["days"]), points_text(late.get("taken_off") or 0)
    why = in_one_line(late.get("why") or "")
    return f"Late by {days} day{'' if days == '1' else 's'}: {taken} points taken off.{f' {why}' if why else ''}"


def asked_for(items):
    """The items without parts excluded by --part: students are not told about those."""
    return [item for item in items if item["state"] != NOT_ASKED]


def feedback_lines(submission):
    """All lines for the student; flags are for the instructor only."""
    lines = [
        total_line(submission),
        late_line(submission),
        *map(item_line, asked_for(submission["items"])),
    ]
    return [line for line in lines if line]


# What a student could try next, based on counts and speed: the first rule that fits a part.
ENOUGH_FLOPS = 22  # the usual count is 20 per interaction; a few more cost little

# share: of the solution's single-thread speed, in %; flops: per interaction, 0 if not counted; gain: speed-up with
# `threads` threads
Facts = namedtuple("Facts", "part row state share flops gain threads")

RULES = [
    (
        lambda of: of.state == UNTOUCHED,
        "{part}: it is unchanged: ./lab profile {part} names the function that costs most; begin there",
    ),
    (
        lambda of: of.state == NOT_BUILT,
        "{part}: ./lab check {part} {row} explains the compiler's first error",
    ),
    (
        lambda of: of.state == WRONG,
        "{part}: first right, then fast: ./lab check {part} {row} shows the first case that fails",
    ),
    (lambda of: of.state != RIGHT, ""),
    (
        lambda of: of.share and of.share < 90 and of.flops > ENOUGH_FLOPS,
        "{part}: with one thread {row} reaches {share:.0f} % of the reference and computes {flops:g} flops per interaction, where about "
        "20 are enough: look for what is computed twice, divided twice, or done by pow",
    ),
    (
        lambda of: of.share and of.share < 60 and of.flops,
        "{part}: with one thread {row} reaches {share:.0f} % of the reference with no extra flops ({flops:g} per interaction): look at what "
        "the inner loop loads and stores, and whether it is vectorised (./lab vec-report {part} {row})",
    ),
    (
        lambda of: of.share and of.share < 60,
        "{part}: with one thread {row} reaches {share:.0f} % of the reference: ./lab roofline {part} shows what limits it",
    ),
    (
        lambda of: of.gain and of.gain < 0.75 * of.threads,
        "{part}: {threads} threads make {row} {gain:.2g} times as fast: look at how rows are distributed, and whether threads write "
        "to the same cache lines",
    ),
    (
        lambda of: of.share and of.share < 90,
        "{part}: with one thread {row} reaches {share:.0f} % of the reference: ./lab bound {part} {row} names the unit that limits it",
    ),
    (
        lambda of: of.share,
        "{part}: {row} is as fast as the reference: ./lab bound {part} {row} shows how much more the machine allows",
    ),
]


def flops_an_interaction(row):
    found = re.search(r"([\d.]+) ?\*? ?n\^2", row["counts"]["flops"] if row["counts"] else "")
    try:
        return float(found[1]) if found else 0
    except ValueError:
        return 0


def of_most_bodies(row):
    """{threads: timing} for the largest number of bodies."""
    right = [
        one
        for one in row["speed"]
        if one["verdict"] == RIGHT and one["interactions_per_s"] and not one["above_bound"]
    ]
    most = max((one["n"] for one in right), default=0)
    return {one["threads"]: one for one in right if one["n"] == most}


def share_with_one_thread(row):
    return 100 * (of_most_bodies(row).get(1, {}).get("share_of_solution") or 0)


def gain_of(row):
    """(speed-up of most threads over one, number of threads)"""
    timed = of_most_bodies(row)
    most = max(timed, default=0)
    return (
        (timed[most]["interactions_per_s"] / timed[1]["interactions_per_s"], most)
        if 1 in timed and most > 1
        else (0, most)
    )


def facts(name, part, rule):
    rows = rows_that_count(part, rule["rows"])
    best = best_row(rows)
    if best is None:
        return None
    right = [row for row in rows if outcome(row) == RIGHT]
    fastest = max(right, key=share_with_one_thread, default=best)
    gain, threads = max((gain_of(row) for row in right), default=(0, 0))
    return Facts(
        name,
        quoted(fastest["name"]),
        outcome(fastest),
        share_with_one_thread(fastest),
        flops_an_interaction(fastest),
        gain,
        threads,
    )


def next_ideas(one, rubric):
    """A sentence for each measured part to which a rule applies."""
    found = []
    for name, rule in rubric["parts"].items():
        part = one["parts"].get(name)
        of = facts(name, part, rule) if part and part["state"] == "measured" else None
        text = next((words for fits, words in RULES if fits(of)), "") if of else ""
        found += [text.format(**of._asdict())] if text else []
    return found
