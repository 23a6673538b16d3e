"""./lab worksheet and ./lab count: the numbers that students find, and those of the machine."""

import json
import sys
from pathlib import Path

from nbody_lab.commands.check import WORKSHEETS
from nbody_lab.core.handed_out import warn_if_edited
from nbody_lab.core.help_files import show_help
from nbody_lab.core.messages import Failure, say, stop
from nbody_lab.core.running import run_program
from nbody_lab.core.screen import wrapped
from nbody_lab.core.words import (
    one_name,
    wants_help,
)
from nbody_lab.notebook import kept_results
from nbody_lab.programs.counting import (
    build_worksheet,
    count_to_file,
    counts_of,
    desk_of,
    has_worksheet,
    needless_work,
    stored_counts,
    why_uncountable,
)
from nbody_lab.programs.ranks import count_messages, has_ranks
from nbody_lab.worksheet import command as worksheet_command
from nbody_lab.workshop import ROOT


def worksheet(lab, words):
    if wants_help(words):
        return show_help("worksheet")
    options = lab.choose_part("worksheet", words)
    if options and not options[0].startswith("-"):
        options = ["--question", *options]
    if not has_worksheet(lab):
        stop(f"{lab.part} has no worksheet")
    if options[:1] == ["--seal"]:
        return worksheet_command.run(desk_of(lab), options)
    warn_if_edited(ROOT, lab.part)
    lab.begin()
    source = lab.folder() / "worksheet.hpp"
    seal = kept_results.seal_of(source)
    desk = build_worksheet(lab)
    for name in lab.names("mine"):
        if not count_to_file(lab, name) and not why_uncountable(lab, name):
            lab.explain_failure()
            say(f"so questions about {lab.part}/{name} wait until it can be counted")
    lab.unlock()
    with kept_results.result_file(WORKSHEETS) as result:
        own = Path(options[options.index("--json") + 1]) if "--json" in options[:-1] else result
        status = worksheet_command.run(
            desk, [*options, *(["--json", str(own)] if own is result else [])]
        )
        if status in (0, 1) and own.exists():
            found = json.loads(own.read_text(encoding="utf-8"))
            name = WORKSHEETS / f"{lab.part}.json"
            kept_results.keep(name, "worksheet", source.relative_to(ROOT), seal, **found)
    return status


def may_show_counts(lab, name):
    """The counts of the given code are an answer, so only students who have found it see them."""
    if not has_worksheet(lab) or (name != "naive" and name not in lab.names("mine")):
        return
    desk = build_worksheet(lab)
    count_to_file(lab, name)
    if worksheet_command.may_show(desk, name) != 0:
        raise Failure(1)


def count(lab, words):
    """Counts an implementation; if it cannot be counted, one sentence names the line."""
    name, options = one_name(lab.choose_part("count", words))
    lab.begin()
    lab.demand_name(name)
    if has_ranks(lab):
        return count_messages(lab, name, options)
    program = f"bin/{lab.part}/{name}_count"
    if not lab.works(
        f"building {lab.part}/{name} with counting numbers", "ninja", "-C", lab.build, program
    ):
        why = why_uncountable(lab, name)
        if why:
            print(why, file=sys.stderr)
        else:
            lab.explain_failure()
        raise Failure(1)
    may_show_counts(lab, name)
    if not counts_of(lab, name).exists() and "did not end in time" in lab.log.read_text(
        encoding="utf-8", errors="replace"
    ):
        stop(f"{lab.row(name)['source']}: counting did not end in time: an endless loop?")
    lab.unlock()
    # Without a GPU the program shows these stored counts of GPU code.
    if lab.on_gpu() and stored_counts(lab, name).exists():
        options = ["--stored", stored_counts(lab, name), *options]
    status = run_program([lab.build / program, *options], become=False)
    for line in wrapped(needless_work(lab, name)):
        print(line)
    return status
