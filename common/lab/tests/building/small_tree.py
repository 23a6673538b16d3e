"""A small tree of the lab for tests: two parts, their manifest, and compiler messages about their headers."""

import os
import re
import subprocess
from pathlib import Path

from nbody_lab import ROOT as LAB
from nbody_lab.building.manifest import Implementation, manifest_text

PART1, PART3 = "part1_standard_opti", "part3_cuda"
CXX = os.environ.get("LAB_CXX", "c++")
"""The compiler that the tests run."""


class SmallTree:
    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.build = self.root / "build/release"
        self.log = self.build / "lab.log"
        for file in (f"{PART1}/naive.hpp", f"{PART1}/mine.hpp", f"{PART3}/naive.cuh"):
            self.write((LAB / file).read_text(encoding="utf-8"), file)
        self.mine = (LAB / PART1 / "mine.hpp").read_text(encoding="utf-8")
        """As given, which begins with the naive forces: a student's usual start."""
        rows = [
            Implementation.model_validate(
                {
                    "part": part,
                    "name": name,
                    "kind": kind,
                    "class": name.capitalize(),
                    "source": f"{folder}/{name}{suffix}",
                    "count": {
                        "program": f"bin/{part}/{name}_count",
                        "target": f"{part}_{name}_count",
                    },
                    "programs": [
                        {
                            "precision": precision,
                            "program": f"bin/{part}/{name}{ending}",
                            "target": f"{part}_{name}{ending}",
                        }
                        for precision, ending in (("float", ""), ("double", "_double"))
                    ],
                }
            )
            for part, folder, suffix in (("part1", PART1, ".hpp"), ("part3", PART3, ".cuh"))
            for name, kind in (("naive", "naive"), ("mine", "mine"))
        ]
        self.write(manifest_text(rows), "build/release/manifest.json")

    def write(self, text: str, file: str = f"{PART1}/mine.hpp") -> Path:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def write_log(self, text: str) -> None:
        self.log.write_text(text.replace("ROOT", str(self.root)), encoding="utf-8")

    def compile(self, *flags: str, real: str = "float") -> str:
        """The compiler's output for the program that CMake writes for mine.hpp; empty if all is well."""
        counts = real == "nbody::Counting"
        file = "work/count.cpp.in" if counts else "simulator/program.cpp.in"
        text = (LAB / "common" / file).read_text(encoding="utf-8")
        values = {"COUNTED_BY": "counting_number"} | {
            "HEADER": f"{self.root}/{PART1}/mine.hpp",
            "CLASS": "Mine",
        }
        values |= {"LIVE_FLOPS": "nullptr", "ACCELERATOR": "nullptr", "MAKE": "make_this_one"}
        values["REMARK"] = "remark_on<Mine, Naive>()"
        text = re.sub(r"@LAB_(\w+)@", lambda word: values.get(word[1], ""), text)
        program = self.write(text, f"build/release/{PART1}/mine.cpp")
        if "-S" not in flags:
            flags = (*flags, "-fsyntax-only")
        # A missing brace has 60,000 lines of errors, which take a minute; only the first ones count.
        few = [] if "clang" in CXX else ["-fmax-errors=50"]
        words = [CXX, *few, "-std=c++20", f"-I{LAB}/common", f"-DLAB_REAL={real}", *flags]
        words += ['-DLAB_INSTRUCTION_SET=""', str(program)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return done.stderr if done.returncode or "warning: " in done.stderr else ""


def read_sections(text: str) -> dict[str, str]:
    """{title: the lines below "=== title"}"""
    pieces = re.split(r"^=== (.*)\n", text, flags=re.M)
    return dict(zip(pieces[1::2], pieces[2::2]))
