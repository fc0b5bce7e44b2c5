#!/usr/bin/env python3
"""Computes days, weeks and months of steps anew, by the rules of docs/activity.md and Python's own time zones.

The Swift test ActivityDaysTests writes 10,000 random histories with what the product makes of them; this compares.
"""

import json
import pathlib
import sys
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOUR_MS = 3_600_000
MINUTE_MS = 60_000


def begin(day, zone, known={}):
    """The first moment at which the clocks show a day, in milliseconds."""
    key = (day, zone)
    if key not in known:
        # The clocks of no zone are a day apart from UTC: looked for minute by minute around its midnight there.
        wanted = datetime.combine(day, time(0), ZoneInfo(zone))
        moment = wanted.astimezone(timezone.utc)
        if moment.astimezone(ZoneInfo(zone)).date() != day:
            moment += timedelta(hours=1)
        while (moment - timedelta(minutes=1)).astimezone(ZoneInfo(zone)).date() >= day:
            moment -= timedelta(minutes=1)
        while moment.astimezone(ZoneInfo(zone)).date() < day:
            moment += timedelta(minutes=1)
        known[key] = round(moment.timestamp() * 1000)
    return known[key]


def part(amount, start, end, first, last):
    """What of an amount that accrues from `start` to `end` falls between two moments."""
    def before(moment):
        return amount * (min(max(moment, start), end) - start) // (end - start)
    return before(last) - before(first)


def most(samples, first, last):
    """The source that counted most between two moments; names are ordered by their characters."""
    steps = {}
    for name, (start, end, count, *_) in samples:
        steps[name] = steps.get(name, 0) + part(count, start, end, first, last)
    return min(steps, key=lambda name: (-steps[name], name), default=None)


def counting(history, first, last):
    """What counts between two moments. Samples that overlap, one after the other, are a part; of each part one
    source counts."""
    inside = [(name, one) for name, samples in history["sources"].items() for one in samples
              if one[0] < last and one[1] > first]
    parts = []
    for name, one in inside:
        start, end = max(one[0], first), min(one[1], last)
        touched = [part for part in parts if part["start"] < end and start < part["end"]]
        parts = [part for part in parts if part not in touched]
        parts.append({"start": min([start] + [part["start"] for part in touched]),
                      "end": max([end] + [part["end"] for part in touched]),
                      "samples": [(name, one)] + [pair for part in touched for pair in part["samples"]]})
    counted = []
    for part in parts:
        names = {name for name, _ in part["samples"]}
        source = history["primary"] if history["primary"] in names else most(part["samples"], first, last)
        counted += [pair for pair in part["samples"] if pair[0] == source]
    return counted


def total(history, first, last, counted):
    """Steps, micrometres, kilocalories, seconds and the source between two moments."""
    step = 740_000
    if history["height_mm"] is not None:
        step = history["height_mm"] * 414
    if history["stride_mm"] is not None:
        step = history["stride_mm"] * 1000
    steps, distance, energy = 0, 0, 0.0
    counted = [(name, one) for name, one in counted if one[0] < last and one[1] > first]
    for _, (start, end, count, metres, kcal) in counted:
        some = part(count, start, end, first, last)
        walked = some * step if metres is None else 1000 * part(metres, start, end, first, last)
        steps += some
        distance += walked
        if kcal is not None:
            used = part(kcal, start, end, first, last) / 1000
        elif walked == 0:
            used = 0
        elif history["weight_g"] is None:
            used = None
        else:
            used = 0.57 * history["weight_g"] / 1000 * walked / 1e9
        energy = None if energy is None or used is None else energy + used
    minutes = {moment // MINUTE_MS for moment in history["moves"]}
    moving = 60 * sum(first <= minute * MINUTE_MS < last for minute in minutes)
    return steps, distance, energy, moving, most(counted, first, last)


def computed(history):
    """The parts of the three ranges, as the product tells them."""
    day, zone = date.fromisoformat(history["date"]), history["zone"]

    def whole(one):
        first, last = begin(one, zone), begin(one + timedelta(days=1), zone)
        return [first, last, *total(history, first, last, counting(history, first, last))]

    def summed(days):
        parts = [whole(one) for one in days]
        energies = [one[4] for one in parts]
        return [parts[0][0], parts[-1][1], sum(one[2] for one in parts), sum(one[3] for one in parts),
                None if None in energies else sum(energies), sum(one[5] for one in parts), None]

    first, last, *_, source = whole(day)
    counted = counting(history, first, last)
    hours = []
    for start in range(first, last, HOUR_MS):
        end = min(start + HOUR_MS, last)
        *amounts, own = total(history, start, end, counted)
        hours.append([start, end, *amounts, own or source])
    monday = day - timedelta(days=day.weekday())
    month = day.replace(day=1)
    after = (month + timedelta(days=31)).replace(day=1)
    week = month - timedelta(days=month.weekday())
    weeks = []
    while week < after:
        weeks.append(summed([week + timedelta(days=number) for number in range(7)]))
        week += timedelta(days=7)
    dates = [monday + timedelta(days=number) for number in range(7)]
    own = [month + timedelta(days=number) for number in range((after - month).days)]
    return {"day": hours + [whole(day)], "week": [whole(one) for one in dates] + [summed(dates)],
            "month": weeks + [summed(own)]}


def same(one, other):
    return len(one) == len(other) and all(
        abs(a - b) < 1e-6 * max(1, abs(a)) if isinstance(a, float) and b is not None else a == b
        for a, b in zip(one, other))


def main():
    path = ROOT / ".build" / "report-samples" / "activity.jsonl"
    if not path.exists():
        sys.exit(f"{path} is missing: run the Swift test ActivityDaysTests first")
    count = faults = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        history = json.loads(line)
        count += 1
        for name, parts in computed(history).items():
            if len(parts) != len(history[name]) or not all(map(same, parts, history[name])):
                faults += 1
                wrong = next(((a, b) for a, b in zip(parts, history[name]) if not same(a, b)), ("length", name))
                print(f"history {count} ({history['zone']}, {history['date']}), {name}: {wrong[0]} here, {wrong[1]} there")
    print(f"{count} histories of steps, {faults} differences")
    sys.exit(faults > 0 or count == 0)


main()
