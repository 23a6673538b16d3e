"""The files below a folder that a student may have made: links are not followed, pipes are never opened."""

import hashlib
import os
import stat

from grade.member_names import DEEPEST, is_noise


def pieces_of_file(path):
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        yield from iter(lambda: file.read(1 << 16), b"")


def digest_of(path):
    """SHA-256 in hexadecimal."""
    digest = hashlib.sha256()
    for piece in pieces_of_file(path):
        digest.update(piece)
    return digest.hexdigest()


def problem_of(path):
    """Why it is not a plain file, as the end of a sentence; empty if it is one."""
    mode = os.lstat(path).st_mode
    if stat.S_ISLNK(mode):
        return "is a symbolic link"
    return "" if stat.S_ISREG(mode) else "is not a regular file"


def files_below(top):
    """Yields (path, its name relative to `top`, why it is not a plain file) in order, without noise such as build/. A
    link to a folder is listed as well."""
    for place, folders, files in os.walk(top):
        here = os.path.relpath(place, top)
        depth = 0 if here == "." else here.count(os.sep) + 1
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        folders[:] = sorted(name for name in folders if depth < DEEPEST and not is_noise([name]))
        for name in sorted(files + links):
            path = os.path.join(place, name)
            if not is_noise([name]):
                yield path, os.path.relpath(path, top), problem_of(path)
