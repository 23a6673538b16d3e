"""Writes the source of a program that includes a student's worksheet.hpp and prints its answers; CMake runs this.

student_source.py QUESTIONS.json WORKSHEET.hpp SOURCE.cpp

The source is generated from the questions, because they define the answers. A removed member does not stop the others:
the judge reports it as missing. The system's Python runs this file, so it imports no packages; ./lab worksheet checks
the questions (questions.py) before it builds.
"""

import json
import sys
from pathlib import Path
from typing import Any

_SOURCE = """// Made from the questions of {part}: writes the answers of {header}.
#include "{header}"
#include "worksheet/write_answers.hpp"

namespace nbody {{

template <typename Sheet>
worksheet::Answers answers_of(const Sheet& sheet) {{
  worksheet::Answers answers;
{adding}  return answers;
}}

}}  // namespace nbody

int main() {{
  using namespace nbody;
  return worksheet::write_answers([](double n) {{ return answers_of(Worksheet{{n}}); }});
}}
"""
_ADDING = '  if constexpr (requires {{ sheet.{name}; }}) answers.add("{name}", sheet.{name});\n'


def answer_names(questions: dict[str, Any]) -> list[str]:
    """The names that worksheet.hpp must declare."""
    rows = [one for row in questions["questions"] for one in (row, *row.get("classes", ()))]
    names = [*questions.get("names", ()), *(row["answer"] for row in rows if "answer" in row)]
    for name in names:
        if not name.isidentifier():
            raise ValueError(f"'{name}' is not the name of a member in worksheet.hpp")
    return names


def make_source(questions: dict[str, Any], header: str) -> str:
    adding = "".join(_ADDING.format(name=name) for name in answer_names(questions))
    return _SOURCE.format(part=questions["part"], header=header, adding=adding)


def main(questions: str, header: str, source: str) -> int:
    try:
        text = make_source(json.loads(Path(questions).read_text(encoding="utf-8")), header)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"error: {questions}: {error}; ./lab worksheet names the question", file=sys.stderr)
        return 2
    Path(source).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
