"""For tests: an empty folder for each, which is removed afterwards."""

import tempfile
import unittest
from pathlib import Path


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def put(self, path, content="", executable=False):
        """Writes a file below the folder, in a folder that it may have to make; returns it."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        if executable:
            file.chmod(0o755)
        return file
