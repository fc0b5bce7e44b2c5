"""What reaches people while no page is open, and what stays of a page without its coordinator.

The push service is the test's own: it takes what the site sends, as a browser's maker does, opens it with the key that
only the browser has, and gives it to the browser's worker.
"""

import base64
import http.server
import json
import os
import signal
import threading
import time
import urllib.error

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import closed
from test_door import enter

pytestmark = pytest.mark.own_site

ADA, GRACE = "u-k7m2qa", "u-3fvx7d"


def text_of(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def bytes_of(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """The keys of a browser, and how it opens a message (RFC 8291 3)."""

    def __init__(self):
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.shared = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        self.auth = os.urandom(16)

    def open(self, body):
        salt, length = body[:16], body[20]
        theirs, sealed = body[21:21 + length], body[21 + length:]
        secret = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
        start = HKDF(hashes.SHA256(), 32, self.auth, b"WebPush: info\0" + self.shared + theirs).derive(secret)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(start)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(start)
        record = AESGCM(key).decrypt(nonce, sealed, None)
        assert record[-1] == 2, "one record, the last one"
        return json.loads(record[:-1])


class Service:
    """Takes messages, and answers with `status`."""

    def __init__(self):
        self.taken = []
        self.status = 201
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.taken.append((self.path, dict(self.headers), body))
                self.send_response(service.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def wait(self, count, seconds=20):
        end = time.monotonic() + seconds
        while len(self.taken) < count and time.monotonic() < end:
            time.sleep(0.05)
        return self.taken


@pytest.fixture(scope="module")
def service():
    one = Service()
    yield one
    one.close()


@pytest.fixture(scope="module")
def site(programs, service):
    with closed.Site(programs, http=f", push_services: ['{service.origin}']") as one:
        yield one


@pytest.fixture(scope="module")
def invited(site):
    """Whose account is whose."""
    return {name: site.invite(name, role, user) for name, role, user in (
        ("mia", "member", ADA), ("max", "manager", None))}


@pytest.fixture(scope="module")
def phones():
    return {}


@pytest.fixture
def phone(site, invited, phones):
    """A browser where somebody is signed in; one for the whole file."""
    from conftest import Page

    def find(name):
        if name not in phones:
            phones[name] = Page(width=390, height=844)
            enter(phones[name], invited[name], name)
        return phones[name]

    return find


@pytest.fixture(scope="module", autouse=True)
def close_phones(phones):
    yield
    for page in phones.values():
        page.close()


def ask(page, method, path, body=None):
    """What a page is answered: the status and the answer."""
    return page.run("""
        const [method, path, body] = arguments;
        const answer = await fetch(path, {
            method, body: body === null ? undefined : JSON.stringify(body),
            headers: body === null ? {} : { "Content-Type": "application/json" },
        });
        const text = await answer.text();
        return [answer.status, text === "" ? null : JSON.parse(text)];""", method, path, body)


def subscribe(page, service, browser, name="a", language="de"):
    return ask(page, "POST", "/api/v1/push/subscriptions", {
        "endpoint": f"{service.origin}/{name}", "p256dh": text_of(browser.shared), "auth": text_of(browser.auth),
        "language": language})


def clear(page, service):
    for one in ask(page, "GET", "/api/v1/push/subscriptions")[1]["subscriptions"]:
        ask(page, "DELETE", f"/api/v1/push/subscriptions/{one['id']}")
    service.taken.clear()
    service.status = 201


def arrive(site, user=ADA):
    """Something that Ada is told of."""
    site.ask("POST", "/api/v1/attendance/check-in", {"user": user})


def leave(site, user=ADA):
    try:
        site.ask("POST", "/api/v1/attendance/check-out", {"user": user})
    except urllib.error.HTTPError as error:
        assert error.code == 409, error


def test_a_message_reaches_the_browser_and_nobody_else_reads_it(site, service, phone):
    page = phone("mia")
    clear(page, service)
    leave(site)
    browser = Browser()
    assert subscribe(page, service, browser)[0] == 204
    site_key = bytes_of(ask(page, "POST", "/api/v1/push/key", {})[1]["key"])
    begun = time.monotonic()
    arrive(site)
    (path, headers, body), *_ = service.wait(1)
    print(f"\nfrom what happened to the push service: {time.monotonic() - begun:.2f} s")
    assert path == "/a" and headers["Content-Encoding"] == "aes128gcm" and int(headers["TTL"]) > 0
    # In her language, by what happened.
    told = browser.open(body)
    assert told["title"] == "Iron Works" and told["body"] == "Sie sind gekommen" and told["path"] == "/notices", told
    # No word of it can be read on the way, and the site proves that it is the one.
    assert b"Iron" not in body and b"gekommen" not in body
    scheme, _, rest = headers["Authorization"].partition(" ")
    mark = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = mark["t"].split(".")
    said = json.loads(bytes_of(claims))
    assert scheme == "vapid" and said["aud"] == service.origin and 0 < said["exp"] - time.time() < 86_400
    assert bytes_of(mark["k"]) == site_key
    pair = bytes_of(signature)
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), site_key).verify(
        utils.encode_dss_signature(int.from_bytes(pair[:32]), int.from_bytes(pair[32:])), f"{head}.{claims}".encode(),
        ec.ECDSA(hashes.SHA256()))
    # The browser's worker shows it, while no page of ours needs to be open.
    show(page, site, told)
    clear(page, service)


def show(page, site, told):
    """Gives a message to the worker as the browser's maker does, and waits for what it shows."""
    page.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["notifications"], "origin": site.address})
    page.driver.get(site.address + "/notices")
    page.wait(lambda: page.run("return (await navigator.serviceWorker.ready).active?.state") == "activated", 20, "the worker")
    page.driver.execute_cdp_cmd("ServiceWorker.enable", {})
    # The browser counts the workers of a profile; which number ours has it tells by events only.
    for number in range(8):
        page.driver.execute_cdp_cmd("ServiceWorker.deliverPushMessage", {
            "origin": site.address, "registrationId": str(number), "data": json.dumps(told)})
    shown = page.wait(lambda: page.run("""
        const shown = await (await navigator.serviceWorker.ready).getNotifications();
        return shown.map((one) => [one.title, one.body, one.data.path]);"""), 10, "what is shown")
    assert shown == [[told["title"], told["body"], told["path"]]]


def test_a_browser_that_is_gone_is_forgotten(site, service, phone):
    page = phone("mia")
    clear(page, service)
    leave(site)
    service.status = 410
    subscribe(page, service, Browser())
    arrive(site)
    service.wait(1)
    page.wait(lambda: ask(page, "GET", "/api/v1/push/subscriptions")[1]["subscriptions"] == [], 10, "that it is forgotten")
    leave(site)
    time.sleep(1)
    assert len(service.taken) == 1, "nothing more is sent there"


def test_a_service_that_fails_is_asked_again(site, service, phone):
    page = phone("mia")
    clear(page, service)
    leave(site)
    browser = Browser()
    subscribe(page, service, browser, language="en")
    service.status = 503
    arrive(site)
    service.wait(2)
    assert len(service.taken) >= 2
    service.status = 201
    count = len(service.taken)
    service.wait(count + 1)
    assert browser.open(service.taken[-1][2])["body"] == "You arrived"
    time.sleep(1.5)
    assert len(service.taken) == count + 1, "what was taken is not sent again"
    clear(page, service)


@pytest.mark.parametrize("endpoint", [
    "https://192.168.1.1/x", "https://10.0.0.5/x", "http://127.0.0.1:1/x", "https://localhost/x", "https://push.example/x",
    "http://fcm.googleapis.com/x", "https://fcm.googleapis.com:8443/x", "https://user@fcm.googleapis.com/x",
    "https://fcm.googleapis.com.evil.example/x", "file:///etc/passwd", "https://fcm.googleapis.com/\"\nurl=x"])
def test_other_addresses_are_refused(service, phone, endpoint):
    page = phone("mia")
    browser = Browser()
    status, problem = ask(page, "POST", "/api/v1/push/subscriptions", {
        "endpoint": endpoint, "p256dh": text_of(browser.shared), "auth": text_of(browser.auth), "language": "en"})
    assert status == 400 and "endpoint" in problem["detail"], problem


def test_a_thousand_browsers_of_one_account_are_ten(service, phone):
    page = phone("mia")
    clear(page, service)
    browser = Browser()
    body = {"p256dh": text_of(browser.shared), "auth": text_of(browser.auth), "language": "en"}
    statuses = page.run("""
        const [origin, body] = arguments;
        const statuses = new Set();
        for (let number = 0; number < 300; number += 1) {
            const answer = await fetch("/api/v1/push/subscriptions", {
                method: "POST", headers: { "Content-Type": "application/json" },
                body: JSON.stringify({ ...body, endpoint: `${origin}/many/${number}` }),
            });
            statuses.add(answer.status);
        }
        return [...statuses];""", service.origin, body)
    assert statuses == [204]
    assert len(ask(page, "GET", "/api/v1/push/subscriptions")[1]["subscriptions"]) == 10
    clear(page, service)


def test_what_is_switched_off_is_not_told(site, service, phone):
    page = phone("mia")
    clear(page, service)
    leave(site)
    subscribe(page, service, Browser(), language="en")
    page.driver.get(site.address + "/notices")
    page.wait(lambda: page.run("return document.querySelector('#notice-choice:not([hidden])') !== null"), 20, "the choice")
    # Arrivals neither on the page nor as a message.
    page.run("""
        for (const name of ["page-arrival", "push-arrival"]) {
            const box = document.querySelector(`#notice-choice [name="${name}"]`);
            box.checked = false;
            box.dispatchEvent(new Event("input", { bubbles: true }));
        }
        document.querySelector("#notice-choice [type=submit]").click();""")
    page.wait(lambda: ask(page, "GET", "/api/v1/notices/choice")[1]["push"] == ["arrival"], 10, "that it is saved")
    page.driver.get(site.address + "/me")
    page.wait(lambda: page.connected, 20, "live data")
    arrive(site)
    time.sleep(3)
    assert service.taken == [] and page.run("return document.querySelectorAll('.toast').length") == 0
    # What is not switched off is.
    leave(site)
    assert len(service.wait(1)) == 1
    page.wait(lambda: page.run("return document.querySelector('.toast')?.textContent") == "You left", 10, "the word")
    ask(page, "PUT", "/api/v1/notices/choice", {})
    assert ask(page, "GET", "/api/v1/notices/choice")[1] == {"page": [], "push": [], "mail": []}
    assert ask(page, "PUT", "/api/v1/notices/choice", {"page": ["nonsense"]})[0] == 400
    clear(page, service)


def test_without_its_coordinator_a_page_shows_what_was(site, phone):
    page = phone("max")
    page.driver.get(site.address + "/stations")
    page.wait(lambda: page.run("return document.querySelectorAll('#tiles > li').length") == 5, 20, "the stations")
    page.wait(lambda: page.run("return (await navigator.serviceWorker.ready).active?.state") == "activated", 20, "the worker")
    # Loaded once more, so that the worker has it; what is left is kept as it was.
    page.driver.get(site.address + "/stations")
    page.wait(lambda: page.connected and page.run("return document.querySelectorAll('#tiles > li').length") == 5, 20, "them again")
    page.wait(lambda: page.run("return (await (await caches.open('beaconmesh-pages')).match('/last/stations')) !== undefined"), 20,
              "that it is kept")
    page.driver.get(site.address + "/notices")
    page.wait(lambda: page.connected, 20, "another page")
    coordinator = site._running[1]
    coordinator.send_signal(signal.SIGSTOP)
    try:
        page.driver.get(site.address + "/stations")
        page.wait(lambda: page.run("return document.querySelectorAll('#tiles > li').length") == 5, 30, "the stations as they were")
        page.wait(lambda: "as of" in page.text("#banner"), 10, "of when they are")
    finally:
        coordinator.send_signal(signal.SIGCONT)
    page.wait(lambda: page.connected and page.run("return document.getElementById('banner').hidden"), 60, "live data")
    # Who signs out leaves nothing behind for the next.
    page.driver.get(site.address + "/account")
    page.wait(lambda: page.run("return document.getElementById('sign-out') !== null"), 20, "the button")
    page.run("document.getElementById('sign-out').click()")
    page.wait(lambda: "/signin" in page.driver.current_url, 20, "the door")
    assert page.run("return (await (await caches.open('beaconmesh-pages')).keys()).map((one) => one.url)") == []


def test_a_worker_of_an_older_release_goes(site, phone):
    page = phone("mia")
    page.driver.get(site.address + "/")
    page.wait(lambda: page.connected, 20, "live data")
    page.complaints()
    page.run("await caches.open('/p/0000000000000000/'); await (await navigator.serviceWorker.ready).unregister();")
    assert "/p/0000000000000000/" in page.run("return await caches.keys()")
    page.driver.get(site.address + "/me")
    page.wait(lambda: page.run("return !(await caches.keys()).includes('/p/0000000000000000/')"), 20, "that its files are gone")
    assert page.complaints() == []
