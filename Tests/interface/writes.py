#!/usr/bin/env python3
"""Asks a running demonstration for much at once, and measures how long reads and writes take.

usage: beaconmesh demo --json demo.json; Tests/interface/writes.py demo.json [RATE [SECONDS]]

RATE requests a second (200) by 48 connections for SECONDS (25): six in ten read, the others check somebody in or
out, take a day of leave, ask for a correction or rename somebody, each but the last with a key of its own. What people
are already, a check-in when they are in, is refused and counts as answered. Prints only; loopback.
"""

import collections
import http.client
import json
import random
import sys
import threading
import time
import uuid

from demonstration import Demonstration

CONNECTIONS = 48
READS = ("snapshot", "users", "rooms", "stations", "nodes", "session", "attendance/corrections",
         "attendance/sessions?limit=20")


class Site(Demonstration):
    """With what the load asks."""

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def ask(self, connection, method, path, body=None):
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        if method == "POST":
            headers["Idempotency-Key"] = uuid.uuid4().hex
        begun = time.monotonic()
        text = None if body is None else json.dumps(body)
        connection.request(method, "/api/v1/" + path, text, headers)
        answer = connection.getresponse()
        text = answer.read()
        return time.monotonic() - begun, answer.status, text


def write(dice, user):
    """A write about a person: method, path and body."""
    choice = dice.random()
    if choice < 0.25:
        return "POST", "attendance/check-in", {"user": user}
    if choice < 0.5:
        return "POST", "attendance/check-out", {"user": user}
    if choice < 0.75:
        day = f"2027-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
        return "POST", "leave", {"user": user, "from": day, "kind": "vacation"}
    if choice < 0.87:
        return "PATCH", "users/" + user, {"name": f"Somebody {dice.randint(0, 999)}"}
    begun = int(time.time() * 1000) - dice.randint(3, 40) * 86_400_000
    session = {"change": "add", "user": user, "from_ms": begun, "to_ms": begun + 3_600_000}
    return "POST", "attendance/corrections", session | {"reason": "under load"}


def main():
    site = Site(sys.argv[1])
    rate = float(sys.argv[2]) if len(sys.argv) > 2 else 200
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 25
    users = json.loads(site.ask(site.connection(), "GET", "users?limit=500")[2])["users"]
    taken = {"read": [], "write": []}
    statuses = collections.Counter()
    lock = threading.Lock()
    numbers = iter(range(int(rate * seconds)))
    start = time.monotonic()

    def work(seed):
        dice = random.Random(seed)
        connection = site.connection()
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            time.sleep(max(0, start + number / rate - time.monotonic()))
            kind = "read" if dice.random() < 0.6 else "write"
            asked = (("GET", dice.choice(READS)) if kind == "read"
                     else write(dice, dice.choice(users)["id"]))
            span, status, _ = site.ask(connection, *asked)
            with lock:
                taken[kind].append(span)
                statuses[kind, status] += 1

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for kind, spans in taken.items():
        spans.sort()
        shares = [f"{name} {spans[min(len(spans) - 1, int(len(spans) * share))] * 1e3:.1f}"
                  for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("worst", 1))]
        print(f"{kind}: {len(spans)} answered; {', '.join(shares)} ms")
    print(", ".join(f"{kind} {status}: {count}" for (kind, status), count in sorted(statuses.items())))
    failed = sum(count for (_, status), count in statuses.items() if status >= 500)
    print(f"{failed} failed; {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
