"""Renders data and pictures as one HTML file."""

import re
from pathlib import Path

from collect import collect
from drawn import orbits_picture, pictures_of
from environment import embedded, environment, look, machine_line
from formats import located
from machine_tables import doubtful, machine_tables
from markupsafe import Markup, escape
from missing import ORBIT
from notebook_columns import NAMES
from roofline_text import about_limiters, short_limiter
from rooflines import switches_of, views_of
from whole_file import write_bytes

HERE = Path(__file__).resolve().parent
CEILING_COLUMNS = ["where", "kind", "name", "instruction_set", "lanes", "operation", "level", "precision", "threads", "array_bytes", "unit",
                   "best", "median", "spread", "is_ceiling", "why_not"]
POINT_COLUMNS = ["number", "name", "kind", "precision", "threads", "instruction_set", "interactions_per_s", "flops_per_interaction",
                 "bytes_per_interaction", "compulsory_bytes_per_interaction", "flops_per_s", "intensity", "compulsory_intensity",
                 "roof_flops_per_s", "share_of_roof", "bound_by", "above_roof", "limiter", "share_of_limit"]
SECTIONS = (  # id and template; heading; whether the part has it
    ("implementations", "Implementations", lambda part: part["verdicts"] or part["bench"] or part["notebook"] or part["rooflines"]),
    ("roofline", "Roofline", lambda part: part["rooflines"]),
    ("ladder", "Ladder and scaling", lambda part: part["pictures"].keys() & {"ladder", "sizes", "threads"}),
    ("bound", "Bound of the loop", lambda part: part["bounds"]),
    ("profile", "Where the time goes", lambda part: part["profiles"]),
    ("notebook", "Notebook", lambda part: part["notebook"]),
    ("worksheet", "Worksheet", lambda part: part["worksheet"]),
)


def powers(text):
    """10^9 with a superscript 9."""
    before, power, after = text.partition("10^")
    digits = after.split(" ")[0] if power else ""
    return Markup("{}10<sup>{}</sup>{}").format(before, digits, after[len(digits):]) if power else escape(text)


def typed(text):
    """Text of a source or document, with `code` in a code font."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text or ""))))


def html_of(data, pictures, orbits=(None, "")):
    """`pictures`: {part: {name: SVG}}; `orbits`: (SVG, the run)."""
    templates = environment()
    templates.globals.update(powers=powers, typed=typed, machine_tables=machine_tables, doubtful=doubtful, ceiling_columns=CEILING_COLUMNS,
                             point_columns=POINT_COLUMNS, notebook_columns=NAMES, orbit_command=ORBIT,
                             short_limiter=short_limiter, about_limiters=about_limiters)
    page = located(data)
    for part in page["parts"]:
        part["pictures"] = pictures.get(part["name"], {})
        part["views"], part["switches"] = views_of(part["name"], part["rooflines"]), switches_of(part["rooflines"])
        part["sections"] = [(name, words) for name, words, there in SECTIONS if there(part)]
    return templates.get_template("report.html.j2").render(
        page=page, data=embedded(data), machine_line=machine_line(data["machine"]), orbits=orbits[0], orbits_of=orbits[1], style=look(),
        script=Markup(HERE.joinpath("report.js").read_text(encoding="utf-8")))


# Reads the sources, draws the pictures and writes the page.


def write_page(root, file, parts):
    data, made_from = collect(root, parts)
    pictures = {part["name"]: pictures_of(part, *made_from[part["name"]]) for part in data["parts"]}
    text = html_of(data, pictures, orbits_picture(root))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(file, text.encode("utf-8"))
