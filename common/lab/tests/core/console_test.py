"""Do tables have their colours where they are looked at, and nowhere else?"""

import io
import sys

import pytest

from nbody_lab.core.console import format_table, table_on_screen

COLUMNS, ROWS = ["program", "verdict"], [("a", "passed"), ("b", "FAILED 3 of 20"), ("right, b", "")]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def look_at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_verdicts_are_green_or_bold_red_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell that only begins with such a word is no verdict."""
    look_at_terminal(monkeypatch)
    text = table_on_screen(COLUMNS, ROWS)
    assert "\x1b[32mpassed" in text
    assert "\x1b[1;31mFAILED 3 of 20" in text
    assert text.splitlines()[-1].startswith("right, b")


def test_plain_where_colour_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """In text that is kept, with NO_COLOR, and in a pipe."""
    look_at_terminal(monkeypatch)
    assert "\x1b" not in format_table(COLUMNS, ROWS)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in table_on_screen(COLUMNS, ROWS)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert "\x1b" not in table_on_screen(COLUMNS, ROWS)
