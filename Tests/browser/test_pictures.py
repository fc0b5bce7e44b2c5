"""The pictures of the README: a phone at a machine, attendance, and why somebody is where they are.

They are made in .build/screenshots at each run; BEACONMESH_WRITE_PICTURES=1 puts them into docs/pictures.
"""

import base64
import os
import shutil

import pytest

from conftest import PATIENCE_S, ROOT, SCREENSHOTS, Page
from test_account import ask
from test_every_page import OWNER, session, set_cookie, settle

LARGEST = 150_000


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


def keep(page, name, height):
    """Keeps what a window of this height shows, as a picture that a clone can carry."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    file = SCREENSHOTS / f"readme-{name}.png"
    width = page.run("return innerWidth")
    picture = page.driver.execute_cdp_cmd("Page.captureScreenshot", {
        "format": "png", "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
    file.write_bytes(base64.b64decode(picture["data"]))
    assert 10_000 < file.stat().st_size < LARGEST
    if os.environ.get("BEACONMESH_WRITE_PICTURES") == "1":
        shutil.copy(file, ROOT / "docs" / "pictures" / f"{name}.png")


def training(demo):
    """Somebody who trains at a station and has no account yet, if anybody does."""
    taken = {one.get("user") for one in ask(demo, "GET", "/api/v1/accounts")["accounts"]
             if one["name"] != "pictures"}
    topics = ask(demo, "GET", "/api/v1/snapshot")["topics"]
    for topic, told in topics.items():
        user = topic.split("/")[-2]
        if user in taken:
            continue
        there = topics.get(topic.replace("/workout", "/presence"), {})
        if topic.endswith("/workout") and told.get("state") == "active" and there.get("station"):
            return user
    return None


def test_a_phone_at_a_machine(demo, base):
    phone = Page(390, 844)
    try:
        user = phone.wait(lambda: training(demo), PATIENCE_S, "somebody who trains")
        set_cookie(phone, base, *session(demo, base, "member", user, "pictures"))
        phone.driver.get(base + "/workout")
        settle(phone)
        phone.wait(lambda: "Finish" in phone.run("return document.querySelector('main').innerText")
                   and "old" in phone.text("#data-age"), 30, "a workout")
        keep(phone, "phone", 844)
    finally:
        phone.close()


def test_attendance(demo, base):
    desk = Page(1280, 800)
    try:
        set_cookie(desk, base, *session(demo, base, OWNER, None))
        desk.driver.get(base + "/attendance")
        desk.wait(lambda: len(desk.rows("#attendance-rows")) > 5, 30, "a day")
        keep(desk, "attendance", 700)
    finally:
        desk.close()


def test_why_somebody_is_there(demo, base):
    desk = Page(1280, 800)
    try:
        set_cookie(desk, base, *session(demo, base, OWNER, None))
        desk.driver.get(base + "/people")
        buttons = "[...document.querySelectorAll('button.ask')].filter((one) => one.checkVisibility())"
        desk.wait(lambda: desk.run(f"return {buttons}.length") > 2, PATIENCE_S, "people")
        desk.run(f"{buttons}[0].click()")
        desk.wait(lambda: desk.run("return document.querySelector('#why-because')?.textContent.includes(': ')"),
                  PATIENCE_S, "why")
        keep(desk, "why", 800)
    finally:
        desk.close()
