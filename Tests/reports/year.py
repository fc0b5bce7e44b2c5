#!/usr/bin/env python3
"""Makes a year of 500 people, exports it, and prints how much memory that took.

usage: year.py BEACONMESH [--people N] [--days N] [--seed N]

Sessions are written past the coordinator, straight into the database that `beaconmesh import` made.
"""

import argparse
import csv
import pathlib
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

START_MS = 1_767_225_600_000  # 2026-01-01T00:00:00Z
DAY_MS = 86_400_000


def site(people):
    users = "".join(f"  - {{id: u-{n:04}, name: Person {n}}}\n" for n in range(people))
    return (
        "site: {id: year, name: A year, time_zone: Europe/Berlin, demo: true}\n"
        "rooms:\n  - {id: hall, name: Hall}\nusers:\n" + users
    )


def fill(database, people, days, chance):
    """One to two sessions a day for everybody, none of them overlapping. Returns how many."""
    count = 0
    with sqlite3.connect(database) as connection:
        for user in range(1, people + 1):
            rows = []
            for day in range(days):
                start = START_MS + day * DAY_MS + chance.randrange(5 * 3_600_000, 9 * 3_600_000)
                end = start + chance.randrange(3 * 3_600_000, 6 * 3_600_000)
                rows.append((user, start, end, end))
                if chance.random() < 0.5:
                    start = end + chance.randrange(600_000, 3_600_000)
                    end = start + chance.randrange(600_000, 4 * 3_600_000)
                    rows.append((user, start, end, end))
            connection.executemany(
                "INSERT INTO attendance_session (user, from_ms, to_ms, void, kept, out_cause,"
                " last_heard_ms) VALUES (?, ?, ?, 0, 0, 'last-heard', ?)", rows)
            count += len(rows)
    return count


def peak_of(command):
    """Runs a command and returns its peak memory in MB and the seconds it took.

    Linux counts what this process held when it began the command; that is little.
    """
    start = time.monotonic()
    subprocess.run(["/usr/bin/env", *command], check=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak / 1024, time.monotonic() - start


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("program")
    arguments.add_argument("--people", type=int, default=500)
    arguments.add_argument("--days", type=int, default=365)
    arguments.add_argument("--seed", type=int, default=7)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        database, yaml = folder / "site.sqlite", folder / "site.yaml"
        yaml.write_text(site(options.people), encoding="utf-8")
        subprocess.run(
            [options.program, "import", str(yaml), "--database", str(database)], check=True,
            stdout=subprocess.DEVNULL)
        count = fill(database, options.people, options.days, random.Random(options.seed))
        size = database.stat().st_size / 1e6
        print(f"{options.people} people, {options.days} days, {count} sessions, {size:.0f} MB")
        shift = [options.program, "shift", "add", "day", "--start", "08:00", "--end", "16:00"]
        subprocess.run(shift + ["--database", str(database)], check=True)
        everybody = [part for n in range(options.people) for part in ("--user", f"u-{n:04}")]
        subprocess.run(
            [options.program, "shift", "assign", "day", "--from", "2026-01-01", *everybody,
             "--database", str(database)], check=True, stdout=subprocess.DEVNULL)
        # Peak memory of children only grows, so the small ones come first.
        reports = [
            ("who", ["who", "--database", str(database)]),
            ("a day", ["attendance", "report", "attendance-day", "--date", "2026-06-01"]),
            ("a month", ["attendance", "report", "attendance-month", "--month", "2026-06"]),
            ("a year", ["attendance", "report", "attendance-month", "--from", "2026-01-01",
                        "--to", "2026-12-31"]),
            ("all sessions", ["attendance", "list", "--from", "2026-01-01", "--to", "2026-12-31"]),
        ]
        for name, words in reports:
            out = folder / "out.csv"
            extra = [] if name == "who" else [
                "--format", "csv", "--out", str(out), "--database", str(database)]
            peak, seconds = peak_of([options.program, *words, *extra])
            lines = 0
            if extra:
                with out.open(encoding="utf-8", newline="") as file:
                    lines = sum(1 for _ in csv.reader(file)) - 1
            print(f"{name}: {lines} rows, peak {peak:.1f} MB, {seconds:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
