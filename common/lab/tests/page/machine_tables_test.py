"""The tables of the page's machine agree with ./lab machine."""

from nbody_lab.hardware.card import format_card
from nbody_lab.page.render import machine_tables
from tests.hardware.ceilings_for_tests import known, levels, row


def test_loads_of_8_bytes_do_not_take_the_place_of_those_of_4():
    """Scalar loads of L1 are measured in both widths; question 9 of part 1 asks for those of a float."""
    wide = row("bandwidth", "load", 58.7e9, level="L1", precision="double")
    content = known([row("flops", "mul_add", 9e9, name="scalar"), *levels(29.2e9), wide])
    ((_, tables),) = machine_tables(content.as_json())
    memory = next(table for table in tables if table["title"] == "Memory")
    rates = {label: cells[0]["best"] for label, cells in memory["rows"]}
    assert rates == {"L1, scalar": 29.2e9, "L1, scalar, 8 bytes each": 58.7e9}
    assert "29.2" in format_card(content, True)
    assert "58.7" not in format_card(content, True)
