"""Strangers' devices: by rules of the site, heard by a node, sent by a detector, looked for, on the map, and as files."""

import io
import csv
import json
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import xmlschema

from closed import OWNER, PASSWORD
from radio import Radio
from test_account import send
from test_content import until
from test_door import open_door, signed_in

pytestmark = pytest.mark.own_site

HOSTILE = "<img src=x onerror=alert(1)> \"&amp;"


@pytest.fixture
def owner(closed_site, browser):
    page = browser(width=390, height=844)
    open_door(page, closed_site)
    send(page, name=OWNER, password=PASSWORD)
    signed_in(page)
    return page


def file(closed_site, format, query=""):
    request = urllib.request.Request(
        f"{closed_site.address}/api/v1/detection-files/{format}{query}",
        headers={"Authorization": f"Bearer {(closed_site.folder / 'token').read_text().strip()}"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode()


def found(page):
    return page.run("return [...document.querySelectorAll('#discover-rows > [data-visit]')].map((one) => one.textContent)")


def test_a_strangers_device_is_one_visit_on_the_page(closed_site, owner, tmp_path):
    owner.driver.get(closed_site.address + "/setup/device-types")
    owner.wait(lambda: owner.run("return document.getElementById('add-starter')?.textContent") == "Add the known types and rules", 20, "what it adds")
    owner.run("document.getElementById('add-starter').click()")
    owner.wait(lambda: "Smart-home device" in owner.run("return document.querySelector('main').textContent"), 20, "the known types")
    made = closed_site.ask("POST", "/api/v1/device-types/starter")
    assert made["types"] > 20 and made["rules"] > 40
    assert closed_site.ask("POST", "/api/v1/device-types/starter") == made
    closed_site.ask("POST", "/api/v1/device-types", {"id": "locker-lock", "name": "Locker lock", "icon": "lock", "colour": "#b34700"})
    closed_site.ask("POST", "/api/v1/device-rules", {"id": "locker-lock", "name": "Locks", "type": "locker-lock", "name_prefix": "TAG", "confidence": 0.7})
    tag = closed_site.ask("GET", "/api/v1/beacons")["beacons"][0]
    closed_site.ask("PUT", f"/api/v1/beacons/{tag['id']}", {"title": tag["title"], "identity": "mac-c0ffee000001"})
    radios = [Radio(str(tmp_path / name)) for name in ("one", "two")]
    try:
        for node, radio in zip(("n-treadmill", "n-rower"), radios):
            closed_site.node(node, radio.path)
        # Off at first.
        radios[0].levels.update({"c0ffee000001": -50, "c0ffee000002": -60})
        time.sleep(8)
        assert closed_site.ask("GET", "/api/v1/detections")["detections"] == []
        policy = closed_site.ask("GET", "/api/v1/policy")
        begun = time.monotonic()
        closed_site.ask("PUT", "/api/v1/policy", {**policy, "detect": True})
        owner.driver.get(closed_site.address + "/discover")
        owner.wait(lambda: len(found(owner)) == 1, 30, "a device")
        print(f"a device is on the page {time.monotonic() - begun:.1f} s after it was asked for")
        assert "Locker lock" in found(owner)[0]
        radios[1].levels["c0ffee000002"] = -45
        until(lambda: closed_site.ask("GET", "/api/v1/detections")["detections"][0]["node"] == "n-rower", 40, "the nearer node")
        rows = closed_site.ask("GET", "/api/v1/detections")["detections"]
        assert [(one["type"], one["address"], one["rssi"], one["confidence"]) for one in rows] == [("locker-lock", "c0ffee000002", -45, 0.7)]
        whole = closed_site.ask("GET", f"/api/v1/detections/{rows[0]['id']}")
        assert [one["node"] for one in whole["nodes"]] == ["n-rower", "n-treadmill"]
        owner.screenshot("discover-390")
        owner.driver.get(f"{closed_site.address}/discover/{rows[0]['id']}")
        owner.wait(lambda: "Locker lock" in owner.run("return document.querySelector('main').textContent"), 20, "its page")
        owner.screenshot("detection-390")
        # A rule that says something else is in force at once.
        closed_site.ask("PATCH", "/api/v1/device-rules/locker-lock", {"name_prefix": "Nothing"})
        radios[0].levels["c0ffee000003"] = -60
        time.sleep(10)
        assert len(closed_site.ask("GET", "/api/v1/detections")["detections"]) == 1
    finally:
        for radio in radios:
            radio.close()


def test_what_a_detector_sends_is_searched_exported_and_deleted(closed_site, owner):
    now = int(time.time() * 1000)
    one = {"id": 1, "deviceType": "Flock Safety", "macAddress": "C0:FF:EE:00:00:09", "ssid": "Flock-1", "rssi": -71, "confidence": 0.85,
           "latitude": 52.5, "longitude": 13.4, "speed": 12.5, "heading": 90, "activity": "driving",
           "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now / 1000))}
    sent = [one, {"id": "2", "t_ms": now, "name": HOSTILE, "said": "=1+1", "rssi": -40}, {"id": "3", "t_ms": now, "latitude": 91, "longitude": 0},
            {"id": "4", "t_ms": now + 86_400_000}, {"id": "5"},
            {"id": "6", "t_ms": now, "latitude": 0.00001, "longitude": 180}]
    answer = closed_site.ask("POST", "/api/v1/detections", {"source": "esp32", "detections": sent})["results"]
    assert [("code" in row, row["id"]) for row in answer] == [(False, "1"), (False, "2"), (True, "3"), (True, "4"), (True, "5"), (False, "6")]
    again = closed_site.ask("POST", "/api/v1/detections", {"source": "esp32", "detections": sent[:2]})["results"]
    assert [row.get("known") for row in again] == [True, True] and again[0]["detection"] == answer[0]["detection"]
    for body in ({"source": "mesh", "detections": []}, {"source": "esp32"}, {"source": "esp32", "detections": [7]},
                 {"source": "esp32", "detections": [{}] }, {"source": "esp32", "detections": sent * 200}):
        with pytest.raises(urllib.error.HTTPError) as refused:
            closed_site.ask("POST", "/api/v1/detections", body)
        assert refused.value.code in (400, 413, 422), body
    begun = time.monotonic()
    many = [{"id": f"m{n}", "t_ms": now - 1000, "name": f"Crowd {n}", "latitude": 52.5, "longitude": 13.4, "said": "Camera"} for n in range(500)]
    closed_site.ask("POST", "/api/v1/detections", {"source": "esp32", "detections": many})
    print(f"500 detections are taken in {time.monotonic() - begun:.2f} s")

    owner.driver.get(closed_site.address + "/discover?q=flock-1")
    owner.wait(lambda: len(found(owner)) == 1 and "Flock Safety" in found(owner)[0], 20, "what is looked for")
    owner.driver.get(closed_site.address + "/discover?q=onerror")
    owner.wait(lambda: len(found(owner)) == 1 and HOSTILE in found(owner)[0], 20, "a hostile name as it is")
    assert owner.run("return document.querySelector('main img')") is None
    for text in ("a", "ab"):
        with pytest.raises(urllib.error.HTTPError):
            closed_site.ask("GET", f"/api/v1/detections?q={text}")
    owner.driver.get(closed_site.address + "/discover?view=map&source=esp32")
    owner.wait(lambda: owner.run("return document.querySelectorAll('.discover-cluster').length") >= 1, 30, "the map")
    assert owner.run("return document.querySelectorAll('.discover-cluster').length") < 5
    owner.screenshot("discover-map-390")

    # What the page links to is what it shows, whatever its order.
    owner.driver.get(closed_site.address + "/discover?q=flock-1&sort=strongest")
    owner.wait(lambda: len(found(owner)) == 1, 20, "what is looked for")
    files = owner.run("""
        return await Promise.all([...document.querySelectorAll("#discover-export a")].map(async (link) => {
            const answer = await fetch(link.href);
            return [link.dataset.format, answer.status, await answer.text()];
        }));
    """)
    assert [(format, status) for format, status, _ in files] == [(name, 200) for name in ("csv", "json", "jsonl", "gpx", "wigle")]
    texts = {format: text for format, _, text in files}
    assert json.loads(texts["json"]) == [json.loads(texts["jsonl"])]
    moment = one["timestamp"][:-1]
    assert f"{moment}.000Z" in texts["csv"] and f"<time>{moment}.000Z</time>" in texts["gpx"]
    assert texts["wigle"].splitlines()[2].startswith(f"C0:FF:EE:00:00:09,Flock-1,Flock Safety,{moment.replace('T', ' ')},")

    rows = list(csv.DictReader(io.StringIO(file(closed_site, "csv", "?source=esp32"))))
    assert len(rows) == 503 and next(row for row in rows if row["source_id"] == "2")["said"] == "'=1+1"
    gpx = file(closed_site, "gpx")
    xmlschema.XMLSchema(Path(__file__).with_name("gpx11.xsd")).validate(gpx)
    tree = ElementTree.fromstring(gpx)
    assert len(tree.findall("{http://www.topografix.com/GPX/1/1}wpt")) == 502
    assert file(closed_site, "wigle").count("\n") == 3
    lines = [json.loads(line) for line in file(closed_site, "jsonl", "?source=esp32&q=flock-1").splitlines()]
    assert json.loads(file(closed_site, "json", "?source=esp32&q=flock-1")) == lines
    copied = closed_site.ask("POST", "/api/v1/detections", {"source": "copy", "detections": lines})["results"]
    stored = closed_site.ask("GET", f"/api/v1/detections/{copied[0]['detection']}")["detection"]
    first = closed_site.ask("GET", f"/api/v1/detections/{answer[0]['detection']}")["detection"]
    assert {**stored, "id": 0, "source": ""} == {**first, "id": 0, "source": ""}

    closed_site.ask("DELETE", f"/api/v1/detections/{copied[0]['detection']}")
    assert closed_site.refusal("GET", f"/api/v1/detections/{copied[0]['detection']}")[0] == 404
    # Of the nodes' there is what the test before left.
    older = [row for row in closed_site.ask("GET", "/api/v1/detections?source=mesh")["detections"] if row["last_ms"] < now - 999]
    assert closed_site.ask("POST", "/api/v1/detections/forget", {"before_ms": now - 999})["count"] == 500 + len(older)
