"""The command line of ./lab grade."""

import argparse

from nbody_lab.core.messages import stop
from nbody_lab.core.words import nearest

HELP = """Grades a class: measures every submission in isolation, then scores it by a rubric.
Usage: ./lab grade CLASS --rubric FILE -o FOLDER [options]
       ./lab grade --rescore FOLDER --rubric FILE [--manual FILE] [--late FILE]
       ./lab grade --calibrate --rubric FILE
       ./lab grade --self [--rubric FILE]
       ./lab grade --exchange FOLDER -o OUT [--readings K] [--seed S] [--part PART]

  CLASS              a folder with a folder or an archive per submission; names as Moodle and
                     Canvas export them are understood
  --rubric FILE      what gives points (docs/instructor/README.md); default: data/rubric.json
  -o FOLDER          where everything goes; an interrupted run continues there
  --part PART        only this part; repeat for more (default: those of the rubric)
  --only NAME        only this submission; repeat for more
  --dry-run          show what would be graded: who, which files, which are ignored; runs nothing
  --regrade NAME     measures one again with its recorded seed, and shows old beside new
  --jobs K           how many to build and check at once (default: one per core)
  --isolation KIND   bubblewrap, landlock or none (default: the strongest that this host offers)
  --accept-weaker    grades more than one submission without full isolation
  --manual FILE      points given by hand: who,question,points,comment; repeat for more
  --late FILE        who was late: who,days
  --moodle FILE      a grading worksheet exported by Moodle: it is filled in
  --earlier FOLDER   submissions of an earlier year to compare with; repeat for more
                     Later runs remember rubric, manual, late, moodle and earlier; "none" drops one

  --rescore FOLDER   scores again what was measured there; takes seconds, runs nothing
  --calibrate        times the solution's rungs on this machine: which band each reaches, and how
                     far two timings differ
  --self             scores your own files with the published rubric: the table that you would get
  --exchange FOLDER  from what was measured there, an archive per student with K (default: 2)
                     versions of others that passed, without names, and questions to answer
                     (docs/instructor/exchange.md); --seed S deals them out as that seed did before
"""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        known = [word for action in self._actions for word in action.option_strings]
        wrong = (
            message.rpartition(": ")[2].split(" ")[0] if message.startswith("unrecognized") else ""
        )
        stop(f"grade: {message}{nearest(wrong, known) if wrong else ''}; see ./lab grade -h")


def parse(words):
    parser = Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("folder", nargs="?", default="")
    for name in (
        "--rubric",
        "-o",
        "--regrade",
        "--isolation",
        "--rescore",
        "--moodle",
        "--exchange",
    ):
        parser.add_argument(name, default="")
    for name in ("--part", "--only", "--manual", "--late", "--earlier"):
        parser.add_argument(name, action="append", default=[])
    for name in ("--dry-run", "--accept-weaker", "--calibrate", "--self"):
        parser.add_argument(name, action="store_true")
    for name, default in (("--jobs", 0), ("--readings", 2), ("--seed", None)):
        parser.add_argument(name, type=int, default=default)
    return parser.parse_args(words)
