"""The files that pictures are saved in; and pictures inside a page."""

import re
import xml.etree.ElementTree as xml

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.draw import theme
from nbody_lab.draw.bench import ladder
from nbody_lab.draw.sheet import Sheet, inline_svg, save, with_own_ids
from tests.draw.made import bench, row


def test_nothing_is_overwritten(tmp_path):
    def draw(rate):
        return [path.name for path in save([ladder(bench(row(), row("mine", rate)))], tmp_path)]

    assert [draw(2e9), draw(3e9), draw(2e9)] == [["ladder"], ["ladder-2"], ["ladder"]]


def test_a_folder_that_cannot_be_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"\A[^\n]*\Z"):
        save([ladder(bench(row()))], tmp_path / "file")


def picture(name):
    sheet = Sheet("line", "Title & words", "subtitle", "footnote")
    sheet.axes.plot([1, 2], [1, 2], color=theme.SERIES[1], marker="o", gid="line-<mine>, N = 3")
    sheet.axes.plot([1, 2], [2, 1], color=theme.SERIES[2], gid="line-(mine), N = 3")
    return inline_svg(sheet, name)


def ids_of(svg):
    return [element.get("id") for element in xml.fromstring(svg).iter() if element.get("id")]


def test_two_pictures_on_a_page_share_no_id():
    """Every reference is to the same picture, and none brings a style of its own."""
    svg = picture("a")
    assert svg.startswith('<svg class="picture" id="a" ')
    assert "<style" not in svg
    assert "<title>Title &amp; words</title>" in svg
    ids = ids_of(svg) + ids_of(picture("b"))
    assert len(set(ids)) == len(ids) > 40
    assert all(re.fullmatch(r"[ab](-[A-Za-z0-9_-]+)?", one) for one in ids), ids
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    assert len(used) > 2
    assert used <= set(ids_of(svg))


def test_ids_that_look_the_same_are_told_apart():
    assert (
        with_own_ids('<a id="x y"/><a id="x.y"/><b href="#x.y"/>', "p")
        == '<a id="p-x_y"/><a id="p-x_y-1"/><b href="#p-x_y-1"/>'
    )
