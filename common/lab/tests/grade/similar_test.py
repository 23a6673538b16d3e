"""What is said of two who handed in the same."""

import pytest

from nbody_lab import ROOT
from nbody_lab.grade.similar import find_similar
from tests.grade.made_class.made_archives import write_files
from tests.grade.scored_for_tests import P1

GIVEN = (ROOT / P1 / "mine.hpp").read_text()
OWN = GIVEN.replace("dx", "my_dx") + "float own;\n"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("// my own work\n" + OWN.replace("my_dx", "MY_DX").replace("\n", "\r\n\n"), True),
        (OWN.replace("own", "distance"), False),
        (OWN + "/* " * 100_000, True),
    ],
)
def test_the_same_source_twice(tmp_path, other, same):
    """What was given is nobody's."""
    files = {f"taken/ada/{P1}/mine.hpp": OWN, f"taken/bo/{P1}/mine_b.hpp": other}
    files |= {f"taken/{name}/{P1}/mine_c.hpp": GIVEN for name in ("ada", "bo")}
    write_files(tmp_path, files)
    flags = {"ada": [f"{P1}/mine.hpp is a file of bo, too"]}
    flags |= {"bo": [f"{P1}/mine_b.hpp is a file of ada, too"]}
    assert find_similar(tmp_path, ["ada", "bo"]) == (flags if same else {})
