"""Builds the site for ./lab site."""

import logging

from nbody_lab.core.messages import say
from nbody_lab.documents.build_site import build_site
from nbody_lab.documents.stage import is_students


def build(root, for_students):
    """Builds it, also where the lab was handed out; returns the status."""
    students = for_students or is_students(root)
    logging.basicConfig(format="lab: %(message)s")
    site = root / ("build/site_students" if for_students else "build/site")
    if not build_site(root, root / "build/site_source", site, students):
        say("the site was not built: correct the errors above")
        return 1
    print(
        f"open in a browser: {site / 'index.html'}{' (the edition for students)' if students else ''}"
    )
    return 0
