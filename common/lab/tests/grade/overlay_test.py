"""Which files are taken, wherever they lie, and what is said about the others."""

import os
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.grade.overlay import Taken, part_folders, store, take

PARTS = part_folders(ROOT)
P1, P2, P3 = "part1_standard_opti", "part2_vectorization", "part3_cuda"
LABS, NOT_ASKED = "belongs to the lab", "not a file to hand in"
WHICH = f"which part is it for? Put it into that part's folder, such as {P1}/"
HANDED_IN = """NOTEBOOK.md flags.txt mine.hpp mine_openmp.hpp notebook.csv tiles.h tiles.hpp
    worksheet.hpp""".split()
OTHERS = """mine-2.hpp mine_count.hpp mine.cuh mine.hpp.old a.out tool.py deep/own.hpp
    simulator/simulator.hpp""".split()


def put(folder: Path, name: str, content: bytes = b"x") -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def reasons(taken: Taken) -> dict[str, str]:
    return {one.file: one.why for one in taken.ignored}


def test_parts_come_from_the_tree() -> None:
    headers = {part.name: part.header for part in PARTS}
    assert headers == {"part1": ".hpp", "part2": ".hpp", "part3": ".cuh", "part4": ".hpp"}


@pytest.mark.parametrize(
    ("handed_in", "files", "ignored"),
    [
        *(
            ([f"{place}/mine.hpp"], [f"{P1}/mine.hpp"], {})
            for place in (P1, "part1", "Part 1", "lab/part1", f"anna/my lab/{P1}", "PART_1")
        ),
        ([f"{P1}/{name}" for name in HANDED_IN], [f"{P1}/{name}" for name in HANDED_IN], {}),
        ([f"{P3}/mine.cuh", f"{P3}/kernel.cuh"], [f"{P3}/kernel.cuh", f"{P3}/mine.cuh"], {}),
        ([f"{P1}/{name}" for name in OTHERS], [], {f"{P1}/{name}": NOT_ASKED for name in OTHERS}),
        ([f"{P1}/x y.hpp"], [], {f"{P1}/x y.hpp": NOT_ASKED}),
        # A file system may have changed the case.
        (
            [f"{P1}/MINE.HPP", f"{P1}/notebook.MD", "anna/Mine.cuh"],
            [f"{P1}/NOTEBOOK.md", f"{P1}/mine.hpp"],
            {"anna/Mine.cuh": NOT_ASKED},
        ),
        (["Mine.cuh"], [f"{P3}/mine.cuh"], {}),
        # Flat files: a name that only one part has, or that says its part.
        (
            ["anna/part1_mine.hpp", "anna/part2-worksheet.hpp", "anna/mine.cuh"],
            [f"{P1}/mine.hpp", f"{P2}/worksheet.hpp", f"{P3}/mine.cuh"],
            {},
        ),
        (["mine.hpp", "part9_mine.hpp"], [], {"mine.hpp": WHICH, "part9_mine.hpp": NOT_ASKED}),
        # A whole tree.
        (
            [f"lab/{P1}/mine.hpp", f"lab/{P1}/naive.hpp", f"lab/{P1}/README.md", "lab/lab"],
            [f"{P1}/mine.hpp"],
            dict.fromkeys((f"lab/{P1}/naive.hpp", f"lab/{P1}/README.md", "lab/lab"), LABS),
        ),
        (
            [f"lab/solutions/{P1}/worksheet.hpp", "lab/common/check/main.cpp"],
            [],
            dict.fromkeys((f"lab/solutions/{P1}/worksheet.hpp", "lab/common/check/main.cpp"), LABS),
        ),
        ([], [], {}),
    ],
)
def test_what_is_taken(
    tmp_path: Path, handed_in: list[str], files: list[str], ignored: dict[str, str]
) -> None:
    for name in handed_in:
        put(tmp_path, name)
    taken = take(tmp_path, PARTS)
    assert (sorted(taken.files), reasons(taken)) == (sorted(files), ignored)
    assert taken.unclear == {}


@pytest.mark.parametrize(
    ("handed_in", "files", "ignored"),
    [
        (["mine.hpp", "tiles.hpp"], [f"{P1}/mine.hpp", f"{P1}/tiles.hpp"], {}),
        ([f"{P2}/mine.hpp"], [], {f"{P2}/mine.hpp": "belongs to a part that was not requested"}),
    ],
)
def test_if_one_part_is_graded(
    tmp_path: Path, handed_in: list[str], files: list[str], ignored: dict[str, str]
) -> None:
    for name in handed_in:
        put(tmp_path, name)
    taken = take(tmp_path, PARTS[:1], PARTS)
    assert (sorted(taken.files), reasons(taken)) == (files, ignored)


@pytest.mark.parametrize(
    ("handed_in", "target", "why"),
    [
        (
            {f"{P1}/mine.hpp": b"x", f"backup/{P1}/mine.hpp": b"older"},
            f"{P1}/mine.hpp",
            f"2 versions of {P1}/mine.hpp that differ: which one? None was used",
        ),
        (
            {f"{P1}/mine.hpp": b"x", f"{P1}/Mine.hpp": b"other"},
            f"{P1}/mine.hpp",
            f"2 versions of {P1}/mine.hpp that differ: which one? None was used",
        ),
        (
            {f"{P1}/mine.cpp": b"x"},
            f"{P1}/mine.hpp",
            f"{P1}/mine.cpp: not a file to hand in; was it meant to be mine.hpp?",
        ),
        (
            {"part3/Mine.CU": b"x"},
            f"{P3}/mine.cuh",
            "part3/Mine.CU: not a file to hand in; was it meant to be mine.cuh?",
        ),
    ],
)
def test_what_a_person_decides(
    tmp_path: Path, handed_in: dict[str, bytes], target: str, why: str
) -> None:
    """It is not taken, and costs no points unasked."""
    for name, content in handed_in.items():
        put(tmp_path, name, content)
    taken = take(tmp_path, PARTS)
    assert (taken.files, taken.unclear) == ({}, {target: why})
    assert set(reasons(taken)) == set(handed_in)


def test_equal_versions_are_one(tmp_path: Path) -> None:
    put(tmp_path, f"{P1}/mine.hpp")
    put(tmp_path, f"backup/{P1}/mine.hpp")
    put(tmp_path, f"{P1}/mine.cpp")
    taken = take(tmp_path, PARTS)
    assert (list(taken.files), taken.unclear) == ([f"{P1}/mine.hpp"], {})
    assert f"the same as {P1}/mine.hpp" in str(reasons(taken)) or "the same as backup" in str(
        reasons(taken)
    )


def test_links_and_size(tmp_path: Path) -> None:
    put(tmp_path, "part1/worksheet.hpp", b"x" * 100_001)
    (tmp_path / "part1/mine.hpp").symlink_to("/etc/passwd")
    (tmp_path / "part2").symlink_to(ROOT / P2)
    os.mkfifo(tmp_path / "part1/flags.txt")
    taken = take(tmp_path, PARTS)
    assert taken.files == {}
    assert reasons(taken) == {
        "part1/mine.hpp": "a link",
        "part2": "a link",
        "part1/flags.txt": "not a regular file",
        "part1/worksheet.hpp": "larger than 100 kB",
    }


def test_a_thousand_versions(tmp_path: Path) -> None:
    for number in range(1000):
        put(tmp_path, f"{P1}/mine_{number:04}.hpp")
    taken = take(tmp_path, PARTS)
    assert len(taken.files) == 24
    assert reasons(taken)[f"{P1}/mine_0999.hpp"] == "more than 24 such files"


def test_kept_sources_are_evidence_and_never_built(tmp_path: Path) -> None:
    for name in ("notebook/003_mine.hpp", "notebook/naive.hpp", "mine.hpp"):
        put(tmp_path, f"in/{P1}/{name}")
    taken = take(tmp_path / "in", PARTS)
    assert list(taken.files) == [f"{P1}/mine.hpp"]
    assert list(taken.kept) == [f"{P1}/notebook/003_mine.hpp"]
    store(taken, tmp_path / "out")
    assert (tmp_path / "out" / P1 / "notebook/003_mine.hpp").read_bytes() == b"x"
