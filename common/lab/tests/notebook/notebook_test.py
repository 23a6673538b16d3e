"""The notebook: notebook.csv, the table in NOTEBOOK.md, and what is kept for each row."""

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.notebook import notebook
from nbody_lab.notebook.notebook import Notebook, Row, load, save, with_table

LINE = "1,2026-11-21,mine,an idea,1.5,1.43,naive,2.1,3.8e+08,0.04,2000,2,as expected,,,,,,,,"
(MEASURED,) = notebook.parse_csv(f"{','.join(notebook.NAMES)}\n{LINE}\n", "notebook.csv").rows


def line(number=1, **other):
    return MEASURED.model_copy(update={"row": number, **other})


def wrong(number):
    return Row(row=number, name="mine", verdict="wrong: it is NaN")


@pytest.fixture
def csv(tmp_path):
    """The CSV of a notebook with one row."""
    save(tmp_path, Notebook((line(),)))
    return tmp_path / "notebook.csv"


# --- the files -----------------------------------------------------------------------------------


def test_rows_come_back_as_written(tmp_path):
    """Also without numbers, with quotes and bytes that are not UTF-8."""
    assert load(tmp_path) == Notebook() and list(tmp_path.iterdir()) == []
    book = Notebook((line(idea='a "quoted", w\u00f6rd | x'), wrong(2), line(3, name="w\udcf6rds")))
    save(tmp_path, book)
    assert load(tmp_path) == book
    assert (tmp_path / "notebook.csv").read_bytes().startswith(",".join(notebook.NAMES).encode())
    assert [row.row for row in notebook.right_rows(tmp_path)] == [1, 3]


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ("row,date", "date", ":1: its columns must be those that ./lab try wrote; look at: row"),
        (
            "source",
            "source,why",
            ":1: its columns must be those that ./lab try wrote; look at: why",
        ),
        ("\n1,", "\n2,3\n1,", ":2: it has 2 cells, but there are 21 columns: correct it"),
        (",1.43,", ',"1,43",', ":2: measured needs a number, not '1,43'"),
    ],
)
def test_a_malformed_csv_is_refused_with_its_line(csv, old, new, complaint):
    csv.write_text(csv.read_text().replace(old, new))
    with pytest.raises(LabError) as caught:
        load(csv.parent)
    assert f"notebook.csv{complaint}" in str(caught.value)


TABLE = f"""\
{notebook.BEGIN}
| # | date | name | idea | expected | measured | against | x naive | 10^9 interactions/s | spread | bodies | threads | verdict |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
| 1 | 2026-11-21 | mine | each \\| pair once | 1.50 | 1.43 | naive | 2.10 | 0.380 | 4 % | 2000 | 2 | as expected |
| 2 |  | mine |  | - | - |  | - | - | - | - | - | wrong: it is NaN |
{notebook.END}
"""
ABOVE = "# N\n\nmy | words\n\n| a | table |\n|---|---|\n| 1 | 2 |\n\n"
BELOW = "\nw\udcf6rds\r\n| no | row |\nlast"
STALE = TABLE.replace("1.43", "9.99").replace("| 2 |", "my note\n| 2 |")


@pytest.mark.parametrize(
    "before, after",
    [
        ("words", "words\n\n" + TABLE),
        (ABOVE + TABLE + BELOW, ABOVE + TABLE + BELOW),
        (ABOVE + STALE + BELOW, ABOVE + TABLE + BELOW),
        # A table without its end is the student's, and so is all that follows it.
        (
            STALE.replace(notebook.END, "") + BELOW,
            STALE.replace(notebook.END, "") + BELOW + "\n\n" + TABLE,
        ),
    ],
)
def test_the_table_between_its_marks_is_written_anew_and_nothing_else(before, after):
    rows = [line(idea="each | pair\nonce"), wrong(2)]
    assert with_table(before, rows) == after
    assert with_table(after, rows) == after


@pytest.mark.parametrize("file", sorted(ROOT.glob("part*_*/NOTEBOOK.md")), ids=str)
def test_the_notebooks_of_the_parts_are_as_the_lab_writes_them(file):
    text, rows = file.read_text(encoding="utf-8"), load(file.parent).rows
    assert rows or with_table(text, rows) == text


# --- which row -----------------------------------------------------------------------------------

OTHER = line(2, name="mine_third")


@pytest.mark.parametrize(
    "rows, name, against, wanted",
    [
        ([], "mine", None, None),
        ([line(), wrong(2), line(3, times_naive=None)], "mine", None, 1),
        ([line(), OTHER], "mine_new", None, 2),
        ([line(), OTHER, line(4)], "mine", "1", 1),
        ([line(), OTHER, line(4)], "mine", "mine", 4),
        ([line(), OTHER, line(4)], "mine", "mine_third", 2),
        ([line()], "mine", "naive", None),
    ],
)
def test_the_row_before_is_the_last_right_one_of_that_name(rows, name, against, wanted):
    """Without such a row the last right one; --against chooses another."""
    found = Notebook(tuple(rows)).row_before(name, against)
    assert (found and found.row) == wanted


def test_a_row_that_is_not_there_or_wrong_is_refused():
    book = Notebook((line(), OTHER, wrong(3)))
    for against, near in (("3", ""), ("mine_thrid", "; did you mean mine_third[?]")):
        with pytest.raises(LabError, match=f"^--against '{against}': .* number or name{near}$"):
            book.row_before("mine", against)


# --- what is kept --------------------------------------------------------------------------------


def test_a_row_keeps_its_source_and_if_it_is_right_its_program(tmp_path):
    programs, program = tmp_path / "build/part1", tmp_path / "program"

    def add(row):
        program.write_text(f"program of {row.verdict}")
        program.chmod(0o755)
        return notebook.add(
            tmp_path, row, "// w\udcf6rds\r\n", ".cuh", "conditions", programs, program
        )

    first, second = add(line(0)), add(wrong(0))
    assert load(tmp_path).rows == (first, second)
    assert (first.row, first.source) == (1, "notebook/001_mine.cuh")
    assert (tmp_path / first.source).read_bytes() == (
        f"// Row 1, {first.date}: conditions\n".encode() + b"// w\xf6rds\r\n"
    )
    kept = notebook.kept_program(programs, first)
    assert kept.read_text() == "program of as expected" and kept.stat().st_mode & 0o100
    with pytest.raises(LabError, match=r"^the program of row 2 is not in this build folder: "):
        notebook.kept_program(programs, second)

    save(tmp_path, Notebook())  # a deleted row keeps its source
    assert add(line(0)).row == 3
    assert (tmp_path / second.source).exists()
