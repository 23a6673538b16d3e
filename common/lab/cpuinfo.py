"""Reads /proc/cpuinfo."""

from pathlib import Path


def fields(text=None):
    """{key: value} of the first processor; {} if the system has no such file. `text`: from another machine."""
    if text is None:
        try:
            text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return {}
    first = text.strip().split("\n\n")[0]
    return {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in first.splitlines())}
