"""What the words of a command mean."""

import difflib
import textwrap

SCREEN = 100  # columns


def nearest(word, words):
    """' Did you mean ...?', or nothing."""
    close = difflib.get_close_matches(word, words, 1, 0.7)
    return f"; did you mean {close[0]}?" if close else ""


def wrapped(text, indent):
    """Lines that fit the screen; `indent` is in front of all but the first."""
    return textwrap.wrap(text, SCREEN, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def plain_name(word):
    """mine, mine.hpp or mine.cuh."""
    return word[:-4] if word.endswith((".hpp", ".cuh")) else word


def asks_for_double(options):
    return any("double" in word and (word.startswith("--precision=") or before == "--precision")
               for before, word in zip(["", *options], options))
