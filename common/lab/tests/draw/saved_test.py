"""The files that pictures are saved in."""

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.draw.bench import ladder
from nbody_lab.draw.sheet import save
from tests.draw.made import bench, row


def test_nothing_is_overwritten(tmp_path):
    def draw(rate):
        return [path.name for path in save([ladder(bench(row(), row("mine", rate)))], tmp_path)]

    assert [draw(2e9), draw(3e9), draw(2e9)] == [["ladder"], ["ladder-2"], ["ladder"]]


def test_a_folder_that_cannot_be_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match=r"\A[^\n]*\Z"):
        save([ladder(bench(row()))], tmp_path / "file")
