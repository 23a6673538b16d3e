"""Detects texts that give a solution away: by its file and class names, and by runs of its code.

Code is compared as tokens, so new file names, comments, blanks or line breaks do not hide it. Code that the given code
or a part's texts share with the solution is allowed.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|->|::|\+\+|--|<<|>>|&&|\|\||[-+*/&|=<>!]=|\S")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_DIRECTIVE = re.compile(r"^\s*#.*$", re.M)
_CLASS = re.compile(r"^class (\w+)", re.M)
_CODE = (".hpp", ".cuh", ".h", ".cpp", ".cu", ".in")
# The given code with the bases of naive, and the texts of a part.
GIVEN = re.compile(
    r"part\d\w*/((naive|mine|worksheet)\.(hpp|cuh)|(hints|README)\.md|questions\.json)"
    r"|docs/checking\.md|common/(simulator/(array_of_bodies|structure_of_arrays)|cuda/copied_bodies"
    r"|mpi/bodies_on_rank_0)\.(hpp|cuh)"
)
_RUN = 48  # tokens, three to five lines; textbook code such as a loop over a grid is shorter

Run = tuple[str, ...]
Texts = Mapping[str, str]  # by path


class Secrets(NamedTuple):
    """What only the solutions have, with the path of the solution."""

    names: dict[str, str]
    code: dict[Run, str]


def _runs_in(text: str) -> set[Run]:
    words = _TOKEN.findall(_DIRECTIVE.sub("", _COMMENT.sub("", text)))
    return {tuple(words[k : k + _RUN]) for k in range(len(words) - _RUN + 1)}


def _snake_case(name: str) -> str:
    """ThirdLaw -> third_law"""
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _names_of(path: str, text: str, known: set[str]) -> list[str]:
    """Names that only the solution uses: its file and its classes. Those of one word (fused, tiles) are common terms of
    the field."""
    stem = re.sub(r"^\d\d_", "", path.rsplit("/", 1)[-1].rsplit(".", 1)[0])  # of a rung
    names = [(name, _snake_case(name)) for name in (stem, *_CLASS.findall(text))]
    return [
        name for name, snake in names if "_" in snake and name not in known and snake not in known
    ]


def find_secrets(solutions: Texts, lab: Texts) -> Secrets:
    """`lab`: all that students get, of all parts."""
    given = "\n".join(text for path, text in lab.items() if GIVEN.fullmatch(path))
    allowed, known = _runs_in(given), set(re.findall(r"\w+", given))
    secrets = Secrets({}, {})
    for path, text in solutions.items():
        if not path.endswith(_CODE) or "_test." in path:
            continue
        if not path.endswith("worksheet.hpp"):
            secrets.names.update((name, path) for name in _names_of(path, text, known))
        secrets.code.update((run, path) for run in _runs_in(text) - allowed)
    return secrets


def find_leaks(solutions: Texts, files: Texts, lab: Texts) -> list[str]:
    """One line for each file and kind of leak."""
    names, code = find_secrets(solutions, lab)
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b")
    found = []
    for path, text in files.items():
        named = sorted(set(pattern.findall(text))) if names else []
        copied = sorted({code[run] for run in _runs_in(text) & code.keys()})
        if named:
            found.append(f"{path} names {', '.join(named)} of {names[named[0]]}")
        if copied:
            found.append(f"{path} has code of {', '.join(copied)}")
    return found
