"""A copy of this tree on another machine: reached by ssh, or by SLURM's srun from here or from there."""

import hashlib
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from nbody_lab.core.messages import INTERRUPTED, UserError
from nbody_lab.core.model import LabModel, parse
from nbody_lab.core.running import run_and_tell
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.handout.archive import Member, pack_tar
from nbody_lab.handout.clean_copy import files_of_the_lab
from nbody_lab.handout.handed_in import role_of
from nbody_lab.programs import there

_SSH = ("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "LogLevel=ERROR")
_NOT_REACHED, _NOT_FOUND = 255, 127
_ADVICE = {
    "Permission denied": "it asks for a password, which ./lab on never types: "
    "ssh-copy-id {host} lets your key in",
    "Host key verification failed": "it is not known here: call ssh {host} once and compare its key",
}
# On one Ctrl-C, srun would only tell how the job is doing.
_SRUN = ("srun", "--quit-on-interrupt")


class _Answer(LabModel):
    """Of there.py."""

    error: str = ""
    folder: str = ""
    wanted: tuple[str, ...] = ()


def files_to_send(root: Path) -> Iterator[str]:
    """The lab's own files and the student's, with solutions and wheels where they are; nothing that was built."""
    yield from files_of_the_lab(root)
    for top in (*root.glob("part*_*"), root / "solutions", root / "wheels"):
        for file in top.rglob("*"):
            path = file.relative_to(root).as_posix()
            is_wanted = not top.name.startswith("part") or role_of(path.partition("/")[2])
            if is_wanted and file.is_file() and not file.is_symlink() and file.suffix != ".pyc":
                yield path


@dataclass
class Elsewhere:
    host: str  # for ssh; "" is this machine
    slurm: Sequence[str] | None = None  # the words for srun
    folder: str = field(default="", init=False)

    @property
    def name(self) -> str:
        return self.host or "this machine"

    def _by_python(self, *words: str) -> list[str]:
        """By ssh, a login shell of any kind reads the command: so it is one line without special characters."""
        source = f'exec(bytes.fromhex("{Path(there.__file__).read_bytes().hex()}"))'
        return ["python3", "-c", source, *words]

    def _reach(self, argv: Sequence[str], terminal: bool = False) -> list[str]:
        if not self.host:
            return list(argv)
        # A shell in between would get Ctrl-C as well, and die of it.
        command = f"exec {shlex.join(argv)}"
        return [*_SSH, "-tt" if terminal else "-T", "--", self.host, command]

    def _ask(self, argv: Sequence[str], given: bytes) -> bytes:
        """What it prints there. Raises UserError."""
        done = subprocess.run(self._reach(argv), input=given, capture_output=True, check=False)
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it says nothing"]
        if done.returncode == _NOT_REACHED and self.host:
            advice = [text for fault, text in _ADVICE.items() if fault in said[-1]]
            why = advice[0].format(host=self.host) if advice else said[-1]
            raise UserError(f"{self.name} cannot be reached: {why}")
        if done.returncode == _NOT_FOUND:
            needs = "tar and python3, 3.10 or newer"
            raise UserError(f"{self.name} has no {argv[0]}: the lab needs {needs}, there")
        if done.returncode:
            # Python says last what it is, others first.
            why = said[-1] if any(line.startswith("Traceback") for line in said) else said[0]
            raise UserError(f"{self.name}: {why}")
        return done.stdout

    def send(self, root: Path, folder: str) -> int:
        """Makes the folder there equal to this tree, but for what was built there. Returns how many files it took."""
        contents = {path: (root / path).read_bytes() for path in files_to_send(root)}
        order = {
            "folder": folder,
            "tools": [] if self.slurm is None else ["srun"],
            "files": {path: hashlib.sha256(one).hexdigest() for path, one in contents.items()},
        }
        said = self._ask(self._by_python("look"), json.dumps(order).encode()).strip()
        answer = parse(
            _Answer, json.loads(said.rpartition(b"\n")[2]), self.name
        )  # a shell may greet before
        if answer.error:
            raise UserError(f"{self.name}: {answer.error}")
        self.folder = answer.folder
        members = {
            path: Member(contents[path], os.access(root / path, os.X_OK)) for path in answer.wanted
        }
        # Its times are fixed: with -m, a changed file is newer than what was built from it.
        unpack = ["tar", "xzmf", "-", "--strip-components=1", "-C", self.folder]
        if members:
            self._ask(unpack, pack_tar("lab", members))
        return len(members)

    def run(self, words: Sequence[str]) -> int:
        """Runs ./lab there with the output here, and returns its status. Ctrl-C interrupts it."""
        terminal = sys.stdin.isatty() and sys.stdout.isatty()
        slurm = [*_SRUN, *(["--pty"] if terminal else []), *(self.slurm or ())]
        argv = [*(slurm if self.slurm is not None else ()), "./lab", *words]
        call = self._reach(self._by_python("run", self.folder, *argv), terminal)
        status = run_and_tell(call, self.name, "") if terminal else _run_until_interrupted(call)
        if status == there.IS_TAKEN:  # by who came between: nothing here is to be brought back
            raise UserError(f"{self.name}: {there.is_taken(Path(self.folder))}")
        if status == _NOT_REACHED and self.host:
            raise UserError(f"the connection to {self.name} was lost; what ran there was stopped")
        return status

    def bring_back(self, place: Path) -> list[Path]:
        """The files that the command wrote there."""
        said = self._ask(self._by_python("results", self.folder), b"")
        packed = io.BytesIO(said.partition(there.ARCHIVE_FOLLOWS)[2])
        brought = []
        with tarfile.open(fileobj=packed, mode="r:gz") as archive:
            for member in archive:
                path = PurePosixPath(member.name)
                content = archive.extractfile(member) if member.isfile() else None
                if content and not path.is_absolute() and ".." not in path.parts:
                    write_bytes(place / path, content.read())
                    brought.append(place / path)
        return brought


def _run_until_interrupted(call: Sequence[str]) -> int:
    """In a session of its own, so that Ctrl-C does not end ssh: the end of its input does what Ctrl-C would do there."""
    with subprocess.Popen(call, stdin=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdin is not None
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.stdin.close()
            return process.wait() or INTERRUPTED
        finally:
            signal.signal(signal.SIGTERM, before)
