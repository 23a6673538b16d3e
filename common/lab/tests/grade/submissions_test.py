"""Who handed in what, under each platform's file names."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.grade.submissions import Submission, find_submissions

ZIP, GZIP = b"PK\3\4 and so on", b"\x1f\x8b and so on"
ANNA, ANNA_FILE = "Anna Smith_12345_assignsubmission_file_", "Anna Smith_7_assignsubmission_file_"


def find(folder: Path, handed_in: dict[str, bytes]) -> dict[str, Submission]:
    for name, content in handed_in.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        os.utime(file, (1_000_000_000, 1_000_000_000))
    return {one.name: one for one in find_submissions(folder)}


ROWS: list[tuple[str, dict[str, bytes], dict[str, dict[str, Any]]]] = [
    (
        "a folder of Moodle",
        {f"{ANNA}/lab.zip": ZIP},
        {
            "anna_smith": {
                "authors": ["Anna Smith"],
                "student_id": "12345",
                "kind": "folder",
                "source": ANNA,
                "submitted": "2001-09-09T01:46:40+00:00",
                "time_from": "date of the file",
            }
        },
    ),
    (
        "flat files of Moodle, of two students with one name",
        {
            f"{ANNA}lab.zip": ZIP,
            f"{ANNA_FILE}mine.hpp": b"",
            f"{ANNA_FILE}worksheet.hpp": b"",
        },
        {
            "anna_smith_12345": {"kind": "zip"},
            "anna_smith_7": {"inside": ["mine.hpp", "worksheet.hpp"]},
        },
    ),
    (
        "text typed into Moodle is no file",
        {
            "Ben Kim_7_assignsubmission_onlinetext_/onlinetext.html": b"",
            "Anna Smith_8_assignsubmission_onlinetext_onlinetext.html": b"",
            "Anna Smith_8_assignsubmission_file_lab.zip": ZIP,
        },
        {
            "ben_kim": {"kind": "broken", "problem": "only text was handed in, no file"},
            "anna_smith": {"kind": "zip"},
        },
    ),
    (
        "files of Canvas",
        {
            "smithanna_LATE_12345_67890_mine-1.hpp": b"",
            "smithanna_LATE_12345_67891_worksheet.hpp": b"",
            "kimben_54321_67892_lab-12.tar.gz": GZIP,
        },
        {
            "smithanna": {"inside": ["mine.hpp", "worksheet.hpp"], "late": True, "authors": []},
            "kimben": {"inside": ["lab.tar.gz"], "kind": "tar", "late": False},
        },
    ),
    (
        "two files of one name lie apart",
        {"smithanna_12345_67890_mine.hpp": b"", "smithanna_12345_67891_mine-1.hpp": b""},
        {"smithanna": {"inside": ["1/mine.hpp", "2/mine.hpp"]}},
    ),
    (
        "plain folders and archives",
        {
            "smith_anna/part1_standard_opti/mine.hpp": b"",
            "ben.tar.gz": GZIP,
            "cleo.zip": ZIP,
            "group_1_2_lab.zip": ZIP,
        },
        {
            "smith_anna": {"kind": "folder"},
            "ben": {"kind": "tar"},
            "cleo": {"kind": "zip"},
            "group_1_2_lab": {"kind": "zip", "student_id": ""},
        },
    ),
    (
        "content decides, not the name",
        {"ben.zip": GZIP, "cleo.rar": b"Rar!"},
        {
            "ben": {"kind": "tar"},
            "cleo": {
                "kind": "broken",
                "problem": "cleo.rar: neither a zip nor a tar(.gz): hand in one of these",
            },
        },
    ),
    (
        "names that begin with a dot",
        {".anna/mine.hpp": b"", ".../mine.hpp": b"", ".ben.zip": ZIP},
        {"anna": {"kind": "folder"}, "ben": {"kind": "zip"}, "student_ab5d": {"source": "..."}},
    ),
    (
        "what is no submission",
        dict.fromkeys(
            (
                *(".DS_Store", "._anna.zip", ".git/config", ".Trash-0/x", "__MACOSX/x"),
                *("README.txt", "late.csv", "rubric.json"),
            ),
            b"text",
        ),
        {},
    ),
    (
        "bytes that are no text",
        {os.fsdecode(b"m\xfcller.zip"): ZIP},
        {"m_ller": {"kind": "zip"}},
    ),
]


@pytest.mark.parametrize(
    ("handed_in", "wanted"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_who_handed_in_what(
    tmp_path: Path, handed_in: dict[str, bytes], wanted: dict[str, dict[str, Any]]
) -> None:
    found = find(tmp_path, handed_in)
    told = {
        name: {**one._asdict(), "inside": [inside for _, inside in one.files]}
        for name, one in found.items()
    }
    assert set(found) == set(wanted)
    for name, facts in wanted.items():
        assert {key: told[name][key] for key in facts} == facts


def test_the_list_of_moodle_says_when(tmp_path: Path) -> None:
    """A date in another language is not understood: the file's date counts."""
    rows = [
        'Identifier,"Full name","Last modified (submission)"',
        'Participant 12345,"Anna Smith","Friday, 20 November 2026, 9:14 PM"',
        'Participant 7,Ben Kim,"vendredi 20 novembre"',
    ]
    moodle = "Ben Kim_7_assignsubmission_file_/lab.zip"
    grades = ("\ufeff" + "\n".join(rows)).encode()
    found = find(tmp_path, {f"{ANNA}/lab.zip": ZIP, moodle: ZIP, "Grades.csv": grades})
    anna, ben = found["anna_smith"], found["ben_kim"]
    assert re.fullmatch(r"2026-11-20T21:14:00[+-]\d\d:\d\d", anna.submitted)
    assert (anna.time_from, ben.time_from) == ("Moodle's list", "date of the file")


def test_names_are_ascii_and_each_once(tmp_path: Path) -> None:
    people = ["José Núñez", "Jose Nunez", "Ørsted Weiß", "Ольга", "李", "-rf", "a" * 200]
    people += ["Con..", "$(id)", "=1+1"]
    names = list(find(tmp_path, {f"{name}/mine.hpp": b"" for name in people}))
    assert len(names) == len(people)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9_]{0,70}", name) for name in names)
    assert "orsted_weiss" in names
    assert "jose_nunez" not in names  # there are two: neither gets the plain name


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "anna").symlink_to("/etc")
    (tmp_path / "ben").symlink_to("/nowhere")
    (tmp_path / "cleo").symlink_to("class of another year")
    os.utime(tmp_path / "cleo", (1, 1), follow_symlinks=False)
    found = find(tmp_path, {"class of another year/x": b""})
    assert [found[name].kind for name in ("anna", "ben", "cleo")] == ["broken"] * 3
    assert found["cleo"].submitted == "1970-01-01T00:00:01+00:00"
