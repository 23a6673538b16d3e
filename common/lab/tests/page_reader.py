"""For tests: reads a page as a browser would (elements, ids, links) and reports wrong nesting."""

from html.parser import HTMLParser
from xml.etree import ElementTree

INLINE = ("span", "sup", "code", "b", "a", "text", "tspan")
VOID = ("meta", "input", "link", "br", "img", "hr")


class Element(ElementTree.Element):
    name = property(lambda self: self.tag)

    def all(self, name=None):
        """The elements below, in order."""
        return (one for one in self.iter(name) if one is not self)

    def pieces(self):
        """Its texts, with blanks around blocks."""
        blank = "" if self.tag in INLINE else " "
        yield from (blank, self.text or "")
        for child in self:
            yield from (*child.pieces(), child.tail or "")
        yield blank

    def words(self):
        """The text as a reader sees it."""
        return " ".join("".join(self.pieces()).split())


class Page(HTMLParser):
    """`faults`: nesting errors."""

    def __init__(self, text):
        super().__init__()
        self.builder, self.open, self.faults = ElementTree.TreeBuilder(Element), [], []
        self.handle_data = self.builder.data
        self.root = self.builder.start("page", {})
        self.feed(text)
        self.faults += [f"<{name}> is not closed" for name in self.open]

    def handle_starttag(self, name, attributes):
        self.builder.start(name, dict(attributes))
        self.open.append(name)
        if name in VOID:
            self.handle_endtag(name)

    def handle_endtag(self, name):
        if not self.open or name != self.open.pop():
            self.faults.append(f"</{name}> at line {self.getpos()[0]}")
        self.builder.end(name)

    def elements(self, name=None):
        return list(self.root.all(name))

    def by_id(self, wanted):
        return next((one for one in self.root.all() if one.get("id") == wanted), None)
