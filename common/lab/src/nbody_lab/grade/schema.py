"""Describes a JSON document as data and reports what is wrong with one, and in which line.

A schema is TEXT, NUMBER or another key of IS_OF; a tuple of allowed values; a list with the schema of its elements; a
dict with the schema of each key, where a key ending in ? is optional; Maybe: null is allowed, too; MapOf: an object
whose keys are names.
"""

import json
import math
import re
from collections import namedtuple

from nbody_lab.core.words import nearest

TEXT, NUMBER, WHOLE, TRUTH = "a text", "a number", "a whole number", "true or false"
COUNT, COUNT_OR_ALL = "a whole number, at least 1", 'a whole number, at least 1, or "all"'
Maybe = namedtuple("Maybe", "schema")
MapOf = namedtuple("MapOf", "schema")


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


IS_OF = {
    TEXT: lambda value: isinstance(value, str),
    NUMBER: lambda value: (
        isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    ),
    WHOLE: is_whole,
    COUNT: lambda value: is_whole(value) and value > 0,
    COUNT_OR_ALL: lambda value: value == "all" or (is_whole(value) and value > 0),
    TRUTH: lambda value: isinstance(value, bool),
}


def keys_of(schema):
    """{name: (its schema, is it optional?)}"""
    return {key.rstrip("?"): (of_key, key.endswith("?")) for key, of_key in schema.items()}


def problems_of_object(value, known, path):
    """`known`: {name: (schema, is it optional?)}"""
    for name in value:
        if name not in known:
            yield (
                (*path, name),
                f"'{name}' is not known here{nearest(name, known) or '; there are ' + ', '.join(known)}",
            )
    for name, (of_key, may_be_missing) in known.items():
        if name in value:
            yield from problems_at(value[name], of_key, (*path, name))
        elif not may_be_missing:
            yield path, f"'{name}' is missing"


def of_type(value, kind, words, path):
    """[] for a `kind`, else [problem]."""
    return [] if isinstance(value, kind) else [(path, f"must be {words}")]


def problems_at(value, schema, path=()):
    """Yields (path, what is wrong); a path is the keys and indices that lead to a value."""
    if isinstance(schema, Maybe):
        if value is not None:
            yield from problems_at(value, schema.schema, path)
    elif isinstance(schema, (MapOf, dict)):
        yield from of_type(value, dict, "an object: { ... }", path)
        if isinstance(value, dict):
            known = (
                dict.fromkeys(value, (schema.schema, False))
                if isinstance(schema, MapOf)
                else keys_of(schema)
            )
            yield from problems_of_object(value, known, path)
    elif isinstance(schema, list):
        yield from of_type(value, list, "a list: [ ... ]", path)
        for place, one in enumerate(value if isinstance(value, list) else []):
            yield from problems_at(one, schema[0], (*path, place))
    elif isinstance(schema, tuple):
        if not any(value == one and type(value) is type(one) for one in schema):
            close = (
                nearest(value, [one for one in schema if isinstance(one, str)])
                if isinstance(value, str)
                else ""
            )
            yield path, f"must be {' or '.join(map(repr, schema))}{close}"
    elif not IS_OF[schema](value):
        yield path, f"must be {schema}"


def path_text(path):
    """parts.part1.rows[2].name"""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def field_names(schema):
    """The names of all keys in a schema, in order, without duplicates; keys of a MapOf belong to the document."""
    if isinstance(schema, (Maybe, MapOf)):
        return field_names(schema.schema)
    if isinstance(schema, list):
        return field_names(schema[0])
    if not isinstance(schema, dict):
        return []
    names = [
        name for key, of_key in schema.items() for name in (key.rstrip("?"), *field_names(of_key))
    ]
    return list(dict.fromkeys(names))


# JSON with the line of each key and element, so that an error message can name it.
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
            raise BadJson(
                line, f"'{name}' is given twice: first in line {self.lines[(*path, name)]}"
            )
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
        raise BadJson(
            fault.lineno,
            f"not valid JSON: {fault.msg[0].lower()}{fault.msg[1:]}, in column {fault.colno}",
        ) from None
    except ValueError as fault:
        word = str(fault)
        line = next((k for k, one in enumerate(text.split("\n"), 1) if word in one), 1)
        raise BadJson(line, f"{word} is not a JSON number") from None
    except RecursionError:
        raise BadJson(1, "nested too deeply") from None
    return value, walk.lines
