"""The scanner: every packet of a node while somebody looks, without what identifies strangers, and nothing afterwards."""

import shutil
import subprocess
import time

import pytest

from closed import OWNER, PASSWORD
from radio import Radio
from test_account import send
from test_door import open_door, signed_in

pytestmark = pytest.mark.own_site


@pytest.fixture
def radio(tmp_path):
    made = Radio(str(tmp_path / "radio"))
    yield made
    made.close()


def rows(page):
    return page.run("""
        return [...document.querySelectorAll("#scanner-rows > li")].map((line) =>
            [...line.children].map((part) => part.textContent));
    """)


def test_a_node_is_watched_packet_by_packet(closed_site, radio, browser):
    radio.levels["c0ffee0000aa"] = -58
    closed_site.node("n-treadmill", radio.path)
    page = browser(width=390, height=844)
    open_door(page, closed_site, "/nodes/n-treadmill")
    send(page, name=OWNER, password=PASSWORD)
    signed_in(page)
    page.driver.get(closed_site.address + "/scanner?node=n-treadmill")
    page.wait(lambda: len(rows(page)) > 3, 30, "packets")
    first = rows(page)[0]
    assert first[1].endswith("58 dBm") and first[4] == "data withheld", first
    assert "ADV_NONCONN_IND" in first[3] or "ADV" in first[3], first
    assert "stops in" in page.text("#scanner-state")
    # The data of what nobody registered are not in what the page was sent, either.
    told = closed_site.ask("POST", "/api/v1/nodes/n-treadmill/raw", {})
    assert told["advertisements"] and all("data" not in one and "name" not in one for one in told["advertisements"])
    page.run("document.getElementById('scanner-all').click()")
    shown = page.wait(lambda: next((one for one in rows(page) if one[4] != "data withheld"), None), 30, "data")
    assert shown[4] == "02010604097461" + "67" and shown[3].startswith("tag"), shown
    # Paused it stands still, and is searched.
    page.run("document.getElementById('scanner-pause').click()")
    page.wait(lambda: "Paused" in page.text("#scanner-state"), 10, "the pause")
    before = rows(page)
    time.sleep(2)
    assert rows(page) == before
    page.run("""
        const search = document.querySelector("input[type=search]");
        search.value = "no such thing";
        search.dispatchEvent(new Event("input", { bubbles: true }));""")
    page.wait(lambda: rows(page) == [], 10, "nothing found")
    page.run("""
        const search = document.querySelector("input[type=search]");
        search.value = "tag";
        search.dispatchEvent(new Event("input", { bubbles: true }));
        document.getElementById("scanner-pause").click();""")
    page.wait(lambda: len(rows(page)) > 3, 10, "found again")
    page.screenshot("scanner-390")
    assert page.run("return document.documentElement.scrollWidth") == 390
    page.run("document.getElementById('scanner-stop').click()")
    page.wait(lambda: "Choose a node" in page.run("return document.getElementById('main').innerText"), 10, "the end")
    if shutil.which("mosquitto_sub"):
        heard = subprocess.run(
            ["mosquitto_sub", "-p", str(closed_site.port), "-t", "mesh/v1/iron-works/node/+/raw", "-W", "4"],
            capture_output=True, text=True, timeout=20, check=False)
        assert heard.stdout == ""
    assert page.complaints() == []


def test_what_cannot_be_watched_is_refused(closed_site):
    for path, body in [("no-such", {}), ("n-treadmill", {"after": -1}), ("n-treadmill", {"after": "x"}), ("n-treadmill", {"more": 1})]:
        assert closed_site.refusal("POST", f"/api/v1/nodes/{path}/raw", body=body)[0] in (400, 404)
