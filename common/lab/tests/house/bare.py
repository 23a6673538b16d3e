"""The lab on a machine with nothing on it: a Debian made of packages in build/bare/RELEASE, as a stranger has it.

    python -m tests.house.bare RELEASE STEP...        as root; bookworm is Debian 12, trixie 13

The system is the smallest that has apt. What a machine has (/proc, /dev, /sys) is mounted in a namespace that ends with the
command, whatever happens. Inside, the environment holds only what reaches the package registries, as this machine does.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from nbody_lab import ROOT

FOLDER = ROOT / "build/bare"
HANDOUTS = "part1_standard_opti/README.md part2_vectorization/README.md"
AS_STUDENT = "./lab check part1 mine && ./lab next && ./lab worksheet part1"
STEPS = {
    "demo": "./lab demo",
    "documents": f"build/venv/bin/python docs/run_docs.py --here {HANDOUTS}",
    "test": "./lab test",
    "some-tests": "./lab test unit python",
    "student": AS_STUDENT,  # in a tree of its own that nobody has built in, without root
}
REACHES_REGISTRIES = re.compile(r"PIP_\w+|SSL_CERT_FILE|(https?|no|all)_proxy", re.IGNORECASE)


def lines_of(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()


def make(release, system):
    """An empty system that reaches apt's archives as this machine does."""
    shutil.rmtree(system, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    settings = FOLDER / "apt.conf"
    acquire = [line for line in lines_of("apt-config", "dump") if line.startswith("Acquire")]
    settings.write_text("\n".join([*acquire, ""]), encoding="utf-8")
    mirror = []  # the tool knows one; but a Debian's own is the one that its network reaches
    if "ID=debian" in Path("/etc/os-release").read_text(encoding="utf-8").splitlines():
        targets = lines_of("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)")
        mirror = [uri for uri, suite in map(str.split, targets) if "-" not in suite][:1]
    subprocess.run(
        [
            *("mmdebstrap", "--quiet", "--mode=root", "--variant=minbase"),
            *(f"--aptopt={settings}", release, system, *mirror),
        ],
        check=True,
    )
    for file in ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf"):
        if Path(file).exists():
            shutil.copy(file, f"{system}{file}")


def environment(system):
    """What reaches the package registries. A file that a variable names is copied, and named where it is then."""
    found = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    for name, value in os.environ.items():
        if not REACHES_REGISTRIES.fullmatch(name):
            continue
        if Path(value).is_file():
            (system / "etc/machine").mkdir(exist_ok=True)
            shutil.copy(value, system / "etc/machine")
            value = f"/etc/machine/{Path(value).name}"
        found[name] = value
    return [f"{name}={value}" for name, value in found.items()]


def unpack_tree(folder):
    """The lab as git archives it, with changes that are not committed yet."""
    folder.mkdir(parents=True)
    commit = (lines_of("git", "-C", str(ROOT), "stash", "create") or ["HEAD"])[0]
    archive = ["git", "-C", ROOT, "archive", commit]
    content = subprocess.run(archive, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=content, check=True)


def run_inside(system, user, folder, command):
    """Its status. Its lines are shown with the seconds since it began."""
    mounts = f"""
        mount -t proc proc {system}/proc
        mount --rbind /dev {system}/dev
        mount -t sysfs -o ro sysfs {system}/sys
        exec chroot --userspec={user} {system} /usr/bin/env -i "$@"
    """
    start = time.monotonic()
    with subprocess.Popen(
        [
            *("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-e", "-c", mounts),
            *("sh", *environment(system), "bash", "-c", f"cd {folder} && {command}"),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            for line in process.stdout:
                print(f"{time.monotonic() - start:6.0f} s  {line}", end="", flush=True)
        finally:
            if process.poll() is None:
                process.kill()
    return process.returncode


def main(release, *steps):
    """Ends with status 1 after a step that failed."""
    system = FOLDER / release
    make(release, system)
    for step in steps:
        print(f"{release}, {step}: $ {STEPS[step]}", flush=True)
        user, folder = "root:root", "/srv/lab"
        if step == "student":
            user, folder = "student:student", "/home/student/lab"
            subprocess.run(["chroot", system, "useradd", "--create-home", "student"], check=True)
        if not Path(f"{system}{folder}").exists():
            unpack_tree(Path(f"{system}{folder}"))
            subprocess.run(["chroot", system, "chown", "-R", user, folder], check=True)
        start = time.monotonic()
        status = run_inside(system, user, folder, STEPS[step])
        print(f"{release}, {step}: {time.monotonic() - start:.0f} s", flush=True)
        if status != 0:
            sys.exit(f"{release}, {step}: status {status}")


if __name__ == "__main__":
    main(*sys.argv[1:])
