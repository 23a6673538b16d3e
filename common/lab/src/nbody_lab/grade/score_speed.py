"""Points for speed: the fastest correct row counts, in the bands of the rubric."""

from nbody_lab.core.words import plural
from nbody_lab.grade.item import (
    FLAGGED,
    FOR_A_PERSON,
    NOT_HERE,
    graded,
    quoted,
    rate,
    ungraded,
)
from nbody_lab.grade.score_correctness import (
    NOT_CHECKED,
    RIGHT,
    WRONG,
    best_row,
    no_points_text,
    outcome,
    rows_that_count,
    text_of,
)

# Why a correct row has no time, if that is its own fault.
OWN_DOING = ("wrong", "the same as given")

MEASURED = {  # the words for each measure
    "share_of_solution": lambda one: (
        f"{one['share_of_solution']:.3g} of the solution's speed ({rate(one['interactions_per_s'] or 0)} of "
        f"{rate(one['solution_interactions_per_s'] or 0)} x 10^9 interactions/s, {quoted(one['solution'])})"
    ),
    "times_naive": lambda one: (
        f"{one['times_naive']:.3g} times as fast as naive ({rate(one['interactions_per_s'] or 0)} against "
        f"{rate(one['naive_interactions_per_s'] or 0)} x 10^9 interactions/s)"
    ),
    "interactions_per_s": lambda one: f"{rate(one['interactions_per_s'])} x 10^9 interactions/s",
}
BEGIN = {"interactions_per_s": lambda begin: f"{rate(begin)} x 10^9"}
NO_MEASURE = {
    "share_of_solution": "no solution was timed beside it",
    "times_naive": "naive was not timed beside it",
    "interactions_per_s": "it has no timing",
}
NEVER_ASKED = "nothing was timed with these threads and bodies"


def item_of(rule):
    """The item's name: "speed, 1 thread, 2000 bodies", unique within a part."""
    threads = "all threads" if rule["threads"] == "all" else plural(rule["threads"], "thread")
    scene = "" if rule["scene"] == "plummer" else f", {rule['scene']}"
    measure = {
        "share_of_solution": "",
        "times_naive": ", over naive",
        "interactions_per_s": ", interactions/s",
    }[rule["measure"]]
    return f"speed, {threads}, {plural(rule['n'], 'body', 'bodies')}{scene}{measure}"


def points_of(value, bands):
    return max((points for begin, points in bands if value >= begin), default=0)


def band_text(value, rule):
    """The band reached and what the next one needs."""
    told = BEGIN.get(rule["measure"], lambda begin: f"{begin:g}")
    reached = [band for band in rule["bands"] if value >= band[0]]
    above = [band for band in rule["bands"] if value < band[0]]
    if not reached:
        return f"below the first band, which gives {above[0][1]:g} from {told(above[0][0])}"
    here = f"the band from {told(reached[-1][0])} gives {reached[-1][1]:g}"
    return here + (f"; {above[0][1]:g} from {told(above[0][0])}" if above else ", the maximum")


def entry_of(row, rule, cores):
    """The timing of a row that the rubric asks for, or None."""
    threads = cores if rule["threads"] == "all" else rule["threads"]
    wanted = (threads, rule["n"], rule["scene"])
    return next(
        (one for one in row["speed"] if (one["threads"], one["n"], one["scene"]) == wanted), None
    )


def no_time(name, rows, entries, rule):
    """The mark if no correct row has this measure."""
    item, points = item_of(rule), rule["points"]
    if entries:
        row, entry = entries[0]
        if entry["noisy"]:
            return ungraded(
                item,
                points,
                FOR_A_PERSON,
                f"{name}/{quoted(row['name'])}: the machine was too busy to time it",
            )
        if entry["verdict"] != RIGHT:
            return graded(
                item,
                0,
                points,
                f"{name}/{quoted(row['name'])}: the timed result was not right: {quoted(entry['verdict'])}",
            )
        return ungraded(
            item, points, NOT_HERE, f"{name}/{quoted(row['name'])}: {NO_MEASURE[rule['measure']]}"
        )
    said = [(row, row["not_timed"]) for row in rows if row["not_timed"]]
    if not said:
        return ungraded(item, points, NOT_HERE, NEVER_ASKED)
    row, why = said[0]
    words = f"{name}/{quoted(row['name'])}: not timed: {quoted(why)}"
    return (
        graded(item, 0, points, words)
        if why in OWN_DOING
        else ungraded(item, points, FOR_A_PERSON, words)
    )


def no_right_row(name, part, rule, gates):
    """The mark if correctness gates the speed."""
    item, points, rows = item_of(rule), rule["points"], rows_that_count(part, rule["rows"])
    best = best_row(rows)
    state = outcome(best) if best else None
    if state == NOT_CHECKED or (state == WRONG and not gates):
        return ungraded(
            item,
            points,
            FOR_A_PERSON,
            f"counts if a person finds the row right: {text_of(name, best)}",
        )
    return graded(
        item, 0, points, f"no speed points without a right row: {no_points_text(name, rows)}"
    )


def doubtful(name, row, entry, rule):
    """The mark if a person must look at the fastest row."""
    value = entry[rule["measure"]]
    where, told = f"{name}/{quoted(row['name'])}", MEASURED[rule["measure"]](entry)
    if entry["above_bound"]:
        bound = entry["bound_interactions_per_s"]
        limit = f", {rate(bound)} x 10^9 interactions/s" if bound else ""
        return ungraded(
            item_of(rule),
            rule["points"],
            FLAGGED,
            f"{where}: {told}: faster than this machine allows{limit}: not scored, a person should look",
        )
    spread = f" by {100 * entry['spread']:.0f} %," if entry["spread"] else ""
    return ungraded(
        item_of(rule),
        rule["points"],
        FOR_A_PERSON,
        f"{where}: the repeats differ{spread} too much to score; {told} would give {points_of(value, rule['bands']):g}",
    )


def speed(name, part, rule, gates, cores):
    """The mark for one speed of the rubric. `cores`: what "all" threads means."""
    rows = [row for row in rows_that_count(part, rule["rows"]) if outcome(row) == RIGHT]
    if not rows:
        return no_right_row(name, part, rule, gates)
    measure, bands = rule["measure"], rule["bands"]
    entries = [
        (row, entry) for row, entry in ((row, entry_of(row, rule, cores)) for row in rows) if entry
    ]
    timed = [
        (row, entry)
        for row, entry in entries
        if entry["verdict"] == RIGHT and entry[measure] is not None
    ]
    if not timed:
        return no_time(name, rows, entries, rule)

    # A doubtful row matters only if it would give more than a sound one.
    def rank(one):
        _row, entry = one
        sound = not (entry["noisy"] or entry["above_bound"])
        return points_of(entry[measure], bands), sound, entry[measure]

    row, entry = max(timed, key=rank)
    if not rank((row, entry))[1]:
        return doubtful(name, row, entry, rule)
    value = entry[measure]
    why = f"{name}/{quoted(row['name'])}: {MEASURED[measure](entry)}: {band_text(value, rule)}"
    return graded(item_of(rule), points_of(value, bands), rule["points"], why)
