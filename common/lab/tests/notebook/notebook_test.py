"""The notebook: notebook.csv, the table in NOTEBOOK.md, and what is kept for each row."""

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.notebook import notebook
from nbody_lab.notebook.columns import NAMES, number, row_from
from nbody_lab.notebook.file import in_quotes, shown
from nbody_lab.notebook.kept import free_number, keep_program, keep_source, kept_program
from nbody_lab.notebook.notebook import Notebook, load, save

KNOWN = {
    "date": "2026-11-21",
    "name": "mine",
    "idea": "an idea",
    "expected": "1.5",
    "measured": "1.43",
    "against": "naive",
    "times_naive": "2.1",
    "interactions_per_s": "3.8e+08",
    "spread": "0.04",
    "verdict": "as expected",
    "n": "2000",
    "threads": "2",
}
WRONG = {"verdict": "wrong: it is NaN", "measured": ""}


def line(number="1", **other):
    return row_from({**dict.fromkeys(NAMES, ""), "row": number, **KNOWN, **other})


def book_of(*lines):
    return Notebook(lines)


@pytest.fixture
def csv(tmp_path):
    """The CSV of a notebook with one row."""
    save(tmp_path, book_of(line()))
    return tmp_path / "notebook.csv"


@pytest.fixture
def markdown(csv):
    return csv.with_name("NOTEBOOK.md")


def refusal(function, *arguments):
    with pytest.raises(LabError) as caught:
        function(*arguments)
    return str(caught.value)


# --- the files -----------------------------------------------------------------------------------


def test_rows_come_back_as_written(tmp_path, snapshot):
    """Also numbers that are none, and bytes that are not UTF-8."""
    assert load(tmp_path) == Notebook() and list(tmp_path.iterdir()) == []
    unmeasured = dict.fromkeys(("measured", "times_naive", "interactions_per_s", "spread"), "")
    book = book_of(
        line(idea='a "quoted", w\u00f6rd | x'),
        line("2", measured="1.9", estimated="yes"),
        line("3", **unmeasured),
        line("4", **WRONG, expected="fast", threads="", n="many", name="w\udcf6rds"),
    )
    (tmp_path / "NOTEBOOK.md").write_text("# Mine\n\nmy words\n")
    save(tmp_path, book)
    assert load(tmp_path) == book
    assert sorted(file.name for file in tmp_path.iterdir()) == ["NOTEBOOK.md", "notebook.csv"]
    first_line = (tmp_path / "notebook.csv").read_bytes().partition(b"\n")[0]
    assert first_line.decode() == ",".join(NAMES)
    assert (tmp_path / "NOTEBOOK.md").read_text(errors="replace") == snapshot
    first, _, third, fourth = load(tmp_path).rows
    numbers = {"row": 1, "measured": 1.43, "interactions_per_s": 3.8e8, "n": 2000, "lower": None}
    assert first.model_dump(include=set(numbers)) == numbers
    assert (third.is_right, fourth.is_right, fourth.n) == (False, False, None)
    assert [row.row for row in notebook.right_rows(tmp_path)] == [1, 2]


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        (
            "row,date",
            "date",
            "notebook.csv:1: its columns must be those that ./lab try wrote; look at: row",
        ),
        (",", ";", "notebook.csv:1: its columns must be"),
        ("source", "source,why", "look at: why"),
        ("\n1,", "\n2,3\n1,", "notebook.csv:2: it has 2 cells, but there are 22 columns: correct"),
        ("\n1,", '\n"1,', "notebook.csv:2: unexpected end of data: correct the line"),
    ],
)
def test_a_malformed_csv_is_refused_with_its_line(csv, old, new, complaint):
    csv.write_text(csv.read_text().replace(old, new))
    assert complaint in refusal(load, csv.parent)


def test_a_csv_from_a_spreadsheet_is_read(csv):
    csv.write_text("\ufeff" + csv.read_text().replace("\n", "\r\n") + "\r\n")
    assert load(csv.parent).rows == (line(),)


@pytest.mark.parametrize("stored", [True, False])
def test_both_files_are_written_or_neither(csv, markdown, monkeypatch, stored):
    before = csv.read_bytes(), markdown.read_bytes()
    if not stored:
        csv.unlink()
    write = notebook.write_text

    def full_disk(file, text):
        if file == markdown:
            raise LabError("no space left")
        write(file, text)

    monkeypatch.setattr(notebook, "write_text", full_disk)
    assert refusal(save, csv.parent, book_of(line(), line("2"))) == "no space left"
    assert markdown.read_bytes() == before[1]
    assert (csv.read_bytes() if csv.exists() else None) == (before[0] if stored else None)


@pytest.mark.parametrize("name", ["NOTEBOOK.md", "notebook.csv"])
def test_files_that_must_not_be_replaced_are_refused(tmp_path, name):
    file = tmp_path / name
    file.symlink_to("elsewhere")
    assert f"{name}: is a symbolic link" in refusal(load, tmp_path)
    file.unlink()
    file.mkdir()
    assert "is not a file" in refusal(load, tmp_path)
    file.rmdir()
    file.write_text("words")
    file.chmod(0o400)
    assert "is read-only: chmod u+w" in refusal(load, tmp_path)


def test_names_in_messages_are_readable():
    """Letters of any language stay; what would confuse a terminal does not."""
    assert in_quotes("J\u00fcrgen \x1b[2J") == "'J\u00fcrgen \\u001b[2J'"
    assert in_quotes("\u00fc" * 31) == f"'{'ü' * 30}'..."
    assert "\x1b" not in shown("a\x1b") and "\udcf6" not in shown("a\udcf6")


def test_a_row_deleted_from_the_csv_is_gone(csv, markdown):
    save(csv.parent, book_of(line(), line("2")))
    titles, _, second = csv.read_text().splitlines(True)
    csv.write_text(titles + second)
    save(csv.parent, load(csv.parent).with_row(line("3")))
    assert [cells[:3] for cells in markdown.read_text().split("\n| ")[2:]] == ["2 |", "3 |"]


@pytest.mark.parametrize("file", sorted(ROOT.glob("part*_*/NOTEBOOK.md")), ids=str)
def test_the_notebooks_of_the_parts_are_as_the_lab_writes_them(file):
    text, book = file.read_text(encoding="utf-8"), load(file.parent)
    assert book.rows or notebook.markdown_text(text, book) == text


# --- which row -----------------------------------------------------------------------------------

OTHER = line("2", name="mine_third")


@pytest.mark.parametrize(
    "lines, name, wanted",
    [
        ([], "mine", None),
        ([line(), line("2", **WRONG), line("3", times_naive="")], "mine", 1),
        ([line("2", **WRONG), line("4")], "mine", 4),
        ([line("2", **WRONG)], "mine", None),
        ([line(), OTHER], "mine", 1),
        ([line(), OTHER], "mine_new", 2),
        ([line(), line("x")], "mine", 1),  # a row without a number cannot be named
        ([line(), line("2", times_naive="fast")], "mine", 1),
    ],
)
def test_the_row_before_is_the_last_right_one_of_the_same_name_if_there_is_one(lines, name, wanted):
    found = book_of(*lines).latest(name)
    assert (found and found.row) == wanted


def test_any_right_row_may_be_asked_for():
    book = book_of(line(), OTHER, line("3", **WRONG), line("4"))
    assert [book.find(wanted).row for wanted in ("1", "mine", "mine_third")] == [1, 4, 2]
    assert book.find("naive") is None
    near = {"naiv": "; did you mean naive?", "mine_thrid": "; did you mean mine_third?"}
    for wanted in ("3", "5", "", *near):
        assert refusal(book.find, wanted) == (
            f"--against '{wanted}': the notebook has no right row with that number or name"
            f"{near.get(wanted, '')}"
        )


def test_numbers_go_on_from_the_largest():
    assert Notebook().next_number() == 1
    assert book_of(line("7"), line("3"), line("x")).next_number() == 8
    assert book_of(line("9" * 20)).next_number() == 1_000_001


@pytest.mark.parametrize(
    "text, value",
    [("0", 0), ("3e8", 3e8), *((text, None) for text in ("", "-", "-1", "nan", "inf", "1.5 x"))],
)
def test_numbers_in_cells(text, value):
    assert number(text) == value


# --- what is kept --------------------------------------------------------------------------------


def test_no_source_is_ever_replaced(tmp_path):
    (tmp_path / "notebook").mkdir()
    for name in ("notes.txt", "004_mine.hpp", "002_mine.hpp", "99999999999_x.hpp"):
        (tmp_path / "notebook" / name).touch()
    assert [free_number(tmp_path, first) for first in (3, 9)] == [5, 9]


def test_a_kept_source_says_what_was_measured(tmp_path):
    source = tmp_path / "mine.cuh"
    source.write_bytes(b"// w\xf6rds\r\n")
    assert keep_source(tmp_path, line("3"), source, "the conditions") == "notebook/003_mine.cuh"
    assert (tmp_path / "notebook/003_mine.cuh").read_bytes() == (
        b"// Row 3, 2026-11-21: the conditions\n// w\xf6rds\r\n"
    )


def test_a_kept_program_belongs_to_its_row(tmp_path):
    programs, program, row = tmp_path / "below/part1", tmp_path / "program", line("3")
    assert kept_program(programs, row) is None
    program.write_text("first")
    program.chmod(0o755)
    keep_program(programs, row, program)
    program.write_text("second")
    kept = kept_program(programs, row)
    assert kept.read_text() == "first" and kept.stat().st_mode & 0o100
    assert kept_program(programs, line("4")) is None and kept_program(programs, None) is None
    for name in ("../../program", "mine mine"):
        keep_program(programs, line("4", name=name), program)
        assert kept_program(programs, line("4", name=name)) is None
    assert [file.name for file in programs.iterdir()] == ["3_2026-11-21_mine"]
