"""Does the rule find a loop's limit where it is known? Times loops built to hit one limit each
(common/machine/limit_kernels.cpp) and the ceilings; the rule must name the right limit.

    roofline_limits_test.py BUILD_FOLDER
"""

import json
import subprocess
import unittest

import pytest

from nbody_lab.roofline.model import WAITING, limiter, limits_of, plain_code
from tests import BUILD
from tests.roofline import roofline_for_tests as made

KERNELS, CEILINGS, MACHINE = (
    BUILD / "tests/limit_kernels",
    BUILD / "bin/ceilings_scalar",
    BUILD / "bin/machine",
)
NOT_BUILT = 77  # CTest reports this status as skipped
TRIES = 10  # another program may take the core in between
LOWEST, HIGHEST = 0.5, 1.15  # plausible shares of the limit


def output_of(*words):
    return subprocess.run(
        [str(word) for word in words], stdout=subprocess.PIPE, text=True, check=True
    ).stdout


pytestmark = pytest.mark.weekly  # it measures


class Measured:
    """The best of all measurements so far: other programs only slow things down, and not for long."""

    def __init__(self):
        self.rows, self.kernels, self.chain = {}, {}, float("inf")

    def look_again(self):
        for row in map(
            json.loads, output_of(CEILINGS, "--seconds", "0.1", "--only", "1").splitlines()
        ):
            key = row["name"], row["precision"]
            row["best"] = max(row["best"], self.rows.get(key, row)["best"])
            self.rows[key] = {**row, "is_ceiling": True}
        for kernel in json.loads(output_of(KERNELS)):
            before = self.kernels.get(kernel["hits"], kernel)
            self.kernels[kernel["hits"]] = min(
                before, kernel, key=lambda one: one["seconds_an_element"]
            )
        self.chain = min(self.chain, fma_chain(json.loads(output_of(MACHINE))))

    def verdicts(self):
        return verdicts([*self.rows.values()], [*self.kernels.values()], self.chain)


def fma_chain(prices):
    """The latency of an fma in seconds."""
    price = next(
        price
        for price in prices["prices"]
        if (price["operation"], price["precision"]) == ("fma", "float")
    )
    return price["latency_cycles"]["median"] / prices["clock_hz"]


def verdicts(ceilings, kernels, chain_seconds):
    """{the limit a kernel was built to hit: (the rule's limiter, share of it, the limiter without knowledge of
    chains)}"""
    found = {}
    for kernel in kernels:
        speed = 1 / kernel["seconds_an_element"]
        limits = limits_of(ceilings, made.work(**kernel["work"]), plain_code("scalar"), "float", 1)
        without_chain = limiter(speed, limits)[0]
        if kernel["chain_of_fma"]:
            limits.append(
                {
                    "name": "latency",
                    "interactions_per_s": 1 / (kernel["chain_of_fma"] * chain_seconds),
                }
            )
        found[kernel["hits"]] = (*limiter(speed, limits), without_chain)
    return found


def problems(found):
    """Sentences about wrong verdicts; none if all are right."""
    said = [
        f"{wanted}: the rule says {name} ({share:.2f} of it)"
        for wanted, (name, share, _) in found.items()
        if name != wanted or not LOWEST <= share <= HIGHEST
    ]
    if found["latency"][2] != WAITING:
        said.append(f"a chain that is not known must be called waiting, not {found['latency'][2]}")
    return said


class LimitsTest(unittest.TestCase):
    def test_each_loop_hits_what_it_was_built_to_hit(self):
        measured = Measured()
        for _ in range(TRIES):
            measured.look_again()
            found = measured.verdicts()
            self.assertGreaterEqual(
                len(found), 4
            )  # not every machine has an estimate of a single number
            said = problems(found)
            if not said:
                return
        self.fail("; ".join(said))
