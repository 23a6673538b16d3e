"""Formulas as MathML, which browsers draw without a script: an extension of Sphinx."""

import html
import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util.logging import getLogger

_TAG = re.compile(r"\\tag\{([^{}]*)\}")
# Bars keep close to what they enclose, and a dot is an operator.
_BETTER = (
    ('<mo stretchy="false">&#x0007C;</mo>', '<mo stretchy="false" lspace="0" rspace="0">|</mo>'),
    ("<mi>&#x000B7;</mi>", "<mo>&#x000B7;</mo>"),
)


def formula(source: str) -> str:
    """The MathML element of a formula. A \\tag{...} becomes the number on the right."""
    tag = _TAG.search(source)
    number = f'<span class="lab-number">({html.escape(tag[1])})</span>' if tag else ""
    try:
        element = convert(_TAG.sub("", source).strip(), display="block")
    except Exception as error:  # its classes have no base of their own
        what = type(error).__name__
        raise ValueError(f"formula that cannot be shown ({what}): {source.strip()}") from error
    if "<mi>\\" in element:  # the converter shows unknown LaTeX commands unchanged
        raise ValueError(f"formula that cannot be shown: {source.strip()}")
    for worse, better in _BETTER:
        element = element.replace(worse, better)
    return f'<div class="lab-formula">{element}{number}</div>'


def _show(writer: Any, node: nodes.Element) -> None:
    try:
        writer.body.append(formula(node.astext()))
    except ValueError as error:
        getLogger(__name__).warning(str(error), location=node)
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (_show, None), (_show, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
