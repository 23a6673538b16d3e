"""./lab runs this folder, so that no module of where it is called can stand in for one of Python's."""

import sys
from importlib.util import find_spec

from nbody_lab.cli import main

# Another Python may have taken the place of the one that they were installed for.
if not all(map(find_spec, ("filelock", "psutil", "pydantic", "rich", "typer"))):
    print(
        "lab: build/venv belongs to another Python: remove it (rm -r build/venv) and try again",
        file=sys.stderr,
    )
    sys.exit(2)

sys.exit(main(sys.argv[1:]))
