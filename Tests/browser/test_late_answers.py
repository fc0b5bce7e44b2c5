"""What people do while an answer is on its way: cancel, choose somebody else, go to another place, type on."""

import time

import pytest

from conftest import Page
from test_door import enter
from test_workout import LOG, MARY, fill, on_page, sets, start, tap

pytestmark = pytest.mark.own_site

ADA, GRACE = "u-k7m2qa", "u-3fvx7d"
HOUR_MS = 3_600_000
# Keeps the answer to the first request of a method for an address that begins so, until `window.release(isLost)`.
HOLD = """
    const [method, start] = arguments;
    const ask = window.fetch;
    window.isHeld = false;
    window.fetch = (path, options = {}) => {
        const answer = ask(path, options);
        if (window.isHeld || (options.method ?? "GET") !== method || !String(path).startsWith(start)) return answer;
        window.isHeld = true;
        return new Promise((resolve, reject) => {
            window.release = (isLost) => {
                window.fetch = ask;
                answer.then(isLost ? () => reject(new TypeError("lost")) : resolve, reject);
            };
        });
    };
"""


@pytest.fixture(scope="module")
def phone(closed_site, programs):
    page = Page(width=390, height=844)
    enter(page, closed_site.invite("mary", "member", MARY), "mary")
    yield page
    page.close()


@pytest.fixture(scope="module")
def desk(closed_site, programs):
    page = Page(width=1440, height=900)
    enter(page, closed_site.invite("olga", "owner"), "olga")
    yield page
    page.close()


def hold(page, method, start):
    page.run(HOLD, method, start)


def release(page, is_lost=False):
    page.run("window.release(arguments[0])", is_lost)


def await_held(page):
    page.wait(lambda: page.run("return window.isHeld"), 20, "the request")


def fault(page, form):
    return page.run("return document.querySelector(`${arguments[0]} .fault:not([hidden])`)?.textContent ?? ''", form)


def test_a_correction_that_was_cancelled_too_late_is_shown(closed_site, desk):
    now = int(time.time() * 1000)
    made = closed_site.ask("POST", "/api/v1/attendance/corrections", {
        "change": "add", "user": GRACE, "from_ms": now - 40 * HOUR_MS, "to_ms": now - 39 * HOUR_MS, "reason": "none"})
    closed_site.ask("POST", f"/api/v1/attendance/corrections/{made['id']}/decision", {"approve": True, "reason": "so"})
    [session] = closed_site.ask("GET", f"/api/v1/attendance/sessions?user={GRACE}")["sessions"]
    desk.driver.get(f"{closed_site.address}/attendance/{session['date']}")
    row = f"#attendance-rows tr[data-user={GRACE}]"
    tap(desk, f"{row} td.act button")
    tap(desk, "tr.edit [name=change]")
    desk.run("""
        const change = document.querySelector("tr.edit [name=change]");
        change.value = "remove";
        change.dispatchEvent(new Event("input", { bubbles: true }));
        document.querySelector("tr.edit [name=reason]").value = "not there";
    """)
    hold(desk, "POST", "/api/v1/attendance/corrections")
    tap(desk, "tr.edit button.go")
    await_held(desk)
    desk.run("""
        [...document.querySelectorAll("tr.edit .buttons .quiet")].find((one) => one.textContent === "Cancel").click();
    """)
    desk.wait(lambda: not desk.all("tr.edit"), 5, "the end of the form")
    # A day that is over is loaded again for nothing else.
    shown = lambda: desk.run("return document.querySelector(arguments[0])?.textContent ?? ''", row)
    before = shown()
    release(desk)
    desk.wait(lambda: closed_site.ask("GET", f"/api/v1/attendance/sessions?user={GRACE}")["sessions"] == [], 20, "it")
    desk.wait(lambda: shown() != before, 10, "the day without it")
    assert desk.complaints() == []


def test_nobody_is_typed_among_what_is_of_the_one_before(closed_site, desk):
    desk.driver.get(closed_site.address + "/attendance")
    desk.wait(lambda: desk.run("return document.querySelector('#by-hand [name=who]') !== null"), 20, "the form")
    field = desk.driver.find_element("css selector", "#by-hand [name=who]")
    field.send_keys("Ada")
    hold(desk, "POST", "/api/v1/attendance/check-in")
    tap(desk, "#by-hand button.go")
    await_held(desk)
    field.send_keys("Grace")
    assert field.get_attribute("value") == "Ada"
    release(desk)
    desk.wait(lambda: field.get_attribute("value") == "" and "Ada" in desk.text("#by-hand + .said"), 10, "Ada's day")
    field.send_keys("Grace")
    assert field.get_attribute("value") == "Grace"
    field.clear()
    closed_site.ask("POST", "/api/v1/attendance/check-out", {"user": ADA})
    assert desk.complaints() == []


def test_what_was_refused_of_one_person_is_not_said_of_the_next(closed_site, desk):
    desk.driver.get(f"{closed_site.address}/activity/settings?user={MARY}")
    form = "main form:has([name=goal])"
    goal = lambda: desk.run("""
        const form = document.querySelector(arguments[0]);
        return form === null || form.hidden ? null : form.querySelector("[name=goal]").value;
    """, form)
    desk.wait(lambda: goal() == "", 20, "the settings")
    desk.run("document.querySelector(arguments[0] + ' [name=goal]').value = '4000'", form)
    desk.run("document.querySelector(arguments[0] + ' [name=goal]').dispatchEvent(new Event('input', {bubbles: true}))",
             form)
    hold(desk, "PUT", "/api/v1/activity/settings")
    desk.run("document.querySelector(arguments[0]).requestSubmit()", form)
    await_held(desk)
    desk.run("const whose = document.getElementById('whose'); whose.value = arguments[0];"
             "whose.dispatchEvent(new Event('change'))", ADA)
    desk.wait(lambda: goal() == "", 20, "the settings of the next")
    assert fault(desk, form) == ""
    release(desk, is_lost=True)
    desk.wait(lambda: fault(desk, form).startswith("For the person chosen before: "), 10, "whom it is about")
    assert closed_site.ask("GET", f"/api/v1/activity/settings?user={ADA}")["goals"] == []
    desk.complaints()


def test_a_wish_that_was_read_before_it_was_stored_is_shown_as_stored(closed_site, phone):
    phone.driver.get(closed_site.address + "/me")
    form = "main form:has([name=shares])"
    phone.wait(lambda: phone.connected and phone.run(
        "return document.querySelector(arguments[0])?.hidden === false", form), 20, "the wishes")
    ticked = lambda: phone.run("return document.querySelector('[name=shares]').checked")
    before = ticked()
    hold(phone, "GET", f"/api/v1/users/{MARY}/sharing")
    # Whatever changes loads the page's parts again.
    closed_site.ask("POST", "/api/v1/attendance/check-in", {"user": MARY})
    await_held(phone)
    phone.run("document.querySelector('[name=shares]').click()")
    phone.run("document.querySelector(arguments[0]).requestSubmit()", form)
    stored = lambda: closed_site.ask("GET", f"/api/v1/users/{MARY}/sharing")["shares"]
    phone.wait(lambda: stored() is not before and phone.text(f"{form} + .said") != "", 20, "what is kept")
    release(phone)
    time.sleep(1)
    assert ticked() is stored() is not before
    closed_site.ask("POST", "/api/v1/attendance/check-out", {"user": MARY})
    assert phone.complaints() == []


def test_a_fault_does_not_come_back_with_its_form(closed_site, phone):
    phone.driver.get(closed_site.address + "/me")
    form = "main .own-now form"
    phone.wait(lambda: phone.connected and phone.run(
        "return document.querySelector(arguments[0])?.hidden === false", form), 20, "the way in")
    hold(phone, "POST", "/api/v1/attendance/check-in")
    phone.run("document.querySelector(arguments[0]).requestSubmit()", form)
    await_held(phone)
    release(phone, is_lost=True)
    hidden = lambda: phone.run("return document.querySelector(arguments[0]).hidden", form)
    phone.wait(lambda: fault(phone, form) != "" and hidden(), 20, "in, and the answer that was lost")
    closed_site.ask("POST", "/api/v1/attendance/check-out", {"user": MARY})
    phone.wait(lambda: not hidden(), 20, "the way in again")
    assert fault(phone, form) == ""
    # Nor is the answer that was lost given to what is asked now.
    phone.run("document.querySelector(arguments[0]).requestSubmit()", form)
    phone.wait(hidden, 20, "in")
    closed_site.ask("POST", "/api/v1/attendance/check-out", {"user": MARY})
    phone.complaints()


def test_a_set_that_is_typed_stays_when_the_station_changes(closed_site, phone):
    workout = start(closed_site, "bench")
    on_page(phone, closed_site)
    exercise = lambda: phone.run("return document.getElementById('exercise').value")
    phone.wait(lambda: exercise() == "bench-press", 20, "the exercise")
    fill(phone, weight_kg=61)
    closed_site.ask("POST", f"/api/v1/workouts/{workout}/move", {"user": MARY, "station": "mats"})
    phone.wait(lambda: "Mats" in phone.text("#workout-now .place"), 20, "the other station")
    time.sleep(1.5)
    assert exercise() == "bench-press"
    tap(phone, LOG)
    phone.wait(lambda: [one["state"] for one in sets(phone)] == ["stored"], 20, "the set")
    assert "61 kg × 10" in sets(phone)[0]["text"]
    # What is typed by now is logged: the next one is of that station.
    phone.wait(lambda: exercise() == "plank", 10, "the other exercise")
    closed_site.ask("POST", f"/api/v1/workouts/{workout}/complete", {"user": MARY})
    assert phone.complaints() == []
