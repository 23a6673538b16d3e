"""Do Containerfile and devcontainer.json use only what exists, and leave packages to packages.txt?"""

import json
import re

import pytest

from nbody_lab import ROOT
from nbody_lab.cli import COMMANDS

FOLDER = ROOT / ".devcontainer"
SETUP = ROOT / "common/setup"
CONTAINERFILE = (SETUP / "Containerfile").read_text(encoding="utf-8")
EDITOR = (FOLDER / "devcontainer.json").read_text(encoding="utf-8")
OPTIONS = re.findall(r"^    (--[a-z-]+)\)", (SETUP / "setup.sh").read_text(encoding="utf-8"), re.M)
HOOKS = {f"{when}Command" for when in ("initialize", "onCreate", "updateContent")}
HOOKS |= {f"post{when}Command" for when in ("Create", "Start", "Attach")}
# A new key needs a test first; "features" would install.
KNOWN = {"name", "build", "hostRequirements", *HOOKS}
INSTALLS = re.compile(
    r"\b(apt|apt-get|aptitude|dpkg|pip3?|pipx|conda|dnf|yum|apk|npm)\b[^|;&]*\b(install|add|-i)\b"
)


def faults_of_command(text):
    """What is wrong with a command line that calls ./lab or setup.sh."""
    if INSTALLS.search(text):
        yield f"installs by itself: {text}"
    for command in re.findall(r"\./lab(?: +([\w-]+))?", text):
        if command not in COMMANDS:
            yield f"./lab has no command '{command}'"
    for words in re.findall(r"(?:\./lab setup|setup\.sh)((?: +--[\w-]+)*)", text):
        yield from (f"setup.sh has no {word}" for word in words.split() if word not in OPTIONS)


def faults_of_containerfile(text):
    copied = {}
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "COPY":
            source, target = rest.split()
            copied[target] = SETUP / source
        elif word == "RUN":
            yield from faults_of_command(rest)
            for file in re.findall(r"(?<=\s)/opt/\S+", " " + rest):
                places = (place / file[len(at) + 1 :] for at, place in copied.items() if at in file)
                if not any(place.is_file() for place in places):
                    yield f"nothing copies {file}"
        elif word not in ("", "#", "FROM", "WORKDIR", "CMD"):
            yield f"containerfile_in_chroot.sh does not know {word}"
    if "setup.sh" not in text:
        yield "does not install by setup.sh, so not by packages.txt"


def faults_of_editor(text):
    told = json.loads(text)
    yield from (f"unknown key {key}" for key in told if key not in KNOWN)
    for key in ("dockerfile", "context"):
        if not (FOLDER / told["build"][key]).exists():
            yield f"{key}: there is no {told['build'][key]}"
    for key in HOOKS & told.keys():
        yield from faults_of_command(told[key])


def test_the_image_and_the_editor_have_no_fault():
    assert [*faults_of_containerfile(CONTAINERFILE), *faults_of_editor(EDITOR)] == []


def test_neither_names_a_package_of_the_list():
    listed = (SETUP / "packages.txt").read_text(encoding="utf-8")
    packages = re.findall(r"^([a-z][\w.+-]*?)(?:==\S*)? +(?:\w+:|pip)", listed, re.M)
    assert len(packages) > 30
    run = "\n".join(re.findall(r"(?m)^RUN.*", CONTAINERFILE)).replace("git config", "")
    words = set(re.findall(r"(?<![\w.-])[\w.+-]+(?![\w-])", f"{run}\n{EDITOR}"))
    assert words.isdisjoint(packages)


GOOD = "COPY . /opt/x\nRUN bash /opt/x/setup.sh --tests\n"
BUILD = {"dockerfile": "../common/setup/Containerfile", "context": "../common/setup"}


@pytest.mark.parametrize(
    ("faults", "text", "fault"),
    [
        (faults_of_containerfile, f"{GOOD}RUN apt-get install -y ninja", "installs by itself"),
        (faults_of_containerfile, f"{GOOD}RUN bash /opt/x/none.sh", "nothing copies /opt/x/none"),
        (faults_of_containerfile, f"{GOOD}RUN bash /opt/x/setup.sh --test", "has no --test"),
        (faults_of_containerfile, f"{GOOD}ADD a b", "does not know ADD"),
        (faults_of_containerfile, "RUN true", "not by packages.txt"),
        (faults_of_editor, {"build": BUILD, "features": {}}, "unknown key features"),
        (faults_of_editor, {"build": {**BUILD, "dockerfile": "no"}}, "there is no no"),
        (faults_of_editor, {"build": BUILD, "onCreateCommand": "./lab nope"}, "no command 'nope'"),
        (
            faults_of_editor,
            {"build": BUILD, "postCreateCommand": "pip3 install numpy"},
            "installs by itself",
        ),
    ],
)
def test_faults_are_seen(faults, text, fault):
    (found,) = faults(text if isinstance(text, str) else json.dumps(text))
    assert fault in found
    assert list(faults_of_containerfile(GOOD)) == []
