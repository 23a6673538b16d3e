"""Files are written as a whole or not at all."""

import os
from unittest import mock

import pytest

from nbody_lab.core.whole_file import write_text


@pytest.fixture
def file(tmp_path):
    return tmp_path / "new folder/a.txt"


def test_it_is_there_with_its_folder_and_nothing_else(file):
    write_text(file, "w\udcf6rds\n")
    assert file.read_bytes() == b"w\xf6rds\n"
    assert os.listdir(file.parent) == ["a.txt"]


def test_what_fails_leaves_the_old_one_and_nothing_else(file):
    write_text(file, "old")
    full = OSError(28, "No space left on device")
    with mock.patch("os.replace", side_effect=full), pytest.raises(OSError):
        write_text(file, "new")
    assert file.read_text() == "old"
    assert os.listdir(file.parent) == ["a.txt"]


def test_a_mode_is_kept_and_a_link_stays_a_link(file, tmp_path):
    write_text(file, "old")
    file.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(file)
    write_text(link, "new")
    assert (link.is_symlink(), file.read_text()) == (True, "new")
    assert file.stat().st_mode & 0o777 == 0o600
    assert os.listdir(file.parent) == ["a.txt"]
