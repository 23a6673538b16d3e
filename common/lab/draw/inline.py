"""A sheet as a piece of a page: the SVG of several pictures side by side in one document.

A file of its own may call its parts as it likes and style whatever is in it. On a page every id begins with the
picture's own name, and colours are those of the page's one style sheet (theme.page_sheet()).
"""

import re
import xml.sax.saxutils as xml


def inline_svg(sheet, name):
    """The element <svg class="picture">. `name`: the picture's own on this page; letters, digits, `-`, `_`."""
    text = sheet.bytes_of("svg").decode()
    text = text[text.index("<svg "):]
    text = re.sub(r"<style.*?</style>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"<defs>\s*</defs>\s*", "", text)
    text = with_own_ids(text, name)
    return text.replace("<svg ", f'<svg class="picture" id="{name}" ', 1)


def with_own_ids(text, name):
    """Prefixes every id with the picture's name. Ids stay distinct, in the picture and on the page."""
    ids = {}
    for old in re.findall(r'\bid="([^"]*)"', text):
        new = f"{name}-{re.sub(r'[^A-Za-z0-9_-]+', '_', xml.unescape(old))}"
        ids[old] = new if new not in ids.values() else f"{new}-{len(ids)}"
    text = re.sub(r'\bid="([^"]*)"', lambda found: f'id="{ids[found[1]]}"', text)
    return re.sub(r'(href="#|url\(#)([^")]*)', lambda found: found[1] + ids.get(found[2], found[2]), text)
