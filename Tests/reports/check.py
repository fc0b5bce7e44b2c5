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
import unicodedata
from datetime import datetime, timezone

import icalendar

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A cell that begins with one of these is a formula to some spreadsheet program.
FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20\u2212"
SEPARATORS = {"plain.csv": ",", "raw.csv": ",", "semicolon.csv": ";", "tab.csv": "\t"}


def objects(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def cell(value):
    """A value of JSON as CSV writes it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list):
        return " ".join(value)
    return value if isinstance(value, str) else json.dumps(value)


def is_formula(value):
    """Whether a program takes a cell for a formula that drops quotes and what cannot be seen."""
    kinds = ("Cc", "Cf", "Zs", "Mn")
    hidden = [unicodedata.category(sign) in kinds or sign == '"' for sign in value]
    shown = value[hidden.index(False):] if False in hidden else ""
    if not shown or shown[0] not in FORMULA:
        return False
    try:
        float(shown.replace(",", ".").replace('"', ""))
        return False
    except ValueError:
        return True


def check_separators(text):
    """Cells that are a formula to a program with any separator, as complaints."""
    for separator in SEPARATORS.values():
        for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
            lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=quoting)
            for value in (value for line in lines for value in line):
                if is_formula(value):
                    yield f"read with {separator!r}: {value!r} is a formula"


def check_csv(path, rows, raw):
    """What a CSV says that JSON does not, as complaints."""
    data = path.read_bytes()
    mark = b"\xef\xbb\xbf"
    if data.startswith(mark) == raw:
        yield "the byte order mark is there where it should not be, or the other way round"
    text = data.decode("utf-8-sig")
    separator = SEPARATORS[path.name]
    found = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    if not raw:
        yield from check_separators(text)
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
            if name.endswith("_s") or name.endswith("_ms"):
                point = value.replace(",", ".") if separator == ";" else value
                if value and float(point) != float(expected):
                    yield f"row {number}: {name} is {value}, not {expected}"
            elif raw and value != expected:
                yield f"row {number}: {name} is {value!r}, not {expected!r}"
            # Guarded texts differ by the apostrophes that were put in, and by nothing else.
            elif value.replace("'", "") != expected.replace("'", ""):
                yield f"row {number}: {name} is {value!r}, not {expected!r}"
            if name.endswith("_local") and value:
                moment = datetime.fromisoformat(value)
                second = row[name[:-6] + "_ms"] // 1000
                if moment.utcoffset() is None or moment.timestamp() != second:
                    yield f"row {number}: {name} is {value}, another moment than its milliseconds"


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


def check_sums(path):
    """Sums that are not those of the lines above them, as complaints."""
    added = {}
    for row in objects(path)[1:-1]:
        lengths = {name: value for name, value in row.items() if name.endswith("_s")}
        if row["line"] == "day":
            for name, value in lengths.items():
                added[name] = added.get(name, 0) + value
            continue
        for name, value in lengths.items():
            if abs(value - added.get(name, 0)) > 0.0005:
                yield f"{row['name']!r}: {name} is {value}, its days add up to {added.get(name, 0)}"
        added = {}


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
    for name in SEPARATORS:
        faults = check_csv(samples / name, rows, raw=name == "raw.csv")
        wrong += [f"{name}: {fault}" for fault in faults]
    events = objects(samples / "calendar.jsonl")
    wrong += [f"{name}: {fault}" for name in ("table.jsonl", "rounded.jsonl") for fault in check_sums(samples / name)]
    wrong += [f"calendar.ics: {fault}" for fault in check_calendar(samples / "calendar.ics", events)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{len(rows)} rows and {len(events)} events read by csv, json and icalendar")
    return 1 if wrong or not rows or not events else 0


if __name__ == "__main__":
    sys.exit(main())
