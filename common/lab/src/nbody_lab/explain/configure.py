"""Explains in a few lines why CMake stopped."""

import re

NO_NETWORK = re.compile(
    r"Failed to clone|Could not resolve|unable to access|could not find git|Build step for .* failed"
)


def package_of(library, root):
    """The package of packages.txt that contains the library."""
    try:
        text = (root / "common/setup/packages.txt").read_text(encoding="utf-8")
    except OSError:
        return ""
    found = re.search(rf"^(\S+) .*# {re.escape(library)}:", text, re.M)
    return found[1] if found else ""


def first_message(text):
    """CMake's first message as one line, since CMake wraps it."""
    found = re.search(r"^CMake Error.*\n((?:.*\n)*)", text, re.M)
    paragraphs = re.split(
        r"\n\s*\n|^Call Stack", found[1].strip("\n") + "\n", maxsplit=1, flags=re.M
    )
    return " ".join(paragraphs[0].split())


def why_not_configured(text, root, log):
    fetched = re.findall(r"^-- (.*): no package found, fetching ", text, re.M)
    if fetched and NO_NETWORK.search(text):
        library = fetched[-1]
        return [
            f"cannot fetch {library} (no network?): install the package {package_of(library, root)} (by ./lab setup) "
            f"or configure by hand with -DFETCHCONTENT_SOURCE_DIR_{library.upper()}=FOLDER; log: {log}"
        ]
    message = first_message(text)
    # Errors in a student's own file do not mention CMake.
    said = message if re.match(r"part[^/ ]*/flags\.txt", message) else f"CMake stopped: {message}"
    return [said, f"nothing was built; log: {log}"]
