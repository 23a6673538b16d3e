"""A small tree of the lab for tests: two parts, their manifest, and compiler messages about their headers; and examples
from files: "=== name", a header, and below "--- compiler" its recorded output.
"""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from nbody_lab import ROOT as LAB
from nbody_lab.explain.failure import explain_failure

RECORDED = Path(__file__).parent / "recorded"
PART1, PART3 = "part1_standard_opti", "part3_cuda"
CXX = os.environ.get("LAB_CXX", "c++")
"""The compiler that the tests run."""


def _make_row(part, folder, name, suffix):
    def make_program(precision, ending):
        program = {"program": f"bin/{part}/{name}{ending}", "target": f"{part}_{name}{ending}"}
        return {"precision": precision, "instruction_set": "", **program}

    return {
        "part": part,
        "name": name,
        "kind": "naive" if name == "naive" else "mine",
        "class": name.capitalize(),
        "source": f"{folder}/{name}{suffix}",
        "programs": [make_program("float", ""), make_program("double", "_double")],
    }


class SmallTree:
    def __init__(self, root):
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

    def write(self, text, file=f"{PART1}/mine.hpp"):
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def _write_program(self):
        """The program that CMake writes for mine.hpp."""
        text = (LAB / "common/simulator/program.cpp.in").read_text(encoding="utf-8")
        values = {
            "HEADER": f"{self.root}/{PART1}/mine.hpp",
            "CLASS": "Mine",
            "LIVE_FLOPS": "nullptr",
            "ACCELERATOR": "nullptr",
            "MAKE": "make_this_one",
        }
        text = re.sub(r"@LAB_(\w+)@", lambda word: values.get(word[1], ""), text)
        return self.write(text, f"build/release/{PART1}/mine.cpp")

    def compile(self, *flags, real="float", program=None):
        """The compiler's output for `program`, by default that of mine.hpp; empty if all is well."""
        if "-S" not in flags:
            flags = (*flags, "-fsyntax-only")
        words = [CXX, "-std=c++20", f"-I{LAB}/common", f"-DLAB_REAL={real}", *flags]
        words += ['-DLAB_INSTRUCTION_SET=""', program or self._write_program()]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return done.stderr if done.returncode or "warning: " in done.stderr else ""

    def fail(self, *targets):
        """Writes a ninja log; `targets`: (failed target, the output of its step)."""
        steps = "".join(f"FAILED: [code=1] {name} \nthe command\n{text}" for name, text in targets)
        text = f"[1/2] Building\n{steps}ninja: build stopped: subcommand failed.\n"
        self.log.write_text(text, encoding="utf-8")

    def explain(self, culprit):
        """The lines that say why the step failed."""
        found = explain_failure(self.log, self.root, self.build)
        assert found.culprit is culprit, found
        text = "\n".join(found.lines)
        assert not any(word in text for word in ("__gnu_cxx", "\u2018", str(self.root))), text
        return found.lines

    def explain_mine(self, culprit, *targets):
        """The last line, after at most six others."""
        self.fail(*targets)
        lines = self.explain(culprit)
        assert len(lines) <= 7
        return lines[-1]


def name_object(target, folder=PART1, source="mine.cpp"):
    return f"{folder}/CMakeFiles/{target}.dir/{source}.o"


def read_sections(text, mark="==="):
    """{title: the lines below "=== title"}"""
    pieces = re.split(rf"^{mark} (.*)\n", text, flags=re.M)
    return dict(zip(pieces[1::2], pieces[2::2]))


def read_recorded(file):
    return read_sections((RECORDED / file).read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Example:
    """A header, and what each compiler printed about it in the folder FOLDER."""

    name: str
    code: str
    outputs: dict[str, str]

    def write(self, folder):
        """(the header, {compiler: output})"""
        folder = folder.resolve()
        header = folder / f"{self.name}.hpp"
        header.write_text(self.code, encoding="utf-8")
        outputs = {who: text.replace("FOLDER", str(folder)) for who, text in self.outputs.items()}
        return header, outputs


def read_examples(file, complete):
    """All examples of a file; complete(code) makes a whole header."""
    return [
        Example(name, complete(section.partition("--- ")[0]), read_sections(section, "---"))
        for name, section in read_recorded(file).items()
    ]
