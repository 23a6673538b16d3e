import pytest

from tests.explain.small_tree import SmallTree


@pytest.fixture
def tree(tmp_path):
    return SmallTree(tmp_path)
