"""Cards of stations and tags: set up on the page, live elsewhere, from a file and from an address, and for visitors."""

import base64
import contextlib
import http.server
import json
import struct
import threading
import time
import urllib.error
import urllib.request
import zlib

import pytest

from closed import OWNER, PASSWORD
from radio import Radio
from test_account import send
from test_door import open_door, signed_in
from test_setup import fill, lines, touch

pytestmark = pytest.mark.own_site

HOSTILE = "<img src=x onerror=alert(1)> \"&amp;"


@pytest.fixture
def owner(closed_site, browser):
    page = browser(width=390, height=844)
    open_door(page, closed_site)
    send(page, name=OWNER, password=PASSWORD)
    signed_in(page)
    return page


@pytest.fixture
def visitor(browser):
    return browser(width=390, height=844)


def card(page, selector):
    """What a card shows."""
    return page.run("""
        const card = document.querySelector(arguments[0]);
        if (card === null || card.hidden) return null;
        const [picture, words] = card.children;
        const [title, subtitle, text, link] = words.children;
        const said = (one) => one.hidden ? "" : one.textContent;
        return { title: said(title), subtitle: said(subtitle), text: said(text), link: link.hidden ? "" : link.href,
            opens: [link.target, link.rel], picture: picture.hidden ? 0 : picture.naturalWidth };
    """, selector)


def png(width=8, height=6):
    """A PNG with a text in it that says where it was taken."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    pixels = b"".join(b"\0" + bytes([200, 80, 40]) * width for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"tEXt", b"Location\0at her house") + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))


def choose_file(page, selector, name, media):
    """A picture that the browser itself draws, given to a field of files as a person chooses one."""
    page.driver.set_script_timeout(20)
    page.driver.execute_async_script("""
        const [selector, name, media, done] = arguments;
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [320, 200];
        const context = canvas.getContext("2d");
        context.fillStyle = "#b34700";
        context.fillRect(20, 20, 280, 160);
        canvas.toBlob((blob) => {
            const given = new DataTransfer();
            given.items.add(new File([blob], name, { type: media }));
            const field = document.querySelector(selector);
            field.files = given.files;
            field.dispatchEvent(new Event("change", { bubbles: true }));
            done();
        }, media);
    """, selector, name, media)


def test_a_card_with_a_picture_is_on_every_page_at_once(closed_site, owner, browser):
    other = browser(width=1440, height=900)
    open_door(other, closed_site, "/stations/rower")
    send(other, name=OWNER, password=PASSWORD)
    signed_in(other)
    owner.driver.get(closed_site.address + "/stations/rower")
    touch(owner, "a", "Add a card")
    owner.wait(lambda: owner.driver.find_elements("css selector", "#card-picture"), 20, "the form")
    choose_file(owner, "#card-picture", "My Rower.JPG", "image/jpeg")
    owner.wait(lambda: owner.run("return document.querySelector('dialog form').elements.namedItem('picture').value") ==
               "my-rower.png", 20, "the upload")
    fill(owner, {"title": HOSTILE, "subtitle": "By the window", "text": "Feet first.\nThen pull.",
                 "link": "https://example.org/rowing"})
    owner.screenshot("card-form-390")
    touch(owner, "dialog form button[type=submit]")
    begun = time.monotonic()
    other.wait(lambda: (card(other, "#station-card") or {}).get("picture") == 320, 20, "the card")
    print(f"a card is on another page {time.monotonic() - begun:.2f} s after it was sent")
    told = card(other, "#station-card")
    assert told["title"] == HOSTILE and told["text"] == "Feet first.\nThen pull.", told
    assert told["link"] == "https://example.org/rowing" and told["opens"] == ["_blank", "noopener noreferrer external"]
    other.screenshot("station-with-a-card-1440")
    # What is no link is refused at its field.
    owner.wait(lambda: lines(owner), 20, "the list")
    touch(owner, "#setup-rows button", "")
    fill(owner, {"link": "javascript:alert(1)"})
    touch(owner, "dialog form button[type=submit]")
    owner.wait(lambda: "https://" in owner.run("return document.querySelector('dialog .fault').textContent"), 20, "a fault")
    assert owner.run("return document.querySelector('dialog form').elements.namedItem('link').getAttribute('aria-invalid')") == "true"
    assert card(other, "#station-card")["link"] == "https://example.org/rowing"
    assert [one for one in owner.complaints() if "400" not in one] == [] and other.complaints() == []


def test_a_picture_is_its_pixels_and_nothing_else(closed_site):
    kept = closed_site.ask("PUT", "/api/v1/pictures/small.png", {"png": base64.b64encode(png()).decode()})
    assert kept["name"] == "small.png"
    request = urllib.request.Request(closed_site.address + "/api/v1/pictures/small.png", headers={
        "Authorization": "Bearer " + (closed_site.folder / "token").read_text().strip()})
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.headers["Content-Type"] == "image/png" and answer.headers["X-Content-Type-Options"] == "nosniff"
        stored = answer.read()
    assert stored.startswith(b"\x89PNG") and b"her house" not in stored
    bomb = bytearray(png())
    bomb[16:24] = struct.pack(">II", 60_000, 60_000)
    bomb[29:33] = struct.pack(">I", zlib.crc32(bytes(bomb[12:29])))
    for bad in [bytes(bomb), b"\xff\xd8\xff\xe0" + bytes(200), b"GIF89a" + bytes(200), b"<svg onload='alert(1)'/>", png()[:40],
                b"\x89PNG\r\n\x1a\n" + b"<script>" * 100]:
        sent = {"png": base64.b64encode(bad).decode()}
        assert closed_site.refusal("PUT", "/api/v1/pictures/bad.png", body=sent)[0] == 400, bad[:20]
    for name in ["..", "a%2Fb", ".hidden", "%2e%2e%2fsite.sqlite", "x" * 65]:
        assert closed_site.refusal("PUT", f"/api/v1/pictures/{name}", body={"png": base64.b64encode(png()).decode()})[0] in (400, 404)
    assert [one["name"] for one in closed_site.ask("GET", "/api/v1/pictures")["pictures"] if "bad" in one["name"]] == []


def test_whoever_passes_by_sees_a_station_and_nobody(closed_site, owner, visitor):
    closed_site.ask("PUT", "/api/v1/cards/of-rack", {
        "title": "Squat rack", "subtitle": "Wipe it down", "station": "rack", "language": "en"})
    closed_site.ask("PUT", "/api/v1/cards/of-rack-de", {"title": "Kniebeugen", "station": "rack", "language": "de"})
    # Nothing, before the site wants it.
    visitor.driver.get(closed_site.address + "/v/rack")
    visitor.wait(lambda: "nothing here for visitors" in visitor.run("return document.getElementById('main').innerText"), 20, "no")
    owner.driver.get(closed_site.address + "/settings#content")
    owner.wait(lambda: owner.driver.find_elements("css selector", "#settings-content form input[type=checkbox]"), 20, "settings")
    owner.run("""
        const form = document.querySelector("#settings-content form");
        form.elements.namedItem("content.visitors").click();
        form.querySelector("button[type=submit]").click();""")
    visitor.wait(lambda: (card(visitor, "#visit-card") or {}).get("title") == "Squat rack", 20, "the card")
    assert visitor.run("return document.documentElement.scrollWidth") == 390
    visitor.screenshot("visit-390")
    near = visitor.run("return [...document.querySelectorAll('#visit-near a')].map((one) => one.getAttribute('href'))")
    assert near == ["/v/bench"], near
    told = json.loads(urllib.request.urlopen(closed_site.address + "/api/v1/visits/rack", timeout=20).read())
    assert [one["title"] for one in told["cards"]] == ["Squat rack", "Kniebeugen"] and told["kind"] == "station"
    assert not {"user", "users", "by", "here"} & set(told)
    # A tag that somebody carries is nobody else's business, with or without a card.
    tags = closed_site.ask("GET", "/api/v1/beacons")["beacons"]
    carried = next(one["id"] for one in tags if one.get("user"))
    closed_site.ask("PUT", "/api/v1/cards/of-tag", {"title": "Her tag", "beacon": carried})
    # One that nobody carries is shown: then hers is told on the topic, too.
    closed_site.ask("PUT", "/api/v1/beacons/exhibit-0", {"title": "Exhibit", "identity": "mac-c0ffee000040"})
    closed_site.ask("PUT", "/api/v1/cards/of-exhibit", {"title": "An exhibit", "beacon": "exhibit-0"})

    def seen(path):
        try:
            return json.loads(urllib.request.urlopen(f"{closed_site.address}/api/v1/visits/{path}", timeout=20).read())["cards"][0]["title"]
        except urllib.error.HTTPError as refused:
            return refused.code
    until(lambda: seen("exhibit-0") == "An exhibit", 10, "a tag that nobody carries")
    for path in [carried, "no-such", "..%2f", "rack/pictures/site.sqlite", "rack/pictures/small.png"]:
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{closed_site.address}/api/v1/visits/{path}", timeout=20)
        assert refused.value.code == 404
    closed_site.ask("DELETE", "/api/v1/cards/of-tag")
    # The sheet of codes has those for visitors then.
    owner.driver.get(closed_site.address + "/stations")
    touch(owner, "button", "QR")
    owner.wait(lambda: owner.run("return document.querySelectorAll('dialog .qr').length") > 3, 20, "codes")
    owner.run("""
        const choice = document.getElementById("codes-of");
        choice.value = "v";
        choice.dispatchEvent(new Event("change"));""")
    owner.wait(lambda: owner.run("return document.querySelectorAll('dialog .qr').length") > 3, 20, "codes for visitors")
    assert owner.complaints() == []
    assert [one for one in visitor.complaints() if "404" not in one] == []


class Source:
    """A web server with a list, which tells what it was asked."""

    def __init__(self, text):
        self.text, self.tag, self.kind, self.asked = text, '"1"', "file", []
        source = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                source.asked.append((self.path, self.headers.get("If-None-Match")))
                if self.path.startswith("/images/"):
                    self.send_response(200 if self.path == "/images/chapel.png" else 404)
                    self.end_headers()
                    if self.path == "/images/chapel.png":
                        self.wfile.write(png())
                elif source.kind == "away":
                    self.send_response(302)
                    self.send_header("Location", "http://169.254.169.254/latest/")
                    self.end_headers()
                elif source.kind == "endless":
                    self.send_response(200)
                    self.end_headers()
                    with contextlib.suppress(OSError):
                        while True:
                            self.wfile.write(b"[" * 65536)
                elif self.headers.get("If-None-Match") == source.tag:
                    self.send_response(304)
                    self.end_headers()
                else:
                    self.send_response(200)
                    self.send_header("ETag", source.tag)
                    self.end_headers()
                    self.wfile.write(source.text.encode())

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/beacons.json"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def source():
    made = Source(json.dumps({"data": {"beacons": {"456": {"title": "Chapel", "image": "chapel"}}}}))
    yield made
    made.close()


def until(condition, seconds, what):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.2)


def titles(site):
    return {one["minor"]: one["title"] for one in site.ask("GET", "/api/v1/cards?limit=500")["cards"] if "minor" in one}


def state(site):
    return site.ask("GET", "/api/v1/content/source")


def test_an_address_is_followed_and_what_is_broken_there_changes_nothing(closed_site, source):
    closed_site.ask("PATCH", "/api/v1/settings", {"content": {"source": source.url}})
    until(lambda: "our own network" in state(closed_site).get("fault", ""), 20, "the refusal of a machine of our own")
    assert source.asked == [] and titles(closed_site) == {}
    closed_site.ask("PATCH", "/api/v1/settings", {"content": {"private_source": True}})
    closed_site.ask("POST", "/api/v1/content/refresh", {})
    until(lambda: titles(closed_site) == {456: "Chapel"}, 20, "the card")
    until(lambda: "chapel" in [one["name"] for one in closed_site.ask("GET", "/api/v1/pictures")["pictures"]], 20, "its picture")

    def again(fault=None):
        before = state(closed_site).get("asked_ms", 0)
        closed_site.ask("POST", "/api/v1/content/refresh", {})
        until(lambda: state(closed_site).get("asked_ms", 0) > before, 45, "an answer")
        told = state(closed_site).get("fault")
        assert told is None if fault is None else fault in told, told

    again()
    assert source.asked[-1] == ("/beacons.json", '"1"')
    source.tag, source.text = '"2"', '{"data": {"beacons": {"456": {"title": "The chapel"}, "7": {"title": "Seven"}}}}'
    again()
    assert titles(closed_site) == {456: "The chapel", 7: "Seven"}
    source.tag = '"3"'
    for text, fault in [("{", "no list of beacons"), ('{"7": {"title": 7}}', "beacon 7: title"),
                        ('{"7": {"title": "x", "url": "data:text/html,x"}}', "beacon 7: link")]:
        source.text = text
        again(fault)
    source.kind = "away"
    again("elsewhere now")
    source.kind = "endless"
    begun = time.monotonic()
    again("too long")
    print(f"an endless answer is given up after {time.monotonic() - begun:.1f} s")
    assert titles(closed_site) == {456: "The chapel", 7: "Seven"}
    source.kind, source.tag, source.text = "file", "x" * 5000, '{"7": {"title": "Seven"}}'
    again()
    assert titles(closed_site) == {7: "Seven"}
    closed_site.ask("PATCH", "/api/v1/settings", {"content": {"source": None, "private_source": False}})


def test_a_file_is_imported_on_the_page_and_saved_again(closed_site, owner, tmp_path):
    owner.driver.get(closed_site.address + "/settings#content")
    owner.wait(lambda: owner.driver.find_elements("css selector", "#content-file"), 20, "the settings")
    text = '{\n  "beacons": {\n    "9": {\n      "title": "Nine",\n      "image": "nine.png"\n    }\n  }\n}\n'
    file = tmp_path / "beacons.json"
    file.write_text(text, encoding="utf-8")
    field = owner.driver.find_element("css selector", "#content-file")
    field.send_keys(str(file))
    owner.wait(lambda: "1 added" in owner.run("return document.getElementById('content-said').textContent"), 20, "the import")
    assert "nine.png" in owner.run("return document.getElementById('content-said').nextElementSibling.textContent")
    owner.screenshot("content-settings-390")
    request = urllib.request.Request(closed_site.address + "/api/v1/content", headers={
        "Authorization": "Bearer " + (closed_site.folder / "token").read_text().strip()})
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.read().decode() == text
    file.write_text('{"9": {"title": "Nine", "url": "javascript:alert(1)"}}', encoding="utf-8")
    field.send_keys(str(file))
    owner.wait(lambda: "beacon 9" in owner.run("return document.querySelector('#settings-content .fault:not([hidden])')?.textContent ?? ''"),
               20, "the fault")
    assert titles(closed_site)[9] == "Nine"
    # The same by the verb, with its picture beside it.
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "nine.png").write_bytes(png())
    file.write_text(text, encoding="utf-8")
    closed_site.verb("content", "import", "--database", closed_site.database, file)
    assert "nine.png" in [one["name"] for one in closed_site.ask("GET", "/api/v1/pictures")["pictures"]]
    assert closed_site.verb("content", "export", "--database", closed_site.database) == text


def test_a_tag_in_range_is_shown_with_its_group_and_card(closed_site, owner, tmp_path):
    tag = {"id": "exhibit", "identity": "mac-c0ffee00000a"}
    closed_site.ask("PUT", "/api/v1/beacons/exhibit", {"title": "Exhibit", "identity": tag["identity"]})
    closed_site.ask("PUT", "/api/v1/groups/exhibits", {"name": "Exhibits", "rule": tag["identity"]})
    closed_site.ask("PUT", "/api/v1/cards/exhibit-card", {"title": "The oldest bar", "subtitle": "From 1911", "group": "exhibits"})
    # Nobody is told of a group that does not say so.
    closed_site.ask("PUT", "/api/v1/beacons/late", {"title": "The late one", "identity": "mac-c0ffee000030"})
    closed_site.ask("PUT", "/api/v1/groups/lates", {"name": "Lates", "rule": "mac-c0ffee000030", "notify": ["enter"]})
    begun_watching = time.monotonic()
    for number in range(8):
        closed_site.ask("PUT", f"/api/v1/beacons/many-{number}", {"title": f"Many {number}", "identity": f"mac-c0ffee0000{0x10 + number:02x}"})
        closed_site.ask("PUT", f"/api/v1/cards/many-{number}", {"title": f"Number {number}", "beacon": f"many-{number}"})
    radio = Radio(str(tmp_path / "radio"))
    try:
        closed_site.node("n-treadmill", radio.path)
        owner.driver.get(closed_site.address + "/near?node=n-treadmill")
        owner.wait(lambda: owner.connected, 30, "live data")
        time.sleep(3)
        radio.levels[tag["identity"][4:]] = -55
        owner.wait(lambda: (card(owner, "#near-rows .near-card") or {}).get("title") == "The oldest bar", 30, "the card")
        owner.screenshot("near-with-a-card-390")
        times = []
        for number in range(8):
            time.sleep(0.37 * number % 1)
            radio.levels[f"c0ffee0000{0x10 + number:02x}"] = -50 - number
            begun = time.monotonic()
            owner.wait(lambda: owner.run("return document.querySelector(`[data-beacon='many-${arguments[0]}'] .near-card b`)?.textContent",
                                         number) == f"Number {number}", 30, f"card {number}")
            times.append(time.monotonic() - begun)
        times.sort()
        print(f"a tag's card is shown {times[4]:.2f} s after it is first heard (p50 of 8), {times[-1]:.2f} s at most")
        near = closed_site.ask("GET", "/api/v1/near?node=n-treadmill&group=exhibits")["beacons"]
        assert [one["beacon"] for one in near] == [tag["id"]] and near[0]["groups"] == ["exhibits"]
        closed_site.ask("PUT", "/api/v1/groups/others", {"name": "Others", "rule": "eu-00112233445566778899"})
        assert closed_site.ask("GET", "/api/v1/near?node=n-treadmill&group=others")["beacons"] == []
        owner.driver.get(f"{closed_site.address}/devices/{tag['id']}")
        owner.wait(lambda: (card(owner, "#device-card") or {}).get("subtitle") == "From 1911", 20, "its page")
        owner.wait(lambda: "Exhibits" in owner.run("return document.getElementById('device-facts').textContent"), 20, "its group")
        time.sleep(max(0, 34 - (time.monotonic() - begun_watching)))
        radio.levels["c0ffee000030"] = -60
        until(lambda: "tag-seen" in [one["kind"] for one in closed_site.ask("GET", "/api/v1/notices")["notices"]], 30, "a notice")
        notices = closed_site.ask("GET", "/api/v1/notices")["notices"]
        assert [(one["kind"], one["subject"]) for one in notices if one["kind"].startswith("tag-")] == [("tag-seen", "late")]
        # It is of no group any more: the card goes within two seconds.
        closed_site.ask("PATCH", "/api/v1/groups/exhibits", {"rule": "eu-00112233445566778898"})
        owner.wait(lambda: card(owner, "#device-card") is None, 5, "no card")
    finally:
        radio.close()


def test_a_thousand_tags_are_a_list_that_stands_still(closed_site, owner, tmp_path):
    """Prints how smoothly it is drawn; asks for all of them first, as a hundred are shown."""
    count = 1000
    rows = "".join(f"  - {{id: crowd-{n}, title: Crowd {n}, identity: {{address: \"C0:FF:EE:01:{n // 256:02X}:{n % 256:02X}\"}}}}\n"
                   for n in range(count))
    file = closed_site.folder / "crowd.yaml"
    closed_site.verb("export", file, "--database", closed_site.database)
    text = file.read_text()
    assert "\nbeacons:\n" in text
    file.write_text(text.replace("\nbeacons:\n", "\nbeacons:\n" + rows, 1))
    closed_site.verb("import", file, "--database", closed_site.database)
    # A node follows 512 at most.
    radios = [Radio(str(tmp_path / name), period=1) for name in ("bench", "rack")]
    try:
        for number, radio in enumerate(radios):
            closed_site.node(("n-bench", "n-rack")[number], radio.path)
            radio.levels.update({f"c0ffee01{n // 256:02x}{n % 256:02x}": -40 - n % 50 for n in range(number, count, 2)})
        owner.driver.get(closed_site.address + "/near?room=weights")
        owner.wait(lambda: owner.run("return document.getElementById('near-more')?.hidden") is False, 60, "more of them")
        assert owner.run("return document.querySelectorAll('#near-rows > li').length") == 100
        owner.run("document.getElementById('near-more').click()")
        owner.wait(lambda: owner.run("return document.querySelectorAll('#near-rows > li').length") == count, 60, "all of them")
        time.sleep(35)
        owner.driver.set_script_timeout(30)
        frames = owner.driver.execute_async_script("""
            const done = arguments[0];
            const times = [];
            const begun = performance.now();
            requestAnimationFrame(function next(now) {
                times.push(now);
                window.scrollTo(0, (now - begun) / 4000 * document.body.scrollHeight);
                if (now - begun < 4000) requestAnimationFrame(next);
                else done(times);
            });
        """)
        gaps = sorted(b - a for a, b in zip(frames, frames[1:]))
        print(f"1,000 tags, scrolled through in 4 s: {len(frames) / 4:.0f} frames a second, "
              f"p95 {gaps[len(gaps) * 95 // 100]:.0f} ms, at most {gaps[-1]:.0f} ms between two")
        order = "return [...document.querySelectorAll('#near-rows > li')].map((item) => item.dataset.beacon)"
        before = owner.run(order)
        time.sleep(3)
        assert owner.run(order) == before
    finally:
        for radio in radios:
            radio.close()
