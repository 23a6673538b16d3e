"""How much of one source occurs in another, by sim_c++ (Debian's similarity-tester). It compares tokens, so renaming
and comments make no difference. Whatever occurs in the given code is removed first.
"""

import re
import shutil
import subprocess
import tempfile
import zlib
from collections import namedtuple
from pathlib import Path

SHORTEST_RUN = 24  # tokens
LONGEST_TEXT = 64 << 10  # bytes per compared file
# Text that compresses better than this repeats itself so much that comparing takes minutes; real code compresses to an
# eighth.
MOST_PACKED, SHORTEST_REPETITION = 30, 4096
SECONDS = 120
MOST_RUNS = 5  # per pair
MISSING = "sim_c++ is missing: sudo apt-get install similarity-tester"

# A run of tokens shared by two files, and its lines in each.
Run = namedtuple("Run", "tokens first_lines second_lines")
# tokens: of all their runs; share: of the smaller file that occurs in the other, from 0 to 1; runs: the longest.
Pair = namedtuple("Pair", "first second tokens share runs")
# problems: a sentence each.
Compared = namedtuple("Compared", "pairs problems")

RUN = re.compile(r"(\S+): line (\d+)-(\d+)\s*\|\s*(\S+): line (\d+)-(\d+)\s*\[(\d+)\]")
SIZE = re.compile(r"File (\S+): (\d+) tokens")


def owner_of(label):
    """The owner in "OWNER: FILE"; a label without a colon is its own owner."""
    return label.split(": ", 1)[0]


class NoAnswer(Exception):
    """sim_c++ gave no answer; the message says why."""


def plain_text(path):
    """The text in ASCII, which sim_c++ can read, with the same lines."""
    data = Path(path).read_bytes()[:LONGEST_TEXT]
    return "".join(
        chr(byte) if byte == 10 or 32 <= byte < 127 else " " if byte < 32 else "_" for byte in data
    )


def repeats_itself(text):
    """Whether a text repeats itself to sim_c++, which ignores comments and names."""
    bare = re.sub(r"//[^\n]*|/\*.*?(?:\*/|\Z)", "", text, flags=re.DOTALL)
    bare = re.sub(r"\s+", " ", re.sub(r"\w+", "x", bare)).encode()
    return len(bare) > SHORTEST_REPETITION and len(bare) > MOST_PACKED * len(zlib.compress(bare))


def ask(folder, new, old, which, seconds):
    """Runs sim_c++ and returns its answer file. `which`: "-s" compares each new file with all others, "-S" with the old
    ones only."""
    listed = [*new, *(["/", *old] if old else [])]
    words = ["sim_c++", "-n", "-e", which, "-r", str(SHORTEST_RUN), "-i", "-o", "answer"]
    try:
        ran = subprocess.run(
            words,
            input="\n".join(listed) + "\n",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            timeout=seconds,
            encoding="ascii",
            check=False,
        )
    except FileNotFoundError:
        raise NoAnswer(MISSING) from None
    except subprocess.TimeoutExpired:
        raise NoAnswer(f"sim_c++ took longer than {seconds:g} s: similarity was left out") from None
    if ran.returncode:
        raise NoAnswer(f"sim_c++ ended with status {ran.returncode}: similarity was left out")
    return folder / "answer"


def runs_in(answer):
    """Yields (first, second, Run); a class has a million of them."""
    with answer.open(encoding="ascii", errors="replace") as lines:
        for line in lines:
            found = RUN.match(line)
            if found:
                a, a1, a2, b, b1, b2, tokens = found.groups()
                yield a, b, Run(int(tokens), (int(a1), int(a2)), (int(b1), int(b2)))


def sizes_in(answer):
    """{name: tokens}"""
    with answer.open(encoding="ascii", errors="replace") as lines:
        return {found[1]: int(found[2]) for found in map(SIZE.match, lines) if found}


def without_lines(text, ranges):
    """The text with these lines emptied, so that the others keep their numbers."""
    lines = text.split("\n")
    for first, last in ranges:
        lines[first - 1 : last] = [""] * len(lines[first - 1 : last])
    return "\n".join(lines)


def without_given(folder, names, given, seconds):
    """Removes whatever occurs in a given file from each file."""
    if not names or not given:
        return
    ranges = {}
    for name, _, run in runs_in(ask(folder, names, given, "-S", seconds)):
        ranges.setdefault(name, []).append(run.first_lines)
    for name, found in ranges.items():
        file = folder / name
        file.write_text(without_lines(file.read_text(encoding="ascii"), found), encoding="ascii")


def the_longest(runs):
    return sorted(runs, reverse=True)[:MOST_RUNS]


def pairs_of(answer, labels):
    """[Pair], most similar first; files of the same owner are not compared."""
    sizes, tokens, longest = sizes_in(answer), {}, {}
    for first, second, run in runs_in(answer):
        if owner_of(labels[first]) != owner_of(labels[second]):
            key = first, second
            tokens[key] = tokens.get(key, 0) + run.tokens
            best = longest.setdefault(key, [])
            best.append(run)
            if len(best) == 2 * MOST_RUNS:
                best[:] = the_longest(best)
    pairs = [
        Pair(
            labels[first],
            labels[second],
            total,
            min(1.0, total / max(1, min(sizes[first], sizes[second]))),
            the_longest(longest[first, second]),
        )
        for (first, second), total in tokens.items()
    ]
    return sorted(pairs, key=lambda pair: (-pair.share, -pair.tokens, pair.first, pair.second))


def written(folder, letter, files):
    """({name in this folder: label}, labels left out)"""
    names, left_out = {}, []
    for number, (label, path) in enumerate(files.items()):
        text = plain_text(path)
        if repeats_itself(text):
            left_out.append(label)
        else:
            names[f"{letter}{number}"] = label
            (folder / f"{letter}{number}").write_text(text + "\n", encoding="ascii")
    return names, left_out


def compare(new, old, given, seconds=SECONDS):
    """Compares each new file with all others, but old ones not with each other. `new`, `old`: {label: path}; `given`:
    paths."""
    if not shutil.which("sim_c++"):
        return Compared([], [MISSING])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        news, left_out = written(folder, "n", new)
        olds, _ = written(folder, "o", old)
        givens, _ = written(folder, "g", dict(enumerate(given)))
        problems = [f"{label}: repeats itself endlessly: it was not compared" for label in left_out]
        try:
            without_given(folder, [*news, *olds], list(givens), seconds)
            answer = ask(folder, list(news), list(olds), "-s", seconds) if news else None
            return Compared(pairs_of(answer, {**news, **olds}) if news else [], problems)
        except NoAnswer as why:
            return Compared([], [*problems, str(why)])
