"""./lab runs this folder, so that no module of where it is called can stand in for one of Python's."""

import sys

from nbody_lab.cli import main
from nbody_lab.core.packages import has

if not has(
    "filelock", "psutil", "pydantic", "rich", "typer"
):  # another Python took the place of the one that they were installed for
    print(
        "lab: build/venv belongs to another Python: remove it (rm -r build/venv) and try again",
        file=sys.stderr,
    )
    sys.exit(2)

sys.exit(main(sys.argv[1:]))
