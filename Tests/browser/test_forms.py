"""Every form, filled in as it should not be: nothing is sent, it is said what is wrong, and what was typed stays."""

import datetime
import time

import pytest
from selenium.webdriver.common.by import By

from conftest import Page
from test_account import ask
from test_every_page import OWNER, session, set_cookie

YESTERDAY = datetime.date.today() - datetime.timedelta(days=1)
IDENTITY = "mac-0a0b0c0d0e0f"
# Keeps what a page has sent to change something.
WATCH = """
    window.sent = [];
    const ask = window.fetch;
    window.fetch = (path, options = {}) => {
        if (options.method && !["GET", "HEAD"].includes(options.method)) {
            window.sent.push({ method: options.method, path, headers: options.headers, body: options.body });
        }
        return ask(path, options);
    };
"""

# The page of each form, what opens it (a selector, or nothing), where it is then, and values that it takes.
FORMS = [
    ("/accounts", "#invite", "dialog form", {"name": "lena-new", "role": "trainer"}),
    ("/accounts", "#add-token", "dialog form", {"name": "board-new", "role": "screen", "days": "30"}),
    ("/account", None, "#password-form", {"old": "a long enough phrase", "password": "another long phrase"}),
    ("/devices", "#add-tag", "dialog form", {"identity": IDENTITY, "title": "Tag 99"}),
    ("/devices", "#device-rows [data-state=registered] .act button", "dialog form", {"name": "Tag of gold"}),
    ("/nodes", "#node-rows .act button", "dialog form", {"name": "Node of gold"}),
    ("/plan", "details .entry button", "dialog form", {"name": "Hall of gold"}),
    ("/setup/rooms", "#add-row", "dialog form", {"name": "Hall of mirrors"}),
    ("/setup/stations", "#add-row", "dialog form", {"name": "Sledge", "room": "{room}"}),
    ("/setup/exercises", "#add-row", "dialog form", {"name": "Push a sledge"}),
    ("/people", "#add-person", "dialog form", {"name": "Nobody yet"}),
    ("/settings#site", None, "#settings-site form", {"site.name": "The gym of gold"}),
    ("/people/{own}", "#check", "dialog form", {"reason": "forgot it"}),
    ("/people/{own}", "#tags button", "dialog form", {"user": "{other}"}),
    ("/people/{other}", "#erase-person", "dialog form", {"typed": "{name}"}),
    ("/attendance", None, "#by-hand", {"who": "{name}"}),
    ("/attendance/{yesterday}", ".lock button", "dialog form", {"reason": "the month is paid"}),
    ("/attendance/{yesterday}", "#attendance-rows td.act button", "tr.edit form", {"reason": "left the tag"}),
    ("/attendance/roster", "#add-shift", "dialog form", {"name": "Night", "start": "21:00", "end": "23:00"}),
    ("/attendance/roster", "#add-leave", "dialog form", {"user": "{name}", "from": YESTERDAY.isoformat()}),
]


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


@pytest.fixture(scope="module")
def desk(demo, base):
    """An owner's browser."""
    page = Page(1280, 900, before=WATCH)
    set_cookie(page, base, *session(demo, base, OWNER, None))
    yield page
    page.close()


@pytest.fixture(scope="module")
def names(demo):
    """What stands for the parts of a path, and for values."""
    # The page for visitors has something to show.
    ask(demo, "PATCH", "/api/v1/settings", {"content": {"visitors": True}})
    people = ask(demo, "GET", "/api/v1/users?sort=id&limit=500")["users"]
    tag = next(one for one in ask(demo, "GET", "/api/v1/beacons?limit=500")["beacons"] if one.get("user"))
    other = next(one for one in people if one["id"] != tag["user"])
    room = ask(demo, "GET", "/api/v1/rooms?limit=1")["rooms"][0]["id"]
    return {"room": room, "own": tag["user"], "other": other["id"], "name": other["name"], "yesterday": YESTERDAY.isoformat()}


def open_form(page, base, path, opener, form, names):
    """Opens a page and its form."""
    page.driver.get(base + path.format(**names))
    if opener is not None:
        page.wait(lambda: page.run("""
            const button = [...document.querySelectorAll(arguments[0])].find((one) => !one.hidden && !one.disabled);
            for (const one of document.querySelectorAll("details")) one.open = true;
            button?.click();
            return button !== undefined;
        """, opener), 20, f"{opener} on {path}")
    page.wait(lambda: page.driver.find_elements(By.CSS_SELECTOR, form), 20, f"{form} on {path}")


def fields_of(page, form):
    """The fields that are shown, with what each takes."""
    return page.run("""
        return [...document.querySelector(arguments[0]).elements].filter((one) => one.name !== "" &&
            one.type !== "checkbox" && one.checkVisibility()).map((one) => ({
            name: one.name, type: one.type, isNeeded: one.required, most: one.maxLength,
            least: one.min, max: one.max, value: one.value,
        }))""", form)


def fill(page, form, values):
    """Sets values as typing does, past the bounds that the browser keeps by itself."""
    page.run("""
        const form = document.querySelector(arguments[0]);
        for (const [name, value] of Object.entries(arguments[1])) {
            const field = form.elements.namedItem(name);
            field.value = value;
            field.dispatchEvent(new Event("input", { bubbles: true }));
            field.dispatchEvent(new Event("change", { bubbles: true }));
        }""", form, values)


def send(page, form):
    page.run("document.querySelector(arguments[0]).requestSubmit()", form)


def faults_of(field):
    """Values that a field cannot take."""
    wrong = []
    if field["isNeeded"]:
        wrong.append("")
        if field["type"] in ("text", "textarea"):
            wrong.append("   ")
    if (field["most"] or 0) > 0:
        wrong.append("ß" * (field["most"] + 1))
    if field["type"] == "number" and field["max"]:
        wrong.append(str(float(field["max"]) + 1))
    if field["type"] == "number" and field["least"] and float(field["least"]) >= 0:
        wrong.append("-1")
    if field["type"] == "date" and field["max"]:
        wrong.append("9999-12-31")
    return wrong


@pytest.mark.parametrize("path, opener, form, values", FORMS, ids=[f"{one[0]} {one[1]}" for one in FORMS])
def test_a_form_refuses_what_it_cannot_take(desk, base, names, path, opener, form, values):
    open_form(desk, base, path, opener, form, names)
    fill(desk, form, {name: value.format(**names) for name, value in values.items()})
    fields = fields_of(desk, form)
    tried = 0
    for field in fields:
        for wrong in faults_of(field):
            fill(desk, form, {field["name"]: wrong})
            send(desk, form)
            shown = desk.run("""
                const form = document.querySelector(arguments[0]);
                const field = form.elements.namedItem(arguments[1]);
                return {
                    fault: form.querySelector(".fault:not([hidden])")?.textContent ?? "",
                    isMarked: field.getAttribute("aria-invalid") === "true",
                    isFocused: document.activeElement === field, value: field.value, sent: window.sent,
                }""", form, field["name"])
            place = f"{path} {form} {field['name']} = {wrong[:20]!r}"
            assert shown["sent"] == [], place
            assert shown["fault"] and shown["isMarked"] and shown["isFocused"], (place, shown)
            # A browser keeps no number that it cannot read.
            assert shown["value"] == wrong or field["type"] == "number", place
            tried += 1
        fill(desk, form, {field["name"]: field["value"]})
    assert tried > 0
    assert desk.complaints() == []
    # Whoever leaves is asked first, for what was typed is not saved.
    desk.run("for (const one of document.querySelectorAll('form')) delete one.dataset.dirty")


def new_tag(number):
    return {"identity": f"mac-{number % 2**47:012x}", "title": f"Tag {number}"}


def tags(demo, title):
    return [one for one in ask(demo, "GET", "/api/v1/beacons?limit=500")["beacons"] if one.get("title") == title]


def test_what_is_sent_twice_is_done_once(desk, demo, base, names):
    values = new_tag(time.time_ns())
    open_form(desk, base, "/devices", "#add-tag", "dialog form", names)
    fill(desk, "dialog form", values)
    desk.run("const form = document.querySelector('dialog form'); form.requestSubmit(); form.requestSubmit()")
    desk.wait(lambda: tags(demo, values["title"]), 20, "tag")
    desk.wait(lambda: not desk.driver.find_elements(By.TAG_NAME, "dialog"), 20, "end of the form")
    [tag] = tags(demo, values["title"])
    ask(demo, "DELETE", f"/api/v1/beacons/{tag['id']}")
    assert [one["path"] for one in desk.run("return window.sent")] == ["/api/v1/beacons"]


def test_a_line_that_is_lost_while_saving_loses_nothing(desk, demo, base, names):
    values = new_tag(time.time_ns())
    open_form(desk, base, "/devices", "#add-tag", "dialog form", names)
    fill(desk, "dialog form", values)
    # The server does it, and its answer is lost: nobody can know.
    desk.run("""
        const ask = window.fetch;
        window.fetch = async (...given) => {
            await ask(...given);
            window.fetch = ask;
            throw new TypeError("lost");
        };""")
    send(desk, "dialog form")
    desk.wait(lambda: desk.run("return document.querySelector('dialog .fault:not([hidden])') !== null"), 20, "fault")
    assert desk.run("return document.querySelector('dialog [name=title]').value") == values["title"]
    desk.wait(lambda: tags(demo, values["title"]), 20, "tag")
    send(desk, "dialog form")
    desk.wait(lambda: not desk.driver.find_elements(By.TAG_NAME, "dialog"), 20, "end of the form")
    [tag] = tags(demo, values["title"])
    ask(demo, "DELETE", f"/api/v1/beacons/{tag['id']}")
    sent = desk.run("return window.sent")
    assert len(sent) == 2 and sent[0] == sent[1], "the same, with the same key"


# Forms that change the site, with what is typed into each.
NEW = [
    ("/settings#site", None, "#settings-site form", {"site.name": "The gym of gold"}),
    ("/settings#attendance", None, "#settings-attendance form", {"attendance.merge_gap_s": "11"}),
    ("/setup/rooms", "#add-row", "dialog form", {"name": "Hall of mirrors"}),
    ("/people", "#add-person", "dialog form", {"name": "Nobody yet"}),
    ("/people/{other}", "#erase-person", "dialog form", {"typed": "{name}"}),
]


def told(page, form):
    return page.run("return document.querySelector(arguments[0])?.querySelector('.fault:not([hidden])')?.textContent ?? ''",
                    form)


def write_form(page, base, path, opener, form, values, names):
    open_form(page, base, path, opener, form, names)
    page.wait(lambda: fields_of(page, form), 20, f"fields of {path}")
    page.wait(lambda: page.connected, 20, "live data")
    values = {name: value.format(**names) for name, value in values.items()}
    fill(page, form, values)
    return values


def typed(page, form, values):
    return page.run("""
        const form = document.querySelector(arguments[0]);
        return Object.fromEntries(arguments[1].map((name) => [name, form.elements.namedItem(name).value]));
    """, form, list(values))


@pytest.mark.parametrize("path, opener, form, values", NEW, ids=[one[0] for one in NEW])
def test_without_a_network_nothing_typed_is_lost(desk, base, names, path, opener, form, values):
    values = write_form(desk, base, path, opener, form, values, names)
    network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    desk.driver.execute_cdp_cmd("Network.enable", {})
    desk.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, **network})
    try:
        send(desk, form)
        desk.wait(lambda: told(desk, form), 20, "that it did not arrive")
        assert typed(desk, form, values) == values
    finally:
        desk.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, **network})
    desk.run("for (const one of document.querySelectorAll('form[data-dirty]')) delete one.dataset.dirty")
    # The browser tells of the lost line itself, too.
    assert all("ERR_INTERNET_DISCONNECTED" in one for one in desk.complaints())


@pytest.mark.parametrize("path, opener, form, values", NEW[:4], ids=[one[0] for one in NEW[:4]])
def test_who_is_signed_out_meanwhile_signs_in_where_they_are(demo, base, names, path, opener, form, values):
    page = Page(390, 844)
    try:
        cookie = session(demo, base, OWNER, None, "form-owner")
        set_cookie(page, base, *cookie)
        values = write_form(page, base, path, opener, form, values, names)
        page.driver.delete_all_cookies()
        send(page, form)
        page.wait(lambda: page.driver.find_elements(By.CSS_SELECTOR, "dialog [name=password]"), 20, "the door, in place")
        assert typed(page, form, values) == values
    finally:
        page.close()


def test_what_somebody_else_changed_meanwhile_is_shown(desk, demo, base, names):
    node = ask(demo, "GET", "/api/v1/nodes?limit=500")["nodes"][0]
    address = f"/api/v1/nodes/{node['id']}"
    open_form(desk, base, "/nodes", f"#node-rows [data-node={node['id']}] .act button", "dialog form", names)
    try:
        fill(desk, "dialog form", {"name": "Mine"})
        ask(demo, "PATCH", address, {"name": "Theirs"})
        send(desk, "dialog form")
        desk.wait(lambda: "Theirs" in desk.run(
            "return document.querySelector('dialog .fault').textContent"), 20, "the other name")
        assert desk.run("return document.querySelector('dialog [name=name]').value") == "Mine"
        assert ask(demo, "GET", address)["name"] == "Theirs"
        send(desk, "dialog form")
        desk.wait(lambda: ask(demo, "GET", address)["name"] == "Mine", 20, "my name")
        desk.wait(lambda: "Mine" in desk.text(f"#node-rows [data-node={node['id']}]"), 20, "my name on the page")
    finally:
        ask(demo, "PATCH", address, {"name": node["name"]})


def test_a_name_that_the_server_refuses_stays_to_be_mended(desk, demo, base, names):
    """It would turn round the writing of whatever stands after it."""
    open_form(desk, base, "/nodes", "#node-rows .act button", "dialog form", names)
    before = desk.run("return document.querySelector('dialog [name=name]').value")
    fill(desk, "dialog form", {"name": before + "\u202e"})
    send(desk, "dialog form")
    desk.wait(lambda: "U+202E" in desk.run(
        "return document.querySelector('dialog .fault').textContent"), 20, "what is wrong with it")
    assert desk.run("return document.querySelector('dialog [name=name]').value") == before + "\u202e"
    # The browser tells of the refusal itself, too.
    assert all("400" in one for one in desk.complaints())
    fill(desk, "dialog form", {"name": before})
    send(desk, "dialog form")
    desk.wait(lambda: not desk.driver.find_elements(By.TAG_NAME, "dialog"), 20, "end of the form")


# Names as people have them, and as some try.
NAMES = [
    "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafewarenwohlg1",
    "مريم العلي بنت عبد الرحمن",
    "<img src=x onerror=\"window.pwned=1\"><script>window.pwned=1</script>",
    "👩\u200d👩\u200d👧\u200d👦 'x'); -- {}",
]


def test_every_page_bears_any_name(desk, demo, base, names):
    """On the smallest phone, in both directions of writing."""
    import audit
    from test_every_page import MOUNTED, NARROW, PAGES, prefixes, settle

    kinds = {"users": "name", "stations": "name", "rooms": "name", "nodes": "name", "beacons": "title"}
    before = []
    month = YESTERDAY.isoformat()[:7]
    trained = ask(demo, "GET", "/api/v1/workouts?state=completed&limit=1")["workouts"][0]
    found = ask(demo, "POST", "/api/v1/detections", {"source": "names", "detections": [
        {"id": "1", "t_ms": int(time.time() * 1000), "name": NAMES[0], "latitude": 52.5, "longitude": 13.4}]})["results"][0]
    try:
        for kind, member in kinds.items():
            rows = ask(demo, "GET", f"/api/v1/{kind}?limit=500")[kind]
            if kind == "stations":
                station = rows[0]["id"]
            if kind == "nodes":
                node = rows[0]["id"]
            if kind == "beacons":
                beacon = rows[0]["id"]
            for row, name in zip(rows, NAMES):
                before.append((f"/api/v1/{kind}/{row['id']}", {member: row.get(member)}))
                ask(demo, "PATCH", before[-1][0], {member: name})
        desk.resize(NARROW, 640)
        faults = []
        for path, roles in PAGES:
            if OWNER not in roles:
                continue
            desk.driver.get(base + path.format(
                **names, month=month, station=station, node=node, beacon=beacon, detection=found["detection"],
                trained=trained["user"], workout=trained["id"]))
            settle(desk)
            faults += [f"{path}: {one}" for one in audit.everything(desk, NARROW, prefixes("en"), with_colours=False)]
            if desk.run("return window.pwned !== undefined"):
                faults.append(f"{path}: ran a name")
        desk.driver.get(base + "/people")
        desk.wait(lambda: all(any(name in row["text"] for row in desk.rows("#people-rows")) for name in NAMES),
                  20, "all names as they are")
        desk.screenshot("names-people")
        desk.driver.get(base + "/")
        settle(desk)
        desk.screenshot("names-live")
        assert not faults, "\n".join(faults)
        assert desk.complaints() == []
    finally:
        desk.resize(1280, 900)
        for address, old in before:
            ask(demo, "PATCH", address, old)
