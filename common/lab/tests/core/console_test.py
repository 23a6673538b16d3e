"""Do tables have their colours on a terminal, and nowhere else?"""

import io
import sys

import pytest

from nbody_lab.core.console import format_table


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stdout", "no_color", "coloured"),
    [(Terminal, False, True), (Terminal, True, False), (io.StringIO, False, False)],
)
def test_verdicts_are_green_or_bold_red_on_a_terminal(
    stdout: type[io.StringIO], no_color: bool, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell that only begins with such a word is no verdict."""
    monkeypatch.setattr(sys, "stdout", stdout())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    rows = [("a", "passed"), ("b", "FAILED 3 of 20"), ("right, b", "")]
    text = format_table(["program", "verdict"], rows)
    assert ("\x1b[32mpassed" in text) == ("\x1b[1;31mFAILED 3 of 20" in text) == coloured
    assert ("\x1b[3" in text) == coloured
    assert text.splitlines()[-1] == "right, b"
