"""Unpacks a submission. Its author may be hostile: only plain files below our folder are written, within the limits.
Each refusal is reported in a sentence, and the good files are still taken.

"""

import hashlib
import os
import re

from grade.folder_files import digest_of, files_below, problem_of
from grade.member import Damaged, TooMuch
from grade.member_names import is_noise
from grade.submissions import kind_of
from grade.unpacker import READERS, Unpacker, UnpackLimits

MOST_SENTENCES = 20
HANDED_IN = re.compile(r"(part\d+_)?(mine|worksheet).*\.(hpp|cuh)", re.IGNORECASE)


def archives_at_top(folder):
    """The archives in a folder; [] if a handed-in file lies beside them, because then they are only copies."""
    if any(HANDED_IN.fullmatch(os.path.basename(name)) for _, name, _ in files_below(folder)):
        return []
    found = [one for one in folder.iterdir() if not is_noise([one.name]) and kind_of(one) in READERS]
    return sorted(found, key=lambda one: os.fsencode(one.name))


def open_one(unpacker, path, name, several, left_out):
    """Takes one file of a submission: opens an archive, copies anything else."""
    kind = kind_of(path)
    try:
        if kind in READERS:
            unpacker.archive(path, kind, (path.name,) if several else ())
        elif kind == "folder":
            unpacker.tree(path, left_out)
        else:
            unpacker.copy(path, name, problem_of(path))
    except (TooMuch, Damaged) as why:
        unpacker.refuse(path.name, why)


def tell_of_nested(unpacker):
    """Reports archives inside archives, which are not opened."""
    for path, name, _ in files_below(unpacker.folder):
        if kind_of(unpacker.folder / path) in READERS:
            unpacker.refuse(name, "is an archive in an archive, or beside other files: it was not opened")


def several_sentences(problems):
    more = len(problems) - MOST_SENTENCES
    return problems[:MOST_SENTENCES] + ([f"and {more} more such problems"] if more > 0 else [])


def unpack(submission, folder, limits=UnpackLimits()):
    """Unpacks into `folder`, which must be new or empty. Returns problems, a sentence each. Raises OSError if it cannot
    write."""
    folder.mkdir(parents=True, exist_ok=True)
    if submission.problem:
        return [submission.problem]
    files, archives = list(submission.files), []
    if len(files) == 1 and kind_of(files[0][0]) == "folder":
        archives = archives_at_top(files[0][0])
        files += [(path, path.name) for path in archives]
    several = sum(kind_of(path) in READERS for path, _ in files) > 1
    unpacker = Unpacker(folder, limits)
    for path, name in files:
        open_one(unpacker, path, name, several, [str(one) for one in archives])
    tell_of_nested(unpacker)
    return several_sentences(unpacker.problems)


def listed(path):
    """[(name below it, digest)]"""
    if path.is_dir() and not path.is_symlink():
        return [(name, digest_of(one)) for one, name, why in files_below(path) if not why]
    return [] if problem_of(path) else [("", digest_of(path))]


def checksum(submission):
    """"sha256:..." of what was handed in; for a single file, the same as sha256sum prints."""
    found = [(outer, *one) for path, outer in submission.files for one in listed(path)]
    if len(found) == 1 and not found[0][1]:
        return f"sha256:{found[0][2]}"
    text = "\n".join("\0".join(one) for one in sorted(found))
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
