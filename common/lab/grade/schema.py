"""Describes a JSON document as data and reports what is wrong with one.

A schema is TEXT, NUMBER or another key of IS_OF; a tuple of allowed values; a list with the schema of its elements; a
dict with the schema of each key, where a key ending in ? is optional; Maybe: null is allowed, too; MapOf: an object
whose keys are names.
"""

import math
from collections import namedtuple

from words import nearest

TEXT, NUMBER, WHOLE, TRUTH = "a text", "a number", "a whole number", "true or false"
COUNT, COUNT_OR_ALL = "a whole number, at least 1", 'a whole number, at least 1, or "all"'
Maybe = namedtuple("Maybe", "schema")
MapOf = namedtuple("MapOf", "schema")



def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


IS_OF = {
    TEXT: lambda value: isinstance(value, str),
    NUMBER: lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value),
    WHOLE: is_whole,
    COUNT: lambda value: is_whole(value) and value > 0,
    COUNT_OR_ALL: lambda value: value == "all" or is_whole(value) and value > 0,
    TRUTH: lambda value: isinstance(value, bool),
}


def keys_of(schema):
    """{name: (its schema, is it optional?)}"""
    return {key.rstrip("?"): (of_key, key.endswith("?")) for key, of_key in schema.items()}


def problems_of_object(value, known, path):
    """`known`: {name: (schema, is it optional?)}"""
    for name in value:
        if name not in known:
            yield (*path, name), f"'{name}' is not known here{nearest(name, known) or '; there are ' + ', '.join(known)}"
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
            known = dict.fromkeys(value, (schema.schema, False)) if isinstance(schema, MapOf) else keys_of(schema)
            yield from problems_of_object(value, known, path)
    elif isinstance(schema, list):
        yield from of_type(value, list, "a list: [ ... ]", path)
        for place, one in enumerate(value if isinstance(value, list) else []):
            yield from problems_at(one, schema[0], (*path, place))
    elif isinstance(schema, tuple):
        if not any(value == one and type(value) is type(one) for one in schema):
            close = nearest(value, [one for one in schema if isinstance(one, str)]) if isinstance(value, str) else ""
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
    names = [name for key, of_key in schema.items() for name in (key.rstrip("?"), *field_names(of_key))]
    return list(dict.fromkeys(names))
