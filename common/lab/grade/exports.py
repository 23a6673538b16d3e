"""Writes OUT/export/PLATFORM/...: every submission in the format of each platform."""

import json
from pathlib import Path

import whole_file
from grade.export_autolab import autolab_output
from grade.export_classroom import classroom
from grade.export_gradescope import gradescope


def json_text(data):
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


# folder, file name of a submission in it, function that makes its text
PLATFORMS = (
    ("gradescope", "{}/results.json", lambda submission: json_text(gradescope(submission))),
    ("autolab", "{}.txt", autolab_output),
    ("classroom", "{}.json", lambda submission: json_text(classroom(submission))),
)


def write_exports(out, results):
    for folder, name, text_of in PLATFORMS:
        for submission in results["submissions"]:
            whole_file.write_text(Path(out) / "export" / folder / name.format(submission["name"]), text_of(submission))
