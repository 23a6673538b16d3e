"""The navigation of the site: which documents are pages, where, and what each is for (navigation.json)."""

from collections.abc import Callable
from pathlib import Path

import pydantic

from nbody_lab.core.model import LabModel, load

HOME = "README.md"
INSTRUCTORS = "instructors"

_FILE = Path(__file__).with_name("navigation.json")


class Page(LabModel):
    path: str
    title: str
    what: str


class Group(LabModel):
    title: str
    pages: tuple[Page, ...]


class Section(LabModel):
    name: str
    title: str
    what: str
    groups: tuple[Group, ...]

    @property
    def pages(self) -> list[Page]:
        return [page for group in self.groups for page in group.pages]


class _Sections(pydantic.RootModel[tuple[Section, ...]]):
    pass


def read_sections(is_page: Callable[[str], bool] = lambda path: True) -> list[Section]:
    """The sections with only the pages for which is_page(path) holds; nothing that is empty."""
    found = []
    for section in load(_Sections, _FILE).root:
        groups = [
            Group(
                title=group.title, pages=tuple(page for page in group.pages if is_page(page.path))
            )
            for group in section.groups
        ]
        groups = [group for group in groups if group.pages]
        if groups:
            found.append(section.model_copy(update={"groups": tuple(groups)}))
    return found
