"""Writes the source of a program that includes a student's worksheet.hpp and prints its answers; CMake runs this.

student_source.py QUESTIONS.py WORKSHEET.hpp SOURCE.cpp

The source is generated from the questions, because they define the answers. A removed member does not stop the others:
the judge reports it as missing. The system's Python runs this file, so it imports no packages, and reads the questions
as text; a test compares what it finds with the questions themselves.
"""

import re
import sys
from pathlib import Path

_SOURCE = """// Writes the answers of {header}.
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
# Question("12", "its text", "answer", ...), Counted("its text", "answer", ...), names=("mine", ...)
_TEXT, _NAME = r'"[^"]*",\s*', r'"(\w+)"'
_ANSWER = re.compile(rf"\w+\({_TEXT}{_TEXT}{_NAME}|\bCounted\({_TEXT}{_NAME}")
_NAMES = re.compile(r"\bnames=\(([^)]*)\)")


def answer_names(questions: str) -> list[str]:
    """The names that worksheet.hpp must declare, from the text of questions.py."""
    names = [name for found in _NAMES.findall(questions) for name in re.findall(_NAME, found)]
    return names + [first or second for first, second in _ANSWER.findall(questions)]


def main(questions: str, header: str, source: str) -> None:
    names = answer_names(Path(questions).read_text(encoding="utf-8"))
    adding = "".join(_ADDING.format(name=name) for name in names)
    Path(source).write_text(_SOURCE.format(header=header, adding=adding), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
