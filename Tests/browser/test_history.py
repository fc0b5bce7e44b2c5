"""What was trained: every workout, the calendar, curves with tables beside them; and what a trainer sees of others."""

import datetime

import pytest

from test_door import enter
from test_workout import MARY, end

pytestmark = pytest.mark.own_site

# Eight weeks ago: the calendar shows half a year on a phone.
MONDAY = datetime.date.today() - datetime.timedelta(days=datetime.date.today().weekday() + 56)
ADA, GRACE = "u-k7m2qa", "u-3fvx7d"
DAY_MS = 86_400_000


def day(count):
    """A date so many days after that Monday, as Hevy writes it."""
    date = MONDAY + datetime.timedelta(days=count)
    return f"{date.day} {date:%b %Y}"


HISTORY = "\n".join([
    "title,start_time,end_time,description,exercise_title,superset_id,exercise_notes,set_index,set_type,weight_kg,reps,"
    "distance_km,duration_seconds,rpe",
    *[f'"Push <b>","{day(count)}, 18:00","{day(count)}, 19:00","","Bench press",,"",{index},"normal",{65 + count},'
      f'{reps},,,' for count in (0, 7, 14) for index, reps in enumerate((8, 8, 12))],
    # Repetitions of low confidence alone.
    *[f'"Light","{day(count)}, 18:00","{day(count)}, 18:30","","Bench press",,"",0,"normal",{weight},12,,,'
      for count, weight in ((15, 40), (22, 42))],
])


@pytest.fixture(scope="module")
def trained(closed_site):
    """Mary has trained on five days."""
    answer = closed_site.ask("POST", f"/api/v1/workouts/import?user={MARY}", {"csv": HISTORY})
    assert answer["workouts"] == 5, answer
    return answer


def test_a_member_looks_back(closed_site, browser, trained):
    page = browser(width=390, height=844)
    enter(page, closed_site.invite("mary", "member", MARY), "mary")
    page.driver.get(closed_site.address + "/history")
    page.wait(lambda: len(page.all("#workouts li")) == 5, 20, "five workouts")
    assert len(page.all(".heat-day:not([data-level='0'])")) == 5
    assert "Push <b>" in page.all("#workouts li")[-1]["text"]
    # The curve is drawn by the library, under the page's policy.
    page.wait(lambda: page.run("""
        const canvas = document.querySelector(".chart canvas");
        return canvas.width > 0 && new Set(canvas.getContext("2d").getImageData(
            0, 0, canvas.width, canvas.height).data).size > 2"""), 10, "a curve")
    page.run("const one = document.getElementById('progress-measure'); one.value = 'e1rm';"
             "one.dispatchEvent(new Event('change')); document.querySelector('.training-past details').open = true")
    page.wait(lambda: "~ " in page.text(".training-past tbody"), 5, "an estimate of low confidence")
    page.screenshot("history")
    page.run("document.querySelector('#workouts li a').click()")
    page.wait(lambda: [one["text"] for one in page.all(".set-chip")] == ["42 × 12"], 20, "the workout")
    page.run("document.querySelector('.set-chip').click()")
    page.wait(lambda: "~ " in page.text(".set-facts"), 5, "its estimate, of low confidence")
    page.screenshot("history-workout")
    page.driver.get(closed_site.address + "/records")
    page.wait(lambda: page.all("#record-cards > li"), 20, "the best")
    assert "Bench press" in page.text("#record-cards") and "79 kg" in page.text("#record-cards")
    page.screenshot("records")
    assert page.complaints() == []


def test_whoever_has_not_trained_is_told_so(closed_site, browser):
    page = browser(width=390, height=844)
    enter(page, closed_site.invite("grace", "member", GRACE), "grace")
    page.driver.get(closed_site.address + "/history")
    page.wait(lambda: "No workouts yet" in page.run("return document.body.innerText"), 20, "the words")
    assert page.all(".heat-day:not([data-level='0'])") == []
    # What others train is not theirs to see.
    line = closed_site.ask("GET", f"/api/v1/workouts?user={MARY}&limit=1")["workouts"][0]["id"]
    page.driver.get(f"{closed_site.address}/history/{line}")
    page.wait(lambda: page.run("return document.querySelector('main .fault')?.offsetParent != null"), 20, "a refusal")


def test_a_trainer_follows_a_session_that_is_shared(closed_site, browser, trained):
    page = browser(width=1360)
    enter(page, closed_site.invite("tess", "trainer", ADA), "tess")
    end(closed_site)
    workout = closed_site.ask("POST", "/api/v1/workouts", {"user": MARY, "station": "bench"})["workout"]["id"]
    closed_site.ask("POST", "/api/v1/stations/bench/queue", {"user": GRACE})
    page.driver.get(closed_site.address + "/training")
    page.wait(lambda: page.connected, 20, "all that may be seen")
    page.run("document.dispatchEvent(new Event('wants-render'))")
    assert "Mary" not in page.text("main") and "Grace" not in page.text("main")
    for user in (MARY, GRACE):
        closed_site.ask("PUT", f"/api/v1/users/{user}/sharing", {"shares": True, "training": True})
    page.driver.refresh()
    page.wait(lambda: len(page.all("#training-now li")) == 1 and len(page.all("#waiting-now li")) == 1, 20, "both")
    page.screenshot("training")
    page.run("document.querySelector('#training-now a').click()")
    page.wait(lambda: page.all(".told .workout-now"), 20, "the session")
    closed_site.ask("POST", f"/api/v1/workouts/{workout}/sets", {
        "id": "22222222-2222-4333-8444-555555555555", "exercise": "bench-press", "kind": "working", "reps": 3,
        "weight_kg": 90})
    page.wait(lambda: [one["text"] for one in page.all(".set-chip")] == ["90 × 3 ★"], 10, "the set, live")
    assert "90 kg × 3" in page.text(".told-records")
    assert "max weight" in page.run("return document.querySelector('.set-chip').ariaLabel")
    # A note of the trainer reaches the member's phone.
    phone = browser(width=390, height=844)
    enter(phone, closed_site.address + closed_site.ask("POST", "/api/v1/accounts/mary/invitation")["path"], "mary")
    phone.driver.get(closed_site.address + "/workout")
    phone.wait(lambda: phone.run("return document.querySelector('form[data-act=note]') !== null"), 20, "the page")
    page.run("document.querySelector('form[data-act=note] textarea').value = 'elbows <b>in</b>';"
             "document.querySelector('form[data-act=note] button.go').click()")
    for one in (page, phone):
        one.wait(lambda: "elbows <b>in</b>" in one.run("return document.getElementById('notes')?.textContent ?? ''"),
                 15, "the note")
    # A trainer sees who is who; the member knows the login, as Ada shares nothing.
    assert "tess" in phone.text("#notes") and "Ada" in page.text("#notes")
    phone.screenshot("workout-note")
    page.screenshot("session-note")
    # Only who wrote it, or whose workout it is, takes it away.
    phone.run("document.querySelector('#notes button').click()")
    phone.wait(lambda: phone.text("dialog h2") == "Delete this note?", 5, "the question")
    phone.run("document.querySelector('dialog button.go').click()")
    phone.wait(lambda: phone.run("return document.querySelectorAll('#notes li').length") == 0, 5, "no note")
    assert phone.complaints() == []
    closed_site.ask("DELETE", "/api/v1/stations/bench/queue", {"user": GRACE})
    end(closed_site)
    page.wait(lambda: "finished" in page.text(".told .state"), 10, "the end, live")
    assert page.complaints() == []
