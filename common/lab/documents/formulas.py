"""Turns formulas in ```math fences into MathML, which browsers draw without a script."""

import html
import re

from latex2mathml.converter import convert

# Bars keep close to what they enclose, and a dot is an operator.
BETTER = (('<mo stretchy="false">&#x0007C;</mo>', '<mo stretchy="false" lspace="0" rspace="0">|</mo>'), ("<mi>&#x000B7;</mi>", "<mo>&#x000B7;</mo>"))
TAG = re.compile(r"\\tag\{([^{}]*)\}")


def formula(source, *_, **__):
    """The MathML element for a fence (called by superfences). A \\tag{...} becomes the number on the right."""
    tag = TAG.search(source)
    number = f'<span class="lab-number">({html.escape(tag[1])})</span>' if tag else ""
    made = convert(TAG.sub("", source).strip(), display="block")
    if "<mi>\\" in made:  # the converter shows unknown LaTeX commands unchanged
        raise ValueError(f"formula that cannot be shown: {source.strip()}")
    for worse, better in BETTER:
        made = made.replace(worse, better)
    return f'<div class="lab-formula">{made}{number}</div>'
