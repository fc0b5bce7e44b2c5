"""What the browser tests share: a running demo, a closed site, a browser, and patience.

The demo is told by DEMO_JSON, the file that `beaconmesh demo --json FILE` writes once it is ready.
The browser is Debian's chromium. Screenshots are kept in .build/screenshots.
"""

import base64
import json
import os
import pathlib
import time

import pytest
from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement

import closed

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / ".build" / "screenshots"
# How long to wait for people of the demo to do something.
PATIENCE_S = float(os.environ.get("BROWSER_PATIENCE_S", "180"))


def pytest_configure(config):
    config.addinivalue_line("markers", "own_site: of the demonstration it takes nothing but its programs")


@pytest.fixture(scope="session")
def demo():
    path = os.environ.get("DEMO_JSON")
    if not path:
        pytest.skip("DEMO_JSON is not set: run `beaconmesh demo --json FILE` and name the file")
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def programs(demo):
    """The folder of the programs that the demonstration runs."""
    # A node: a test ends the coordinator.
    node = next(process["pid"] for process in demo["processes"]
                if process["name"] not in ("broker", "coordinator"))
    return pathlib.Path(os.readlink(f"/proc/{node}/exe")).parent


@pytest.fixture(scope="module")
def closed_site(programs):
    with closed.Site(programs) as site:
        yield site


class Element(WebElement):
    """An element that is clicked as people do it.

    WebDriver scrolls only to what is outside the window. A person also scrolls to what lies under the bar at
    the bottom, waits until a toast is gone, and tries again if what they meant has moved from under the finger.
    """

    def click(self):
        deadline = time.monotonic() + 10
        while True:
            # An option is chosen without a click of its own, and what is disabled is clicked in vain.
            self._parent.execute_script("""
                const one = arguments[0];
                window.isHit = one.disabled || one instanceof HTMLOptionElement;
                one.addEventListener("click", () => { window.isHit = true; }, { once: true, capture: true });
                one.scrollIntoView({ block: "center", behavior: "instant" });""", self)
            try:
                super().click()
                # After a link it is another page, which knows of no hit.
                if self._parent.execute_script("return window.isHit") is not False:
                    return
            except ElementClickInterceptedException:
                if time.monotonic() > deadline:
                    raise
            assert time.monotonic() < deadline, "what is clicked moves away each time"
            time.sleep(0.2)


class Browser(webdriver.Chrome):
    """Debian's chromium, whose elements are clicked as people do it."""

    _web_element_cls = Element


class Page:
    """A browser with the dashboard open."""

    def __init__(self, width=1360, height=900, before=None):
        for program in ("/usr/bin/chromium", "/usr/bin/chromedriver"):
            if not os.path.exists(program):
                pytest.skip(f"{program} is missing: apt-get install chromium chromium-driver")
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = Browser(options=options, service=Service("/usr/bin/chromedriver"))
        self.resize(width, height)
        if before:
            self.driver.execute_cdp_cmd(
                "Page.addScriptToEvaluateOnNewDocument", {"source": before})

    def resize(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})

    def open(self, address, path="", rows="#people-rows"):
        """Opens a page of the dashboard and waits until it shows live data."""
        self.driver.get(address.rstrip("/") + "/" + path)
        self.wait(lambda: self.connected and self.rows(rows), 30, f"live data at /{path}")
        return self

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    @property
    def connected(self):
        return self.run("return document.documentElement.dataset.connected") == "true"

    def rows(self, selector):
        """The data attributes of the children of an element, with their text."""
        return self.all(selector + " > *")

    def all(self, selector):
        """The data attributes of elements, with their text."""
        return self.run(
            "return [...document.querySelectorAll(arguments[0])]"
            ".map((row) => ({ ...row.dataset, text: row.textContent }))", selector)

    def wait(self, condition, seconds, what):
        """Asks again until `condition` gives something true, and returns that."""
        deadline = time.monotonic() + seconds
        while True:
            answer = condition()
            if answer:
                return answer
            assert time.monotonic() < deadline, f"no {what} within {seconds:g} s"
            time.sleep(0.05)

    def screenshot(self, name):
        """Keeps a picture of the whole page, not only of the window."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        picture = self.driver.execute_cdp_cmd(
            "Page.captureScreenshot", {"captureBeyondViewport": True, "format": "png"})
        (SCREENSHOTS / f"{name}.png").write_bytes(base64.b64decode(picture["data"]))

    def complaints(self):
        """What the browser logged as an error, such as a breach of the content policy."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE"]

    def close(self):
        self.driver.quit()


@pytest.fixture
def browser():
    """Makes pages, and closes them after the test."""
    pages = []

    def make(**options):
        pages.append(Page(**options))
        return pages[-1]

    yield make
    for page in pages:
        page.close()


@pytest.fixture
def page(browser, demo):
    return browser().open(demo["dashboard"])


@pytest.fixture
def people(browser, demo):
    return browser().open(demo["dashboard"], "people")


@pytest.fixture
def nodes(browser, demo):
    return browser().open(demo["dashboard"], "nodes", "#node-rows")


@pytest.fixture
def devices(browser, demo):
    return browser().open(demo["dashboard"], "devices", "#device-rows")
