"""Writes the source of a program that includes a student's worksheet.hpp and prints its answers; CMake runs this.

student_source.py QUESTIONS.json WORKSHEET.hpp SOURCE.cpp

The source is generated from the questions, because they define the answers. A removed member does not stop the others:
the judge reports it as missing.
"""

import sys
from pathlib import Path

from nbody_lab.notebook.file import InputError
from nbody_lab.worksheet.questions_file import read_questions

SOURCE = """// Made from the questions of {part}: writes the answers of {header}.
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
ADDING = '  if constexpr (requires {{ sheet.{name}; }}) answers.add("{name}", sheet.{name});\n'


def source_of(part, header):
    return SOURCE.format(
        part=part.part,
        header=header,
        adding="".join(ADDING.format(name=name) for name in part.answer_names()),
    )


def main(questions, header, source):
    try:
        text = source_of(read_questions(Path(questions)), header)
    except InputError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    Path(source).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
