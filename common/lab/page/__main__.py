"""Writes the page of ./lab report. Runs in the virtual environment with matplotlib and jinja2.

page ROOT FILE PART...
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import folders  # noqa: E402, F401
from messages import leave_words_to_caller  # noqa: E402

if __name__ == "__main__":
    leave_words_to_caller()  # before the slow imports
from render import write_page  # noqa: E402


def name_from_here(file):
    file = file.resolve()
    return file.relative_to(Path.cwd()) if Path.cwd() in file.parents else file


def main(words):
    root, file, parts = Path(words[0]), Path(words[1]), words[2:]
    try:
        write_page(root, file, parts)
    except OSError as fault:
        print(f"lab: {file} cannot be written ({fault.strerror}): choose another place or make room", file=sys.stderr)
        return 2
    print(f"written: {name_from_here(file)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
