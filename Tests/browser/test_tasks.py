"""What people come for, done on a phone as they would: by touching what they see. Taps are counted and printed."""

import datetime
import re
import time
import urllib.error
import zoneinfo

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from conftest import PATIENCE_S
from test_account import PASSWORD, ask, send, shown
from test_dashboard import tell

REASON = "the tag stayed in the locker"


class Phone:
    """A page that counts what is touched."""

    def __init__(self, page, base):
        self.page, self.base, self.taps = page, base, 0
        self._start = time.monotonic()

    def go(self, path):
        """Begins a task at a page that people have at hand."""
        self.page.driver.get(self.base + path)
        self.page.wait(lambda: self.page.connected or
                       not self.page.run("return document.documentElement.dataset.topics"), 30, "live data")
        self.taps, self._start = 0, time.monotonic()

    def see(self, selector, text=None):
        """The first element that is shown and has the text."""
        def found():
            for element in self.page.driver.find_elements(By.CSS_SELECTOR, selector):
                try:
                    if element.is_displayed() and (text is None or text in element.text):
                        return element
                except Exception as error:  # Drawn anew meanwhile.
                    if "stale" not in str(error):
                        raise
            return None
        return self.page.wait(found, 20, f"{selector} with {text}")

    def tap(self, selector, text=None):
        for turn in range(3):
            element = self.see(selector, text)
            try:
                self.page.run("""
                    window.isHit = false;
                    arguments[0].addEventListener("click", () => { window.isHit = true; }, { once: true });
                    arguments[0].scrollIntoView({ block: "center" });
                """, element)
                element.click()
                # What was loaded above it may have moved it from under the finger. After a link it is another page.
                if self.page.run("return window.isHit") is not False:
                    break
            except Exception as error:  # Drawn anew meanwhile.
                if not any(word in str(error) for word in ("stale", "intercepted")) or turn == 2:
                    raise
        else:
            raise AssertionError(f"{selector} with {text} was not hit")
        self.taps += 1
        return element

    def type(self, selector, text):
        field = self.tap(selector)
        field.clear()
        field.send_keys(text)
        return field

    def choose(self, selector, value):
        """Chooses from a list: one tap opens it, one takes."""
        field = self.see(selector)
        self.page.run(
            "arguments[0].value = arguments[1];"
            "arguments[0].dispatchEvent(new Event('input', {bubbles: true}));"
            "arguments[0].dispatchEvent(new Event('change', {bubbles: true}));", field, value)
        self.taps += 2

    def done(self, task, wanted, what):
        self.page.wait(wanted, 20, what)
        print(f"{task}: {self.taps} taps, {time.monotonic() - self._start:.1f} s")
        assert self.page.complaints() == []


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


def sign_in(page, demo, base, role, user=None):
    """Makes an account and signs in with it; returns its name."""
    name = f"task-{time.time_ns()}"
    made = ask(demo, "POST", "/api/v1/accounts", {"name": name, "role": role, **({"user": user} if user else {})})
    page.driver.get(base + made["path"])
    send(page, password=PASSWORD)
    page.wait(lambda: shown(page, "account-name").startswith(name), 30, "the page")
    return name


@pytest.fixture
def phone(browser, demo, base):
    """A manager's phone, signed in."""
    page = browser(width=390, height=844)
    name = sign_in(page, demo, base, "owner")
    yield Phone(page, base)
    try:
        ask(demo, "PATCH", f"/api/v1/accounts/{name}", {"disabled": True})
    except urllib.error.HTTPError as error:
        assert error.code == 409, "the only owner stays"


def people(demo):
    return ask(demo, "GET", "/api/v1/users?sort=id&limit=500")["users"]


def test_somebody_is_found_and_why_they_are_there(phone, demo):
    phone.go("/")
    row = phone.page.wait(
        lambda: next((row for row in phone.page.rows("#people-rows") if row.get("station")), None), PATIENCE_S,
        "anybody at a station")
    name = next(one["name"] for one in people(demo) if one["id"] == row["user"])
    phone.type("#search", name)
    phone.tap(f"#people-rows [data-user={row['user']}] .ask")
    phone.done("why somebody is there", lambda: ": " in phone.page.text("#why-because"), "reason")


def test_yesterday_is_corrected_and_approved(phone, demo):
    """Of the last day that anybody was there on."""
    sessions = ask(demo, "GET", "/api/v1/attendance/sessions?limit=500")["sessions"]
    today = sessions[0]["date"]
    # Long enough to be a minute shorter: whoever is removed at once leaves one that ends as it begins.
    session = next(one for one in sessions if one["date"] < today and one["out_ms"] and one["final"] and
                   one["out_ms"] - one["in_ms"] > 600_000)
    phone.go(f"/attendance/{session['date']}")
    row = f"#attendance-rows tr[data-user={session['user']}]"
    phone.tap(f"{row} td.act button")
    out = phone.see("tr.edit input[name=out]")
    hour, minute = map(int, out.get_attribute("value").split(":"))
    phone.tap("tr.edit input[name=out]")
    phone.page.run(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
        phone.see("tr.edit input[name=out]"), f"{hour:02}:{max(0, minute - 1):02}")
    phone.type("tr.edit [name=reason]", REASON)
    phone.tap("tr.edit button", "approve")

    def corrected():
        now = ask(demo, "GET", f"/api/v1/attendance/sessions?user={session['user']}&limit=500")["sessions"]
        return next((one for one in now if one["id"] == session["id"] and one["rev"] > session["rev"]), None)
    phone.done("correct yesterday and approve it", corrected, "correction")
    phone.page.screenshot("task-corrected")


def test_a_month_is_read_and_printed(phone):
    month = datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Berlin")).strftime("%Y-%m")
    phone.go("/attendance")
    phone.page.run("window.print = () => { window.printed = true; }")
    phone.tap(".attendance-links a, .attendance-links button", "Month")
    phone.page.wait(lambda: phone.page.driver.current_url.endswith(f"/attendance/{month}"), 20, "month")
    phone.page.run("window.print = () => { window.printed = true; }")
    phone.tap("a, button", "Print")
    phone.done("print the month", lambda: phone.page.run("return window.printed === true"), "print")


def test_a_trainer_is_invited(phone):
    phone.go("/accounts")
    phone.tap("button", "Invite")
    name = f"trainer-{time.time_ns() % 10**9}"
    phone.type("dialog input[name=name]", name)
    phone.choose("dialog select[name=role]", "trainer")
    phone.tap("dialog button.go")
    phone.see("dialog .qr svg")
    phone.page.screenshot("task-invited")
    phone.done("invite a trainer", lambda: "#invite=" in phone.page.run(
        "const box = document.querySelector('dialog');"
        "return box.textContent + [...box.querySelectorAll('input')].map((one) => one.value).join(' ')"), "link")


def test_a_tag_is_handed_over_and_back(phone, demo):
    tag = next(one for one in ask(demo, "GET", "/api/v1/beacons?limit=500")["beacons"] if one.get("user"))
    other = next(one["id"] for one in people(demo) if one["id"] != tag["user"])
    phone.go(f"/people/{tag['user']}")
    phone.tap(f"#tags [data-beacon={tag['id']}] button")
    phone.choose("dialog select[name=user]", other)
    phone.tap("dialog button.go")

    def carried():
        return ask(demo, "GET", f"/api/v1/beacons/{tag['id']}").get("user")
    phone.done("hand a tag over", lambda: carried() == other, "other carrier")
    ask(demo, "PATCH", f"/api/v1/beacons/{tag['id']}", {"user": tag["user"]})


def test_a_tag_that_a_node_hears_is_added_and_given(phone, demo):
    """It is held to a node: there it is the loudest that nobody registered."""
    number = time.time_ns()
    identity, title = f"mac-{number % 2**47:012x}", f"Tag {number % 10**6}"
    person = people(demo)[0]
    nodes = ask(demo, "GET", "/api/v1/nodes?limit=500")["nodes"]

    def hear():
        for node, level in ((nodes[0], -71), (nodes[1], -38)):
            tell(demo, f"mesh/v1/{demo['site']}/node/{node['id']}/rssi/{identity}", {
                "boot": "0" * 16, "seq": 1, "t_ms": time.time_ns() // 10**6, "rssi": level, "n": 3, "sd": 1}, "-q", "1")
    hear()
    phone.go("/devices")
    row = f"#device-rows [data-beacon={identity}]"
    assert nodes[1]["name"] in phone.see(row).text
    phone.tap(f"{row} .act button")
    phone.type("dialog input[name=title]", title)
    phone.type("dialog input[name=user]", person["name"])
    phone.tap("dialog button.go")

    def added():
        return [one for one in ask(demo, "GET", f"/api/v1/beacons?user={person['id']}&limit=500")["beacons"]
                if one.get("title") == title]
    phone.done("add a tag and give it", added, "tag")
    tag = added()[0]
    try:
        assert ask(demo, "GET", f"/api/v1/beacons/{tag['id']}")["identity"] == identity
        phone.see(f"#device-rows [data-beacon={tag['id']}]", title)
        phone.page.wait(lambda: not phone.page.driver.find_elements(By.CSS_SELECTOR, row), 5, "end of the stranger")
    finally:
        ask(demo, "DELETE", f"/api/v1/beacons/{tag['id']}")


def test_a_station_is_renamed_where_its_name_stands(phone, demo):
    station = ask(demo, "GET", "/api/v1/stations?limit=500")["stations"][0]
    phone.go("/plan")
    phone.tap("details summary")
    phone.tap(f"[data-place={station['id']}] button")
    phone.type("dialog input[name=name]", "Press of gold")
    phone.tap("dialog button.go")
    try:
        phone.done("rename a station", lambda: "Press of gold" in phone.page.text("svg.plan"), "name in the plan")
    finally:
        ask(demo, "PATCH", f"/api/v1/stations/{station['id']}", {"name": station["name"]})
    phone.page.wait(lambda: station["name"] in phone.page.text("svg.plan"), 20, "old name in the plan")


def test_my_hours_are_the_first_thing_that_a_member_finds(browser, demo, base):
    # Somebody new: each person has one account, and others have those of who was here.
    user = f"u-hours-{time.time_ns()}"
    ask(demo, "POST", "/api/v1/users", {"id": user, "name": "Worked Today"})
    now = ask(demo, "GET", "/api/v1/snapshot")["server_ms"]
    ask(demo, "POST", "/api/v1/attendance/check-in", {"user": user, "at_ms": now - 3 * 3_600_000})
    ask(demo, "POST", "/api/v1/attendance/check-out", {"user": user, "at_ms": now - 3_600_000})
    page = browser(width=390, height=844)
    name = sign_in(page, demo, base, "member", user)
    phone = Phone(page, base)
    phone.go("/")
    phone.tap("nav a", "My day")
    phone.see(".months .sum")
    # Of this month or, on its first days, of the last.
    phone.done("my hours", lambda: [one for one in page.all(".months .sum")
                                    if re.search(r"[1-9]\d*:\d\d|0:(0[1-9]|[1-5]\d)", one["text"])], "hours")
    page.screenshot("task-my-hours")
    ask(demo, "PATCH", f"/api/v1/accounts/{name}", {"disabled": True})
    ask(demo, "DELETE", f"/api/v1/users/{user}")


def test_somebody_is_checked_in_by_hand(phone, demo):
    # Nobody else: a tag may check them in meanwhile.
    user = f"u-new-{time.time_ns()}"
    ask(demo, "POST", "/api/v1/users", {"id": user, "name": "Nobody's Tag"})
    phone.go("/people")
    phone.tap(f"#people-rows [data-user={user}] a")
    phone.tap("#check", "Check in")
    phone.type("dialog input[name=reason]", "forgot it")
    phone.tap("dialog button.go")
    phone.done("check somebody in", lambda: "In since" in phone.page.text("#now"), "word that they are in")
    phone.page.screenshot("task-person")
    ask(demo, "POST", "/api/v1/attendance/check-out", {"user": user})
    ask(demo, "DELETE", f"/api/v1/users/{user}")


def test_who_is_missing_stands_on_the_day(phone):
    phone.go("/attendance")

    def told():
        """Whether the count is shown, and what it is."""
        return phone.page.run("""
            const count = document.querySelector(".counts [data-state=missing]");
            const number = count?.querySelector(".number").textContent ?? "";
            return number === "" ? null : [count.checkVisibility(), number];""")
    # A count that is 0 is not shown.
    phone.done("who is missing", lambda: told() is not None and told()[0] == (told()[1] != "0"), "count")


def test_a_form_says_what_is_wrong_and_keeps_what_was_typed(phone):
    phone.go("/accounts")
    phone.tap("button", "Invite")
    phone.type("dialog input[name=name]", "Ada Lovelace")
    phone.tap("dialog button.go")
    phone.see("dialog .fault")
    assert phone.see("dialog input[name=name]").get_attribute("value") == "Ada Lovelace"
    assert phone.see("dialog input[name=name]").get_attribute("aria-invalid") == "true"
    phone.see("dialog input[name=name]").send_keys(Keys.ESCAPE)


def test_a_session_that_ends_while_somebody_types_loses_nothing(phone, demo):
    name = shown(phone.page, "account-name").split(" ")[0]
    phone.go("/accounts")
    phone.tap("button", "Invite")
    wanted = f"kept-{time.time_ns() % 10**9}"
    phone.type("dialog input[name=name]", wanted)
    ask(demo, "DELETE", f"/api/v1/accounts/{name}/sessions")
    phone.tap("dialog:last-of-type input[name=password]").send_keys(PASSWORD)
    phone.tap("dialog:last-of-type button.go")
    phone.page.wait(lambda: len(phone.page.driver.find_elements(By.TAG_NAME, "dialog")) == 1, 20, "the form alone")
    assert phone.see("dialog input[name=name]").get_attribute("value") == wanted
    phone.choose("dialog select[name=role]", "auditor")
    phone.tap("dialog button.go")
    phone.see("dialog .qr svg")
    assert wanted in [one["name"] for one in ask(demo, "GET", "/api/v1/accounts")["accounts"]]


def test_language_and_colours_are_kept(phone):
    phone.go("/account")
    phone.choose("#looks select[name=language]", "de")
    phone.choose("#looks select[name=theme]", "dark")
    phone.tap("#looks button.go")
    root = "return [document.documentElement.lang, document.documentElement.dataset.theme].join(' ')"
    phone.done("language and colours", lambda: phone.page.run(root) == "de dark", "German in the dark")
    phone.go("/")
    assert phone.page.run(root) == "de dark"
    phone.page.screenshot("task-german-dark")


def test_nodes_tell_of_strangers_only_while_somebody_wants_that(phone, demo):
    def told():
        return ask(demo, "GET", "/api/v1/policy")["publish_unregistered"]
    before = told()
    if before:
        ask(demo, "PUT", "/api/v1/policy", {**ask(demo, "GET", "/api/v1/policy"), "publish_unregistered": False})
    phone.go("/devices")
    try:
        for wanted in (True, False):
            words = phone.see("#strangers").text
            phone.tap("#strangers")
            phone.page.wait(lambda: told() == wanted and phone.see("#strangers").text != words, 20, "other policy")
            if wanted:
                rest = ask(demo, "GET", "/api/v1/policy")["publish_unregistered_until_ms"] - time.time() * 1000
                assert 240_000 < rest < 301_000
                phone.page.wait(lambda: phone.page.text(".strangers .detail").startswith("For 4:"), 10, "the countdown")
                phone.page.screenshot("task-strangers")
    finally:
        if told() != before:
            ask(demo, "PUT", "/api/v1/policy",
                {**ask(demo, "GET", "/api/v1/policy"), "publish_unregistered": before})


def test_a_member_asks_for_a_session_on_a_day_without_any(browser, demo, base):
    """Whoever left the tag at home has no row to touch."""
    taken = {one.get("user") for one in ask(demo, "GET", "/api/v1/accounts")["accounts"]}
    user = next(one["id"] for one in people(demo) if one["id"] not in taken)
    page = browser(width=390, height=844)
    name = sign_in(page, demo, base, "member", user)
    phone = Phone(page, base)
    day = (datetime.date.today() - datetime.timedelta(days=10)).isoformat()
    phone.go("/me")
    phone.tap("button", "Add a missing visit")
    fill = """
        const field = document.querySelector(arguments[0]);
        field.value = arguments[1];
        for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
    """
    phone.see("dialog input[name=in]")
    page.run(fill, "dialog input[name=in]", "04:00")
    page.run(fill, "dialog .day-field", day)
    assert phone.see("dialog input[name=in]").get_attribute("value") == "04:00", "what was typed comes along"
    page.run(fill, "dialog input[name=out]", "04:30")
    phone.type("dialog [name=reason]", "the tag was at home")
    assert phone.see("dialog button.go").text == "Request", "nobody approves for themselves here"
    page.screenshot("task-missing-session")
    phone.tap("dialog button.go")

    def asked():
        return [one for one in ask(demo, "GET", f"/api/v1/attendance/corrections?user={user}")
                if one["change"] == "add" and one["state"] == "pending"]
    phone.done("ask for a missing session", asked, "correction")
    ask(demo, "PATCH", f"/api/v1/accounts/{name}", {"disabled": True})


def test_who_is_not_told_who_is_in_is_told_nothing_of_it(browser, demo, base):
    """A trainer sees where people are, and nobody's hours but their own."""
    page = browser(width=390, height=844)
    name = sign_in(page, demo, base, "trainer")
    person = people(demo)[0]["id"]
    page.open(base, f"people/{person}", "#now")
    page.wait(lambda: page.text("#now .pill"), 20, "the person")
    assert "Not checked in" not in page.text("#now") and "In since" not in page.text("#now")
    ask(demo, "PATCH", f"/api/v1/accounts/{name}", {"disabled": True})
