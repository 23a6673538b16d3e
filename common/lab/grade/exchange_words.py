"""The text files in an exchange archive: how to run the versions, and the questions to answer."""

HEAD = """# Reading others' code

Others handed in these versions, and they passed the check. Their authors are not named; please do not try to find out.
Answer three questions about each version, a few sentences for each. Write about the code, never about the person.

Read each version first. Then copy all of them beside your own; here the archive was unpacked in your home folder:
"""

PART = """
    cp ~/reading/{folder}/* {folder}/
"""

VERSION = """
## {part}, version {letter}

    echo 'mine_read_{letter}: {flags}' >> {folder}/flags.txt
    ./lab check {part} mine_read_{letter}
    ./lab bench {part} mine mine_read_{letter}

1. **What does it save?** Name one operation, memory access or wait that your version has and this one does not, or the
   other way round. Give the line.

2. **Predict, then measure.** How many times as fast as yours is it on your machine? Write down your prediction before
   you run `bench`, then the result. If they differ, why?

3. **Say something useful.** One thing that you would take over, and one question or suggestion for the author.
"""

END = """
Afterwards delete `mine_read_*` and `read_*`, and their lines in `flags.txt`: `./lab submit` packs every version that
lies there.
"""


def letter_of(number):
    return chr(ord("a") + number)


def read_me(versions):
    """The README of an archive. `versions`: [(Part, letter, flags)]"""
    folders = dict.fromkeys(part.folder for part, _, _ in versions)
    return (HEAD + "".join(PART.format(folder=folder) for folder in folders)
            + "".join(VERSION.format(part=part.name, folder=part.folder, letter=letter, flags=flags) for part, letter, flags in versions) + END)
