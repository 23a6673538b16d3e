"""Copies the documents, as pages, and their pictures into a folder, at the same paths as in the tree.

The students' edition matches the handout: handout_left_out.py and handout_text.py decide for both.
"""

import shutil

from handout_left_out import why_left_out
from handout_text import handed_out_text
from navigation import HOME, INSTRUCTORS, index_of, pages_of, sections_of
from page_text import PageText, list_of, with_cards


def is_students(root):
    """True for a handout, which is a tree without solutions."""
    return not (root / "solutions").is_dir()


def sections_for(root, students):
    """The navigation with only the pages that exist and may be shown."""
    sections = sections_of(lambda path: (root / path).is_file() and not (students and why_left_out(path)))
    return tuple(section for section in sections if not (students and section.name == INSTRUCTORS))


def document(root, path, students):
    text = (root / path).read_text(encoding="utf-8")
    return handed_out_text(text, path.rpartition("/")[0]) if students else text


def write(folder, path, text):
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, encoding="utf-8")


def stage(root, folder, students):
    """Fills `folder`, which is emptied first. Returns the sections of its navigation."""
    shutil.rmtree(folder, ignore_errors=True)
    sections = sections_for(root, students)
    paths = [HOME, *(page.path for page in pages_of(sections))]
    pages = PageText(root, paths)
    for path in paths:
        text = pages.page(document(root, path, students), path)
        write(folder, path, with_cards(text, sections) if path == HOME else text)
    for section in sections:
        write(folder, index_of(section), list_of(section))
    for path in sorted(pages.pictures):
        if (root / path).is_file() and not (students and why_left_out(path)):  # else MkDocs reports the page that wants it
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / path, folder / path)
    return sections
