"""Do tables have their colours on a terminal, and nowhere else?"""

import io
import sys

import pytest

from nbody_lab.core.console import format_table


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stdout", "no_color"), [(Terminal, None), (Terminal, "1"), (io.StringIO, None)]
)
def test_verdicts_are_green_or_bold_red_on_a_terminal(
    stdout: type[io.StringIO], no_color: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell that only begins with such a word is no verdict."""
    monkeypatch.setattr(sys, "stdout", stdout())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color:
        monkeypatch.setenv("NO_COLOR", no_color)
    text = format_table(["verdict"], [("passed",), ("FAILED 3 of 20",), ("right, b",)])
    found = [mark in text for mark in ("\x1b[32mpassed", "\x1b[1;31mFAILED 3 of 20", "\x1b[3")]
    assert found == [stdout is Terminal and not no_color] * 3
    assert text.splitlines()[-1] == "right, b"
