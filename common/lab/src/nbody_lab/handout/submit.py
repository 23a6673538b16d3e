"""./lab submit: packs everything handed in, once it builds in a clean copy of the lab."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

from nbody_lab.core.clean_text import file_name
from nbody_lab.core.messages import Failure, say, stop
from nbody_lab.core.screen import table
from nbody_lab.core.tree_copy import copy_tree, link_tools
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.core.words import Parser
from nbody_lab.handout import archive
from nbody_lab.handout.handed_in import role_of
from nbody_lab.handout.submission import all_authors, collected
from nbody_lab.notebook.kept_results import seal_of
from nbody_lab.workshop import ROOT

# Does a submission build in a clean copy of the lab, with only the lab's own files and what is handed in?
#
# The copy is build/submit_tree. It keeps what was built, so that the second time takes seconds.
TOPS = (
    "CMakeLists.txt",
    "CMakePresets.json",
    "lab",
    "common",
    "docs",
    "data",
)  # besides the parts' folders
NOT_BUILT_HERE = "is not built here"


def is_of_the_lab(path):
    """Whether a file belongs to the lab; in a part's folder, only files that students do not write."""
    if path.startswith("part"):
        return path.count("/") == 1 and role_of(path.partition("/")[2]) is None
    return not path.startswith("data/out/") and not path.endswith(".pyc")


def files_of_the_lab(root):
    for top in [*(root / name for name in TOPS), *root.glob("part*_*")]:
        for file in [top] if top.is_file() else top.rglob("*"):
            path = file.relative_to(root).as_posix()
            if file.is_file() and not file.is_symlink() and is_of_the_lab(path):
                yield path


def files_of_parts_not_begun(root, files):
    """The files of parts that were not begun: CMake needs mine.hpp and flags.txt of every part."""
    for folder in root.glob("part*_*"):
        if not any(path.startswith(f"{folder.name}/") for path in files):
            yield from (
                file.relative_to(root).as_posix()
                for file in folder.iterdir()
                if file.is_file() and not file.is_symlink()
            )


def clean_copy(root, files):
    """The clean copy, with the bytes that go into the archive."""
    tree = root / "build/submit_tree"
    handed_in = tree.with_name("submit_files")
    shutil.rmtree(handed_in, ignore_errors=True)
    for path, content in files.items():
        (handed_in / path).parent.mkdir(parents=True, exist_ok=True)
        (handed_in / path).write_bytes(content)
    given = dict.fromkeys([*files_of_the_lab(root), *files_of_parts_not_begun(root, files)], root)
    copy_tree({**given, **dict.fromkeys(files, handed_in)}, tree)
    link_tools(tree, root)
    return tree


def build(tree, part, name):
    """(does it build, the output), for the float program."""
    done = subprocess.run(
        [str(tree / "lab"), "build", part, name],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return done.returncode == 0, done.stdout


def problems(root, found, tell):
    """[(part, name, output)] of everything that does not build. `tell` gets a line about every other one."""
    tree, wrong = clean_copy(root, found.files), []
    for part, name in found.changed:
        built, said = build(tree, part, name)
        if not built and NOT_BUILT_HERE in said:
            tell(f"{part}/{name} could not be test-built: no CUDA compiler here")
        elif not built:
            wrong.append((part, name, said))
        else:
            tell(f"{part}/{name} builds in a clean copy")
    return wrong


VERDICTS = ROOT / "build/verdicts"


def parse(words):
    parser = Parser(
        "./lab submit",
        prog="./lab submit",
        description="Pack what you hand in, once it builds in a clean copy.",
    )
    parser.add_argument(
        "-o",
        dest="file",
        type=Path,
        metavar="FILE",
        help="the archive (default: submission_YOUR_NAMES.tar.gz)",
    )
    parser.add_argument("--zip", action="store_true", help="a .zip instead of a .tar.gz")
    return parser.parse_args(words)


def name_of(authors):
    """The archive's name without ending: ASCII in any alphabet of the names."""
    together = ", ".join(authors)
    return "submission_" + (
        file_name(together) or hashlib.sha256(together.encode()).hexdigest()[:12]
    )


def target(options, name):
    """The archive to write. Complains before building starts."""
    ending = ".zip" if options.zip or str(options.file).endswith(".zip") else ".tar.gz"
    file = options.file or Path(name + ending)
    if not file.name.endswith((".zip", ".tar.gz", ".tgz")) or (
        options.zip and not file.name.endswith(".zip")
    ):
        stop(f"{file}: the archive must end with .tar.gz, or with .zip (--zip)")
    if file.is_dir() or not file.resolve().parent.is_dir():
        stop(f"{file}: cannot be written there")
    return file


def verdict(part, name):
    """The last verdict of ./lab check on this very text."""
    try:
        record = json.loads((VERDICTS / f"{part}_{name}.json").read_text(encoding="utf-8"))
        same = record["source_sha256"] == seal_of(ROOT / record["source"])
        return (
            f"{record['verdict']} on {record['date'][:10]}"
            if same
            else "changed since it was checked"
        )
    except (OSError, ValueError, KeyError, TypeError):
        return "never checked"


def contents(found):
    rows = [
        (path, str(len(content)), role_of(path.partition("/")[2]).what)
        for path, content in sorted(found.files.items())
    ]
    return table(("file", "bytes", "what it is"), rows)


def show_failure(part, name, said):
    say(
        f"{part}/{name} does not build in a clean copy, so nothing was written. Is a header not handed in? The error:"
    )
    print(said.rstrip(), flush=True)


def demand_builds(found):
    wrong = problems(ROOT, found, say)
    for problem in wrong:
        show_failure(*problem)
    if wrong:
        raise Failure(1)


def look_inside(file):
    return f"unzip -l {file}" if file.name.endswith(".zip") else f"tar tzf {file}"


def submit(lab, words):
    options = parse(words)
    found = collected(sorted(file.parent for file in ROOT.glob("part*_*/CMakeLists.txt")))
    if not found.files:
        stop(
            'no part is started: write your names into part1_standard_opti/worksheet.hpp, question 0: authors = "Ada Lovelace";'
        )
    authors = all_authors(found.files)
    name = name_of(authors)
    file = target(options, name)
    lab.lock()
    demand_builds(found)
    lab.unlock()
    pack = archive.zipped if file.name.endswith(".zip") else archive.tar_gz
    content = pack(name, {path: archive.Member(content) for path, content in found.files.items()})
    write_bytes(file, content)
    print("\n".join([f"authors: {'; '.join(authors)}", "", contents(found), ""]))
    for part, row in found.changed:
        print(f"{part}/{row}: {verdict(part, row)}")
    for note in found.notes:
        print(f"note: {note}")
    if len(authors) > 1:
        print("note: the worksheets have different names")
    print(
        f"\n{file}: {len(content)} bytes\nsha256 {archive.checksum(content)}\nlook inside: {look_inside(file)}"
    )
    return 0
