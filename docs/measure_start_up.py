"""How long a program takes to start: its build, and from its start to its first answer.

    measure_start_up.py FILE.json NAME...      NAME: part3/tiles, languages/triton_tiles

Seconds; the least of three. `start_s`: nothing is left of an earlier run, so just-in-time compilation is included. `again_s`: with
its cache. `build_s`: after a change of its source; null for scripts.
"""

import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.manifest import Manifest, ManifestError

BUILD = ROOT / "build/release"

BODIES, ROUNDS = 4096, 3
CACHES = ("TRITON_CACHE_DIR", "CUDA_CACHE_PATH")


def request():
    """One step of bodies on a spiral."""
    columns = [
        [1.0] * BODIES,
        *([k * (k % 7 + axis) / BODIES for k in range(BODIES)] for axis in (1, 2, 3)),
        *([[0.0] * BODIES] * 3),
    ]
    header = {
        "request": 1,
        "n": BODIES,
        "steps": 1,
        "precision": "float",
        "integrator": "",
        "dt": 1e-3,
        "adaptive": False,
        "dt_floor": 0.0,
        "G": 1.0,
        "softening": 0.1,
        "damping": 1.0,
        "every_state": False,
        "accelerations": True,
        "jerk": False,
        "threads": 0,
        "ranks": 0,
    }
    return (
        json.dumps(header).encode()
        + b"\n"
        + b"".join(struct.pack(f"<{BODIES}d", *column) for column in columns)
    )


def seconds_to_answer(program, caches):
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{folder}/socket")
        listener.listen(1)
        listener.settimeout(300)
        start = time.monotonic()
        environment = {
            **os.environ,
            **dict.fromkeys(CACHES, caches),
            "LAB_SOCKET": f"{folder}/socket",
        }
        with (
            subprocess.Popen([program, "--serve"], env=environment),
            listener.accept()[0] as connection,
            connection.makefile("rwb") as stream,
        ):
            stream.readline()  # its hello
            stream.write(request())
            stream.flush()
            header = json.loads(stream.readline())
            seconds = time.monotonic() - start
    if "states" not in header:
        sys.exit(f"measure_start_up: {program} gave no answer: {header.get('text', '')}")
    return seconds


def seconds_to_build(row):
    """None if the program is a script."""
    program = BUILD / row.program
    if row.kind == "guest" and program.read_bytes()[:2] == b"#!":
        return None
    os.utime(ROOT / row.source)
    start = time.monotonic()
    subprocess.run(["ninja", "-C", BUILD, row.program], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def measured(row):
    program, cold, warm = BUILD / row.program, [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as caches:
            cold.append(seconds_to_answer(program, caches))
            warm.append(seconds_to_answer(program, caches))
    return {"build_s": seconds_to_build(row), "start_s": min(cold), "again_s": min(warm)}


def main(words):
    if len(words) < 2 or not all("/" in name for name in words[1:]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        manifest = Manifest(BUILD / "manifest.json")
        rows = {name: manifest.row(*name.split("/", 1)) for name in words[1:]}
    except ManifestError as fault:
        print(f"measure_start_up: {fault}", file=sys.stderr)
        return 2
    summary = [
        {"name": name.removeprefix("part3/"), "n": BODIES, **measured(row)}
        for name, row in rows.items()
    ]
    result = {
        "context": {"day": str(date.today()), "what": "seconds before a program computes"},
        "summary": summary,
    }
    Path(words[0]).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for row in summary:
        print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
