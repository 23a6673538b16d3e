"""For tests: an empty folder for each, which is removed afterwards."""

import tempfile
import unittest
from pathlib import Path


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
