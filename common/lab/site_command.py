"""./lab site: the documents as web pages, built by the Python that draws (common/lab/documents)."""

import pictures
from messages import stop
from running import run_python
from workshop import ROOT

DOCUMENTS = ROOT / "common/lab/documents"
NEEDED = ("mkdocs", "material", "latex2mathml")


def can_build():
    """Checks the packages too: an older lab may have set up pictures without them."""
    packages = pictures.PYTHON.parents[1]
    return pictures.can_draw() and all(any(packages.glob(f"lib/python3*/site-packages/{name}")) for name in NEEDED)


def site(_, words):
    for word in words:
        if word != "--students":
            stop(f"site has no option '{word}'; its only option is --students")
    if not can_build():
        stop("the site needs ./lab setup --pictures once (400 MB); then run ./lab site again")
    return run_python(pictures.PYTHON, DOCUMENTS, ROOT, *words)
