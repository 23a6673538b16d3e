"""Which packages of Python are installed: ./lab setup --pictures brings most."""

import importlib.util


def has(*names: str) -> bool:
    return all(importlib.util.find_spec(name) for name in names)
