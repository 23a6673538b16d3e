"""./lab handout packs what students get: the files of the git tree but those of left_out.py (solutions, answers and
others), with data/references.json instead. A document that names a file left out is refused, as is a leaked solution."""

import hashlib
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

from nbody_lab import ROOT
from nbody_lab.building.arguments import flag, option
from nbody_lab.building.handed_out import COPIES
from nbody_lab.building.lab import parse_part
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import output_of
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.handout import references
from nbody_lab.handout.archive import ARCHIVE_FILE, Member, pack_tar
from nbody_lab.handout.handed_in import is_given
from nbody_lab.handout.leaks import find_leaks
from nbody_lab.handout.left_out import handed_out_text, is_left_out, require_live_links
from nbody_lab.handout.wheels import download_wheels


def read_tree(root: Path, working_tree: bool) -> dict[str, Member]:
    """The files that git knows, by path. Refuses uncommitted changes unless the working tree is wanted."""
    git = ("git", "git", "-C", root)
    if not working_tree and output_of(*git, "status", "--porcelain", "--untracked-files=no"):
        raise LabError(
            "there are uncommitted changes: commit them, or include them with --working-tree"
        )
    found = {}
    for line in output_of(*git, "ls-files", "-s", "-z").split("\0")[:-1]:
        mode, path = line.split("\t")
        if (root / path).is_file():
            found[path] = Member((root / path).read_bytes(), int(mode.split()[0], 8) & 0o777)
    return found


def texts_of(members: dict[str, Member]) -> dict[str, str]:
    return {path: member.content.decode("utf-8", "replace") for path, member in members.items()}


def checked_members(
    root: Path, parts: Collection[str] = (), working_tree: bool = True
) -> dict[str, Member]:
    """All of the archive, by path. `parts`: only these, if there are any."""
    tree = read_tree(root, working_tree)
    of_all_parts = {path: one for path, one in tree.items() if not is_left_out(path)}
    known = sorted(file.parent.name.split("_")[0] for file in root.glob("part*_*/CMakeLists.txt"))
    parts = parts or known
    others = tuple(f"{part}_" for part in known if part not in parts)
    for path, one in of_all_parts.items():
        if path.endswith((".md", ".py")):
            text = handed_out_text(path, one.content.decode(), others)
            of_all_parts[path] = one._replace(content=text.encode())
    found = {path: one for path, one in of_all_parts.items() if not path.startswith(others)}
    solutions = {path: one for path, one in tree.items() if path.startswith("solutions/")}
    if leaks := find_leaks(texts_of(solutions), texts_of(found), texts_of(of_all_parts)):
        raise LabError("\n     ".join(["this gives solutions away:", *leaks]))
    require_live_links(texts_of(found))
    found |= {f"{COPIES}{path}": found[path] for path in found if is_given(path)}
    speeds = references.read_ladders(root / "data/results", parts)
    found[references.FILE] = Member((speeds.model_dump_json(indent=1) + "\n").encode())
    return found


def handout(
    file: Annotated[Path, ARCHIVE_FILE],
    parts: Annotated[
        str | None, option("--parts", "part1,part2", "only these (default: all)")
    ] = None,
    working_tree: Annotated[bool, flag("--working-tree", "include uncommitted changes")] = False,
    wheels: Annotated[
        bool, flag("--wheels", "with the packages of Python, for machines without a network")
    ] = False,
) -> None:
    """the lab without solutions and answers, for students

    Refuses to write an archive that gives a solution away. The same commit gives the same bytes.

    ./lab handout -o handout.tar.gz
    """
    chosen = [parse_part(part) for part in parts.split(",")] if parts else ()
    members = checked_members(ROOT, chosen, working_tree)
    if wheels:
        members.update(download_wheels())
    content = pack_tar("nbody_lab", members)
    write_bytes(file, content)
    show(
        f"{file}: {len(members)} files, {len(content) / 1e6:.1f} MB, below nbody_lab/",
        f"sha256 {hashlib.sha256(content).hexdigest()}",
        f"look inside: tar tzf {file}",
    )
