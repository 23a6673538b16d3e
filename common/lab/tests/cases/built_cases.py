"""For tests: the shown sources of the cases as programs of part 1, with a manifest that the checker reads."""

import json
import shlex
import subprocess
from itertools import takewhile
from pathlib import Path

from nbody_lab import ROOT
from tests import BUILD

MANIFEST = BUILD / "manifest.json"
CHECKER = BUILD / "bin/check"
MINE = "part1_standard_opti/mine.cpp"  # made by CMake


def commands_of(target: str) -> list[list[str]]:
    """What Ninja would run to build it."""
    done = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "commands", target],
        capture_output=True,
        text=True,
        check=True,
    )
    return [shlex.split(line) for line in done.stdout.splitlines() if "mine.cpp.o" in line]


def build(header: Path, program: Path, target: str) -> None:
    """Compiles and links the header as this program of the student is compiled and linked."""
    compile_words, link_words = commands_of(target)
    text = (BUILD / MINE).read_text(encoding="utf-8")
    first = text.index('#include "')
    after = text.index("\n", first)
    source, object_file = program.with_suffix(".cpp"), str(program.with_suffix(".o"))
    name = program.name.removesuffix("_double")
    text = f'{text[:first]}#include "{header}"{text[after:]}'.replace('"mine"', f'"{name}"')
    source.write_text(text, encoding="utf-8")
    flags = [word for word in compile_words if word.startswith(("-D", "-O", "-f", "-std"))]
    includes = [f"-I{ROOT}/common", f"-I{ROOT}/part1_standard_opti"]
    compiler = list(takewhile(lambda word: not word.startswith("-"), compile_words))  # and ccache
    run = [*compiler, *flags, *includes, "-c", str(source), "-o", object_file]
    subprocess.run(run, check=True)
    link = [object_file if word.endswith("/mine.cpp.o") else word for word in link_words[2:-2]]
    link[link.index("-o") + 1] = str(program)
    subprocess.run(link, cwd=BUILD, check=True)


def write_manifest(folder: Path, names: list[str]) -> Path:
    """A manifest with naive and these programs, which are folder/bin/part1/NAME."""
    whole = json.loads(MANIFEST.read_text(encoding="utf-8"))
    rows = [row for row in whole["implementations"] if row["part"] == "part1"]
    naive = next(row for row in rows if row["name"] == "naive")
    mine = next(row for row in rows if row["name"] == "mine")
    made = [naive]
    for name in names:
        programs = [
            {**mine["programs"][0], "program": f"bin/part1/{name}"},
            {**mine["programs"][1], "program": f"bin/part1/{name}_double"},
        ]
        made.append({**mine, "name": name, "program": f"bin/part1/{name}", "programs": programs})
    file = folder / "manifest.json"
    file.write_text(json.dumps({**whole, "implementations": made}), encoding="utf-8")
    return file


def link_naive(folder: Path) -> None:
    """The programs of naive, which the checker compares with."""
    (folder / "bin/part1").mkdir(parents=True, exist_ok=True)
    for name in ("naive", "naive_double"):
        (folder / "bin/part1" / name).symlink_to(BUILD / "bin/part1" / name)


def can_build() -> bool:
    """Whether there is a build folder that was configured, with the libraries that a program of part 1 needs."""
    libraries = "common/simulator/libnbody_simulator.a"
    return all((BUILD / file).exists() for file in ("build.ninja", MINE, libraries, "bin/check"))
