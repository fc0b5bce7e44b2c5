"""Records, past workouts and the sets of one of them, as lists for a phone: what stands where, and that it is all."""

import re
import time
import uuid

import pytest
from selenium.webdriver.common.keys import Keys

import audit
from conftest import Page
from test_door import enter
from test_every_page import prefixes
from test_workout import MARY

pytestmark = pytest.mark.own_site

GRACE = "u-3fvx7d"
MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS
# Beside the bench press and the plank: with nine more there is something to search.
LIFTS = [f"lift-{number}" for number in range(1, 10)]
SCREEN = 844
# Of each card of records: its exercise, and of each figure the kind, what it says, and whether it is new.
CARDS = """
    return [...document.querySelectorAll("#record-cards > li")].map((card) => [card.dataset.exercise,
        [...card.querySelectorAll("[data-kind]")].map((one) => [one.dataset.kind,
            one.querySelector(".value").textContent, one.dataset.new === "true"])]);
"""
# The details of the set that is open, by their names.
FACTS = """
    return Object.fromEntries([...document.querySelectorAll(".set-facts > dl:not([hidden]) > div")].map((one) =>
        [one.querySelector("dt").textContent, one.querySelector("dd").textContent]));
"""
# The figures of a workout, by their names.
SUMS = """
    return Object.fromEntries([...document.querySelectorAll(".told-figures > div")].map((one) =>
        [one.dataset.sum, one.querySelector("dd").textContent]));
"""


def log(site, begun, ended, *sets):
    """Logs a workout that is over, with a set every second minute; returns its id."""
    site.ask("POST", "/api/v1/workouts", {"user": MARY, "started_ms": begun, "ended_ms": ended, "sets": [
        {"id": str(uuid.uuid4()), "at_ms": begun + 2 * place * MINUTE_MS, **one} for place, one in enumerate(sets, 1)]})
    lines = site.ask("GET", f"/api/v1/workouts?user={MARY}&limit=10")["workouts"]
    return next(one["id"] for one in lines if one["started_ms"] == begun)


@pytest.fixture(scope="module")
def trained(closed_site):
    """Mary has trained two months ago and the day before yesterday; the latter workout's id."""
    for name in LIFTS:
        closed_site.ask("PUT", f"/api/v1/exercises/{name}", {"name": name.replace("-", " ").capitalize()})
    now = int(time.time() * 1000)
    long_ago = now - 60 * DAY_MS
    log(closed_site, long_ago, long_ago + 60 * MINUTE_MS,
        {"exercise": "bench-press", "weight_kg": 80, "reps": 8}, {"exercise": "plank", "duration_s": 30},
        *[{"exercise": name, "weight_kg": 40, "reps": 8} for name in LIFTS])
    lately = now - 2 * DAY_MS
    return log(closed_site, lately, lately + 59 * MINUTE_MS + 12_000,
               {"exercise": "bench-press", "kind": "warm-up", "weight_kg": 42.5, "reps": 10},
               {"exercise": "bench-press", "weight_kg": 85, "reps": 8, "rir": 2, "station": "bench", "note": "easy <i>"},
               {"exercise": "plank", "duration_s": 45},
               {"exercise": "bench-press", "weight_kg": 85, "reps": 7})


@pytest.fixture(scope="module")
def phone(closed_site, trained):
    """Mary's phone, signed in once."""
    page = Page(width=390, height=SCREEN)
    enter(page, closed_site.invite("mary", "member", MARY), "mary")
    yield page
    page.close()


def open_page(page, site, path, selector):
    page.driver.get(site.address + path)
    page.wait(lambda: page.run("return document.querySelector(arguments[0])?.checkVisibility() ?? false", selector),
              20, f"{selector} at {path}")


def is_seen(page, selector):
    return page.run("return document.querySelector(arguments[0]).checkVisibility()", selector)


def test_each_exercise_has_a_card_with_all_its_records(closed_site, phone):
    open_page(phone, closed_site, "/records", "#record-cards > li")
    kinds = {}
    for best in closed_site.ask("GET", f"/api/v1/records?user={MARY}")["records"]:
        kinds.setdefault(best["exercise"], set()).add(best["kind"])
    assert kinds.keys() == {"bench-press", "plank", *LIFTS}
    cards = phone.run(CARDS)
    assert [name for name, _ in cards] == ["bench-press", "plank", *reversed(LIFTS)], "what was improved last is first"
    for name, figures in cards:
        shown = [kind for kind, _, _ in figures]
        assert len(shown) == len(set(shown)) <= 4 and set(shown) == kinds[name], name
    told = {name: {kind: words for kind, words, _ in figures} for name, figures in cards}
    # Neither the warm-up of ten repetitions nor the set of two months ago.
    assert told["bench-press"] == {
        "weight": "85 kg × 8", "e1rm": "113.3 kg", "reps": "85 kg × 8", "volume": "1,275 kg"}
    assert told["plank"] == {"duration": "0:45"}
    new = {name for name, figures in cards for *_, is_new in figures if is_new}
    assert new == {"bench-press", "plank"}, "of thirty days, not of sixty"
    assert "★ Bench press 85 kg × 8 · " in phone.text(".newest-record")
    phone.screenshot("records-cards")
    assert phone.run("return document.documentElement.scrollHeight") <= 4 * SCREEN
    # A figure leads to its workout.
    phone.run("document.querySelector('[data-exercise=plank] [data-kind] a').click()")
    phone.wait(lambda: phone.all(".set-chip"), 20, "the workout of the record")
    assert phone.complaints() == []


def test_many_records_can_be_searched(closed_site, phone):
    open_page(phone, closed_site, "/records", "#search")
    field = phone.driver.find_element("id", "search")
    field.send_keys("LIFT 7")
    phone.wait(lambda: [name for name, _ in phone.run(CARDS)] == ["lift-7"], 10, "one")
    field.send_keys("7")
    phone.wait(lambda: phone.run(CARDS) == [] and "No exercise found" in phone.run("return document.body.innerText"), 10, "none")
    field.send_keys(Keys.BACKSPACE * len("LIFT 77"), "p")
    phone.wait(lambda: [name for name, _ in phone.run(CARDS)] == ["bench-press", "plank"], 10, "two")


def test_who_has_no_record_is_told_how_to_get_one(closed_site, browser, trained):
    page = browser(width=390, height=SCREEN)
    enter(page, closed_site.invite("grace", "member", GRACE), "grace")
    open_page(page, closed_site, "/records", ".record-box > .next")
    assert page.run("return document.querySelector('.record-box > .next').pathname") == "/workout"
    assert "No sets logged yet" in page.run("return document.body.innerText")
    page.wait(lambda: not is_seen(page, "#search") and not is_seen(page, ".newest-record"), 10, "nothing more")
    assert page.complaints() == []


def test_a_workout_is_its_sums_and_a_line_of_sets_for_each_exercise(closed_site, phone, trained):
    open_page(phone, closed_site, f"/history/{trained}", ".set-chip")
    line = closed_site.ask("GET", f"/api/v1/workouts/{trained}")["workout"]
    starred = [one for one in line["sets"] if one["records"]]
    assert len(starred) == 2, "the bench press and the plank"
    assert phone.run(SUMS) == {"time": "0:59 h", "sets": "4", "volume": "1,275 kg", "records": "2"}
    assert [one["text"] for one in phone.all(".told-records > li")] == ["★ Bench press 85 kg × 8", "★ Plank 0:45"]
    assert [one["exercise"] for one in phone.all(".told-exercises > *")] == ["bench-press", "plank"]
    bench = phone.all("[data-exercise=bench-press] .set-chips > li")
    assert [one["text"] for one in bench] == ["42.5 × 10 W", "85 × 8 ★ 2 left", "85 × 7"]
    assert [one["set"] for one in bench] == [one["id"] for one in line["sets"] if one["exercise"] == "bench-press"]
    assert [one["text"] for one in phone.all("[data-exercise=plank] .set-chips > li")] == ["0:45 ★"]
    labels = phone.run("return [...document.querySelectorAll('.set-chip')].map((one) => one.ariaLabel)")
    assert labels[0] == "set 1, 42.5 kg, 10 reps, Warm-up" and "max weight" in labels[1], labels
    phone.screenshot("workout-chips")


def test_a_set_tells_its_details_by_the_keyboard(closed_site, phone, trained):
    open_page(phone, closed_site, f"/history/{trained}", ".set-chip")
    assert phone.run(FACTS) == {}
    first, second, third, _ = phone.driver.find_elements("css selector", ".set-chip")
    second.send_keys(Keys.ENTER)
    phone.wait(lambda: phone.run(FACTS), 5, "the details")
    facts = phone.run(FACTS)
    assert facts["Set"] == "2 · 85 kg × 8" and facts["Estimated 1RM"] == "113.3 kg", facts
    assert (facts["Station"], facts["Note"], facts["Reps in reserve"]) == ("Bench press", "easy <i>", "2")
    assert re.fullmatch(r"\d\d:\d\d", facts["Time"])
    assert second.get_attribute("aria-expanded") == "true" and phone.driver.switch_to.active_element == second
    # Another one's stand in their place, and go where they came from.
    third.send_keys(Keys.ENTER)
    phone.wait(lambda: phone.run(FACTS).get("Set") == "3 · 85 kg × 7", 5, "the other's")
    assert "Note" not in phone.run(FACTS) and second.get_attribute("aria-expanded") == "false"
    third.send_keys(Keys.ENTER)
    phone.wait(lambda: phone.run(FACTS) == {}, 5, "none")
    assert first.get_attribute("aria-expanded") == "false"
    assert phone.complaints() == []


def test_the_history_begins_with_the_latest_workouts(closed_site, phone, trained):
    open_page(phone, closed_site, "/history", "#workouts li")
    lines = closed_site.ask("GET", f"/api/v1/workouts?user={MARY}&limit=10")["workouts"]
    paths = phone.run("return [...document.querySelectorAll('#workouts li a')].map((one) => one.pathname)")
    assert paths == [f"/history/{one['id']}" for one in lines] and paths[0] == f"/history/{trained}"
    told = phone.run("return [...document.querySelectorAll('#workouts .detail')].map((one) => one.textContent)")
    assert told == ["0:59 h · 4 sets · 1,275 kg", "1:00 h · 11 sets · 3,520 kg"]
    assert phone.text("#workouts .what") == "Bench press, Plank"
    # Then the days, then the curve.
    tops = phone.run("return ['#workouts', '.trained-week', '.heat', '.chart-box'].map("
                     "(one) => document.querySelector(one).getBoundingClientRect().top)")
    assert tops == sorted(tops) and len(set(tops)) == 4, tops
    assert len(phone.all(".trained-week > li")) == 7
    assert phone.complaints() == []


def test_the_lists_fit_the_smallest_phone(closed_site, phone, trained):
    phone.resize(320, 640)
    try:
        faults = []
        for path, selector in (("/records", "#record-cards > li"), ("/history", "#workouts li"),
                               (f"/history/{trained}", ".set-chip")):
            open_page(phone, closed_site, path, selector)
            if selector == ".set-chip":
                phone.driver.find_elements("css selector", selector)[1].send_keys(Keys.ENTER)
                phone.wait(lambda: phone.run(FACTS), 5, "the details")
            faults += [f"{path}: {fault}" for fault in audit.everything(phone, 320, prefixes("en"))]
        assert not faults, "\n".join(faults)
    finally:
        phone.resize(390, SCREEN)
