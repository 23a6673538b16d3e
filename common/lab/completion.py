"""Completes the words of ./lab in bash: eval "$(./lab completion)"."""

import re

from workshop import ROOT, Workshop, known_parts

SCRIPT = """_lab() {
  local words
  words=$("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _lab lab ./lab"""
HELP = {"check": "check/help_check.txt", "bench": "bench/help_bench.txt", "try": "lab/help_try.txt"}


def options_of(command):
    """Those that its help names."""
    if command not in HELP:
        return []
    return re.findall(r"^ +(?:-\w,)?(--[\w-]+)", (ROOT / "common" / HELP[command]).read_text(encoding="utf-8"), re.M)


def candidates(commands, words):
    """What may follow `words`. `commands` has the words of each command's help."""
    if not words:
        return list(commands)
    usage = " ".join(what for what, _ in commands[words[0]].usage) if words[0] in commands else ""
    if "PART" not in usage:
        return []
    if len(words) == 1:
        return known_parts()
    lab = Workshop()
    return (lab.names(part=words[1]) if "NAME" in usage else []) + options_of(words[0])


def show_script(_, __):
    print(SCRIPT)
    return 0
