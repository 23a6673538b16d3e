"""Formulas in ```math fences, as MathML: browsers draw it themselves, without a script."""

import html
import re

from latex2mathml.converter import convert

# Bars close to what they enclose, and a dot that is an operator.
BETTER = (('<mo stretchy="false">&#x0007C;</mo>', '<mo stretchy="false" lspace="0" rspace="0">|</mo>'), ("<mi>&#x000B7;</mi>", "<mo>&#x000B7;</mo>"))
TAG = re.compile(r"\\tag\{([^{}]*)\}")


def formula(source, *_, **__):
    """For superfences: the element that takes the place of a fence. A \\tag{...} becomes the number at its right."""
    tag = TAG.search(source)
    number = f'<span class="lab-number">({html.escape(tag[1])})</span>' if tag else ""
    made = convert(TAG.sub("", source).strip(), display="block")
    if "<mi>\\" in made:  # a word of LaTeX that it does not know it shows as it is
        raise ValueError(f"formula that cannot be shown: {source.strip()}")
    for worse, better in BETTER:
        made = made.replace(worse, better)
    return f'<div class="lab-formula">{made}{number}</div>'
