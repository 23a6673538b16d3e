"""Writes OUT/index.html and OUT/students/NAME.html from measurements and scores, reading one submission at a time."""

import whole_file
from class_rows import class_data, row_of
from grade.results_file import read_evidence, read_measured, read_results
from render_grades import Templates
from student_data import student_data


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
