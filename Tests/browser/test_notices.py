"""What people are told of: on whatever page they look at, in their language, and listed until they have seen it."""

import time
import urllib.error

import pytest
from selenium.webdriver.common.by import By

from test_door import enter

pytestmark = pytest.mark.own_site

ADA, GRACE = "u-k7m2qa", "u-3fvx7d"


@pytest.fixture(scope="module")
def invited(closed_site):
    return {"grace": closed_site.invite("grace", "member", GRACE), "fay": closed_site.invite("fay", "manager", None)}


@pytest.fixture
def offered(closed_site):
    """Grace waits for the bench that Ada has; it becomes free when this is called."""
    closed_site.ask("POST", "/api/v1/workouts", {"user": ADA, "station": "bench"})
    closed_site.ask("POST", "/api/v1/stations/bench/queue", {"user": GRACE})

    def free():
        closed_site.ask("POST", "/api/v1/workouts/current/complete", {"user": ADA})
        return time.monotonic()

    yield free
    try:
        closed_site.ask("DELETE", "/api/v1/stations/bench/queue", {"user": GRACE})
    except urllib.error.HTTPError as error:
        # She has taken it, or passed.
        assert error.code == 409, error
    for user in (ADA, GRACE):
        if closed_site.ask("GET", f"/api/v1/workouts?user={user}&state=open")["workouts"]:
            closed_site.ask("POST", "/api/v1/workouts/current/complete", {"user": user})


def offer(page):
    return page.run("const one = document.getElementById('offer'); return one === null || one.hidden ? '' : one.innerText")


def unread(page):
    return page.run("return document.querySelector('#notices .bell-count')?.textContent ?? null")


def lines(page):
    return page.all("#notice-rows > li")


def test_an_offer_is_told_on_any_page_and_taken_there(closed_site, browser, invited, offered):
    phone = browser(width=390, height=844)
    enter(phone, invited["grace"], "grace")
    # Not where stations are: at the history of workouts.
    phone.driver.get(closed_site.address + "/history")
    phone.wait(lambda: phone.connected and unread(phone) is not None, 30, "the history")
    before = unread(phone)
    title = phone.driver.title
    began = offered()
    phone.wait(lambda: offer(phone).startswith("Your turn"), 10, "the offer")
    took = time.monotonic() - began
    print(f"\noffer on another page after {took:.2f} s")
    assert took < 5
    assert "Bench" in offer(phone) and "left" in offer(phone)
    assert phone.driver.title.startswith("Your turn: ") and title in phone.driver.title
    phone.wait(lambda: phone.run("return document.querySelector('.toast:last-child')?.textContent ?? ''").startswith("Your turn"), 10,
               "a word of it")
    assert int(unread(phone)) == int(before or 0) + 1
    phone.screenshot("offer-bar")
    phone.driver.find_element(By.CSS_SELECTOR, "#offer .go").click()
    phone.wait(lambda: closed_site.ask("GET", f"/api/v1/workouts?user={GRACE}&state=open")["workouts"], 10, "a workout")
    phone.wait(lambda: offer(phone) == "", 10, "the end of the offer")
    assert not phone.driver.title.startswith("Your turn")

    # It is listed, and once it was looked at it is read, also where they look next.
    phone.driver.get(closed_site.address + "/notices")
    phone.wait(lambda: any("Your turn: Bench" in one["text"] for one in lines(phone)), 20, "the notice")
    phone.wait(lambda: unread(phone) == "", 20, "that it is read")
    phone.screenshot("notices")
    phone.driver.get(closed_site.address + "/")
    phone.wait(lambda: phone.connected and unread(phone) is not None, 30, "the first page")
    assert unread(phone) == "" and not phone.driver.title.startswith("(")
    assert phone.complaints() == []


def test_a_notice_speaks_the_reader_s_language(closed_site, browser, invited):
    phone = browser(width=390, height=844)
    enter(phone, closed_site.address + closed_site.ask("POST", "/api/v1/accounts/grace/invitation")["path"], "grace")
    phone.run("document.cookie = 'beaconmesh_language=de; Path=/'")
    phone.driver.get(closed_site.address + "/notices")
    phone.wait(lambda: any("Sie sind dran: Bench" in one["text"] for one in lines(phone)), 20, "it in German")


def test_an_offer_that_is_passed_is_gone(closed_site, browser, invited, offered):
    phone = browser(width=390, height=844)
    enter(phone, closed_site.address + closed_site.ask("POST", "/api/v1/accounts/grace/invitation")["path"], "grace")
    phone.driver.get(closed_site.address + "/me")
    phone.wait(lambda: phone.connected, 30, "the page")
    offered()
    phone.wait(lambda: offer(phone).startswith("Your turn"), 10, "the offer")
    phone.driver.find_element(By.CSS_SELECTOR, "#offer .quiet").click()
    phone.wait(lambda: offer(phone) == "", 10, "the end of the offer")
    assert not closed_site.ask("GET", f"/api/v1/workouts?user={GRACE}&state=open")["workouts"]


def test_who_runs_the_site_sees_what_is_about_others(closed_site, browser, invited):
    desk = browser(width=1440, height=900)
    enter(desk, invited["fay"], "fay")
    desk.driver.get(closed_site.address + "/notices")
    desk.wait(lambda: any("is reserved for" in one["text"] for one in lines(desk)), 20,
              "what Grace was told")
    # It asks nobody of the office to do anything.
    assert unread(desk) == ""
