"""How a simulation is drawn: the options of ./lab view."""

from enum import Enum
from typing import Annotated, Any

import typer

from nbody_lab import ROOT
from nbody_lab.building.arguments import option
from nbody_lab.core.model import LabModel

PAGE = ROOT / "common/view"
ENDLESS = 1_000_000_000_000  # iterations that mean: until somebody ends it


class Colour(str, Enum):
    SPEED = "speed"
    ACCELERATION = "acceleration"


class Switch(str, Enum):
    ON = "on"
    OFF = "off"


class Look(LabModel):
    tilt: float = 52  # degrees above the plane of x and y
    zoom: float = 1
    by_acceleration: bool = False
    trails: bool | None = None  # None: as many bodies deserve
    text: bool = True


def page_setting(title: str, look: Look, may_restart: bool, panels: int) -> dict[str, Any]:
    """How a page begins."""
    shown = look.model_dump(include={"tilt", "zoom", "trails", "text"})
    return {"title": title, "may_restart": may_restart, "panels": panels, **shown}


Tilt = Annotated[
    float, typer.Option(metavar="D", min=-88, max=88, help="degrees above the plane of x and y")
]
Zoom = Annotated[
    float, typer.Option(metavar="F", min=0.001, max=1000, help="nearer (2), farther (0.5)")
]
ColourBy = Annotated[Colour, option("--colour", "BY", "speed (default) or acceleration")]
TrailsOn = Annotated[
    Switch | None,
    option("--trails", "on|off", "lines behind the bodies (default: up to 3000 bodies)"),
]
TextOn = Annotated[
    Switch, option("--text", "on|off", "what is written into the picture (default on)")
]


def look_of(tilt: float, zoom: float, colour: Colour, trails: Switch | None, text: Switch) -> Look:
    return Look(
        tilt=tilt,
        zoom=zoom,
        by_acceleration=colour is Colour.ACCELERATION,
        trails=None if trails is None else trails is Switch.ON,
        text=text is Switch.ON,
    )


def _place(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not (host and port.isdecimal() and int(port) < 1 << 16):
        raise typer.BadParameter(f"needs HOST:PORT, for example 0.0.0.0:8000; not '{text}'")
    return host.strip("[]"), int(port)


WebPlace = Annotated[
    Any,
    option(
        "--web",
        "HOST:PORT",
        "where the page is served (default: any free port, for this machine alone)",
        parser=_place,
    ),
]
