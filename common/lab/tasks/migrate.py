"""Rewrites an old templated header (`class Mine : public Naive<T>`) for today's lab, where a
program has one number type, `real`, and classes are plain.

    ./lab migrate FILE...      rewrites each file; the old text stays beside it as FILE.old

It drops `template <typename T>` and the `using Base<T>::name;` lines that only templates need,
writes `real` for T, and turns T(0) into a plain literal where that is exact. Comments and strings
stay.
"""

import os
import re
import sys
from pathlib import Path

# Classes of the lab that used to be templates of T.
PLAIN_CLASSES = {"Simulator", "Problem", "Naive", "Mine", "Body"}

SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'', re.DOTALL)


def in_code(text, change):
    """Applies `change` to everything except comments and strings."""
    pieces, at = [], 0
    for skipped in SKIPPED.finditer(text):
        pieces += [change(text[at:skipped.start()]), skipped.group()]
        at = skipped.end()
    return "".join(pieces + [change(text[at:])])


def parameter_of(text):
    """The name of the header's template parameter, usually "T"; None without templates."""
    found = re.search(r"\btemplate\s*<\s*(?:typename|class)\s+(\w+)\s*[>,]", SKIPPED.sub("", text))
    return found and found.group(1)


def with_t(text):
    """The text with every template parameter written as `typename T`."""
    name = parameter_of(text)
    text = re.sub(rf"\btemplate(\s*)<(\s*)(?:typename|class)(\s+){name}\b", r"template\1<\2typename\3T", text)
    return text if name == "T" else re.sub(rf"\b{name}\b", "T", text)


def is_template(text):
    return parameter_of(text) is not None


def own_classes(text):
    return set(re.findall(r"template\s*<\s*typename T\b[^>]*>\s*(?:class|struct|using)\s+(\w+)", text))


def without_closing(text, start):
    """(argument, index after the closing bracket) of the call whose bracket opens at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return text[start + 1:at], at + 1
    return None, start


def plain_literals(code):
    """Replaces T(0) by 0 where it is only assigned or compared, else by real(0): T(1) / n is not 1 / n
    for an integer n, and `auto x = 0` is an integer."""
    result, at = [], 0
    for call in re.finditer(r"\bT\(", code):
        if call.start() < at:
            continue
        argument, end = without_closing(code, call.end() - 1)
        if argument is None:
            continue
        before, behind = code[:call.start()].rstrip(), code[end:].lstrip()
        statement = re.split(r"[;{}]", before)[-1]
        exact = re.fullmatch(r"\d+(\.0*)?", argument) is not None
        alone = before.endswith(("=", "<", ">")) and behind.startswith((";", ",", ")", "&&", "||"))
        plain = exact and alone and not re.search(r"\bauto\b", statement)
        result.append(code[at:call.start()])
        result.append(argument.split(".")[0] if plain else "real(" + plain_literals(argument) + ")")
        at = end
    return "".join(result) + code[at:]


def without_this(code):
    """Replaces this->name by name, unless a parameter or local variable has the same name."""
    def short(use):
        name = use.group(1)
        return use.group() if re.search(rf"[\w>&*]\s+[&*]?{name}\s*[,)=;{{]", code) else name
    return re.sub(r"\bthis->(\w+)", short, code)


def migrated(text, more_classes=()):
    """The header's text without templates of T."""
    if is_template(text):
        text = with_t(text)
    classes = PLAIN_CLASSES | own_classes(text) | set(more_classes)
    names = "|".join(sorted(classes))

    def change(code):
        code = re.sub(r"\btemplate\s*<\s*typename T\s*>[ \t]*\n?[ \t]*", "", code)
        code = re.sub(r"\btemplate\s*<\s*typename T\s*,\s*", "template <", code)
        # Plain classes see the names of their base without these lines, but not its constructors.
        code = re.sub(r"[ \t]*using (?:typename )?(\w+)<T>::(?!\1\s*;)\w+;[ \t]*\n", "", code)
        code = re.sub(r"\b(%s)<T>" % names, r"\1", code)
        code = re.sub(r"\b(%s)<T, " % names, r"\1<", code)
        code = re.sub(r"\btypename (%s)::" % names, r"\1::", code)
        code = re.sub(r"\bthis->template ", "", code)
        code = without_this(code)
        code = plain_literals(code)
        return re.sub(r"\bT\b", "real", code)

    text = in_code(text, change)
    # Drop sections and comments that are now empty.
    text = re.sub(r"[ \t]*// A template does not see the names of its base unless they are listed\.\n", "", text)
    text = re.sub(r"\n*[ \t]*(?:protected|private|public):[ \t]*\n(?=\s*(?:\};|(?:protected|private|public):))", "\n", text)
    text = re.sub(r"((?:protected|private|public):[ \t]*\n)\n+", r"\1", text)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"\n\n(\};)", r"\n\1", text))


def migrate_file(path, more_classes=()):
    """True if the file was rewritten. Raises OSError, UnicodeDecodeError."""
    text = path.read_bytes().decode("utf-8")
    if not is_template(text):
        return False
    kept = path.with_name(path.name + ".old")
    if kept.exists():
        raise FileExistsError(f"{kept} exists already: rename it so that nothing is lost")
    new = path.with_name(path.name + ".new")
    lines = "\r\n" if "\r\n" in text else "\n"
    new.write_bytes(migrated(text.replace("\r\n", "\n"), more_classes).replace("\n", lines).encode("utf-8"))
    os.replace(path, kept)
    os.replace(new, path)
    return True


def main(words):
    if not words or words[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if words else 2
    for word in words:
        path = Path(word)
        try:
            if migrate_file(path):
                print(f"{path}: rewritten; the old text is in {path.name}.old")
            else:
                print(f"{path}: has no `template <typename T>`: unchanged")
        except (OSError, UnicodeDecodeError) as fault:
            print(f"migrate: {path}: {getattr(fault, 'strerror', None) or fault}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
