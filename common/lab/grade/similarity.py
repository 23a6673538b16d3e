"""How much of one source stands in another, by sim_c++ (Debian's similarity-tester): it compares tokens, so that other names
and comments change nothing. What stands in the given code is taken away first.
"""

import re
import shutil
import subprocess
import tempfile
import zlib
from collections import namedtuple
from pathlib import Path

SHORTEST_RUN = 24  # tokens
LONGEST_TEXT = 64 << 10  # bytes of a file that are compared
# Text that packs better than this repeats itself so often that comparing it takes minutes; real code packs to an eighth.
MOST_PACKED, SHORTEST_REPETITION = 30, 4096
SECONDS = 120
MISSING = "sim_c++ is not here: sudo apt-get install similarity-tester"

# A run of tokens that two files share, and the lines where it stands.
Run = namedtuple("Run", "tokens first_lines second_lines")
# Two files; tokens: of all their runs; share: of the smaller file that stands in the other, from 0 to 1.
Pair = namedtuple("Pair", "first second tokens share runs")
# problems: a sentence each.
Compared = namedtuple("Compared", "pairs problems")

RUN = re.compile(r"(\S+): line (\d+)-(\d+)\s*\|\s*(\S+): line (\d+)-(\d+)\s*\[(\d+)\]")
SIZE = re.compile(r"File (\S+): (\d+) tokens")


class NoAnswer(Exception):
    """sim_c++ gave none: why, in a sentence."""


def plain_text(path):
    """What a program from before Unicode can read, with the same lines."""
    data = Path(path).read_bytes()[:LONGEST_TEXT]
    return "".join(chr(byte) if byte == 10 or 32 <= byte < 127 else " " if byte < 32 else "_" for byte in data)


def repeats_itself(text):
    """Seen as sim_c++ sees it: without comments and names."""
    bare = re.sub(r"//[^\n]*|/\*.*?(?:\*/|\Z)", "", text, flags=re.DOTALL)
    bare = re.sub(r"\s+", " ", re.sub(r"\w+", "x", bare)).encode()
    return len(bare) > SHORTEST_REPETITION and len(bare) > MOST_PACKED * len(zlib.compress(bare))


def ask(folder, new, old, which, seconds):
    """(sizes {name: tokens}, [(first, second, Run)]); `which`: "-s" compares each new file with each other one, "-S" with the
    old ones only."""
    if not new:
        return {}, []
    listed = [*new, *(["/", *old] if old else [])]
    words = ["sim_c++", "-n", "-e", which, "-r", str(SHORTEST_RUN), "-i"]
    try:
        ran = subprocess.run(words, input="\n".join(listed) + "\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             cwd=folder, timeout=seconds, encoding="ascii", errors="replace", check=False)
    except FileNotFoundError:
        raise NoAnswer(MISSING) from None
    except subprocess.TimeoutExpired:
        raise NoAnswer(f"sim_c++ took longer than {seconds:g} s: similarity was left out") from None
    if ran.returncode:
        raise NoAnswer(f"sim_c++ ended with status {ran.returncode}: similarity was left out")
    runs = [(a, b, Run(int(tokens), (int(a1), int(a2)), (int(b1), int(b2))))
            for a, a1, a2, b, b1, b2, tokens in RUN.findall(ran.stdout)]
    return {name: int(tokens) for name, tokens in SIZE.findall(ran.stdout)}, runs


def without_lines(text, ranges):
    """Empty lines instead, so that the others keep their numbers."""
    lines = text.split("\n")
    for first, last in ranges:
        lines[first - 1:last] = [""] * len(lines[first - 1:last])
    return "\n".join(lines)


def without_given(folder, names, given, seconds):
    """Takes out of each file what stands in one of the given ones."""
    _, runs = ask(folder, names, given, "-S", seconds) if given else ({}, [])
    ranges = {}
    for name, _, run in runs:
        ranges.setdefault(name, []).append(run.first_lines)
    for name, found in ranges.items():
        file = folder / name
        file.write_text(without_lines(file.read_text(encoding="ascii"), found), encoding="ascii")


def pairs_of(sizes, runs, labels):
    """[Pair], the most alike first."""
    together = {}
    for first, second, run in runs:
        together.setdefault((first, second), []).append(run)
    pairs = []
    for (first, second), found in together.items():
        tokens = sum(run.tokens for run in found)
        smaller = max(1, min(sizes.get(first, 1), sizes.get(second, 1)))
        found.sort(key=lambda run: -run.tokens)
        pairs.append(Pair(labels[first], labels[second], tokens, min(1.0, tokens / smaller), found))
    return sorted(pairs, key=lambda pair: (-pair.share, -pair.tokens, pair.first, pair.second))


def written(folder, letter, files):
    """({name in this folder: label}, labels of those that were left out)"""
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
    """`new`, `old`: {label: path}: each new one is compared with all others, old ones not with each other; `given`: paths."""
    if not shutil.which("sim_c++"):
        return Compared([], [MISSING])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        news, left_out = written(folder, "n", new)
        olds, _ = written(folder, "o", old)
        givens, _ = written(folder, "g", dict(enumerate(given)))
        problems = [f"{label}: repeats itself without end: it was not compared" for label in left_out]
        try:
            without_given(folder, [*news, *olds], list(givens), seconds)
            sizes, runs = ask(folder, list(news), list(olds), "-s", seconds)
            return Compared(pairs_of(sizes, runs, {**news, **olds}), problems)
        except NoAnswer as why:
            return Compared([], [*problems, str(why)])
