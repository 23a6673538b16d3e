"""What tar_members.py and zip_members.py yield, and how they end."""

from collections import namedtuple

# kind: file, folder or other; why: of another one; size: what it declares, in bytes; pieces: its bytes, read once.
Member = namedtuple("Member", "name kind why size pieces")


class TooMuch(Exception):
    """A limit of the whole archive, as the end of a sentence."""


class Damaged(Exception):
    """It cannot be read any farther."""

    def __init__(self):
        super().__init__("is damaged: what came before the damage was used")
