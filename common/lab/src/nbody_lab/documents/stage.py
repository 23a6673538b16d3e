"""Copies the documents, as pages, and their pictures into a folder, at the same paths as in the tree.

The students' edition matches the handout: handout/left_out.py decides for both.
"""

import os
import posixpath
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nbody_lab.documents.navigation import HOME, INSTRUCTORS, Section, read_sections
from nbody_lab.handout.left_out import handed_out_text, why_left_out

_FENCE = re.compile(r"(```+)\s*(\w*)")
_TOKEN = re.compile(
    r"(?P<picture>!)?\[(?P<text>(?:`[^`]*`|[^\]`])*)\]\((?P<target>[^()\s]+)\)"
    r"|(?<!`)`(?P<code>[^`]+)`(?!`)"
)
_DOCUMENT = re.compile(r"[\w./-]+\.md")
_COMMENT = re.compile(r"<!--.*-->")
_HIDE_NAVIGATION = "---\nhide: [navigation]\n---\n\n"


def split_blocks(text: str) -> Iterator[tuple[bool, list[str]]]:
    """(is it prose?, lines) for each block of a document. Fenced and indented code is not prose."""
    block: list[str] = []
    fence, prose, before = "", True, ""
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        indented = line.startswith("    ") and (not before.strip() or not prose)
        code = bool(fence or opening or indented)
        if code == prose and block:
            yield prose, block
            block = []
        prose = not code
        block.append(line)
        if fence:
            fence = "" if line.strip() == fence else fence
        elif opening:
            fence = opening[1]
        before = line
    yield prose, block


class PageText:
    """Turns documents into the text of pages: links lead to pages, other paths become plain code. `pages`: paths of all
    pages; `root`: folder of the documents and pictures. `pictures` collects the pictures that pages show."""

    def __init__(self, root: Path, pages: Iterable[str]) -> None:
        self.root, self.pages = root, set(pages)
        self.pictures: set[str] = set()

    def convert(self, text: str, path: str) -> str:
        """The page's text. `path`: of the document, from the root."""
        converted = []
        for is_prose, lines in split_blocks(text):
            if is_prose:
                converted.append(self._convert_prose("\n".join(lines), path))
                continue
            first = lines[0]
            if first.startswith("```"):  # without the words after the language
                first = _FENCE.sub(r"\1\2", first.split(" ")[0])
            converted.append("\n".join([first, *lines[1:]]))
        return "\n".join(converted)

    def _convert_prose(self, text: str, path: str) -> str:
        folder = posixpath.dirname(path)

        def convert_token(found: re.Match[str]) -> str:
            if found["target"]:
                return self._convert_link(found, folder)
            page = self._find_page(found["code"], folder)
            if not page or page == path:
                return found[0]
            return f"[{found[0]}]({os.path.relpath(page, folder or '.')})"

        text = "\n".join(line for line in text.split("\n") if not _COMMENT.fullmatch(line))
        return _TOKEN.sub(convert_token, text).replace("<details>", '<details markdown="1">')

    def _convert_link(self, found: re.Match[str], folder: str) -> str:
        """A link or picture as written on the page."""
        target = found["target"].partition("#")[0]
        if ":" in target or not target:
            return found[0]
        path = _resolve(folder, target)
        if found["picture"]:
            self.pictures.add(path)
        if path.startswith("docs/pictures/"):  # a recording, which plays in a browser
            self.pictures.add(path)
            return found[0]
        # What is dead stays, so that MkDocs reports it.
        if found["picture"] or path in self.pages or not (self.root / path).exists():
            return found[0]
        return found["text"] if "`" in found["text"] else f"{found['text']} (`{path}`)"

    def _find_page(self, name: str, folder: str) -> str | None:
        """The page that `name` refers to, looked up beside the document, from the root and in docs/."""
        if not _DOCUMENT.fullmatch(name):
            return None
        meant = (_resolve(start, name) for start in (folder, "", "docs"))
        return next((path for path in meant if path in self.pages), None)


def _resolve(folder: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(folder, name))


def add_cards(text: str, sections: Sequence[Section]) -> str:
    """The home page with the cards of all sections before its first heading."""
    begin, heading, rest = text.partition("\n## ")
    cards = "\n".join(
        f"- **[{section.title}]({section.index})**\n\n    {section.what}\n" for section in sections
    )
    grid = f'<div class="grid cards" markdown>\n\n{cards}\n\n</div>\n'
    return f"{_HIDE_NAVIGATION}{begin}\n{grid}{heading}{rest}"


def _list_pages(section: Section) -> str:
    """The text of the page that lists a section's pages."""
    lines = [f"# {section.title}", "", section.what]
    for group in section.groups:
        lines += ["", f"## {group.title}", "", "| page | what it is |", "|---|---|"]
        lines += [f"| [{page.title}]({page.path}) | {page.what} |" for page in group.pages]
    return "\n".join([*lines, ""])


def is_handed_out(root: Path) -> bool:
    """True for a handout, which is a tree without solutions."""
    return not (root / "solutions").is_dir()


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def stage(root: Path, folder: Path, for_students: bool) -> list[Section]:
    """Fills `folder`, which is emptied first. Returns the sections of its navigation: only what exists and may be
    shown."""

    def is_shown(path: str) -> bool:
        return (root / path).is_file() and not (for_students and why_left_out(path))

    shutil.rmtree(folder, ignore_errors=True)
    sections = read_sections(is_shown)
    if for_students:
        sections = [section for section in sections if section.name != INSTRUCTORS]
    paths = [HOME, *(page.path for section in sections for page in section.pages)]
    pages = PageText(root, paths)
    for path in paths:
        text = (root / path).read_text(encoding="utf-8")
        if for_students:
            text = handed_out_text(text, posixpath.dirname(path))
        text = pages.convert(text, path)
        _write(folder / path, add_cards(text, sections) if path == HOME else text)
    for section in sections:
        _write(folder / section.index, _list_pages(section))
    for path in filter(is_shown, pages.pictures):  # MkDocs reports a page that wants another
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, folder / path)
    return sections
