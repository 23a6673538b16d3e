"""What students get: the files of the git tree but those of left_out.py (solutions, answers and others), with adapted
documents, and with data/references.json instead. A dead link or a leaked solution is refused."""

import posixpath
import subprocess
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from nbody_lab.build.handed_out import COPIES
from nbody_lab.core.errors import LabError, say
from nbody_lab.handout import make_references
from nbody_lab.handout.archive import Member, Members
from nbody_lab.handout.dead_links import find_dead_references
from nbody_lab.handout.handed_in import is_baseline, is_students
from nbody_lab.handout.leaks import find_leaks
from nbody_lab.handout.left_out import handed_out_text, why_left_out
from nbody_lab.handout.references import FILE as REFERENCES

_MOST_PROBLEMS = 20


def _git(root: Path, *words: str) -> str:
    argv = ["git", "-C", str(root), *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if "not a git" in done.stderr:
        raise LabError("handout needs a git checkout, and this is not one")
    if done.returncode != 0:
        raise LabError(f"git: {done.stderr.strip()}")
    return done.stdout


def tracked_files(root: Path, working_tree: bool) -> dict[str, bool]:
    """{path: whether it is executable}. Refuses a tree with uncommitted changes."""
    if not working_tree and _git(root, "status", "--porcelain", "--untracked-files=no"):
        raise LabError(
            "there are uncommitted changes: commit them, or include them with --working-tree"
        )
    listed = [line for line in _git(root, "ls-files", "-s", "-z").split("\0") if line]
    found = {}
    for mode, path in (line.split("\t") for line in listed):
        if mode.startswith("120000"):
            raise LabError(f"{path}: is a link, and a handout may not contain links")
        if (root / path).is_file():
            found[path] = mode.startswith("100755")
    return found


def _select(root: Path, files: Mapping[str, bool], other_parts: Iterable[str]) -> dict[str, Member]:
    """All files for students, without those of other parts."""
    found, others = {}, tuple(f"{part}_" for part in other_parts)
    for path, executable in files.items():
        if why_left_out(path) or path.startswith(others):
            continue
        content = (root / path).read_bytes()
        if path.endswith(".md"):
            try:
                text = handed_out_text(content.decode("utf-8"), posixpath.dirname(path))
            except ValueError as error:
                raise LabError(f"{path}: {error}") from error
            content = text.encode("utf-8")
        found[path] = Member(content, executable)
    return found


def _find_dead_links(members: Members, of_all_parts: Iterable[str]) -> list[str]:
    """References in documents to files that no handout has; to those of parts left out on purpose they may lead."""
    there = {"."}
    for path in of_all_parts:
        while path not in there and path:
            there.add(path)
            path = posixpath.dirname(path)
    return [
        problem
        for path, member in members.items()
        if path.endswith(".md")
        for problem in find_dead_references(path, member.content.decode(), there.__contains__)
    ]


def texts_of(members: Members) -> dict[str, str]:
    return {path: member.content.decode("utf-8", "replace") for path, member in members.items()}


def texts_of_solutions(root: Path, elsewhere: Path | None) -> dict[str, str]:
    """{path: text} of all solutions: the tree's own, and those kept elsewhere."""
    return {
        f"solutions/{file.relative_to(folder)}": file.read_text(encoding="utf-8", errors="replace")
        for folder in (root / "solutions", elsewhere)
        if folder
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def _refuse(problems: Sequence[str], why: str) -> None:
    if problems:
        say("\n     ".join([f"nothing was written: {why}", *problems[:_MOST_PROBLEMS]]))
        raise SystemExit(1)


def checked_members(
    root: Path,
    parts: Collection[str] = (),
    working_tree: bool = True,
    solutions_from: Path | None = None,
) -> dict[str, Member]:
    """All of the archive, by path. `parts`: only these, if there are any. Raises SystemExit for dead links or leaks."""
    known = sorted(file.parent.name.split("_")[0] for file in root.glob("part*_*/CMakeLists.txt"))
    for part in parts:
        if part not in known:
            raise LabError(f"there is no part '{part}'; parts: {' '.join(known)}")
    parts = parts or known
    files = tracked_files(root, working_tree)
    found = _select(root, files, [part for part in known if part not in parts])
    of_all_parts = _select(root, files, ())
    dead_links = _find_dead_links(found, of_all_parts)
    _refuse(dead_links, "documents name files that students do not get")
    solutions = texts_of_solutions(root, solutions_from)
    leaks = find_leaks(solutions, texts_of(found), texts_of(of_all_parts))
    _refuse(leaks, "this gives solutions away")
    if solutions_from:
        references = make_references.time_solutions(root, solutions_from, list(files), parts)
    else:
        references = make_references.read_ladders(root / "data/results", parts)
    copies = {
        f"{COPIES}{path}": member
        for path, member in found.items()
        if is_students(path) or is_baseline(path)
    }
    content = make_references.to_json(references).encode()
    return {**found, **copies, REFERENCES: Member(content)}
