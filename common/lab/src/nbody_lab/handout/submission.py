"""Finds and reads what a student's tree hands in, and judges it as text; nothing is compiled or run here."""

import re
from collections import namedtuple

from nbody_lab.core.handed_out import is_given_mine
from nbody_lab.core.messages import stop
from nbody_lab.handout.handed_in import ROLES, role_of
from nbody_lab.tasks.undo import computes_as_naive

Found = namedtuple(
    "Found", "files notes changed"
)  # {path: bytes}; [sentence]; [(part, name)] that the student changed

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:[^"\\\n]|\\.)*")', re.S)
AUTHORS = re.compile(r'\bauthors\s*=\s*"((?:[^"\\\n]|\\.)*)"')
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"\n]+)"', re.M)
NOT_ANSWERED = re.compile(r'=\s*(?:unanswered|no_choice|"")\s*;')
NOTHING_OF_YOURS = re.compile(r"class Mine : public Naive \{ public: using Naive::Naive; \};")


def without_comments(text):
    """The text without comments; string literals stay."""
    return COMMENT.sub(lambda match: match[1] or " ", text)


def text_of(content):
    return content.decode("utf-8", "replace")


def authors_in(text):
    """The authors in the text of a worksheet.hpp; empty if there are none."""
    found = AUTHORS.search(without_comments(text))
    return " ".join(re.sub(r"\\(.)", r"\1", found[1]).split()) if found else ""


def read(file, role):
    """The file's bytes. Refuses files that a grader would not accept."""
    if file.is_symlink() or not file.is_file():
        stop(f"{file}: is not a plain file: put the file itself there")
    content = file.read_bytes()
    if len(content) > role.largest_bytes:
        stop(f"{file}: has {len(content)} bytes, but at most {role.largest_bytes} are allowed")
    return content


def included_headers(folder, contents):
    """{name: bytes} of the student's own headers that these texts include, directly or indirectly."""
    found, waiting = {}, list(contents)
    while waiting:
        for name in INCLUDE.findall(text_of(waiting.pop())):
            role = role_of(name)
            if role and role.name == "header" and name not in found and (folder / name).exists():
                found[name] = read(folder / name, role)
                waiting.append(found[name])
    return found


def files_of_part(folder):
    """{name: bytes} of everything handed in."""
    names = [
        file.relative_to(folder).as_posix()
        for file in sorted([*folder.iterdir(), *folder.glob("notebook/*")])
    ]
    listed = {name: role_of(name) for name in names}
    found = {
        name: read(folder / name, role)
        for name, role in listed.items()
        if role and role.name != "header"
    }
    return {
        **found,
        **included_headers(
            folder, [content for name, content in found.items() if listed[name].name == "code"]
        ),
    }


def is_untouched(content, folder):
    """Whether the class is as handed out, or overrides nothing."""
    words = " ".join(without_comments(text_of(content)).split())
    return (
        is_given_mine(folder, text_of(content))
        or bool(NOTHING_OF_YOURS.search(words))
        or computes_as_naive(content, folder)
    )


def notes_of(part, files, untouched):
    """Warnings about what a grader would miss."""
    for name in untouched:
        yield f"{part}: {name} computes as naive does: nothing in it is yours"
    sheet = without_comments(text_of(files.get("worksheet.hpp", b"")))
    left = len(NOT_ANSWERED.findall(sheet))
    if "worksheet.hpp" not in files:
        yield f"{part}: there is no worksheet.hpp"
    elif left:
        yield f"{part}: {left} answers of worksheet.hpp are still open"
    if len(text_of(files.get("notebook.csv", b"")).splitlines()) < 2:
        yield f"{part}: the notebook has no rows: ./lab try writes them"


def is_code(name):
    return role_of(name) == ROLES[0]


def collected(folders):
    """What all parts hand in. A part without names, answers and code was never begun and is left out."""
    found = Found({}, [], [])
    for folder in folders:
        part, files = folder.name.split("_")[0], files_of_part(folder)
        untouched = [name for name in files if is_code(name) and is_untouched(files[name], folder)]
        own = [name for name in files if is_code(name) and name not in untouched]
        authors = authors_in(text_of(files.get("worksheet.hpp", b"")))
        if not (own or authors or "notebook.csv" in files):
            found.notes.append(f"{part}: not started, so not in the archive")
            continue
        if not authors:
            stop(
                f'{folder.name}/worksheet.hpp has no names: write them there first, question 0: authors = "Ada Lovelace";'
            )
        found.files.update((f"{folder.name}/{name}", content) for name, content in files.items())
        found.notes.extend(notes_of(part, files, untouched))
        found.changed.extend((part, name.rsplit(".", 1)[0]) for name in own)
    return found


def all_authors(files):
    """The authors of all worksheets, without duplicates."""
    texts = [
        authors_in(text_of(content))
        for path, content in files.items()
        if path.endswith("/worksheet.hpp")
    ]
    return list(dict.fromkeys(texts))
