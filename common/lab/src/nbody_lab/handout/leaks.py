"""Detects texts that give a solution away: by its file and class names, and by runs of its code.

Code is compared as tokens, so new file names, comments, blanks or line breaks do not hide it. Code that the given code
or a part's texts share with the solution is allowed.
"""

import re
from collections.abc import Mapping

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|->|::|\+\+|--|<<|>>|&&|\|\||[-+*/&|=<>!]=|\S")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_DIRECTIVE = re.compile(r"^\s*#.*$", re.M)
_CLASS = re.compile(r"^class (\w+)", re.M)
_CODE = (".hpp", ".cuh", ".h", ".cpp", ".cu", ".in")
# The given code with the bases of naive, and the texts of a part.
_GIVEN = re.compile(
    r"part\d\w*/((naive|mine|worksheet)\.(hpp|cuh)|(hints|README)\.md|questions\.py)"
    r"|docs/mistakes\.md|common/(simulator/(array_of_bodies|structure_of_arrays)|cuda/copied_bodies"
    r"|mpi/bodies_on_rank_0)\.(hpp|cuh)"
)
_RUN = 48  # tokens, three to five lines; textbook code such as a loop over a grid is shorter

Texts = Mapping[str, str]  # by path


def _runs_in(text: str) -> set[tuple[str, ...]]:
    words = _TOKEN.findall(_DIRECTIVE.sub("", _COMMENT.sub("", text)))
    return {tuple(words[k : k + _RUN]) for k in range(len(words) - _RUN + 1)}


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
    """One line for each file and kind of leak. `lab`: all that students get, of all parts."""
    given = {path: text for path, text in lab.items() if _GIVEN.fullmatch(path)}
    allowed = _runs_in("\n".join(given.values()))
    # A part's README and hints name no rung.
    naming = (text for path, text in given.items() if not path.endswith(("README.md", "hints.md")))
    known = set(re.findall(r"\w+", "\n".join(naming)))
    names: dict[str, str] = {}  # what only the solutions have, with the path of the solution
    code: dict[tuple[str, ...], str] = {}
    for path, text in solutions.items():
        if path.endswith(_CODE) and "_test." not in path:
            if not path.endswith("worksheet.hpp"):
                names.update((name, path) for name in _own_names(path, text, known))
            code.update((run, path) for run in _runs_in(text) - allowed)
    found = []
    for path, text in files.items():
        named = sorted(names.keys() & set(re.findall(r"\w+", text)))
        if named:
            found.append(f"{path} names {', '.join(named)} of {names[named[0]]}")
        copied = sorted({code[run] for run in _runs_in(text) & code.keys()})
        if copied:
            found.append(f"{path} has code of {', '.join(copied)}")
    return found
