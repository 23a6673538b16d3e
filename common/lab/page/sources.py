"""The files that a page is made of. What is not there is None; what cannot be read is a line of `problems`."""

import json
from pathlib import Path

from clean_text import clean


# What a page cannot do without, of each kind of record; what else is missing shows as a dash.
NEEDED = {"ceilings": ("machine", "ceilings"), "roofline": ("part", "points", "ceilings", "n", "machine", "where", "precision", "threads"),
          "bound": ("name", "loop"), "verdict": ("name", "verdict"), "worksheet": ("lines",), "profile": ("name", "rows")}


class Sources:
    """The lab's root, and what went wrong with its files."""

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
            self.complain(file, f"holds no {what} of version 1")
            return None
        lacking = [name for name in NEEDED[what] if name not in data]
        if lacking:
            self.complain(file, f"lacks {', '.join(lacking)}")
            return None
        return clean(data)

    def records(self, folder, pattern, what):
        """All of them, by name."""
        found = [self.record(file, what) for file in sorted((self.root / folder).glob(pattern)) if not file.name.startswith(".")]
        return [one for one in found if one]
