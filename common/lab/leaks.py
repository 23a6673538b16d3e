"""Does a text give a solution away? By names of its files and classes, and by runs of its code.

Code is compared as tokens, so other names of files, comments, blanks and line breaks do not hide it. What the given
code and the texts of a part share with its solution, it may share.
"""

import re

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|->|::|\+\+|--|<<|>>|&&|\|\||[-+*/&|=<>!]=|\S")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
DIRECTIVE = re.compile(r"^\s*#.*$", re.M)
CLASS = re.compile(r"^class (\w+)", re.M)
CODE = (".hpp", ".cuh", ".h", ".cpp", ".cu", ".in")
GIVEN = re.compile(r"part\d\w*/((naive|mine|worksheet)\.(hpp|cuh)|(hints|README)\.md|questions\.json|studies\.json)")
RUN = 40  # tokens, about three lines: loops and sums of the given kind are shorter


def tokens(text):
    return TOKEN.findall(DIRECTIVE.sub("", COMMENT.sub("", text)))


def runs(text, length=RUN):
    words = tokens(text)
    return {tuple(words[k:k + length]) for k in range(len(words) - length + 1)}


def is_telling(name):
    """Names of one plain word (fused, tiles) are the field's; two words are somebody's."""
    return "_" in name


def names_of(path, text):
    """What only the solution is called: its file, and the classes in it."""
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    classes = [name for name in CLASS.findall(text) if re.search("[a-z][A-Z0-9]", name)]
    return {*classes, *([f"{stem}.{path.rsplit('.', 1)[-1]}", stem] if is_telling(stem) else [])}


def secrets_of(solutions, files):
    """({name: solution}, {run of tokens: solution}). Both are {path: text}, of the solutions and of what is handed out."""
    given = "\n".join(text for path, text in files.items() if GIVEN.fullmatch(path))
    allowed, names, code = runs(given), {}, {}
    for path, text in solutions.items():
        if not path.endswith(CODE) or "_test." in path:
            continue
        if not path.endswith("worksheet.hpp"):
            names.update((name, path) for name in names_of(path, text) if not re.search(rf"\b{re.escape(name)}\b", given))
        code.update((run, path) for run in runs(text) - allowed)
    return names, code


def leaks(solutions, files):
    """One line for each file that gives something away."""
    names, code = secrets_of(solutions, files)
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")\b") if names else None
    found = []
    for path, text in files.items():
        named = sorted(set(pattern.findall(text))) if pattern else []
        copied = sorted({code[run] for run in runs(text) & code.keys()})
        if named:
            found.append(f"{path} names {', '.join(named)} of {names[named[0]]}")
        if copied:
            found.append(f"{path} has code of {', '.join(copied)}")
    return found
