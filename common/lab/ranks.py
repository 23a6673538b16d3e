"""Programs of several processes: how many, and the words that start them (manifest: "launcher", "ranks")."""

from messages import stop
from words import asks_for_double

PLACEHOLDER = "RANKS"
MOST = 65536  # of the protocol


def take_ranks(options):
    """(number, the other words); None where nobody asked."""
    options, number = list(options), None
    for k, word in enumerate(options):
        name, has_value, value = word.partition("=")
        if name == "--ranks":
            value = value if has_value else (options[k + 1] if k + 1 < len(options) else "")
            if not value.isdigit() or not 1 <= int(value) <= MOST:
                stop(f"--ranks wants the number of processes, 1 to {MOST}, not '{value}'")
            number = int(value)
            del options[k:k + (1 if has_value else 2)]
            break
    return number, options


def words_to_start(lab, name, options):
    """Of PART/NAME with these options, which may ask for ranks."""
    number, options = take_ranks(options)
    program = [lab.build / lab.program(name), *lab.row(name)["arguments"], *options]
    launcher = lab.of_part("launcher") or []
    if PLACEHOLDER not in launcher:
        if number not in (None, 1):
            stop(f"--ranks: {lab.part} runs as one process; part 4 runs as several")
        return program
    if asks_for_double(options):  # each precision is a program; started ranks cannot become the other one
        program[0] = lab.build / lab.targets(name, "double")[0]
    number = str(number or lab.of_part("ranks"))
    return [number if word == PLACEHOLDER else word for word in launcher] + program
