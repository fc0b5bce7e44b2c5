"""The plan of a site, drawn: rooms pulled, stations dragged by finger and by keys, undone, saved as one revision."""

import base64
import struct
import zlib

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from conftest import Page
from test_account import ask
from test_every_page import OWNER, session, set_cookie


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


@pytest.fixture(scope="module")
def desk(demo, base):
    page = Page(1440, 900)
    set_cookie(page, base, *session(demo, base, OWNER, None))
    yield page
    page.close()


@pytest.fixture(autouse=True)
def restored(demo):
    """The plan is afterwards what it was."""
    before = ask(demo, "GET", "/api/v1/plan")
    yield before
    ask(demo, "PATCH", "/api/v1/plan", before)


def open_plan(page, base):
    page.driver.get("about:blank")
    page.driver.get(base + "/setup/plan")
    page.wait(lambda: page.run("return document.querySelectorAll('.plan-editor .thing').length") > 3, 30, "a plan")


def thing(kind, name):
    return f".plan-editor [data-kind={kind}][data-id='{name}'] > :first-child"


def drag(page, selector, dx, dy):
    """By so many metres. What is drawn anew meanwhile, as names come, is looked for once more."""
    scale = page.run("return document.querySelector('.plan-editor').getScreenCTM().a")

    def dragged():
        element = page.driver.find_element(By.CSS_SELECTOR, selector)
        try:
            ActionChains(page.driver).click_and_hold(element).move_by_offset(
                round(dx * scale), round(dy * scale)).release().perform()
            return True
        except StaleElementReferenceException:
            return False

    page.wait(dragged, 10, f"{selector} to drag")


def place(demo, kind, name):
    return next(one for one in ask(demo, "GET", "/api/v1/plan")[kind] if one["id"] == name)


def save(page):
    page.run("document.getElementById('save-plan').click()")


def said(page):
    return page.run("return document.querySelector('.toast:last-child')?.textContent ?? ''")


def fault(page):
    return page.run("return document.querySelector('#main .fault:not([hidden])')?.textContent ?? ''")


def test_a_station_is_dragged_undone_dragged_and_saved(desk, demo, base, restored):
    before = place(demo, "stations", "bench-press")
    revision = ask(demo, "GET", "/api/v1/site")["revision"]
    open_plan(desk, base)
    desk.screenshot("plan-editor")
    drag(desk, thing("stations", "bench-press"), 2, -1)
    desk.run("document.getElementById('undo-plan').click()")
    assert desk.run("return document.getElementById('save-plan').disabled") is True
    drag(desk, thing("stations", "bench-press"), 2, -1)
    drag(desk, thing("nodes", "n-bench-press"), 1, 0)
    save(desk)
    desk.wait(lambda: said(desk) == "Plan saved.", 20, "that it is saved")
    after = place(demo, "stations", "bench-press")
    assert abs(after["x_m"] - before["x_m"] - 2) <= 0.5 and abs(after["y_m"] - before["y_m"] + 1) <= 0.5
    assert after["x_m"] * 4 == int(after["x_m"] * 4)
    assert ask(demo, "GET", "/api/v1/site")["revision"] == revision + 1
    assert len(desk.run("return [...document.querySelectorAll('.plan-editor .dot')].map((one) => one.dataset.user)")) > 0


def test_a_room_moves_with_what_stands_in_it(desk, demo, base, restored):
    room = next(one for one in restored["rooms"] if one["id"] == "studio")
    inside = [one for one in restored["stations"] if room["area_m"][0] <= one["x_m"] <= room["area_m"][2]
              and room["area_m"][1] <= one["y_m"] <= room["area_m"][3]]
    assert inside
    open_plan(desk, base)
    desk.run("document.querySelector(\"[data-key='rooms studio']\").focus()")
    for _ in range(3):
        ActionChains(desk.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
    save(desk)
    desk.wait(lambda: said(desk) == "Plan saved.", 20, "that it is saved")
    assert place(demo, "rooms", "studio")["area_m"] == [
        room["area_m"][0] + 3, room["area_m"][1], room["area_m"][2] + 3, room["area_m"][3]]
    for one in inside:
        assert place(demo, "stations", one["id"])["x_m"] == pytest.approx(one["x_m"] + 3, abs=0.13)


def test_rooms_may_not_lie_on_each_other(desk, demo, base, restored):
    open_plan(desk, base)
    desk.run("document.querySelector(\"[data-key='rooms studio']\").focus()")
    for _ in range(6):
        ActionChains(desk.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_LEFT).key_up(Keys.SHIFT).perform()
    save(desk)
    desk.wait(lambda: "lie on each other" in fault(desk), 20, "why not")
    assert ask(demo, "GET", "/api/v1/plan") == restored


def test_two_who_draw_at_once_see_it(desk, demo, base, restored):
    open_plan(desk, base)
    ask(demo, "PATCH", "/api/v1/plan", {"stations": [{"id": "rower", "x_m": 4, "y_m": 9}]})
    drag(desk, thing("stations", "bench-press"), 1, 0)
    save(desk)
    desk.wait(lambda: "Reload" in fault(desk), 20, "that somebody was quicker")
    assert place(demo, "stations", "bench-press") == next(one for one in restored["stations"] if one["id"] == "bench-press")
    desk.run("document.querySelector('#main .fault button').click()")
    desk.wait(lambda: fault(desk) == "", 20, "it is loaded again")


def test_a_room_gets_corners_and_loses_them(desk, demo, base, restored):
    before = place(demo, "rooms", "studio")["area_m"]
    open_plan(desk, base)
    desk.run("document.querySelector(\"[data-key='rooms studio']\").focus()")
    desk.run("document.querySelector(\"[data-key='rooms studio']\").dispatchEvent(new KeyboardEvent('keydown', "
             "{ key: 'ArrowRight', bubbles: true }))")
    desk.run("document.getElementById('undo-plan').click()")
    # The side to the right has its middle pulled out by two metres: a corner more.
    drag(desk, ".plan-editor [data-side='1']", 2, 0)
    save(desk)
    desk.wait(lambda: len(place(demo, "rooms", "studio")["area_m"]) == 10, 20, "five corners")
    after = place(demo, "rooms", "studio")["area_m"]
    assert after[4] == pytest.approx(before[2] + 2, abs=0.3) and after[0:2] == before[0:2]
    desk.screenshot("plan-polygon")
    # Sides that cross are refused, and why is said; what was drawn stays.
    desk.wait(lambda: desk.run("return document.querySelector('#main [name=corners]') !== null"), 10, "its corners")
    x, y, x2, y2 = before
    desk.run("""
        const { form } = document.querySelector("#main [name=corners]");
        form.elements.namedItem("corners").value = arguments[0];
        form.requestSubmit();
    """, f"{x}; {y}\n{x2}; {y2}\n{x2}; {y}\n{x}; {y2}")
    save(desk)
    desk.wait(lambda: "cross" in fault(desk), 20, "why not")
    assert place(demo, "rooms", "studio")["area_m"] == after
    desk.run("document.getElementById('undo-plan').click()")
    corner = desk.driver.find_element(By.CSS_SELECTOR, ".plan-editor [data-corner='2']")
    ActionChains(desk.driver).double_click(corner).perform()
    save(desk)
    desk.wait(lambda: len(place(demo, "rooms", "studio")["area_m"]) == 8, 20, "four corners")
    assert ask(demo, "GET", "/api/v1/plan")["rooms"] != []
    assert desk.complaints() == [] or all("PATCH" in one or "400" in one for one in desk.complaints())


def test_rooms_are_on_storeys(desk, demo, base, restored):
    open_plan(desk, base)
    desk.run("document.querySelector(\"[data-key='rooms studio']\").focus()")
    desk.wait(lambda: desk.run("return document.querySelector('#main [name=storey]') !== null"), 10, "its storey")
    desk.run("""
        const { form } = document.querySelector("#main [name=storey]");
        form.elements.namedItem("storey").value = "1";
        form.requestSubmit();
    """)
    desk.wait(lambda: desk.run("return document.getElementById('storey').value") == "1", 10, "the other storey")
    assert desk.run("return document.querySelectorAll('.plan-editor [data-kind=rooms]:not(circle)').length") == 1
    save(desk)
    desk.wait(lambda: place(demo, "rooms", "studio")["storey"] == 1, 20, "that it is saved")
    desk.driver.get(base + "/plan")
    desk.wait(lambda: desk.run("return document.querySelectorAll('.plan .room').length") == 2, 30, "the entrance's rooms")
    desk.run("const one = document.getElementById('storey'); one.value = '1'; one.dispatchEvent(new Event('change'))")
    desk.wait(lambda: desk.run("return [...document.querySelectorAll('.plan .room')].map((one) => one.dataset.room)") ==
              ["studio"], 10, "the studio alone")


def picture(page, kind):
    """A picture of 400 by 200 pixels, as a browser writes it."""
    return base64.b64decode(page.run("""
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [400, 200];
        const context = canvas.getContext("2d");
        context.fillStyle = "#ddd";
        context.fillRect(0, 0, 400, 200);
        context.strokeRect(20, 20, 360, 160);
        return canvas.toDataURL(arguments[0]).split(",")[1];
    """, kind))


def bomb():
    """A PNG of a few bytes that says it has 30,000 by 30,000 pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 30000, 30000, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(bytes(1 << 20))) + chunk(b"IEND", b""))


def lay(page, path):
    page.driver.find_element(By.ID, "picture-file").send_keys(str(path))


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_a_picture_lies_under_the_plan_and_is_scaled(desk, demo, base, tmp_path, kind):
    open_plan(desk, base)
    file = tmp_path / f"plan.{kind}"
    written = picture(desk, f"image/{kind}")
    if kind == "jpeg":
        # Where it was taken, as a phone notes it.
        place = b"Exif\0\0" + b"52.5200 N 13.4050 E"
        written = written[:2] + b"\xff\xe1" + struct.pack(">H", len(place) + 2) + place + written[2:]
    file.write_bytes(written)
    try:
        lay(desk, file)
        desk.wait(lambda: said(desk) == "Picture added under the plan.", 20, "that it lies there")
        laid = ask(demo, "GET", "/api/v1/plan/pictures")["pictures"]
        assert [(one["storey"], one["width_m"], one["height_m"]) for one in laid] == [(0, 20, 10)]
        kept = desk.run("""
            const answer = await fetch("/api/v1/plan/pictures/0");
            const bytes = new Uint8Array(await answer.arrayBuffer());
            return [answer.headers.get("Content-Type"), [...bytes].map((one) => String.fromCharCode(one)).join("")];
        """)
        assert kept[0] == "image/png" and kept[1][1:4] == "PNG" and "Exif" not in kept[1] and "13.4050" not in kept[1]
        desk.wait(lambda: desk.run("return document.querySelector('.plan-editor .plan-picture') !== null"), 10, "a picture")
        # It is really there: the browser has asked for it by that address, and got it.
        loaded = desk.run("""
            const address = document.querySelector('.plan-editor .plan-picture').getAttribute("href");
            const image = new Image();
            image.src = address;
            await image.decode();
            return [image.naturalWidth, image.naturalHeight];
        """)
        assert loaded == [400, 200]
        # Two points ten metres apart in the drawing are five on the floor.
        desk.run("document.getElementById('scale-picture').click()")
        scale = desk.run("return document.querySelector('.plan-editor').getScreenCTM().a")
        svg = desk.driver.find_element(By.CSS_SELECTOR, ".plan-editor")
        desk.run("arguments[0].scrollIntoView({ block: 'center' })", svg)
        for metres in (-5, 5):
            ActionChains(desk.driver).move_to_element_with_offset(svg, round(metres * scale), 0).click().perform()
        desk.wait(lambda: desk.run("return document.querySelector('dialog [name=metres]') !== null"), 10, "how far")
        desk.run("""
            const { form } = document.querySelector("dialog [name=metres]");
            form.elements.namedItem("metres").value = "5";
            form.requestSubmit();
        """)
        desk.wait(lambda: said(desk) == "Picture scaled.", 20, "that it is scaled")
        assert ask(demo, "GET", "/api/v1/plan/pictures")["pictures"][0]["width_m"] == pytest.approx(10, rel=0.03)
        desk.screenshot("plan-picture")
        desk.driver.get(base + "/plan")
        desk.wait(lambda: desk.run("return document.querySelector('.plan .plan-picture') !== null"), 30, "the picture")
        open_plan(desk, base)
        desk.wait(lambda: desk.run("return !document.getElementById('remove-picture').hidden"), 20, "it can go")
        desk.run("document.getElementById('remove-picture').click()")
        desk.wait(lambda: said(desk) == "Picture removed.", 20, "that it is gone")
    finally:
        for one in ask(demo, "GET", "/api/v1/plan/pictures")["pictures"]:
            ask(demo, "DELETE", f"/api/v1/plan/pictures/{one['storey']}")


def test_what_is_no_picture_is_refused_in_words(desk, demo, base, tmp_path):
    open_plan(desk, base)
    whole = picture(desk, "image/png")
    files = {
        "script.svg": (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "not a PNG"),
        "named.png": (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>" * 9, "not a PNG"),
        "bomb.png": (bomb(), "60 million"), "cut.png": (whole[:60], "damaged"), "empty.png": (b"", "not a PNG"),
        "large.jpg": (b"\xff\xd8" + bytes(50_000_000), "too large"),
    }
    for name, (data, why) in files.items():
        (tmp_path / name).write_bytes(data)
        lay(desk, tmp_path / name)
        desk.wait(lambda: why in fault(desk), 20, f"why not {name}")
    assert ask(demo, "GET", "/api/v1/plan/pictures")["pictures"] == []
    assert desk.driver.find_elements(By.CSS_SELECTOR, ".plan-picture") == []


def test_what_has_no_place_is_put_there_and_taken_away(desk, demo, base):
    ask(demo, "POST", "/api/v1/rooms", {"id": "sauna", "name": "Sauna"})
    try:
        open_plan(desk, base)
        desk.wait(lambda: desk.run("return document.querySelector('[data-loose=sauna]') !== null"), 20, "the sauna")
        desk.run("document.querySelector('[data-loose=sauna] button').click()")
        # Figures do for who cannot drag.
        desk.run("""
            const { form } = document.querySelector("#main [name=width]");
            form.elements.namedItem("width").value = "4.5";
            form.requestSubmit();
        """)
        save(desk)
        desk.wait(lambda: "area_m" in place(demo, "rooms", "sauna"), 20, "a place")
        x, _, x2, _ = place(demo, "rooms", "sauna")["area_m"]
        assert x2 - x == 4.5
        desk.wait(lambda: said(desk) == "Plan saved.", 20, "that it is saved")
        desk.run("document.getElementById('take-off').click()")
        save(desk)
        desk.wait(lambda: "area_m" not in place(demo, "rooms", "sauna"), 20, "no place")
    finally:
        ask(demo, "DELETE", "/api/v1/rooms/sauna")


def test_the_plan_can_be_read_on_a_phone(demo, base):
    phone = Page(390, 844)
    try:
        set_cookie(phone, base, *session(demo, base, OWNER, None))
        phone.driver.get(base + "/plan")
        phone.wait(lambda: phone.run("return document.querySelectorAll('.plan .station-name').length") > 3, 30, "a plan")
        sizes = phone.run("return [...document.querySelectorAll('.plan .station-name')].map((one) => one.getBoundingClientRect().height)")
        assert min(sizes) >= 11, sizes
        assert phone.run("return document.documentElement.scrollWidth") <= 390
        phone.screenshot("plan-phone")
    finally:
        phone.close()
