#!/usr/bin/env python3
"""First messages for the fuzzer, in a new folder: make_corpus.py FOLDER"""

import json
import struct
import sys
from pathlib import Path

HELLO = {
    "protocol": 4,
    "part": "part1",
    "name": "mine",
    "precision": "float",
    "instruction_set": "",
    "ranks": 1,
    "jerk": False,
}
REQUEST = {
    "request": 1,
    "n": 1,
    "steps": 1,
    "precision": "double",
    "integrator": "kdk",
    "dt": 0.5,
    "adaptive": False,
    "dt_floor": 0.25,
    "G": 1.0,
    "softening": 0.0,
    "damping": 1.0,
    "every_state": True,
    "accelerations": True,
    "jerk": False,
    "threads": 0,
    "ranks": 0,
}
ANSWER = {"answer": 1, "n": 1, "states": 1, "accelerations": True, "jerk": False}
REFUSAL = {"answer": 1, "refused": "unsupported", "text": "no kick"}

folder = Path(sys.argv[1])
folder.mkdir(parents=True)
for name, header, numbers in (
    ("hello", HELLO, 0),
    ("request", REQUEST, 7),
    ("answer", ANSWER, 10),
    ("refusal", REFUSAL, 0),
):
    (folder / name).write_bytes(
        json.dumps(header).encode() + b"\n" + struct.pack(f"<{numbers}d", *[1.5] * numbers)
    )
