"""The files behind a page. A missing file is None; an unreadable one adds a line to `problems`."""

import json
from pathlib import Path

from nbody_lab.core.clean_text import clean
from nbody_lab.notebook.kept_results import seal_of

# The keys that a page requires in each kind of record; others appear as a dash if missing.
NEEDED = {
    "ceilings": ("machine", "ceilings"),
    "roofline": ("part", "points", "ceilings", "n", "machine", "where", "precision", "threads"),
    "bound": ("name", "loop"),
    "verdict": ("name", "verdict"),
    "worksheet": ("lines",),
    "profile": ("name", "rows"),
}


class Sources:
    """The lab's root, and the problems with its files."""

    def __init__(self, root):
        self.root, self.problems = Path(root), []

    def shown(self, file):
        return str(Path(file).relative_to(self.root))

    def complain(self, file, reason):
        self.problems.append(f"{self.shown(file)}: {reason}")

    def record(self, file, what):
        """A JSON object of this kind, or None."""
        try:
            data = json.loads(Path(file).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as fault:
            self.complain(file, f"cannot be read ({fault})")
            return None
        if not isinstance(data, dict) or data.get("what") != what or data.get("version") != 1:
            self.complain(file, f"is not a {what} file of version 1")
            return None
        lacking = [name for name in NEEDED[what] if name not in data]
        if lacking:
            self.complain(file, f"lacks {', '.join(lacking)}")
            return None
        return clean(data)

    def records(self, folder, pattern, what):
        """All such records, sorted by name."""
        found = [
            self.record(file, what)
            for file in sorted((self.root / folder).glob(pattern))
            if not file.name.startswith(".")
        ]
        return [one for one in found if one]


# Does a stored record still match its source? Unknown for records of an older lab without a seal.


def is_gone(root, record):
    source = record.get("source")
    return bool(source) and not (root / source).is_file()


def with_age(root, record):
    """The record with `stale`: whether its source has changed since."""
    source = record.get("source")
    return {
        **record,
        "stale": bool(source) and seal_of(root / source) != record.get("source_sha256"),
    }


def still_there(root, records):
    """The records whose source still exists, with `stale`."""
    return [with_age(root, one) for one in records if not is_gone(root, one)]
