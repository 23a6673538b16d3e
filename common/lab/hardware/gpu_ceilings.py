"""What a GPU can do at most, as rows beside those of the processor."""

import json
import subprocess
import tempfile
from pathlib import Path

from messages import Failure


def add_gpu_rows(lab, document):
    """Appends what bin/devices measures on GPU 0 to document["ceilings"]: a dozen seconds.

    Returns how many rows; 0 where no GPU answers or nothing builds for it. Raises Failure where the measuring fails,
    after the program has said why; the document is then as it was.
    """
    if not lab.gpu():
        return 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "devices.json")
        words = [str(lab.build / "bin/devices"), "--measure", "--json", str(file)]
        status = subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode
        if status != 0:
            raise Failure(status if status > 0 else 128 - status)
        rows = json.loads(file.read_text(encoding="utf-8"))["ceilings"]
    document["ceilings"] += rows
    return len(rows)
