"""The notebook: notebook.csv, the table in NOTEBOOK.md, and what is kept for each row."""

import pytest

from nbody_lab import ROOT
from nbody_lab.notebook import notebook
from nbody_lab.notebook.columns import NAMES, Row, number
from nbody_lab.notebook.file import InputError, in_quotes, printable, shown
from nbody_lab.notebook.kept import free_number, keep_program, keep_source, kept_program
from nbody_lab.notebook.notebook import Line, Notebook, load, save

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
    return Line({**dict.fromkeys(NAMES, ""), "row": number, **KNOWN, **other})


def row(number="1", **other):
    return line(number, **other).row


def book_of(*lines, own=()):
    return Notebook(lines, own)


@pytest.fixture
def csv(tmp_path):
    """The CSV of a notebook with one row."""
    save(tmp_path, book_of(line()))
    return tmp_path / "notebook.csv"


@pytest.fixture
def markdown(csv):
    return csv.with_name("NOTEBOOK.md")


def refusal(folder):
    with pytest.raises(InputError) as caught:
        load(folder)
    return str(caught.value).replace(f"{shown(folder)}/", "")


# --- the file ------------------------------------------------------------------------------------


def test_rows_come_back_as_written(tmp_path):
    """Also numbers that are none, columns of the student's own, and bytes that are not UTF-8."""
    book = book_of(
        line("1", idea='a "quoted", w\u00f6rd | x', why="registers"),
        line("2", **WRONG, why="", expected="fast", name="w\udcf6rds"),
        own=("why",),
    )
    assert load(tmp_path) == Notebook()
    assert list(tmp_path.iterdir()) == []
    assert save(tmp_path, book) is None
    assert load(tmp_path) == book
    assert sorted(file.name for file in tmp_path.iterdir()) == ["NOTEBOOK.md", "notebook.csv"]
    first_line = (tmp_path / "notebook.csv").read_bytes().partition(b"\n")[0]
    assert first_line.decode() == ",".join([*NAMES, "why"])


def test_rows_for_other_commands_have_numbers_and_none_where_there_is_no_number(tmp_path):
    save(tmp_path, book_of(line(estimated="yes"), line("2", **WRONG, n="many")))
    first, second = load(tmp_path).rows
    numbers = {"row": 1, "measured": 1.43, "interactions_per_s": 3.8e8, "spread": 0.04, "n": 2000}
    assert first.model_dump(include=set(numbers)) == numbers
    assert (first.is_right, first.against, first.lower) == (True, "naive", None)
    assert (first.threads, first.estimated) == (2, "yes")
    assert (second.is_right, second.measured, second.n) == (False, None, None)
    (right,) = notebook.right_rows(tmp_path)
    assert (right.row, right.threads, right.expected) == (1, 2, 1.5)


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ("row,date", "date", "notebook.csv:1: the columns row are missing"),
        (",", ";", "notebook.csv:1: the columns row, date, name"),
        ("source", "source,why,why", "notebook.csv:1: two columns have the same name: rename one"),
        ("\n1,", "\n2,3\n1,", "notebook.csv:2: it has 2 cells, but there are 22 columns: correct"),
        ("\n1,", '\n"1,', "notebook.csv:2: unexpected end of data: correct the line"),
    ],
)
def test_a_malformed_csv_is_refused_with_its_line(csv, old, new, complaint):
    csv.write_text(csv.read_text().replace(old, new))
    assert refusal(csv.parent).startswith(complaint)


def test_a_csv_from_a_spreadsheet_is_read(csv):
    csv.write_text("\ufeff" + csv.read_text().replace("\n", "\r\n") + "\r\n")
    assert load(csv.parent).lines == (line(),)


def test_a_table_whose_csv_is_gone_is_refused(csv, markdown):
    """Nothing is lost: the rows stay in the table until their file is back."""
    csv.unlink()
    assert refusal(csv.parent) == (
        "NOTEBOOK.md: its table has rows, but notebook.csv beside it is missing: "
        "restore that file, or delete the rows"
    )


@pytest.mark.parametrize("stored", [True, False])
def test_both_files_are_written_or_neither(csv, markdown, monkeypatch, stored):
    before = csv.read_bytes(), markdown.read_bytes()
    if not stored:
        csv.unlink()
    write = notebook.write_text

    def full_disk(file, text):
        if file == markdown:
            raise InputError("no space left")
        write(file, text)

    monkeypatch.setattr(notebook, "write_text", full_disk)
    with pytest.raises(InputError):
        save(csv.parent, book_of(line(), line("2")))
    assert markdown.read_bytes() == before[1]
    assert (csv.read_bytes() if csv.exists() else None) == (before[0] if stored else None)


@pytest.mark.parametrize("name", ["NOTEBOOK.md", "notebook.csv"])
def test_files_that_must_not_be_replaced_are_refused(tmp_path, name):
    file = tmp_path / name
    file.symlink_to("elsewhere")
    assert f"{name}: is a symbolic link" in refusal(tmp_path)
    file.unlink()
    file.mkdir()
    assert "is not a file" in refusal(tmp_path)
    file.rmdir()
    file.write_text("words")
    file.chmod(0o400)
    assert "is read-only: chmod u+w" in refusal(tmp_path)


def test_names_in_messages_are_readable():
    """Letters of any language stay; what would confuse a terminal does not."""
    assert printable("J\u00fcrgen") == "J\u00fcrgen"
    assert in_quotes("J\u00fcrgen \x1b[2J") == "'J\u00fcrgen \\u001b[2J'"
    assert in_quotes("\u00fc" * 31) == f"'{'ü' * 30}'..."
    assert "\x1b" not in shown("a\x1b") and "\udcf6" not in shown("a\udcf6")


# --- the table -----------------------------------------------------------------------------------


def test_the_table_shows_what_the_csv_says(tmp_path, snapshot):
    (tmp_path / "NOTEBOOK.md").write_text("# Mine\n\nmy words\n")
    unmeasured = dict.fromkeys(("measured", "times_naive", "interactions_per_s", "spread"), "")
    lines = [line(), line("2", measured="1.9", estimated="yes"), line("3", **unmeasured)]
    lines.append(line("4", expected="fast", threads="", why=""))
    lines = [Line({"why": "registers", **one.cells}) for one in lines]
    save(tmp_path, book_of(*lines, own=("why",)))
    assert (tmp_path / "NOTEBOOK.md").read_text() == snapshot


def test_a_row_deleted_from_the_csv_is_gone(csv, markdown):
    save(csv.parent, book_of(line(), line("2")))
    csv.write_text(
        "".join(csv.read_text().splitlines(True)[:1] + csv.read_text().splitlines(True)[2:])
    )
    assert save(csv.parent, load(csv.parent).with_row(row("3"))) is None
    text = markdown.read_text()
    assert "| 1 | 2026" not in text and "| 2 | 2026" in text and "| 3 | 2026" in text


def test_a_table_changed_by_hand_is_kept(csv, markdown):
    changed = markdown.read_text().replace("an idea", "my better idea")
    markdown.write_text(changed)
    copy = save(csv.parent, book_of(line(), line("2")))
    assert (copy.name, copy.read_text()) == ("NOTEBOOK_1.md", changed)
    assert "better" not in markdown.read_text()
    assert save(csv.parent, book_of(line())) is None
    markdown.write_text("".join(markdown.read_text().splitlines(True)[:-1]))
    assert save(csv.parent, book_of(line())).name == "NOTEBOOK_2.md"


@pytest.mark.parametrize(
    "file", sorted(ROOT.glob("part*_*/NOTEBOOK.md")), ids=lambda file: file.parent.name
)
def test_the_notebooks_of_the_parts_are_as_the_lab_writes_them(file):
    text, book = file.read_text(encoding="utf-8"), load(file.parent)
    if not book.lines:
        assert notebook.markdown_text(text, book) == text


# --- which row -----------------------------------------------------------------------------------

UNMEASURED = {"times_naive": ""}


@pytest.mark.parametrize(
    "lines, name, wanted",
    [
        ([], "mine", None),
        ([line(), line("2", **WRONG), line("3", **UNMEASURED)], "mine", 1),
        ([line("2", **WRONG), line("4")], "mine", 4),
        ([line("2", **WRONG)], "mine", None),
        ([line(), line("2", name="mine_third")], "mine", 1),
        ([line(), line("2", name="mine_third")], "mine_new", 2),
        ([line(), line("x")], "mine", 1),  # a row without a number cannot be named
        ([line(), line("2", times_naive="fast")], "mine", 1),
    ],
)
def test_the_row_before_is_the_last_right_one_of_the_same_name_if_there_is_one(lines, name, wanted):
    found = book_of(*lines).latest(name)
    assert (found and found.row) == wanted


def test_any_right_row_may_be_asked_for():
    book = book_of(line(), line("2", name="mine_third"), line("3", **WRONG), line("4"))
    assert [book.find(wanted).row for wanted in ("1", "mine", "mine_third")] == [1, 4, 2]
    assert book.find("naive") is None
    for wanted, near in (
        ("3", ""),
        ("5", ""),
        ("", ""),
        ("naiv", "naive"),
        ("mine_thrid", "mine_third"),
    ):
        with pytest.raises(InputError) as caught:
            book.find(wanted)
        meant = f"; did you mean {near}?" if near else ""
        assert str(caught.value) == (
            f"--against '{wanted}': the notebook has no right row with that number or name{meant}"
        )


def test_numbers_go_on_from_the_largest():
    assert Notebook().next_number() == 1
    assert book_of(line("7"), line("3"), line("x")).next_number() == 8
    assert book_of(line("9" * 20)).next_number() == 1_000_001


@pytest.mark.parametrize(
    "text, value",
    [
        ("1.43", 1.43),
        ("0", 0),
        ("3e8", 3e8),
        *((text, None) for text in ("", "-", "-1", "nan", "inf", "1.5 x")),
    ],
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
    assert keep_source(tmp_path, row("3"), source, "the conditions") == "notebook/003_mine.cuh"
    assert (tmp_path / "notebook/003_mine.cuh").read_bytes() == (
        b"// Row 3, 2026-11-21: the conditions\n// w\xf6rds\r\n"
    )


def test_a_kept_program_belongs_to_its_row(tmp_path):
    programs, program = tmp_path / "below/part1", tmp_path / "program"
    assert kept_program(programs, row("3")) is None
    program.write_text("first")
    program.chmod(0o755)
    keep_program(programs, row("3"), program)
    program.write_text("second")
    kept = kept_program(programs, row("3"))
    assert kept.read_text() == "first" and kept.stat().st_mode & 0o100
    assert kept_program(programs, row("4")) is None and kept_program(programs, None) is None
    for name in ("../../program", "mine mine"):
        keep_program(programs, row("4", name=name), program)
        assert kept_program(programs, row("4", name=name)) is None
    assert [file.name for file in programs.iterdir()] == ["3_2026-11-21_mine"]


def test_no_other_file_stands_in_the_way_of_a_kept_program(tmp_path):
    """Of a fixed name, two commands would write to one file, or through a link to another place."""
    program, elsewhere = tmp_path / "program", tmp_path / "elsewhere"
    program.write_text("a program")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/unfinished.new").symlink_to(elsewhere)
    keep_program(tmp_path / "kept", Row(row=3, date="d", name="mine"), program)
    assert not elsewhere.exists()
    assert (tmp_path / "kept/3_d_mine").read_text() == "a program"
