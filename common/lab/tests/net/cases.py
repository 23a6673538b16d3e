"""What net.py asks, what it masks, and which differences are intended."""

import re

from nbody_lab import ROOT

# (what varies, what stands for it, why)
MASKS = (
    (re.escape(str(ROOT)), "ROOT", "where the lab is"),
    (r"/tmp/[\w./-]+", "TEMPORARY", "a scratch folder"),
    (r"\b20\d\d-\d\d-\d\d([T_ ]\d\d:?\d\d(:?\d\d)?)?", "DATE", "today"),
    (r"\d+(\.\d+)?(e[-+]?\d+)? ?(ns|us|ms|s|min)\b", "TIME", "measured"),
    (r"\d+(\.\d+)?(e[-+]?\d+)? ?(GHz|MHz|GB/s|Gflop/s|GiB|MiB|MB)\b", "NUMBER \\3", "measured"),
    (r"\d+(\.\d+)? x 10\^9", "NUMBER x 10^9", "measured"),
    (r"load +\d.*", "LOAD", "what other programs do"),
    (r"\d+(\.\d+)? of NUMBER GiB free", "NUMBER of NUMBER GiB free", "what other programs do"),
    (r"(?<![\w.])(?=\d*[a-f])[0-9a-f]{7,40}(-dirty)?\b", "REVISION", "of the sources"),
    (r"^lab: another \./lab is building here; waiting for it\n", "", "what else goes on"),
    (r"^\S.* \.\.\. .*\n", "", "a step of building, which may be done already"),
    (r"(changed by [+-]?)\d\S*", "\\1NUMBER", "rounding of the compiler's order"),
)

# (group, case with * and ?, why it differs from the record of before)
INTENDED = (
    ("*", "plot*", "typed options; one help for all kinds of pictures"),
    ("*", "grade*", "typed options; a table that fits the terminal; one maximum in every row"),
    (
        "scored",
        "*",
        "pages for questions and items; no grade before it is final; no Autolab, no Classroom",
    ),
    ("bare", "", "the first command makes the environment and says so"),
    ("*", "worksheet*", "the questions of the task, and what is wrong; --all shows the others"),
    ("*", "count part4 naive*", "the counts of naive stay hidden until question 2 is right"),
    ("commands", "doctor", "python3-venv is in the list of packages"),
    ("commands", "handout -h", "--wheels is new"),
    ("commands", "help handout", "--wheels is new"),
    ("commands", "test*", "suites are sessions of nox, without budgets; --only is new"),
    ("commands", "help test", "--only is new"),
    *(
        (group, case, "the help has a line for test --only, and watch and case are new")
        for group, case in (
            ("bare", "help"),
            ("commands", ""),
            ("commands", "help"),
            ("terminals", " (*"),
            ("terminals", "help (*"),
        )
    ),
    *(
        (
            group,
            case,
            "typed options: the help is made from them, mistakes are found before building",
        )
        for group in ("commands", "terminals")
        for case in (
            "bench*",
            "help bench*",
            "profile*",
            "help profile*",
            "simulate*",
            "help simulate*",
            "try*",
            "help try",
            "vec-report*",
            "help vec-report*",
        )
    ),
    *(
        (group, f"{before}{name}*", "typed options: the help is made from them")
        for group in ("commands", "terminals")
        for before in ("", "help ")
        for name in (
            "count",
            "export",
            "handout",
            "hint",
            "next",
            "report",
            "site",
            "submit",
            "worksheet",
        )
    ),
    *(
        ("commands", case, why)
        for case, why in (
            ("bound -h", "the help is made from the options"),
            ("help bound", "the help is made from the options"),
            ("bound", "a missing part is told as in every typed command"),
            ("bound --*", "a wrong option is told as in every typed command"),
            ("bound part? * --no-measure", "the kinds of instructions are a table with a rule"),
        )
    ),
    *(
        ("commands", f"{word}{name}*", "typed options; machine shows the rest with --all")
        for name in ("machine", "devices", "counters", "roofline")
        for word in ("", "help ")
    ),
)

# Words after ./lab that must be refused in one line, beside those made from every command.
REFUSED = (
    "nosuchcommand",
    "chekc part1",
    "check",
    "check part9",
    "check part1 nobody",
    "check part1 mine --tolerance none",
    "check part1 mine --seed x",
    "check part1 mine --precision half",
    "check part1 mine --json /no/such/folder/x.json",
    "run",
    "run part1",
    "run part1 nobody",
    "run part1 naive -n 0",
    "run part1 naive -n 5 -f data/in/8bodies.dat",
    "run part1 naive -f no_such_file.dat",
    "run part1 naive --scene nothing",
    "run part1 naive -i -3",
    "run part1 naive --integrator none",
    "run part3 naive -n 10",
    "run part4 naive --ranks 0 -n 10",
    "bench part1 naive -n 0",
    "bench part1 nobody",
    "bench part1 naive --rounds 0",
    "bench part1 naive --scene nothing",
    "bench part1 naive --filter (",
    "bench part1 naive --arch none",
    "bench --compare a.json b.json",
    "bench part1 --study nothing",
    "bench part1 --study compilers naive",
    "bench part1 --study energy --quick",
    "bench part1 naive --ranks 2",
    "bench part3 naive",
    "try part1",
    "try part1 mine",
    "try part1 mine idea",
    "try part1 mine idea --expect fast",
    "try part1 naive idea --expect 2",
    "try part1 mine idea more --expect 2",
    "try part1 --again 99",
    "try part1 mine idea --expect 2 --against 99",
    "count part1 nobody",
    "profile part1 nobody",
    "profile part1 naive --debug --json",
    "roofline part9",
    "bound part1 nobody",
    "bound part1 naive --core NOSUCH",
    "vec-report part1 nobody",
    "diff part1 nobody",
    "diff part1 naive nobody",
    "hint part1",
    "hint part1 99",
    "worksheet part9",
    "worksheet part1 99",
    "undo part1 nobody",
    "demo part3",
    "demo --data docs",
    "demo --json",
    "plot",
    "plot nothing",
    "plot bench no_such.json build",
    "export",
    "export no_such out.xyz",
    "simulate part1 naive",
    "simulate part4 naive --ranks 0",
    "simulate part4 nobody",
    "handout",
    "handout -o x.zip",
    "grade",
    "grade no_such_folder -o build/x",
    "grade --rescore no_such --rubric x.json",
    "list part9",
    "next part9",
    "build part9",
    "build part1 nobody",
    "test nosuchsuite",
    "report part9",
    "view part1 nobody",
    "record part1 naive",
    "devices --nothing",
    "machine --nothing",
    "setup --nothing",
    "submit --nothing",
    "doctor extra",
    "completion extra",
    "help nosuchcommand",
)
# Those that work, change nothing here, and say the same each time but for what is masked.
SHOWN = (
    "",
    "help",
    "list",
    "list part1",
    "list part2",
    "list part4",
    "completion",
    "doctor",
    "test --list",
    "diff part1 locals",
    "diff part2 direct",
    "run part1 naive -n 3 -i 2 --nv",
    "run part1 naive -f data/in/8bodies.dat -i 20",
    "run part1 mine -n 50 -i 3 --vdt",
    "run part1 naive -h",
    "run part1 naive --version",
    "run part2 naive -n 64 -i 1",
    "run part4 naive -n 40 -i 2 --ranks 2",
    "check part1 naive --seed 1 --largest 40 --no-double",
    "check part2 mine --seed 1 --largest 40 --no-double",
    "count part1 locals",
    "bound part1 locals --no-measure",
    "bound part2 mine --no-measure",
    "bound part1 locals --core ICX --no-measure",
    "bound part2 direct --core ZEN4 --no-measure",
    "vec-report part1 naive",
    "vec-report part1 locals",
    "vec-report part2 mine",
    "roofline -h",
    "plot -h",
)

# What is typed instead of a right number x: each is a slip that the judge knows, or nothing it knows.
SLIPS = (
    "{x}",
    "2 * ({x})",
    "({x}) / 2",
    "4 * ({x})",
    "({x}) / 4",
    "8 * ({x})",
    "100 * ({x})",
    "({x}) / 100",
    "1e3 * ({x})",
    "1e9 * ({x})",
    "n * ({x})",
    "({x}) / n",
    "({x}) / (n * n)",
    "1 / ({x})",
    "std::floor({x})",
    "1.3 * ({x})",
    "-({x})",
    "0.0",
    "unanswered",
)
