"""The packages of Python in a handout for machines without a network."""

import re

import pytest
from packaging.utils import parse_wheel_filename

from nbody_lab import ROOT
from nbody_lab.handout.wheels import PYTHONS, download_wheels

_LOCK = (ROOT / "common/setup/python/core.txt").read_text(encoding="utf-8")


@pytest.mark.weekly
def test_every_package_is_there_for_every_python_and_machine():
    """Each `name==version` of the lock, also those that only one Python needs."""
    pythons = ["cp" + version.replace(".", "") for version in PYTHONS]
    served: dict[str, set[tuple[str, str]]] = {}
    for path in download_wheels():
        name, version, _, tags = parse_wheel_filename(path.removeprefix("wheels/"))
        for python, machine in (
            (python, machine)
            for python in pythons
            for machine in ("x86_64", "aarch64")
            for tag in tags
            if (tag.interpreter == python or tag.abi == "abi3" or tag.interpreter == "py3")
            and (tag.platform == "any" or tag.platform.endswith(machine))
        ):
            served.setdefault(f"{name}=={version}", set()).add((python, machine))
    locked = re.findall(r"^([\w.-]+==\S+)", _LOCK, re.MULTILINE)
    assert locked
    assert {one: len(served.get(one, ())) for one in locked} == dict.fromkeys(
        locked, 2 * len(pythons)
    )
