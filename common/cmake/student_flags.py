"""The flags of students' versions, by flags.txt: student_flags.py LAB FLAGS_FILE HEADER ...

Prints `NAME FLAG ...` for each header, mine.hpp and mine_NAME.hpp (in CUDA .cuh). In flags.txt `#` begins a comment; a line
of flags holds for all of them, a line `mine_NAME: flags` for that one instead. What cannot be is refused in one line.
"""

import os
import re
import sys
from pathlib import Path

# Only flags that change how code is generated pass: none that leave a file out or make another, and none with which the
# file no longer fits the lab's library, which is compiled without: other calls, other structures in memory.
KNOWN = {
    ".cuh": r"-(O[0-3]|use_fast_math|(ftz|prec-sqrt|prec-div|fmad)=(true|false)|maxrregcount=[0-9]+|lineinfo|g|G|Xptxas=-v)",
    ".hpp": r"-(O[0-3sg]?|Ofast|f[a-z0-9=-]+|m[a-z0-9=.+-]+|g|W[a-z0-9=+-]+)",
}
REFUSED = (
    r"-f(plugin|profile|sanitize|dump|input|diagnostics|syntax-only|directives-only|preprocessed|driver-only|module|"
    r"self-test|emit|pack-struct|short-(enums|wchar|double)|reg-struct-return|pcc-struct-return|abi-|call-used|call-saved|"
    r"fixed-|leading-underscore|no-leading-underscore|split-stack|no-exceptions|no-rtti|no-pie|no-PIE|whole-program)|"
    r"-m(16|32|x32|iamcu|abi=|regparm|rtd|sseregparm|soft-float|hard-float|general-regs-only|no-sse2?$|no-80387|"
    r"no-fp-ret-in-387|ms-bitfields|(no-)?align-double|long-double|96bit|128bit|preferred-stack-boundary|"
    r"incoming-stack-boundary|stack-alignment)"
)
ADVICE = {
    ".cuh": "(-O0 to -O3, -use_fast_math, -ftz=, -prec-sqrt=, -prec-div=, -fmad=, -maxrregcount=), for example: -O3 -ftz=true",
    ".hpp": "(-O.., -f.., -m.., -W..) that keep the file fitting the lab's library, for example: -O3 -march=native -fopenmp",
}


def complaint_about(line, name, flags, found, names, extension):
    """Why a line of flags.txt cannot be; empty: it can."""
    if name and name not in names:
        there = " ".join(one + extension for one in names)
        return f"there is no {name}{extension} (there are: {there}): correct the name or remove the line"
    if not flags or name in found or (re.match("mine", line) and not name):
        return f"'{line}': one line has the flags for all, and one line NAME: FLAGS those of mine or a mine_NAME"
    for flag in flags:
        refused = extension == ".hpp" and re.match(REFUSED, flag)
        if refused or not re.fullmatch(KNOWN[extension], flag):
            return f"'{flag}' is not allowed. Use optimisation flags only {ADVICE[extension]}"
    return ""


def main(lab, file, *headers):
    shown, names, extension = os.path.relpath(file, lab), [], ".hpp"
    for header in map(Path, headers):
        name, extension = header.stem, header.suffix
        if re.fullmatch(r"mine(_\w+)?", name, re.A) and not name.endswith(("_count", "_double")):
            names.append(name)
        else:
            print(
                f"{os.path.relpath(header, lab)} is left out: rename it to mine_NAME{extension}, where NAME has only "
                "a-z, A-Z, 0-9 and _ and does not end in _count or _double",
                file=sys.stderr,
            )
    if not os.path.exists(file):
        sys.exit(f"{shown} is missing: write it with this line: -O3")
    found = {}
    text = Path(file).read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.split("\n"), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        own = re.match(r"([^ ]*?) *:(.*)", line)
        name, flags = (own[1], own[2].split()) if own else ("", line.split())
        if complaint := complaint_about(line, name, flags, found, names, extension):
            sys.exit(f"{shown}:{number}: {complaint}")
        found[name] = flags
    for name in names:
        print(name, *found.get(name, found.get("", ["-O3"])))


main(*sys.argv[1:])
