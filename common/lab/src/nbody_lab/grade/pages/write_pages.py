"""Writes OUT/index.html and OUT/students/NAME.html from measurements and scores, reading one submission at a time."""

import base64
import hashlib
from pathlib import Path

from markupsafe import Markup

from nbody_lab.core import whole_file
from nbody_lab.draw import theme
from nbody_lab.draw.sheet import Sheet, inline_svg
from nbody_lab.grade.feedback import points_text
from nbody_lab.grade.pages.class_rows import class_data, row_of, student_data
from nbody_lab.grade.results import read_evidence, read_measured, read_results
from nbody_lab.page.environment import (
    NOTHING,
    Figure,
    count,
    embedded,
    environment,
    figure,
    located,
    look,
    machine_line,
)

# Renders the class page and student pages with the style and templates of ./lab report.

# The distribution of a class's points, as SVG.
BINS = 10


def shares_of(rows):
    """Points as a share of what was graded for each: maxima differ if something could not be graded."""
    return [
        row["points"] / row["maximum"]
        for row in rows
        if row["points"] is not None and row["maximum"]
    ]


def counts_of(shares):
    """Counts in BINS bins from 0 to 1; values outside count in the nearest bin."""
    counts = [0] * BINS
    for share in shares:
        counts[min(max(int(BINS * share + 1e-9), 0), BINS - 1)] += 1
    return counts


def histogram(rows):
    """The SVG; empty if no submission has points."""
    shares = shares_of(rows)
    if not shares:
        return ""
    counts = counts_of(shares)
    sheet = Sheet(
        "histogram",
        "Points of the class",
        f"{len(shares)} submissions; points as a percentage of what was graded",
        height=280,
    )
    axes = sheet.axes
    axes.bar([10 * k + 5 for k in range(BINS)], counts, width=9.2, color=theme.BAR)
    for k, many in enumerate(counts):
        if many:
            axes.annotate(
                str(many),
                (10 * k + 5, many),
                xytext=(0, 3),
                textcoords="offset points",
                ha="center",
                fontsize=9,
            )
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 1.15 * max(counts))
    axes.set_xticks(range(0, 101, 10))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.grid(False)
    axes.set_xlabel("% of the points")
    svg = Markup(inline_svg(sheet, "histogram"))
    sheet.close()
    return svg


# The speed of a row beside others, as bars in a table: small enough for one page per student.
BAR = Markup(
    '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
    '<rect class="{}" width="{:.2f}" height="10"/></svg>'
)
KINDS = (
    ("naive", "naive", "naive_interactions_per_s"),
    ("yours", "mine", "interactions_per_s"),
    ("solution", "solution", "solution_interactions_per_s"),
)


def bars(speed):
    """[(label, rate as located, drawing)] of the known speeds; the longest bar has full length."""
    known = [(label, kind, speed[name]) for label, kind, name in KINDS if speed.get(name)]
    most = max((rate for _, _, rate in known), default=1)
    return [(label, rate, BAR.format(kind, 100 * rate / most)) for label, kind, rate in known]


HERE = Path(__file__).resolve().parent


def points(value):
    """'61.5', as marks are written."""
    if not isinstance(value, Figure):
        return NOTHING
    return Markup('<span class="n" data-json="{}" data-per="1">{}</span>').format(
        value.path, points_text(float(value))
    )


def error(value):
    """'1.0e-05': only the magnitude of an error matters."""
    if not isinstance(value, Figure):
        return NOTHING
    return Markup('<span class="n" data-json="{}" data-per="1">{:.1e}</span>').format(
        value.path, value
    )


def number(value):
    """A number in a table whose columns are unknown here."""
    return count(value) if float(value).is_integer() else figure(value)


def hash_of(script):
    """The hash that names the only script allowed to run in a page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


class Templates:
    """The templates, read once for all pages."""

    def __init__(self):
        self.made = environment(HERE)
        self.made.globals.update(points=points, error=error, number=number, bars=bars)
        self.style, self.script = (
            look(HERE / "grades.css"),
            HERE.joinpath("grades.js").read_text(encoding="utf-8"),
        )

    def page(self, template, data, script="", **more):
        return self.made.get_template(template).render(
            page=located(data),
            data=embedded(data),
            style=self.style,
            script=Markup(script),
            allowed_script=Markup(hash_of(script) if script else "'none'"),
            machine_line=machine_line(data["machine"]),
            **more,
        )

    def student(self, data):
        return self.page("student.html.j2", data)

    def whole_class(self, data):
        return self.page("class.html.j2", data, self.script, histogram=histogram(data["rows"]))


def write_pages(out):
    """Writes all pages and returns the file of the class page. Raises InputError, OSError."""
    results, evidence, templates, rows = read_results(out), read_evidence(out), Templates(), []
    for submission in results["submissions"]:
        measured = read_measured(out, submission["name"])
        rows.append(row_of(submission, measured))
        page = templates.student(student_data(results, submission, measured))
        whole_file.write_text(out / "students" / f"{submission['name']}.html", page)
    file = out / "index.html"
    whole_file.write_text(file, templates.whole_class(class_data(results, rows, evidence)))
    return file
