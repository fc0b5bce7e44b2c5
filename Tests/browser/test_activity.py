"""Steps on a phone: how it is connected, today against the goal, a week and a month, settings, what is shared."""

import json
import time
import urllib.error
import urllib.request

import pytest

from conftest import Page
from test_door import enter
from test_member import visible

pytestmark = pytest.mark.own_site

MARY = "u-qw5n6t"
OTHER = "u-3fvx7d"
MINUTE_MS = 60_000


@pytest.fixture(scope="module")
def phone(closed_site, programs):
    month = closed_site.ask("GET", f"/api/v1/activity?user={MARY}&range=month")
    if time.time() * 1000 - month["from_ms"] < 150 * MINUTE_MS:
        pytest.skip("the month is younger than the steps")
    page = Page(width=390, height=844)
    enter(page, closed_site.invite("mary", "member", MARY), "mary")
    yield page
    page.close()


def walk(site, *samples):
    """Sends samples that ended so many minutes ago, a quarter of an hour long."""
    now = int(time.time() * 1000)
    answer = site.ask("POST", "/api/v1/activity/samples", {"user": MARY, "samples": [
        {"id": f"{source}-{ago}", "source": source, "from_ms": now - (ago + 15) * MINUTE_MS,
         "to_ms": now - ago * MINUTE_MS, "steps": steps} for source, ago, steps in samples]})
    assert all("code" not in one for one in answer["results"]), answer


def ring(page):
    return page.run("return document.querySelector('.ring .words')?.textContent ?? ''")


def type_into(page, name, value):
    page.run("""
        const [name, value] = arguments;
        const input = document.querySelector(`main form [name=${name}]`);
        if (input.type === "checkbox") input.checked = value === "true"; else input.value = value;
        input.dispatchEvent(new Event("input", { bubbles: true }));
    """, name, value)


def await_a_young_day(site):
    """Waits until the last minutes are all of today."""
    while time.time() * 1000 - site.ask("GET", f"/api/v1/activity?user={MARY}")["from_ms"] < 200_000:
        time.sleep(1)


def exercise(site, *records):
    """Sends what an app for Health Connect says somebody did in the last minutes: its kind, and by which source."""
    await_a_young_day(site)
    moment = lambda ago: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - ago))
    span = {"start_time": moment(180), "end_time": moment(60)}
    answer = site.ask("POST", f"/api/v1/activity/app?user={MARY}", {"timestamp": "now", "exercise": [
        {"type": kind, "source": source, **span} for kind, source in records]})
    assert answer["stored"] == len(records), answer


def pass_time(page, milliseconds):
    """Lets a page think that so much time has passed."""
    page.run("""
        const [more] = arguments;
        const now = performance.now.bind(performance);
        performance.now = () => now() + more;
    """, milliseconds)


def pass_a_minute(page):
    """Lets a page think that a minute has passed, after which it looks for news."""
    pass_time(page, 61_000)


def is_shown(page, selector):
    return page.run("return document.querySelector(arguments[0])?.checkVisibility() ?? false", selector)


def see_month(page, site):
    """Opens the page of activity, at the month."""
    page.driver.get(site.address + "/activity")
    page.wait(lambda: is_shown(page, ".ring"), 20, "the ring")
    page.run("document.querySelector('[data-range=month]').click()")


def secrets(page):
    """What there is to copy: an address, and a key once there is one."""
    return page.run("return [...document.querySelectorAll('input.secret')].map((one) => one.value)")


def send_as_phone(site, key, identity, steps):
    """Sends what was counted in the last minute, as an app does with the value of its header."""
    now = int(time.time() * 1000)
    body = {"samples": [{"id": identity, "source": "my phone", "from_ms": now - 60_000, "to_ms": now, "steps": steps}]}
    request = urllib.request.Request(
        site.address + "/api/v1/activity/samples", method="POST", data=json.dumps(body).encode(),
        headers={"Authorization": key, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def test_before_any_step_stands_how_a_phone_is_connected(closed_site, phone):
    phone.driver.get(closed_site.address + "/activity")
    phone.wait(lambda: is_shown(phone, ".phone-connect"), 20, "the three steps")
    apps = phone.run("return [...document.querySelectorAll('.phone-apps button')].map((one) => one.textContent)")
    assert apps == ["iPhone", "Android", "Home Assistant or other"]
    # Nothing is known: neither a ring of 0, nor an axis, nor an energy.
    assert not is_shown(phone, ".ring") and not is_shown(phone, ".chart") and "kcal" not in visible(phone)
    # Before there is a key nothing is on its way.
    assert phone.text(".phone-waiting") == "" and secrets(phone) == []
    phone.screenshot("activity-connect")
    phone.run("document.querySelector('[data-app=android]').click()")
    assert secrets(phone) == [closed_site.address + "/api/v1/activity/app"]
    phone.run("document.querySelector('.phone-how button[type=submit]').click()")
    phone.wait(lambda: is_shown(phone, ".phone-how svg"), 20, "the code")
    address, key = secrets(phone)
    assert key.startswith("Bearer bm_")
    assert "Waiting for the first steps" in phone.text(".phone-waiting")
    drawing = lambda: phone.run("return document.querySelector('.phone-how svg .dark').getAttribute('d')")
    before = drawing()
    phone.run("document.querySelector('[data-app=iphone]').click()")
    assert secrets(phone) == [address + "?every=hour", key], "another address for the same key"
    phone.wait(lambda: drawing() != before, 10, "another code")
    phone.resize(320, 800)
    assert phone.run("return document.documentElement.scrollWidth") <= 320
    phone.screenshot("activity-connect-key")
    phone.resize(390, 844)
    # A key is shown once: who comes back is told that there is one, and still waits.
    phone.driver.refresh()
    phone.wait(lambda: "Waiting for the first steps" in visible(phone), 20, "that it waits")
    assert "You already have a key" in visible(phone) and secrets(phone) == []
    await_a_young_day(closed_site)
    phone.run("window.isSame = true")
    assert send_as_phone(closed_site, key, "first", 500) == {"results": [{"id": "first"}]}
    # Sooner than news of a day come.
    phone.wait(lambda: is_shown(phone, ".ring"), 20, "the ring")
    assert ring(phone).startswith("500") and not is_shown(phone, ".phone-connect")
    assert phone.run("return window.isSame === true"), "without a reload"
    # From now on it asks no more often than any day.
    phone.run("""
        const ask = window.fetch;
        window.asked = 0;
        window.fetch = (...given) => {
            if (String(given[0]).startsWith("/api/v1/activity")) window.asked += 1;
            return ask(...given);
        };""")
    pass_time(phone, 20_000)
    time.sleep(2.5)
    assert phone.run("return window.asked") == 0
    assert phone.complaints() == []
    closed_site.ask("DELETE", f"/api/v1/activity?user={MARY}")
    for one in closed_site.ask("GET", f"/api/v1/activity/phones?user={MARY}")["phones"]:
        closed_site.ask("DELETE", f"/api/v1/activity/phones/{one['name']}?user={MARY}")


def test_steps_of_a_phone_and_a_watch_are_counted_once(closed_site, phone):
    # Whatever the hour, some of it is today or all of it was yesterday: the month has it all.
    walk(closed_site, ("phone", 20, 1500), ("watch", 20, 1200), ("phone", 60, 1700))
    see_month(phone, closed_site)
    phone.wait(lambda: "3,200" in ring(phone), 20, "all steps")
    phone.wait(lambda: phone.run("""
        const canvas = document.querySelector(".chart canvas");
        return canvas.width > 0 && new Set(canvas.getContext("2d").getImageData(
            0, 0, canvas.width, canvas.height).data).size > 2"""), 10, "bars")
    assert "2.37 km" in phone.text(".activity-now")
    # What needs a weight leads to where it is set.
    weight = phone.run("return document.querySelector('.figures a')?.getAttribute('href')")
    assert weight == "/activity/settings" and "kcal" not in phone.text(".activity-now")
    boxes = phone.run("""
        return [...document.querySelectorAll(".figures > div")].map((one) => {
            const { top, left, right } = one.getBoundingClientRect();
            return [top, left, right];
        })""")
    assert len(boxes) == 3 and len({top for top, _, _ in boxes}) == 1, "one row"
    assert boxes[-1][2] - boxes[0][1] > 290, "as wide as the page"
    assert phone.run("return document.querySelectorAll('tbody tr').length") >= 4
    for range_, parts in (("week", 7), ("day", 23)):
        phone.run("document.querySelector(`[data-range=${arguments[0]}]`).click()", range_)
        phone.wait(lambda: phone.run("return document.querySelectorAll('tbody tr').length") >= parts and phone.run(
            "return document.querySelector(`[data-range=${arguments[0]}]`).getAttribute('aria-pressed')", range_)
            == "true", 10, range_)
    phone.screenshot("activity")
    phone.run("document.querySelector('[aria-label=Previous]').click()")
    phone.wait(lambda: phone.text(".activity-date") != "Today", 10, "yesterday")
    assert not phone.run("return document.querySelector('[aria-label=Next]').disabled")
    assert phone.complaints() == []


def open_settings(page, site, query=""):
    page.driver.get(f"{site.address}/activity/settings{query}")
    page.wait(lambda: page.run("return document.querySelector('main form:has([name=goal])')?.hidden === false"), 20,
              "the settings")


def test_settings_and_sharing_have_a_page_of_their_own(closed_site, phone):
    phone.driver.get(closed_site.address + "/activity")
    phone.wait(lambda: is_shown(phone, ".ring"), 20, "the ring")
    assert phone.run("return document.querySelector('[name=goal], #activity-sharing')") is None
    phone.run("[...document.querySelectorAll('main a')].find((one) => one.textContent === 'Settings').click()")
    phone.wait(lambda: phone.driver.current_url.endswith("/activity/settings"), 10, "the page")
    phone.wait(lambda: is_shown(phone, "#activity-sharing") and is_shown(phone, "form:has([name=goal])"), 20, "both")
    assert phone.text("h1") == "Activity settings"
    # And back.
    assert is_shown(phone, "main a[href='/activity']")
    assert phone.complaints() == []


def test_settings_are_checked_kept_and_shown(closed_site, phone):
    open_settings(phone, closed_site)
    keep = "document.querySelector('main form:has([name=goal]) button.go').click()"
    fault = lambda: phone.run("return document.querySelector('main form:has([name=goal]) .fault').textContent")
    type_into(phone, "goal", "0")
    phone.run(keep)
    phone.wait(lambda: "Steps per day" in fault(), 5, "a goal of no steps being refused")
    type_into(phone, "goal", "1000")
    type_into(phone, "at", "18:00")
    for day in range(1, 8):
        type_into(phone, f"day{day}", "false")
    phone.run(keep)
    phone.wait(lambda: fault() == "Choose at least one weekday.", 5, "a reminder without a day being refused")
    type_into(phone, "day6", "true")
    type_into(phone, "units", "mi")
    type_into(phone, "weight_kg", "070.50")
    type_into(phone, "stride_m", "0.8")
    phone.run(keep)
    settings = lambda: closed_site.ask("GET", f"/api/v1/activity/settings?user={MARY}")
    phone.wait(lambda: settings()["goal"] == 1000, 10, "the goal")
    kept = settings()
    assert kept["reminder"] == {"at": "18:00", "weekdays": [6]} and kept["weight_kg"] == 70.5
    phone.wait(lambda: phone.run("return document.querySelector('main form [name=weight_kg]').value") == "70.5", 10,
               "the fields showing what is kept")
    phone.screenshot("activity-settings")
    see_month(phone, closed_site)
    # 3,200 × 0.8 m in miles of 1,609.344 m; 0.57 × 70.5 × 2.56 kcal.
    phone.wait(lambda: "1.59 mi" in phone.text(".activity-now") and "103 kcal" in phone.text(".activity-now"), 10,
               "estimates by these figures")
    open_settings(phone, closed_site)
    phone.wait(lambda: phone.run("return document.querySelector('main form [name=goal]')?.value") == "1000", 20,
               "what is kept")
    # A member cannot choose somebody else.
    assert phone.run("return document.querySelector('.whose').offsetParent === null")
    # A goal that is planned holds from its day on, whatever is kept before.
    closed_site.ask("PUT", "/api/v1/activity/settings", {
        **{name: kept[name] for name in ("reminder", "units", "weight_kg", "stride_m")}, "user": MARY,
        "goal": 9000, "from_date": "2099-01-01"})
    phone.driver.refresh()
    phone.wait(lambda: phone.run("return document.querySelector('main form:has([name=goal])')?.hidden === false"), 20, "the form")
    type_into(phone, "height_cm", "170")
    phone.run(keep)
    phone.wait(lambda: settings()["height_cm"] == 170, 10, "the height")
    assert settings()["goals"] == [*kept["goals"], {"from_date": "2099-01-01", "goal": 9000}]
    # 600 miles of 1,609.344 m more; by miles of 1,609 m they would be 601.72.
    began = int(time.time() * 1000) - 120 * MINUTE_MS
    closed_site.ask("POST", "/api/v1/activity/samples", {"user": MARY, "samples": [
        {"id": "far", "source": "phone", "from_ms": began, "to_ms": began + 15 * MINUTE_MS, "steps": 0,
         "distance_m": 965606.4}]})
    see_month(phone, closed_site)
    phone.wait(lambda: "601.59 mi" in phone.text(".activity-now"), 10, "600 miles more")
    assert phone.complaints() == []


def test_a_reset_wants_its_word(closed_site, phone):
    open_settings(phone, closed_site)
    phone.run("[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Delete all steps').click()")
    answer = """
        const input = document.querySelector("dialog [name=word]");
        input.value = arguments[0];
        input.dispatchEvent(new Event("input", { bubbles: true }));
        document.querySelector("dialog button.go").click();
    """
    phone.run(answer, "yes")
    phone.wait(lambda: phone.text("dialog .fault") == "Type delete", 5, "a refusal")
    total = lambda: closed_site.ask("GET", f"/api/v1/activity?user={MARY}&range=month")["total"]["steps"]
    assert total() == 3200
    phone.run(answer, "delete")
    phone.wait(lambda: total() == 0, 10, "no steps")
    phone.driver.get(closed_site.address + "/activity")
    phone.wait(lambda: is_shown(phone, ".phone-connect"), 20, "the beginning again")
    assert closed_site.ask("GET", f"/api/v1/activity/settings?user={MARY}")["goals"][-2]["goal"] == 1000
    assert phone.complaints() == []


def test_what_is_begun_by_hand_is_ended_by_hand(closed_site, phone):
    phone.driver.get(closed_site.address + "/activity")
    # It needs no phone that counts.
    begin = "main form:has([name=kind])"
    phone.wait(lambda: phone.run("return document.querySelector(arguments[0])?.hidden === false", begin), 20, "the form")
    phone.wait(lambda: "None on this day" in visible(phone), 10, "that nothing was done")
    type_into(phone, "kind", "cycling")
    phone.run("document.querySelector(arguments[0] + ' button.go').click()", begin)
    phone.wait(lambda: "Cycling since" in phone.text("main"), 10, "that it goes on")
    phone.screenshot("activity-begun")
    # It outlives the page.
    phone.driver.refresh()
    phone.wait(lambda: "Cycling since" in phone.text("main"), 20, "that it still goes on")
    phone.run("[...document.querySelectorAll('main button.go')].find((one) => one.textContent === 'Finish').click()")
    phone.wait(lambda: phone.run("return document.querySelector(arguments[0])?.hidden === false", begin), 10, "its end")
    done = closed_site.ask("GET", f"/api/v1/activity?user={MARY}")["activities"]
    assert [one["kind"] for one in done] == ["cycling"] and done[0]["to_ms"] is not None
    assert phone.complaints() == []


def test_a_phone_gets_a_token_of_its_own(closed_site, phone):
    phone.driver.get(closed_site.address + "/me")
    add = "[...document.querySelectorAll('main button.go')].find((one) => one.textContent === 'Add a phone')"
    phone.wait(lambda: phone.run(f"return {add} !== undefined"), 20, "the button")
    phone.wait(lambda: "No phone connected." in visible(phone), 20, "that there is none")
    phone.run(f"{add}.click()")
    # As where there are no steps yet: which it is, then what is entered there.
    phone.run("document.querySelector('dialog [data-app=other]').click()")
    phone.run("document.querySelector('dialog form button.go').click()")
    phone.wait(lambda: phone.run("return document.querySelector('dialog svg') !== null"), 20, "the code")
    address, key = secrets(phone)
    assert address == closed_site.address + "/api/v1/activity/samples" and key.startswith("Bearer bm_")
    phone.screenshot("phone-token")
    assert send_as_phone(closed_site, key, "t", 77) == {"results": [{"id": "t"}]}
    phone.run("document.querySelector('dialog')?.close()")
    phone.driver.refresh()
    [made] = closed_site.ask("GET", f"/api/v1/activity/phones?user={MARY}")["phones"]
    phone.wait(lambda: made["name"] in phone.text("main"), 20, "the phone")
    phone.run("document.querySelector(`[aria-label^='Disconnect phone-']`).click()")
    phone.wait(lambda: phone.run("return document.querySelector('dialog button.go') !== null"), 10, "the question")
    phone.run("document.querySelector('dialog button.go').click()")
    phone.wait(lambda: "No phone connected." in visible(phone), 10, "no phone")
    with pytest.raises(urllib.error.HTTPError) as refusal:
        send_as_phone(closed_site, key, "t", 77)
    assert refusal.value.code == 401
    assert phone.complaints() == []


def test_nothing_that_is_typed_for_one_person_stays_for_the_next(closed_site):
    owner = Page(width=1440, height=900)
    try:
        enter(owner, closed_site.invite("olga", "owner"), "olga")
        closed_site.ask("PUT", "/api/v1/activity/settings", {"user": MARY, "goal": 1000, "height_cm": 170})
        # Others connect their phones themselves: of who has no steps the owner sees a day without any.
        owner.driver.get(f"{closed_site.address}/activity?user={OTHER}")
        owner.wait(lambda: is_shown(owner, ".ring"), 20, "the day")
        assert ring(owner).startswith("0") and not is_shown(owner, ".phone-connect") and not is_shown(owner, ".chart")
        assert is_shown(owner, f"main a[href='/activity/settings?user={OTHER}']")
        owner.driver.get(f"{closed_site.address}/activity/settings?user={MARY}")
        value = lambda name: owner.run("""
            const form = document.querySelector("main form:has([name=goal])");
            return form === null || form.hidden ? null : form.querySelector(`[name=${arguments[0]}]`).value""", name)
        owner.wait(lambda: value("height_cm") == "170", 20, "the settings")
        # A browser gives an empty text for what is no number yet.
        owner.driver.find_element("css selector", "main form [name=height_cm]").send_keys("e")
        assert value("height_cm") == ""
        type_into(owner, "goal", "5")
        choose = lambda user: owner.run("""
            const choice = document.getElementById("whose");
            choice.value = arguments[0];
            choice.dispatchEvent(new Event("change"));
            return document.querySelector("main form:has([name=goal])").hidden;""", user)
        assert choose(OTHER), "hidden at once"
        owner.wait(lambda: value("goal") == "", 20, "the settings of the other one")
        assert not owner.run("return document.querySelector('main form [name=height_cm]').validity.badInput")
        assert owner.run("return document.querySelector('form[data-dirty]')") is None
        choose(MARY)
        owner.wait(lambda: (value("goal"), value("height_cm")) == ("1000", "170"), 20, "what is stored")
        assert owner.complaints() == []
    finally:
        owner.close()


def test_a_trainer_sees_what_is_shared_until_it_is_taken_back(closed_site, phone, programs):
    now = int(time.time() * 1000)
    closed_site.ask("POST", "/api/v1/activity/samples", {"user": MARY, "samples": [
        {"id": "shared", "source": "phone", "from_ms": now - 60_000, "to_ms": now, "steps": 140, "distance_m": 110}]})
    total = closed_site.ask("GET", f"/api/v1/activity?user={MARY}&range=month")["total"]["steps"]
    assert total >= 140
    trainer = Page(width=390, height=844)
    try:
        enter(trainer, closed_site.invite("tess", "trainer"), "tess")
        trainer.driver.get(closed_site.address + "/activity/shared")
        trainer.wait(lambda: "No one shares their activity yet" in trainer.text("main"), 20, "nobody")
        phone.driver.get(closed_site.address + "/activity/settings")
        form = "main form:has([name=heart_rate])"
        phone.wait(lambda: phone.run("return document.querySelector(arguments[0])?.hidden === false", form), 20, "the form")
        assert "Trainers can’t see any of it." in phone.text("main")
        keep = f"document.querySelector('{form} button.go').click()"
        for item in ("steps", "activities"):
            type_into(phone, item, "true")
        phone.run(keep)
        phone.wait(lambda: "Trainers see: Steps and goal, Activities and their times." in phone.text("main"), 10, "the choice")
        phone.screenshot("activity-sharing")
        # All who share something stand in one list, each with their sum of today; it leads to each.
        closed_site.ask("PUT", "/api/v1/activity/sharing", {"user": OTHER, "items": ["moving"]})
        trainer.driver.get(closed_site.address + "/activity/shared")
        sums = lambda: trainer.run("""
            return [...document.querySelectorAll(".sharers li")].map((one) =>
                [one.querySelector("a").textContent, one.querySelector("strong").textContent])""")
        today = closed_site.ask("GET", f"/api/v1/activity?user={MARY}")["total"]["steps"]
        trainer.wait(lambda: sums() == [["Grace", "0:00 h"], ["Mary", f"{today:,}"]], 20, "both with their sums")
        trainer.screenshot("activity-sharers")
        closed_site.ask("PUT", "/api/v1/activity/sharing", {"user": OTHER, "items": []})
        trainer.run("[...document.querySelectorAll('.sharers a')].at(-1).click()")
        trainer.wait(lambda: trainer.driver.current_url.endswith(f"/activity/shared?user={MARY}"), 10, "one of them")
        trainer.wait(lambda: trainer.run("return document.querySelector('[data-range]')?.offsetParent != null"), 20, "days")
        trainer.run("document.querySelector('[data-range=month]').click()")
        trainer.wait(lambda: ring(trainer).startswith(str(total)), 20, "steps")
        assert "Distance" not in trainer.text(".activity-now") and "km" not in trainer.text("main")
        trainer.wait(lambda: "Shared: Steps and goal" in trainer.text("main"), 5, "what is shared")
        assert trainer.run("return document.querySelector('main form, main a[download]')") is None
        trainer.screenshot("activity-shared")
        # Two sources say the same: each is shown once, however often it is drawn.
        trainer.run("document.querySelector('[data-range=day]').click()")
        exercise(closed_site, ("79", "a"), ("79", "b"))
        shown = lambda: trainer.run("return document.querySelectorAll('.activity-done li').length")
        done = lambda: len(closed_site.ask("GET", f"/api/v1/activity?user={MARY}")["activities"])
        pass_a_minute(trainer)
        trainer.wait(lambda: shown() == done() >= 2, 20, "both")
        exercise(closed_site, ("56", "c"))
        pass_a_minute(trainer)
        trainer.wait(lambda: "Running" in trainer.text(".activity-done"), 20, "another one")
        assert shown() == done()
        # What is taken back on another device is not shared anew by whoever chooses something else here.
        type_into(phone, "moving", "true")
        closed_site.ask("PUT", "/api/v1/activity/sharing", {"user": MARY, "items": ["steps"]})
        ticked = lambda: phone.run(
            "return [...document.querySelectorAll(arguments[0] + ' :checked')].map((one) => one.name)", form)
        phone.run(keep)
        phone.wait(lambda: ticked() == ["steps", "moving"], 20, "what was taken back")
        # Nor is it shown for long to whoever looks on.
        type_into(phone, "distance", "true")
        closed_site.ask("PUT", "/api/v1/activity/sharing", {"user": MARY, "items": ["steps"]})
        pass_a_minute(phone)
        phone.wait(lambda: ticked() == ["steps", "distance"], 20, "what was taken back")
        type_into(phone, "distance", "false")
        type_into(phone, "moving", "true")
        phone.run(keep)
        phone.wait(lambda: "Trainers see: Steps and goal, " in phone.text("main"), 10, "both")
        assert closed_site.ask("GET", f"/api/v1/activity/sharing?user={MARY}")["items"] == ["steps", "moving"]
        # A distance alone says of a month, too, that it may be an estimate.
        closed_site.ask("PUT", "/api/v1/activity/sharing", {"user": MARY, "items": ["distance"]})
        trainer.run("document.querySelector('[data-range=month]').click()")
        trainer.wait(lambda: "Distance is estimated where none was sent." in visible(trainer), 20, "what it is")
        closed_site.ask("PUT", "/api/v1/activity/sharing", {"user": MARY, "items": ["steps", "moving"]})
        for item in ("steps", "moving"):
            type_into(phone, item, "false")
        phone.run(keep)
        phone.wait(lambda: "Trainers can’t see any of it." in phone.text("main"), 10, "that nothing is shared")
        trainer.driver.refresh()
        trainer.wait(lambda: "No one shares their activity yet" in trainer.text("main"), 20, "nobody again")
        assert trainer.run("return document.querySelector('[data-range]').offsetParent") is None
        assert phone.complaints() == [] and trainer.complaints() == []
    finally:
        trainer.close()
