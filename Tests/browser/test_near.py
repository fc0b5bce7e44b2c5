"""What is near: an order that stands still while nothing moves, by node, room and oneself, and nothing of others."""

import json
import time
import urllib.error

import pytest

from conftest import PATIENCE_S, Page
from test_account import ask
from test_every_page import MEMBER, OWNER, session, set_cookie

ROWS = "#near-rows"


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


@pytest.fixture
def signed_in(demo, base, browser):
    def go(role, user=None, width=390):
        page = browser(width=width, height=844)
        set_cookie(page, base, *session(demo, base, role, user, f"near-{role}"))
        return page
    return go


def shown(page):
    return [one["beacon"] for one in page.rows(ROWS)]


def test_the_nearest_to_a_node_is_first(demo, base, signed_in):
    page = signed_in(OWNER)
    page.driver.get(base + "/near?node=n-treadmill")
    page.wait(lambda: len(shown(page)) > 1, 60, "tags in range")
    told = ask(demo, "GET", "/api/v1/near?node=n-treadmill")["beacons"]
    ranks = [(["immediate", "near", "far"].index(one["zone"]), -one["level_dbm"], one["beacon"]) for one in told]
    assert ranks == sorted(ranks) and {one["node"] for one in told} == {"n-treadmill"}
    for one in told:
        assert "least_m" in one or "most_m" in one, one
        assert one.get("least_m", 0) < one.get("most_m", 1000), one
    assert page.run("return document.getElementById('near-place').value") == "node n-treadmill"
    assert page.run("return document.documentElement.scrollWidth") == 390
    page.screenshot("near-390")
    # Another place by the list, which the address names then.
    page.run("""
        const place = document.getElementById("near-place");
        place.value = [...place.options].map(({ value }) => value).find((one) => one.startsWith("room "));
        place.dispatchEvent(new Event("change"));""")
    page.wait(lambda: "?room=" in page.driver.current_url and len(shown(page)) > 0, 20, "a room")
    assert page.complaints() == []


def test_the_order_stands_still_while_nobody_goes(demo):
    """People go about meanwhile: what moves has another level. Levels stand still for what does not, and so does its place."""
    zones = ["immediate", "near", "far"]
    before, still = {}, 0
    for _ in range(20):
        time.sleep(1.1)
        now = ask(demo, "GET", "/api/v1/near?node=n-treadmill")["beacons"]
        ranks = [(zones.index(one["zone"]), -one["level_dbm"]) for one in now]
        assert ranks == sorted(ranks), now
        levels = {one["beacon"]: one["level_dbm"] for one in now}
        still += sum(before.get(beacon) == level for beacon, level in levels.items()) > 1
        before = levels
    assert still > 10, still


def test_whoever_sees_themselves_only_is_told_of_nobody_who_shares_nothing(demo, base, signed_in):
    # Whose account each is; this one's, if the tests ran before at this demonstration.
    taken = {one["name"]: one.get("user") for one in ask(demo, "GET", "/api/v1/accounts")["accounts"]}
    people = [one["id"] for one in ask(demo, "GET", "/api/v1/users?sort=id&limit=500")["users"]]
    own = taken.get("near-member") or next(one for one in people if one not in taken.values())
    page = signed_in(MEMBER, own)
    page.driver.get(base + "/near")
    page.wait(lambda: page.connected, 30, "live data")
    shares = {one: ask(demo, "GET", f"/api/v1/users/{one}/sharing")["shares"] for one in people}

    def told():
        status, text = page.run(
            "const answer = await fetch('/api/v1/near'); return [answer.status, await answer.text()]")
        assert status == 200, text
        return json.loads(text)["beacons"]

    page.wait(lambda: told(), PATIENCE_S, "anything near them")
    assert all(one.get("user") in (None, own) or shares[one["user"]] for one in told())
    for query in ("node=n-treadmill", f"user={next(one for one in people if one != own)}"):
        assert page.run("return (await fetch('/api/v1/near?' + arguments[0])).status", query) == 403
    page.wait(lambda: page.run("return document.getElementById('near-place')?.closest('.field').hidden"), 10, "the page")


def test_a_room_without_a_node_has_nothing_near(demo):
    ask(demo, "POST", "/api/v1/rooms", {"id": "near-nothing", "name": "Cellar"})
    try:
        assert ask(demo, "GET", "/api/v1/near?room=near-nothing") == {"nodes": [], "beacons": [], "left_out": 0}
    finally:
        ask(demo, "DELETE", "/api/v1/rooms/near-nothing")


@pytest.mark.parametrize("query, status", [
    ("node=nobody", 404), ("room=nowhere", 404), ("node=n-treadmill&room=hall", 400), ("limit=0", 400), ("limit=x", 400),
    ("node=n-treadmill&node=n-treadmill", 400), ("node=%27%20OR%201", 400), ("what=1", 400)])
def test_what_makes_no_sense_is_refused(demo, query, status):
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask(demo, "GET", f"/api/v1/near?{query}")
    assert refused.value.code == status


def test_a_tag_has_a_page_that_says_who_hears_it(demo, base, signed_in):
    near = ask(demo, "GET", "/api/v1/near?node=n-treadmill")["beacons"]
    tag = next(one for one in near if "user" in one)
    page = signed_in(OWNER, width=1440)
    page.driver.get(f"{base}/devices/{tag['beacon']}")
    page.wait(lambda: len(page.rows("#hearers")) > 0, 60, "who hears it")
    page.wait(lambda: page.run("return document.querySelectorAll('.levels .curve').length") > 0, 30, "a curve")
    page.wait(lambda: len(page.rows("#device-facts")) > 1, 20, "what it is")
    identity = ask(demo, "GET", f"/api/v1/beacons/{tag['beacon']}")["identity"]
    assert identity in page.text("#device-facts") and tag["name"] in page.text("#device-facts")
    assert tag["name"] in page.text("#device-owners")
    assert page.text("h1") == tag["title"]
    # What the nodes kept, once their first minute is over, and where whoever carries it was.
    page.wait(lambda: page.run("return document.getElementById('device-day').hidden") is False, 20, "the day")
    told = ask(demo, "GET", f"/api/v1/beacons/{tag['beacon']}/levels")
    if told["nodes"]:
        page.wait(lambda: len(page.rows("#day-hearers")) > 0, 90, "who heard it")
        assert page.run("return document.querySelectorAll('#device-day .dots').length") > 0
    page.screenshot("device-1440")
    page.resize(390, 844)
    assert page.run("return document.documentElement.scrollWidth") == 390
    page.driver.get(f"{base}/devices/nothing")
    page.wait(lambda: "no such tag" in page.text("main .fault"), 20, "that there is none")
    # It is reached from the list.
    page.driver.get(f"{base}/devices")
    page.wait(lambda: page.run("return document.querySelector(arguments[0]) !== null", f"#device-rows a[href='/devices/{tag['beacon']}']"),
              30, "its row")
