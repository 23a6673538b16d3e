"""Detects texts that give a solution away: by its file and class names that nothing given to students has."""

import re
from collections.abc import Mapping

_CLASS = re.compile(r"^class (\w+)", re.M)
_CODE = (".hpp", ".cuh", ".h", ".cpp", ".cu", ".in")
# The given code with the bases of naive, and the texts of a part.
_GIVEN = re.compile(
    r"part\d\w*/((naive|mine|worksheet)\.(hpp|cuh)|(hints|README)\.md|questions\.py)"
    r"|docs/mistakes\.md|common/(simulator/(array_of_bodies|structure_of_arrays)|cuda/copied_bodies"
    r"|mpi/bodies_on_rank_0)\.(hpp|cuh)"
)

Texts = Mapping[str, str]  # by path


def _own_names(path: str, text: str, known: set[str]) -> list[str]:
    """Names that only the solution uses: its file and its classes. Those of one word (fused, tiles) are common terms of
    the field."""
    stem = re.sub(r"^\d\d_", "", path.rsplit("/", 1)[-1].rsplit(".", 1)[0])  # of a rung
    found = []
    for name in (stem, *_CLASS.findall(text)):
        snake = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()  # ThirdLaw -> third_law
        if "_" in snake and not known.intersection((name, snake)):
            found.append(name)
    return found


def find_leaks(solutions: Texts, files: Texts, lab: Texts) -> list[str]:
    """One line for each file. `lab`: all that students get, of all parts."""
    given = "\n".join(text for path, text in lab.items() if _GIVEN.fullmatch(path))
    known = set(re.findall(r"\w+", given))
    names = {  # what only the solutions have, with the path of the solution
        name: path
        for path, text in solutions.items()
        if path.endswith(_CODE) and not path.endswith("worksheet.hpp") and "_test." not in path
        for name in _own_names(path, text, known)
    }
    found = []
    for path, text in files.items():
        if named := sorted(names.keys() & set(re.findall(r"\w+", text))):
            found.append(f"{path} names {', '.join(named)} of {names[named[0]]}")
    return found
