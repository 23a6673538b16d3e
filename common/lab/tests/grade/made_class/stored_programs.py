"""Submissions that are stored: programs/*.txt keep what differs of a mine.hpp, the rest is the same for all of a file.

A program begins with `=== NAME`; then lines of its flags.txt (`flags: ...`), the lab's or its own headers, and its
code, or `same as NAME`. What it tries is the first line of its mine.hpp, and the system's headers are the same for all.
Other files stand as they are in files.txt, each after `=== NAME/PATH`.
"""

import re
from pathlib import Path
from textwrap import indent

OWN = re.compile(r'#include ".*\.hpp"')  # beside naive.hpp
SYSTEM = """algorithm array atomic chrono cmath csignal cstdint cstdio cstdlib cstring fstream iterator limits map
    stdexcept string system_error thread type_traits vector arpa/inet.h dirent.h fcntl.h sched.h sys/ipc.h sys/prctl.h
    sys/ptrace.h sys/shm.h sys/socket.h sys/stat.h unistd.h""".split()
PROGRAMS = Path(__file__).resolve().parent / "programs"
GIVEN = """class Mine : public Naive {
 public:
  using Naive::Naive;
};"""
BY_ATTACK = """CODE

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    %s
  }
%s};"""
WORKED = "[[maybe_unused]] static const bool worked = attack();"
# What stands around the code of a program, by its file; nothing if it is not here.
FRAMES = {
    "gives_up": BY_ATTACK
    % ("static const bool worked = attack();\n    if (!worked) _exit(3);", ""),
    "goes_on": BY_ATTACK % (WORKED, ""),
    "zeros": BY_ATTACK
    % (
        WORKED,
        """  void compute_accelerations() override {
    for (auto& body : bodies) body.ax = body.ay = body.az = 0;
  }
""",
    ),
    "given_code": f"CODE\n\n{GIVEN}",
    "forces": """class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
CODE
  }
};""",
    "forges_counts": f"""CODE

// What follows --json on its own command line is where the counts are looked for.
inline bool attack() {{
  if constexpr (std::is_floating_point_v<real>) return false;
  std::ifstream file("/proc/self/cmdline");
  const std::string line((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::size_t at = line.find("--json");
  if (at != std::string::npos) forge(line.c_str() + at + 7);
  _exit(0);
}}

inline const bool forged = attack();

{GIVEN}""",
}


def sections(file):
    """Yields the line of each ===, and the text below it."""
    for section in ("\n" + file.read_text(encoding="utf-8")).split("\n=== ")[1:]:
        title, _, text = section.partition("\n")
        yield title, text.rstrip("\n") + "\n"


def read_files():
    """{name: {path in the submission: text}}"""
    found = {}
    for title, text in sections(PROGRAMS.with_name("files.txt")):
        name, _, path = title.partition("/")
        found.setdefault(name, {})[path] = text
    return found


def read_programs():
    """{name: (the name of its file, its text)}"""
    found = {
        name: (file.stem, text.strip("\n"))
        for file in sorted(PROGRAMS.glob("*.txt"))
        for name, text in sections(file)
    }
    same = "same as "
    return {
        name: found[text[len(same) :]] if text.startswith(same) else (kind, text)
        for name, (kind, text) in found.items()
    }


def split_head(text):
    """The lines of flags.txt, those that include headers of the lab, and the code."""
    lines = text.split("\n")
    flags = [line[len("flags: ") :] for line in lines if line.startswith("flags: ")]
    lines = lines[len(flags) :]
    own = [line for line in lines if OWN.fullmatch(line)]
    return flags, own, "\n".join(line for line in lines if line not in own).strip("\n")


def text_of(program, tries):
    """A mine.hpp."""
    kind, text = program
    _, own, code = split_head(text)
    if kind == "forces":
        code = indent(code, "    ", lambda line: not line.startswith("#") and line.strip())
    parts = [
        "#pragma once",
        "\n".join(f"#include <{name}>" for name in SYSTEM),
        "\n".join(sorted(['#include "naive.hpp"', *own])),
        "namespace nbody {",
        FRAMES.get(kind, "CODE").replace("CODE", code).strip("\n"),
        "}  // namespace nbody",
    ]
    return f"// {tries}\n" + "\n\n".join(parts) + "\n"


def write_program(program, tries, part):
    part.mkdir(parents=True)
    (part / "mine.hpp").write_text(text_of(program, tries), encoding="utf-8")
    flags = split_head(program[1])[0]
    if flags:
        (part / "flags.txt").write_text("\n".join(flags) + "\n", encoding="utf-8")
