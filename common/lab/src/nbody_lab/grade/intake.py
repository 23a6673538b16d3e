"""What was handed in, up to its files and authors: the same for measuring, --dry-run and the check of people's tables."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab.grade.archives import unpack
from nbody_lab.grade.overlay import Part, Taken, take
from nbody_lab.grade.submissions import Submission, identified


class Intake(NamedTuple):
    submission: Submission  # with the authors that its worksheets name
    taken: Taken
    parts: Sequence[Part]  # the requested ones
    unpacking: Sequence[str]  # problems, a sentence each
    name_problems: Sequence[str]


def take_in(
    submission: Submission, folder: Path, parts: Collection[str], every_part: Sequence[Part]
) -> Intake:
    """Unpacks into `folder`, new or empty, and takes the files of `parts`. Raises OSError."""
    problems, lost, cut = unpack(submission, folder)
    asked = [part for part in every_part if part.name in parts]
    taken = take(folder, asked, every_part, lost, cut)
    submission, name_problems = identified(submission, taken.files)
    return Intake(submission, taken, asked, problems, name_problems)
