"""Raw data: every list that a role may read, sorted, filtered and as a file, and nothing that changes anything."""

import csv
import io
import json

import pytest

from conftest import Page
from test_account import ask
from test_every_page import OWNER, TRAINER, session, set_cookie


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


@pytest.fixture(scope="module")
def desk(demo, base):
    page = Page(1440, 900)
    set_cookie(page, base, *session(demo, base, OWNER, None))
    # What would be downloaded is kept, for a test to read.
    page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
        window.saved = [];
        URL.createObjectURL = (blob) => { blob.text().then((text) => window.saved.push(text)); return "#"; };
    """})
    yield page
    page.close()


def show(page, base, name):
    page.driver.get("about:blank")
    page.driver.get(f"{base}/data#{name}")
    return page.wait(lambda: rows(page), 30, name)


def rows(page):
    return page.run("""
        const heads = [...document.querySelectorAll("#main thead th")].map((one) => one.textContent);
        return [...document.querySelectorAll("#data-rows tr")].map((row) =>
            Object.fromEntries([...row.children].map((cell, index) => [heads[index], cell.textContent])));
    """)


def press(page, text):
    page.run("[...document.querySelectorAll('#main button')].find((one) => one.textContent === arguments[0]).click()", text)


def test_stations_beacons_and_exercises_stand_there_as_they_are_stored(desk, demo, base):
    for name, list_name in (("station-list", "stations"), ("beacon-list", "beacons"), ("exercise-list", "exercises")):
        stored = ask(demo, "GET", f"/api/v1/{list_name}?limit=500")[list_name]
        assert {row["id"] for row in show(desk, base, name)} == {row["id"] for row in stored}
    desk.screenshot("data")


def test_rows_are_sorted_filtered_and_saved(desk, demo, base):
    show(desk, base, "station-list")
    press(desk, "slots")
    slots = sorted(one["slots"] for one in ask(demo, "GET", "/api/v1/stations?limit=500")["stations"])
    assert len(set(slots)) > 1

    def shown():
        return [int(row["slots"]) for row in rows(desk)]

    desk.wait(lambda: shown() == slots, 20, "the fewest first")
    press(desk, "slots")
    desk.wait(lambda: shown() == slots[::-1], 20, "the most first")
    desk.run("""
        const search = document.getElementById("search");
        search.value = "bench";
        search.dispatchEvent(new Event("input", { bubbles: true }));
    """)
    desk.wait(lambda: 0 < len(rows(desk)) < len(slots), 20, "some of them")
    assert all("bench" in " ".join(row.values()).lower() for row in rows(desk))
    press(desk, "Download CSV")
    press(desk, "Download JSON")
    table, text = sorted(desk.wait(lambda: desk.run("return saved.length === 2 && saved"), 20, "two files"),
                         key=lambda one: one.startswith("["))
    assert [row["id"] for row in csv.DictReader(io.StringIO(table))] == [row["id"] for row in json.loads(text)]


def test_a_filter_is_no_statement_and_a_formula_no_formula(desk, demo, base):
    ask(demo, "POST", "/api/v1/users", {"id": "u-formula", "name": "=1+1"})
    try:
        show(desk, base, "user-list")
        for text in ("' OR 1=1 --", "\"; DROP TABLE user; --", "<b>", "%"):
            desk.run("""
                const search = document.getElementById("search");
                search.value = arguments[0];
                search.dispatchEvent(new Event("input", { bubbles: true }));
            """, text)
            desk.wait(lambda: rows(desk) == [], 20, "nothing")
        desk.run("""
            const search = document.getElementById("search");
            search.value = "u-formula";
            search.dispatchEvent(new Event("input", { bubbles: true }));
            saved.length = 0;
        """)
        desk.wait(lambda: len(rows(desk)) == 1, 20, "the row")
        press(desk, "Download CSV")
        table = desk.wait(lambda: desk.run("return saved[0]"), 20, "the file")
        assert "'=1+1" in table
    finally:
        ask(demo, "DELETE", "/api/v1/users/u-formula")


def test_a_long_list_comes_whole(desk, demo, base):
    show(desk, base, "audit-list")
    stored = ask(demo, "GET", "/api/v1/audit?limit=500")["entries"]
    said = desk.run("return document.querySelector('#main [role=status]').textContent")
    assert int(said.split()[0].replace(",", "")) >= len(stored)


def test_sessions_and_reports_are_lists_too(desk, demo, base):
    show(desk, base, "session-list")
    stored = ask(demo, "GET", "/api/v1/attendance/sessions?limit=500")["sessions"]
    assert stored and len(rows(desk)) == min(len(stored), 100)
    show(desk, base, "report-present")
    assert rows(desk)


def test_who_may_read_less_sees_fewer_lists(demo, base):
    page = Page(390, 844)
    try:
        set_cookie(page, base, *session(demo, base, TRAINER, None, "no-person"))
        show(page, base, "station-list")
        names = page.run("return [...document.getElementById('data-list').options].map((one) => one.value)")
        assert "room-list" in names and "token-list" not in names and "audit-list" not in names
        page.screenshot("data-phone")
    finally:
        page.close()
