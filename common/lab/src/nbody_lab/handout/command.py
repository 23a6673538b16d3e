"""./lab handout: packs the lab for students."""

import hashlib
from pathlib import Path
from typing import Annotated

from nbody_lab import ROOT
from nbody_lab.build.arguments import flag, option
from nbody_lab.build.lab import parse_part
from nbody_lab.core.errors import LabError
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.handout.archive import pack_tar
from nbody_lab.handout.pack import checked_members
from nbody_lab.handout.wheels import download_wheels

_TOP = "nbody_lab"  # folder in the archive
_WHEELS = "with the packages of Python that ./lab needs, for machines without a network"


def _archive_file(text: str) -> Path:
    file = Path(text)
    if not file.name.endswith((".tar.gz", ".tgz")):
        raise LabError(f"{file}: the archive must be a .tar.gz")
    if not file.resolve().parent.is_dir():
        raise LabError(f"{file}: there is no folder {file.parent}")
    return file


def _solutions_folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise LabError(f"{text}: there is no such folder")
    return Path(text)


def _part_list(text: str) -> str:
    return ",".join(map(parse_part, text.split(",")))


def handout(
    file: Annotated[Path, option("-o", "FILE.tar.gz", "the archive", parser=_archive_file)],
    parts: Annotated[
        str | None,
        option("--parts", "part1,part2", "only these (default: all)", parser=_part_list),
    ] = None,
    solutions_from: Annotated[
        Path | None,
        option(
            "--solutions-from",
            "PATH",
            "a folder like solutions/ kept elsewhere: timed here once for the reference ratios",
            parser=_solutions_folder,
        ),
    ] = None,
    working_tree: Annotated[bool, flag("--working-tree", "include uncommitted changes")] = False,
    wheels: Annotated[bool, flag("--wheels", _WHEELS)] = False,
) -> None:
    """the lab without solutions and answers, for students

    Refuses to write an archive that gives a solution away. The same commit gives the same bytes.

    ./lab handout -o handout.tar.gz
    """
    members = checked_members(ROOT, parts.split(",") if parts else (), working_tree, solutions_from)
    if wheels:
        members.update(download_wheels())
    content = pack_tar(_TOP, members)
    write_bytes(file, content)
    print(f"{file}: {len(members)} files, {len(content) / 1e6:.1f} MB, below {_TOP}/")
    print(f"sha256 {hashlib.sha256(content).hexdigest()}")
    print(f"look inside: tar tzf {file}")
