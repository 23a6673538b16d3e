"""Makes slides of Markdown as Marp reads it: one HTML file that opens from disk, with its pictures inside.

    make_slides.py [FILE.md [FILE.html]]     docs/instructor/first_lecture.md, build/slides/first_lecture.html

A line --- parts two slides; a first slide without a heading (marp: true) is left out. The last comment of a slide is what
the speaker says.
"""

import base64
import mimetypes
import re
import sys
from collections import namedtuple
from pathlib import Path

from nbody_lab import ROOT

SOURCE, OUT = ROOT / "docs/instructor/first_lecture.md", ROOT / "build/slides/first_lecture.html"
COMMENT = re.compile(r"<!--(.*?)-->", re.S)
TABLE_MARK = re.compile(r"<!-- (table \w+|end of table) -->\n?")
Slide = namedtuple("Slide", "text notes")  # both Markdown


class BadSlides(Exception):
    """What is wrong with a file of slides, in one line."""


def slides_of(text):
    """[Slide] for every slide with a heading."""
    texts = [TABLE_MARK.sub("", piece) for piece in re.split(r"^---\n", text, flags=re.M)]
    found = [
        Slide(COMMENT.sub("", one).strip(), (COMMENT.findall(one) or [""])[-1].strip())
        for one in texts
    ]
    return [one for one in found if re.search(r"^# ", one.text, re.M)]


def with_pictures(html, folder):
    """Embeds the pictures in the page."""

    def embedded(found):
        file = folder / found[1]
        if not file.is_file():
            raise BadSlides(f"there is no picture {found[1]}")
        kind = mimetypes.guess_type(file.name)[0]
        return f'src="data:{kind};base64,{base64.b64encode(file.read_bytes()).decode()}"'

    return re.sub(r'src="([^"]*)"', embedded, html)


def page_of(source):
    from jinja2 import Template  # pylint: disable=import-outside-toplevel
    from markdown_it import MarkdownIt  # pylint: disable=import-outside-toplevel

    slides = slides_of(source.read_text(encoding="utf-8"))
    if not slides:
        raise BadSlides("no slide in it begins with '# '")
    markdown = MarkdownIt().enable("table")
    shown = [
        {name: markdown.render(text) for name, text in one._asdict().items()} for one in slides
    ]
    template = (ROOT / "docs/slides.html.j2").read_text(encoding="utf-8")
    return with_pictures(
        Template(template).render(slides=shown, title=slides[0].text.splitlines()[0].strip("# ")),
        source.parent,
    )


def main(arguments):
    if len(arguments) > 2 or any(one.startswith("-") for one in arguments):
        print("usage: make_slides.py [FILE.md [FILE.html]]", file=sys.stderr)
        return 2
    source, out = [Path(one) for one in arguments] + [SOURCE, OUT][len(arguments) :]
    try:
        page = page_of(source)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(page, encoding="utf-8")
    except (BadSlides, OSError, UnicodeDecodeError) as fault:
        print(f"make_slides: {source}: {fault}", file=sys.stderr)
        return 2
    print(f"{out}: {page.count('<section')} slides")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
