"""Is the output of students' programs shortened, free of terminal commands, and complete around what is removed?"""

import pytest

from nbody_lab.core.clean_text import harmless


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
