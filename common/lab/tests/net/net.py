"""A record of what the lab does, seen from outside, to compare with after a rebuild.

    net.py record FILE [GROUP...]     groups: commands, bare, terminals, judged, counts,
                                      worksheets, scored; default: all
    net.py compare BEFORE AFTER       what differs, other than intended; status 1 if something does

A record is JSON: {group: {case: {what: text}}}. What varies from run to run is masked. cases.json lists the command
lines, and what was changed on purpose: group, case (the help of a command counts as the command; * and ? stand for
anything), and why.
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
from collections.abc import Callable, Iterator
from difflib import unified_diff
from fcntl import ioctl
from fnmatch import fnmatch
from pathlib import Path
from termios import TIOCSWINSZ
from typing import Any

from nbody_lab import ROOT
from nbody_lab.building.manifest import Manifest
from nbody_lab.core.errors import LabError, ended
from nbody_lab.core.run import SHORT_SPINS
from nbody_lab.core.tree_copy import link_tools

BUILD = ROOT / "build/release"
MEASURED_CLASS = ROOT / "build/net/class"
RUBRIC = ROOT / "common/lab/tests/grade/made_class/rubric.json"
LONGEST_S = 600  # of one command
CASES = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
# What varies, and what stands for it.
MASKS = (
    (re.escape(str(ROOT)), "ROOT"),
    (r"/tmp/[\w./-]+", "TEMPORARY"),
    (r"\b20\d\d-\d\d-\d\d([T_ ]\d\d:?\d\d(:?\d\d)?)?", "DATE"),
    (r"\d+(\.\d+)?(e[-+]?\d+)? ?(ns|us|ms|s|min)\b", "TIME"),
    (r"\d+(\.\d+)?(e[-+]?\d+)? ?(GHz|MHz|GB/s|Gflop/s|GiB|MiB|MB)\b", r"NUMBER \3"),
    (r"\d+(\.\d+)? x 10\^9", "NUMBER x 10^9"),
    (r"load +\d.*", "LOAD"),
    (r"\d+(\.\d+)? of NUMBER GiB free", "NUMBER of NUMBER GiB free"),
    (r"(?<![\w.])(?=\d*[a-f])[0-9a-f]{7,40}(-dirty)?\b", "REVISION"),
    (r"^lab: another \./lab is building here; waiting for it\n", ""),
    (r"^\S.* \.\.\. .*\n", ""),  # a step of building, which may be done already
    (r"(changed by [+-]?)\d\S*", r"\1NUMBER"),  # rounding of the compiler's order
)
# Mistakes by which a program fails in another way each time.
VARIES = ("undefined_behaviour", "message_buffer")

Found = dict[str, dict[str, Any]]  # {case: {what: text}}


def masked(text: str) -> str:
    for pattern, stands_for in MASKS:
        text = re.sub(pattern, stands_for, text, flags=re.M)
    return text


def environment(**more: str) -> dict[str, str]:
    ours = {**SHORT_SPINS, "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**os.environ, **ours, **more}


def run_lab(words: str, root: Path = ROOT, **env: str) -> dict[str, Any]:
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
    out, err = (masked(text).replace(str(root), "ROOT") for text in (run.stdout, run.stderr))
    return {"status": run.returncode, "out": out, "err": err}


def run_on_terminal(words: str, columns: int) -> dict[str, Any]:
    """The same on a terminal so many columns wide, in which out and err come together."""
    ours, its = pty.openpty()
    ioctl(its, TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    env = environment(COLUMNS=str(columns))
    argv = [ROOT / "lab", *words.split()]
    with subprocess.Popen(argv, stdin=its, stdout=its, stderr=its, env=env) as process:
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


def clone(folder: str) -> Path:
    tree = Path(folder) / "lab"
    subprocess.run(["git", "clone", "-q", ROOT, tree], check=True)
    return tree


# --- groups --------------------------------------------------------------------------------------


def commands() -> Found:
    """Every command's help, with an option that does not exist, and refusals; then those that work."""
    names = list(dict.fromkeys(re.findall(r"^  ([a-z][a-z-]*)", run_lab("help")["out"], re.M)))
    helps = [name for name in names if name != "help"]
    strict = helps
    lines = [words for name in helps for words in (f"{name} -h", f"help {name}")]
    lines += [f"{name} --no-such-option" for name in strict]
    # One after another: they would tell that another ./lab is building.
    lines += [*CASES["refused"], *CASES["shown"]]
    return {words: run_lab(words) for words in dict.fromkeys(lines)}


def bare() -> Found:
    """A new clone in which nothing is built, and refusals that must come before anything is."""
    lines = (
        "|help|check -h|check part1 mine --tolerance|try part1 mine idea|hint part1 1|report|"
        "bench --compare a.json b.json|demo part3"
    )
    with tempfile.TemporaryDirectory() as folder:
        tree = clone(folder)
        found = {words: run_lab(words, tree) for words in lines.split("|")}
        files = (file.relative_to(tree) for file in (tree / "build").rglob("*") if file.is_file())
        made = sorted(str(file) for file in files if file.parts[1] != "venv")
        found["files"] = {"files": "\n".join(made)}
        shutil.rmtree(tree / "build", ignore_errors=True)
        path = Path(folder) / "bin"  # a machine with nothing but these
        path.mkdir()
        for tool in ("bash", "env", "dirname", "readlink", "uname", "cat", "cmp"):
            (path / tool).symlink_to(shutil.which(tool) or tool)
        found["without Python"] = run_lab("help", tree, PATH=str(path))
        return found


def terminals() -> Found:
    lines = (
        "",
        "help",
        "list part1",
        "check part1 naive --seed 1 --largest 40 --no-double",
        "run part1 naive -n 3 -i 2 --nv",
        "bench -h",
    )
    return {
        f"{words} ({columns} columns)": run_on_terminal(words, columns)
        for columns in (80, 100)
        for words in lines
    }


def judged() -> Found:
    """Every program of the zoo, of the table of mistakes and of the ladders: verdict, cases, sentence."""
    found = {}
    for part in ("wrong", "honest", "part1", "part2", "part4"):
        options = "--largest 1021 --timeout 3" if part == "wrong" else ""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "check.json"
            words = f"{part} --seed 7 --manifest {BUILD}/manifest.json --no-double --json {file} {options}"
            subprocess.run(
                [BUILD / "bin/check", *words.split()],
                capture_output=True,
                env=environment(),
                check=False,
            )
            for row in json.loads(file.read_text(encoding="utf-8"))["implementations"]:
                failed = sum(case["verdict"] == "failed" for case in row["cases"])
                telling = row["most_informative_case"]
                mistake = "" if telling is None else row["cases"][telling]["mistake"]
                found[f"{part}/{row['name']}"] = {
                    "verdict": row["verdict"],
                    "as expected": str(row["as_expected"]),
                    "cases": len(row["cases"]),
                    "failed": "#" if mistake in VARIES else failed,
                    "sentence": re.sub(r"\d[\d.e+-]*", "#", row["sentence"]),
                }
    return found


def counts() -> Found:
    """What every count program counts, as polynomials."""
    rows = [
        (f"{row.part}/{row.name}", row.count.result)
        for row in Manifest(BUILD / "manifest.json").rows
        if row.count and row.part != "part3"
    ]
    targets = [result for _, result in rows]
    subprocess.run(["ninja", "-C", BUILD, "-k0", *targets], stdout=subprocess.DEVNULL, check=False)
    return {
        name: {
            f"{function} {kind}": str(one["polynomial"] and one["polynomial"]["text"])
            for function, kinds in json.loads((BUILD / result).read_text())["work"].items()
            for kind, one in kinds.items()
            if isinstance(one, dict) and "polynomial" in one
        }
        for name, result in rows
        if (BUILD / result).exists()
    }


def worksheets() -> Found:
    """The sheets of parts 1, 2 and 4: as given, answered right, and with each slip in all numbers; with --which, too."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        tree = clone(folder)
        link_tools(tree, ROOT)
        for answered in sorted(tree.glob("solutions/part[124]*/worksheet.hpp")):
            sheet = tree / answered.parent.name / "worksheet.hpp"
            part = answered.parent.name.partition("_")[0]
            found[f"{part} as given"] = run_lab(f"worksheet {part}", tree)
            text = answered.read_text(encoding="utf-8")
            for slip in CASES["slips"]:
                typed = re.sub(
                    r"(^ +double \w+ = )([^;]+)(;)",
                    lambda line, slip=slip: line[1] + slip.replace("{x}", line[2]) + line[3],
                    text,
                    flags=re.M,
                )
                sheet.write_text(typed, encoding="utf-8")
                found[f"{part} {slip}"] = run_lab(f"worksheet {part}", tree)
                found[f"{part} {slip} --which"] = run_lab(f"worksheet {part} --which", tree)
    return found


def text_of(file: Path) -> str:
    """Its text without what varies; of a page, what is between the tags."""
    text = file.read_bytes().decode("utf-8", "replace")
    if file.suffix == ".html":
        text = re.sub(r"(?s)<(script|style).*?</\1>|<[^>]*>", "", text)
    return masked(text)


def scored() -> Found:
    """The grader's class, scored again from what was measured: every file, and that a second time gives the same bytes. The
    first record takes the class that ./lab test grader has left; later ones need the same, so it is kept."""
    if not MEASURED_CLASS.is_dir():
        shutil.copytree(ROOT / "build/test_grader/part1/out", MEASURED_CLASS)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        shutil.copytree(MEASURED_CLASS, out)
        words = f"grade --rescore {out} --rubric {RUBRIC}"
        told = run_lab(words)
        found = {"rescore": {key: str(told[key]).replace(folder, "FOLDER") for key in told}}
        written = [file for file in sorted(out.rglob("*")) if file.is_file()]
        files = [f for f in written if f.relative_to(out).parts[0] not in ("measured", "taken")]
        once = {file: (file.read_bytes(), text_of(file)) for file in files}
        run_lab(words)
        for file, (data, text) in once.items():
            twice = "the same but for the date" if text_of(file) == text else "differs"
            twice = "the same bytes" if file.read_bytes() == data else twice
            found[str(file.relative_to(out))] = {"text": text_of(file), "twice": twice}
        return found


GROUPS: dict[str, Callable[[], Found]] = {
    group.__name__: group
    for group in (commands, bare, terminals, judged, counts, worksheets, scored)
}


def record(file: Path, names: list[str]) -> None:
    unknown = [name for name in names if name not in GROUPS]
    if unknown:
        raise LabError(f"there is no group {unknown[0]}: choose from {', '.join(GROUPS)}")
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for name in names or GROUPS:
        found[name] = GROUPS[name]()
        print(f"{name}: {len(found[name])} cases", flush=True)
        file.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")


# --- what differs --------------------------------------------------------------------------------


def is_intended(group: str, case: str) -> bool:
    return any(
        fnmatch(group, groups) and fnmatch(name, pattern)
        for groups, pattern, _ in CASES["intended"]
        for name in (case, case.removeprefix("help "))
    )


def differences(before: dict[str, Found], after: dict[str, Found]) -> Iterator[str]:
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
                was, is_now = (str(one.get(what, "")).splitlines() for one in (old, new))
                if was != is_now:
                    diff = list(unified_diff(was, is_now, lineterm="", n=0))[2:]
                    lines = (f"    {line}" for line in diff if not line.startswith("@@"))
                    yield "\n".join([f"{group}: {case}: {what}", *lines])


def main(words: list[str]) -> int:
    if words[:1] == ["record"] and len(words) > 1:
        record(Path(words[1]), words[2:])
        return 0
    if words[:1] == ["compare"] and len(words) == 3:
        before, after = (json.loads(Path(file).read_text(encoding="utf-8")) for file in words[1:])
        found = list(differences(before, after))
        print("\n".join([*found, f"{len(found)} differences"]))
        return 1 if found else 0
    print((__doc__ or "").strip())
    return 2


if __name__ == "__main__":
    sys.exit(ended(main, sys.argv[1:]))
