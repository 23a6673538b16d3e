"""A page in a real browser that tests see and use: Chromium without a screen, over its debugging protocol."""

import base64
import io
import json
import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from tests import CHROMIUM

_OPTIONS = [
    "--headless=new",
    "--no-sandbox",
    "--enable-unsafe-swiftshader",
    "--use-angle=swiftshader",
    "--hide-scrollbars",
    "--mute-audio",
    "--remote-debugging-port=0",
    "--remote-allow-origins=*",
    "about:blank",
]
PATIENCE_S = 60
# In a picture: each panel's newest state, in the colours that the viewer wants.
_DRAWN = """!dirty && panels.every(
    panel => !panel.next && panel.state?.header.accelerations === wish.accelerations)"""
_KEYS = {"ArrowLeft": 37, "PageUp": 33}
_COMPLAINTS = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")


class Page:
    """One tab."""

    def __init__(self, address: str) -> None:
        self._link = connect(address, max_size=None)
        self._number = 0
        self.complaints: list[str] = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        self._link.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._link.recv(timeout=PATIENCE_S))
            if message.get("method") in _COMPLAINTS:
                self.complaints.append(json.dumps(message["params"]))
            if message.get("id") == self._number:
                assert "error" not in message, message
                return message["result"]

    def go(self, address: str, width: int = 800, height: int = 600) -> "Page":
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        assert "errorText" not in self.call("Page.navigate", url=address), address
        return self

    def open(self, file: Path, width: int = 1400, height: int = 1000) -> "Page":
        """A page from disk, with all that belongs to it; its first words on the console are complaints."""
        self.complaints.clear()
        self.go(file.as_uri(), width, height)
        self.wait_for("document.readyState === 'complete'")
        return self

    def html(self) -> str:
        return str(self.value("document.documentElement.outerHTML"))

    def count_printed(self) -> int:
        """The number of sheets of paper that it takes."""
        pdf = base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True)["data"])
        assert pdf.startswith(b"%PDF")
        return len(re.findall(rb"/Type\s*/Page\b", pdf))

    def value(self, expression: str) -> Any:
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait_for(self, expression: str) -> Any:
        """Until a JavaScript expression is true."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if value := self.value(expression):
                return value
            time.sleep(0.05)
        raise AssertionError(f"never true: {expression}; the page says {self.text()!r}")

    def wait_for_text(self, pattern: str) -> "re.Match[str]":
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if match := re.search(pattern, self.text()):
                return match
            time.sleep(0.05)
        raise AssertionError(f"no {pattern!r} in {self.text()!r}")

    def text(self) -> str:
        return str(
            self.value(
                "[...document.querySelectorAll('pre,#notice')].map(e=>e.textContent).join('\\n---\\n')"
            )
        )

    def press(self, key: str) -> None:
        text = {"text": key} if len(key) == 1 else {"windowsVirtualKeyCode": _KEYS.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def pixels(self) -> Any:
        """What is on the screen, once the page has drawn what it was asked for: height x width x 3."""
        import numpy as np  # only pictures need it
        from PIL import Image

        self.wait_for(_DRAWN)
        shot = self.call("Page.captureScreenshot", format="png")["data"]
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(shot))).convert("RGB"), int)


class Browser:
    def __enter__(self) -> "Browser":
        # Its helpers may write until a moment after it.
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        assert CHROMIUM
        self._process = subprocess.Popen(
            [CHROMIUM, f"--user-data-dir={self._folder.name}", *_OPTIONS],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stderr
        for line in self._process.stderr:
            if match := re.search(r"ws://([^/]+)/devtools", line):
                self._place = match[1]
                break
        self._link = connect(line.split()[-1])
        return self

    def page(self) -> Page:
        self._link.send(
            json.dumps({"id": 1, "method": "Target.createTarget", "params": {"url": "about:blank"}})
        )
        target = json.loads(self._link.recv(timeout=PATIENCE_S))["result"]["targetId"]
        return Page(f"ws://{self._place}/devtools/page/{target}")

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()
