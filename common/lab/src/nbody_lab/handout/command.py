"""./lab handout -o FILE.tar.gz: packs the lab for students from the git tree.

It leaves out the files in left_out.py (solutions, answers and others), adds data/references.json instead, and
adapts documents. It refuses to write an archive with a dead link or a leaked solution.
"""

import json
import subprocess
import tempfile
from pathlib import Path

from nbody_lab.core.handed_out import COPIES
from nbody_lab.core.messages import Failure, say, stop
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.core.words import Parser
from nbody_lab.handout import archive, leaks, wheels
from nbody_lab.handout.dead_links import dead_references
from nbody_lab.handout.handed_in import is_baseline, is_students
from nbody_lab.handout.left_out import handed_out_text, why_left_out
from nbody_lab.handout.references import FILE as REFERENCES
from nbody_lab.handout.references import calibrated, of_results
from nbody_lab.workshop import ROOT

FOLDER = "nbody_lab"  # top of the archive


def parse(words):
    parser = Parser(
        "./lab handout -o handout.tar.gz",
        prog="./lab handout",
        description="The lab without solutions and answers, for students.",
    )
    parser.add_argument(
        "-o", dest="file", type=Path, required=True, metavar="FILE.tar.gz", help="the archive"
    )
    parser.add_argument("--parts", metavar="part1,part2", help="only these (default: all)")
    parser.add_argument(
        "--solutions-from",
        type=Path,
        metavar="PATH",
        help="a folder like solutions/ kept elsewhere: timed here once for the reference ratios",
    )
    parser.add_argument("--working-tree", action="store_true", help="include uncommitted changes")
    parser.add_argument(
        "--wheels",
        action="store_true",
        help="with the packages of Python that ./lab needs, for machines without a network",
    )
    return parser.parse_args(words)


def git(root, *words):
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        stop(
            "handout needs a git checkout, and this is not one"
            if "not a git" in done.stderr
            else f"git: {done.stderr.strip()}"
        )
    return done.stdout


def tracked(root, working_tree):
    """{path: whether it is executable}; refuses a tree with uncommitted changes."""
    if not working_tree and git(root, "status", "--porcelain", "--untracked-files=no"):
        stop("there are uncommitted changes: commit them, or include them with --working-tree")
    rows = [line.split("\t") for line in git(root, "ls-files", "-s", "-z").split("\0") if line]
    links = [path for what, path in rows if what.startswith("120000")]
    if links:
        stop(f"{links[0]}: is a link, and a handout may not contain links")
    return {path: what.startswith("100755") for what, path in rows if (root / path).is_file()}


def chosen(words, known):
    parts = words.split(",") if words else known
    for part in parts:
        if part not in known:
            stop(f"there is no part '{part}'; parts: {' '.join(known)}")
    return parts


def is_of_other_part(path, known, parts):
    return any(path.startswith(f"{part}_") and part not in parts for part in known)


def members(root, files, parts, known):
    """{path: archive.Member} of all files for students."""
    found = {}
    for path, executable in files.items():
        if why_left_out(path) or is_of_other_part(path, known, parts):
            continue
        content = (root / path).read_bytes()
        if path.endswith(".md"):
            try:
                text = handed_out_text(content.decode("utf-8"), path.rpartition("/")[0])
            except ValueError as fault:
                stop(f"{path}: {fault}")
            content = text.encode("utf-8")
        found[path] = archive.Member(content, executable)
    return found


def texts(found):
    return {path: member.content.decode("utf-8", "replace") for path, member in found.items()}


def dead_links(found):
    """References in documents to files that the handout lacks."""
    with tempfile.TemporaryDirectory() as folder:
        for path in found:
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        documents = [path for path in found if path.endswith(".md")]
        return [
            problem
            for path in documents
            for problem in dead_references(path, found[path].content.decode("utf-8"), Path(folder))
        ]


def texts_of_solutions(root, files, elsewhere):
    """{path: text} of all solutions."""
    own = {path: root / path for path in files if path.startswith("solutions/")}
    others = (
        {
            f"solutions/{file.relative_to(elsewhere)}": file
            for file in sorted(elsewhere.rglob("*"))
            if file.is_file()
        }
        if elsewhere
        else {}
    )
    return {
        path: file.read_text(encoding="utf-8", errors="replace")
        for path, file in {**own, **others}.items()
    }


def refuse(problems, why):
    if problems:
        say("\n     ".join([f"nothing was written: {why}", *problems[:20]]))
        raise Failure(1)


def checked_members(root, parts="", working_tree=True, solutions_from=None):
    """{path: archive.Member} of the whole archive. Raises Failure for dead links or leaks."""
    known = sorted(file.parent.name.split("_")[0] for file in root.glob("part*_*/CMakeLists.txt"))
    files, parts = tracked(root, working_tree), chosen(parts, known)
    found = members(root, files, parts, known)
    if solutions_from and not solutions_from.is_dir():
        stop(f"{solutions_from}: there is no such folder")
    refuse(dead_links(found), "documents name files that students do not get")
    refuse(
        leaks.leaks(
            texts_of_solutions(root, files, solutions_from),
            texts(found),
            texts(members(root, files, known, known)),
        ),
        "this gives solutions away",
    )
    if solutions_from:
        ratios = calibrated(root, solutions_from, list(files), parts)
    else:
        ratios = of_results(root / "data/results", parts)
    found.update(
        {
            f"{COPIES}{path}": member
            for path, member in found.items()
            if is_students(path) or is_baseline(path)
        }
    )
    found[REFERENCES] = archive.Member((json.dumps(ratios, indent=1) + "\n").encode())
    return found


def handout(_, words):
    options = parse(words)
    if not options.file.name.endswith((".tar.gz", ".tgz")):
        stop(f"{options.file}: the archive must be a .tar.gz")
    if not options.file.resolve().parent.is_dir():
        stop(f"{options.file}: there is no folder {options.file.parent}")
    found = checked_members(ROOT, options.parts, options.working_tree, options.solutions_from)
    if options.wheels:
        found.update(wheels.members())
    content = archive.tar_gz(FOLDER, found)
    write_bytes(options.file, content)
    print(f"{options.file}: {len(found)} files, {len(content) / 1e6:.1f} MB, below {FOLDER}/")
    print(f"sha256 {archive.checksum(content)}")
    print("look inside: tar tzf " + str(options.file))
    return 0
