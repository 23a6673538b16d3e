"""Do Containerfile and devcontainer.json use only what exists, and leave packages to packages.txt?"""

import json
import re
import unittest

from nbody_lab import ROOT
from nbody_lab.cli import COMMANDS

FOLDER = ROOT / ".devcontainer"
SETUP = ROOT / "common/setup"
HOOKS = (
    "initializeCommand",
    "onCreateCommand",
    "updateContentCommand",
    "postCreateCommand",
    "postStartCommand",
    "postAttachCommand",
)
KNOWN = {
    "name",
    "build",
    "hostRequirements",
    *HOOKS,
}  # a new key needs a test first; "features" would install
INSTALLS = re.compile(
    r"\b(apt|apt-get|aptitude|dpkg|pip3?|pipx|conda|dnf|yum|apk|npm)\b[^|;&]*\b(install|add|-i)\b"
)


def faults_of_command(text):
    """What is wrong with a command line that calls ./lab or setup.sh."""
    found = [f"installs by itself: {text}"] if INSTALLS.search(text) else []
    for command in re.findall(r"\./lab(?: +([\w-]+))?", text):
        if command not in COMMANDS:
            found.append(f"./lab has no command '{command}'")
    for words in re.findall(r"(?:\./lab setup|setup\.sh)((?: +--[\w-]+)*)", text):
        options = re.findall(
            r"^    (--[a-z-]+)\)", (SETUP / "setup.sh").read_text(encoding="utf-8"), re.M
        )
        found += [f"setup.sh has no {word}" for word in words.split() if word not in options]
    return found


def faults_of_containerfile(text):
    found, copied = [], {}
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "COPY":
            source, target = rest.split()
            copied[target] = SETUP / source
        elif word == "RUN":
            found += faults_of_command(rest)
            for file in re.findall(r"(?<=\s)/opt/\S+", " " + rest):
                inside = [
                    place / file[len(target) + 1 :]
                    for target, place in copied.items()
                    if file.startswith(f"{target}/")
                ]
                found += (
                    [] if any(path.is_file() for path in inside) else [f"nothing copies {file}"]
                )
        elif word not in ("", "#", "FROM", "WORKDIR", "CMD"):
            found.append(f"containerfile_in_chroot.sh does not know {word}")
    return (
        found
        if "setup.sh" in text
        else [*found, "does not install by setup.sh, so not by packages.txt"]
    )


def faults_of_editor(text):
    told = json.loads(text)
    found = [f"unknown key {key}" for key in told if key not in KNOWN]
    for key in ("dockerfile", "context"):
        if not (FOLDER / told["build"][key]).exists():
            found.append(f"{key}: there is no {told['build'][key]}")
    return found + [fault for key in HOOKS if key in told for fault in faults_of_command(told[key])]


class ContainerTest(unittest.TestCase):
    def test_image(self):
        self.assertEqual(
            faults_of_containerfile((SETUP / "Containerfile").read_text(encoding="utf-8")), []
        )

    def test_editor(self):
        self.assertEqual(
            faults_of_editor((FOLDER / "devcontainer.json").read_text(encoding="utf-8")), []
        )

    def test_both_say_no_package_of_the_list(self):
        packages = re.findall(
            r"^([a-z][\w.+-]*?)(?:==\S*)? +(?:\w+:|pip)",
            (SETUP / "packages.txt").read_text(encoding="utf-8"),
            re.M,
        )
        self.assertGreater(len(packages), 30)
        lines = [
            line
            for line in (SETUP / "Containerfile").read_text(encoding="utf-8").splitlines()
            if line.startswith("RUN")
        ]
        commands = "\n".join(lines).replace("git config", "") + (
            FOLDER / "devcontainer.json"
        ).read_text(encoding="utf-8")
        for package in packages:
            self.assertNotRegex(commands, rf"(?<![\w.-]){re.escape(package)}(?![\w.-])")

    def test_faults_are_seen(self):
        good = "COPY . /opt/x\nRUN bash /opt/x/setup.sh --tests\n"
        self.assertEqual(faults_of_containerfile(good), [])
        for more, fault in (
            ("RUN apt-get install -y ninja-build", "installs by itself"),
            ("RUN bash /opt/x/none.sh", "nothing copies /opt/x/none.sh"),
            ("RUN bash /opt/x/setup.sh --test", "setup.sh has no --test"),
            ("ADD a b", "does not know ADD"),
        ):
            self.assertRegex("\n".join(faults_of_containerfile(good + more)), fault)
        self.assertRegex(faults_of_containerfile("RUN true")[0], "not by packages.txt")
        build = {"dockerfile": "../common/setup/Containerfile", "context": "../common/setup"}
        for told, fault in (
            ({"build": build, "features": {}}, "unknown key features"),
            ({"build": {**build, "dockerfile": "no"}}, "there is no no"),
            ({"build": build, "onCreateCommand": "./lab nope"}, "no command 'nope'"),
            ({"build": build, "postCreateCommand": "pip3 install numpy"}, "installs by itself"),
        ):
            self.assertRegex("\n".join(faults_of_editor(json.dumps(told))), fault)
