"""Makes what a student typed safe for JSON and HTML."""

import math


def clean(value):
    """Text, or data that holds text, without broken or invisible characters and without infinities."""
    if isinstance(value, str):
        whole = value.encode("utf-8", "replace").decode("utf-8")
        return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in whole)
    if isinstance(value, dict):
        return {clean(str(key)): clean(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
