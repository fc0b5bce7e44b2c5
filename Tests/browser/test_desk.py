"""The desk and the trainers: somebody is found in a day, a month has weekdays and a lock, a place is explained in a
sentence, and who may not see something is told so."""

import datetime
import re
import urllib.error

import pytest
from selenium.webdriver.common.by import By

from conftest import PATIENCE_S, Page
from test_account import ask
from test_every_page import OWNER, TRAINER, session, set_cookie

NARROW = 320


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


def signed_in(demo, base, role):
    page = Page(1440, 900)
    set_cookie(page, base, *session(demo, base, role, None, f"desk-{role}"))
    return page


@pytest.fixture(scope="module")
def owner(demo, base):
    page = signed_in(demo, base, OWNER)
    yield page
    page.close()


@pytest.fixture(scope="module")
def trainer(demo, base):
    page = signed_in(demo, base, TRAINER)
    yield page
    page.close()


@pytest.fixture
def open_page(base):
    """Opens a page at a width, and waits until it has live data."""
    def go(page, path, width=1440):
        page.resize(width, 900)
        page.complaints()
        page.driver.get(base + path)
        page.wait(lambda: page.connected, 30, f"live data at {path}")
        return page
    return go


def names(page, selector):
    return page.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector)


def is_seen(page, selector):
    return page.run("return document.querySelector(arguments[0])?.checkVisibility() ?? false", selector)


def type_in(page, selector, text):
    page.run("""
        const field = document.querySelector(arguments[0]);
        field.value = arguments[1];
        field.dispatchEvent(new Event("input", { bubbles: true }));""", selector, text)


def assert_nothing_sticks_out(page):
    page.resize(NARROW, 640)
    assert page.run("return document.documentElement.scrollWidth") <= NARROW


def test_somebody_is_found_in_a_day(owner, demo, open_page):
    page = open_page(owner, "/attendance")
    rows = "#attendance-rows tr:not(.edit) th bdi"
    page.wait(lambda: len(names(page, rows)) > 5, 30, "a day")
    everybody = {one["name"] for one in ask(demo, "GET", "/api/v1/users?limit=500")["users"]}
    assert len(everybody) > 8, "too few to search among"
    assert is_seen(page, "#search")
    wanted = names(page, rows)[0]
    part = wanted.split()[0].upper()
    type_in(page, "#search", part)
    found = {name for name in everybody if part.lower() in name.lower()}
    page.wait(lambda: set(names(page, rows)) == found, 5, f"nobody but {found}")
    type_in(page, "#search", "nobody is called so")
    page.wait(lambda: "No one with that name" in page.run("return document.querySelector('main').innerText"), 5, "the word")
    type_in(page, "#search", "")
    page.wait(lambda: len(names(page, rows)) > 5, 5, "all of them")
    assert page.complaints() == []


def test_counts_of_nobody_are_not_shown(owner, open_page):
    page = open_page(owner, "/attendance")
    page.wait(lambda: is_seen(page, ".attendance-day"), 30, "a day")
    counts = page.run("""
        return [...document.querySelectorAll(".counts .count")].map((one) =>
            [one.checkVisibility(), Number(one.querySelector(".number").textContent)]);""")
    assert len(counts) == 7 and any(number == 0 for _, number in counts)
    assert all(shown == (number > 0) for shown, number in counts), counts


def test_checking_in_by_hand_stands_over_the_list(owner, open_page):
    for width, is_open in ((1440, True), (390, False)):
        page = open_page(owner, "/attendance", width)
        page.wait(lambda: page.run("return document.querySelector('#by-hand') !== null"), 30, "the form")
        assert page.run("""
            const form = document.querySelector(".by-hand").getBoundingClientRect();
            return form.bottom <= document.querySelector("#attendance-rows").getBoundingClientRect().top;"""), width
        assert is_seen(page, "#by-hand button.go") == is_open, "open where there is room"
    page.driver.find_element(By.CSS_SELECTOR, ".by-hand > summary").click()
    assert is_seen(page, "#by-hand button.go")
    assert_nothing_sticks_out(page)


@pytest.mark.parametrize("width, across", [(390, 7), (820, 14), (1440, 21)])
def test_days_of_a_month_stand_under_their_weekday(owner, demo, base, open_page, width, across):
    month = ask(demo, "GET", "/api/v1/reports/attendance-day.json")["rows"][0]["date"][:7]
    for language, letters in (("en", "M T W T F S S"), ("de", "Mo Di Mi Do Fr Sa So")):
        set_cookie(owner, base, "beaconmesh_language", language)
        try:
            page = open_page(owner, f"/attendance/{month}", width)
            page.wait(lambda: page.run("return document.querySelectorAll('.month-day').length") > 27, 30, "a month")
            heads, days = page.run("""
                const cell = document.querySelector(".days-line > td");
                const left = (one) => Math.round(one.getBoundingClientRect().left);
                const heads = [...cell.querySelectorAll(".week-heads > span")].filter((one) => one.checkVisibility());
                return [heads.map((one) => [left(one), one.textContent]),
                    [...cell.querySelectorAll(".month-day")].map((one) => [left(one), one.pathname.slice(-10)])];""")
        finally:
            set_cookie(owner, base, "beaconmesh_language", "en")
        assert [text for _, text in heads] == letters.split() * (across // 7)
        assert days[0][1] == f"{month}-01"
        places = {place: index % 7 for index, (place, _) in enumerate(heads)}
        for place, day in days:
            near = min(places, key=lambda one: abs(one - place))
            assert abs(near - place) <= 1, (day, place, heads)
            assert places[near] == datetime.date.fromisoformat(day).weekday(), day
    assert_nothing_sticks_out(page)


def lock_back(demo, day):
    """Leaves nothing locked after a day."""
    # Nothing of the demonstration is as old as what this may lock by force.
    ask(demo, "POST", "/api/v1/attendance/locks", {"through": day, "reason": "the tests are over", "unlock": True, "force": True})


def decide(demo, **wish):
    made = ask(demo, "POST", "/api/v1/attendance/corrections", {"reason": "a month to lock", **wish})
    ask(demo, "POST", f"/api/v1/attendance/corrections/{made['id']}/decision", {"approve": True, "reason": "so"})


@pytest.fixture
def old_month(owner, demo):
    """A month that is over, long before the days of the demonstration, in which somebody was there once."""
    last = (datetime.date.today().replace(day=1) - datetime.timedelta(days=1)).replace(day=1) - datetime.timedelta(days=1)
    first = last.replace(day=1)
    day = first + datetime.timedelta(days=9)
    before = (first - datetime.timedelta(days=1)).isoformat()
    user = ask(demo, "GET", "/api/v1/users?sort=id&limit=500")["users"][0]["id"]
    path = f"/api/v1/attendance/sessions?user={user}&from={day}&to={day}"
    lock_back(demo, before)
    start = int(datetime.datetime(day.year, day.month, day.day, 9, tzinfo=datetime.timezone.utc).timestamp() * 1000)
    if not ask(demo, "GET", path)["sessions"]:
        decide(demo, change="add", user=user, from_ms=start, to_ms=start + 2 * 3_600_000)
    owner.wait(lambda: ask(demo, "GET", path)["sessions"], 20, "the session")
    yield last, user, start
    lock_back(demo, before)
    for one in ask(demo, "GET", path)["sessions"]:
        decide(demo, change="remove", session=one["id"], rev=one["rev"])


def test_a_month_is_locked_where_it_is_read(owner, demo, open_page, old_month):
    last, user, start = old_month
    day = f"{last.day} {last:%B %Y}"
    page = open_page(owner, f"/attendance/{last:%Y-%m}")
    page.wait(lambda: names(page, ".sheet-lock") == ["Not locked"], 30, "a month that is open")
    assert "Not locked." in said(page)
    page.run("document.querySelector('#month-lock button').click()")
    assert page.text("dialog h2") == "Lock month"
    assert day in page.text("dialog p"), "the last day of the month"
    type_in(page, "dialog [name=reason]", "wages are paid")
    page.run("document.querySelector('dialog button.go').click()")
    # Nodes of other tests may never have told of that time.
    answered = page.wait(lambda: page.run("""
        const dialog = document.querySelector("dialog");
        return dialog === null ? "done" : dialog.querySelector(".fault:not([hidden])")?.textContent;"""), 20, "an answer")
    if answered != "done":
        assert is_seen(page, "dialog [name=force]"), answered
        page.run("document.querySelector('dialog [name=force]').click()")
        page.run("document.querySelector('dialog button.go').click()")
    page.wait(lambda: said(page).startswith("Locked through"), 20, "the lock")
    assert day in said(page) and "desk-owner" in said(page)
    assert "wages are paid" in said(page)
    assert not is_seen(page, "#month-lock button"), "what is locked is not locked again"
    [sheet] = names(page, ".sheet-lock")
    assert re.fullmatch(rf"Locked through .*{day} by desk-owner", sheet), sheet
    with pytest.raises(urllib.error.HTTPError) as refused:
        decide(demo, change="add", user=user, from_ms=start + 4 * 3_600_000, to_ms=start + 5 * 3_600_000)
    assert refused.value.code == 423
    lock_back(demo, last.replace(day=9).isoformat())
    page = open_page(owner, f"/attendance/{last:%Y-%m}")
    page.wait(lambda: said(page).startswith("Locked through"), 20, "half a lock")
    assert f"9 {last:%B}" in said(page)
    assert is_seen(page, "#month-lock button"), "the rest of it can be locked"
    assert_nothing_sticks_out(page)


def test_a_month_that_goes_on_cannot_be_locked(owner, demo, open_page):
    month = ask(demo, "GET", "/api/v1/reports/attendance-day.json")["rows"][0]["date"][:7]
    page = open_page(owner, f"/attendance/{month}")
    page.wait(lambda: is_seen(page, "#month-lock"), 30, "the month")
    assert not is_seen(page, "#month-lock button")


def test_why_begins_with_a_sentence(owner, demo, open_page):
    page = open_page(owner, "/people")
    row = page.wait(lambda: next((row for row in page.rows("#people-rows") if row.get("station")), None), PATIENCE_S,
                    "anybody at a station")
    name = ask(demo, "GET", f"/api/v1/users/{row['user']}")["name"]
    page.run("document.querySelector(`#people-rows [data-user='${arguments[0]}'] .ask`).click()", row["user"])
    page.wait(lambda: ": " in page.text("#why-because"), 20, "why")
    says = page.text(".why-says")
    assert re.match(rf"{re.escape(name)} is (probably )?at .+, \d+ % sure(, not confirmed)?\.|"
                    rf"No node receives the tag of {re.escape(name)}.*\.$", says), says
    assert page.run("return document.querySelector('#why-title').nextElementSibling === document.querySelector('.why-says')")
    assert not is_seen(page, "#why-rows"), "figures are folded"
    page.driver.find_element(By.CSS_SELECTOR, "#why-details > summary").click()
    assert is_seen(page, "#why-rows") and re.search(r"dBm|no signal", page.text("#why-rows"))
    # Whoever finds it wrong goes on to the place and to the node.
    nodes = {one["id"] for one in ask(demo, "GET", "/api/v1/nodes?limit=500")["nodes"]}

    def ways():
        return page.run("return [...document.querySelectorAll('#why-wrong a')].map((one) => one.pathname + one.hash)")
    page.wait(lambda: len(ways()) == 2, PATIENCE_S, "both ways")
    assert re.match(r"/setup/(rooms|stations)#.+", ways()[0])
    assert ways()[1].removeprefix("/nodes/") in nodes
    page.resize(NARROW, 640)
    assert page.run("""
        return Math.max(...[...document.querySelectorAll("#why *")].filter((one) => one.checkVisibility() &&
            !one.closest("thead")).map((one) => one.getBoundingClientRect().right));""") <= NARROW
    assert page.complaints() == []


@pytest.fixture
def shared(demo):
    """Sets whether somebody's trainers see their training, and sets it back."""
    before = {}

    def share(user, value):
        path = f"/api/v1/users/{user}/sharing"
        before.setdefault(path, ask(demo, "GET", path)["training"])
        ask(demo, "PUT", path, {"training": value})
    yield share
    for path, value in before.items():
        ask(demo, "PUT", path, {"training": value})


def said(page):
    """What the month says of its lock; nothing while it is asked."""
    return page.run("return document.querySelector('#month-lock p')?.textContent ?? ''")


def training(demo):
    """Of everybody who trains at a station: their latest workout."""
    topics = ask(demo, "GET", "/api/v1/snapshot")["topics"]
    return {topic.split("/")[-2]: told for topic, told in topics.items()
            if topic.endswith("/workout") and told.get("state") == "active" and told.get("station")}


def test_a_trainer_is_told_what_is_not_shown(trainer, demo, open_page, shared):
    person = ask(demo, "GET", "/api/v1/users?sort=id&limit=500")["users"][-1]
    shared(person["id"], False)
    page = open_page(trainer, f"/people/{person['id']}")
    page.wait(lambda: is_seen(page, "#day-hidden"), 20, "what is not shown")
    assert names(page, "#day-hidden li") == [
        "Attendance is not shown to trainers.", f"{person['name']} has not shared training with trainers."]
    assert "No data for this day" not in page.run("return document.querySelector('#day').innerText")
    assert not is_seen(page, "#day .strip"), "an empty day would say that there was nothing"
    assert page.complaints() == []
    shared(person["id"], True)
    page = open_page(trainer, f"/people/{person['id']}")
    page.wait(lambda: names(page, "#day-hidden li") == ["Attendance is not shown to trainers."], 20, "the training")
    page.wait(lambda: is_seen(page, "#day .strip"), 20, "the day")
    assert page.complaints() == []


def test_who_trains_stands_in_columns_and_the_others_are_counted(trainer, demo, base, open_page, shared):
    rows = "#training-now > li"
    user = trainer.wait(lambda: next(iter(training(demo)), None), PATIENCE_S, "anybody who trains")
    for one in training(demo):
        shared(one, one == user)
    name = ask(demo, "GET", f"/api/v1/users/{user}")["name"]
    page = open_page(trainer, "/training")
    page.wait(lambda: name in names(page, ".trainee-who bdi"), PATIENCE_S, "whoever shares it")
    assert is_seen(page, ".training-heads")
    heads, cells = page.run("""
        const left = (one) => Math.round(one.getBoundingClientRect().left);
        const row = document.querySelector("#training-now > li");
        return [[...document.querySelectorAll(".training-heads > span")].slice(1).map(left),
            [...row.children].slice(2, 6).map(left)];""")
    assert heads == cells, "each column under its head"
    page.wait(lambda: is_seen(page, "#training-unshared") or len(names(page, rows)) == len(training(demo)), PATIENCE_S,
              "the number of the others")
    if is_seen(page, "#training-unshared"):
        assert re.match(r"\d+ others? ", page.text("#training-unshared p"))
        page.driver.find_element(By.ID, "ask-to-share").click()
        page.wait(lambda: is_seen(page, "dialog form"), 20, "the question")
        page.driver.find_element(By.CSS_SELECTOR, "dialog [type=submit]").click()
        page.wait(lambda: any("asked" in one for one in names(page, ".toast")), 20, "how many were asked")
        assert "My day" in page.text("#training-unshared") and "My trainers can see my training" in page.text(
            "#training-unshared")
    workout = page.run(
        "return [...document.querySelectorAll('#training-now > li')].find((one) => one.textContent.includes(arguments[0]))"
        ".querySelector('a').pathname", name).removeprefix("/history/")
    page.run("[...document.querySelectorAll('#training-now > li')].find((one) => one.textContent.includes(arguments[0]))"
             ".querySelector('button').click()", name)
    assert page.text("dialog h2") == f"Note to {name}"
    type_in(page, "dialog textarea", "elbows in")
    page.run("document.querySelector('dialog button.go').click()")
    page.wait(lambda: [one for one in ask(demo, "GET", f"/api/v1/workouts/{workout}/notes")["notes"]
                       if one["text"] == "elbows in"], 20, "the note")
    page.wait(lambda: page.run("return document.querySelector('dialog') === null"), 5, "the end of the box")
    assert page.complaints() == []
    assert_nothing_sticks_out(page)


def test_a_week_shows_who_works_and_who_is_off(owner, demo, open_page):
    page = open_page(owner, "/attendance/roster")
    page.wait(lambda: page.run("return document.querySelector('#roster-week .week-title')?.textContent"), 20, "the week")
    today = page.run("return document.querySelector('#leave-from').value")
    monday = datetime.date.fromisoformat(today) - datetime.timedelta(days=datetime.date.fromisoformat(today).weekday())
    user = ask(demo, "GET", "/api/v1/users?sort=id&limit=500")["users"][0]
    wednesday = monday + datetime.timedelta(days=9)
    shift = f"desk-{page.run('return crypto.randomUUID().slice(0, 8)')}"
    ask(demo, "POST", "/api/v1/shifts", {"id": shift, "name": "Desk week", "start": "09:15", "end": "13:45"})
    ask(demo, "POST", f"/api/v1/shifts/{shift}/assignments", {
        "users": [user["id"]], "from": (monday + datetime.timedelta(days=7)).isoformat(), "weekdays": [1, 2]})
    ask(demo, "POST", "/api/v1/leave", {"user": user["id"], "from": wednesday.isoformat(), "to": wednesday.isoformat(),
                                        "kind": "holiday"})
    try:
        page = open_page(owner, "/attendance/roster")
        page.wait(lambda: page.run("return document.querySelector('#roster-week .week-title')?.textContent"), 20, "the week")
        page.run("document.querySelectorAll('#roster-week .buttons button')[1].click()")

        def cells():
            return page.run("""
                const row = [...document.querySelectorAll('#roster-week tbody tr')].find((one) =>
                    one.querySelector('a').pathname === arguments[0]);
                return row === undefined ? null : [...row.querySelectorAll('td')].map((one) => one.textContent)""",
                            f"/people/{user['id']}")

        page.wait(lambda: cells() is not None and cells()[2] != "–", 20, "the row")
        assert cells()[:2] == ["09:15–13:45"] * 2 and "oliday" in cells()[2].lower() and cells()[3:] == ["–"] * 4, cells()
    finally:
        ask(demo, "DELETE", f"/api/v1/leave/{user['id']}/{wednesday.isoformat()}")
        ask(demo, "POST", f"/api/v1/shifts/{shift}/end", {"last": today})
