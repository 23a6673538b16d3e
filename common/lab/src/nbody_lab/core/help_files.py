"""Help text that ./lab shows instead of running a program's --help, so that nothing needs building. Tests compare the
two."""

import json
import re
from collections import namedtuple

from nbody_lab import ROOT
from nbody_lab.core.screen import wrapped

Help = namedtuple(
    "Help", "file own"
)  # own: (option, help) for options of ./lab itself, unknown to the program


def studies_of_gpu():
    """Their names; empty in a lab without part 3."""
    return [
        name
        for file in ROOT.glob("part3_*/studies.json")
        for name in json.loads(file.read_text(encoding="utf-8"))
    ]


HELP = {
    "check": Help(
        "check/help_check.txt",
        [
            ("--sanitize", "one name only: addresses, undefined behaviour, data races"),
            ("--on-cpu", "part3: run the kernels on the CPU, no GPU needed"),
        ],
    ),
    "bench": Help(
        "bench/help_bench.txt",
        [
            ("--study NAME", "a separate study: compilers (parts 1 and 2);"),
            *(
                ("", line)
                for line in wrapped(
                    f"{', '.join(studies_of_gpu())} (part 3)" if studies_of_gpu() else "", width=68
                )
            ),
            ("--plot FOLDER", "draw into this folder"),
        ],
    ),
    "demo": Help(
        "lab/src/nbody_lab/core/help_demo.txt", [("--plot FOLDER", "draw into this folder")]
    ),
}


def text_of(command):
    text = (ROOT / "common" / HELP[command].file).read_text(encoding="utf-8").rstrip("\n")
    return "\n".join([text, *(f"  {option:<28}{what}" for option, what in HELP[command].own)])


def show_help(command):
    print(text_of(command))
    return 0


def options_of(command):
    """The long options that its help names."""
    return re.findall(r"^ +(?:-\w,)?(--[\w-]+)", text_of(command), re.M) if command in HELP else []
