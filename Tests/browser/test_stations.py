"""Stations on a phone: what is free, waiting for one, and taking what is offered."""

import time

import pytest

from test_door import enter

pytestmark = pytest.mark.own_site

ADA, GRACE, MARY = "u-k7m2qa", "u-3fvx7d", "u-qw5n6t"
# Keeps the address of each request that a page makes.
REQUESTS = """
    window.requests = [];
    const ask = window.fetch;
    window.fetch = (...given) => {
        window.requests.push(String(given[0]));
        return ask(...given);
    };
"""
# Keeps which buttons of a station could be pressed, one after the other.
PRESSABLE = """
    window.pressable = [];
    const look = () => {
        const now = [...document.querySelectorAll(".station-use form:not([hidden]) button:enabled")]
            .map((one) => one.form.dataset.act).join(" ");
        if (now !== window.pressable.at(-1)) window.pressable.push(now);
    };
    new MutationObserver(look).observe(document.querySelector(".station-use"), { attributes: true, subtree: true });
    look();
"""


@pytest.fixture(scope="module")
def members(closed_site):
    """The addresses of the invitations of two members."""
    return {name: closed_site.invite(name, "member", user) for name, user in (("grace", GRACE), ("mary", MARY))}


def use(page):
    return page.run("return document.querySelector('.own-use')?.textContent ?? ''")


def acts(page):
    """The buttons that are there."""
    return page.run(
        "return [...document.querySelectorAll('.station-use form:not([hidden])')].map((one) => one.dataset.act)")


def press(page, act):
    page.wait(lambda: act in acts(page), 20, f"the button {act} among {acts(page)}")
    page.run("document.querySelector(`.station-use form[data-act=${arguments[0]}] button`).click()", act)


def word(page):
    return page.run("return document.querySelector('.station-now .word')?.textContent ?? ''")


def enter_again(page, site, name):
    """Signs in whoever was invited, whether they have been here or not."""
    enter(page, site.address + site.ask("POST", f"/api/v1/accounts/{name}/invitation")["path"], name)


def test_who_waits_is_offered_the_station_and_takes_it(closed_site, browser, members):
    phone, other = browser(width=390, height=844), browser(width=390, height=844)
    enter(phone, members["grace"], "grace")
    enter(other, members["mary"], "mary")
    closed_site.ask("POST", "/api/v1/workouts", {"user": ADA, "station": "bench"})
    for page in (phone, other):
        page.driver.get(closed_site.address + "/stations")
        page.wait(lambda: len(page.all("#tiles .station-tile")) == 5, 20, "five stations")
    phone.wait(lambda: phone.run("return document.querySelector('[data-station=bench]').dataset.state") == "claimed",
               10, "the bench being kept")
    phone.run("document.querySelector('[data-station=bench] a').click()")
    phone.wait(lambda: "Reserved" in word(phone), 20, "the bench")
    # Whose it is is not theirs to know.
    assert "Ada" not in phone.run("return document.body.innerText")
    press(phone, "wait")
    phone.wait(lambda: use(phone) == "You are next.", 10, "a place in the queue")
    other.driver.get(closed_site.address + "/stations/bench")
    press(other, "wait")
    other.wait(lambda: use(other) == "1 person ahead of you.", 10, "the second place")
    closed_site.ask("POST", "/api/v1/workouts/current/complete", {"user": ADA})
    began = time.monotonic()
    phone.wait(lambda: use(phone).startswith("Your turn"), 10, "the offer")
    took = time.monotonic() - began
    print(f"\noffer after {took:.2f} s")
    # Told once it is stored, and drawn.
    assert took < 5, "the offer came late"
    assert acts(phone) == ["accept", "leave"] and acts(other) == ["leave"]
    phone.screenshot("station-offer")
    press(phone, "accept")
    phone.wait(lambda: use(phone) == "You are training here.", 10, "the workout")
    other.wait(lambda: use(other) == "You are next.", 10, "nobody before")
    # Nobody gets it but who waits: the phone gives it up, and the other takes it.
    closed_site.ask("POST", "/api/v1/workouts/current/complete", {"user": GRACE})
    other.wait(lambda: use(other).startswith("Your turn"), 10, "the next offer")
    press(other, "leave")
    other.wait(lambda: "start" in acts(other), 10, "a free bench")
    phone.driver.get(closed_site.address + "/stations")
    phone.wait(lambda: phone.all("#tiles .station-tile"), 20, "tiles")
    phone.screenshot("stations")
    assert phone.complaints() == [] and other.complaints() == []


def quiet(page, seconds=2):
    """Waits until the page has asked for nothing for a while: the day of a station follows who is there."""
    count, since = -1, time.monotonic()
    while time.monotonic() - since < seconds:
        now = page.run("return window.requests.length")
        if now != count:
            count, since = now, time.monotonic()
        time.sleep(.1)


def test_a_queue_is_followed_without_a_request(closed_site, browser, members):
    phone = browser(width=390, height=844, before=REQUESTS)
    enter_again(phone, closed_site, "grace")
    queue = "/api/v1/stations/rower/queue"
    closed_site.ask("POST", "/api/v1/workouts", {"user": ADA, "station": "rower"})
    for user in (MARY, GRACE):
        closed_site.ask("POST", queue, {"user": user})
    phone.driver.get(closed_site.address + "/stations/rower")
    phone.wait(lambda: use(phone) == "1 person ahead of you.", 20, "the second place")
    # The day of the station is asked for once.
    quiet(phone)
    phone.run("window.requests = []")
    # Mary goes, and 25 times she comes back and goes again.
    for number in range(51):
        closed_site.ask("DELETE" if number % 2 == 0 else "POST", queue, {"user": MARY})
    phone.wait(lambda: use(phone) == "You are next." and "1 waiting" in phone.text(".station-now"), 10, "the last change")
    assert phone.run("return window.requests") == []
    # An offer and its end are told likewise.
    phone.driver.get(closed_site.address + "/stations")
    mine = lambda: phone.run("return document.querySelector('[data-station=rower] .own')?.textContent ?? null")
    phone.wait(lambda: mine() == "You are in this queue.", 20, "the wait")
    closed_site.ask("POST", "/api/v1/workouts/current/complete", {"user": ADA})
    phone.wait(lambda: mine() == "It is your turn.", 10, "the offer")
    closed_site.ask("DELETE", queue, {"user": GRACE})
    phone.wait(lambda: mine() == "", 10, "no wait")
    # How many notices are new is asked for once, by every page.
    assert phone.run("return window.requests") == ["/api/v1/notices?limit=1"]
    assert phone.complaints() == []


def test_a_button_stays_pressed_until_what_it_did_is_told(closed_site, browser, members):
    phone = browser(width=390, height=844)
    enter_again(phone, closed_site, "grace")
    closed_site.ask("POST", "/api/v1/workouts", {"user": ADA, "station": "treadmill"})
    phone.driver.get(closed_site.address + "/stations/treadmill")
    phone.wait(lambda: acts(phone) == ["wait"], 20, "a station that is taken")
    phone.run(PRESSABLE)
    press(phone, "wait")
    press(phone, "leave")
    phone.wait(lambda: acts(phone) == ["wait"], 10, "no wait")
    assert phone.run("return window.pressable") == ["wait", "", "leave", "", "wait"]
    closed_site.ask("POST", "/api/v1/workouts/current/complete", {"user": ADA})
    assert phone.complaints() == []


def test_what_does_not_fit_the_filter_is_not_shown(closed_site, browser, members):
    page = browser(width=390, height=844)
    enter(page, closed_site.invite("tess", "trainer"), "tess")
    page.driver.get(closed_site.address + "/stations")
    page.wait(lambda: len(page.all("#tiles .station-tile")) == 5, 20, "five stations")
    names = lambda: page.run(
        "return [...document.querySelectorAll('#tiles .station-tile')].map((one) => one.dataset.station)")
    page.run("const kind = document.getElementById('filter-kind'); kind.value = 'mat';"
             "kind.dispatchEvent(new Event('change'))")
    page.wait(lambda: names() == ["mats"], 5, "mats only")
    page.run("const kind = document.getElementById('filter-kind'); kind.value = '';"
             "kind.dispatchEvent(new Event('change'));"
             "const search = document.getElementById('search'); search.value = 'ROW';"
             "search.dispatchEvent(new Event('input'))")
    page.wait(lambda: names() == ["rower"], 5, "the rower only")
    page.run("const search = document.getElementById('search'); search.value = 'nothing is called so';"
             "search.dispatchEvent(new Event('input'))")
    page.wait(lambda: names() == [], 5, "nothing")
    assert page.run("return document.querySelector('.empty-list').textContent") == "No matching stations."


def test_a_station_is_put_out_of_order_with_a_note(closed_site, browser, members):
    page = browser(width=1360)
    enter(page, closed_site.invite("olga", "manager"), "olga")
    page.driver.get(closed_site.address + "/stations/rack")
    page.wait(lambda: page.all("form[data-act=out] button"), 20, "the form")
    page.run("document.querySelector('form[data-act=out] input').value = 'cable torn <b>';"
             "document.querySelector('form[data-act=out] button').click()")
    page.wait(lambda: "Out of order" in word(page), 10, "out of order")
    page.screenshot("station-out")
    page.run("document.querySelector('form[data-act=back] button').click()")
    page.wait(lambda: "Out of order" not in word(page), 10, "in use again")
    page.driver.get(closed_site.address + "/stations/never-was")
    page.wait(lambda: "no longer exists" in page.run("return document.body.innerText"), 10, "that it is not there")
    assert page.complaints() == []


def test_a_station_shows_its_day_and_what_one_did_there(closed_site, browser, members):
    page = browser(width=390, height=844)
    enter(page, closed_site.invite("rosa", "manager", ADA), "rosa")
    workout = closed_site.ask("POST", "/api/v1/workouts", {"user": ADA, "station": "rack"})["workout"]["id"]
    closed_site.ask("POST", f"/api/v1/workouts/{workout}/sets", {
        "id": "33333333-2222-4333-8444-555555555555", "exercise": "bench-press", "kind": "working", "reps": 5,
        "weight_kg": 62.5})
    closed_site.ask("POST", f"/api/v1/workouts/{workout}/complete", {"user": ADA})
    closed_site.ask("POST", "/api/v1/stations/rack/service", {"out_of_order": True, "note": "cable <b>"})
    page.driver.get(closed_site.address + "/stations/rack")
    page.wait(lambda: "Your last time here" in page.text("main") and "62.5 kg × 5" in page.text("main"), 20, "the last values")
    page.wait(lambda: len(page.all(".strip .part-use")) >= 1 and len(page.all(".strip .part-outage")) >= 1, 10, "the strip")
    assert "cable <b>" in page.text("main")
    page.screenshot("station-day")
    closed_site.ask("POST", "/api/v1/stations/rack/service", {"out_of_order": False})
    # A sheet of codes to hang at the stations.
    page.driver.get(closed_site.address + "/stations")
    page.wait(lambda: page.all("#tiles .station-tile"), 20, "tiles")
    page.run("[...document.querySelectorAll('main button')].find((one) => one.textContent.startsWith('QR codes')).click()")
    page.wait(lambda: len(page.all("dialog .qr")) == 5, 10, "five codes")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    page.screenshot("station-codes")
    assert page.run("return getComputedStyle(document.querySelector('main')).display") == "none"
    assert page.complaints() == []
