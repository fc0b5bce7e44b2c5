"""The frame of every page: one line of head, the sections where the thumb is, and a word of what was done."""

import pytest
from selenium.webdriver.common.by import By

from conftest import Page
from test_account import ask
from test_every_page import AUDITOR, LANGUAGES, MANAGER, MEMBER, OWNER, TRAINER, session, set_cookie

# The least that is left of a phone of 844 px for the page itself: all but a line of head and the bar.
HEAD_PX = 56
BAR_PX = 64
FIRST = {
    OWNER: ["/", "/people", "/attendance", "/setup"], MANAGER: ["/", "/people", "/attendance", "/stations"],
    AUDITOR: ["/", "/people", "/attendance", "/stations"], TRAINER: ["/", "/training", "/people", "/stations"],
    MEMBER: ["/", "/workout", "/stations", "/me"],
}
# Links of an element that can be seen, by their paths.
SEEN = """
    return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility())
        .map((one) => one.pathname)"""


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


@pytest.fixture(scope="module")
def signed_in(demo, base):
    """A browser of an account with a role, and with a person."""
    pages = {}
    taken = {one.get("user") for one in ask(demo, "GET", "/api/v1/accounts")["accounts"]}
    free = [one["id"] for one in ask(demo, "GET", "/api/v1/users?sort=id&limit=50")["users"] if one["id"] not in taken]

    def find(role):
        if role not in pages:
            known = {one["name"]: one.get("user") for one in ask(demo, "GET", "/api/v1/accounts")["accounts"]}
            name = f"frame-{role}"
            user = known[name] if name in known else free.pop()
            pages[role] = Page(390, 844)
            set_cookie(pages[role], base, *session(demo, base, role, user, name))
        return pages[role]

    yield find
    for page in pages.values():
        page.close()


def go(page, base, path, language="en"):
    set_cookie(page, base, "beaconmesh_language", language)
    page.driver.get(base + path)
    page.wait(lambda: page.connected, 30, f"live data at {path}")


@pytest.mark.parametrize("role", FIRST)
def test_a_phone_has_a_line_of_head_and_the_sections_below(signed_in, base, role):
    page = signed_in(role)
    page.resize(390, 844)
    for path in FIRST[role]:
        go(page, base, path)
        head, bar, first = page.run("""
            const box = (one) => document.querySelector(one).getBoundingClientRect();
            return [box(".top").height, innerHeight - box("nav").top,
                document.querySelector("main > :not(h1, noscript, .unseen):not([hidden])").getBoundingClientRect().top]""")
        assert head <= HEAD_PX and bar <= BAR_PX, (path, head, bar)
        assert first <= HEAD_PX + 24, f"{path}: the page begins at {first} px"
        assert page.run(SEEN, "nav > .sections a") == FIRST[role]
        if path != "/":
            assert page.text("#here") == page.text("main > h1")
    others = page.run("return [...document.querySelectorAll('#more a')].map((one) => one.pathname)")
    assert page.run(SEEN, "#more a") == []
    button = page.driver.find_element(By.ID, "more-button")
    button.click()
    page.wait(lambda: page.run(SEEN, "#more a") == [one for one in others if one not in FIRST[role]], 5, "the others")
    page.driver.find_element(By.CSS_SELECTOR, "main").click()
    page.wait(lambda: page.run(SEEN, "#more a") == [], 5, "the panel closed by a touch beside it")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", FIRST)
def test_a_desk_has_one_row(signed_in, base, role, language):
    page = signed_in(role)
    for width in (820, 1024, 1366, 1440, 1920):
        page.resize(width, 900)
        go(page, base, "/", language)
        boxes = page.run("""
            return [...document.querySelectorAll(".home, .badge, nav > .sections a, #more-button, .link > *")]
                .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
                .filter((one) => one.width > 0).map((one) => [one.left, one.right, one.top, one.bottom])""")
        assert page.run("return document.querySelector('.top').offsetHeight") <= HEAD_PX, width
        for one, other in zip(boxes, boxes[1:]):
            assert one[1] <= other[0] + 1, f"{width} px: {boxes}"
        assert boxes[-1][1] <= width


def test_where_one_is_behind_the_button_is_marked_there(signed_in, base):
    page = signed_in(OWNER)
    page.resize(390, 844)
    go(page, base, "/nodes")
    accent = page.run("return getComputedStyle(document.querySelector('.mark')).stroke")
    colour = "return getComputedStyle(document.getElementById('more-button')).borderTopColor"
    assert page.run(colour) == accent
    go(page, base, "/people")
    assert page.run(colour) != accent


def test_words_of_what_was_done_stand_together_and_go(signed_in, base):
    page = signed_in(OWNER)
    page.resize(390, 844)
    go(page, base, "/activity/settings")
    page.wait(lambda: page.run("return document.querySelector('#activity-sharing + p')?.textContent"), 20, "what is shared")
    # Each goes after six seconds; of two that were done one after the other both can be read.
    for count in (1, 2):
        page.run("document.querySelector('#activity-sharing [type=submit]').click()")
        page.wait(lambda: len(page.driver.find_elements(By.CSS_SELECTOR, ".toast")) == count, 5, f"{count} toasts")
    bottom = page.run("return document.querySelector('.toasts').getBoundingClientRect().bottom")
    assert bottom <= page.run("return document.querySelector('nav').getBoundingClientRect().top")
    page.wait(lambda: not page.driver.find_elements(By.CSS_SELECTOR, ".toast"), 15, "an end of them")


def test_two_hundred_people_are_six_screens(demo, signed_in, base):
    page = signed_in(OWNER)
    page.resize(390, 844)
    made = [{"id": f"u-frame-{number}", "name": f"Frame {number:03}"} for number in range(190)]
    try:
        ask(demo, "POST", "/api/v1/people", {"users": made})
        go(page, base, "/people")
        page.wait(lambda: len(page.rows("#people-rows")) == 75, 20, "75 rows")
        assert page.run("return document.documentElement.scrollHeight") <= 6 * 844
        # Who is in is among them, and everybody is found.
        shown = page.rows("#people-rows")
        assert sum(row.get("state") == "present" for row in shown) > 0
        page.driver.find_element(By.CSS_SELECTOR, "input[type=search]").send_keys("Frame 189")
        page.wait(lambda: [row["user"] for row in page.rows("#people-rows")] == ["u-frame-189"], 10, "the last one")
    finally:
        for row in made:
            ask(demo, "DELETE", f"/api/v1/users/{row['id']}")
