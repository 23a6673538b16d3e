"""The rooflines of a part, one file per setting, as the views between which a page switches."""

from itertools import product

from nbody_lab.core.results import Point, Roofline
from nbody_lab.page.sources import still_there
from nbody_lab.roofline.text import explain_limiters, file_stem, short_limiter

PRECISIONS, THREADS = ("float", "double"), ("one", "all")
WORDS = {"float": "float", "double": "double", "one": "one thread", "all": "all threads"}


def rooflines_of(sources, part):
    """All rooflines, complete. Files with other names, left by --from, belong to another time."""
    found = [roofline_at(sources, part, setting) for setting in product(PRECISIONS, THREADS)]
    return [one for one in found if one]


def roofline_at(sources, part, setting):
    """The contents of the file of this setting; None if missing or made with other settings."""
    precision, threads = setting
    file = sources.root / "build/roofline" / f"{file_stem(part, precision, threads == 'all')}.json"
    one = sources.record(file, "roofline")
    if one and (one["part"], setting_of(one)) != (part, setting):
        sources.complain(file, "its settings do not match its name")
        return None
    return one and {**one, "points": still_there(sources.root, one["points"])}


def model_of(one):
    """The roofline to draw; its points know here whether they are stale."""
    points = [
        {key: value for key, value in point.items() if key in Point.model_fields}
        for point in one["points"]
    ]
    return Roofline.model_validate({**one, "points": points})


def limiter_of(point):
    """The limiter in short words."""
    return short_limiter(point.get("limiter") or "", bool(point.get("busy_machine")))


def about_limiters(one):
    """Sentences on the short words of the limiter column."""
    busy = [str(point["name"]) for point in one["points"] if point.get("busy_machine")]
    waits = any(limiter_of(point) == "waiting" for point in one["points"])
    return explain_limiters(str(one["part"]), busy, waits)


def without_ceilings(one):
    """The roofline for the page's data, which stores the ceilings once."""
    return {
        **{key: value for key, value in one.items() if key != "ceilings"},
        "setting": list(setting_of(one)),
    }


def setting_of(one):
    return one.get("precision", "float"), "all" if one.get("threads", 1) > 1 else "one"


def switches_of(rooflines):
    """{group: [(value, words)]}: the choices available."""
    there = [setting_of(one) for one in rooflines]
    groups = {"precision": PRECISIONS, "threads": THREADS}
    return {
        group: [
            (value, WORDS[value]) for value in values if any(value in setting for setting in there)
        ]
        for group, values in groups.items()
    }


def command_of(part, precision, all_threads):
    """The command that makes a roofline."""
    return f"./lab roofline {part}{' --double' if precision == 'double' else ''}{' --threads all' if all_threads else ''}"


def views_of(part, rooflines):
    """Each choice with its roofline, or with the command that makes it."""
    switches = switches_of(rooflines)
    found = {setting_of(one): one for one in rooflines}
    return [
        {
            "precision": precision,
            "threads": threads,
            "roofline": found.get((precision, threads)),
            "command": command_of(part, precision, threads == "all"),
        }
        for precision, _ in switches["precision"]
        for threads, _ in switches["threads"]
    ]
