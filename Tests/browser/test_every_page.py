"""Every page, as everybody who may open it, in each language and at every width; and closed to everybody else."""

import datetime
import json
import os
import time
import urllib.error
import urllib.request

import pytest

import audit
from conftest import PATIENCE_S, ROOT, Page
from test_account import PASSWORD, ask

OWNER, MANAGER, TRAINER, AUDITOR, MEMBER = ROLES = ("owner", "manager", "trainer", "auditor", "member")
# Who sees everybody.
STAFF = (OWNER, MANAGER, TRAINER, AUDITOR)
# Who sees everybody's hours.
PAYERS = (OWNER, MANAGER, AUDITOR)
# Who may train.
TRAINING = (OWNER, MANAGER, TRAINER, MEMBER)

# Each page, and which roles may open it. `{own}` is the person that the member is, `{other}` is somebody else,
# `{yesterday}` and `{month}` are days of the site.
PAGES = [
    ("/", ROLES),
    ("/plan", ROLES),
    ("/stations", ROLES),
    ("/stations/{station}", ROLES),
    ("/workout", TRAINING),
    ("/history", ROLES),
    ("/activity", (OWNER, TRAINER, MEMBER)),
    ("/activity/settings", (OWNER, TRAINER, MEMBER)),
    ("/activity/shared", (OWNER, TRAINER)),
    ("/history?user={trained}", ROLES),
    ("/history/{workout}", ROLES),
    ("/records?user={trained}", ROLES),
    ("/records", ROLES),
    ("/training", STAFF),
    ("/people", STAFF),
    ("/people/{own}", ROLES),
    ("/people/{other}", STAFF),
    ("/me", ROLES),
    ("/attendance", PAYERS),
    ("/attendance/{yesterday}", PAYERS),
    ("/attendance/{month}", PAYERS),
    ("/attendance/corrections", PAYERS),
    ("/attendance/roster", PAYERS),
    ("/attendance/reports", PAYERS),
    ("/notices", ROLES),
    ("/accounts", (OWNER,)),
    ("/setup", (OWNER, MANAGER)),
    ("/setup/rooms", (OWNER, MANAGER)),
    ("/setup/beacons", (OWNER, MANAGER)),
    ("/settings", (OWNER, MANAGER)),
    ("/data", ROLES),
    ("/account", ROLES),
    ("/nodes", STAFF),
    ("/nodes/{node}", STAFF),
    ("/devices", STAFF),
    ("/devices/{beacon}", STAFF),
    ("/scanner", (OWNER, MANAGER)),
    ("/discover", (OWNER, MANAGER)),
    ("/discover/{detection}", (OWNER, MANAGER)),
    ("/v/{station}", ROLES),
    ("/near", (OWNER, MANAGER, TRAINER, AUDITOR, MEMBER)),
    ("/near?node={node}", ROLES),
    ("/docs", ROLES),
    ("/wall", ROLES),
    ("/kiosk", (OWNER, MANAGER)),
    ("/signin", ROLES),
]
# Of these no link leads anywhere.
BARE = ("/signin", "/wall", "/kiosk")
NARROW = 320
WIDTHS = (390, 820, 1440, 1920)
LANGUAGES = ("en", "de")
# Each role, language and width with each page, or pairs of them only.
WHOLE = os.environ.get("TEST_LENGTH") == "long"
# The longest a page may take until nothing is added to it any more.
SETTLED_S = 15
# How often it is looked at until then, and how many times without a difference are enough.
LOOK_S = 0.1
CALM = 3
# Counts what a page has asked for and was not answered yet.
COUNT = """
    window.asked = 0;
    const ask = window.fetch;
    window.fetch = (...given) => {
        window.asked += 1;
        return ask(...given).finally(() => setTimeout(() => { window.asked -= 1; }, 50));
    };
"""
# Whether a page's module has filled it, and what was told first is drawn.
MOUNTED = """
    return document.querySelector("main > :not(h1, noscript, .unseen)") !== null &&
        (!document.documentElement.dataset.topics || /\\d/.test(document.getElementById("data-age").textContent));
"""


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


@pytest.fixture(scope="module")
def people(demo):
    """Who is registered."""
    return ask(demo, "GET", "/api/v1/users?sort=id&limit=500")["users"]


@pytest.fixture(scope="module")
def persons(demo, people):
    """Which person the member is, one who lets trainers see what they train, and which the trainer: each person has
    one account at most."""
    taken = {one["name"]: one.get("user") for one in ask(demo, "GET", "/api/v1/accounts")["accounts"]}
    trained = {one["user"] for one in ask(demo, "GET", "/api/v1/workouts?state=completed&limit=100")["workouts"]}
    free = sorted((one["id"] for one in people if one["id"] not in taken.values()),
                  key=lambda user: (user in trained, bool(station_of(demo, user))))
    found = {role: taken.get(f"page-{role}") or free.pop() for role in (MEMBER, TRAINER)}
    ask(demo, "PUT", f"/api/v1/users/{found[MEMBER]}/sharing", {"shares": True, "training": True})
    return found


def station_of(demo, user):
    """At which station somebody is."""
    topics = ask(demo, "GET", "/api/v1/snapshot")["topics"]
    return next((told.get("station") for topic, told in topics.items()
                 if topic.endswith(f"/user/{user}/presence")), None)


@pytest.fixture(scope="module")
def secret_names(demo, people, persons):
    """The names that a member may not see, for they share nothing."""
    return [one["name"] for one in people if one["id"] != persons[MEMBER] and not ask(
        demo, "GET", f"/api/v1/users/{one['id']}/sharing")["shares"]]


@pytest.fixture(scope="module")
def addresses(demo, people, persons):
    """What stands for the parts of a path."""
    yesterday = datetime.date.today() - datetime.timedelta(days=1)
    other = next(one["id"] for one in people if one["id"] not in persons.values())
    done = ask(demo, "GET", f"/api/v1/workouts?state=completed&limit=10&user={persons[MEMBER]}")["workouts"]
    workout = max(done, key=lambda one: len(one["sets"]))
    # A page for visitors, with a card on it.
    ask(demo, "PATCH", "/api/v1/settings", {"content": {"visitors": True}})
    ask(demo, "PUT", "/api/v1/cards/of-treadmill", {
        "title": "Treadmill", "subtitle": "Up to 16 km/h", "text": "Clip the cord on.\nStep off before you stop it.",
        "link": "https://example.org/treadmill", "station": "treadmill"})
    ask(demo, "POST", "/api/v1/device-types/starter")
    found = ask(demo, "POST", "/api/v1/detections", {"source": "esp32", "detections": [
        {"id": "1", "t_ms": int(time.time() * 1000), "type": "camera", "name": "<b>Cam</b>", "ssid": "W" * 32, "rssi": -61,
         "confidence": 0.8, "latitude": 52.5, "longitude": 13.4, "said": "An exceptionally long word: " + "x" * 30}]})["results"][0]
    return {"own": persons[MEMBER], "other": other, "detection": found["detection"], "station": "treadmill", "node": "n-treadmill", "beacon": ask(demo, "GET", "/api/v1/beacons?limit=1")["beacons"][0]["id"],
            "trained": workout["user"], "workout": workout["id"], "yesterday": yesterday.isoformat(),
            "month": yesterday.isoformat()[:7]}


@pytest.fixture(scope="module")
def signed_in(demo, base, persons):
    """A browser for each role, made when it is first asked for."""
    pages = {}

    def find(role):
        if role not in pages:
            pages[role] = Page(NARROW, 640, before=COUNT)
            set_cookie(pages[role], base, *session(demo, base, role, persons.get(role)))
        return pages[role]

    yield find
    for page in pages.values():
        page.close()


def session(demo, base, role, user, name=None):
    """The name and the value of the cookie of an account with a role."""
    name = name or f"page-{role}"
    try:
        made = ask(demo, "POST", "/api/v1/accounts",
                   {"name": name, "role": role, **({} if user is None else {"user": user})})
    except urllib.error.HTTPError as error:
        # The tests ran before at this demonstration.
        assert error.code == 409, error
        made = ask(demo, "POST", f"/api/v1/accounts/{name}/invitation")
    request = urllib.request.Request(
        base + "/api/v1/session/invitation", method="POST",
        data=json.dumps({"invitation": made["invitation"], "password": PASSWORD}).encode(),
        headers={"Content-Type": "application/json", "Origin": base})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.headers["Set-Cookie"].split(";")[0].split("=", 1)


def set_cookie(page, base, name, value):
    page.driver.execute_cdp_cmd("Network.setCookie", {"name": name, "value": value, "url": base})


def words(language):
    path = ROOT / "Sources/Shells/WebServer/Page/words" / f"{language}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def prefixes(language):
    """The first parts of the keys of words."""
    return sorted({key.split(".")[0] for key in words(language)})


def settle(page, is_refused=False):
    """Waits until a page is linked, has all it asked for, and nothing is added to it any more."""
    if not is_refused:
        page.wait(lambda: page.run(MOUNTED), SETTLED_S, f"page at {page.driver.current_url}")
    if page.run("return document.documentElement.dataset.topics ?? ''"):
        page.wait(lambda: page.connected, SETTLED_S, f"live data at {page.driver.current_url}")
    end = time.monotonic() + SETTLED_S
    before, calm = None, 0
    while calm < CALM and time.monotonic() < end:
        time.sleep(LOOK_S)
        # Ages change each second; elements do not.
        now = page.run(
            "return [document.querySelectorAll('main *').length, document.querySelectorAll('main [hidden]').length,"
            " window.asked ?? 0]")
        calm = calm + 1 if now == before and now[2] == 0 else 0
        before = now


def look(page, address, path, may, language, width, secret_names):
    """What is wrong with a page, as sentences that begin with its path."""
    page.complaints()
    page.driver.get(address + path)
    status = page.run("return performance.getEntriesByType('navigation')[0].responseStatus")
    if status != (200 if may else 403):
        return [f"{path}: is answered {status}"]
    try:
        settle(page, is_refused=not may)
    except AssertionError as error:
        return [f"{path}: {fault}" for fault in [str(error).splitlines()[0], *page.complaints()]]
    # Colours are those of every width.
    faults = audit.everything(page, width, prefixes(language), with_colours=width == NARROW)
    if page.run("return document.documentElement.lang") != language:
        faults.append("is in another language")
    if page.run("return document.querySelector('nav a[href=\"/\"]') === null") and (path not in BARE or not may):
        faults.append("has no navigation")
    text = page.run("return document.body.textContent")
    faults += [f"tells the name {name}" for name in secret_names if name in text]
    told = page.complaints()
    if not may:
        # The browser tells of the refusal itself, too.
        told = [one for one in told if "403" not in one]
        heads = page.run("return [...document.querySelectorAll('h1')].map((head) => head.textContent)")
        if heads != [words(language)["code.forbidden"]]:
            faults.append(f"has the headings {heads}")
        if page.run("return document.querySelectorAll('main :is(table, li, form, svg), script').length"):
            faults.append("shows something to who may not open it")
    return [f"{path}: {fault}" for fault in faults + told]


def walk(page, base, addresses, role, looks, secret_names):
    """What is wrong with pages, as one role has them; `looks` says of each path its language and width."""
    faults = []
    for path, roles in PAGES:
        for language, width in looks(path):
            theme = {"en": "light", "de": "dark"}[language]
            set_cookie(page, base, "beaconmesh_language", language)
            set_cookie(page, base, "beaconmesh_theme", theme)
            page.resize(width, 640)
            may = role in roles
            # Nobody's name stands on a page that is refused.
            found = look(page, base, path.format(**addresses), may, language, width,
                         secret_names if role == MEMBER else [])
            if may and page.run("return document.documentElement.dataset.theme ?? ''") != theme:
                found.append(f"{path}: has not the colours that were chosen")
            faults += [f"{language}, {width} px: {fault}" for fault in found]
    return faults


def some(values, path, turn, count):
    """All with `--long`; else of each path `count` of them, other ones from path to path and from turn to turn."""
    if WHOLE:
        return values
    begin = [one for one, _ in PAGES].index(path) + turn
    step = len(values) // count
    return tuple(values[(begin + step * index) % len(values)] for index in range(count))


@pytest.mark.parametrize("role", ROLES)
def test_every_page_on_the_smallest_phone(signed_in, base, addresses, secret_names, role):
    faults = walk(signed_in(role), base, addresses, role, lambda path: [
        (language, NARROW) for language in some(LANGUAGES, path, ROLES.index(role), 1)], secret_names)
    assert not faults, "\n".join(faults)


def test_a_first_page_says_where_one_is_and_what_is_near(demo, signed_in, base, persons):
    page = signed_in(MEMBER)
    set_cookie(page, base, "beaconmesh_language", "en")
    for path in ("/", "/me"):
        page.driver.get(base + path)

        def told():
            station = station_of(demo, persons[MEMBER])
            shown = page.run("""
                const card = document.getElementById("my-training");
                return card === null || card.hidden ? null : [card.querySelector(".own-place").textContent,
                    card.querySelector(".near li")?.dataset.station]""")
            return station is not None and shown and shown[0].startswith("You are at ") and shown[1] == station

        # People of the demonstration go for up to six minutes.
        page.wait(told, 3 * PATIENCE_S, f"the station on {path}")


def test_every_page_at_every_width(signed_in, base, addresses):
    faults = walk(signed_in(OWNER), base, addresses, OWNER, lambda path: [
        ("en", width) for width in some(WIDTHS, path, 0, 2)], [])
    assert not faults, "\n".join(faults)


def test_every_page_of_the_navigation_is_looked_at(signed_in, base):
    """So that a page that is new is not forgotten here."""
    known = {path for path, _ in PAGES}
    for role in (OWNER, MEMBER):
        page = signed_in(role)
        page.driver.get(base + "/")
        links = set(page.run("return [...document.querySelectorAll('header a:not(.home)')].map((one) => one.pathname)"))
        assert links <= known, links - known
        open_to = {path for path, roles in PAGES if role in roles}
        assert links <= open_to, f"the navigation leads the {role} to what is closed: {links - open_to}"


def test_the_audit_finds_what_is_wrong(signed_in, base):
    page = signed_in(OWNER)
    page.resize(NARROW, 640)
    page.driver.get(base + "/account")
    settle(page)
    before = audit.everything(page, NARROW, prefixes("en"))
    for make, least, fault in [
            ("element.textContent = ' '; element = element.appendChild(document.createElement('button'))", 1,
             "a button has no name"),
            ("element.append(document.createElement('input'))", 1, "has no name"),
            ("element = element.appendChild(document.createElement('table'));"
             " element.insertRow().insertCell().textContent = 'one'", 1, "a table without a name"),
            ("element.id = 'title'", 1, "the id title is there 2 times"),
            ("element.append(document.createElement('h5'))", 1, "follows a heading of level"),
            ("element.append(document.createElement('h1'))", 1, "2 headings of the first level"),
            ("element.textContent = 'account.keep'", 1, "says account.keep"),
            ("element.textContent = 'one {name}'", 1, "says one {name}"),
            ("element.textContent = 'pale'; element.style.color = 'rgb(128 128 128 / 60%)'", 2, " : 1"),
            ("element.textContent = 'pale'; element.style.opacity = '0.4'", 2, " : 1"),
            ("element.textContent = 'wide'; element.style.width = '400px'", 2, "wide"),
            ("element = element.appendChild(document.createElement('button')); element.textContent = 'x';"
             " element.style.minHeight = '0'; element.style.height = '30px'", 1, "30 px high"),
            ("element.setAttribute('aria-labelledby', 'nobody')", 1, "which is not there"),
            ("element.append(document.createElementNS('http://www.w3.org/2000/svg', 'svg'))", 1, "neither hidden"),
            ("element.append(document.createElement('img'))", 1, "no alt")]:
        page.run(f"let element = document.createElement('p'); document.querySelector('main').append(element);"
                 f"window.added = element; {make}")
        found = [one for one in audit.everything(page, NARROW, prefixes("en")) if one not in before]
        assert sum(fault in one for one in found) >= least, (make, found)
        page.run("window.added.remove()")
    assert audit.everything(page, NARROW, prefixes("en")) == before
