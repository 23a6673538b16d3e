"""A small tree of the lab for tests: two parts, their manifest, and compiler messages about their headers; and examples
from files: "=== name", a header, and below "--- compiler" its recorded output.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from nbody_lab import ROOT as LAB
from nbody_lab.build.failure import Culprit, explain_failure

RECORDED = Path(__file__).parent / "recorded"
PART1, PART3 = "part1_standard_opti", "part3_cuda"
CXX = os.environ.get("LAB_CXX", "c++")
"""The compiler that the tests run."""


def _make_row(part: str, folder: str, name: str, suffix: str) -> dict[str, Any]:
    programs = [
        {
            "precision": precision,
            "program": f"bin/{part}/{name}{ending}",
            "target": f"{part}_{name}{ending}",
        }
        for precision, ending in (("float", ""), ("double", "_double"))
    ]
    kind = "naive" if name == "naive" else "mine"
    row = {"part": part, "name": name, "kind": kind, "class": name.capitalize()}
    return {**row, "source": f"{folder}/{name}{suffix}", "programs": programs}


class SmallTree:
    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.build = self.root / "build/release"
        self.log = self.build / "lab.log"
        for folder in (PART1, PART3, f"build/release/{PART1}", "build/release/bin/part1"):
            (self.root / folder).mkdir(parents=True)
        for file in ("naive.hpp", "mine.hpp", "flags.txt"):
            shutil.copy(LAB / PART1 / file, self.root / PART1)
        rows = [
            _make_row(part, folder, name, suffix)
            for part, folder, suffix in (("part1", PART1, ".hpp"), ("part3", PART3, ".cuh"))
            for name in ("naive", "mine")
        ]
        manifest = {"version": 2, "parts": [], "implementations": rows}
        (self.build / "manifest.json").write_text(json.dumps(manifest))
        self.mine = (LAB / PART1 / "mine.hpp").read_text(encoding="utf-8")
        """As given, which begins with the naive forces: a student's usual start."""

    def write(self, text: str, file: str = f"{PART1}/mine.hpp") -> Path:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def _write_program(self) -> Path:
        """The program that CMake writes for mine.hpp."""
        text = (LAB / "common/simulator/program.cpp.in").read_text(encoding="utf-8")
        header = f"{self.root}/{PART1}/mine.hpp"
        values = {"HEADER": header, "CLASS": "Mine", "LIVE_FLOPS": "nullptr"}
        values |= {"ACCELERATOR": "nullptr", "MAKE": "make_this_one"}
        text = re.sub(r"@LAB_(\w+)@", lambda word: values.get(word[1], ""), text)
        return self.write(text, f"build/release/{PART1}/mine.cpp")

    def compile(self, *flags: str, real: str = "float", program: Path | None = None) -> str:
        """The compiler's output for `program`, by default that of mine.hpp; empty if all is well."""
        if "-S" not in flags:
            flags = (*flags, "-fsyntax-only")
        # A missing brace has 60,000 lines of errors, which take a minute; only the first ones count.
        few = [] if "clang" in CXX else ["-fmax-errors=50"]
        words = [CXX, *few, "-std=c++20", f"-I{LAB}/common", f"-DLAB_REAL={real}", *flags]
        words += ['-DLAB_INSTRUCTION_SET=""', str(program or self._write_program())]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return done.stderr if done.returncode or "warning: " in done.stderr else ""

    def fail(self, *targets: tuple[str, str]) -> None:
        """Writes a ninja log; `targets`: (failed target, the output of its step)."""
        steps = "".join(f"FAILED: [code=1] {name} \nthe command\n{text}" for name, text in targets)
        text = f"[1/2] Building\n{steps}ninja: build stopped: subcommand failed.\n"
        self.log.write_text(text, encoding="utf-8")

    def explain(self, culprit: Culprit) -> list[str]:
        """The lines that say why the step failed."""
        found = explain_failure(self.log, self.root, self.build)
        assert found.culprit is culprit, found
        text = "\n".join(found.lines)
        assert not any(word in text for word in ("__gnu_cxx", "\u2018", str(self.root))), text
        return found.lines

    def explain_mine(self, *targets: tuple[str, str]) -> str:
        """The last line about these targets, after at most six others."""
        self.fail(*targets)
        lines = self.explain(Culprit.IMPLEMENTATIONS)
        assert len(lines) <= 7
        return lines[-1]


def name_object(target: str, folder: str = PART1, source: str = "mine.cpp") -> str:
    return f"{folder}/CMakeFiles/{target}.dir/{source}.o"


def read_sections(text: str, mark: str = "===") -> dict[str, str]:
    """{title: the lines below "=== title"}"""
    pieces = re.split(rf"^{mark} (.*)\n", text, flags=re.M)
    return dict(zip(pieces[1::2], pieces[2::2]))


def read_recorded(file: str) -> dict[str, str]:
    return read_sections((RECORDED / file).read_text(encoding="utf-8"))


class Example(NamedTuple):
    """A header, and what each compiler printed about it in the folder FOLDER."""

    name: str
    code: str
    outputs: dict[str, str]

    def write(self, folder: Path) -> tuple[Path, dict[str, str]]:
        """(the header, {compiler: output})"""
        header = folder.resolve() / f"{self.name}.hpp"
        header.write_text(self.code, encoding="utf-8")
        there = str(header.parent)
        return header, {who: text.replace("FOLDER", there) for who, text in self.outputs.items()}


def read_examples(file: str, complete: Callable[[str], str]) -> list[Example]:
    """All examples of a file; complete(code) makes a whole header."""
    return [
        Example(name, complete(section.partition("--- ")[0]), read_sections(section, "---"))
        for name, section in read_recorded(file).items()
    ]
