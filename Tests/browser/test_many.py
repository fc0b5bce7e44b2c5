"""Many people and tags from a list: shown first, done as a whole, undone as one; lists that are broken or hostile."""

import time

import pytest
from selenium.webdriver.common.by import By

from conftest import Page
from test_account import ask
from test_every_page import OWNER, session, set_cookie
from test_setup import fill, go, lines, send, touch

FORMULA = "=HYPERLINK(\"x\")"


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


@pytest.fixture(scope="module")
def phone(demo, base):
    page = Page(390, 844)
    set_cookie(page, base, *session(demo, base, OWNER, None))
    yield page
    page.close()


def tag(number):
    return f"C4:A7:{number >> 24 & 255:02X}:{number >> 16 & 255:02X}:{number >> 8 & 255:02X}:{number & 255:02X}"


def paste(page, base, text):
    go(page, base, "/setup/users")
    touch(page, "#add-many")
    fill(page, {"list": text})
    send(page)


def preview(page):
    return page.wait(lambda: page.run("""
        const boxes = [...document.querySelectorAll("dialog")];
        return boxes.find((one) => one.querySelector("form") === null)?.innerText;
    """), 30, "what would be done")


def fault(page):
    return page.run("return [...document.querySelectorAll('dialog .fault:not([hidden])')].at(-1)?.textContent ?? ''")


def people(demo):
    return {one["id"]: one["name"] for one in rows(demo, "users")}


def rows(demo, name):
    found, cursor = [], ""
    while True:
        answer = ask(demo, "GET", f"/api/v1/{name}?limit=500{cursor}")
        found += answer[name]
        if answer["next"] is None:
            return found
        cursor = f"&cursor={answer['next']}"


def test_a_list_is_shown_done_and_undone_as_one(phone, demo, base):
    before, tags = people(demo), len(rows(demo, "beacons"))
    paste(phone, base, "\n".join([
        "Name;Beacon;bis", f"Ada Ä.;{tag(1)};2031-12-31", f"\"Bo; \"\"the\"\" C.\";{tag(2)}", f"{FORMULA};", ";x",
        f"Cy;{tag(1).lower()}", "Dee <b>D</b>;"]))
    said = preview(phone)
    assert "4 people, 2 with a tag." in said and "2 lines are skipped" in said
    assert "Line 5:" in said and "has no name" in said and "Line 6:" in said and "has the same tag as line 2" in said
    assert people(demo) == before
    phone.screenshot("add-many")
    touch(phone, "dialog button.go", "Add 4 people")
    phone.wait(lambda: len(people(demo)) == len(before) + 4, 20, "four more")
    added = {name for id, name in people(demo).items() if id not in before}
    assert added == {"Ada Ä.", "Bo; \"the\" C.", FORMULA, "Dee <b>D</b>"}
    tagged = [one for one in rows(demo, "beacons") if one.get("user") not in before and "user" in one]
    assert {one["identity"] for one in tagged} == {"mac-c4a700000001", "mac-c4a700000002"}
    phone.wait(lambda: any(one[1] == FORMULA for one in lines(phone)) or phone.run(
        "return document.querySelector('.setup-undo')?.textContent.includes('4 people')"), 20, "that it is done")
    touch(phone, ".setup-undo button")
    phone.wait(lambda: people(demo) == before, 20, "nobody of them")
    assert len(rows(demo, "beacons")) == tags


def test_what_cannot_be_done_is_said_by_its_line_and_nothing_is(phone, demo, base):
    known = rows(demo, "beacons")[0]
    before = people(demo)
    paste(phone, base, "\n".join([
        "Ed;", f"Fay;{known['identity']}", "Gus;not a tag", f"Hal;{tag(9)};2031-02-30T10:00:00+99:00"]))
    preview(phone)
    touch(phone, "dialog button.go", "Add 4 people")
    why = phone.wait(lambda: fault(phone) if "Line" in fault(phone) else None, 20, "why not")
    assert "Line 2:" in why and "has it already" in why and "Line 3:" in why and "Line 4:" in why
    assert people(demo) == before
    paste(phone, base, "Ivy;\n‮Jo;")
    preview(phone)
    touch(phone, "dialog button.go", "Add 2 people")
    phone.wait(lambda: "Line 2: name: has U+202E" in fault(phone), 20, "a letter that turns the line around")
    assert people(demo) == before
    for text in ("", "\n\n;;\n", "name,tag\n"):
        paste(phone, base, text)
        phone.wait(lambda: fault(phone) != "", 20, f"a refusal of {text!r}")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "windows-1252"])
def test_a_file_of_a_spreadsheet_is_read(phone, demo, base, tmp_path, encoding):
    file = tmp_path / "people.csv"
    file.write_bytes("Name;Beacon\r\nJürgen Groß;\r\n".encode(encoding))
    go(phone, base, "/setup/users")
    touch(phone, "#add-many")
    phone.wait(lambda: phone.driver.find_elements(By.CSS_SELECTOR, "dialog [name=file]"), 20, "a form")
    phone.driver.find_element(By.CSS_SELECTOR, "dialog [name=file]").send_keys(str(file))
    send(phone)
    assert "Jürgen Groß" in preview(phone)


def test_ten_thousand_are_a_list_too(phone, demo, base):
    before = people(demo)
    count = 10_000 - len(before)
    text = "\n".join(f"Person {number};{tag(1000 + number) if number < 3000 else ''}" for number in range(count))
    paste(phone, base, text + "\nOne too many;\n")
    assert f"{count + 1:,} people, 3,000 with a tag." in preview(phone)
    touch(phone, "dialog button.go")
    phone.wait(lambda: "10000" in fault(phone), 60, "that a site has so many")
    assert people(demo) == before

    paste(phone, base, text)
    preview(phone)
    begun = time.monotonic()
    touch(phone, "dialog button.go")
    phone.wait(lambda: not phone.driver.find_elements(By.CSS_SELECTOR, "dialog"), 120, "ten thousand")
    took = time.monotonic() - begun
    phone.wait(lambda: phone.run("return document.querySelector('.setup-undo')?.textContent.includes('people')"), 60, "done")
    found = time.monotonic()
    phone.run("""
        const search = document.getElementById("search");
        search.value = "Person 4711";
        search.dispatchEvent(new Event("input", { bubbles: true }));
    """)
    phone.wait(lambda: [one[1] for one in lines(phone)] == ["Person 4711"], 20, "one of them")
    print(f"{count} people and 3000 tags added in {took:.1f} s, one found in {time.monotonic() - found:.2f} s")
    touch(phone, ".setup-undo button")
    phone.wait(lambda: len(people(demo)) == len(before), 120, "nobody of them")
