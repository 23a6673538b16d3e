"""./lab handout packs what students get: the files of the git tree but those of left_out.py (solutions, answers and others), with adapted
documents, and with data/references.json instead. A dead link or a leaked solution is refused."""

import hashlib
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated

from nbody_lab import ROOT
from nbody_lab.building.arguments import flag, option
from nbody_lab.building.handed_out import COPIES
from nbody_lab.building.lab import parse_part
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.handout import references
from nbody_lab.handout.archive import Member, Members, pack_tar
from nbody_lab.handout.dead_links import find_dead_references
from nbody_lab.handout.handed_in import is_baseline, is_students
from nbody_lab.handout.leaks import find_leaks
from nbody_lab.handout.left_out import handed_out_text, is_left_out
from nbody_lab.handout.wheels import download_wheels

_TOP = "nbody_lab"  # folder in the archive
_WHEELS = "with the packages of Python that ./lab needs, for machines without a network"
_MOST_PROBLEMS = 20


def _git(root: Path, *words: str) -> str:
    argv = ["git", "-C", str(root), *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise LabError(f"handout needs a git checkout: {done.stderr.partition(chr(10))[0]}")
    return done.stdout


def tracked_files(root: Path, working_tree: bool) -> dict[str, int]:
    """{path: mode}. Refuses a tree with uncommitted changes."""
    if not working_tree and _git(root, "status", "--porcelain", "--untracked-files=no"):
        raise LabError(
            "there are uncommitted changes: commit them, or include them with --working-tree"
        )
    found = {}
    for line in filter(None, _git(root, "ls-files", "-s", "-z").split("\0")):
        mode, path = line.split("\t")
        if mode.startswith("120000"):
            raise LabError(f"{path}: is a link, and a handout may not contain links")
        if (root / path).is_file():
            found[path] = int(mode.split()[0], 8) & 0o777
    return found


def _read_all(root: Path, working_tree: bool) -> dict[str, Member]:
    """All files for students, of all parts."""
    found = {}
    for path, mode in tracked_files(root, working_tree).items():
        if not is_left_out(path):
            content = (root / path).read_bytes()
            if path.endswith((".md", "/questions.py")):
                content = handed_out_text(path, content.decode()).encode()
            found[path] = Member(content, mode)
    return found


def texts_of(members: Members) -> dict[str, str]:
    return {path: member.content.decode("utf-8", "replace") for path, member in members.items()}


def _refuse(problems: Sequence[str], why: str) -> None:
    if problems:
        lines = [f"nothing was written: {why}", *problems[:_MOST_PROBLEMS]]
        raise LabError("\n     ".join(lines))


def checked_members(
    root: Path, parts: Collection[str] = (), working_tree: bool = True
) -> dict[str, Member]:
    """All of the archive, by path. `parts`: only these, if there are any. Raises LabError, also for dead links and leaks."""
    known = sorted(file.parent.name.split("_")[0] for file in root.glob("part*_*/CMakeLists.txt"))
    parts = parts or known
    others = tuple(f"{part}_" for part in known if part not in parts)
    of_all_parts = _read_all(root, working_tree)
    found = {path: one for path, one in of_all_parts.items() if not path.startswith(others)}
    # A document may name a file of a part that was left out.
    there = {
        path for file in of_all_parts for path in (file, *map(str, PurePosixPath(file).parents))
    }
    dead_links = [
        problem
        for path, text in texts_of(found).items()
        if path.endswith(".md")
        for problem in find_dead_references(path, text, there.__contains__)
    ]
    _refuse(dead_links, "documents name files that students do not get")
    solutions = {
        file.relative_to(root).as_posix(): file.read_text(encoding="utf-8", errors="replace")
        for file in sorted((root / "solutions").rglob("*"))
        if file.is_file()
    }
    leaks = find_leaks(solutions, texts_of(found), texts_of(of_all_parts))
    _refuse(leaks, "this gives solutions away")
    for path in [path for path in found if is_students(path) or is_baseline(path)]:
        found[f"{COPIES}{path}"] = found[path]
    speeds = references.read_ladders(root / "data/results", parts)
    found[references.FILE] = Member((speeds.model_dump_json(indent=1) + "\n").encode())
    return found


def _archive_file(text: str) -> Path:
    file = Path(text)
    if not file.name.endswith((".tar.gz", ".tgz")):
        raise LabError(f"{file}: the archive must be a .tar.gz")
    if not file.resolve().parent.is_dir():
        raise LabError(f"{file}: there is no folder {file.parent}")
    return file


def _part_list(text: str) -> str:
    return ",".join(map(parse_part, text.split(",")))


def handout(
    file: Annotated[Path, option("-o", "FILE.tar.gz", "the archive", parser=_archive_file)],
    parts: Annotated[
        str | None,
        option("--parts", "part1,part2", "only these (default: all)", parser=_part_list),
    ] = None,
    working_tree: Annotated[bool, flag("--working-tree", "include uncommitted changes")] = False,
    wheels: Annotated[bool, flag("--wheels", _WHEELS)] = False,
) -> None:
    """the lab without solutions and answers, for students

    Refuses to write an archive that gives a solution away. The same commit gives the same bytes.

    ./lab handout -o handout.tar.gz
    """
    members = checked_members(ROOT, parts.split(",") if parts else (), working_tree)
    if wheels:
        members.update(download_wheels())
    content = pack_tar(_TOP, members)
    write_bytes(file, content)
    show(
        f"{file}: {len(members)} files, {len(content) / 1e6:.1f} MB, below {_TOP}/",
        f"sha256 {hashlib.sha256(content).hexdigest()}",
        f"look inside: tar tzf {file}",
    )
