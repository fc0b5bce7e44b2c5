"""What people may ask of whoever holds data about them: everything as a file, and to be forgotten, on the page."""

import json
import secrets

import pytest

from conftest import Page
from test_account import ask
from test_every_page import MEMBER, OWNER, session, set_cookie
from test_forms import fill, send

NAME = "Noor \u05d0\u05d1 <b>x</b> 🏋"
# What was erased never comes back under its id.
USER = f"u-erase-{secrets.token_hex(4)}"


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


@pytest.fixture(scope="module")
def phone(demo, base, tmp_path_factory):
    page = Page(390, 844)
    page.folder = tmp_path_factory.mktemp("saved")
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(page.folder)})
    set_cookie(page, base, *session(demo, base, OWNER, None))
    yield page
    page.close()


def saved(page, selector):
    """The file that a link saves."""
    before = set(page.folder.iterdir())
    page.wait(lambda: page.run("return document.querySelector(arguments[0]) !== null", selector), 30, selector)
    page.run("document.querySelector(arguments[0]).click()", selector)

    def new():
        return [one for one in set(page.folder.iterdir()) - before if not one.name.endswith(".crdownload") and one.stat().st_size > 0]
    return page.wait(new, 30, "a saved file")[0]


def test_everything_about_somebody_is_a_file_and_then_they_are_erased(phone, demo, base):
    ask(demo, "POST", "/api/v1/users", {"id": USER, "name": NAME})
    phone.driver.get(f"{base}/people/{USER}")
    file = saved(phone, "#export-person")
    assert file.name == f"{USER}.json"
    assert json.loads(file.read_text(encoding="utf-8"))["tables"]["user"][0]["name"] == NAME
    assert any(one["action"] == "export" for one in ask(demo, "GET", "/api/v1/audit?limit=500")["entries"])

    phone.run("document.querySelector('#erase-person').click()")
    form = "dialog form"
    phone.wait(lambda: phone.run("return document.querySelector('dialog form') !== null"), 10, "the box")
    phone.screenshot("person-erase")
    fill(phone, form, {"typed": "Noor"})
    send(phone, form)
    phone.wait(lambda: phone.run("""
        return document.querySelector('dialog form .fault:not([hidden])')?.textContent ?? ''
    """).startswith("That is not"), 10, "why not")
    assert any(one["id"] == USER for one in ask(demo, "GET", "/api/v1/users?limit=500")["users"])
    fill(phone, form, {"typed": NAME})
    send(phone, form)
    phone.wait(lambda: phone.run("return document.querySelector('#data')?.textContent ?? ''").find("no longer be read") >= 0,
               30, "that they are erased")
    assert phone.run("return document.querySelector('.toast:last-child').textContent") == "Erased."
    assert not any(one["id"] == USER for one in ask(demo, "GET", "/api/v1/users?limit=500")["users"])
    assert phone.complaints() == []


def test_somebody_who_is_in_is_not_erased_and_why_is_said(phone, demo, base):
    def somebody_in():
        topics = ask(demo, "GET", "/api/v1/snapshot")["topics"]
        return next((topic.split("/")[-2] for topic, payload in topics.items()
                     if topic.endswith("/attendance") and payload["state"] == "in"), None)
    present = phone.wait(somebody_in, 60, "somebody in")
    phone.driver.get(f"{base}/people/{present}")
    phone.wait(lambda: phone.run("return document.querySelector('#erase-person') !== null"), 30, "the button")
    name = phone.wait(lambda: phone.run("return document.querySelector('h1').textContent"), 30, "their name")
    phone.run("document.querySelector('#erase-person').click()")
    phone.wait(lambda: phone.run("return document.querySelector('dialog form') !== null"), 10, "the box")
    fill(phone, "dialog form", {"typed": name})
    send(phone, "dialog form")
    fault = phone.wait(lambda: phone.run("""
        return document.querySelector('dialog form .fault:not([hidden])')?.textContent ?? ''
    """), 20, "why not")
    assert "they are in; check them out" in fault
    assert any(one["id"] == present for one in ask(demo, "GET", "/api/v1/users?limit=500")["users"])


def test_people_have_their_own_on_the_page_of_their_account(demo, base, tmp_path):
    page = Page(390, 844)
    try:
        page.folder = tmp_path
        page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
        # Each person has one account at most, and the first belongs to another test.
        taken = {one.get("user"): one["name"] for one in ask(demo, "GET", "/api/v1/accounts")["accounts"]}
        people = [one["id"] for one in ask(demo, "GET", "/api/v1/users?sort=id&limit=500")["users"]]
        user = next(one for one in people[1:] if taken.get(one, "data-member") == "data-member")
        set_cookie(page, base, *session(demo, base, MEMBER, user, "data-member"))
        page.driver.get(f"{base}/account")
        file = saved(page, "#export-person")
        own = json.loads(file.read_text(encoding="utf-8"))
        assert file.name == f"{user}.json" and own["user"] == user
        assert page.run("return document.querySelector('#erase-person')") is None
    finally:
        page.close()
