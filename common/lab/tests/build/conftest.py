from pathlib import Path

import pytest

from tests.build.small_tree import SmallTree


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    return SmallTree(tmp_path)
