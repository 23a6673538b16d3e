"""Completes the words of ./lab in bash: eval "$(./lab completion)"."""

import json
import re

from nbody_lab.core.help_files import options_of
from nbody_lab.core.messages import stop
from nbody_lab.workshop import ROOT, Workshop, known_parts

SCRIPT = """_lab() {
  local words
  words=$("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _lab lab ./lab"""


def scenes():
    """The scene names, from their table in scenes.cpp."""
    return re.findall(
        r'^ +\{"([\w-]+)", "', (ROOT / "common/bodies/scenes.cpp").read_text(encoding="utf-8"), re.M
    )


def tasks(part):
    """Tasks that have hints."""
    return [
        name
        for file in ROOT.glob(f"{part}_*/hints.md")
        for name in re.findall(r"^## Task (\w+)", file.read_text(encoding="utf-8"), re.M)
    ]


def suites():
    from nbody_lab.commands.tests import OPTIONS, SUITES

    return [*(suite.name for suite in SUITES), *OPTIONS]


def studies_of(part):
    files = [*ROOT.glob(f"{part}_*/studies.json")]
    return [name for file in files for name in json.loads(file.read_text(encoding="utf-8"))] or [
        "compilers"
    ]


def after_a_part(command, usage, part, last):
    if last == "--scene":
        return scenes()
    if last == "--study":
        return studies_of(part)
    if command == "hint":
        return [*tasks(part), "--solved"]
    return (Workshop().names(part=part) if "NAME" in usage else []) + options_of(command)


def candidates(commands, words):
    """Possible next words after `words`; `commands` has each command's help."""
    if not words:
        return list(commands)
    if words[0] == "test":
        return suites()
    usage = " ".join(what for what, _ in commands[words[0]].usage) if words[0] in commands else ""
    if "PART" not in usage:
        return []
    if len(words) == 1:
        return known_parts()
    return after_a_part(words[0], usage, words[1].split("_")[0], words[-1])


def show_script(_, words):
    if words:
        stop(
            f"completion takes no arguments, so no '{words[0]}'; run: eval \"$(./lab completion)\""
        )
    print(SCRIPT)
    return 0
