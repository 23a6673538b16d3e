"""What tar_members.py and zip_members.py yield and raise."""

from collections import namedtuple

# kind: file, folder or other; why: the reason for other; size: declared, in bytes; pieces: the bytes, to be read once.
Member = namedtuple("Member", "name kind why size pieces")


class TooMuch(Exception):
    """A limit on the whole archive was exceeded; the message ends a sentence."""


class Damaged(Exception):
    """The archive cannot be read any further."""

    def __init__(self):
        super().__init__("is damaged: what came before the damage was used")
