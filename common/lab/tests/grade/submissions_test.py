"""Who handed in what, under each platform's file names, and whose it is by its worksheets."""

import os
import re
import time

import pytest

from nbody_lab import ROOT
from nbody_lab.grade.models import HandedIn
from nbody_lab.grade.submissions import (
    MOST_READ,
    Submission,
    class_below,
    find_answer,
    find_submissions,
    identified,
    key_of,
    nearest_name,
    split_names,
)
from tests.grade.made_class.made_archives import write_files

CONTENTS = {"zip": b"PK\3\4 and so on", "gzip": b"\x1f\x8b and so on", "text": b"Rar!"}
ANNA, ANNA_FILE = "Anna Smith_12345_assignsubmission_file_", "Anna Smith_7_assignsubmission_file_"
# what: the files of a class, which are empty or hold what follows =
CLASSES = {
    "a folder of Moodle": [f"{ANNA}/lab.zip = zip"],
    "flat files of Moodle, of two students with one name": [
        f"{ANNA}lab.zip = zip",
        f"{ANNA_FILE}mine.hpp",
        f"{ANNA_FILE}worksheet.hpp",
    ],
    "text typed into Moodle is no file": [
        "Ben Kim_7_assignsubmission_onlinetext_/onlinetext.html",
        "Anna Smith_8_assignsubmission_onlinetext_onlinetext.html",
        "Anna Smith_8_assignsubmission_file_lab.zip = zip",
    ],
    "files of Canvas": [
        "smithanna_LATE_12345_67890_mine-1.hpp",
        "smithanna_LATE_12345_67891_worksheet.hpp",
        "kimben_54321_67892_lab-12.tar.gz = gzip",
    ],
    "two files of one name lie apart": [
        "smithanna_12345_67890_mine.hpp",
        "smithanna_12345_67891_mine-1.hpp",
    ],
    "plain folders and archives": [
        "smith_anna/part1_standard_opti/mine.hpp",
        "ben.tar.gz = gzip",
        "cleo.zip = zip",
        "group_1_2_lab.zip = zip",
    ],
    "content decides, not the name": ["ben.zip = gzip", "cleo.rar = text"],
    "names that begin with a dot": [".anna/mine.hpp", ".../mine.hpp", ".ben.zip = zip"],
    "what is no submission": [
        *(".DS_Store = text", "._anna.zip = zip", ".git/config", ".Trash-0/x", "__MACOSX/x"),
        *("README.txt = text", "late.csv = text", "rubric.json = text", "try.log = text"),
    ],
    "bytes that are no text": [os.fsdecode(b"m\xfcller.zip = zip")],
}


def find(folder, files):
    """{name: submission} of these files."""
    lines = [line.partition(" = ") for line in files]
    write_files(folder, {name: CONTENTS.get(content, b"") for name, _, content in lines})
    return {one.name: one for one in find_submissions(folder)}


NAMES = ["submission_bruno_costa", "submission_bruna_lima", "ada", "rita", "rita_v2"]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("bruno", "; did you mean submission_bruno_costa?"),
        ("Bruno Costa", "; did you mean submission_bruno_costa?"),
        ("brun", "; did you mean submission_bruno_costa or submission_bruna_lima?"),
        ("adda", "; did you mean ada?"),
        ("submission_brunocosta", "; did you mean submission_bruno_costa?"),
        ("a", ""),  # in all of them
        ("zoe", ""),
        ("?", ""),
    ],
)
def test_part_of_a_name_is_enough_to_be_told_the_whole(name, advice):
    assert nearest_name(name, NAMES) == advice


def test_who_handed_in_what(tmp_path_factory, match_table):
    match_table(CLASSES, lambda files: told(find(tmp_path_factory.mktemp("class"), files)))


def told(found):
    return "\n".join(
        f"{one.name}: {one.who.kind} {one.who.source!a}, {[inside for _, inside in one.files]!a}, "
        f"by {[*one.who.authors]} {one.who.student_id}{' late' * one.who.late}: {one.problem or 'taken'}"
        for one in found.values()
    )


def test_the_list_of_moodle_says_when(tmp_path):
    """A date in another language is not understood."""
    rows = [
        'Identifier,"Full name","Last modified (submission)"',
        'Participant 12345,"Anna Smith","Friday, 20 November 2026, 9:14 PM"',
        'Participant 7,Ben Kim,"vendredi 20 novembre"',
    ]
    (tmp_path / "Grades.csv").write_text("\n".join(rows), encoding="utf-8-sig")
    files = [f"{ANNA}/lab.zip = zip", "Ben Kim_7_assignsubmission_file_/lab.zip = zip"]
    anna, ben = find(tmp_path, files).values()
    assert re.fullmatch(r"2026-11-20T21:14:00[+-]\d\d:\d\d", anna.who.submitted)
    assert ben.who.submitted == ""


def test_names_are_ascii_and_each_once(tmp_path):
    people = ["José Núñez", "Jose Nunez", "Ørsted Weiß", "Ольга", "李", "-rf", "a" * 200]
    people += ["Con..", "$(id)", "=1+1"]
    names = list(find(tmp_path, [f"{name}/mine.hpp" for name in people]))
    assert len(names) == len(people)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9_]{0,70}", name) for name in names)
    assert "orsted_weiss" in names
    assert "jose_nunez" not in names  # there are two: neither gets the plain name


def test_links_are_not_followed(tmp_path):
    (tmp_path / "anna").symlink_to("/etc")
    (tmp_path / "ben").symlink_to("/nowhere")
    (tmp_path / "cleo").symlink_to("class of another year")
    found = find(tmp_path, ["class of another year/x"])
    assert [found[name].who.kind for name in ("anna", "ben", "cleo")] == ["broken"] * 3


MOODLE = [f"A B_{k}_assignsubmission_file_/lab.zip = zip" for k in (71, 72, 73)]
THREE = ["ada/part1/mine.hpp", "bo.zip = zip", "cy/lab/part1_standard_opti/mine.hpp"]
# what: the files of a folder, and the class that it holds
ABOVE = {
    "a class": (THREE, ""),
    "above a class": ([f"class/{one}" for one in THREE], "class: 3"),
    "beside the lab and its log": (
        [*(f"class/{one}" for one in MOODLE), "nbody_lab/part1/mine.hpp", "try.log = text"],
        "class: 3",
    ),
    "a class in which somebody handed in three archives": (
        [*THREE, "di/1.zip = zip", "di/2.zip = zip", "di/3.zip = zip"],
        "",
    ),
    "one tree with three parts": ([f"lab/part{k}/mine.hpp" for k in (1, 2, 3)], ""),
    "folders of notes": ([f"notes/{k}/a.txt" for k in range(9)], ""),
}


@pytest.mark.parametrize(("files", "told"), ABOVE.values(), ids=ABOVE)
def test_the_folder_above_a_class(tmp_path, files, told):
    find(tmp_path, files)
    below = class_below(tmp_path, find_submissions(tmp_path))
    assert (f"{below[0].name}: {below[1]}" if below else "") == told


# --- the authors ---


@pytest.mark.parametrize(
    "file", sorted(ROOT.glob("part*_*/worksheet.hpp")), ids=lambda file: file.parent.name
)
def test_the_worksheets_of_the_lab(file):
    text = file.read_text(encoding="utf-8")
    filled = text.replace('authors = ""', 'authors = "Ada Lovelace, Charles Babbage"')
    assert find_answer(text) == ""
    assert split_names(find_answer(filled)) == ["Ada Lovelace", "Charles Babbage"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('authors{"Ada"}', "Ada"),
        ('authors = {"Ada"}', "Ada"),
        ('authors = std::string("x")', ""),
        ('authors =\n "Ada " /* and */ "Byron"', "Ada Byron"),
        ('authors = R"(Ada "B")"', 'Ada "B"'),
        ('authors = "Jos\\u00e9 \\"J\\" \\x41"', 'José "J" A'),
        ('// authors = "No"\nauthors = "Ada"', "Ada"),
        ('/* authors = "No" */ authors = "Ada"', "Ada"),
        ('char c = \'"\'; authors = "Ada"; //"', "Ada"),
        ('"authors = " authors = "Ada"', "Ada"),
        ("authors = who()", ""),
        ('authors = "Ada', ""),
    ],
)
def test_spellings_of_cpp(text, answer):
    assert find_answer(text) == answer


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        (
            "Ada Lovelace and Ben;  Ada  LOVELACE , , José & 李小龙",
            ["Ada Lovelace", "Ben", "José", "李小龙"],
        ),
        ("Andy Sandler", ["Andy Sandler"]),
        ("=cmd|' /C calc'\x1b[31m\u202e", ["=cmd|'", "C calc'\\u001b[31m\\u202e"]),
        (",".join(f"name{k}" for k in range(99)), [f"name{k}" for k in range(10)]),
        ("---, !!!", []),
    ],
)
def test_separators_and_odd_names(answer, names):
    assert split_names(answer) == names


def test_one_person_however_written():
    assert len({key_of(one) for one in ("Anna Smith", "smith  anna", "SMITH Anná")}) == 1


@pytest.mark.parametrize(
    "text",
    [
        *('R"(' * MOST_READ, '"\\"' * MOST_READ, "/*" * MOST_READ, 'R"a(' * MOST_READ),
        *("authors" + " " * MOST_READ, "authors = " + '"" ' * MOST_READ),
        "authors = " + "{" * MOST_READ,
    ],
    ids=range(7),
)
def test_a_text_made_to_take_long(text):
    started = time.process_time()
    split_names(find_answer(text))
    split_names("a" + " " * 10**6 + "b")
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("told", "worksheets", "authors", "problem"),
    [
        (["Anna Smith"], ["Smith Anna, Ben Kim"], ["Smith Anna", "Ben Kim"], ""),
        (["Anna Smith"], ["Anna-Maria Smith"], ["Anna-Maria Smith"], ""),
        (["Anna Smith"], [""], ["Anna Smith"], ""),
        (["Participant"], ["Anna"], ["Anna"], ""),
        ([], [], [], ""),
        (["Anna Smith"], ["Ben Kim"], ["Ben Kim"], "handed in by Anna Smith, but .* names Ben Kim"),
        ([], ["Anna, Ben", "Ben, Cleo"], ["Anna", "Ben", "Cleo"], "different authors"),
    ],
)
def test_the_worksheet_comes_first(tmp_path, told, worksheets, authors, problem):
    files = {}
    for number, names in enumerate(worksheets):
        file = tmp_path / f"{number}.hpp"
        file.write_text(f'std::string authors = "{names}";', encoding="utf-8")
        files[f"part{number}/worksheet.hpp"] = file
    found, problems = identified(Submission(HandedIn(name="a", authors=told)), files)
    assert list(found.who.authors) == authors
    assert bool(problems) == bool(problem)
    assert re.search(problem, " ".join(problems))
