"""Explains why a step of ./lab failed, from the step's output."""

import re
import sys
from pathlib import Path

from nbody_lab.core.manifest import Manifest, ManifestError
from nbody_lab.explain.compiler_text import errors_in, plain, shown
from nbody_lab.explain.configure import why_not_configured
from nbody_lab.explain.header import verdict_on_header

MOST = 5  # verdicts


def say(line):
    print(f"lab: {line}", file=sys.stderr)


class Failed:
    """A target that ninja could not build: its name, its output, and the implementation it belongs to."""

    def __init__(self, name, output, rows):
        self.name, self.output = name, output
        self.target = (
            re.sub(r".*/CMakeFiles/", "", name).split(".dir/")[0] if ".dir/" in name else ""
        )
        self.row, self.precision, self.program = (
            rows.get(self.target) or rows.get(name) or (None, None, None)
        )
        self.links = "/CMakeFiles/" not in name

    def source(self):
        """The source file that the user wrote, from the root of the lab."""
        if self.row:
            return self.row["source"]
        path = re.sub(r"CMakeFiles/[^/]*\.dir/(.*)\.o$", r"\1", self.name)
        return re.sub(
            r"(\w+_worksheet_program/worksheet_answers|worksheet_flops)\.cpp$",
            "worksheet.hpp",
            path,
        )

    def is_implementation(self):
        return (
            self.row is not None
            or re.match(r"(part|solutions/).*\.dir/|bin/part[^/]*/", self.name) is not None
        )


def rows_by_target(build):
    """{target or program: (row of the manifest, precision, program)}"""
    found = {}
    rows = []
    for manifest in ("manifest.json", "manifest_on_cpu.json"):
        try:
            rows += Manifest(build / manifest).rows
        except ManifestError:
            continue
    for row in rows:
        made = [(p["target"], p["program"], p["precision"]) for p in row["programs"]]
        if row.get("count"):
            made.append((row["count"]["target"], row["count"]["program"], "count"))
        for target, program, precision in made:
            found[target] = found[program] = (row, precision, program)
    return found


def failures_in(log, rows):
    """Splits ninja's log: "FAILED: [code=1] NAME ...", the command in one line, its output, "[n/m] ..."."""
    found = []
    for match in re.finditer(
        r"^FAILED: (?:\[[^]]*\] )?(\S+).*\n.*\n((?:(?!FAILED: |\[\d+/\d+\] |ninja: ).*\n)*)",
        log,
        re.M,
    ):
        if ".." not in match[1].split("/") and not match[1].startswith(
            "/"
        ):  # a compiler's own output may look like it
            found.append(Failed(match[1], match[2], rows))
    return found


def newer(path, than):
    try:
        return path.stat().st_mtime >= than.stat().st_mtime
    except OSError:
        return False


def compiles_for_float(failed, build, root):
    """Whether the program for float was compiled after the header last changed."""
    wanted = next(p for p in failed.row["programs"] if p["program"] == failed.program)
    for program in failed.row["programs"]:
        if (
            program["precision"] == "float"
            and program["instruction_set"] == wanted["instruction_set"]
        ):
            compiled = failed.name.replace(f"/{failed.target}.dir/", f"/{program['target']}.dir/")
            return newer(build / compiled, root / failed.row["source"])
    return False


def verdict_on(failed, beside, root, build):
    """(lines to show first, one-line verdict) on a failed target; `beside`: all failed targets."""
    if (
        failed.links and "/on_cpu/" in failed.name
    ):  # common/cuda_on_cpu/as_cpp.py has printed the reason
        return [], plain(failed.output.splitlines()[0].replace(" error:", ""), root)
    if failed.links:
        lines = [plain(line, root)[:160] for line in failed.output.splitlines()[:6]]
        return lines, f"{failed.name} does not link"
    source = failed.source()
    if Path(source).suffix in (".hpp", ".cuh") and (root / source).exists():
        only_in_double = failed.precision == "double" and all(
            other.precision == "double" for other in beside if other.row is failed.row
        )
        known = only_in_double and compiles_for_float(failed, build, root)
        precision = ("not float" if known else "double") if only_in_double else ""
        return verdict_on_header(
            failed.output, source, root, build, failed.row["class"] if failed.row else "", precision
        )
    errors = errors_in(failed.output)
    own = [error for error in errors if error.file == f"{root}/{source}"]
    text = f": line {own[0].line}: {plain(own[0].text, root)}" if own else ""
    return shown(own or errors, root), f"{source} does not compile{text}"


def explain_missing_file(log, root, build):
    """The message if ninja could not start because a file is missing, else None."""
    found = re.search(r"^ninja: error: unknown target 'bin/(part[^/']*)/([^']*)'", log, re.M)
    if found:
        row = rows_by_target(build).get(f"bin/{found[1]}/naive", [None])[0]
        suffix = Path(row["source"]).suffix if row else ".hpp"
        return f"{found[2]}{suffix} is missing; ./lab undo {found[1]} {found[2]} restores the version that last passed its check"
    found = re.search(r"^ninja: error: '([^']*)', needed by ", log, re.M)
    if not found:
        return None
    gone = re.sub(rf"^(\.\./\.\./)?({re.escape(str(root))}/)?", "", found[1])
    if re.fullmatch(r"part[^/]*/mine[^/]*\.(hpp|cuh)", gone):
        file = Path(gone)
        return f"{file.name} is missing; ./lab undo {gone.split('_')[0]} {file.stem} restores the version that last passed its check"
    return f"{gone} is missing: bring it back, for example with git checkout {gone}"


def say_verdicts(failures, root, build, log):
    """Prints one verdict per source, so that float and double do not repeat each other."""
    said, compiled = [], []
    for failed in failures:
        if not failed.links:
            if failed.source() in compiled:
                continue
            compiled.append(failed.source())
        lines, verdict = verdict_on(failed, failures, root, build)
        said.append(verdict)
        if len(said) <= MOST:
            print("\n".join(lines), file=sys.stderr, end="\n" if lines else "")
            say(verdict if verdict.endswith("rewrites it") else f"{verdict}; log: {log}")
    if len(said) > MOST:
        say(f"and {len(said) - MOST} more")


def explain(log_file, root, build):
    """Says why a step failed, from its log. 1: only implementations failed, so the others are usable; 2: the tree or the
    machine lacks something; 3: something of the lab itself failed."""
    text = log_file.read_text(encoding="utf-8", errors="replace")
    log = str(log_file).replace(f"{root}/", "")
    if re.search(r"^CMake Error", text, re.M):
        for line in why_not_configured(text, root, log):
            say(line)
        return 2
    failures = failures_in(text, rows_by_target(build))
    if not failures:
        missing = explain_missing_file(text, root, build)
        if missing:
            say(missing)
            return 2
        print("\n".join(text.splitlines()[-10:]), file=sys.stderr)
        say(f"building failed; log: {log}")
        return 3
    say_verdicts(failures, root, build, log)
    for failed in failures:
        if failed.is_implementation():
            remove_program(failed, build)
    return 1 if all(failed.is_implementation() for failed in failures) else 3


def remove_program(failed, build):
    """Removes the old program, since it no longer matches the header."""
    program = failed.program or (
        failed.name if failed.links else "bin/" + failed.target.replace("_", "/", 1)
    )
    if re.fullmatch(r"bin/\w+/\w+", program):
        (build / program).unlink(missing_ok=True)
