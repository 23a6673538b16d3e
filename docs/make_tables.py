"""Writes the tables of the documents from data/results: docs/tables.json says what each table shows.

    make_tables.py            rewrites them, between <!-- table NAME --> and <!-- end of table -->, and classes,
                              between <!-- listing FILE --> and <!-- end of listing -->
    make_tables.py --check    status 1, and for each stale document a line and the right content

A table of docs/tables.json has columns and rows. A cell is the `text` of that name in its row, or the figure that it
`is` (docs/figures.py), selected by the values of table, row and column; the later ones win. A row that
has a value of that name itself shows it: "" leaves the cell empty, an object asks for a figure. A column that is `left` holds text. A table that is `wide` says why it needs more than 100 columns.
"""

import json
import re
import sys

from figures import BadTable, figure
from nbody_lab import ROOT
from nbody_lab.core.errors import LabError

WIDEST = 100
MARK = re.compile(r"<!-- table (\w+) -->\n(.*?)<!-- end of table -->", re.S)
LISTING = re.compile(r"<!-- listing (\S+) -->\n(.*?)<!-- end of listing -->", re.S)
CLASS = re.compile(r"^class .*?^};$", re.M | re.S)


def cell(table, row, column):
    if "text" in column:
        return row.get(column["text"], "")
    if column["is"] in row:
        own = row[column["is"]]
        return own if isinstance(own, str) else figure(own)
    common = {key: value for key, value in table.items() if key not in ("columns", "rows")}
    return figure({**common, **row, **column})


def title(row):
    """The name of a rung, with its part where the table has several, in brackets if it is an exhibit."""
    name = f"{row['part']}/{row['name']}" if "part" in row else row.get("name", "")
    return f"({name})" if row.get("exhibit") else name


def cells(table):
    """The rows as texts. Each knows the row above, which may be its parent."""
    above = None
    for row in table["rows"]:
        row = {"title": title(row), "above": above, **row}
        yield [cell(table, row, column) for column in table["columns"]]
        above = row.get("name")


def lines_of(table):
    """As Markdown, in columns that are as wide as their widest cell: figures to the right, texts to the left."""
    content = [[column["head"] for column in table["columns"]], *cells(table)]
    widths = [max(3, *map(len, column)) for column in zip(*content)]
    right = ["is" in column and "left" not in column for column in table["columns"]]
    lines = [
        [
            text.rjust(width) if is_right else text.ljust(width)
            for text, width, is_right in zip(line, widths, right)
        ]
        for line in content
    ]
    lines.insert(
        1,
        ["-" * (width - 1) + (":" if is_right else "-") for width, is_right in zip(widths, right)],
    )
    texts = ["| " + " | ".join(line) + " |" for line in lines]
    if len(texts[0]) > WIDEST and "wide" not in table:
        raise BadTable(f"a table of {len(texts[0])} columns, {WIDEST} at most: {texts[0]}")
    return "\n".join(texts)


def with_tables(text, tables):
    """The document with its tables rewritten; each table has a place, each place a table."""
    places = [name for name, _ in MARK.findall(text)]
    if sorted(places) != sorted(tables) or text.count("<!-- table ") != len(places):
        raise BadTable(f"has places for {sorted(places)}, docs/tables.json has {sorted(tables)}")
    return MARK.sub(
        lambda mark: (
            f"<!-- table {mark[1]} -->\n{lines_of(tables[mark[1]])}\n<!-- end of table -->"
        ),
        text,
    )


def listing(mark):
    code = CLASS.search((ROOT / mark[1]).read_text(encoding="utf-8"))
    if not code:
        raise BadTable(f"{mark[1]} has no class")
    return f"<!-- listing {mark[1]} -->\n\n```cpp\n{code[0]}\n```\n\n<!-- end of listing -->"


def first_difference(old, new):
    """The first line that says something else; if there is none, the first with other blanks."""
    lines = list(enumerate(zip(old.splitlines(), new.splitlines()), 1))
    for blanks in (" -", ""):
        for number_of_line, (before, after) in lines:
            if [one for one in before if one not in blanks] != [
                one for one in after if one not in blanks
            ]:
                return f"{number_of_line}: should be: {after}"
    return f"{len(new.splitlines())}: should be its last line"


def update(file, tables, check):
    """Rewrites a stale document, or reports it if `check`. True if it was stale."""
    old = (ROOT / file).read_text(encoding="utf-8")
    new = LISTING.sub(listing, with_tables(old, tables))
    if new == old:
        return False
    if check:
        print(f"{file}:{first_difference(old, new)}\n  run docs/make_tables.py")
    else:
        (ROOT / file).write_text(new, encoding="utf-8")
        print(f"{file}: written")
    return True


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    stale = False
    for file, tables in json.loads((ROOT / "docs/tables.json").read_text(encoding="utf-8")).items():
        try:
            stale |= update(file, tables, check=bool(arguments))
        except (BadTable, LabError, OSError, KeyError, ValueError) as fault:
            print(f"make_tables: {file}: {fault}", file=sys.stderr)
            return 2
    return 1 if stale and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
