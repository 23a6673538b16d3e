"""JSON with the line of each key and element, so that an error message can name it."""

import json
import re

BLANK = re.compile(r"[ \t\n\r]*")
SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,:\[\]{}]+', re.DOTALL)


class BadJson(Exception):
    """What is wrong, and in which line."""

    def __init__(self, line, what):
        super().__init__(what)
        self.line = line


class Walk:
    """Walks over text that json has already accepted: only positions are missing."""

    def __init__(self, text):
        self.text, self.at, self.lines = text, 0, {(): 1}

    def next(self):
        """The next non-blank character."""
        self.at = BLANK.match(self.text, self.at).end()
        return self.text[self.at]

    def line(self):
        return self.text.count("\n", 0, self.at) + 1

    def scalar(self):
        self.next()
        found = SCALAR.match(self.text, self.at)
        self.at = found.end()
        return found[0]

    def key(self, path, seen):
        self.next()
        line, name = self.line(), json.loads(self.scalar())
        if name in seen:
            raise BadJson(line, f"'{name}' is given twice: first in line {self.lines[(*path, name)]}")
        seen.add(name)
        self.lines[(*path, name)] = line
        self.next()
        self.at += 1  # the colon
        return name

    def value(self, path):
        first = self.next()
        if first not in "{[":
            self.scalar()
            return
        end, place, seen = "}" if first == "{" else "]", 0, set()
        self.at += 1
        while self.next() != end:
            if self.text[self.at] == ",":
                self.at += 1
            elif first == "{":
                self.value((*path, self.key(path, seen)))
            else:
                self.lines[(*path, place)] = self.line()
                self.value((*path, place))
                place += 1
        self.at += 1


def no_number(word):
    raise ValueError(word)


def parsed(text):
    """(value, {path: line}). A path is the keys and indices that lead to a value. Raises BadJson."""
    try:
        value = json.loads(text, parse_constant=no_number)
        walk = Walk(text)
        walk.value(())
    except json.JSONDecodeError as fault:
        raise BadJson(fault.lineno, f"not valid JSON: {fault.msg[0].lower()}{fault.msg[1:]}, in column {fault.colno}") from None
    except ValueError as fault:
        word = str(fault)
        line = next((k for k, one in enumerate(text.split("\n"), 1) if word in one), 1)
        raise BadJson(line, f"{word} is not a JSON number") from None
    except RecursionError:
        raise BadJson(1, "nested too deeply") from None
    return value, walk.lines
