"""One row for each implementation of a part, of what check, bench, notebook, roofline and bound know of it."""

NOISY = 0.3  # above this spread nothing is compared, here as in ./lab bench
SHOWN_ANYWAY = ("naive", "mine")  # kinds; others where something is known of them


def by_name(rows):
    """The last of each name."""
    return {row["name"]: row for row in rows}


def implementations_of(part, manifest):
    verdicts, bench = by_name(part["verdicts"]), by_name((part["bench"] or {}).get("rows", []))
    tries = by_name([row for row in part["notebook"] if row["right"] or row["verdict"]])
    bounds = by_name(part["bounds"])
    known = by_name(manifest)
    names = [row["name"] for row in manifest if row["kind"] in SHOWN_ANYWAY or row["name"] in {**verdicts, **bench, **bounds}]
    names += [name for name in {**verdicts, **bench} if name not in known]
    return [{"name": name, "kind": known.get(name, {}).get("kind", ""), "summary": known.get(name, {}).get("summary", ""),
             "flags": " ".join(known.get(name, {}).get("flags", [])), "verdict": verdicts.get(name), "bench": bench.get(name),
             "try": tries.get(name), "bound": bounds.get(name), "point": point_of(part, name)} for name in names]


def point_of(part, name):
    """Its place under the roofline: in float, on one thread, where there are several."""
    points = [point for roofline in part["rooflines"] for point in roofline["points"] if point["name"] == name]
    return min(points, key=lambda point: (point["precision"] != "float", point["threads"]), default=None)


def is_own(row):
    return row["kind"] == "mine" or row["name"].startswith("mine")


def speed_of(row):
    """(times the naive, where from): of this bench, else of the last try; None where neither is right."""
    bench, attempt = row["bench"], row["try"]
    if bench and bench["verdict"] == "right":
        return bench["times_first"], "bench"
    if attempt and attempt["right"] and attempt["times_naive"]:
        return attempt["times_naive"], "notebook"
    return None


def headline_of(part):
    """The student's best: how many times the naive, is it right, what limits it. None where there is none."""
    own = [(speed_of(row), row) for row in part["implementations"] if is_own(row)]
    measured = [(speed, row) for speed, row in own if speed]
    if not measured:
        return None
    (times, source), row = max(measured, key=lambda one: one[0][0])
    bench, attempt, point = part["bench"], row["try"], row["point"] or {}
    where = bench if source == "bench" else {"n": attempt["n"], "threads": attempt["threads"], "day": attempt["date"]}
    rate = row["bench"]["interactions_per_s"] if source == "bench" else attempt["interactions_per_s"]
    return {"name": row["name"], "times_naive": times, "from": source, "interactions_per_s": rate, "n": where["n"],
            "threads": where["threads"], "day": where["day"], "verdict": row["verdict"], "limiter": point.get("limiter"),
            "share_of_limit": point.get("share_of_limit"), "noisy": source == "bench" and spread_of(part["bench"], row) > NOISY}


def spread_of(bench, row):
    """Of the two rows that were compared."""
    return max(row["bench"]["spread"], bench["rows"][0]["spread"])
