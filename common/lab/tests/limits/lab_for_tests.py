"""A tiny lab for tests: its programs are shell scripts that hand out recordings; nothing is built."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbody_lab.building.lab import Lab

GPU_NAME = "A GPU of tests (10 SM, at most 1000 MHz)"
FACTS = {"devices": [{"compute_capability": "8.6", "multiprocessors": 10, "clock_hz": 1e9}]}
_KINDS = {"naive": "naive", "mine": "mine", "race": "exhibit"}
_SCRIPT = """#!/bin/sh
echo "$@" > {folder}/argv
while [ "$1" != --json ]; do shift; done
cp {folder}/{answer} "$2"
"""


def write_script(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


def bench_row(name: str, outcome: str = "right", fastest: float = 6e10, **more: Any) -> Any:
    row = {"name": name, "precision": "float", "threads": 1, "outcome": outcome}
    speeds = {"interactions_per_s": {"median": 5e10}, "fastest_interactions_per_s": fastest}
    return row | speeds | more


class TinyLab(Lab):
    """A part with some implementations, on a GPU that answers. All but lost can be counted."""

    compiles = True

    def __init__(self, folder: Path, part: str, names: Sequence[str]) -> None:
        super().__init__(part)
        self.build_dir, self.manifest, self.log = folder, folder / "manifest.json", folder / "log"
        self.answers = f"{GPU_NAME}, built with CUDA 13.0, driver 1"
        device = "gpu" if part == "part3" else "cpu"
        rows = [
            {
                "part": part,
                "name": name,
                "kind": _KINDS.get(name, "rung"),
                "source": "LICENSE",
                "programs": [{"precision": "float", "program": f"bin/{part}/{name}"}],
                "count": None if name == "lost" else {"program": f"bin/{part}/{name}_count"},
            }
            for name in names
        ]
        parts = [{"name": part, "device": device}]
        manifest = {"version": 2, "parts": parts, "implementations": rows}
        self.manifest.write_text(json.dumps(manifest))
        for program in ("bench", "devices"):
            script = _SCRIPT.format(folder=folder, answer=f"{program}.json")
            write_script(folder / "bin" / program, script)
        (folder / "devices.json").write_text(json.dumps(FACTS))
        self.set_bench()

    def set_bench(self, *rows: Any, **context: Any) -> None:
        result = {"context": context, "summary": rows}
        (self.build_dir / "bench.json").write_text(json.dumps(result))

    @property
    def bench_argv(self) -> list[str]:
        """Of the last program that was run; none if nothing was."""
        file = self.build_dir / "argv"
        return file.read_text().split() if file.exists() else []

    def begin(self) -> None:
        """Takes no lock."""

    def try_to_build(self, label: str, *targets: str) -> bool:
        return self.compiles

    def works(self, label: str, *command: object) -> bool:
        return command[0] == "ninja" or super().works(label, *command)

    def gpu(self) -> str:
        return self.answers
