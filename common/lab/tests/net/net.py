"""A record of what the lab does, seen from outside, to compare with after a rebuild.

    net.py record FILE [GROUP...]     groups: commands, bare, terminals, judged, counts,
                                      worksheets, scored; default: all
    net.py compare BEFORE AFTER       what differs, other than intended; status 1 if something does

A record is JSON: {group: {case: {what: text}}}. What varies from run to run is masked (MASKS); what was changed on
purpose is in INTENDED, with its reason.
"""

import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from difflib import unified_diff
from fcntl import ioctl
from fnmatch import fnmatch
from pathlib import Path
from termios import TIOCSWINSZ

from nbody_lab import ROOT
from nbody_lab.core.manifest import Manifest
from nbody_lab.core.messages import UserError, ended
from nbody_lab.core.running import SHORT_SPINS
from nbody_lab.core.tree_copy import link_tools
from tests.net.cases import INTENDED, MASKS, REFUSED, SHOWN, SLIPS

BUILD = ROOT / "build/release"
MEASURED_CLASS = ROOT / "build/net/class"
LONGEST_S = 600  # of one command

# The sentence of a program whose failures differ from run to run.
VARIES = "gave two different answers"


def masked(text):
    for pattern, stands_for, _ in MASKS:
        text = re.sub(pattern, stands_for, text, flags=re.M)
    return text


def environment(**more):
    return {
        **os.environ,
        **SHORT_SPINS,
        "LC_ALL": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        **more,
    }


def told(words, root=ROOT, **env):
    """What a command line of ./lab says, without a terminal."""
    run = subprocess.run(
        [root / "lab", *words.split()],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=LONGEST_S,
        env=environment(**env),
        check=False,
    )
    return {
        "status": run.returncode,
        "out": masked(run.stdout).replace(str(root), "ROOT"),
        "err": masked(run.stderr).replace(str(root), "ROOT"),
    }


def told_to_terminal(words, columns):
    """The same to a terminal so many columns wide, in which out and err come together."""
    ours, its = pty.openpty()
    ioctl(its, TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen(
        [ROOT / "lab", *words.split()],
        stdin=its,
        stdout=its,
        stderr=its,
        env=environment(COLUMNS=str(columns)),
        close_fds=True,
    ) as process:
        os.close(its)
        said = b""
        while True:
            try:
                said += os.read(ours, 65536)
            except OSError:  # it closed its end
                break
        status = process.wait()
    os.close(ours)
    return {"status": status, "said": masked(said.decode(errors="replace"))}


# --- groups --------------------------------------------------------------------------------------


def commands():
    """Every command's help, with an option that does not exist, and refusals; then those that work."""
    names = dict.fromkeys(re.findall(r"^  ([a-z][a-z-]*)", told("help")["out"], re.M))
    helps = [
        words
        for name in names
        if name not in ("help", "plot", "devices")
        for words in (f"{name} -h", f"help {name}")
    ]
    wrong = [
        f"{name} --no-such-option" for name in names if name not in ("completion", "help", "site")
    ]
    # One after another: they would tell that another ./lab is building.
    return {words: told(words) for words in dict.fromkeys([*helps, *wrong, *REFUSED, *SHOWN])}


def bare():
    """A new clone in which nothing is built, and refusals that must come before anything is."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "lab"
        subprocess.run(["git", "clone", "-q", ROOT, tree], check=True)
        found = {
            words: told(words, tree)
            for words in (
                "",
                "help",
                "check -h",
                "check part1 mine --tolerance",
                "try part1 mine idea",
                "hint part1 1",
                "undo part1 mine",
                "report",
                "bench --compare a.json b.json",
                "plot bench x.json y",
                "demo part3",
            )
        }
        made = [
            str(file.relative_to(tree)) for file in (tree / "build").rglob("*") if file.is_file()
        ]
        found["files"] = {
            "files": "\n".join(sorted(name for name in made if not name.startswith("build/venv")))
        }
        shutil.rmtree(tree / "build", ignore_errors=True)
        path = Path(folder) / "bin"  # a machine with nothing but these
        path.mkdir()
        for tool in ("bash", "env", "dirname", "readlink", "uname", "cat", "cmp"):
            (path / tool).symlink_to(shutil.which(tool))
        found["without Python"] = told("help", tree, PATH=str(path))
        return found


def terminals():
    return {
        f"{words} ({columns} columns)": told_to_terminal(words, columns)
        for columns in (80, 100)
        for words in (
            "",
            "help",
            "list part1",
            "check part1 naive --seed 1 --largest 40 --no-double",
            "run part1 naive -n 3 -i 2 --nv",
            "bench -h",
        )
    }


def judged():
    """Every program of the zoo, of the table of mistakes and of the ladders: verdict, cases, sentence."""
    found = {}
    for part, options in (
        ("wrong", ("--largest", "1021", "--timeout", "3")),
        ("honest", ()),
        ("part1", ()),
        ("part2", ()),
        ("part4", ()),
    ):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "check.json"
            subprocess.run(
                [
                    BUILD / "bin/check",
                    part,
                    "--seed",
                    "7",
                    "--manifest",
                    BUILD / "manifest.json",
                    "--no-double",
                    "--json",
                    file,
                    *options,
                ],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment(),
                check=False,
            )
            for row in json.loads(file.read_text(encoding="utf-8"))["implementations"]:
                failed = sum(case["verdict"] == "failed" for case in row["cases"])
                varies = VARIES in row["sentence"]
                found[f"{part}/{row['name']}"] = {
                    "verdict": row["verdict"],
                    "as expected": str(row["as_expected"]),
                    "cases": len(row["cases"]),
                    "failed": "#" if varies else failed,
                    "sentence": re.sub(r"\d[\d.e+-]*", "#", row["sentence"]),
                }
    return found


def counts():
    """What every count program counts, as polynomials."""
    rows = [
        row
        for row in Manifest(BUILD / "manifest.json").rows
        if row["count"] and row["part"] != "part3"
    ]
    targets = [row["count"]["result"] for row in rows]
    subprocess.run(["ninja", "-C", BUILD, "-k0", *targets], stdout=subprocess.DEVNULL, check=False)
    found = {}
    for row in rows:
        file = BUILD / row["count"]["result"]
        if file.exists():
            work = json.loads(file.read_text(encoding="utf-8"))["work"]
            found[f"{row['part']}/{row['name']}"] = {
                f"{function} {kind}": str(one["polynomial"] and one["polynomial"]["text"])
                for function, kinds in work.items()
                for kind, one in kinds.items()
                if isinstance(one, dict) and "polynomial" in one
            }
    return found


def worksheets():
    """The sheets of parts 1, 2 and 4: as given, answered right, and with each slip in all numbers; with --which, too."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "lab"
        subprocess.run(["git", "clone", "-q", ROOT, tree], check=True)
        link_tools(tree, ROOT)
        for answered in sorted(tree.glob("solutions/part[124]*/worksheet.hpp")):
            sheet = tree / answered.parent.name / "worksheet.hpp"
            part = answered.parent.name.partition("_")[0]
            found[f"{part} as given"] = told(f"worksheet {part}", tree)
            text = answered.read_text(encoding="utf-8")
            for slip in SLIPS:
                typed = re.sub(
                    r"(^ +double \w+ = )([^;]+)(;)",
                    lambda line, slip=slip: line[1] + slip.replace("{x}", line[2]) + line[3],
                    text,
                    flags=re.M,
                )
                sheet.write_text(typed, encoding="utf-8")
                found[f"{part} {slip}"] = told(f"worksheet {part}", tree)
                found[f"{part} {slip} --which"] = told(f"worksheet {part} --which", tree)
    return found


def text_of(file):
    """Its text without what varies; of a page, what is between the tags."""
    text = file.read_bytes().decode("utf-8", "replace")
    if file.suffix == ".html":
        text = re.sub(r"(?s)<(script|style).*?</\1>|<[^>]*>", "", text)
    return masked(text)


def scored():
    """The grader's class, scored again from what was measured: every file, and that a second time gives the same bytes. The
    first record takes the class that ./lab test grader-class has left; later ones need the same, so it is kept."""
    if not MEASURED_CLASS.is_dir():
        shutil.copytree(ROOT / "build/test_grader/out", MEASURED_CLASS)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        shutil.copytree(MEASURED_CLASS, out)
        words = (
            f"grade --rescore {out} --rubric {ROOT}/common/lab/tests/grade/made_class/rubric.json"
        )
        found = {
            "rescore": {
                key: str(value).replace(folder, "FOLDER") for key, value in told(words).items()
            }
        }
        files = [
            file
            for file in sorted(out.rglob("*"))
            if file.is_file() and file.relative_to(out).parts[0] not in ("measured", "taken")
        ]
        once = {file: (file.read_bytes(), text_of(file)) for file in files}
        told(words)
        for file in files:
            data, text = file.read_bytes(), text_of(file)
            twice = (
                "the same bytes"
                if data == once[file][0]
                else "the same but for the date"
                if text == once[file][1]
                else "differs"
            )
            found[str(file.relative_to(out))] = {"text": text, "twice": twice}
        return found


GROUPS = {
    "commands": commands,
    "bare": bare,
    "terminals": terminals,
    "judged": judged,
    "counts": counts,
    "worksheets": worksheets,
    "scored": scored,
}


def record(file, names):
    unknown = [name for name in names if name not in GROUPS]
    if unknown:
        raise UserError(f"there is no group {unknown[0]}: choose from {', '.join(GROUPS)}")
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for name in names or GROUPS:
        found[name] = GROUPS[name]()
        print(f"{name}: {len(found[name])} cases", flush=True)
        file.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


# --- what differs --------------------------------------------------------------------------------


def is_intended(group, case):
    return any(group == of_group and fnmatch(case, pattern) for of_group, pattern, _ in INTENDED)


def differences(before, after):
    """Texts of what differs, in groups that both have."""
    for group in sorted(before.keys() & after.keys()):
        for case in sorted(before[group].keys() | after[group].keys()):
            old, new = before[group].get(case), after[group].get(case)
            if old == new or is_intended(group, case):
                continue
            if old is None or new is None:
                yield f"{group}: {case}: {'new' if old is None else 'gone'}"
                continue
            for what in sorted(old.keys() | new.keys()):
                was, is_now = (str(one.get(what, "")) for one in (old, new))
                if was != is_now:
                    diff = unified_diff(was.splitlines(), is_now.splitlines(), lineterm="", n=0)
                    yield "\n".join(
                        [
                            f"{group}: {case}: {what}",
                            *(
                                f"    {line}"
                                for line in list(diff)[2:]
                                if not line.startswith("@@")
                            ),
                        ]
                    )


def compare(before, after):
    found = list(
        differences(
            *(json.loads(Path(file).read_text(encoding="utf-8")) for file in (before, after))
        )
    )
    print("\n".join([*found, f"{len(found)} differences"]))
    return 1 if found else 0


def main(words):
    if words[:1] == ["record"] and len(words) > 1:
        return record(Path(words[1]), words[2:])
    if words[:1] == ["compare"] and len(words) == 3:
        return compare(*words[1:])
    print(__doc__.strip())
    return 2


if __name__ == "__main__":
    sys.exit(ended(main, sys.argv[1:]))
