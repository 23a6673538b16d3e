"""./lab on, by a real sshd on this machine with a key of its own. SLURM is a program `srun` that starts what it is given."""

import ast
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.programs import there
from nbody_lab.programs.elsewhere import Elsewhere

SSHD = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
# What ./lab is there: each word is a thing to do.
LAB = """#!/bin/sh
echo "words: $*"
[ -t 1 ] && echo on a terminal
case $1 in
write) mkdir -p build/bin; echo 1 >"$2"; echo 2 >build/report.html; echo 3 >build/bin/naive ;;
link) echo 1 >"$2"; ln -s "$2" linked; ln "$2" same; ln -s /nowhere broken ;;
fail) exit 7 ;;
wait) trap 'echo stopped >ended; exit 130' INT; echo begun >begun; while :; do sleep 0.1; done ;;
esac
"""
SRUN = '#!/bin/sh\necho "srun: $*"\nwhile [ "$1" != ./lab ]; do shift; done\nexec "$@"\n'
CONFIG = """
Host cluster
  IdentityFile {0}/key
  Port {1}
Host locked
  IdentityFile {0}/host
  Port {1}
Host stranger
  IdentityFile {0}/key
  Port {1}
  HostKeyAlias nobody
  StrictHostKeyChecking yes
Host away
  Port 1
Host *
UserKnownHostsFile {0}/known
StrictHostKeyChecking accept-new
IdentitiesOnly yes
User {2}
HostName 127.0.0.1
"""


def executable(file, text):
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with an sshd that listens, and `ssh` that knows it. Its far/ is the PATH there."""
    if not SSHD or not shutil.which("ssh"):
        pytest.skip("there is no sshd: the package openssh-server")
    folder = tmp_path_factory.mktemp("on")
    for key in ("key", "host"):
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key]
        subprocess.run(words, check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "sshd_config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nPidFile none\n"
        f"AuthorizedKeysFile {folder}/key.pub\nStrictModes no\nUsePAM no\n"
        "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
        # Whatever the start-up files of this user's shell do to the PATH.
        f'ForceCommand exec /usr/bin/env PATH={folder}/far /bin/sh -c "$SSH_ORIGINAL_COMMAND"\n'
    )
    me = pwd.getpwuid(os.getuid()).pw_name
    (folder / "config").write_text(CONFIG.format(folder, port, me))
    executable(
        folder / "near/ssh", f'#!/bin/sh\nexec {shutil.which("ssh")} -F {folder}/config "$@"'
    )
    log = folder / "log"
    with subprocess.Popen([SSHD, "-D", "-f", folder / "sshd_config", "-E", log]) as sshd:
        while "listening" not in (log.read_text() if log.exists() else ""):
            if sshd.poll() is not None:
                pytest.skip(f"sshd does not start: {log.read_text().strip()}")
            time.sleep(0.02)
        yield folder
        sshd.terminate()


@pytest.fixture
def tree(tmp_path):
    """A lab of few files."""
    for path in ("CMakeLists.txt", "part1_words/mine.hpp", "part1_words/kernel.hpp", "build/big"):
        (tmp_path / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / path).write_text(path)
    executable(tmp_path / "tree/lab", LAB)
    return tmp_path / "tree"


@pytest.fixture
def start(place, tree):
    """Starts ./lab on in that tree; the folder there is `there` beside it."""
    shutil.rmtree(place / "far", ignore_errors=True)
    (place / "far").mkdir()
    (place / "far/python3").symlink_to(os.path.realpath(sys.executable))
    for tool in ("sh", "tar", "gzip", "ln", "mkdir", "sleep"):
        (place / "far" / tool).symlink_to(shutil.which(tool))
    code = (
        "import sys; from pathlib import Path; from nbody_lab import cli; "
        "from nbody_lab.commands import on; on.ROOT = Path.cwd(); sys.exit(cli.main(sys.argv[1:]))"
    )

    def run(*words, path=f"{place}/near:{os.environ['PATH']}", **how):
        argv = [sys.executable, "-c", code, "on", "--folder", tree.parent / "there", *words]
        streams = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
        how = {"stdin": subprocess.DEVNULL, **streams, "text": True, **how}
        return subprocess.Popen(argv, cwd=tree, env={**os.environ, "PATH": path}, **how)

    return run


@pytest.fixture
def on(start):
    def run(*words, **how):
        process = start(*words, **how)
        return (*process.communicate(), process.returncode)

    return run


def wait_for(file, process):
    while not file.exists() or not file.read_text():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def test_it_runs_there_and_brings_back_what_the_command_wrote(on, tree):
    there = tree.parent / "there"
    output, error, status = on("cluster", "write", "speeds.json", "--double", "a b")
    assert (status, error) == (0, f"lab: cluster: {there}: 4 files sent\n")
    assert output.splitlines() == [
        "words: write speeds.json --double a b",
        *(f"brought back: build/on/cluster/{one}" for one in ("speeds.json", "build/report.html")),
    ]
    assert (tree / "build/on/cluster/speeds.json").read_text() == "1\n"


def test_links_come_back_as_files(on, place, tree):
    """Also from behind a shell that greets."""
    (place / "far/python3").unlink()
    python = os.path.realpath(sys.executable)
    executable(place / "far/python3", f'#!/bin/sh\necho welcome\nexec {python} "$@"\n')
    _, error, status = on("cluster", "link", "speeds.json")
    assert (status, error.count("\n")) == (0, 1)
    brought = tree / "build/on/cluster"
    assert {file.name: file.read_text() for file in brought.iterdir()} == dict.fromkeys(
        ("speeds.json", "linked", "same"), "1\n"
    )
    assert not (brought / "linked").is_symlink()


def test_only_what_changed_is_sent_and_what_is_gone_here_goes_there(on, tree):
    there = tree.parent / "there"
    on("cluster", "write", "speeds.json")
    old = (there / "part1_words/kernel.hpp").stat().st_mtime
    (tree / "part1_words/mine.hpp").write_text("changed")
    os.utime(tree / "part1_words/mine.hpp", (1, 1))
    (tree / "CMakeLists.txt").unlink()
    output, error, status = on("cluster", "list")
    assert (status, error) == (0, f"lab: cluster: {there}: 1 file sent\n")
    assert output == "words: list\n"  # nothing new to bring back
    assert (there / "part1_words/mine.hpp").read_text() == "changed"
    assert (there / "part1_words/mine.hpp").stat().st_mtime > old  # so it is built anew
    assert not (there / "CMakeLists.txt").exists() and (there / "speeds.json").exists()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["fail"], "words: fail"),
        (["--slurm", "-p 'a b'", "cluster", "fail"], "srun: --quit-on-interrupt -p a b ./lab fail"),
        (["slurm:gpu", "fail"], "srun: --quit-on-interrupt -p gpu ./lab fail"),
    ],
)
def test_the_status_is_that_of_the_command(on, place, words, line):
    executable(place / "far/srun", SRUN)
    path = f"{place}/far:{place}/near:{os.environ['PATH']}"
    output, _, status = on(*(words if len(words) > 1 else ["cluster", *words]), path=path)
    assert (output.splitlines()[0], status) == (line, 7)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_stops_the_command_there(start, tree, number):
    process = start("cluster", "wait")
    wait_for(tree.parent / "there/begun", process)
    process.send_signal(number)
    assert process.communicate()[0].splitlines()[1:] == [
        f"brought back: build/on/cluster/{name}" for name in ("begun", "ended")
    ]
    assert process.returncode == 130


def test_one_at_a_time_in_a_folder(start, on, tree):
    """What is running keeps its sources; also who asked before it began is refused."""
    folder = tree.parent / "there"
    process = start("cluster", "wait")
    wait_for(folder / "begun", process)
    (tree / "part1_words/mine.hpp").write_text("changed")
    line = f"another ./lab on is running in {folder}: wait, or name another folder, --folder\n"
    assert on("cluster", "list") == ("", f"lab: cluster: {line}", 2)
    assert (folder / "part1_words/mine.hpp").read_text() == "part1_words/mine.hpp"
    late = Elsewhere("")
    late.folder = str(folder)
    with pytest.raises(UserError, match=f"^this machine: {line.strip()}$"):
        late.run(["list"])
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert on("cluster", "list")[2] == 0


def test_the_end_of_this_side_stops_the_command_there(start, tree):
    process = start("cluster", "wait")
    wait_for(tree.parent / "there/begun", process)
    process.stdout.close()
    process.kill()
    process.wait()
    while not (tree.parent / "there/ended").exists():
        time.sleep(0.02)


def test_ctrl_c_on_a_terminal(start, tree):
    near, far = os.openpty()
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), far)
    process = start("cluster", "wait", **streams, start_new_session=True)
    os.close(far)
    wait_for(tree.parent / "there/begun", process)
    os.write(near, b"\x03")
    wait_for(tree.parent / "there/ended", process)
    assert process.wait() == 130
    assert b"on a terminal" in os.read(near, 1 << 16)


NO_SPACE = "tar: lab/lab: Cannot write: No space left on device"
PASSWORD = "it asks for a password, which ./lab on never types: ssh-copy-id locked lets your key in"


@pytest.mark.parametrize(
    ("words", "far", "line"),
    [
        ("away list", {}, "away cannot be reached: ssh: connect to host 127.0.0.1 port 1: "),
        ("locked list", {}, f"locked cannot be reached: {PASSWORD}"),
        ("stranger list", {}, "stranger cannot be reached: it is not known here: call ssh stra"),
        ("cluster list", {"python3": ""}, "cluster has no python3: the lab needs tar and pyt"),
        ("cluster list", {"tar": ""}, "cluster has no tar: the lab needs tar and python3, 3.10 or"),
        ("--folder ~nobody_here/on cluster list", {}, "cluster: RuntimeError: "),
        ("cluster list", {"tar": f"echo '{NO_SPACE}' >&2; exit 2"}, f"cluster: {NO_SPACE}"),
        ("--folder /proc/on cluster list", {}, "cluster: /proc/on: No such file or directory"),
        ("--folder {0} cluster list", {}, "cluster: {0} has files of others: name another fold"),
        ("--slurm -pgpu cluster list", {}, "cluster: there is no srun"),
        ("slurm:gpu list", {}, "on needs srun, which is not installed here"),
        ("--slurm ' cluster list", {}, "on: --slurm needs words for srun: No closing quotation"),
        ("cluster", {}, "on needs COMMAND; for example: ./lab on HOST bench part1 mine"),
    ],
)
def test_what_fails_is_one_line(on, place, words, far, line):
    for name, text in far.items():
        (place / "far" / name).unlink()
        if text:
            executable(place / "far" / name, f"#!/bin/sh\n{text}\n")
    ended = on(*words.format(place).split(" "), path=f"{place}/near")
    assert (ended[0], ended[2], ended[1].count("\n")) == ("", 2, 1), ended
    assert ended[1].startswith(f"lab: {line.format(place)}")


def test_without_ssh(on, tmp_path):
    assert on("cluster", "list", path=str(tmp_path))[1:] == (
        "lab: on needs ssh, which is not installed here\n",
        2,
    )


def test_there_an_old_python_is_enough():
    """3.6 knows neither list[str] nor the import that makes annotations text."""
    with open(there.__file__, encoding="utf-8") as file:
        tree = ast.parse(file.read(), feature_version=(3, 6))
    imports = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert "__future__" not in imports and "typing" in imports
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    notes = [one.annotation for node in functions for one in node.args.args]
    notes += [node.returns for node in functions]
    assert len(notes) > 10
    assert [ast.unparse(one) for one in notes if isinstance(one, ast.Subscript | ast.BinOp)] == []
