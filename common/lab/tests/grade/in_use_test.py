"""Two ./lab grade at once: in one folder the second is refused, on one machine it waits."""

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.grade import in_use
from nbody_lab.grade.in_use import alone_here, alone_in

THE_OTHER = "another ./lab grade (process 7, since 16:44)"


def test_a_folder_is_for_one_at_a_time(tmp_path, hold_folder):
    out = tmp_path / "grades"
    end = hold_folder(out)
    with pytest.raises(LabError) as refused, alone_in(out):
        pass
    assert str(refused.value).startswith(f"{THE_OTHER} works in ")
    assert str(refused.value).endswith("/grades: run this again once it has ended")
    (out / ".in_use").unlink()  # it has only begun
    with pytest.raises(LabError, match=r"^another \./lab grade works in"), alone_in(out):
        pass
    end()
    with alone_in(out):
        assert (out / ".in_use").read_text().startswith("process ")
    assert not (out / ".in_use").exists()


def test_measuring_waits_for_its_turn(tmp_path, hold_folder, monkeypatch):
    monkeypatch.setattr(in_use, "MEASURING", tmp_path)
    end, said = hold_folder(tmp_path), []

    def say(text):
        said.append(text)
        end()

    monkeypatch.setattr(in_use, "say", say)
    for _ in range(2):
        with alone_here():
            pass
    assert said == [f"{THE_OTHER} measures on this machine: waiting for it to end"]


def test_where_nothing_can_be_locked_grading_goes_on(tmp_path):
    (tmp_path / ".lock").mkdir()
    with alone_in(tmp_path):
        assert (tmp_path / ".in_use").exists()
