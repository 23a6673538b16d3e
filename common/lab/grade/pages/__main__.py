"""Writes the pages of a graded class. Runs in the virtual environment with matplotlib and jinja2.

pages OUT
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LAB = HERE.parents[1]
sys.path.insert(0, str(LAB))
import folders  # noqa: E402, F401
from messages import leave_words_to_caller  # noqa: E402

if __name__ == "__main__":
    leave_words_to_caller()  # before the slow imports
from notebook_file import InputError  # noqa: E402
from write_pages import write_pages  # noqa: E402


def main(words):
    try:
        file = write_pages(Path(words[0]))
    except InputError as fault:
        print(f"lab: {fault}", file=sys.stderr)
        return 2
    except OSError as fault:
        print(f"lab: {fault.filename or words[0]} cannot be written: {fault.strerror}", file=sys.stderr)
        return 2
    print(f"written: {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
