"""Explains in a few lines why CMake stopped."""

import re
from pathlib import Path

_NO_NETWORK = re.compile(
    r"Failed to clone|Could not resolve|unable to access|could not find git|Build step for .* failed"
)


def _find_package(library: str, root: Path) -> str:
    """The package of packages.txt that contains the library."""
    try:
        text = (root / "common/setup/packages.txt").read_text(encoding="utf-8")
    except OSError:
        return ""
    found = re.search(rf"^(\S+) .*# {re.escape(library)}:", text, re.M)
    return found[1] if found else ""


def _find_first_message(text: str) -> str:
    """CMake's first message as one line, since CMake wraps it."""
    after = re.split(r"^CMake Error.*\n", text, maxsplit=1, flags=re.M)[-1]
    paragraph = re.split(r"\n\s*\n|^Call Stack", after.strip("\n") + "\n", maxsplit=1, flags=re.M)[
        0
    ]
    return " ".join(paragraph.split())


def explain_configuration(text: str, root: Path, log: str) -> list[str]:
    """`text`: what CMake printed, with an error; `log`: the file that holds it."""
    fetched = re.findall(r"^-- (.*): no package found, fetching ", text, re.M)
    if fetched and _NO_NETWORK.search(text):
        library = fetched[-1]
        return [
            f"cannot fetch {library} (no network?): install the package {_find_package(library, root)} (by ./lab setup) "
            f"or configure by hand with -DFETCHCONTENT_SOURCE_DIR_{library.upper()}=FOLDER; log: {log}"
        ]
    message = _find_first_message(text)
    # Errors in a student's own file do not mention CMake.
    is_students = re.match(r"part[^/ ]*/flags\.txt", message)
    return [
        message if is_students else f"CMake stopped: {message}",
        f"nothing was built; log: {log}",
    ]
