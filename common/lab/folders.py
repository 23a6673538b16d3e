"""The folders of common/lab. Imported first, it lets a program import their modules by plain names, as if they were
here.

worksheet/ and grade/ are packages: `from grade.set_up import Course`.
"""

import sys
from pathlib import Path

FOLDERS = ("bound", "documents", "draw", "explain", "export", "grade/pages", "handout", "hardware", "notebook", "page",
           "profiles", "programs", "roofline", "studies", "tasks", "testing")

sys.path[:0] = [str(Path(__file__).resolve().parent / name) for name in FOLDERS]
