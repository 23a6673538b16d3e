"""The page in a real browser, over its debugging protocol: does it show the run, and do keys change what is seen?"""

import json
import re
import subprocess
import time
import urllib.request

import pytest
from websockets.sync.client import connect

from tests import CHROMIUM
from tests.view.shown import PLUMMER, shown

pytestmark = [
    pytest.mark.browser,
    pytest.mark.weekly,
    pytest.mark.skipif(not CHROMIUM, reason="chromium is not there"),
]
OPTIONS = "--headless=new --no-sandbox --enable-unsafe-swiftshader --use-angle=swiftshader --remote-debugging-port=0"


def until(condition):  # the timeout of tests ends it
    while not condition():
        time.sleep(0.2)


def test_the_run_is_seen_and_keys_change_the_picture(tmp_path):
    argv = [CHROMIUM, f"--user-data-dir={tmp_path}", "--remote-allow-origins=*", *OPTIONS.split()]
    with (
        shown(*PLUMMER) as lab,
        subprocess.Popen([*argv, lab.address], stderr=subprocess.PIPE, text=True) as browser,
    ):
        try:
            found = (re.search(r"ws://([^/]+)/devtools", line) for line in browser.stderr)
            place = next(match[1] for match in found if match)
            with urllib.request.urlopen(f"http://{place}/json/list") as tabs:
                page = next(one for one in json.load(tabs) if one["type"] == "page")
            link, faults = connect(page["webSocketDebuggerUrl"], max_size=None), []

            def call(method, **parameters):
                link.send(json.dumps({"id": 1, "method": method, "params": parameters}))
                while "id" not in (message := json.loads(link.recv(timeout=60))):
                    if message["method"] == "Runtime.exceptionThrown":
                        faults.append(message)
                return message["result"]

            def text():
                return call("Runtime.evaluate", expression="document.body?.innerText")["result"]

            def press(key):
                call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)

            def picture():
                return call("Page.captureScreenshot")["data"]

            call("Runtime.enable")
            until(lambda: re.search(r"iteration [1-9]", str(text())))
            press(" ")
            until(lambda: "paused" in str(text()))
            press("h")
            until(lambda: picture() == picture())
            for key in "gcf":
                before = picture()
                press(key)
                until(lambda before=before: picture() != before)
            assert faults == []
        finally:
            browser.kill()
