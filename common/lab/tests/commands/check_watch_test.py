"""Does ./lab check --watch see every save, also during a check?"""

from nbody_lab import ROOT
from nbody_lab.commands import check


def test_each_save_is_checked(tmp_path, run_lab, monkeypatch):
    """The first check saves mine.hpp; the second a worksheet and a backup, which are not checked, then a header."""
    checked = []

    def run(words, check):
        checked.append(words)
        saved = {1: ["mine.hpp"], 2: ["worksheet.hpp", ".mine.hpp.swp", "sums.hpp"]}
        for name in saved.get(len(checked), []):
            (tmp_path / name).write_text("x")
        if len(checked) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(check.Lab, "folder", lambda _: tmp_path)
    monkeypatch.setattr(check.subprocess, "run", run)
    ended = run_lab("check", "part1", "mine", "-v", "--seed", "3", "--watch")
    assert checked == [[ROOT / "lab", "check", "part1", "mine", "-v", "--seed", "3"]] * 3
    assert ended.status == 130 and ended.error.count("checks again when you save") == 2
