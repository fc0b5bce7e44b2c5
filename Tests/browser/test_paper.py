"""Paper: the month that wages are paid by, as it is printed."""

import base64
import re
import subprocess
import xml.etree.ElementTree as xml

import pytest

from conftest import Page
from test_account import ask
from test_every_page import OWNER, session, set_cookie


@pytest.fixture(scope="module")
def printed(demo, tmp_path_factory):
    """The page of a month as a PDF, and the report that it shows."""
    base = demo["dashboard"].rstrip("/")
    # Names as long as they come.
    long = "Wolfeschlegelsteinhausenbergerdorff-Welchevoralternwarengewissenhaft"
    people = ask(demo, "GET", "/api/v1/users?sort=id&limit=500")["users"]
    present = {one["user"] for one in ask(demo, "GET", "/api/v1/attendance/sessions?limit=500")["sessions"]}
    renamed = next(one for one in people if one["id"] in present)
    month = ask(demo, "GET", "/api/v1/reports/attendance-day.json")["rows"][0]["date"][:7]
    page = Page(1440, 900)
    try:
        ask(demo, "PATCH", f"/api/v1/users/{renamed['id']}", {"name": long})
        set_cookie(page, base, *session(demo, base, OWNER, None))
        page.driver.get(f"{base}/attendance/{month}")
        page.wait(lambda: page.run("return document.querySelectorAll('.month-sheet tbody').length") > 3, 30, "a month")
        page.wait(lambda: long in page.text(".month-sheet"), 20, "the long name")
        report = ask(demo, "GET", f"/api/v1/reports/attendance-month.json?month={month}")["rows"]
        # What goes on grows while it is printed: the sheet itself says what has to stand on the paper.
        cells = page.run("return [...document.querySelectorAll('.month-sheet td')].map((one) => one.textContent)")
        data = page.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": False})["data"]
    finally:
        ask(demo, "PATCH", f"/api/v1/users/{renamed['id']}", {"name": renamed["name"]})
        page.close()
    file = tmp_path_factory.mktemp("paper") / "month.pdf"
    file.write_bytes(base64.b64decode(data))
    return file, report, long, [one for one in cells if ":" in one]


def words(file):
    """Of each page the words with their boxes."""
    text = subprocess.run(["pdftotext", "-bbox", str(file), "-"], check=True, capture_output=True, text=True).stdout
    root = xml.fromstring(re.sub(r" xmlns=\"[^\"]*\"", "", text, count=1))
    return [(page.attrib, [(one.text or "", *(float(one.attrib[key]) for key in ("xMin", "yMin", "xMax", "yMax")))
                           for one in page.iter("word")]) for page in root.iter("page")]


def test_a_month_on_paper_can_be_read(printed):
    file, report, long, cells = printed
    pages = words(file)
    for size, found in pages:
        assert float(size["width"]) > float(size["height"]), ("it lies across", len(pages), [one[0] for one in found][:40])
        # No word lies on another, and none sticks out of the paper.
        for index, (text, left, top, right, bottom) in enumerate(found):
            assert 0 <= left and right <= float(size["width"]) and bottom <= float(size["height"]), text
            for other, x, y, x2, y2 in found[index + 1:]:
                assert min(right, x2) - max(left, x) < 0.5 or min(bottom, y2) - max(top, y) < 0.5, (text, other)
    texts = [text for _, found in pages for text, *_ in found]
    # Each length of each day, and each sum, is there as a word of its own, as often as it stands on the sheet.
    assert len(cells) > 3
    for cell in set(cells):
        assert texts.count(cell.split()[0]) >= sum(one.split()[0] == cell.split()[0] for one in cells), cell
    assert "signature" in texts and "Total" in texts


def test_nobody_is_split_between_pages(printed):
    file, report, long, _ = printed
    text = subprocess.run(["pdftotext", "-layout", str(file), "-"], check=True, capture_output=True, text=True).stdout
    pages = [one for one in text.split("\f") if one.strip()]
    # The head with the days stands on each page.
    assert all("Worked" in one for one in pages[:-1])
    for name in {row["name"] for row in report if row["line"] == "sum" and row["present_s"] > 0 and row["name"] != long}:
        assert sum(name in re.sub(r"\s+", " ", one) or name.split()[0] in one for one in pages) == 1, name


def on_paper(page, file):
    """The page that stands there as it is printed: of each sheet the words with their boxes."""
    data = page.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": False})["data"]
    file.write_bytes(base64.b64decode(data))
    return words(file)


def assert_apart(pages):
    """No word lies on another, and none sticks out of the paper."""
    for size, found in pages:
        for index, (text, left, top, right, bottom) in enumerate(found):
            assert 0 <= left and right <= float(size["width"]) and bottom <= float(size["height"]), text
            for other, x, y, x2, y2 in found[index + 1:]:
                assert min(right, x2) - max(left, x) < 0.5 or min(bottom, y2) - max(top, y) < 0.5, (text, other)


@pytest.fixture
def desk(demo):
    base = demo["dashboard"].rstrip("/")
    page = Page(1440, 900)
    set_cookie(page, base, *session(demo, base, OWNER, None))
    yield page, base
    page.close()


def test_a_report_on_paper_has_every_cell_apart(demo, desk, tmp_path):
    page, base = desk
    day = ask(demo, "GET", "/api/v1/reports/attendance-day.json")["rows"][0]["date"]
    page.driver.get(f"{base}/attendance/reports?report=attendance-day&period=day&date={day}")
    page.wait(lambda: page.run("return document.querySelector('.report-bar, form') !== null"), 20, "the form")
    page.run("document.querySelector('main form [type=submit]')?.click()")
    page.wait(lambda: page.run("return document.querySelectorAll('.report tbody tr').length") > 3, 30, "a report")
    cells = page.run("return [...document.querySelectorAll('.report tbody :is(th, td)')].map((one) => one.innerText.trim())"
                     ".filter((text) => text !== '')")
    heads = page.run("return [...document.querySelectorAll('.report thead th')].map((one) => one.textContent.trim())")
    pages = on_paper(page, tmp_path / "report.pdf")
    assert_apart(pages)
    texts = [text for _, found in pages for text, *_ in found]
    for text in set(cells) | set(heads):
        for word in text.split():
            assert any(word in one for one in texts) or word in "".join(texts), (word, text)
    # The heads stand on each sheet, and nothing of the page around it.
    assert "Attendance" not in texts[:3] and "More" not in texts


def test_codes_of_stations_are_cut_out_of_paper(demo, desk, tmp_path):
    page, base = desk
    page.driver.get(base + "/stations")
    page.wait(lambda: page.run("return document.querySelectorAll('#tiles > li').length") > 3, 20, "the stations")
    names = page.run("return [...document.querySelectorAll('#tiles > li h2')].map((one) => one.textContent)")
    page.run("[...document.querySelectorAll('main .buttons button')].at(-1).click()")
    page.wait(lambda: page.run("return document.querySelectorAll('dialog .qr svg').length") == len(names), 30, "the codes")
    pages = on_paper(page, tmp_path / "codes.pdf")
    assert_apart(pages)
    text = " ".join(text for _, found in pages for text, *_ in found)
    for name in names:
        assert text.count(name) == 1, (name, text)
    # No code is split between two sheets: each has its name below it on the same one.
    assert 1 <= len(pages) <= len(names)
