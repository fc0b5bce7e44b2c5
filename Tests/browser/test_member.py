"""Who may see little is told nothing false, and a site that has not listened yet invents nothing."""

import re
import time

import pytest

from closed import OWNER, PASSWORD
from conftest import PATIENCE_S
from test_account import ask, field, send, shown
from test_door import open_door, signed_in

SECTIONS = ("/nodes", "/devices", "/people")


@pytest.fixture
def phone(browser):
    return browser(width=390, height=844)


def cards(page):
    """Of each room: the number it shows, how many people it names, and what it says of the others."""
    return page.run(
        "return [...document.querySelectorAll('#room-cards > article')].map((card) => [card.dataset.room,"
        " card.querySelector('.number').textContent, card.querySelectorAll('.chip, [data-user]:is(.who li)').length,"
        " card.querySelector('.nobody:not([hidden])')?.textContent ?? ''])")


def links(page):
    """Where the navigation leads."""
    return page.run("return [...document.querySelectorAll('nav a')].map((one) => one.pathname)")


def assert_closed(page):
    """Who may not see the whole site is led to none of its pages, and let into none."""
    assert not set(SECTIONS) & set(links(page))
    here = page.driver.current_url
    for section in SECTIONS:
        page.driver.get(page.run("return location.origin") + section)
        assert page.run("return document.querySelector('h1').textContent") == "You don’t have permission."
        assert "/" in links(page)
    # The browser tells of each refusal, too.
    assert all("403" in told for told in page.complaints())
    page.driver.get(here)


def visible(page):
    return page.run("return document.body.innerText")


def test_a_member_is_told_nothing_false(demo, phone):
    own = ask(demo, "GET", "/api/v1/users?sort=id")["users"][1]
    made = ask(demo, "POST", "/api/v1/accounts",
               {"name": "ben", "role": "member", "user": own["id"]})
    phone.driver.get(demo["dashboard"].rstrip("/") + made["path"])
    send(phone, password=PASSWORD)
    signed_in(phone, "ben")

    def present():
        topics = ask(demo, "GET", "/api/v1/snapshot")["topics"]
        return topics[f"mesh/v1/{demo['site']}/state"]["present"]

    # Both go on meanwhile; what the page says is the site's number, not the member's part of it.
    phone.wait(lambda: shown(phone, "people-in") == str(max(present(), 2)), PATIENCE_S, "number")
    phone.wait(lambda: re.fullmatch(r"(\d+ people|1 person) in\.", shown(phone, "announcement")), 30,
               "announcement")
    crowded = False
    end = time.monotonic() + PATIENCE_S
    while not crowded and time.monotonic() < end:
        for _, number, named, rest in cards(phone):
            if number in ("–", "0"):
                assert not rest.startswith("0"), number
            else:
                assert rest != "No one is here.", number
                hidden = int(number) - named
                assert hidden <= 0 or re.search(r"^\d+ (person|people)$|and \d+ others?$", rest), (number, named, rest)
                crowded = crowded or hidden > 0
        for tile in phone.all("#room-cards .station"):
            assert not ("Occupied" in tile["text"] and re.search(r"0 of \d+ places", tile["text"]))
    assert crowded, "nobody else was in any room"
    assert_closed(phone)
    phone.wait(lambda: phone.connected and phone.rows("#people-rows"), 30, "the page")
    assert "Nodes" not in visible(phone) and "registered" not in visible(phone)
    phone.screenshot("member")
    assert phone.complaints() == []


def test_an_account_of_nobody_is_told_what_to_do(closed_site, phone):
    phone.driver.get(closed_site.invite("nobody", "member"))
    send(phone, password=PASSWORD)
    signed_in(phone, "nobody")
    phone.wait(lambda: "isn’t linked to a person yet" in visible(phone), 20, "the sentence")
    assert "Ask the person who invited you" in visible(phone)
    assert "No people yet." not in visible(phone)
    assert_closed(phone)
    phone.screenshot("member-of-nobody")


def test_a_new_site_has_no_past(closed_site, phone):
    open_door(phone, closed_site)
    send(phone, name=OWNER, password=PASSWORD)
    signed_in(phone)
    phone.wait(lambda: shown(phone, "people-in") == "0", 20, "people")
    phone.wait(lambda: len(phone.all("#room-cards .station")) == 5, 20, "stations")
    assert set(SECTIONS) <= set(links(phone))
    text = phone.text("body")
    assert not re.search(r"1 Jan|197\d|\d{3,}:\d\d:\d\d|\d{4,} d", text), text
    assert "since" not in "".join(row["text"] for row in phone.all("#room-cards .station"))
    phone.screenshot("new-site")


def test_a_gym_without_exercises_offers_the_forty(closed_site, browser):
    """Whoever may add them has a button on the training page; a member is told whom to ask."""
    for exercise in closed_site.ask("GET", "/api/v1/exercises")["exercises"]:
        closed_site.ask("DELETE", f"/api/v1/exercises/{exercise['id']}")
    pages = {}
    for name, role, user in (("lea", "member", "u-3fvx7d"), ("max", "manager", "u-qw5n6t")):
        page = pages[role] = browser(width=390, height=844)
        page.driver.get(closed_site.invite(name, role, user))
        send(page, password=PASSWORD)
        signed_in(page, name)
        page.driver.get(closed_site.address + "/workout")
        page.wait(lambda: "No exercises yet" in visible(page), 20, "what is missing")
        page.screenshot(f"no-exercises-{role}")
    assert "The gym’s staff can add them here." in visible(pages["member"])
    assert pages["member"].all(".no-exercises button") == []
    pages["manager"].run("document.querySelector('.no-exercises button').click()")
    pages["manager"].wait(lambda: "No exercises yet" not in visible(pages["manager"]), 20, "the forty")
    assert len(closed_site.ask("GET", "/api/v1/exercises?limit=100")["exercises"]) >= 40
