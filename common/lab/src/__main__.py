"""./lab runs this folder, so that no module of where it is called can stand in for one of Python's."""

import sys

from nbody_lab.cli import main

sys.exit(main(sys.argv[1:]))
