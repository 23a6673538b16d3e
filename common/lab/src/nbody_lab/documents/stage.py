"""Copies the documents, as pages, and their pictures into a folder, at the same paths as in the tree.

The students' edition matches the handout: handout/left_out.py decides for both.
"""

import os
import posixpath
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from nbody_lab.documents.navigation import HOME, INSTRUCTORS, Section, read_sections
from nbody_lab.handout.left_out import handed_out_text, why_left_out

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.S)
_FENCE = re.compile(r"(```+)\s*(\w*)")
_TOKEN = re.compile(
    r"\[(?P<badge>!\[[^\]]*\]\((?P<drawn>[^():\s]+)\))\]\((?P<address>https://[^()\s]+)\)"
    r"|(?P<picture>!)?\[(?P<text>(?:`[^`]*`|[^\]`])*)\]\((?P<target>[^()\s]+)\)"
    r"|(?<!`)`(?P<code>[^`]+)`(?!`)"
)
_DOCUMENT = re.compile(r"[\w./-]+\.md")
_COMMENT = re.compile(r"<!--.*-->")
_LANGUAGES = ("console", "cpp", "json", "math")
# A picture in a paragraph of its own.
_OWN_PICTURE = re.compile(r"^<a href=.*>!\[.*</a>\n\n", re.M)
_NO_CONTENTS = "---\nhide-toc: true\n---"
AS_IS = "as_is"  # what is copied as it is: recordings, which play in a browser


def staged(path: str) -> str:
    """Where a document stands in the folder: that of a folder is its index."""
    return (
        posixpath.join(posixpath.dirname(path), "index.md") if path.endswith("README.md") else path
    )


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
    """Turns documents into the text of pages: links lead to pages and are named by their titles, other paths become plain
    code. `titles`: of all pages by their paths; `root`: folder of the documents and pictures. `pictures` collects the
    pictures that pages show, and notebooks, which they give to save."""

    def __init__(self, root: Path, titles: Mapping[str, str]) -> None:
        self.root, self.titles = root, titles
        self.pictures: set[str] = set()

    def convert(self, text: str, path: str) -> str:
        """The page's text. `path`: of the document, from the root."""
        blocks = list(split_blocks(_FRONT_MATTER.sub("", text)))
        if sum(line.startswith("# ") for prose, lines in blocks if prose for line in lines) > 1:
            blocks = [
                (prose, ["#" * (prose and line.startswith("#")) + line for line in lines])
                for prose, lines in blocks
            ]
            blocks.insert(0, (True, [f"# {self.titles[path]}", ""]))  # a page has one title
        converted = []
        for is_prose, lines in blocks:
            if is_prose:
                converted.append(self._convert_prose("\n".join(lines), path))
                continue
            first = lines[0]
            if fence := _FENCE.match(
                first
            ):  # a language that Pygments knows, and no words after it
                first = fence[1] + (fence[2] if fence[2] in _LANGUAGES else "text")
            converted.append("\n".join([first, *lines[1:]]))
        return "\n".join(converted)

    def _convert_prose(self, text: str, path: str) -> str:
        folder = posixpath.dirname(path)

        def convert_token(found: re.Match[str]) -> str:
            if found["badge"]:  # a picture that leads elsewhere
                self.pictures.add(_resolve(folder, found["drawn"]))
                return f'<a href="{found["address"]}">{found["badge"]}</a>'
            if found["target"]:
                return self._convert_link(found, folder)
            page = self._find_page(found["code"], folder)
            if not page or page == path:
                return found[0]
            return self._link(self.titles[page], page, folder)

        text = "\n".join(line for line in text.split("\n") if not _COMMENT.fullmatch(line))
        return _TOKEN.sub(convert_token, text)

    def _link(self, text: str, page: str, folder: str, anchor: str = "") -> str:
        return f"[{text}]({os.path.relpath(staged(page), folder or '.')}{anchor})"

    def _convert_link(self, found: re.Match[str], folder: str) -> str:
        """A link or picture as written on the page."""
        target, mark, anchor = found["target"].partition("#")
        if ":" in target or not target:
            return found[0]
        path = _resolve(folder, target)
        exists = (self.root / path).exists()
        if found["picture"] or (exists and path.startswith("docs/pictures/")):
            self.pictures.add(path)
            # A picture leads to itself, to be seen larger on a phone; Sphinx puts it into _images.
            own = os.path.relpath(f"_images/{posixpath.basename(path)}", folder or ".")
            to, shown = (own, found[0]) if found["picture"] else (target, found["text"])
            recording = posixpath.splitext(path)[0] + ".html"
            if found["picture"] and (self.root / recording).exists():  # a film that can be turned
                self.pictures.add(recording)
                to, shown = (
                    os.path.relpath(recording, folder or "."),
                    f"{found[0]} Rotate it yourself",
                )
            return f'<a href="{to}">{shown}</a>'
        if exists and path.endswith(".ipynb"):  # to be saved, and opened elsewhere
            self.pictures.add(path)
            return f"{{download}}`{found['text']} <{os.path.relpath(path, folder or '.')}>`"
        if path in self.titles:
            is_name = _DOCUMENT.fullmatch(found["text"].strip("`"))
            return self._link(
                self.titles[path] if is_name else found["text"], path, folder, mark + anchor
            )
        if not exists:  # what is dead stays, so that Sphinx reports it
            return found[0]
        if found["text"] == target:
            return f"`{target}`"
        return found["text"] if "`" in found["text"] else f"{found['text']} (`{path}`)"

    def _find_page(self, name: str, folder: str) -> str | None:
        """The page that `name` refers to, looked up beside the document, from the root and in docs/."""
        if not _DOCUMENT.fullmatch(name):
            return None
        meant = (_resolve(start, name) for start in (folder, "", "docs"))
        return next((path for path in meant if path in self.titles), None)


def _resolve(folder: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(folder, name))


def first_page(text: str, sections: Sequence[Section]) -> str:
    """The home page: its pictures come right after its first paragraph; a list of all pages ends it."""
    pictures = [found[0] for found in _OWN_PICTURE.finditer(text)]
    title, first, rest = _OWN_PICTURE.sub("", text).split("\n\n", 2)
    shown = "\n\n".join(f"<div>\n\n{picture.strip()}\n\n</div>" for picture in pictures)
    parts = [title, first, f'<div class="first">\n\n{shown}\n\n</div>', rest.rstrip()]
    for section in sections:
        parts += [f"## {section.title}", section.what]
        for group in section.groups:
            rows = [
                f"| [{page.title}]({staged(page.path)}) | {page.what} |" for page in group.pages
            ]
            parts.append("\n".join([f"| {group.title} | |", "|---|---|", *rows]))
    for section in sections:
        for group in section.groups:
            pages = [f"{page.title} <{staged(page.path)[:-3]}>" for page in group.pages]
            parts.append(
                "\n".join(
                    ["```{toctree}", ":hidden:", f":caption: {group.title}", "", *pages, "```"]
                )
            )
    return "\n\n".join([_NO_CONTENTS, *parts, ""])


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
    (folder / AS_IS).mkdir(parents=True)
    sections = read_sections(is_shown)
    if for_students:
        sections = [section for section in sections if section.name != INSTRUCTORS]
    titles = {page.path: page.title for section in sections for page in section.pages}
    pages = PageText(root, {HOME: "the first page", **titles})
    for path in pages.titles:
        text = (root / path).read_text(encoding="utf-8")
        if for_students:
            text = handed_out_text(text, posixpath.dirname(path))
        text = pages.convert(text, path)
        _write(folder / staged(path), first_page(text, sections) if path == HOME else text)
    for path in filter(is_shown, pages.pictures):  # Sphinx reports a page that wants another
        copy = folder / (AS_IS if path.endswith(".html") else "") / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, copy)
    return sections
