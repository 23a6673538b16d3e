"""For tests: reads a page as a browser would (elements, ids, links) and reports wrong nesting."""

from html.parser import HTMLParser

INLINE = ("span", "sup", "code", "b", "a", "text", "tspan")
VOID = ("meta", "input", "link", "br", "img", "hr")


class Element:
    def __init__(self, name, attributes, parent):
        self.name, self.attributes, self.parent = name, attributes, parent
        self.children, self.pieces = [], []
        if parent:
            parent.children.append(self)

    def get(self, name, default=""):
        return self.attributes.get(name, default)

    @property
    def classes(self):
        return self.get("class").split()

    def all(self, name="", of_class=""):
        """The elements below, in order."""
        for child in self.children:
            if name in ("", child.name) and (not of_class or of_class in child.classes):
                yield child
            yield from child.all(name, of_class)

    def text(self):
        return "".join(piece if isinstance(piece, str) else piece.text() for piece in self.pieces)

    def words(self):
        """The text as a reader sees it, with blanks between blocks."""
        return " ".join(
            "".join(
                piece
                if isinstance(piece, str)
                else piece.words()
                if piece.name in INLINE
                else f" {piece.words()} "
                for piece in self.pieces
            ).split()
        )


class Page(HTMLParser):
    """`faults`: nesting errors."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = self.here = Element("", {}, None)
        self.faults = []
        self.feed(text)
        self.close()
        if self.here is not self.root:
            self.faults.append(f"<{self.here.name}> is not closed")

    def handle_starttag(self, name, attributes):
        element = Element(name, dict(attributes), self.here)
        self.here.pieces.append(element)
        if name not in VOID:
            self.here = element

    def handle_startendtag(self, name, attributes):
        self.here.pieces.append(Element(name, dict(attributes), self.here))

    def handle_endtag(self, name):
        if name != self.here.name:
            self.faults.append(f"</{name}> at line {self.getpos()[0]} closes <{self.here.name}>")
        elif self.here.parent:
            self.here = self.here.parent

    def handle_data(self, data):
        self.here.pieces.append(data)

    def elements(self, name="", of_class=""):
        return list(self.root.all(name, of_class))

    def by_id(self, wanted):
        return next((one for one in self.root.all() if one.get("id") == wanted), None)
