"""Is the output of students' programs shortened, free of terminal commands, and complete around what is removed?"""

import time

import pytest

from nbody_lab.core.clean_text import LOG, harmless


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31;1mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;file:\x1b\\link", "link"),
        ("\x9b2Jgone", "gone"),
        ("a\x08b\x00\u202e\ud800", "a?b???"),
        ("a\r\nb\rc\tx", "a\nb\nc   x"),
        ("Зоя, 李, عمر, é", "Зоя, 李, عمر, é"),
        ("\x1b]0;hidden\nerror: here", "\nerror: here"),  # it hides no other line
    ],
)
def test_escapes_are_gone(text, shown):
    assert harmless(text) == shown


def test_a_long_text_is_shortened_in_no_time():
    """Its beginning and its end stay."""
    start = time.monotonic()
    for text in ("\x1b]" * 10**6, "\x1b[" + "0" * 10**6, "\x1b[0;" * 10**6):
        harmless(text, 10**6)
    text = harmless("first" + "x" * 10**7 + "last", LOG)
    assert (text[:6], text[-5:], len(text) < LOG + 100) == ("firstx", "xlast", True)
    assert f"[... {10**7 + 9 - LOG} characters left out here ...]" in text
    assert time.monotonic() - start < 10
