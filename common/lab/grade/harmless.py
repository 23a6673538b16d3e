"""Shortens the output of students' programs and archives and removes terminal commands and text direction marks."""

import re

from clean_text import clean

LINE, LOG = 2000, 16000  # characters kept of a text, of a log
ESCAPES = re.compile("(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)?|\x1b[@-Z\\\\^_]")
LOGS = ("build_log", "log")


def cut(text, most):
    """The beginning, which shows the first error, and the end."""
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[:most - end]}\n[... {len(text) - most} characters left out here ...]\n{text[-end:]}"


def harmless(text, most=LINE):
    """Keeps line breaks; any other invisible character becomes a question mark."""
    lines = ESCAPES.sub("", cut(text, most)).replace("\r\n", "\n").replace("\r", "\n")
    return clean(lines.expandtabs(4))


def in_one_line(text, most=LINE):
    return " ".join(harmless(text, most).split())


def harmless_data(value, most=LINE):
    """The same data, made harmless; text under the names in LOGS may be longer."""
    if isinstance(value, str):
        return harmless(value, most)
    if isinstance(value, dict):
        return {harmless(str(key)): harmless_data(one, LOG if key in LOGS else most) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [harmless_data(one, most) for one in value]
    return clean(value)
