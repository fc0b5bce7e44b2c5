"""Mail: an owner sets a server, a member proves an address by a code, and what happens arrives there, read by a real server
of mail."""

import email
import email.policy
import queue
import re

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

import closed
from conftest import Page
from test_door import enter

pytestmark = pytest.mark.own_site

MEMBER = "u-k7m2qa"
ADDRESS = "mia+gym@example.org"


class Inbox:
    """Takes mail for everybody but `full@example.org`."""

    def __init__(self):
        self.mails = queue.Queue()

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address == "full@example.org":
            return "552 5.2.2 Mailbox full"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert session.host_name == "example.org", session.host_name
        self.mails.put((session.auth_data, envelope.mail_from, envelope.rcpt_tos, mail))
        return "250 OK"

    def next(self):
        return self.mails.get(timeout=20)


def authenticate(server, session, envelope, mechanism, data):
    return AuthResult(success=(data.login, data.password) == (b"gym", b'pass "word\\'), auth_data=data.login)


@pytest.fixture(scope="module")
def inbox():
    handler = Inbox()
    handler.port = closed.free_port()
    server = Controller(
        handler, hostname="127.0.0.1", port=handler.port, authenticator=authenticate, auth_require_tls=False)
    server.start()
    yield handler
    server.stop()


@pytest.fixture(scope="module")
def site(programs):
    with closed.Site(programs) as one:
        yield one


def signed_in(site, name, role, user, width):
    page = Page(width, 844)
    enter(page, site.invite(name, role, user), name)
    return page


@pytest.fixture(scope="module")
def owner(site):
    page = signed_in(site, "max", "owner", None, 1440)
    yield page
    page.close()


@pytest.fixture(scope="module")
def phone(site):
    page = signed_in(site, "mia", "member", MEMBER, 390)
    yield page
    page.close()


def check(site, way):
    site.ask("POST", f"/api/v1/attendance/check-{way}", {"user": MEMBER})


def go(page, site, path, selector):
    page.driver.get("about:blank")
    page.driver.get(site.address + path)
    page.wait(lambda: page.run("return document.querySelector(arguments[0])?.checkVisibility() ?? false", selector),
              20, selector)


def fill(page, form, **values):
    page.run("""
        const form = document.querySelector(arguments[0]);
        for (const [name, value] of Object.entries(arguments[1])) {
            const field = form.querySelector(`[name='${name}']`);
            field.value = value;
            field.dispatchEvent(new Event("input", { bubbles: true }));
        }
        form.requestSubmit();""", form, values)


def says(page, selector, text):
    return page.wait(lambda: text in page.run(
        "return document.querySelector(arguments[0])?.textContent ?? ''", selector), 20, f"{text} in {selector}")


def test_an_owner_sets_a_server_and_tries_it(site, owner, inbox):
    go(owner, site, "/settings#mail", "#mail-server")
    says(owner, "#mail-server-state", "no e-mails yet")
    fill(owner, "#mail-server", url="http://example.org", sender="gym@example.org")
    says(owner, "#mail-server .fault", "smtps://HOST")
    fill(owner, "#mail-server", url=f"smtp://127.0.0.1:{inbox.port}", sender="gym@example.org", username="gym",
         password='pass "word\\')
    says(owner, "#mail-server-state", "E-mails go out")
    fill(owner, "#mail-trial", address="max@example.org")
    user, sender, readers, mail = inbox.next()
    assert (user, sender, readers) == (b"gym", "gym@example.org", ["max@example.org"])
    assert mail["Subject"] == "E-mails work" and mail["Auto-Submitted"] == "auto-generated"
    says(owner, "#mail-trial-said", "Sent.")
    fill(owner, "#mail-trial", address="full@example.org")
    says(owner, "#mail-trial-said", "552")
    owner.screenshot("settings-mail")
    assert "pass \"word" not in str(site.ask("GET", "/api/v1/mail-server"))
    # The password stays, as it is sent to the same server.
    fill(owner, "#mail-server", sender="desk@example.org", password="")
    owner.wait(lambda: site.ask("GET", "/api/v1/mail-server")["sender"] == "desk@example.org", 20, "the sender")
    assert site.ask("GET", "/api/v1/mail-server")["has_password"]
    # A wrong password is no fault of whom it is for.
    site.ask("PUT", "/api/v1/mail-server", {
        "url": f"smtp://127.0.0.1:{inbox.port}", "sender": "desk@example.org", "username": "gym", "password": "wrong"})
    fill(owner, "#mail-trial", address="max@example.org")
    says(owner, "#mail-trial-said", "password is wrong")
    # Not to another one, nor without encryption over a network.
    site.ask("PUT", "/api/v1/mail-server", {"url": "smtp://192.0.2.1", "sender": "desk@example.org", "username": "gym"})
    assert not site.ask("GET", "/api/v1/mail-server")["has_password"]
    site.ask("PUT", "/api/v1/mail-server", {
        "url": f"smtp://127.0.0.1:{inbox.port}", "sender": "desk@example.org", "page": "https://gym.example.org"})


def test_a_member_proves_an_address_and_is_told_there(site, phone, inbox):
    go(phone, site, "/notices", "#mail-address")
    fill(phone, "#mail-address", address="mia")
    says(phone, "#mail-address .fault", "mia@example.org")
    fill(phone, "#mail-address", address=ADDRESS)
    _, _, readers, mail = inbox.next()
    assert readers == [ADDRESS]
    code = re.search(r"\b\d{6}\b", mail["Subject"]).group()
    assert code in mail.get_content()
    says(phone, "#mail-state", f"a code to {ADDRESS}")
    fill(phone, "#mail-code", code="x" * 6)
    says(phone, "#mail-code .fault", "not the code")
    check(site, "in")
    fill(phone, "#mail-code", code=code)
    says(phone, "#mail-state", f"go to {ADDRESS}")
    phone.screenshot("notices-mail")
    check(site, "out")
    _, sender, readers, mail = inbox.next()
    assert (sender, readers) == ("desk@example.org", [ADDRESS])
    text = mail.get_content()
    assert "https://gym.example.org/notices" in text and "turn them off" in text, text
    assert mail["Subject"] in text
    assert inbox.mails.empty(), "the code was proved after the first arrival"


def test_what_is_switched_off_is_not_mailed_and_an_address_is_taken_back(site, phone, inbox):
    go(phone, site, "/notices", "#mail-off")
    phone.wait(lambda: phone.run("return document.querySelector(\"[name='mail-arrival']\")?.checkVisibility()"), 20, "kinds")
    phone.run("document.querySelector(\"[name='mail-arrival']\").click();"
              "document.getElementById('notice-choice').requestSubmit()")
    says(phone, ".toasts", "Saved")
    check(site, "in")
    with pytest.raises(queue.Empty):
        inbox.mails.get(timeout=3)
    check(site, "out")
    assert inbox.next()[2] == [ADDRESS]
    phone.run("document.querySelector(\"[name='mail-arrival']\").click();"
              "document.getElementById('notice-choice').requestSubmit()")
    phone.wait(lambda: phone.run(
        "return (await (await fetch('/api/v1/notices/choice')).json()).mail.length") == 0, 20, "the choice")
    check(site, "in")
    assert inbox.next()[2] == [ADDRESS]
    phone.driver.find_element("id", "mail-off").click()
    says(phone, "#mail-state", "by e-mail, too")
    assert not phone.run("return document.querySelector(\"[name='mail-arrival']\").checkVisibility()")
    check(site, "out")
    check(site, "in")
    with pytest.raises(queue.Empty):
        inbox.mails.get(timeout=3)


def test_nobody_else_sees_an_address(site, owner, inbox):
    told = owner.run("return await (await fetch('/api/v1/notices/mail')).json()")
    assert told == {"offered": True}
    for table in ("mail_server", "mail_reader"):
        assert owner.run("return (await fetch(arguments[0])).status", f"/api/v1/reports/{table}") in (400, 404)
    assert ADDRESS not in (site.folder / "coordinator.log").read_text(encoding="utf-8")
