"""Builds the site for ./lab site. Runs in the virtual environment with MkDocs.

documents ROOT [--students]
"""

import logging
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import folders  # noqa: E402, F401
from messages import leave_words_to_caller, say  # noqa: E402

if __name__ == "__main__":
    leave_words_to_caller()  # before the slow imports
from build_site import build_site  # noqa: E402
from stage import is_students  # noqa: E402


def main(words):
    root = Path(words[0])
    students = "--students" in words or is_students(root)
    logging.basicConfig(format="lab: %(message)s")
    site = root / ("build/site_students" if "--students" in words else "build/site")
    if not build_site(root, root / "build/site_source", site, students):
        say("the site was not built: correct the errors above")
        return 1
    print(f"open in a browser: {site / 'index.html'}{' (the edition for students)' if students else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
