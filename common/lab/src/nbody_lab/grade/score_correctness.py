"""Are a part's rows correct? This gates the points for speed."""

from fnmatch import fnmatchcase

from nbody_lab.core.words import plural
from nbody_lab.grade.item import FOR_A_PERSON, graded, quoted, ungraded

RIGHT, WRONG, UNTOUCHED, NOT_BUILT, NOT_CHECKED = (
    "right",
    "wrong",
    "untouched",
    "not built",
    "not checked",
)
# If no row is right, the best one speaks for the part.
BEST_FIRST = (RIGHT, NOT_CHECKED, WRONG, NOT_BUILT, UNTOUCHED)


def rows_that_count(part, patterns):
    return [
        row
        for row in part["rows"]
        if any(fnmatchcase(row["name"], pattern) for pattern in patterns)
    ]


def outcome(row):
    if row["untouched"]:
        return UNTOUCHED
    if not row["built"]:
        return NOT_BUILT
    verdict = row["check"]["verdict"] if row["check"] else ""
    return {"passed": RIGHT, "failed": WRONG}.get(verdict, NOT_CHECKED)


def failure_text(failure):
    """forces, equal masses, 7 bodies: error 0.01, limit 1e-05: the last body is skipped"""
    where = [
        failure["group"],
        failure["scene"],
        plural(failure["n"], "body", "bodies") if failure["n"] else "",
    ]
    size = (
        f"error {failure['error']:.2g}, limit {failure['limit']:.2g}"
        if None not in (failure["error"], failure["limit"])
        else ""
    )
    return quoted(
        ": ".join(
            filter(
                None,
                [", ".join(filter(None, where)), size, failure["diagnosis"] or failure["detail"]],
            )
        )
    )


def wrong_text(check):
    if not check["first_failures"]:
        return quoted(check["problem"]) or "the check fails"
    of = f"{check['failed']} of {plural(check['cases'], 'case')} {'fails' if check['failed'] == 1 else 'fail'}"
    return f"{of}; the first: {failure_text(check['first_failures'][0])}"


def not_checked_text(row):
    check = row["check"] or {"verdict": "", "problem": ""}
    return quoted(check["verdict"] or "not checked") + (
        f": {quoted(check['problem'])}" if check["problem"] else ""
    )


TEXTS = {
    RIGHT: lambda row: (
        f"all {row['check']['cases']} cases pass, the worst at {100 * (row['check']['worst_share_of_limit'] or 0):.0f} % of its limit"
    ),
    WRONG: lambda row: wrong_text(row["check"]),
    UNTOUCHED: lambda row: "it is unchanged",
    NOT_BUILT: lambda row: (
        f"it does not compile: {quoted(row['build_problem']) or 'see the build log'}"
    ),
    NOT_CHECKED: not_checked_text,
}


def text_of(part_name, row):
    return f"{part_name}/{quoted(row['name'])}: {TEXTS[outcome(row)](row)}"


def untouched_text(rows):
    return f"{quoted(rows[0]['source'].rsplit('/', 1)[-1]) or 'mine.hpp'} is unchanged"


def best_row(rows):
    return min(rows, key=lambda row: BEST_FIRST.index(outcome(row)), default=None)


def no_points_text(name, rows):
    """Why no row of a part is right."""
    best = best_row(rows)
    if best is None:
        return "no mine*.hpp that counts was handed in"
    return untouched_text(rows) if outcome(best) == UNTOUCHED else text_of(name, best)


def correctness(name, part, rule):
    """The mark for correctness of a measured part."""
    rows = rows_that_count(part, rule["rows"])
    points, best = rule["correctness"]["points"], best_row(rows)
    state = outcome(best) if best else UNTOUCHED
    if state == RIGHT:
        return graded("correctness", points, points, text_of(name, best))
    if state == NOT_CHECKED:
        return ungraded("correctness", points, FOR_A_PERSON, text_of(name, best))
    return graded("correctness", 0, points, no_points_text(name, rows))
