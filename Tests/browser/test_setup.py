"""Lists of the site, set up on the page: add, find, change, retire and take back, by two at once, and hostile names."""

import pytest
from selenium.webdriver.common.by import By

from conftest import Page
from test_account import ask
from test_every_page import OWNER, session, set_cookie

HOSTILE = "<img src=x onerror=alert(1)> ‮abc"


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


@pytest.fixture(scope="module")
def phone(demo, base):
    """An owner's phone."""
    page = Page(390, 844)
    set_cookie(page, base, *session(demo, base, OWNER, None))
    yield page
    page.close()


def lines(page):
    return page.run("""
        return [...document.querySelectorAll("#setup-rows button")].map((one) =>
            [one.dataset.row, one.children[0].textContent, one.children[1].textContent]);
    """)


def go(page, base, path):
    page.driver.get(base + path)
    page.wait(lambda: lines(page) or page.run("return !(document.querySelector('p.empty-list')?.hidden ?? true)"), 20, path)


def line(page, name):
    return next((one for one in lines(page) if one[1] == name), None)


def touch(page, selector, text=None):
    page.wait(lambda: page.run("""
        const found = [...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility() &&
            (arguments[1] === null || one.textContent.includes(arguments[1])));
        found?.click();
        return found !== undefined;
    """, selector, text), 20, f"{selector} {text}")


def fill(page, values):
    page.wait(lambda: page.driver.find_elements(By.CSS_SELECTOR, "dialog form"), 20, "a form")
    page.run("""
        const { elements } = document.querySelector("dialog form");
        for (const [name, value] of Object.entries(arguments[0])) {
            const field = elements.namedItem(name);
            if (Array.isArray(value)) {
                for (const option of field.options) option.selected = value.includes(option.value);
            } else {
                field.value = value;
            }
            field.dispatchEvent(new Event("input", { bubbles: true }));
        }
    """, values)


def send(page):
    page.run("document.querySelector('dialog form').requestSubmit()")


def closed(page, what):
    page.wait(lambda: not page.driver.find_elements(By.CSS_SELECTOR, "dialog"), 20, what)


def fault(page):
    return page.run("return document.querySelector('dialog .fault:not([hidden])')?.textContent ?? ''")


def test_the_site_is_a_list_of_lists(phone, base):
    phone.driver.get(base + "/setup")
    links = phone.wait(lambda: phone.run(
        "return [...document.querySelectorAll('.setup-line')].map((one) => one.getAttribute('href'))"), 20, "lists")
    assert links == [f"/setup/{name}" for name in ("rooms", "stations", "exercises", "nodes", "beacons", "users", "groups", "cards", "device-types", "device-rules")]
    phone.screenshot("setup")


def test_a_room_and_a_station_are_made_changed_retired_and_taken_back(phone, demo, base):
    go(phone, base, "/setup/rooms")
    touch(phone, "#add-row")
    fill(phone, {"name": "Sauna Süd"})
    send(phone)
    closed(phone, "the room is added")
    phone.wait(lambda: line(phone, "Sauna Süd"), 20, "the room in the list")
    assert line(phone, "Sauna Süd")[0] == "sauna-sud"

    go(phone, base, "/setup/stations")
    touch(phone, "#add-row")
    fill(phone, {"name": "Cold tub", "room": "sauna-sud", "slots": "2", "auto_start_s": "20"})
    phone.screenshot("setup-form")
    send(phone)
    closed(phone, "the station is added")
    phone.wait(lambda: line(phone, "Cold tub"), 20, "the station in the list")
    assert "Sauna Süd" in line(phone, "Cold tub")[2]
    row = ask(demo, "GET", "/api/v1/stations/cold-tub")
    assert (row["room"], row["slots"], row["auto_start_s"], row["auto_pause_s"]) == ("sauna-sud", 2, 20, 120)

    # What the room still is of is said where it is refused.
    go(phone, base, "/setup/rooms")
    touch(phone, "#setup-rows button", "Sauna Süd")
    touch(phone, "dialog .danger")
    phone.wait(lambda: "cold-tub" in fault(phone), 20, "why the room stays")
    touch(phone, "dialog .buttons button:last-child")

    go(phone, base, "/setup/stations")
    touch(phone, "#setup-rows button", "Cold tub")
    phone.wait(lambda: phone.run("return document.querySelector('dialog form')?.elements.namedItem('slots').value")
               == "2", 20, "what is stored")
    fill(phone, {"auto_pause_s": "", "equipment": "Ice"})
    send(phone)
    closed(phone, "the station is changed")
    row = ask(demo, "GET", "/api/v1/stations/cold-tub")
    assert (row["auto_pause_s"], row["equipment"], row["auto_start_s"]) == (None, "Ice", 20)

    touch(phone, "#setup-rows button", "Cold tub")
    touch(phone, "dialog .danger")
    closed(phone, "the station is retired")
    phone.wait(lambda: line(phone, "Cold tub") is None, 20, "the list without it")
    touch(phone, ".setup-undo button")
    phone.wait(lambda: line(phone, "Cold tub"), 20, "the station is back")
    assert ask(demo, "GET", "/api/v1/stations/cold-tub")["equipment"] == "Ice"
    phone.screenshot("setup-stations")


def test_two_who_change_one_row_see_both(phone, demo, base):
    ask(demo, "PUT", "/api/v1/rooms/shared", {"name": "Shared room"})
    go(phone, base, "/setup/rooms")
    touch(phone, "#setup-rows button", "Shared room")
    phone.wait(lambda: phone.run("return document.querySelector('dialog form')?.elements.namedItem('name').value")
               == "Shared room", 20, "what is stored")
    ask(demo, "PATCH", "/api/v1/rooms/shared", {"area_m": [0, 0, 3, 4]})
    fill(phone, {"name": "Mine"})
    send(phone)
    phone.wait(lambda: "0, 0, 3, 4" in fault(phone), 20, "what somebody else has made of it")
    values = phone.run("""
        const { elements } = document.querySelector("dialog form");
        return [elements.namedItem("name").value, elements.namedItem("area_m").value];
    """)
    assert values == ["Mine", "0, 0, 3, 4"]
    send(phone)
    closed(phone, "it is saved over what is known")
    row = ask(demo, "GET", "/api/v1/rooms/shared")
    assert (row["name"], row["area_m"]) == ("Mine", [0, 0, 3, 4])


def test_people_have_ids_that_say_nothing_and_names_are_text(phone, demo, base):
    go(phone, base, "/setup/users")
    touch(phone, "#add-row")
    fill(phone, {"name": HOSTILE})
    send(phone)
    # Controls of writing are refused by the site, at the field, and nothing is lost.
    phone.wait(lambda: fault(phone) != "", 20, "why not")
    assert phone.run("return document.querySelector('dialog form').elements.namedItem('name').value") == HOSTILE
    fill(phone, {"name": "<b>Mia</b> 💪"})
    send(phone)
    closed(phone, "the person is added")
    phone.wait(lambda: line(phone, "<b>Mia</b> 💪"), 20, "the person in the list")
    user = line(phone, "<b>Mia</b> 💪")[0]
    assert user.startswith("u-") and "mia" not in user
    assert ask(demo, "GET", f"/api/v1/users/{user}")["name"] == "<b>Mia</b> 💪"


def test_what_nobody_types_stays_as_it_is(phone, demo, base):
    names = {"de": "Kniebeuge, tief: mit Pause", "fr": "Squat"}
    ask(demo, "PUT", "/api/v1/exercises/odd", {"name": "Odd squat", "names": names, "increment_kg": 1.25, "note": "with care"})
    go(phone, base, "/setup/exercises")
    ask(demo, "PATCH", "/api/v1/exercises/odd", {"muscles": ["quadriceps", "glutes", "hamstrings", "core"]})
    touch(phone, "#setup-rows button", "Odd squat")
    phone.wait(lambda: phone.run("return document.querySelector('dialog form')?.elements.namedItem('name').value")
               == "Odd squat", 20, "what is stored")
    fill(phone, {"rest_s": "45", "muscles": ["quadriceps", "glutes", "core"]})
    send(phone)
    closed(phone, "it is saved")
    row = ask(demo, "GET", "/api/v1/exercises/odd")
    assert (row["rest_s"], row["names"], row["increment_kg"]) == (45, names, 1.25)
    # The first is the main one.
    assert row["muscles"] == ["quadriceps", "glutes", "core"]


def test_the_exercises_of_the_program_come_with_one_button(phone, demo, base):
    go(phone, base, "/setup/exercises")
    touch(phone, "#add-starter")
    phone.wait(lambda: len(ask(demo, "GET", "/api/v1/exercises?limit=500")["exercises"]) >= 40, 20, "forty exercises")
    phone.wait(lambda: line(phone, "Back squat"), 20, "they are shown")


def test_what_is_no_list_says_so(phone, base):
    for name in ("nothing", "accounts"):
        phone.driver.get(f"{base}/setup/{name}")
        phone.wait(lambda: "This list does not exist" in phone.run("""
            const said = document.querySelector("p.empty-list");
            return said === null || said.hidden ? "" : said.textContent;
        """), 20, "it says so")
        assert phone.run("return document.getElementById('add-row').hidden")
    # Each refusal before is one for a browser.
    assert [one for one in phone.complaints() if "Failed to load" not in one] == []
