"""The first hour of a site: from an empty database to somebody at the bench, on a phone, without a terminal.

Boxes are plugged in beside it: their programs are started here, as nobody can hang one on a wall of a page.
"""

import time

import pytest
from selenium.webdriver.common.by import By

import closed
import radio
from conftest import Page

pytestmark = pytest.mark.own_site

EMPTY = """
site: {id: iron-works, name: iron-works, time_zone: UTC}
rooms: [{id: entrance, name: Entrance}]
"""
TAG = "C4:A7:F1:0B:33:21"
MOST_TAPS = 60
MOST_S = 600


class Phone(Page):
    """A phone whose taps are counted."""

    def __init__(self):
        super().__init__(390, 844)
        self.taps = 0

    def tap(self, selector, text=None):
        def found():
            return next((one for one in self.driver.find_elements(By.CSS_SELECTOR, selector)
                         if one.is_displayed() and one.is_enabled() and (text is None or text in one.text)), None)

        element = self.wait(found, 20, f"{selector} {text or ''}")
        self.run("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.click()
        self.taps += 1

    def type(self, selector, text):
        self.tap(selector)
        field = self.driver.switch_to.active_element
        field.clear()
        field.send_keys(text)

    def choose(self, selector, text):
        """A choice of the phone's own list: a tap opens it, another chooses."""
        self.taps += 2
        self.run("""
            const field = document.querySelector(arguments[0]);
            field.value = [...field.options].find((one) => one.textContent.includes(arguments[1])).value;
            field.dispatchEvent(new Event("input", { bubbles: true }));
            field.dispatchEvent(new Event("change", { bubbles: true }));
        """, selector, text)

    def state(self, step):
        return self.run("return document.querySelector(`[data-step='${arguments[0]}']`)?.dataset.state", step)


@pytest.fixture
def empty(programs, tmp_path):
    file = tmp_path / "site.yaml"
    file.write_text(EMPTY, encoding="utf-8")
    with closed.Site(programs, is_claimed=False, file=file) as site:
        air = radio.Radio(str(site.folder / "radio.sock"))
        yield site, air
        air.close()


def test_from_an_empty_site_to_somebody_at_the_bench(empty):
    site, air = empty
    phone = Phone()
    begun = time.monotonic()
    try:
        phone.driver.get(site.address + "/")
        phone.type("[name=code]", site.code)
        phone.type("[name=name]", "ada")
        phone.type("[name=password]", closed.PASSWORD)
        phone.tap("button.go")
        phone.wait(lambda: phone.connected, 30, "the live page")

        # What a new page has to say is the next step, with a way to it.
        phone.driver.get(site.address + "/setup")
        phone.wait(lambda: phone.state("site") == "next", 20, "the first step")
        phone.screenshot("first-run")
        phone.tap("[data-step=site] a")
        phone.wait(lambda: phone.run("return document.querySelector(\"[name='site.name']\")?.value") == "iron-works",
                   20, "the settings")
        phone.type("[name='site.name']", "Iron Works")
        phone.type("[name='site.time_zone']", "Europe/Berlin")
        phone.tap("#settings-site button.go")
        phone.wait(lambda: site.ask("GET", "/api/v1/settings")["site"]["time_zone"] == "Europe/Berlin", 20, "the zone")

        phone.driver.get(site.address + "/setup")
        phone.taps += 1
        phone.wait(lambda: phone.state("site") == "done", 20, "the site has a name")
        phone.tap("[data-step=rooms] button")
        phone.tap("dialog button.go")
        phone.wait(lambda: phone.state("rooms") == "done" and phone.state("exercises") == "done", 30, "rooms")

        phone.tap("[data-step=nodes] a")
        phone.tap("#add-row")
        phone.type("dialog [name=name]", "Box at the bench")
        phone.choose("dialog [name=room]", "Free weights")
        phone.choose("dialog [name=station]", "Bench press")
        phone.tap("dialog button.go")
        phone.wait(lambda: site.ask("GET", "/api/v1/nodes")["nodes"], 20, "the node")
        node = site.ask("GET", "/api/v1/nodes")["nodes"][0]["id"]
        site.node(node, air.path)

        phone.driver.get(site.address + "/setup")
        phone.taps += 1
        phone.wait(lambda: phone.state("heard") == "done", 60, "the node is heard")
        phone.tap("[data-step=users] button")
        phone.type("dialog [name=name]", "Mia T.")
        phone.tap("dialog #strangers")
        air.levels[TAG] = -40
        phone.tap("dialog .heard button", "mac-c4a7f10b3321")
        phone.screenshot("first-run-person")
        phone.tap("dialog [name=invites]")
        phone.tap("dialog button.go", "Add")
        phone.wait(lambda: phone.run("return document.querySelector('dialog .secret')?.value ?? ''").startswith("http"),
                   20, "the invitation")
        phone.wait(lambda: phone.run("return document.querySelector('dialog svg, dialog img, dialog canvas') !== null"), 20, "its code")
        phone.tap("dialog button", "Done")
        air.levels[TAG] = -50
        phone.wait(lambda: phone.state("bench") == "done", 60, "somebody at the bench")
        took = time.monotonic() - begun
        phone.screenshot("first-run-done")
        print(f"from an empty site to somebody at the bench: {phone.taps} taps, {took:.0f} s")
        assert phone.taps <= MOST_TAPS and took < MOST_S
        person = site.ask("GET", "/api/v1/users")["users"][0]
        assert person["name"] == "Mia T."
        assert site.ask("GET", "/api/v1/accounts")["accounts"][-1]["user"] == person["id"]
        # The workout begins by itself, as the set of stations says.
        phone.wait(lambda: site.ask("GET", f"/api/v1/workouts?user={person['id']}")["workouts"], 60, "a workout")
    finally:
        phone.close()


def test_a_step_is_skipped_and_comes_back(empty):
    site, _ = empty
    phone = Phone()
    try:
        phone.driver.get(site.address + "/")
        phone.type("[name=code]", site.code)
        phone.type("[name=name]", "ada")
        phone.type("[name=password]", closed.PASSWORD)
        phone.tap("button.go")
        phone.wait(lambda: phone.connected, 30, "the live page")
        phone.driver.get(site.address + "/setup")
        phone.wait(lambda: phone.state("site") == "next", 20, "the first step")
        phone.tap("[data-step=site] button.quiet")
        phone.wait(lambda: phone.state("site") == "skipped" and phone.state("rooms") == "next", 20, "the next step")
        # It is remembered, and what is skipped can still be done.
        phone.driver.get(site.address + "/setup")
        phone.wait(lambda: phone.state("site") == "skipped", 20, "that it is skipped")
        site.ask("PATCH", "/api/v1/settings", {"site": {"name": "Iron Works"}})
        phone.wait(lambda: phone.state("site") == "done", 20, "that it is done all the same")
    finally:
        phone.close()


def test_two_who_claim_at_once_are_one_owner(empty):
    site, _ = empty
    phones = [Phone(), Phone()]
    try:
        for phone, name in zip(phones, ("ada", "bob")):
            phone.driver.get(site.address + "/")
            phone.type("[name=code]", site.code)
            phone.type("[name=name]", name)
            phone.type("[name=password]", closed.PASSWORD)
        for phone in phones:
            phone.run("document.querySelector('form').requestSubmit()")
        def outcome(phone):
            if phone.connected:
                return "in"
            return phone.run("return document.querySelector('.fault:not([hidden])') !== null") and "refused"
        outcomes = [phone.wait(lambda: outcome(phone), 30, "an outcome") for phone in phones]
        assert sorted(outcomes) == ["in", "refused"]
    finally:
        for phone in phones:
            phone.close()
