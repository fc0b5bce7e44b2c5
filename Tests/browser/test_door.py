"""The door of a site that shows nothing to whoever has not signed in, as phones meet it."""

import urllib.parse

import pytest
from selenium.webdriver.common.by import By

import closed
from closed import OWNER, PASSWORD
from test_account import field, send, shown

pytestmark = pytest.mark.own_site


@pytest.fixture
def phone(browser):
    """A page as wide as a phone, with nobody signed in."""
    return browser(width=390, height=844)


def at(page, site, path):
    """Waits until the page is at a path."""
    page.wait(lambda: page.driver.current_url == site.address + path, 20, path)


def open_door(page, site, path="/"):
    page.driver.get(site.address + path)
    page.wait(lambda: shown(page, "title") == "Sign in" and
              page.driver.find_elements(By.CSS_SELECTOR, "#go:enabled"), 20, "the door")


def signed_in(page, name=OWNER):
    page.wait(lambda: shown(page, "account-name").startswith(f"{name} ("), 30, "the page")
    page.wait(lambda: page.connected, 30, "live data")


def enter(page, invitation, name):
    """Takes an invitation, and waits for the first page."""
    page.driver.get(invitation)
    send(page, password=PASSWORD)
    signed_in(page, name)


def test_whoever_is_not_signed_in_comes_to_the_door(closed_site, phone):
    open_door(phone, closed_site)
    assert phone.driver.current_url == closed_site.address + "/signin?next=%2F"
    phone.screenshot("door")
    send(phone, name=OWNER, password=PASSWORD)
    signed_in(phone)
    at(phone, closed_site, "/")
    assert phone.complaints() == []


def test_whoever_followed_a_link_comes_back_to_it(closed_site, phone):
    open_door(phone, closed_site, "/?from=mail#people")
    assert "next=%2F%3Ffrom%3Dmail" in phone.driver.current_url
    send(phone, name=OWNER, password="a wrong phrase!")
    phone.wait(lambda: "Wrong" in shown(phone, "fault"), 20, "the refusal")
    send(phone, name=OWNER, password=PASSWORD)
    signed_in(phone)
    at(phone, closed_site, "/?from=mail#people")


def test_the_docs_are_behind_the_door(closed_site, phone):
    open_door(phone, closed_site, "/docs")
    send(phone, name=OWNER, password=PASSWORD)
    phone.wait(lambda: len(phone.driver.find_elements(By.TAG_NAME, "details")) > 60, 20,
               "the operations")
    at(phone, closed_site, "/docs")


def test_nobody_is_sent_elsewhere_by_the_door(closed_site, phone):
    for wanted in [
            "//evil.example/", "/\\evil.example/", "\\/evil.example/", "https://evil.example/",
            "https:evil.example", "javascript:alert(1)", "/\t/evil.example/", "/\n/evil.example/",
            "\x01//evil.example/", " //evil.example/", "evil", "", "/signin", "/signin?next=/"]:
        open_door(phone, closed_site, "/signin?next=" + urllib.parse.quote(wanted, safe=""))
        send(phone, name=OWNER, password=PASSWORD)
        at(phone, closed_site, "/")
        signed_in(phone)


def test_a_session_that_ends_leads_to_the_door(closed_site, phone):
    phone.driver.get(closed_site.invite("mary", "trainer"))
    send(phone, password=PASSWORD)
    signed_in(phone, "mary")
    closed_site.ask("PATCH", "/api/v1/accounts/mary", {"disabled": True})
    phone.wait(lambda: shown(phone, "title") == "Sign in", 30, "the door")


def test_a_session_that_ends_while_the_page_loads_leads_to_the_door(closed_site, phone):
    phone.driver.get(closed_site.invite("linus", "trainer"))
    send(phone, password=PASSWORD)
    signed_in(phone, "linus")
    # The page was let in; its stream is not any more.
    phone.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
        if (location.pathname === "/") {
            const asked = new XMLHttpRequest();
            asked.open("DELETE", "/api/v1/session", false);
            asked.send();
        }
    """})
    phone.driver.get(closed_site.address + "/")
    phone.wait(lambda: shown(phone, "title") == "Sign in", 30, "the door")
    assert phone.driver.current_url == closed_site.address + "/signin?next=%2F"


def test_an_invitation_says_whose_it_is(closed_site, phone):
    address = closed_site.invite("grace", "trainer")
    phone.driver.get(address)
    phone.wait(lambda: shown(phone, "title") == "Welcome", 20, "the invitation")
    assert shown(phone, "lead") == "Account at Iron Works: grace (trainer). Choose a password."
    name = field(phone, "name")
    assert name.is_displayed() and name.get_attribute("value") == "grace"
    assert name.get_attribute("readonly") and name.get_attribute("autocomplete") == "username"
    password = field(phone, "password")
    assert password.get_attribute("autocomplete") == "new-password"
    assert password.get_attribute("minlength") == "10" and password.get_attribute("required")
    assert password.get_attribute("aria-describedby") == "password-hint fault"
    phone.screenshot("door-invitation")
    send(phone, password="too short")
    phone.wait(lambda: "at least 10" in shown(phone, "fault"), 20, "the refusal")
    assert password.get_attribute("aria-invalid") == "true"
    send(phone, password=PASSWORD)
    signed_in(phone, "grace")
    assert phone.complaints() == []
    phone.driver.delete_all_cookies()

    # Whoever opens it once more learns what to do.
    phone.driver.get(address)
    phone.wait(lambda: shown(phone, "title") == "This link was already used", 20, "the way on")
    assert not phone.driver.find_elements(By.ID, "form")
    phone.screenshot("door-used")
    phone.driver.find_element(By.LINK_TEXT, "Sign in").click()
    phone.wait(lambda: shown(phone, "title") == "Sign in", 20, "the door")
    send(phone, name="grace", password=PASSWORD)
    signed_in(phone, "grace")


def test_a_link_that_is_too_old_says_so(closed_site, phone):
    address = closed_site.invite("old", "trainer")
    closed_site.sql("UPDATE invitation SET expires_ms = 1 WHERE account = "
                    "(SELECT id FROM account WHERE name = 'old')")
    phone.driver.get(address)
    phone.wait(lambda: shown(phone, "title") == "This link has expired", 20, "the way on")
    assert "Ask the person who sent it" in shown(phone, "lead")
    assert phone.driver.find_element(By.LINK_TEXT, "Sign in").is_displayed()


def test_an_unknown_path_is_a_page(closed_site, phone):
    phone.driver.get(closed_site.address + "/peopel")
    text = phone.text("main")
    assert "Not found." in text and "peopel" not in text
    phone.screenshot("unknown-path")
    phone.driver.find_element(By.LINK_TEXT, "Home").click()
    phone.wait(lambda: shown(phone, "title") == "Sign in", 20, "the door")


@pytest.mark.parametrize("path", ["/", "/api/v1/snapshot", "/api/v1/stream", "/peopel"])
def test_programs_are_told_what_is_missing(closed_site, path):
    assert closed_site.refusal("GET", path, token=False) == (401, "application/problem+json")
    if path == "/peopel":
        assert closed_site.refusal("GET", path) == (404, "application/problem+json")


def test_the_owner_is_told_which_characters_a_name_may_have(programs, phone):
    with closed.Site(programs, is_claimed=False) as site:
        phone.driver.get(site.address + "/")
        phone.wait(lambda: shown(phone, "title") == "Claim this site", 20, "the claim")
        assert field(phone, "name-hint").is_displayed()
        assert field(phone, "name").get_attribute("aria-describedby") == "name-hint fault"
        phone.screenshot("door-claim")
        send(phone, code=site.code, name="Ada Lovelace", password=PASSWORD)
        phone.wait(lambda: "no spaces" in shown(phone, "fault"), 20, "the refusal")
        send(phone, name="Ada", password=PASSWORD)
        signed_in(phone)
