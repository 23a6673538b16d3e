"""A page that holds the states of a run, and plays them in any browser: ./lab record -o FILE.html."""

import base64
import gzip
import json
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbody_lab.core.whole_file import write_text
from nbody_lab.viewing.film import FilmSetting, Panel, Progress, iterations_at
from nbody_lab.viewing.look import PAGE, page_setting
from nbody_lab.viewing.program import StateHeader

_MOST = 32767  # of a 16-bit number


def _message(header: dict[str, Any], columns: NDArray[Any]) -> bytes:
    """A line of JSON, whose length is a multiple of 4, and columns."""
    text = json.dumps(header).encode()
    return text + b" " * (3 - len(text) % 4) + b"\n" + columns.tobytes()


async def record_page(argv: Sequence[object], setting: FilmSetting) -> None:
    """Raises UserError."""
    states: list[tuple[StateHeader, NDArray[np.float32]]] = []
    progress = Progress(setting.frames)
    async with AsyncExitStack() as stack:
        panel = await Panel.begin(argv, setting, stack)
        for frame in range(setting.frames):
            iteration = iterations_at(frame, setting.frames, panel.greeting.iterations)
            panel.ask(iteration)
            await panel.reach(iteration)
            assert panel.header
            states.append((panel.header, np.column_stack([panel.points, panel.values]).T))
            progress.show(frame + 1)
    greeting = panel.greeting.model_dump()
    what = page_setting(f"{panel.greeting.part}/{panel.greeting.name}", setting.look, True, 1)
    wish = {"paused": False, "steps": 0, "rate": setting.per_second, "accelerations": False}
    recording = _pack({**what, "wish": wish}, greeting, panel.masses, states)
    write_text(setting.file, page_of(recording))


def page_of(recording: str) -> str:
    """The page with everything in it."""
    text = (PAGE / "view.html").read_text(encoding="utf-8")
    style = (PAGE / "view.css").read_text(encoding="utf-8")
    text = text.replace('<link rel="stylesheet" href="view.css">', f"<style>\n{style}</style>")
    text = re.sub(r'<link rel="icon".*\n', "", text)
    data = f'<script type="text/plain" id="recording">{recording}</script>'
    text = text.replace("<script", f"{data}\n<script", 1)

    def inline(match: "re.Match[str]") -> str:
        return f"<script>\n{(PAGE / match[1]).read_text(encoding='utf-8')}</script>"

    return re.sub(r'<script src="(\w+\.js)"></script>', inline, text)


def _pack(
    setting: dict[str, Any],
    greeting: dict[str, Any],
    masses: NDArray[Any],
    states: Sequence[tuple[StateHeader, NDArray[np.float32]]],
) -> str:
    """Places as 16-bit shares of a limit that nearly all bodies keep, colours as 16-bit numbers; of each state the
    difference to the one before, which gzip makes small. In base64."""
    places = np.abs(np.stack([columns[:3] for _, columns in states]))
    limit = float(np.quantile(places, 0.999)) * 1.5
    parts = [_message({"setting": setting, "greeting": {**greeting, "limit": limit}}, masses)]
    last = np.zeros((4, len(masses)), np.int16)
    for header, columns in states:
        now = np.empty_like(last)
        now[:3] = np.rint(np.clip(columns[:3] / limit, -1, 1) * _MOST)
        now[3] = np.rint(columns[3] * 2 * _MOST - _MOST)
        shown = {**header.model_dump(), "accelerations": False, "last": False}
        parts.append(_message(shown, now - last))
        last = now
    return base64.b64encode(gzip.compress(b"".join(parts), 9, mtime=0)).decode()
