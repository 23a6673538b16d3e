"""Writes the source of a program that includes a student's worksheet.hpp and prints its answers; CMake runs this.

student_source.py WORKSHEET.hpp SOURCE.cpp

The answers are the members that the header declares. A removed one does not stop the others: the judge reports it as
missing. The system's Python runs this file, so it imports no packages.
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
_ADDING = """  if constexpr (requires {{ answers.add("{name}", sheet.{name}); }}) {{
    answers.add("{name}", sheet.{name});
  }}
"""


_ASSIGNED = re.compile(r"\b(?!operator\b)([A-Za-z_]\w*)\s*=(?!=)")


def make_source(text: str, header: str) -> str:
    """`text`: of the header. Whatever gets a value there may be a member; the compiler leaves out what is none."""
    names = dict.fromkeys(_ASSIGNED.findall(re.sub(r"//.*", "", text)))
    return _SOURCE.format(
        header=header, adding="".join(_ADDING.format(name=name) for name in names)
    )


def main(header: str, source: str) -> int:
    text = Path(header).read_text(encoding="utf-8", errors="replace")
    Path(source).write_text(make_source(text, header), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
