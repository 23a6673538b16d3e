"""Is the output of students' programs shortened, free of terminal commands, and complete around what is removed?"""

import time

import pytest

from nbody_lab.core.clean_text import LOG, harmless, in_one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31;1mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;file:\x1b\\link", "link"),
        ("\x9b2Jgone", "gone"),
        ("a\x08b\x00", "a?b?"),
        ("\u202eexe.txt", "?exe.txt"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\tx", "    x"),
        ("Зоя, 李, عمر, é", "Зоя, 李, عمر, é"),
        ("\ud800", "?"),
        ("\x1b]0;hidden\nerror: here", "\nerror: here"),  # it hides no other line
    ],
)
def test_escapes_are_gone(text, shown):
    assert harmless(text) == shown


def test_beginning_and_end_stay():
    text = harmless("first" + "x" * 10**7 + "last", LOG)
    assert (text[:6], text[-5:]) == ("firstx", "xlast")
    assert f"[... {10**7 + 9 - LOG} characters left out here ...]" in text
    assert len(text) < LOG + 100


def test_it_takes_no_time():
    start = time.monotonic()
    for text in ("\x1b]" * 10**6, "\x1b[" + "0" * 10**6, "\x1b[0;" * 10**6):
        harmless(text, 10**6)
    assert time.monotonic() - start < 10


def test_one_line():
    assert in_one_line(" a\n\n b\t c ") == "a b c"
