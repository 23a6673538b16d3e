"""What a page lacks, and the command that makes it."""


def first_own(part):
    """The name used in the commands."""
    return next((row["name"] for row in part["implementations"] if row["kind"] == "mine"), "mine")


# description; the part's data; the command
PIECES = (
    ("verdicts of the checker", lambda part: part["verdicts"], "./lab check {part}"),
    ("your speed compared with naive", lambda part: part["bench"], "./lab bench {part}"),
    (
        "your ideas, predicted and measured",
        lambda part: part["notebook"],
        './lab try {part} {name} "an idea" --expect 1.5',
    ),
    ("the roofline", lambda part: part["rooflines"], "./lab roofline {part}"),
    ("the bound of the innermost loop", lambda part: part["bounds"], "./lab bound {part} {name}"),
    (
        "speed by number of bodies",
        lambda part: "sizes" in part["swept"],
        "./lab bench {part} naive {name} -n 500,1000,2000,4000",
    ),
)
OF_PROCESSOR = (
    ("where the time goes", lambda part: part["profiles"], "./lab profile {part} {name}"),
    (
        "speed by number of threads",
        lambda part: "threads" in part["swept"],
        "./lab bench {part} naive {name} --threads 1,2",
    ),
)
OF_WORKSHEET = (
    ("the worksheet, judged", lambda part: part["worksheet"], "./lab worksheet {part}"),
)
ORBIT = "./lab run part1 naive -f data/in/earth_moon_sun.dat -i 8766 -w data/out/year --every 100"


def missing_of_part(part, has_worksheet):
    pieces = [
        *PIECES,
        *(() if part["device"] == "gpu" else OF_PROCESSOR),
        *(OF_WORKSHEET if has_worksheet else ()),
    ]
    return [
        {"what": what, "command": command.format(part=part["name"], name=first_own(part))}
        for what, there, command in pieces
        if not there(part)
    ]


def missing_of_lab(page):
    return (
        []
        if page["ceilings"]
        else [{"what": "how fast this machine can be", "command": "./lab roofline --measure"}]
    )
