"""Detects texts that give a solution away: by its file and class names, and by runs of its code.

Code is compared as tokens, so new file names, comments, blanks or line breaks do not hide it. Code that the given code
or a part's texts share with the solution is allowed.
"""

import re

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|->|::|\+\+|--|<<|>>|&&|\|\||[-+*/&|=<>!]=|\S")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
DIRECTIVE = re.compile(r"^\s*#.*$", re.M)
CLASS = re.compile(r"^class (\w+)", re.M)
CODE = (".hpp", ".cuh", ".h", ".cpp", ".cu", ".in")
GIVEN = re.compile(
    r"part\d\w*/((naive|mine|worksheet)\.(hpp|cuh)|(hints|README)\.md|questions\.json|studies\.json)|docs/checking\.md|"
    r"common/(simulator/(array_of_bodies|structure_of_arrays)|cuda/copied_bodies|mpi/bodies_on_rank_0)\.(hpp|cuh)"
)  # bases of naive
WORDS_OF_ALL = ("fast_math",)  # the compiler's
RUN = 48  # tokens, three to five lines; textbook code such as a loop over a grid is shorter


def tokens(text):
    return TOKEN.findall(DIRECTIVE.sub("", COMMENT.sub("", text)))


def runs(text, length=RUN):
    words = tokens(text)
    return {tuple(words[k : k + length]) for k in range(len(words) - length + 1)}


def is_telling(name):
    """Whether a name has two words. Names of one plain word (fused, tiles) are common terms of the field."""
    return "_" in name


def snake_case(name):
    """ThirdLaw -> third_law"""
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def names_of(path, text, known):
    """Names that only the solution uses: its file and its classes, except words in `known`."""
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    names = [name for name in (stem, *CLASS.findall(text)) if is_telling(snake_case(name))]
    return [name for name in names if snake_case(name) not in known and name not in known]


def secrets_of(solutions, lab):
    """({name: solution}, {run of tokens: solution}). Both arguments are {path: text}: the solutions, and the lab with all
    parts."""
    given = "\n".join(text for path, text in lab.items() if GIVEN.fullmatch(path))
    allowed, known, names, code = runs(given), {*re.findall(r"\w+", given), *WORDS_OF_ALL}, {}, {}
    for path, text in solutions.items():
        if not path.endswith(CODE) or "_test." in path:
            continue
        if not path.endswith("worksheet.hpp"):
            names.update((name, path) for name in names_of(path, text, known))
        code.update((run, path) for run in runs(text) - allowed)
    return names, code


def leaks(solutions, files, lab):
    """One line for each file and kind of leak."""
    names, code = secrets_of(solutions, lab)
    pattern = (
        re.compile(r"\b(" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")\b")
        if names
        else None
    )
    found = []
    for path, text in files.items():
        named = sorted(set(pattern.findall(text))) if pattern else []
        copied = sorted({code[run] for run in runs(text) & code.keys()})
        if named:
            found.append(f"{path} names {', '.join(named)} of {names[named[0]]}")
        if copied:
            found.append(f"{path} has code of {', '.join(copied)}")
    return found
