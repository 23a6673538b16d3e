"""Reads the sources, draws the pictures and writes the page."""

from collect import collect
from drawn import orbits_picture, pictures_of
from render import html_of
from whole_file import write_bytes


def write_page(root, file, parts):
    data, made_from = collect(root, parts)
    pictures = {part["name"]: pictures_of(part, *made_from[part["name"]]) for part in data["parts"]}
    text = html_of(data, pictures, orbits_picture(root))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(file, text.encode("utf-8"))
