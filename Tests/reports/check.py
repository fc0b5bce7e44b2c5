#!/usr/bin/env python3
"""Opens exported reports with readers that are not ours: Python's csv and json, and icalendar.

The Swift test SampleFileTests writes the samples; CSV and calendar must say what JSON says.
"""

import argparse
import csv
import io
import json
import pathlib
import sys
from datetime import datetime, timezone

import icalendar

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A cell that begins with one of these is a formula to some spreadsheet program.
FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"


def objects(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def cell(value):
    """A value of JSON as CSV writes it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list):
        return " ".join(value)
    return value if isinstance(value, str) else json.dumps(value)


def check_csv(path, rows, raw):
    """What a CSV says that JSON does not, as complaints."""
    data = path.read_bytes()
    mark = b"\xef\xbb\xbf"
    if data.startswith(mark) == raw:
        yield "the byte order mark is there where it should not be, or the other way round"
    text = data.decode("utf-8-sig")
    found = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    head, *lines = found
    if len(lines) != len(rows):
        yield f"{len(lines)} rows instead of {len(rows)}"
    for number, (line, row) in enumerate(zip(lines, rows)):
        if len(line) != len(head):
            yield f"row {number} has {len(line)} cells, its head {len(head)}"
        for name, value in zip(head, line):
            if name == "rounding":
                expected = "none"
            else:
                expected = cell(row[name]) if name in row else ""
            isText = isinstance(row.get(name), str)
            if isText and not raw and expected[:1] and expected[0] in FORMULA:
                expected = "'" + expected
            if name.endswith("_s") or name.endswith("_ms"):
                if value and float(value) != float(expected):
                    yield f"row {number}: {name} is {value}, not {expected}"
            elif value != expected:
                yield f"row {number}: {name} is {value!r}, not {expected!r}"
            if not raw and isText and value[:1] and value[0] in FORMULA:
                yield f"row {number}: {name} is a formula"


def check_calendar(path, events):
    """What a calendar says that JSON does not, as complaints."""
    data = path.read_bytes()
    for line in data.split(b"\r\n"):
        if len(line) > 75 or b"\n" in line or b"\r" in line:
            yield f"not folded: {line[:90]!r}"
    calendar = icalendar.Calendar.from_ical(data)
    if calendar.errors:
        yield f"calendar: {calendar.errors}"
    found = list(calendar.walk("VEVENT"))
    if len(found) != len(events):
        yield f"{len(found)} events instead of {len(events)}"
    for event, expected in zip(found, events):
        if event.errors:
            yield f"{expected['uid']}: {event.errors}"
        moment = datetime.fromtimestamp(expected["from_s"], timezone.utc)
        summary = expected["summary"].replace("\r\n", "\n").replace("\r", "\n")
        said = {
            "UID": str(event["UID"]) == expected["uid"],
            "DTSTART": event["DTSTART"].dt == moment,
            "DTEND": (event["DTEND"].dt - moment).total_seconds() == 60,
            "SEQUENCE": int(event["SEQUENCE"]) == expected["sequence"],
            "SUMMARY": str(event["SUMMARY"]) == summary,
            "DTSTAMP": event["DTSTAMP"].dt.tzinfo is not None,
        }
        yield from (f"{expected['uid']}: {name}: {event[name]!r}" for name, is_right in said.items()
                    if not is_right)
    if len({str(event["UID"]) for event in found}) != len(found):
        yield "two events have one UID"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument(
        "--samples", type=pathlib.Path, default=ROOT / ".build" / "report-samples")
    samples = arguments.parse_args().samples
    head, *rows, end = objects(samples / "table.jsonl")
    whole = json.loads((samples / "table.json").read_text(encoding="utf-8"))
    wrong = []
    if whole["rows"] != rows or end != {"end": True, "rows": len(rows)}:
        wrong.append("table.json and table.jsonl differ")
    if head != {key: value for key, value in whole.items() if key != "rows"}:
        wrong.append("the heads of table.json and table.jsonl differ")
    for name, raw in (("plain.csv", False), ("raw.csv", True)):
        wrong += [f"{name}: {fault}" for fault in check_csv(samples / name, rows, raw)]
    events = objects(samples / "calendar.jsonl")
    wrong += [f"calendar.ics: {fault}" for fault in check_calendar(samples / "calendar.ics", events)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{len(rows)} rows and {len(events)} events read by csv, json and icalendar")
    return 1 if wrong or not rows or not events else 0


if __name__ == "__main__":
    sys.exit(main())
