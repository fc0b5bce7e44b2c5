"""People at the door of the page: invited, signed in, bounded to themselves, signed out."""

import json
import pathlib
import urllib.error
import urllib.request

import pytest
from selenium.webdriver.common.by import By

from conftest import Page

PASSWORD = "a long enough phrase"


def ask(demo, method, path, body=None):
    """Asks as the owner of the demonstration's token."""
    token = pathlib.Path(demo["api_token_file"]).read_text(encoding="utf-8").strip()
    request = urllib.request.Request(
        demo["dashboard"].rstrip("/") + path, method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        text = answer.read()
        return json.loads(text) if text else None


@pytest.fixture
def phone(demo):
    """A page as wide as a phone, with nobody signed in."""
    page = Page(390, 844)
    yield page
    page.close()


def field(page, name):
    return page.driver.find_element(By.ID, name)


def shown(page, name):
    """The text of an element; of another page, on the way there, nothing."""
    # In one step: between two the page may be another one.
    return page.run("return document.getElementById(arguments[0])?.textContent ?? ''", name)


def send(page, **values):
    page.wait(lambda: page.driver.find_elements(By.CSS_SELECTOR, "#go:enabled"), 20, "the door")
    for name, value in values.items():
        element = field(page, name)
        element.clear()
        element.send_keys(value)
    field(page, "go").click()


def at_the_door(page):
    """At a site that nobody owns yet, the door asks for its code first; whoever has an account says so."""
    page.wait(lambda: page.driver.find_elements(By.CSS_SELECTOR, "#go:enabled"), 20, "the door")
    if shown(page, "title") == "Claim this site":
        field(page, "other").click()
    assert shown(page, "title") == "Sign in"


def test_a_member_is_invited_and_sees_themselves_only(demo, phone):
    people = ask(demo, "GET", "/api/v1/users?sort=id")["users"]
    own, other = people[0], people[1]
    made = ask(demo, "POST", "/api/v1/accounts",
               {"name": "mia", "role": "member", "user": own["id"]})
    driver = phone.driver
    driver.get(demo["dashboard"].rstrip("/") + made["path"])
    phone.wait(lambda: shown(phone, "title") == "Welcome", 20, "the invitation")
    assert "invite" not in driver.current_url, "the secret does not stay in the address"
    phone.screenshot("account-invitation")
    send(phone, password="short")
    phone.wait(lambda: "at least 10" in shown(phone, "fault"), 20, "the refusal")
    send(phone, password=PASSWORD)
    phone.wait(lambda: phone.connected and phone.rows("#people-rows"), 30, "live data")
    phone.wait(lambda: shown(phone, "account-name") == "mia (member)", 20, "the name")
    phone.screenshot("account-member")
    text = driver.find_element(By.TAG_NAME, "body").get_attribute("textContent")
    assert own["name"] in text
    assert other["name"] not in text
    assert len(phone.rows("#people-rows")) == 1

    field(phone, "account-name").click()
    phone.wait(lambda: phone.driver.find_elements(By.ID, "sign-out"), 20, "the account")
    phone.screenshot("account")
    field(phone, "sign-out").click()
    phone.wait(lambda: driver.current_url.endswith("/signin"), 20, "the address")
    at_the_door(phone)
    phone.screenshot("account-door")
    send(phone, name="mia", password="a wrong phrase!")
    phone.wait(lambda: "Wrong" in shown(phone, "fault"), 20, "the refusal")
    phone.screenshot("account-refused")
    send(phone, name="mia", password=PASSWORD)
    phone.wait(lambda: shown(phone, "account-name") == "mia (member)", 30, "signed in")

    # Whoever is let in no more is sent to the door while they look.
    ask(demo, "PATCH", "/api/v1/accounts/mia", {"disabled": True})
    phone.driver.get(demo["dashboard"].rstrip("/") + "/signin")
    at_the_door(phone)
    send(phone, name="mia", password=PASSWORD)
    phone.wait(lambda: "Wrong" in shown(phone, "fault"), 20, "the refusal")


def test_the_description_is_readable(demo, phone):
    phone.resize(1200, 900)
    phone.driver.get(demo["dashboard"].rstrip("/") + "/docs")
    phone.wait(lambda: len(phone.driver.find_elements(By.TAG_NAME, "details")) > 60, 20,
               "the operations")
    phone.driver.find_elements(By.TAG_NAME, "summary")[1].click()
    phone.screenshot("account-docs")
    assert not phone.complaints()


def test_a_program_may_not_what_its_token_does_not_say(demo):
    made = ask(demo, "POST", "/api/v1/tokens", {"name": "wall", "role": "screen"})
    request = urllib.request.Request(
        demo["dashboard"].rstrip("/") + "/api/v1/users",
        headers={"Authorization": "Bearer " + made["token"]})
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(request, timeout=20)
    assert refusal.value.code == 403
