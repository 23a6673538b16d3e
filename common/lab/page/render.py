"""From data and pictures to one HTML file: templates by jinja2, with everything escaped that a student typed."""

import json
from pathlib import Path

import jinja2
import theme
from formats import NOTHING, count, csv_link, day, figure, located, percent, size, times
from machine_tables import doubtful, machine_tables
from markupsafe import Markup, escape
from missing import ORBIT
from notebook_columns import NAMES
from rooflines import switches_of, views_of

HERE = Path(__file__).resolve().parent
CEILING_COLUMNS = ["where", "kind", "name", "instruction_set", "lanes", "operation", "level", "precision", "threads", "array_bytes", "unit",
                   "best", "median", "spread", "is_ceiling", "why_not"]
POINT_COLUMNS = ["number", "name", "kind", "precision", "threads", "instruction_set", "interactions_per_s", "flops_per_interaction",
                 "bytes_per_interaction", "compulsory_bytes_per_interaction", "flops_per_s", "intensity", "compulsory_intensity",
                 "roof_flops_per_s", "share_of_roof", "bound_by", "above_roof", "limiter", "share_of_limit"]
SECTIONS = (  # id and template; its words; whether the part has it
    ("implementations", "Implementations", lambda part: part["verdicts"] or part["bench"] or part["notebook"]),
    ("roofline", "Roofline", lambda part: part["rooflines"]),
    ("ladder", "Ladder and scaling", lambda part: part["pictures"].keys() & {"ladder", "sizes", "threads"}),
    ("bound", "Bound of the loop", lambda part: part["bounds"]),
    ("profile", "Where the time goes", lambda part: part["profiles"]),
    ("notebook", "Notebook", lambda part: part["notebook"]),
    ("worksheet", "Worksheet", lambda part: part["worksheet"]),
)
GOOD = ("passed", "right", "as expected", "more than expected", "fails as expected", "noted")
BAD = ("failed", "wrong", "passed, but should fail")


def mark_of(verdict):
    """The class that a verdict is shown with."""
    verdict = verdict.lower()
    return "good" if verdict in GOOD else "bad" if verdict.startswith(BAD) else "open"


def powers(text):
    """10^9 with a raised 9."""
    before, power, after = text.partition("10^")
    digits = after.split(" ")[0] if power else ""
    return Markup("{}10<sup>{}</sup>{}").format(before, digits, after[len(digits):]) if power else escape(text)


def embedded(data):
    """JSON that ends no script element, whatever it holds."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def machine_line(machine):
    """The machine in one line."""
    if not machine.get("cpu"):
        return "a machine that nobody has measured yet"
    cores = machine.get("cores")
    words = [machine["cpu"], f"{cores:.0f} core{'' if cores == 1 else 's'}" if cores else "",
             f"{machine['clock_hz'] / 1e9:.2f} GHz" if machine.get("clock_hz") else "", machine.get("compiler", ""), machine.get("system", "")]
    return " · ".join(word for word in words if word)


def html_of(data, pictures, orbits=(None, "")):
    """`pictures`: {part: {name: SVG}}; `orbits`: (SVG, the run)."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.ChainableUndefined)
    environment.globals.update(
        csv_link=csv_link, count=count, day=day, figure=figure, percent=percent, size=size, times=times, NOTHING=NOTHING, powers=powers,
        mark_of=mark_of, machine_tables=machine_tables, doubtful=doubtful, ceiling_columns=CEILING_COLUMNS, point_columns=POINT_COLUMNS,
        notebook_columns=NAMES, orbit_command=ORBIT)
    page = located(data)
    for part in page["parts"]:
        part["pictures"] = pictures.get(part["name"], {})
        part["views"], part["switches"] = views_of(part["name"], part["rooflines"]), switches_of(part["rooflines"])
        part["sections"] = [(name, words) for name, words, there in SECTIONS if there(part)]
    return environment.get_template("report.html.j2").render(
        page=page, data=embedded(data), machine_line=machine_line(data["machine"]), orbits=orbits[0], orbits_of=orbits[1],
        colours=Markup(theme.page_sheet()), style=Markup(HERE.joinpath("report.css").read_text(encoding="utf-8")),
        script=Markup(HERE.joinpath("report.js").read_text(encoding="utf-8")))
