"""Settings on the page: each with what it is usually, kept when two change them, refused where it cannot be; webhooks."""

import http.server
import threading

import pytest
from selenium.webdriver.common.by import By

from conftest import Page
from test_account import ask
from test_every_page import OWNER, session, set_cookie


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


@pytest.fixture(scope="module")
def phone(demo, base):
    page = Page(390, 844)
    set_cookie(page, base, *session(demo, base, OWNER, None))
    yield page
    page.close()


def open_group(page, base, name):
    # From elsewhere: another part of the address alone keeps the page, and with it a form that is still sending.
    page.driver.get("about:blank")
    page.driver.get(f"{base}/settings#{name}")
    return page.wait(lambda: page.run(
        "return document.getElementById('settings-' + arguments[0])?.open === true", name), 20, name)


def value(page, name):
    return page.run("return document.querySelector(`[name='${arguments[0]}']`)?.value", name)


def change(page, name, text):
    """Types into a field and sends its form."""
    page.run("""
        const field = document.querySelector(`dialog [name='${arguments[0]}']`) ??
            document.querySelector(`[name='${arguments[0]}']`);
        if (field.type === "checkbox") field.checked = arguments[1];
        else field.value = arguments[1];
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.form.requestSubmit();
    """, name, text)


def said(page):
    return page.run("return document.querySelector('.toast:last-child')?.textContent ?? ''")


def fault(page, name):
    return page.run("""
        const { form } = document.querySelector(`[name='${arguments[0]}']`);
        return form.querySelector(".fault:not([hidden])")?.textContent ?? "";
    """, name)


def test_every_setting_has_words_and_says_what_it_is_usually(phone, demo, base):
    open_group(phone, base, "attendance")
    declared = next(one for one in ask(demo, "GET", "/api/v1/operations")["operations"]
                    if one["name"] == "settings-change")["members"]
    shown = phone.run("""
        return [...document.querySelectorAll("#main [name]")].map((one) =>
            [one.name, one.closest(".field").querySelector("label").textContent]);
    """)
    missing = {one["name"] for one in declared} - {name for name, _ in shown}
    # A list of identities is for the file; until when nodes tell of others is a button of Devices.
    assert missing == {"allow", "publish_unregistered_until_ms"}
    assert [name for name, label in shown if label.startswith(name)] == []
    assert value(phone, "attendance.longest_session_s") == "14"
    hint = phone.run("""
        return document.querySelector("[name='attendance.longest_session_s']").closest(".field").textContent;
    """)
    assert "Default: 14." in hint and "Range: 1 to 36." in hint
    phone.screenshot("settings")


def test_what_is_saved_stands_in_the_file_and_in_the_audit(phone, demo, base):
    open_group(phone, base, "attendance")
    before = ask(demo, "GET", "/api/v1/settings")
    change(phone, "attendance.merge_gap_s", "10")
    phone.wait(lambda: said(phone) == "Saved.", 20, "that it is saved")
    after = ask(demo, "GET", "/api/v1/settings")
    assert after["attendance"]["merge_gap_s"] == 600
    assert {**after, "attendance": None} == {**before, "attendance": None}
    lines = ask(demo, "GET", "/api/v1/audit?limit=500")
    assert any("absences up to 600" in str(line) for line in lines["entries"]), lines
    change(phone, "attendance.merge_gap_s", "")
    phone.wait(lambda: ask(demo, "GET", "/api/v1/settings")["attendance"]["merge_gap_s"] == 300, 20, "the usual")


def test_who_was_quicker_is_seen_and_nothing_typed_is_lost(phone, demo, base):
    open_group(phone, base, "site")
    name = value(phone, "site.name")
    ask(demo, "PATCH", "/api/v1/settings", {"site": {"name": "Quicker"}})
    change(phone, "site.name", "Slower")
    phone.wait(lambda: "Name: Quicker" in fault(phone, "site.name"), 20, "who was quicker")
    assert value(phone, "site.name") == "Slower"
    # Something else that has changed is in nobody's way.
    ask(demo, "PATCH", "/api/v1/settings", {"burst": False, "profile": "ranging"})
    change(phone, "site.name", name)
    phone.wait(lambda: ask(demo, "GET", "/api/v1/settings")["site"]["name"] == name, 20, "the name")


@pytest.mark.parametrize("group,name,text,why", [
    ("site", "site.time_zone", "Mars/Base", "no such time zone"),
    ("site", "site.name", "", "Name"),
    ("attendance", "presence.site.leave_s", "20", "less than lost_s"),
    ("locating", "locating.quickness", "7", "1"),
    ("notices", "quiet", "22 to 7", "22:00"),
])
def test_what_cannot_be_is_said_at_its_field(phone, demo, base, group, name, text, why):
    open_group(phone, base, group)
    phone.wait(lambda: value(phone, name) is not None, 20, name)
    before = ask(demo, "GET", "/api/v1/settings")
    change(phone, name, text)
    phone.wait(lambda: why in fault(phone, name), 20, why)
    assert ask(demo, "GET", "/api/v1/settings") == before
    phone.run("for (const one of document.querySelectorAll('form[data-dirty]')) delete one.dataset.dirty")


def test_all_stations_of_a_kind_start_workouts(phone, demo, base):
    open_group(phone, base, "training")
    stations = ask(demo, "GET", "/api/v1/stations?limit=500")["stations"]
    kind = stations[0]["kind"]
    phone.run("document.querySelector(\"#settings-training [name='kind']\").value = arguments[0]", kind)
    change(phone, "auto_start_s", "33")
    phone.wait(lambda: "changed" in said(phone), 20, "how many have changed")
    after = ask(demo, "GET", "/api/v1/stations?limit=500")["stations"]
    assert {one["auto_start_s"] for one in after if one["kind"] == kind} == {33}
    assert [one for one in after if one["kind"] != kind] == [one for one in stations if one["kind"] != kind]


def test_a_webhook_is_added_tried_and_removed(phone, demo, base):
    heard = []

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            heard.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        open_group(phone, base, "webhooks")
        phone.wait(lambda: phone.run("return document.getElementById('add-webhook') !== null"), 20, "the button")
        phone.run("document.getElementById('add-webhook').click()")
        phone.wait(lambda: phone.driver.find_elements(By.CSS_SELECTOR, "dialog form"), 20, "a form")
        change(phone, "url", f"http://127.0.0.1:{server.server_port}/told")
        secret = phone.wait(lambda: phone.run("return document.querySelector('dialog .secret')?.value"), 20, "its secret")
        assert len(secret) > 20
        phone.run("document.querySelector('dialog').close()")
        line = "document.querySelector(\"[data-webhook]\")"
        phone.wait(lambda: phone.run(f"return {line} !== null"), 20, "the webhook")
        phone.run(f"{line}.querySelector('button').click()")
        phone.wait(lambda: phone.run(f"return {line}.dataset.trial") == "taken", 20, "a trial")
        assert len(heard) == 1
        phone.screenshot("settings-webhooks")
        phone.run(f"{line}.querySelector('.danger').click()")
        phone.wait(lambda: phone.driver.find_elements(By.CSS_SELECTOR, "dialog form"), 20, "a question")
        phone.run("document.querySelector('dialog form').requestSubmit()")
        phone.wait(lambda: ask(demo, "GET", "/api/v1/webhooks")["webhooks"] == [], 20, "no webhook")
    finally:
        server.shutdown()
        server.server_close()


def test_backups_and_health_are_told(phone, base):
    open_group(phone, base, "state")
    phone.wait(lambda: phone.run("return document.getElementById('state-nodes')?.textContent ?? ''").endswith(
        "nodes scanning."), 20, "how many nodes listen")
    assert "beaconmesh restore" in phone.run("return document.getElementById('state-restore').textContent")
