"""Which files are taken, wherever they lie, and what is said about the others."""

import os

from nbody_lab import ROOT
from nbody_lab.grade.overlay import part_folders, store, take
from tests.grade.made_class.made_archives import write_files

PARTS = part_folders(ROOT)
P1, P2, P3 = "part1_standard_opti", "part2_vectorization", "part3_cuda"
GIVEN = (ROOT / P1 / "mine.hpp").read_text(encoding="utf-8")
HANDED_IN = """NOTEBOOK.md flags.txt mine.hpp mine_openmp.hpp notebook.csv tiles.h tiles.hpp
    worksheet.hpp""".split()
OTHERS = """mine-2.hpp mine_count.hpp mine.cuh mine.hpp.old a.out tool.py deep/own.hpp
    simulator/simulator.hpp""".split()
ONLY_PART1 = [["mine.hpp", "tiles.hpp"], [f"{P2}/mine.hpp"]]
# what: the files of a submission, which hold x, or what follows =
SUBMISSIONS = {
    **{place: [f"{place}/mine.hpp"] for place in (P1, "part1", "Part 1", "PART_1")},
    **{place: [f"{place}/mine.hpp"] for place in ("lab/part1", f"anna/my lab/{P1}")},
    "all roles": [f"{P1}/{name}" for name in HANDED_IN],
    "CUDA": [f"{P3}/mine.cuh", f"{P3}/kernel.cuh"],
    "others": [f"{P1}/{name}" for name in (*OTHERS, "x y.hpp")],
    "a file system may have changed the case": [
        *(f"{P1}/MINE.HPP", f"{P1}/notebook.MD", "anna/Mine.cuh"),
    ],
    "flat, in another case": ["Mine.cuh"],
    "flat files whose names tell their part": [
        *("anna/part1_mine.hpp", "anna/part2-worksheet.hpp", "anna/mine.cuh"),
    ],
    "a request": [f"{P1}/mine.hpp", f"{P1}/regrade.txt", "anna/Regrade.md"],
    "flat files of any part": ["mine.hpp", "part9_mine.hpp"],
    "a whole tree": [
        *(f"lab/{P1}/mine.hpp", f"lab/{P1}/naive.hpp", f"lab/{P1}/README.md", "lab/lab"),
    ],
    "the lab's own": [f"lab/solutions/{P1}/worksheet.hpp", "lab/common/check/main.cpp"],
    "nothing": [],
    # A person decides: nothing is taken, and it costs no points unasked.
    "two that differ": [f"{P1}/mine.hpp", f"backup/{P1}/mine.hpp=older"],
    "two cases that differ": [f"{P1}/mine.hpp", f"{P1}/Mine.hpp=other"],
    "almost mine": [f"{P1}/mine.cpp"],
    "almost mine.cuh": ["part3/Mine.CU"],
    "another name": [f"{P1}/my_solution.hpp", f"{P1}/worksheet.hpp"],
    "another name, flat": ["solution.cpp", "notes.txt", f"{P1}/worksheet.hpp"],
    "another name beside the given mine": [
        *(f"{P1}/mine.hpp={GIVEN}", f"{P1}/my_solution.hpp", f"{P1}/tiles.hpp"),
    ],
    "in a folder below": [f"{P1}/src/mine.hpp", f"{P2}/mine.hpp", f"{P2}/notebook/old.hpp"],
    "a version beside the given mine": [
        *(f"{P1}/mine.hpp={GIVEN}", f"{P1}/mine_fast.hpp", f"{P1}/tiles.hpp"),
    ],
    "the lab as it was given": [f"{P1}/mine.hpp={GIVEN}", f"{P1}/naive.hpp"],
    "a worksheet under another name": [
        *(f"{P1}/mine.hpp", f"{P1}/worksheet (1).hpp", f"{P1}/Notebook_anna.csv"),
    ],
    "a worksheet with a name": [f"{P1}/mine.hpp", f"{P1}/worksheet_anna.hpp"],
    "a worksheet beside its copy": [
        *(f"{P1}/{name}" for name in ("mine.hpp", "worksheet.hpp", "worksheet_old.hpp")),
    ],
    "empty files": [
        *(f"{P1}/{name}=(nothing)" for name in ("mine.hpp", "worksheet.hpp", "notebook.csv")),
        *(f"{P1}/{name}=(nothing)" for name in ("NOTEBOOK.md", "flags.txt", "tiles.hpp")),
    ],
    "an empty version beside another": [f"{P1}/mine.hpp=(nothing)", f"old/{P1}/mine.hpp"],
    "equal versions are one": [f"{P1}/mine.hpp", f"backup/{P1}/mine.hpp", f"{P1}/mine.cpp"],
    **{f"if only part 1 is graded: {files}": files for files in ONLY_PART1},
}


def put(folder, files):
    parts = [line.partition("=") for line in files]
    contents = {"": "x", "(nothing)": ""}
    write_files(folder, {name: contents.get(content, content) for name, _, content in parts})


def told(taken, folder):
    """A line for each file: where it is taken, or why not."""
    lines = [f"{to} < {path.relative_to(folder)}" for to, path in taken.files.items()]
    lines += [f"{one.file}: {one.why}" for one in taken.ignored]
    lines += [f"for a person: {one.target}: {one.why}" for one in taken.unclear]
    return "\n".join(lines)


def test_what_is_taken(tmp_path_factory, match_table):
    def tell(files):
        folder = tmp_path_factory.mktemp("handed_in")
        put(folder, files)
        asked = PARTS[:1] if files in ONLY_PART1 else PARTS
        return told(take(folder, asked, PARTS), folder)

    match_table(SUBMISSIONS, tell)


SHEET = f"{P1}/worksheet.hpp"
# what: the files of a submission, those that could not be unpacked, and why others may be missing
DAMAGED = {
    "a worksheet": ([f"{P1}/mine.hpp"], {SHEET: "a worksheet: is damaged"}, ""),
    "a flat version": ([SHEET], {"part1_mine_b.hpp": "part1_mine_b.hpp: is damaged"}, ""),
    "a header, flags, and what nobody hands in": (
        [f"{P1}/mine.hpp"],
        dict.fromkeys([f"{P1}/tiles.hpp", f"{P1}/flags.txt", f"{P1}/a.o", "x"], "is damaged"),
        "",
    ),
    "of what appears twice one is enough": ([SHEET], {SHEET: "appears twice"}, ""),
    "all": ([], {SHEET: "a worksheet: is damaged"}, ""),
    "an archive that was cut off": ([f"{P1}/mine.hpp"], {}, "a.zip: is damaged"),
    "one that was cut off at once": ([], {}, "a.zip: is damaged"),
}


def test_what_was_damaged_is_for_a_person(tmp_path_factory, match_table):
    """If it has a role, and no other file has it."""

    def tell(given):
        files, lost, cut = given
        folder = tmp_path_factory.mktemp("handed_in")
        put(folder, files)
        return told(take(folder, PARTS[:2], PARTS, lost, cut), folder)

    match_table(DAMAGED, tell)


def test_links_and_size(tmp_path, snapshot):
    put(tmp_path, ["part1/worksheet.hpp=" + "x" * 100_001])
    (tmp_path / "part1/mine.hpp").symlink_to("/etc/passwd")
    (tmp_path / "part2").symlink_to(ROOT / P2)
    os.mkfifo(tmp_path / "part1/flags.txt")
    assert told(take(tmp_path, PARTS), tmp_path) == snapshot


def test_a_thousand_versions(tmp_path):
    put(tmp_path, [f"{P1}/mine_{number:04}.hpp" for number in range(1000)])
    taken = take(tmp_path, PARTS)
    assert len(taken.files) == 24
    assert f"{P1}/mine_0999.hpp: more than 24 such files" in told(taken, tmp_path)


def test_kept_sources_are_evidence_and_never_built(tmp_path):
    names = ("notebook/003_mine.hpp", "notebook/naive.hpp", "mine.hpp")
    put(tmp_path / "in", [f"{P1}/{name}" for name in names])
    taken = take(tmp_path / "in", PARTS)
    assert list(taken.files) == [f"{P1}/mine.hpp"]
    assert list(taken.kept) == [f"{P1}/notebook/003_mine.hpp"]
    store(taken, tmp_path / "out")
    assert (tmp_path / "out" / P1 / "notebook/003_mine.hpp").read_text() == "x"
