"""Whose submission is it, and how does its source lose its author? Reads the names in its worksheets as text, because
compiling them would run a stranger's code."""

import re

from nbody_lab.core.clean_text import clean, folded, printable

MOST_AUTHORS, LONGEST_NAME, MOST_READ = 10, 80, 64 << 10
# Lengths are bounded, so that no crafted text takes minutes.
COMMENT_OR_STRING = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|R"([^()\\\s"]{0,16})\((.{0,1000}?)\)\1"|"(?:[^"\\\n]|\\.){0,1000}"|'(?:[^'\\\n]|\\.)'""",
    re.DOTALL,
)
ANSWER = re.compile(r"\bauthors\s*(?:=|\{|\()[\s{(]*((?:\x00\d+\x00\s*)+)")
ESCAPE = re.compile(
    r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL
)
BETWEEN = re.compile(r"\s*(?:[,;&/+\n]|\band\b|\bund\b|\bet\b)\s*")


def unescaped(found):
    word = found[1]
    try:
        if word[0] in "uUx":
            return chr(int(word[1:], 16))
        return chr(int(word, 8)) if word[0] in "01234567" else {"n": "\n", "t": " "}.get(word, word)
    except (ValueError, OverflowError):
        return ""


def answer_in(text):
    """The text of `authors`; empty if it is not answered."""
    strings = []

    def without(found):
        if found[0][0] in "/'":
            return " "
        strings.append(found[2] if found[2] is not None else ESCAPE.sub(unescaped, found[0][1:-1]))
        return f"\x00{len(strings) - 1}\x00"

    found = ANSWER.search(COMMENT_OR_STRING.sub(without, text[:MOST_READ].replace("\x00", " ")))
    return "".join(strings[int(number)] for number in re.findall(r"\d+", found[1])) if found else ""


def names_in(answer):
    """["Ada Lovelace", "Charles Babbage"]"""
    names = [
        " ".join(printable(one).split())[:LONGEST_NAME].strip()
        for one in BETWEEN.split(answer[:1000])
    ]
    return each_once(names)[:MOST_AUTHORS]


def each_once(names):
    """Without duplicates, in the first spelling."""
    found = {}
    for name in names:
        found.setdefault(key_of(name), name)
    return [name for key, name in found.items() if key]


def key_of(name):
    """The same for "Anna Smith", "Smith Anna" and "SMITH, Anná"."""
    return " ".join(sorted(re.findall(r"[^\W_]+", folded(name))))


def authors_of(taken):
    """[(target, [names])] of the worksheets with authors."""
    found = []
    for target, path in sorted(taken.files.items()):
        if target.endswith("/worksheet.hpp"):
            names = names_in(answer_in(path.read_bytes().decode("utf-8", "replace")))
            found += [(target, names)] if names else []
    return found


def identified(submission, taken):
    """(the submission with its authors, problems). The names in worksheets count; without any, the platform's."""
    found, problems = authors_of(taken), []
    authors = each_once([one for _, names in found for one in names])
    sets = {frozenset(map(key_of, names)) for _, names in found}
    if len(sets) > 1:
        problems.append(
            "the worksheets name different authors: "
            + "; ".join(f"{target}: {', '.join(one)}" for target, one in found)
        )
    told = [one for one in submission.authors if key_of(one) != "participant"]
    if found and told and not any(is_named(one, authors) for one in told):
        problems.append(
            f"handed in by {', '.join(map(printable, told))}, but the worksheet names {', '.join(authors)}"
        )
    return submission._replace(authors=authors or submission.authors), problems


def is_named(name, authors):
    """Whether `name` is an author, with or without a middle name or a group's name in front."""
    words = set(key_of(name).split())
    return any(
        words <= set(key.split()) or set(key.split()) <= words for key in map(key_of, authors)
    )


# Removes the author from source text as far as a program can: comments and strings that identify them are deleted.
E_MAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")
PATH = re.compile(r"(?<![\w.])(/(home|Users|root|mnt|media|tmp|afs|scratch)/|~/|[A-Za-z]:\\)")
SIGNED = re.compile(
    r"@author|\bauthors?\s*[:=]|\b(written|made|coded) by\b|\bcopyright\b|\(c\)\s*\d{4}",
    re.IGNORECASE,
)
SHORTEST_NAME = 3  # letters: "Bo" would hide too many comments
INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]*)"([^"\n]+)"', re.MULTILINE)
MARK = "\x00"  # stands for an include while strings are looked at


class Names:
    """What identifies a submission: words of its authors' names, its number, and full names of the rest of the class."""

    def __init__(self, own, number, everybody):
        words = {
            word
            for name in own
            for word in re.findall(r"[^\W\d_]+", folded(name))
            if len(word) >= SHORTEST_NAME
        }
        full = {
            r"\s+".join(map(re.escape, folded(name).split()))
            for name in everybody
            if len(name.split()) > 1
        }
        self.words = words
        self.all = [
            re.compile(rf"(?<![^\W_]){one}(?![^\W_])")
            for one in sorted({*words, *full, *([re.escape(number)] if number else [])})
        ]

    def give_away(self, text):
        if E_MAIL.search(text) or PATH.search(text) or SIGNED.search(text):
            return True
        return any(one.search(folded(text)) for one in self.all)

    def left_in(self, code):
        """Identifiers that contain a name, such as AnnasLoop: renaming could break the code, so a person looks at them."""
        parts = {
            word: re.findall(r"[A-Z]?[a-z]+|[A-Z]+", word)
            for word in re.findall(r"[A-Za-z_]\w*", code)
        }
        return sorted(
            word
            for word, some in parts.items()
            if any(
                part.lower() in self.words
                or (part.lower()[:-1] in self.words and part.endswith("s"))
                for part in some
            )
        )


def without_author(text, names, headers):
    """The text without what names.give_away(), on the same lines. `headers`: {name of an own file: its new name}."""
    text = clean(text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).replace(MARK, " "))
    included = []

    def keep_include(found):
        included.append(f'{found[1]}"{headers.get(found[2].rpartition("/")[2], found[2])}"')
        return f"{MARK}{len(included) - 1}{MARK}"

    def judged(found):
        if not names.give_away(found[0]):
            return found[0]
        if found[0][0] == "/":
            return "\n" * found[0].count("\n")
        return '"removed"' + "\n" * found[0].count("\n")

    text = COMMENT_OR_STRING.sub(judged, INCLUDE.sub(keep_include, text))
    text = re.sub(f"{MARK}(\\d+){MARK}", lambda found: included[int(found[1])], text)
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


def code_of(text):
    """The text without comments and strings."""
    return COMMENT_OR_STRING.sub(" ", text)
