"""Remembers the files that a class was scored with."""

from pathlib import Path

from grade.kept import list_of
from messages import say
from notebook_file import shown

FILES = ("rubric", "manual", "late", "moodle", "earlier")  # options that OUT remembers


def as_before(out, options):
    """Fills in options left out with the files of the last run, so that a forgotten option loses no manual points;
    `none` drops them. Returns what OUT should remember: {option: [file]}."""
    told = list_of(out).get("files", {})
    for name in FILES:
        given = getattr(options, name)
        words = given if isinstance(given, list) else [given] if given else []
        if not words and told.get(name):
            words = told[name]
            say(f"--{name} {' '.join(shown(Path(word)) for word in words)}, as before (--{name} none: without)")
        told[name] = [] if words == ["none"] else [str(Path(word).resolve()) for word in words]
        setattr(options, name, told[name] if isinstance(given, list) else "".join(told[name]))
    return told
