"""Fits printed text to the screen."""

import textwrap

SCREEN = 100  # columns


def wrapped(text: str, indent: str = "", width: int = SCREEN) -> list[str]:
    """Lines that fit; all but the first begin with `indent`."""
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
