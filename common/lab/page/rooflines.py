"""What ./lab roofline wrote of a part, one file a setting, as the views that a page switches between."""

from itertools import product

from ages import still_there
from roofline_stem import stem_of

PRECISIONS, THREADS = ("float", "double"), ("one", "all")
WORDS = {"float": "float", "double": "double", "one": "one thread", "all": "all threads"}


def rooflines_of(sources, part):
    """Whole, as they are drawn. Files of other names, which --from leaves, are of another time."""
    found = [roofline_at(sources, part, setting) for setting in product(PRECISIONS, THREADS)]
    return [one for one in found if one]


def roofline_at(sources, part, setting):
    """What its file holds, if it is of this setting; else None."""
    precision, threads = setting
    file = sources.root / "build/roofline" / f"{stem_of(part, {'precision': precision}, threads == 'all')}.json"
    one = sources.record(file, "roofline")
    if one and (one["part"], setting_of(one)) != (part, setting):
        sources.complain(file, "was made with other settings than its name says")
        return None
    return one and {**one, "points": still_there(sources.root, one["points"])}


def without_ceilings(one):
    """As it stands in the page's data, which has the ceilings once."""
    return {**{key: value for key, value in one.items() if key != "ceilings"}, "setting": list(setting_of(one))}


def setting_of(one):
    return one.get("precision", "float"), "all" if one.get("threads", 1) > 1 else "one"


def switches_of(rooflines):
    """{group: [(value, words)]}: what there is to choose from."""
    there = [setting_of(one) for one in rooflines]
    groups = {"precision": PRECISIONS, "threads": THREADS}
    return {group: [(value, WORDS[value]) for value in values if any(value in setting for setting in there)] for group, values in groups.items()}


def command_of(part, precision, all_threads):
    """What makes it."""
    return f"./lab roofline {part}{' --double' if precision == 'double' else ''}{' --threads all' if all_threads else ''}"


def views_of(part, rooflines):
    """Each choice with its roofline, or with the command that makes it."""
    switches = switches_of(rooflines)
    found = {setting_of(one): one for one in rooflines}
    return [{"precision": precision, "threads": threads, "roofline": found.get((precision, threads)),
             "command": command_of(part, precision, threads == "all")}
            for precision, _ in switches["precision"] for threads, _ in switches["threads"]]
