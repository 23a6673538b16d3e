"""./lab submit: packs everything handed in, once it builds in a clean copy of the lab."""

import hashlib
import json
from pathlib import Path

import archive
import submit_build
from command_parser import Parser
from plain_names import file_name
from handed_in import role_of
from kept_results import seal_of
from messages import Failure, say, stop
from screen import table
from submission import all_authors, collected
from whole_file import write_bytes
from workshop import ROOT

VERDICTS = ROOT / "build/verdicts"


def parse(words):
    parser = Parser("./lab submit", prog="./lab submit", description="Pack what you hand in, once it builds in a clean copy.")
    parser.add_argument("-o", dest="file", type=Path, metavar="FILE", help="the archive (default: submission_YOUR_NAMES.tar.gz)")
    parser.add_argument("--zip", action="store_true", help="a .zip instead of a .tar.gz")
    return parser.parse_args(words)


def name_of(authors):
    """The archive's name without ending: ASCII in any alphabet of the names."""
    together = ", ".join(authors)
    return "submission_" + (file_name(together) or hashlib.sha256(together.encode()).hexdigest()[:12])


def target(options, name):
    """The archive to write. Complains before building starts."""
    ending = ".zip" if options.zip or str(options.file).endswith(".zip") else ".tar.gz"
    file = options.file or Path(name + ending)
    if not file.name.endswith((".zip", ".tar.gz", ".tgz")) or (options.zip and not file.name.endswith(".zip")):
        stop(f"{file}: the archive must end with .tar.gz, or with .zip (--zip)")
    if file.is_dir() or not file.resolve().parent.is_dir():
        stop(f"{file}: cannot be written there")
    return file


def verdict(part, name):
    """The last verdict of ./lab check on this very text."""
    try:
        record = json.loads((VERDICTS / f"{part}_{name}.json").read_text(encoding="utf-8"))
        same = record["source_sha256"] == seal_of(ROOT / record["source"])
        return f"{record['verdict']} on {record['date'][:10]}" if same else "changed since it was checked"
    except (OSError, ValueError, KeyError, TypeError):
        return "never checked"


def contents(found):
    rows = [(path, str(len(content)), role_of(path.partition("/")[2]).what) for path, content in sorted(found.files.items())]
    return table(("file", "bytes", "what it is"), rows)


def show_failure(part, name, said):
    say(f"{part}/{name} does not build in a clean copy, so nothing was written. Is a header not handed in? The error:")
    print(said.rstrip(), flush=True)


def demand_builds(found):
    wrong = submit_build.problems(ROOT, found, say)
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
        stop('no part is started: write your names into part1_standard_opti/worksheet.hpp, question 0: authors = "Ada Lovelace";')
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
    print(f"\n{file}: {len(content)} bytes\nsha256 {archive.checksum(content)}\nlook inside: {look_inside(file)}")
    return 0
