"""Formulas in ```math fences, as MathML: browsers draw it themselves, without a script."""

import html
import re

from latex2mathml.converter import convert

TAG = re.compile(r"\\tag\{([^{}]*)\}")


def formula(source, *_, **__):
    """For superfences: the element that takes the place of a fence. A \\tag{...} becomes the number at its right."""
    tag = TAG.search(source)
    number = f'<span class="lab-number">({html.escape(tag[1])})</span>' if tag else ""
    made = convert(TAG.sub("", source).strip(), display="block")
    if "<mi>\\" in made:  # a word of LaTeX that it does not know it shows as it is
        raise ValueError(f"formula that cannot be shown: {source.strip()}")
    return f'<div class="lab-formula">{made}{number}</div>'
