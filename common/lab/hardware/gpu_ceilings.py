"""The GPU's ceilings, as rows beside those of the processor."""

import json
import subprocess
import tempfile
from pathlib import Path

from messages import Failure


def add_gpu_rows(lab, document):
    """Appends what bin/devices measures on GPU 0 to document["ceilings"]; takes about a dozen seconds.

    Returns the number of rows; 0 if no GPU answers or nothing can be built for it. Raises Failure if measuring fails, after
    the program has printed the reason; the document is then unchanged.
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
