"""Removes the author from source text as far as a program can: comments and strings that identify them are deleted."""

import re

from clean_text import clean, folded
from grade.identity import COMMENT_OR_STRING

E_MAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")
PATH = re.compile(r"(?<![\w.])(/(home|Users|root|mnt|media|tmp|afs|scratch)/|~/|[A-Za-z]:\\)")
SIGNED = re.compile(r"@author|\bauthors?\s*[:=]|\b(written|made|coded) by\b|\bcopyright\b|\(c\)\s*\d{4}", re.IGNORECASE)
SHORTEST_NAME = 3  # letters: "Bo" would hide too many comments
INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]*)"([^"\n]+)"', re.MULTILINE)
MARK = "\x00"  # stands for an include while strings are looked at


class Names:
    """What identifies a submission: words of its authors' names, its number, and full names of the rest of the class."""

    def __init__(self, own, number, everybody):
        words = {word for name in own for word in re.findall(r"[^\W\d_]+", folded(name)) if len(word) >= SHORTEST_NAME}
        full = {r"\s+".join(map(re.escape, folded(name).split())) for name in everybody if len(name.split()) > 1}
        self.words = words
        self.all = [re.compile(rf"(?<![^\W_]){one}(?![^\W_])") for one in sorted({*words, *full, *([re.escape(number)] if number else [])})]

    def give_away(self, text):
        if E_MAIL.search(text) or PATH.search(text) or SIGNED.search(text):
            return True
        return any(one.search(folded(text)) for one in self.all)

    def left_in(self, code):
        """Identifiers that contain a name, such as AnnasLoop: renaming could break the code, so a person looks at them."""
        parts = {word: re.findall(r"[A-Z]?[a-z]+|[A-Z]+", word) for word in re.findall(r"[A-Za-z_]\w*", code)}
        return sorted(word for word, some in parts.items() if any(part.lower() in self.words or part.lower()[:-1] in self.words and part.endswith("s")
                                                                  for part in some))


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
