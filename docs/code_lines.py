"""Lines of code, for tables: without comments, docstrings, blank lines and lines of brackets alone.

code_lines("part3_cuda/naive.cuh")                    all of a file
code_lines("part3_cuda/naive.cuh:accelerations")      one function, class or kernel of it, with its first line
"""

import io
import re
import tokenize

from nbody_lab import ROOT

LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def without_comments_in_python(text):
    """Also drops docstrings, that is strings that stand alone."""
    lines = text.splitlines()
    kept = [""] * len(lines)
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        alone = token.type == tokenize.STRING and before in (
            tokenize.NEWLINE,
            tokenize.INDENT,
            tokenize.DEDENT,
        )
        if token.type not in LAYOUT and not alone:
            for number in range(token.start[0], min(token.end[0], len(lines)) + 1):
                kept[number - 1] = lines[number - 1]
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            before = token.type
    return kept


def is_code(line):
    return re.search(r"\w", line) is not None


def python_block(lines, name):
    start = next(
        (k for k, line in enumerate(lines) if re.match(rf"\s*(def|class) {name}\b", line)), None
    )
    if start is None:
        return None
    depth = len(lines[start]) - len(lines[start].lstrip())
    end = next(
        (
            k
            for k in range(start + 1, len(lines))
            if is_code(lines[k]) and len(lines[k]) - len(lines[k].lstrip()) <= depth
        ),
        len(lines),
    )
    return lines[start:end]


def braced_block(lines, name):
    """From the name to the closing bracket."""
    text = "\n".join(lines)
    head = re.search(rf"^[^\n=;]*\b{name}\b[^{{}}]*\{{", text, re.M)
    if not head:
        return None
    depth, end = 1, head.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return text[head.start() : end].splitlines()


def code_lines(where):
    path, _, name = where.partition(":")
    text = (ROOT / path).read_text(encoding="utf-8")
    python = path.endswith(".py")
    lines = without_comments_in_python(text) if python else COMMENT.sub("", text).splitlines()
    if name:
        lines = (python_block if python else braced_block)(lines, name)
    if lines is None:
        raise ValueError(f"{path} has no '{name}'")
    return sum(map(is_code, lines))
