"""Which files of a submission are taken, where they go in a clean tree, and why the others are ignored."""

import os
import re
from collections import namedtuple
from itertools import takewhile
from pathlib import Path

from nbody_lab.grade.member_names import digest_of, files_below
from nbody_lab.grade.part_folders import largest, near_name, part_called, role_in

# files: {"part1_standard_opti/mine.hpp": Path}; ignored: [{"file": ..., "why": ...}]; kept: sources kept by a notebook,
# {"part1_standard_opti/notebook/003_mine.hpp": Path}, evidence that is never built; unclear: {target: why} for files
# with several differing versions.
Taken = namedtuple("Taken", "files ignored kept unclear", defaults=[{}, {}])

MOST = {"code": 24, "header": 32, "kept": 200}  # per part
KEPT = re.compile(r"(\d{3,6})_mine\w*\.(hpp|cuh)", re.ASCII)
LABS, NOT_ASKED = "belongs to the lab", "not a file to hand in"

# Where a file would go: its part and its name in that folder; `why`: the reason to ignore it, if any.
Place = namedtuple("Place", "part name role why", defaults=[None, "", "", ""])


def belongs_to_lab(parts, words):
    """Whether the clean tree contains it, in whatever folder the student's tree lies."""
    root = parts[0].root if parts else None
    try:
        return (
            any((root / Path(*words[k:])).is_file() for k in range(len(words))) if root else False
        )
    except (OSError, ValueError):
        return False


def place_in_part(part, words):
    """`words`: the path relative to the part's folder."""
    if len(words) == 2 and words[0] == "notebook" and KEPT.fullmatch(words[1]):
        return Place(part, "/".join(words), "kept")
    role = role_in(part, words[0]) if len(words) == 1 else ""
    if role:
        return Place(part, words[0], role)
    if len(words) == 1 and near_name(part, words[0]):
        return Place(why=f"it should be called {near_name(part, words[0])}")
    given = (part.root / part.folder / Path(*words)).is_file()
    return Place(why=LABS if given else NOT_ASKED)


def place_of_flat(parts, name):
    """The place of a file outside any part's folder: part1_mine.hpp, or mine.hpp if only one part is possible."""
    told = re.fullmatch(r"(part\d+)[_-](.+)", name)
    named = part_called(parts, told[1]) if told else None
    if named:
        return place_in_part(named, [told[2]])
    fitting = [part for part in parts if role_in(part, name) or near_name(part, name)]
    if len(fitting) == 1 and (len(parts) == 1 or role_in(fitting[0], name) == "code"):
        return place_in_part(fitting[0], [name])
    if any(role_in(part, name) in ("code", "flags", "worksheet", "notebook") for part in fitting):
        return Place(
            why=f"which part is it for? Put it into that part's folder, such as {fitting[0].folder}/"
        )
    return Place(why=NOT_ASKED)


def place_of(parts, every_part, words, depth):
    """`depth`: number of folders around all files."""
    for k in range(len(words) - 2, -1, -1):
        part = part_called(every_part, words[k])
        if part:
            if k and words[k - 1] == "solutions":
                return Place(why=LABS)
            return (
                place_in_part(part, words[k + 1 :])
                if part in parts
                else Place(why="belongs to a part that was not requested")
            )
    if len(words) == depth + 1:
        found = place_of_flat(parts, words[-1])
        if found.part or found.why != NOT_ASKED:
            return found
    return Place(why=LABS if belongs_to_lab(every_part, words) else NOT_ASKED)


def common_depth(names):
    """The number of folders around everything, which archives often have."""
    folders = [name.split("/")[:-1] for name in names]
    return sum(1 for _ in takewhile(lambda level: len(set(level)) == 1, zip(*folders)))


def refusal(path, why, most):
    if why:
        return "a link" if "link" in why else "not a regular file"
    return f"larger than {most // 1000} kB" if os.lstat(path).st_size > most else ""


def settled(target, paths):
    """For several files with one destination: (the one to use or None, why not the others)."""
    if len({digest_of(path) for path, _ in paths}) > 1:
        return None, f"{len(paths)} versions of {target} that differ: which one? None was used"
    return paths[0][0], f"the same as {paths[0][1]}"


def capped(found, most):
    """Files beyond the limits, {target: why}, so that a thousand versions are refused."""
    count, over = {}, {}
    for target, place in sorted(found.items()):
        key = (place.part.folder, place.role)
        count[key] = count.get(key, 0) + 1
        if count[key] > most.get(place.role, 1000):
            over[target] = f"more than {most[place.role]} such files"
    return over


def take(folder, parts, every_part=None):
    """Takes the files of an unpacked submission. `parts`: the requested ones; `every_part`: all of the lab
    (part_folders.py)."""
    every_part = every_part or parts
    candidates, ignored, places = {}, [], {}
    found = list(files_below(folder))
    depth = common_depth([name for _, name, _ in found])
    for path, name, why in found:
        place = place_of(parts, every_part, name.split("/"), depth)
        why = ("" if why else place.why) or refusal(path, why, largest(place.name))
        if why:
            ignored.append({"file": name, "why": why})
        else:
            target = f"{place.part.folder}/{place.name}"
            candidates.setdefault(target, []).append((path, name))
            places[target] = place
    over, taken, unclear = capped(places, MOST), {"files": {}, "kept": {}}, {}
    for target, paths in sorted(candidates.items()):
        path, why = (None, over[target]) if target in over else settled(target, paths)
        if target not in over and path is None:
            unclear[target] = why
        if path:
            taken["kept" if places[target].role == "kept" else "files"][target] = Path(path)
        ignored += [{"file": name, "why": why} for one, name in paths if one != path]
    return Taken(
        taken["files"], sorted(ignored, key=lambda one: one["file"]), taken["kept"], unclear
    )


def store(taken, folder):
    """Copies what was taken and kept into `folder`, OUT/taken/NAME, for evidence.py."""
    for target, path in [*taken.files.items(), *taken.kept.items()]:
        place = Path(folder) / target
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
