"""One row per implementation of a part, with what check, bench, notebook, roofline and bound say about it."""

from nbody_lab.notebook.columns import number
from nbody_lab.page.rooflines import command_of, limiter_of
from nbody_lab.programs.quick_bench import busy_words
from nbody_lab.roofline.text import BUSY_MACHINE

NOISY = 0.3  # with a larger spread nothing is compared, as in ./lab bench
SHOWN_ANYWAY = ("naive", "mine")  # kinds; others only if something is known about them


def by_name(rows):
    """The last of each name."""
    return {row["name"]: row for row in rows}


def implementations_of(part, manifest, gone=()):
    """The rows. `gone`: names whose file no longer exists; they are left out."""
    verdicts, bench = by_name(part["verdicts"]), by_name((part["bench"] or {}).get("rows", []))
    tries = by_name([row for row in part["notebook"] if row["right"] or row["verdict"]])
    bounds = by_name(part["bounds"])
    drawn = {point["name"]: point for one in part["rooflines"] for point in one["points"]}
    known = by_name(manifest)
    names = [
        row["name"]
        for row in manifest
        if row["kind"] in SHOWN_ANYWAY or row["name"] in {**verdicts, **bench, **bounds, **drawn}
    ]
    names += [name for name in {**verdicts, **bench} if name not in known]
    names = [name for name in names if name not in gone]
    found = [
        {
            "name": name,
            "kind": known.get(name, {}).get("kind", ""),
            "summary": known.get(name, {}).get("summary", ""),
            "flags": " ".join(known.get(name, {}).get("flags", [])),
            "verdict": verdicts.get(name),
            "bench": bench.get(name),
            "try": tries.get(name),
            "bound": bounds.get(name),
            "point": point_of(part, name),
        }
        for name in names
    ]
    return [
        {**row, "elsewhere": None if row["bench"] else newest_elsewhere(part, row)} for row in found
    ]


def point_of(part, name):
    """Its point in the roofline; of several, the one in float on one thread."""
    points = [
        point
        for roofline in part["rooflines"]
        for point in roofline["points"]
        if point["name"] == name
    ]
    return min(
        points, key=lambda point: (point["precision"] != "float", point["threads"]), default=None
    )


def is_own(row):
    return row["kind"] == "mine" or row["name"].startswith("mine")


def best_of(part, row):
    """Its speed in this bench, in its last try or in the roofline: the first with a naive to compare, else the first.
    None if none is right."""
    found = [one for one in (of_bench(part, row), of_try(row), of_roofline(part, row)) if one]
    return max(found, key=lambda one: one["times_naive"] is not None, default=None)


def newest_elsewhere(part, row):
    """The speed in its last try or in the roofline, whichever is newer; the try on the same day. None without either."""
    return max(
        filter(None, (of_try(row), of_roofline(part, row))),
        key=lambda one: one["day"][:10],
        default=None,
    )


def settings_elsewhere(rows):
    """The settings of those speeds, without duplicates."""
    found = []
    for row in rows:
        one = row["elsewhere"] and {
            name: row["elsewhere"][name] for name in ("from", "day", "n", "threads")
        }
        if one and one not in found:
            found.append(one)
    return found


def speed(source, one, **more):
    return {
        "from": source,
        **{
            name: one[name]
            for name in ("times_naive", "interactions_per_s", "n", "threads", "precision", "day")
        },
        **more,
    }


def of_bench(part, row):
    bench = row["bench"]
    return (
        speed("bench", {**part["bench"], **bench})
        if bench and bench["verdict"] == "right"
        else None
    )


def of_try(row):
    attempt = row["try"]
    return (
        speed(
            "notebook", {**attempt, "day": attempt["date"], "threads": number(attempt["threads"])}
        )
        if attempt and attempt["right"] and attempt["times_naive"]
        else None
    )


def of_roofline(part, row):
    """The speed in the roofline, where all points are of right programs, timed together."""
    drawn, point = next(
        (
            (one, point)
            for one in part["rooflines"]
            for point in one["points"]
            if point is row["point"]
        ),
        (None, None),
    )
    if not point:
        return None
    naive = next(
        (one["interactions_per_s"] for one in drawn["points"] if one["kind"] == "naive"), None
    )
    return speed(
        "roofline",
        {
            **drawn,
            **point,
            "day": drawn["date"],
            "threads": drawn["threads"] if drawn["where"] == "cpu" else None,
            "times_naive": point["interactions_per_s"] / naive if naive else None,
        },
        stale=point.get("stale", False),
    )


def headline_of(part):
    """The student's best: its speed-up over naive (None if unknown), whether it is right, and what limits it. None if
    there is none."""
    found = [(best_of(part, row), row) for row in part["implementations"] if is_own(row)]
    best, row = max(
        ((best, row) for best, row in found if best),
        default=(None, None),
        key=lambda one: (one[0]["times_naive"] or 0, one[0]["interactions_per_s"] or 0),
    )
    if not best:
        return None
    where = {name: best[name] for name in ("n", "threads", "precision", "day")}
    point = point_beside(part, row["name"], where) or {}
    unsure = limiter_of(point) == BUSY_MACHINE
    return {
        "name": row["name"],
        **{name: best[name] for name in ("times_naive", "from", "interactions_per_s")},
        **where,
        "verdict": row["verdict"],
        "limiter": limiter_of(point) if unsure else point.get("limiter"),
        "busy": busy_words([row["name"]]) if unsure else "",
        "limiter_why": "" if point else why_no_limiter(part, row["name"], where),
        "limiter_by": command_of(part["name"], where["precision"], (where["threads"] or 1) > 1),
        "share_of_limit": point.get("share_of_limit"),
        "limiter_stale": point.get("stale", False),
        "noisy": best["from"] == "bench" and spread_of(part["bench"], row) > NOISY,
    }


def point_beside(part, name, where):
    """Its point in the roofline of the same precision and threads; a GPU's has no threads."""
    return next(
        (
            point
            for one in part["rooflines"]
            for point in one["points"]
            if point["name"] == name
            and one["precision"] == where["precision"]
            and (one["where"] != "cpu" or one["threads"] == where["threads"])
        ),
        None,
    )


def why_no_limiter(part, name, where):
    """Which other settings have a roofline with it; '' if none has."""
    there = [
        one for one in part["rooflines"] if any(point["name"] == name for point in one["points"])
    ]
    threads = sorted({one["threads"] for one in there if one["precision"] == where["precision"]})
    if threads:
        return f"only {'one thread was' if threads == [1] else f'{threads[-1]} threads were'} measured so far"
    return f"only {there[0]['precision']} was measured so far" if there else ""


def spread_of(bench, row):
    """The larger spread of the two rows compared."""
    return max(
        one["spread"] for one in bench["rows"] if one["name"] in (row["name"], bench["naive"])
    )
