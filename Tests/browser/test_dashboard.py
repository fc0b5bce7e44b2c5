"""The dashboard in a real browser, against the real coordinator and broker."""

import http.client
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import time
import urllib.parse
import urllib.request
import zlib

import hostile
from conftest import PATIENCE_S
from selenium.webdriver.common.keys import Keys
from test_account import ask


# The stations of all rooms on the first page.
STATIONS = "#room-cards .station"


def places(page):
    return {row["user"]: (row["state"], row.get("room"), row.get("station"))
            for row in page.rows("#people-rows")}


def uses(page):
    return {row["station"]: (row["state"], row["text"].split("since")[0])
            for row in page.all(STATIONS)}


def test_everything_has_a_place_on_its_page(page, people, nodes, devices):
    for one, selector, key in [
            (page, "#room-cards > *", "room"), (page, STATIONS, "station"),
            (people, "#people-rows > *", "user"), (nodes, "#node-rows > *", "node"),
            (devices, "#device-rows > *", "beacon")]:
        rows = one.all(selector)
        assert rows, f"{selector} is empty"
        keys = [row[key] for row in rows]
        assert len(keys) == len(set(keys)), f"{selector} shows something twice"
        assert all("state" in row for row in rows)
        assert one.complaints() == []


def test_people_move(people):
    before = places(people)
    people.wait(lambda: places(people) != before, PATIENCE_S, "move of anybody")
    assert places(people).keys() == before.keys()


def test_stations_change(page):
    before = uses(page)
    page.wait(lambda: uses(page) != before, PATIENCE_S, "change of any station")
    states = {state for state, _ in uses(page).values()}
    assert states <= {"free", "claimed", "occupied", "conflict", "out_of_order", "unknown"}
    page.screenshot("dashboard")


def test_a_station_says_its_state_in_words_and_shape(page):
    words = {"free": "○Free", "claimed": "◐Reserved", "occupied": "●Occupied", "conflict": "▲Conflict",
             "out_of_order": "✕Out of order", "unknown": "?Unknown"}
    for row in page.all(STATIONS):
        shape, word = words[row["state"]][0], words[row["state"]][1:]
        assert row["text"].startswith(shape) and word in row["text"]


def serve(demo, station, **members):
    """Puts a station out of order, or in order again."""
    token = pathlib.Path(demo["api_token_file"]).read_text().strip()
    request = urllib.request.Request(
        urllib.parse.urljoin(demo["dashboard"], f"/api/v1/stations/{station}/service"),
        data=json.dumps(members).encode(), method="POST",
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)["station"]["state"]


def test_a_station_out_of_order_is_shown_as_such(page, demo):
    def tile():
        return next(row for row in page.all(STATIONS) if row["station"] == "bike")
    assert serve(demo, "bike", out_of_order=True, note="saddle torn") == "out_of_order"
    page.wait(lambda: "Out of order" in tile()["text"], PATIENCE_S, "word for it")
    page.screenshot("out-of-order")
    assert serve(demo, "bike", out_of_order=False) != "out_of_order"
    page.wait(lambda: tile()["state"] != "out_of_order", PATIENCE_S, "other state")


def snapshot(demo):
    """From kind and leaf (`user`, `presence`) to the payloads of that kind, by slug."""
    address = urllib.parse.urljoin(demo["dashboard"], "/api/v1/snapshot")
    with urllib.request.urlopen(address, timeout=20) as answer:
        topics = json.load(answer)["topics"]
    found = {}
    for topic, payload in topics.items():
        levels = topic.split("/")
        if len(levels) == 6 and levels[:3] == ["mesh", "v1", demo["site"]]:
            found.setdefault((levels[3], levels[5]), {})[levels[4]] = payload
    return found


def test_a_station_says_what_is_trained_there(page):
    texts = {row["station"]: row["text"] for row in page.all(STATIONS)}
    assert "Bar and plates" in texts["bench-press"]
    # By their names, in the order of the site file.
    assert "Bench press, Incline bench press" in texts["bench-press"]
    assert "Rowing ergometer" in texts["rower"]


def contradictions(topics):
    """What stations and rooms say otherwise than the presence of people."""
    presences = topics["user", "presence"]
    faults = []
    for station, state in topics["station", "state"].items():
        there = sorted(user for user, presence in presences.items()
                       if presence["station"] == station)
        if sorted(state["here"]) != there or (
                (state["state"] in ("occupied", "conflict")) != bool(there)):
            faults.append((station, state, there))
    for room, state in topics["room", "state"].items():
        there = sum(presence["room"] == room for presence in presences.values())
        if state["count"] not in (None, there):
            faults.append((room, state, there))
    return faults


def tiles_and_people(page):
    """Whom each tile names as being there, and whom the rows of people have there."""
    tiles, people = page.run("""
        const all = (selector) => [...document.querySelectorAll(selector)];
        return [
            all("#room-cards .station li[data-user]").map(
                (item) => [item.dataset.user, item.closest("[data-station]").dataset.station]),
            all("#people-rows > [data-station]").map(
                (row) => [row.dataset.user, row.dataset.station]),
        ];
    """)
    return sorted(tiles), sorted(people)


def test_no_tile_contradicts_the_people(page, demo):
    polls, named = [], set()

    def polled():
        polls.append(contradictions(snapshot(demo)))
        tiles, people = tiles_and_people(page)
        named.update(user for user, _ in tiles)
        if tiles != people:
            # Drawn between two messages of one second: agreed at the next drawing.
            page.wait(lambda: len(set(map(str, tiles_and_people(page)))) == 1, 2, "agreement")
        return polls[-1] or len(polls) == 200

    page.wait(polled, PATIENCE_S, "200 polls")
    assert polls[-1] == []
    assert named, "nobody was at any station"


def test_ages_are_shown_and_small(page, people, nodes):
    page.wait(lambda: re.fullmatch(r"Data \d s old", page.text("#data-age")), 15, "fresh data")
    assert page.run("return document.documentElement.dataset.stale") == "false"
    for row in people.rows("#people-rows"):
        assert re.search(r"\d+ (s|min|h|d) ago|never", row["text"]), row
    for row in nodes.rows("#node-rows"):
        assert re.search(r"\d+ (s|min|h|d) ago$|never$", row["text"]), row


def test_a_wrong_clock_in_the_browser_changes_nothing(browser, demo):
    wrong = "const now = Date.now; Date.now = () => now() - 600000;"
    page = browser(before=wrong).open(demo["dashboard"])
    page.wait(lambda: re.fullmatch(r"Data \d s old", page.text("#data-age")), 15, "fresh data")


def test_hostile_names_are_text(browser, demo):
    with hostile.naming(demo["dashboard"]) as address:
        page = browser().open(address, "people")
        assert page.text("#site-name") == hostile.NAMES[0]
        shown = page.run(
            "return [...document.querySelectorAll('#people-rows > tr > th bdi')]"
            ".map((cell) => cell.textContent)")
        expected = [hostile.NAMES[index % len(hostile.NAMES)] for index in range(len(shown))]
        assert sorted(shown) == sorted(expected)
        assert page.run("return window.pwned") is None
        assert page.run(
            "return document.querySelectorAll('main :is(img, script, iframe)').length") == 0
        assert page.complaints() == []
        page.screenshot("hostile-names")
        page.resize(320, 640)
        assert_nothing_sticks_out(page)


def assert_nothing_sticks_out(page):
    width = page.run("return document.documentElement.scrollWidth")
    assert width <= 320, f"the page is {width} wide"
    wide = page.run(
        "return [...document.querySelectorAll('header *, main *')]"
        ".filter((element) => !element.closest('thead, .unseen, .skip'))"
        ".filter((element) => element.getBoundingClientRect().right > 320.5)"
        ".map((element) => `${element.tagName}.${element.className}`)")
    assert wide == []


def test_a_phone_needs_no_sideways_scrolling(browser, demo):
    page = browser(width=320, height=640).open(demo["dashboard"])
    assert_nothing_sticks_out(page)
    page.screenshot("phone")


def test_dark_and_still_if_the_visitor_wishes(browser, demo):
    page = browser()
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": "dark"},
        {"name": "prefers-reduced-motion", "value": "reduce"}]})
    page.open(demo["dashboard"])
    style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    red, green, blue = map(int, re.findall(r"\d+", page.run(style, "body", "backgroundColor"))[:3])
    assert max(red, green, blue) < 64
    assert page.run(style, "main", "transitionDuration") == "0s"
    page.screenshot("dark")


def test_an_alert_of_a_node_shows_a_banner_until_it_is_cleared(nodes, page, demo):
    node = nodes.rows("#node-rows")[0]["node"]
    topic, health = kept(demo, f"mesh/v1/+/node/{node}/health")
    assert nodes.run("return document.getElementById('alerts').hidden")
    health["alerts"] = [{"id": "radio-quiet", "since_ms": health["t_ms"] - 240000}]

    def told():
        # The node itself says every 30 s that it is well.
        tell(demo, topic, health)
        return not nodes.run("return document.getElementById('alerts').hidden") and \
            [row for row in page.rows("#needs") if row.get("node") == node]
    nodes.wait(told, 10, "banner and need")
    assert re.search(r"scans but receives nothing · for \d+ (s|min)$", nodes.text("#alerts > p"))
    row = next(row for row in nodes.rows("#node-rows") if row["node"] == node)
    assert row["alerts"] == "radio-quiet"
    for one, name in ((nodes, "alert"), (page, "needs")):
        one.screenshot(name)
        one.resize(320, 640)
        assert_nothing_sticks_out(one)
    health["alerts"] = []
    tell(demo, topic, health)
    nodes.wait(lambda: nodes.run("return document.getElementById('alerts').hidden"), 5, "all clear")


def test_why_somebody_is_there_is_explained(page):
    buttons = "[...document.querySelectorAll('#people-rows button.ask')].filter((one) => !one.hidden)"
    page.wait(lambda: page.run(f"return {buttons}.length") > 0, PATIENCE_S, "change of place")
    page.run(f"{buttons}[0].click()")
    page.wait(lambda: " ago: " in page.text("#why-because"), 5, "explanation")
    assert re.search(r" at \d\d:\d\d:\d\d, \d+ (s|min|h|d) ago: .+\.$",
                     page.text("#why-because"))
    assert re.match(r".+, \d+ % sure(, not confirmed)?$|No node receives",
                    page.text("#why-now"))
    rows = page.rows("#why-rows")
    assert 1 <= len(rows) <= 5
    for row in rows:
        assert re.search(r"dBm|no signal", row["text"]), row
        assert re.search(r"no difference|times more likely (here|at )", row["text"]), row
    page.screenshot("why")
    page.resize(320, 640)
    page.screenshot("why-phone")
    right = page.run(
        "return Math.max(...[...document.querySelectorAll('#why *')]"
        ".filter((element) => !element.closest('thead'))"
        ".map((element) => element.getBoundingClientRect().right))")
    assert right <= 320
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    page.wait(lambda: page.run("return document.getElementById('why') === null"), 5, "closed box")
    assert page.complaints() == []


def test_a_node_says_how_it_fares(nodes, demo):
    for row in nodes.rows("#node-rows"):
        assert re.search(r"\d+(\.\d)? % · \d+(\.\d)? MB", row["text"]), row


def test_a_session_that_should_be_looked_at_says_why(people, page, demo):
    """Whoever checked in by hand and was not heard for longer than anybody stays."""
    # Of somebody new: whoever is in, or was since then, is refused.
    user = f"forgotten-{time.time_ns()}"
    ask(demo, "POST", "/api/v1/users", {"id": user, "name": "Vera Forgotten"})
    number = time.time_ns()
    tell(demo, f"mesh/v1/{demo['site']}/req/browser/attendance-check-in", {"id": f"b-{number}", "args": {
        "user": user, "at_ms": number // 10**6 - 15 * 3_600_000}}, "-q", "1")

    def found():
        return next((row for row in people.rows("#people-rows")
                     if row.get("user") == user and row.get("review")), None)

    try:
        row = people.wait(found, PATIENCE_S, "session to be looked at")
        assert row["review"] == "too-long"
        assert "Review: unusually long" in row["text"]
        page.wait(lambda: [row for row in page.rows("#needs") if row["state"] == "review"], 5, "need")
        people.screenshot("review")
        people.resize(320, 640)
        assert_nothing_sticks_out(people)
        people.screenshot("review-phone")
    finally:
        ask(demo, "DELETE", f"/api/v1/users/{user}")


def kept(demo, topics):
    """The first topic that matches, and what the broker keeps there."""
    said = subprocess.run(
        ["mosquitto_sub", "-p", str(demo["broker"]["port"]), "-t", topics,
         "-C", "1", "-W", "10", "-F", "%t %p"], capture_output=True, text=True, check=True).stdout
    topic, payload = said.split(" ", 1)
    return topic, json.loads(payload)


def tell(demo, topic, payload, *options):
    subprocess.run(
        ["mosquitto_pub", "-p", str(demo["broker"]["port"]), "-t", topic,
         *(options or ["-r"]), "-m", json.dumps(payload)], check=True, timeout=10)


def test_the_keyboard_reaches_the_sections(page):
    seen = []
    for _ in range(8):
        page.driver.switch_to.active_element.send_keys(Keys.TAB)
        seen.append(page.run("return document.activeElement.getAttribute('href')"))
    assert seen == ["#main", "/", "/", "/plan", "/stations", "/people", "/nodes", "/devices"]


def test_what_is_told_in_time_is_not_greyed(browser, demo):
    """Which nodes hear a beacon is told every 10 s: old is what is three times as old."""
    page = browser(before="""
        const now = performance.now.bind(performance);
        window.later = 0;
        performance.now = () => now() + window.later;
    """).open(demo["dashboard"], "devices", "#device-rows")

    def ages(later):
        """Of the devices that are heard, their age and whether it is old, so many ms from now."""
        rows = page.run("""
            window.later = arguments[0];
            document.dispatchEvent(new Event("wants-render"));
            window.later = 0;
            return [...document.querySelectorAll("#device-rows > tr")].map(
                (row) => [row.children[5].textContent, row.dataset.stale === "true"]);
        """, later)
        return [(int(found.group(1)), stale) for text, stale in rows
                if (found := re.fullmatch(r"(\d+) s ago", text))]

    page.wait(lambda: [age for age, _ in ages(15000) if age < 30], PATIENCE_S, "heard device")
    for later in (0, 15000, 25000, 35000):
        for age, stale in ages(later):
            assert age == 30 or stale == (age > 30), (later, age, stale)


def test_the_page_outlives_the_coordinator(page, demo):
    """Last, because it kills the coordinator. The demo starts it again by itself; anything else
    is told how by COORDINATOR_COMMAND."""
    page.run("""
        window.mark = "not reloaded";
        window.seen = [];
        const root = document.documentElement;
        const banner = document.getElementById("banner");
        new MutationObserver(() => window.seen.push(
            { connected: root.dataset.connected, banner: banner.hidden ? "" : banner.textContent })
        ).observe(root, { attributes: true, childList: true, characterData: true, subtree: true });
    """)
    coordinator = next(process["pid"] for process in demo["processes"]
                       if "coordinator" in process["name"])
    os.kill(coordinator, signal.SIGKILL)
    lost = page.wait(
        lambda: page.run("return window.seen.find((seen) => seen.banner)"), 5, "banner")
    assert lost["connected"] == "false"
    assert re.match(r"Reconnecting… Last update \d\d:\d\d:\d\d, \d+ s ago\. ", lost["banner"])
    page.screenshot("reconnecting")
    command = os.environ.get("COORDINATOR_COMMAND")
    process = subprocess.Popen(shlex.split(command)) if command else None
    try:
        page.wait(lambda: page.connected, 60, "new connection")
        assert page.run("return document.getElementById('banner').hidden")
        assert page.run("return window.mark") == "not reloaded"
        page.wait(lambda: re.fullmatch(r"Data \d s old", page.text("#data-age")), 60, "fresh data")
        before = uses(page), places(page)
        page.wait(lambda: (uses(page), places(page)) != before, PATIENCE_S, "move after the restart")
    finally:
        if process:
            process.terminate()
            process.wait()


def test_the_stream_is_packed_event_by_event(demo):
    """What comes can be read at once, and a page at rest costs little of a phone's line."""
    address = urllib.parse.urlsplit(demo["dashboard"])
    line = http.client.HTTPConnection(address.hostname, address.port, timeout=20)
    topics = ",".join(["info", "state", "room/+/state", "station/+/state", "station/+/info", "user/+/presence",
                       "user/+/attendance", "user/+/workout", "node/+/status", "node/+/health"])
    line.request("GET", f"/api/v1/stream?topics={urllib.parse.quote(topics)}", headers={"Accept-Encoding": "gzip"})
    answer = line.getresponse()
    assert answer.headers["Content-Encoding"] == "gzip"
    unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)
    text, packed = b"", 0
    first = None
    while text.count(b"event: clock") < 6:
        part = answer.read1(65536)
        assert part, "the stream goes on"
        packed += len(part)
        text += unpack.decompress(part)
        if first is None and b"\n\n" in text:
            assert text.count(b"event: ") == 1 and b"event: snapshot\n" in text, "the state comes first, and whole"
            json.loads(re.search(rb"^data: (.*)$", text, re.MULTILINE).group(1))
            first = (packed, len(text), time.monotonic())
    seconds = time.monotonic() - first[2]
    line.close()
    print(f"stream of /: {first[0]} B at first ({first[1]} B unpacked),"
          f" then {(packed - first[0]) / seconds:.0f} B/s ({(len(text) - first[1]) / seconds:.0f} B/s unpacked)")
    assert packed < len(text) / 3
