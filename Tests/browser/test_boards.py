"""Screens on the wall and tablets at the door: they open by the address of a token, show nobody's name, and end with it."""

import signal
import time
import urllib.error

import pytest
from selenium.webdriver.common.by import By

from closed import OWNER, PASSWORD
from radio import Radio
from test_account import shown
from test_door import enter, open_door, signed_in

pytestmark = pytest.mark.own_site

ADA, GRACE = "u-k7m2qa", "u-3fvx7d"
LONG = "Wolfeschlegelsteinhausenbergerdorff-Welchevoralternwarengewissenhaftschaferswessenschafewarenwohlgepflegtund"[:98]


@pytest.fixture
def board(closed_site, browser):
    """Opens the page of a new token, as whoever scans its code does; returns the page and the token's name."""
    made = []

    def open_board(role, width=1920, height=1080):
        name = f"{role}-{time.monotonic_ns()}"
        token = closed_site.ask("POST", "/api/v1/tokens", {"name": name, "role": role})["token"]
        made.append(name)
        page = browser(width=width, height=height)
        path = {"screen": "/wall", "kiosk": "/kiosk"}[role]
        page.driver.get(closed_site.address + path + "#" + token)
        page.wait(lambda: page.connected and page.driver.current_url == closed_site.address + path, 30, "the board")
        return page, name

    yield open_board
    for name in made:
        try:
            closed_site.ask("DELETE", f"/api/v1/tokens/{name}")
        except urllib.error.HTTPError as error:
            assert error.code == 404, error


def press(page, text):
    for digit in text:
        page.run("[...document.querySelectorAll('.kiosk-pad button')].find((one) => one.textContent === arguments[0]).click()",
                 digit)


def card(page):
    return page.run("const card = document.getElementById('kiosk-card'); return card.hidden ? '' : card.innerText")


def choose(page, verb):
    page.run("document.querySelector(`#kiosk-card [data-verb=${arguments[0]}]`).click()", verb)


def new_pin(site, user):
    return site.ask("POST", f"/api/v1/users/{user}/pin")["pin"]


def test_a_wall_shows_stations_large_and_leads_nowhere(closed_site, board):
    page, _ = board("screen")
    page.wait(lambda: len(page.rows("#wall-stations")) == 5, 20, "the stations")
    assert page.run("return document.querySelectorAll('nav, header a, button, input').length") == 0
    sizes = page.run("return [...document.querySelectorAll('.wall-station h2')].map((one) => "
                     "parseFloat(getComputedStyle(one).fontSize))")
    # From the other end of a hall of 10 m: 1 in 250 of that, on a screen of 1.2 m by 1,920 px.
    assert min(sizes) >= 40, sizes
    assert page.run("return [document.documentElement.scrollHeight, document.documentElement.scrollWidth]") == [1080, 1920]
    text = page.run("return document.body.textContent + JSON.stringify(performance.getEntriesByType('resource').map((o) => o.name))")
    assert not any(name in text for name in ("Ada", "Grace", "Mary", "bm_"))


def test_a_wall_shows_as_much_of_names_as_the_site_says(closed_site, board):
    """Of who lets others see where they are, and of nobody else."""
    page, _ = board("screen")
    shown = "return [...document.querySelectorAll('.wall-names')].map((one) => one.textContent).filter(Boolean)"
    people = {one["id"]: one["name"] for one in closed_site.ask("GET", "/api/v1/users?limit=50")["users"]}
    seen, unseen = list(people)[:2]
    try:
        for user, station, shares in ((seen, "bench", True), (unseen, "rack", False)):
            closed_site.ask("PUT", f"/api/v1/users/{user}/sharing", {"shares": shares, "training": False})
            closed_site.ask("POST", "/api/v1/workouts", {"user": user, "station": station})
        for rule, name in (
                ("first", people[seen].split()[0]),
                ("initials", " ".join(f"{word[0]}." for word in people[seen].split()))):
            closed_site.ask("PATCH", "/api/v1/settings", {"privacy": {"wall_names": rule}})
            page.driver.refresh()
            page.wait(lambda: page.run(shown) == [name], 20, name)
        closed_site.ask("PATCH", "/api/v1/settings", {"privacy": {"wall_names": "none"}})
        page.driver.refresh()
        page.wait(lambda: page.run("return document.querySelectorAll('.wall-station:is([data-state=occupied], "
                                   "[data-state=claimed])').length") == 2, 20, "both stations")
        time.sleep(1)
        assert page.run(shown) == []
    finally:
        for user in (seen, unseen):
            for one in closed_site.ask("GET", f"/api/v1/workouts?state=open&user={user}")["workouts"]:
                closed_site.ask("POST", f"/api/v1/workouts/{one['id']}/complete", {"user": user})
            closed_site.ask("PUT", f"/api/v1/users/{user}/sharing", {"shares": False, "training": False})


def test_a_wall_holds_a_long_name_and_many_stations(closed_site, board):
    made = [{"id": f"s-{number:02}", "name": f"{number} {LONG}"[:98], "room": "hall"} for number in range(24)]
    for row in made:
        closed_site.ask("POST", "/api/v1/stations", row)
    try:
        page, _ = board("screen")
        page.wait(lambda: len(page.rows("#wall-stations")) == 29, 20, "the stations")
        assert page.run("return document.documentElement.scrollWidth") == 1920
        wide = page.run("return [...document.querySelectorAll('.wall-station *')].filter((one) => "
                        "one.scrollWidth > one.clientWidth + 1).length")
        assert wide == 0
    finally:
        for row in made:
            closed_site.ask("DELETE", f"/api/v1/stations/{row['id']}")


def test_a_board_whose_token_is_revoked_shows_nothing_more(closed_site, board):
    page, name = board("screen")
    page.wait(lambda: len(page.rows("#wall-stations")) == 5, 20, "the stations")
    closed_site.ask("DELETE", f"/api/v1/tokens/{name}")
    page.wait(lambda: page.driver.current_url.startswith(closed_site.address + "/signin"), 20, "the door")
    assert page.run("return document.getElementById('wall-stations')") is None


def test_an_address_that_opens_nothing_says_so(closed_site, browser):
    page = browser(width=820, height=1180)
    page.driver.get(closed_site.address + "/kiosk#bm_" + "a" * 43)
    page.wait(lambda: "no longer works" in page.text("main"), 20, "why")
    # A token of a program opens no page of a board either.
    token = closed_site.ask("POST", "/api/v1/tokens", {"name": "program", "role": "integration", "scopes": ["live:read"]})
    page.driver.get(closed_site.address + "/signin?next=/wall#" + token["token"])
    page.wait(lambda: "no longer works" in page.text("main"), 20, "why")
    closed_site.ask("DELETE", "/api/v1/tokens/program")


def test_a_pin_checks_in_and_out(closed_site, board):
    page, _ = board("kiosk", 820, 1180)
    pin = new_pin(closed_site, ADA)
    press(page, pin)
    page.wait(lambda: "Hi Ada" in card(page), 10, "whose it is")
    # Whoever types it learns what they can do, and does it with one touch.
    assert "Check in" in card(page) and "Check out" not in card(page)
    choose(page, "check-in")
    page.wait(lambda: "Ada is checked in" in card(page), 10, "the confirmation")
    assert page.run("return parseFloat(getComputedStyle(document.querySelector('#kiosk-card h2')).fontSize)") >= 28
    page.wait(lambda: card(page) == "", 15, "the beginning")
    assert page.run("return document.querySelector('.kiosk-dots').textContent") == "○" * 6
    press(page, pin)
    page.wait(lambda: "Check out" in card(page), 10, "the way out")
    choose(page, "check-out")
    page.wait(lambda: "Ada is checked out" in card(page), 10, "the confirmation")
    sessions = closed_site.ask("GET", f"/api/v1/attendance/sessions?user={ADA}")["sessions"]
    assert len(sessions) == 1 and sessions[0]["out_ms"], sessions
    # Another one takes its place.
    other = new_pin(closed_site, ADA)
    page.wait(lambda: card(page) == "", 15, "the beginning")
    press(page, pin if pin != other else "000000")
    page.wait(lambda: "Wrong PIN" in page.text("main"), 10, "that it is another")


def test_pins_that_are_tried_one_after_the_other_are_slowed_down(closed_site, board):
    page, _ = board("kiosk", 820, 1180)
    pin = new_pin(closed_site, GRACE)
    said = page.run("""
        const said = [];
        for (let number = 0; number < 1000; number += 1) {
            const text = String(number).padStart(6, "0");
            if (text === arguments[0]) continue;
            const answer = await fetch("/api/v1/kiosk/pin", {
                method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ pin: text }),
            });
            said.push(answer.status);
        }
        return said;""", pin)
    # A few are looked at; all others wait, and none of a thousand tells a name.
    assert set(said) == {404, 429} and said.count(404) <= 10, (said.count(404), set(said))
    # Whoever types theirs right meanwhile is told to wait, not that it is wrong.
    press(page, pin)
    page.wait(lambda: page.run("return !document.querySelector('main > .fault').hidden"), 10, "why not")
    assert "Wrong PIN" not in page.text("main > .fault")


def test_a_name_is_found_and_nothing_told_of_it(closed_site, board):
    page, _ = board("kiosk", 820, 1180)
    closed_site.ask("POST", "/api/v1/users", {"id": "u-long", "name": LONG})
    search = page.driver.find_element(By.CSS_SELECTOR, "input[type=search]")
    search.send_keys("g")
    time.sleep(0.5)
    assert page.rows(".kiosk-found") == [], "of one letter nobody is found"
    search.send_keys("R")
    page.wait(lambda: [one["text"] for one in page.rows(".kiosk-found")] == ["Grace"], 10, "Grace")
    page.driver.find_element(By.CSS_SELECTOR, ".kiosk-found button").click()
    # Somebody else may have typed the name: whether she is in is not told.
    assert "Check in" in card(page) and "Check out" in card(page)
    choose(page, "check-out")
    page.wait(lambda: "Not checked in." in card(page), 10, "that she is not in")
    choose(page, "check-in")
    page.wait(lambda: "Grace is checked in" in card(page), 10, "the confirmation")
    page.run("[...document.querySelectorAll('#kiosk-card button')].at(-1).click()")
    # What the one before typed is gone; a name of 98 letters stays on the page.
    assert search.get_attribute("value") == "" and page.rows(".kiosk-found") == []
    search.send_keys("Wolfe")
    page.wait(lambda: page.rows(".kiosk-found"), 10, "the long name")
    page.driver.find_element(By.CSS_SELECTOR, ".kiosk-found button").click()
    assert page.run("return document.documentElement.scrollWidth") == 820
    for path in ("/api/v1/users", f"/api/v1/users/{GRACE}", "/api/v1/attendance/sessions", "/api/v1/workouts"):
        assert page.run("return fetch(arguments[0]).then((answer) => answer.status)", path) == 403, path


def test_a_tag_held_to_the_node_is_greeted(closed_site, board):
    page, _ = board("kiosk", 820, 1180)
    page.run("document.getElementById('kiosk-set-up').click()")
    page.wait(lambda: page.run("return document.querySelector('dialog [name=node]')?.options.length") == 6, 10, "the nodes")
    page.run("""
        const choice = document.querySelector('dialog [name=node]');
        choice.value = 'n-rower';
        choice.dispatchEvent(new Event('change', { bubbles: true }));
        document.querySelector('dialog [type=submit]').click();""")
    page.wait(lambda: page.run("return !document.querySelector('.kiosk-hold').hidden"), 10, "where to hold it")
    ada, grace = "C4:A7:F1:0B:33:21", "C4:A7:F1:0B:33:22"
    for user, address in ((ADA, ada), (GRACE, grace)):
        closed_site.ask("POST", "/api/v1/beacons", {
            "id": f"b-held-{user}", "title": f"Tag of {user}", "user": user,
            "identity": "mac-" + address.replace(":", "").lower()})
    air = Radio(str(closed_site.folder / "radio.sock"))
    try:
        closed_site.node("n-rower", air.path)

        def near():
            return closed_site.ask("GET", "/api/v1/kiosk/near?node=n-rower")

        def levels():
            topics = closed_site.ask("GET", "/api/v1/snapshot")["topics"]
            return [[one["rssi"] for one in topics.get(f"mesh/v1/iron-works/beacon/b-held-{user}/state", {"nodes": []})["nodes"]]
                    for user in (ADA, GRACE)]

        air.levels = {ada: -64, grace: -66}
        page.wait(lambda: all(levels()), 40, "both tags")
        assert near() == {} and card(page) == "", "who walks by is not greeted"
        air.levels = {ada: -38, grace: -40}
        page.wait(lambda: all(one and one[0] > -45 for one in levels()), 40, "both held to it")
        assert near() == {}, "of two that are held there it is not known whose is meant"
        air.levels = {ada: -38, grace: -70}
        page.wait(lambda: "Hi Ada" in card(page), 40, "Ada")
        assert near()["user"] == ADA
    finally:
        air.close()


def test_a_kiosk_without_its_coordinator_says_so_and_goes_on(closed_site, board):
    page, _ = board("kiosk", 820, 1180)
    coordinator = closed_site._running[1]
    coordinator.send_signal(signal.SIGSTOP)
    try:
        page.wait(lambda: page.run("return !document.querySelector('.kiosk-offline').hidden"), 30, "that it is offline")
        assert page.run("return [...document.querySelectorAll('.kiosk-pad button')].every((one) => one.disabled)")
    finally:
        coordinator.send_signal(signal.SIGCONT)
    page.wait(lambda: page.run("return document.querySelector('.kiosk-offline').hidden"), 60, "that it is back")
    assert not page.run("return document.querySelector('.kiosk-pad button').disabled")


def test_an_owner_makes_a_board_and_gives_its_address(closed_site, browser):
    page = browser(width=390, height=844)
    open_door(page, closed_site)
    page.driver.find_element(By.NAME, "name").send_keys(OWNER)
    page.driver.find_element(By.NAME, "password").send_keys(PASSWORD)
    page.run("document.querySelector('#form [type=submit]').click()")
    signed_in(page, OWNER)
    page.driver.get(closed_site.address + "/accounts")
    page.wait(lambda: page.run("return document.getElementById('add-token') !== null"), 20, "the button")
    page.run("document.getElementById('add-token').click()")
    page.wait(lambda: page.run("return document.querySelector('dialog [name=name]') !== null"), 10, "the form")
    page.driver.find_element(By.CSS_SELECTOR, "dialog [name=name]").send_keys("front")
    page.run("""
        const role = document.querySelector('dialog [name=role]');
        role.value = 'kiosk';
        role.dispatchEvent(new Event('change', { bubbles: true }));
        document.querySelector('dialog [type=submit]').click();""")
    page.wait(lambda: page.run("return document.querySelector('dialog .qr svg') !== null"), 20, "the code")
    link = page.run("return document.querySelector('dialog .secret').value")
    assert link.startswith(closed_site.address + "/kiosk#bm_"), link
    tablet = browser(width=820, height=1180)
    tablet.driver.get(link)
    tablet.wait(lambda: tablet.connected and tablet.driver.current_url == closed_site.address + "/kiosk", 30, "the kiosk")
    closed_site.ask("DELETE", "/api/v1/tokens/front")


def test_a_member_makes_their_pin_and_removes_it(closed_site, browser):
    page = browser(width=390, height=844)
    enter(page, closed_site.invite("ada-pin", "member", ADA), "ada-pin")
    page.driver.get(closed_site.address + "/account")
    page.wait(lambda: shown(page, "make-pin") != "", 20, "the button")
    page.run("document.getElementById('make-pin').click()")
    page.run("document.querySelector('dialog [type=submit]').click()")
    page.wait(lambda: page.run("return document.querySelector('dialog .secret')?.value?.length") == 6, 10, "the PIN")
    closed_site.ask("GET", f"/api/v1/users/{ADA}/pin")["made_ms"]
    assert closed_site.refusal("POST", "/api/v1/kiosk/pin", body={"pin": "1"}) == (400, "application/problem+json")
