"""Renders the templates for Home Assistant that docs/phones.md has, and looks at what they send.

The functions that Home Assistant adds to its templates are written anew here, after its documentation.
"""

import json
import re
import sys
from datetime import datetime
from math import isfinite
from pathlib import Path
from zoneinfo import ZoneInfo

import jinja2
import jinja2.nativetypes
import yaml

PAGE = Path(__file__).resolve().parents[2] / "docs" / "phones.md"
ZONE = ZoneInfo("Europe/Berlin")


class Loader(yaml.SafeLoader):
    """Also knows values from secrets.yaml."""


Loader.add_constructor("!secret", lambda loader, node: "secret " + node.value)


class State:
    """A state of an entity, as a trigger has it."""

    def __init__(self, state, last_updated, **attributes):
        self.state, self.last_updated, self.attributes = state, last_updated, attributes


class Trigger:
    def __init__(self, before, after):
        self.from_state, self.to_state = before, after


def timestamp(value, *default):
    """Seconds since 1970 of a moment or of its text."""
    if isinstance(value, datetime):
        return value.timestamp()
    try:
        return datetime.fromisoformat(str(value)).timestamp()
    except ValueError:
        if default:
            return default[0]
        raise


def is_number(value):
    try:
        return isfinite(float(value))
    except (TypeError, ValueError):
        return False


class Page:
    """The command and the automation of the page."""

    def __init__(self, text):
        blocks = [yaml.load(block, Loader) for block in re.findall(r"```yaml\n(.*?)```", text, re.S)]
        self.secrets, commands, automations, place = blocks
        self.place = place["payload"]
        self.command = commands["rest_command"]["beaconmesh_steps"]
        [self.automation] = automations["automation"]
        self.shown = json.loads(re.findall(r"```json\n(.*?)```", text, re.S)[0])

    def sent(self, now, before, after, is_native):
        """What is sent when a sensor changes; `None`: nothing. `is_native`: templates give values, not texts."""
        values = jinja2.nativetypes.NativeEnvironment() if is_native else jinja2.Environment()
        texts = jinja2.Environment()
        for environment in (values, texts):
            environment.globals.update(
                as_timestamp=timestamp, now=lambda: now, is_number=is_number,
                today_at=lambda _: now.replace(hour=0, minute=0, second=0, microsecond=0))
            environment.filters["to_json"] = json.dumps
        known = {"trigger": Trigger(before, after)}

        def render(template):
            return values.from_string(template).render(**known)

        if any(str(render(one)) != "True" for one in self.automation["conditions"]):
            return None
        variables, condition, action = self.automation["actions"]
        for name, template in variables["variables"].items():
            known[name] = render(template)
        if str(render(condition["value_template"])) != "True":
            return None
        data = {name: render(template) for name, template in action["data"].items()}
        return json.loads(texts.from_string(self.command["payload"]).render(**data))


def placed(page):
    """What is sent of where a phone is, as Home Assistant renders it."""
    tracker, moment = "device_tracker.pixel", datetime(2026, 10, 5, 14, 3, 0, 500_000, ZONE)
    shown = {"source_type": "gps", "latitude": 52.5, "longitude": -13.25, "gps_accuracy": 12}
    state = State("not_home", moment, **shown)
    environment = jinja2.Environment()
    environment.filters["to_json"] = json.dumps
    sent = json.loads(environment.from_string(page.place).render(tracker=tracker, states={tracker: state}))
    if sent != {"entity_id": tracker, "last_updated": moment.isoformat(), "attributes": shown}:
        yield f"{sent} is no state of a tracker"


def faults(page):
    """What is wrong with the page, in words."""
    yield from placed(page)
    if page.command["headers"]["authorization"] != "secret beaconmesh_authorization":
        yield "the header is not the secret"
    if not page.secrets["beaconmesh_authorization"].startswith("Bearer "):
        yield "the secret is no bearer token"
    if page.command["content_type"] != "application/json":
        yield "another content type is refused"
    for is_native in (True, False):
        noon = datetime(2026, 10, 5, 14, 3, 0, 500_000, ZONE)
        midnight = int(datetime(2026, 10, 5, tzinfo=ZONE).timestamp() * 1000)

        def sent(state, now=noon, before="8400.0", **attributes):
            old = None if before is None else State(before, now)
            return page.sent(now, old, State(state, now, **attributes), is_native)

        def sample(*values, **more):
            [one] = sent(*values, **more)["samples"]
            return one

        if sent("8421.0", endTime="2026-10-05T12:03:00Z") != page.shown:
            yield "the example is not what is sent"
        if sample("8421")["to_ms"] != int(noon.timestamp() * 1000):
            yield "without an end the sample does not end now"
        ahead = sample("8421", endTime="2026-10-05T12:13:00Z")
        if ahead["to_ms"] > noon.timestamp() * 1000 or ahead["from_ms"] != midnight:
            yield "a clock that is ahead makes a sample of the future"
        for told in (sent("0.0"), sent("unavailable"), sent("5", before=None), sent("5", before="unknown")):
            if told is not None:
                yield f"{told} is sent"
        late = datetime(2026, 10, 6, 0, 1, tzinfo=ZONE)
        if sent("9000.0", now=late, endTime="2026-10-05T21:58:00Z") is not None:
            yield "a value of yesterday counts for today"
        long = sample("9000", now=datetime(2026, 10, 25, 23, 30, tzinfo=ZONE))
        if long["to_ms"] - long["from_ms"] != 24 * 3_600_000:
            yield "a day of 25 hours is longer than a sample may be"
        if sample("8421")["id"] == sample("8422")["id"]:
            yield "another count has the same id"


def main():
    found = list(faults(Page(PAGE.read_text(encoding="utf-8"))))
    for fault in found:
        print(fault)
    print(f"docs/phones.md: {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
