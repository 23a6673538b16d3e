"""Copies the documents, as pages, and their pictures into a folder, at the same paths as in the tree.

The students' edition matches the handout: handout_left_out.py decides for both.
"""

import os
import posixpath
import re
import shutil

from nbody_lab.documents.navigation import HOME, INSTRUCTORS, index_of, pages_of, sections_of
from nbody_lab.handout.left_out import handed_out_text, why_left_out

# Turns a document into the text of a page: links lead to pages, other paths become plain code.
FENCE = re.compile(r"(```+)\s*(\w*)")
TOKEN = re.compile(
    r"(?P<picture>!)?\[(?P<text>(?:`[^`]*`|[^\]`])*)\]\((?P<target>[^()\s]+)\)|(?<!`)`(?P<code>[^`]+)`(?!`)"
)
DOCUMENT = re.compile(r"[\w./-]+\.md")
COMMENT = re.compile(r"<!--.*-->")
HOME_PAGE = "---\nhide: [navigation]\n---\n\n"
CARDS = '<div class="grid cards" markdown>\n\n{}\n\n</div>'


def blocks(text):
    """Yields (is it prose?, lines) for each block of a document. Fenced and indented code is not prose."""
    fence, kept, prose, before = "", [], True, ""
    for line in text.split("\n"):
        opening = FENCE.match(line)
        code = (
            bool(fence)
            or bool(opening)
            or (line.startswith("    ") and (not before.strip() or not prose))
        )
        if code == prose and kept:
            yield prose, kept
            kept = []
        prose = not code
        kept.append(line)
        if fence:
            fence = "" if line.strip() == fence else fence
        elif opening:
            fence = opening[1]
        before = line
    yield prose, kept


class PageText:
    """`pages`: paths of all pages; `root`: folder of the documents and pictures. `pictures` collects the pictures that
    pages show."""

    def __init__(self, root, pages):
        self.root, self.pages, self.pictures = root, set(pages), set()

    def path_of(self, name, folder):
        """The path of a link target, relative to the document's folder."""
        return posixpath.normpath(posixpath.join(folder, name))

    def page_named(self, name, folder):
        """The page that `name` refers to, looked up beside the document, from the root and in docs/. Empty if there is
        none."""
        if not DOCUMENT.fullmatch(name):
            return ""
        meant = (self.path_of(name, folder), self.path_of(name, ""), self.path_of(name, "docs"))
        return next((path for path in meant if path in self.pages), "")

    def link(self, found, folder):
        """A link or picture as written on the page."""
        target, _, anchor = found["target"].partition("#")
        if ":" in target or not target:
            return found[0]
        path = self.path_of(target, folder)
        if found["picture"]:
            self.pictures.add(path)
            return found[0]
        if path in self.pages:
            return f"[{found['text']}]({target}{'#' + anchor if anchor else ''})"
        if not (self.root / path).exists():
            return found[0]  # dead: MkDocs reports it
        if "`" in found["text"]:
            return found["text"]
        return f"{found['text']} (`{path}`)"

    def prose(self, text, path):
        folder = posixpath.dirname(path)

        def replaced(found):
            if found["target"]:
                return self.link(found, folder)
            page = "" if "\n\n" in found["code"] else self.page_named(found["code"], folder)
            if not page or page == path:
                return found[0]
            return f"[{found[0]}]({os.path.relpath(page, folder or '.')})"

        text = "\n".join(line for line in text.split("\n") if not COMMENT.fullmatch(line))
        return TOKEN.sub(replaced, text).replace("<details>", '<details markdown="1">')

    def page(self, text, path):
        """The page's text. `path`: of the document, from the root."""
        made = []
        for prose, lines in blocks(text):
            if prose:
                made.append(self.prose("\n".join(lines), path))
            else:
                first = (
                    FENCE.sub(r"\1\2", lines[0].split(" ")[0])
                    if lines[0].startswith("```")
                    else lines[0]
                )
                made.append("\n".join([first, *lines[1:]]))
        return "\n".join(made)


def with_cards(text, sections):
    """The home page with the cards of all sections after its first paragraph."""
    title, first, rest = text.split("\n\n", 2)
    cards = "\n".join(
        f"- **[{section.title}]({section.name}.md)**\n\n    {section.what}\n"
        for section in sections
    )
    return "\n\n".join((HOME_PAGE + title, first, CARDS.format(cards), rest))


def list_of(section):
    """The text of the page that lists a section's pages."""
    lines = [f"# {section.title}", "", section.what]
    for group in section.groups:
        lines += ["", f"## {group.title}", "", "| page | what it is |", "|---|---|"]
        lines += [f"| [{page.title}]({page.path}) | {page.what} |" for page in group.pages]
    return "\n".join([*lines, ""])


def is_students(root):
    """True for a handout, which is a tree without solutions."""
    return not (root / "solutions").is_dir()


def sections_for(root, students):
    """The navigation with only the pages that exist and may be shown."""
    sections = sections_of(
        lambda path: (root / path).is_file() and not (students and why_left_out(path))
    )
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
        if (root / path).is_file() and not (
            students and why_left_out(path)
        ):  # else MkDocs reports the page that wants it
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / path, folder / path)
    return sections
