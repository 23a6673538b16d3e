"""Is the given code of a part still what was handed out?

naive.hpp (naive.cuh) is the baseline of the check, the clock and the counts, so an edited one is named. handed_out.json
holds a seal of the code of each given file; comments, blanks and line ends do not count.

    python -m nbody_lab.building.handed_out     writes the seals anew, after a given file was changed on purpose
"""

import hashlib
import json
import re
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.whole_file import write_text

COPIES = "common/given/"  # in a handout, which has no git: original copies of the files below and of other files of students
SEALS = Path(__file__).with_name("handed_out.json")
GIVEN = ("naive.hpp", "naive.cuh", "mine.hpp", "mine.cuh")
NO_CODE = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def seal_of(text: str) -> str:
    code = NO_CODE.sub(lambda match: match[1] or "", text)
    return hashlib.sha256("".join(code.split()).encode()).hexdigest()


def seal_of_file(file: Path) -> str:
    return seal_of(file.read_text(encoding="utf-8", errors="replace"))


def seals() -> dict[str, str]:
    """{PART_words/naive.hpp: seal}"""
    return dict(json.loads(SEALS.read_text(encoding="utf-8")))


def seals_of_tree(root: Path) -> dict[str, str]:
    return {
        f"{file.parent.name}/{file.name}": seal_of_file(file)
        for name in GIVEN
        for file in sorted(root.glob(f"part*_*/{name}"))
    }


def is_given_mine(folder: Path, text: str) -> bool:
    """Whether a student's version is the code of mine.hpp (mine.cuh) as handed out in this part's folder."""
    given = seals()
    return seal_of(text) in [
        given.get(f"{folder.name}/mine{ending}") for ending in (".hpp", ".cuh")
    ]


def what_is_edited(root: Path, part: str) -> str:
    """One line about a naive.hpp that is not the file that was handed out, with the way back; else ''."""
    given = seals()
    for file in sorted(root.glob(f"{part}_*/naive.*")):
        name = f"{file.parent.name}/{file.name}"
        if name in given and seal_of_file(file) != given[name]:
            is_handout = (root / COPIES / name).is_file()
            back = f"cp {COPIES}{name} {name}" if is_handout else f"git checkout {name}"
            return f"{name} is not the file that was handed out: {back} brings it back"
    return ""


def warn_if_edited(root: Path, part: str) -> None:
    if line := what_is_edited(root, part):
        say(line)


def demand_baseline(root: Path, part: str) -> None:
    """Stops before anything is compared with an edited naive.hpp."""
    if line := what_is_edited(root, part):
        raise LabError(line)


if __name__ == "__main__":
    write_text(SEALS, json.dumps(seals_of_tree(ROOT), indent=1, sort_keys=True) + "\n")
