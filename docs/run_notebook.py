"""Runs the code cells of a Jupyter notebook in order, in its folder, and ends at the first that fails.

    build/venv/bin/python docs/run_notebook.py part3_cuda/hosted_gpu.ipynb

Jupyter would do the same with nbclient and ipykernel. They bring some thirty packages, and the notebooks here use three
things of its language: `!COMMAND` with {VARIABLES}, `%%writefile FILE`, and pictures. What else begins with % is refused.
The metadata of a cell may hold {"replace": OLD, "by": NEW}: what its text asks the reader to do before running it.
"""

import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path

SHELL = re.compile(r"^(\s*)!(.*)$", re.M)
MAGIC = re.compile(r"^\s*%\S*", re.M)
WRITE = re.compile(r"%%writefile (\S+)\n(.*)", re.S)
PNG = b"\x89PNG\r\n\x1a\n"


class CellFails(Exception):
    """What went wrong in a cell, in one line."""


def read_cells(text, kind):
    """The cells of one kind, each with its source as one text, and as its reader leaves it in "edited"."""
    cells = []
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == kind:
            source, edit = "".join(cell["source"]), cell["metadata"]
            edited = source.replace(edit["replace"], edit["by"]) if "replace" in edit else source
            cells.append(cell | {"source": source, "edited": edited})
    return cells


def text_of(notebook):
    """What its reader reads."""
    return "\n\n".join(cell["source"] for cell in read_cells(notebook, "markdown"))


def run_command(command):
    """In Jupyter a command may fail without a word; here it ends the notebook."""
    print(f"$ {command}", flush=True)
    status = subprocess.run(["bash", "-c", command], check=False).returncode
    if status != 0:
        raise CellFails(f"status {status}: {command}")


def show(picture):
    print(f"[{picture}]", flush=True)


def picture(filename):
    if not Path(filename).is_file() or Path(filename).read_bytes()[: len(PNG)] != PNG:
        raise CellFails(f"there is no picture {filename}")
    return filename


def stand_in_for_jupyter():
    """The module IPython.display, as far as it is used."""
    display = types.ModuleType("IPython.display")
    display.display, display.Image = show, picture
    sys.modules |= {"IPython": types.ModuleType("IPython"), "IPython.display": display}
    # So does every kernel of Jupyter: a backend that only its own environment has.
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"


def as_python(source):
    """The cell in plain Python."""
    written = WRITE.fullmatch(source)
    if written:
        path, text = written.groups()
        return f"open({path!r}, 'w').write({text.rstrip() + chr(10)!r})"
    magic = MAGIC.search(source)
    if magic:
        raise CellFails(f"docs/run_notebook.py does not know {magic[0].strip()}")
    if any("$" in words for _, words in SHELL.findall(source)):
        raise CellFails("a $ in a !COMMAND: Jupyter takes it for a variable of Python")
    return SHELL.sub(lambda found: f"{found[1]}run_command(f{found[2]!r})", source)


def run_notebook(file):
    """Raises CellFails, with the number of the cell among those with code."""
    names = {"run_command": run_command, "__name__": "__main__"}
    cells = read_cells(file.read_text(encoding="utf-8"), "code")
    os.chdir(file.parent)
    stand_in_for_jupyter()
    for number, cell in enumerate(cells, 1):
        print(f"--- cell {number} of {len(cells)}", flush=True)
        try:
            exec(compile(as_python(cell["edited"]), f"cell {number}", "exec"), names)
        except CellFails as error:
            raise CellFails(f"cell {number}: {error}") from error
        except Exception as error:
            raise CellFails(f"cell {number}: {type(error).__name__}: {error}") from error


if __name__ == "__main__":
    try:
        run_notebook(Path(sys.argv[1]))
    except CellFails as error:
        sys.exit(f"{sys.argv[1]}: {error}")
