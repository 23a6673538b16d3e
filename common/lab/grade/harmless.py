"""What a student's program or archive says, cut and without what commands a terminal or turns the direction of reading."""

import re

from clean_text import clean

LINE, LOG = 2000, 16000  # letters that are kept of a text, of a log
ESCAPES = re.compile("(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)?|\x1b[@-Z\\\\^_]")
LOGS = ("build_log", "log")


def cut(text, most):
    """Its beginning, which tells what went wrong first, and its end."""
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[:most - end]}\n[... {len(text) - most} characters left out here ...]\n{text[-end:]}"


def harmless(text, most=LINE):
    """Lines stay lines; whatever else cannot be seen is a question mark."""
    lines = ESCAPES.sub("", cut(text, most)).replace("\r\n", "\n").replace("\r", "\n")
    return clean(lines.expandtabs(4))


def in_one_line(text, most=LINE):
    return " ".join(harmless(text, most).split())


def harmless_data(value, most=LINE):
    """The same data; text under the names of LOGS may be longer."""
    if isinstance(value, str):
        return harmless(value, most)
    if isinstance(value, dict):
        return {harmless(str(key)): harmless_data(one, LOG if key in LOGS else most) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [harmless_data(one, most) for one in value]
    return clean(value)
