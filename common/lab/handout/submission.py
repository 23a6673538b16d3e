"""What a student's tree holds that is handed in: found, read and judged as text; nothing is compiled or run here."""

import re
from collections import namedtuple

from handed_in import ROLES, role_of
from messages import stop
from undo import computes_as_naive

Found = namedtuple("Found", "files notes changed")  # {path: bytes}; [sentence]; [(part, name)] of rows that are the student's

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:[^"\\\n]|\\.)*")', re.S)
AUTHORS = re.compile(r'\bauthors\s*=\s*"((?:[^"\\\n]|\\.)*)"')
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"\n]+)"', re.M)
NOT_ANSWERED = re.compile(r'=\s*(?:unanswered|no_choice|"")\s*;')
NOTHING_OF_YOURS = re.compile(r"class Mine : public Naive \{ public: using Naive::Naive; \};")


def without_comments(text):
    """Texts in quotes stay as they are."""
    return COMMENT.sub(lambda match: match[1] or " ", text)


def text_of(content):
    return content.decode("utf-8", "replace")


def authors_in(text):
    """Names as written in a worksheet.hpp, which is not compiled; empty where there are none."""
    found = AUTHORS.search(without_comments(text))
    return " ".join(re.sub(r"\\(.)", r"\1", found[1]).split()) if found else ""


def read(file, role):
    """Its bytes. Refuses what a grader would not take."""
    if file.is_symlink() or not file.is_file():
        stop(f"{file}: is not a plain file: put the file itself there")
    content = file.read_bytes()
    if len(content) > role.largest_bytes:
        stop(f"{file}: has {len(content)} bytes, but at most {role.largest_bytes} are allowed")
    return content


def included_headers(folder, contents):
    """Own headers that these texts include, and those which these include: {name: bytes}."""
    found, waiting = {}, list(contents)
    while waiting:
        for name in INCLUDE.findall(text_of(waiting.pop())):
            role = role_of(name)
            if role and role.name == "header" and name not in found and (folder / name).exists():
                found[name] = read(folder / name, role)
                waiting.append(found[name])
    return found


def files_of_part(folder):
    """{name: bytes} of all that is handed in."""
    names = [file.relative_to(folder).as_posix() for file in sorted([*folder.iterdir(), *folder.glob("notebook/*")])]
    listed = {name: role_of(name) for name in names}
    found = {name: read(folder / name, role) for name, role in listed.items() if role and role.name != "header"}
    return {**found, **included_headers(folder, [content for name, content in found.items() if listed[name].name == "code"])}


def is_untouched(content, folder):
    """The class as it was handed out, or one that replaces nothing."""
    words = " ".join(without_comments(text_of(content)).split())
    return bool(NOTHING_OF_YOURS.search(words)) or computes_as_naive(content, folder)


def notes_of(part, files, untouched):
    """Warnings: what a grader would find missing."""
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
    """All parts together. A part that was never begun is left out: no names, no answers, no code."""
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
            stop(f"{folder.name}/worksheet.hpp has no names: write them there first, question 0: authors = \"Ada Lovelace\";")
        found.files.update((f"{folder.name}/{name}", content) for name, content in files.items())
        found.notes.extend(notes_of(part, files, untouched))
        found.changed.extend((part, name.rsplit(".", 1)[0]) for name in own)
    return found


def all_authors(files):
    """The authors in every worksheet, each text once."""
    texts = [authors_in(text_of(content)) for path, content in files.items() if path.endswith("/worksheet.hpp")]
    return list(dict.fromkeys(texts))
