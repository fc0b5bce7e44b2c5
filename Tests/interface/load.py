#!/usr/bin/env python3
"""Measures a running demonstration: open streams and the loop beside them, signing in, guessing.

usage: beaconmesh demo --json demo.json; Tests/interface/load.py demo.json

For each number of streams it prints the coordinator's share of a core, its memory, the events that came,
and how long a request takes that goes through the loop to the thread of the store and back. Prints only:
nothing is judged. Loopback, about a minute.
"""

import asyncio
import http.client
import json
import os
import sys
import time

from demonstration import Demonstration

STREAMS = (0, 256, 500)
# One account or token may have so many.
EACH = 16
PASSWORD = "a long enough phrase"


class Site(Demonstration):
    """With what the measurements ask."""

    def ask(self, method, path, body=None, is_owner=True):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Content-Type": "application/json"}
        if is_owner:
            headers["Authorization"] = "Bearer " + self.token
        start = time.perf_counter()
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return time.perf_counter() - start, answer.status, text


def shown(seconds):
    ordered = sorted(seconds)
    half, most = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    return f"p50 {half * 1e3:.1f} ms, p95 {most * 1e3:.1f} ms"


async def follow(site, token, counts, index):
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(
        f"GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
        .encode())
    while data := await reader.read(65536):
        counts[index] = counts.get(index, 0) + data.count(b"event: ")
    counts.pop(index, None)


async def streams(site):
    counts, tasks, tokens = {}, [], []
    while len(tokens) * EACH < max(STREAMS):
        name = f"load-{os.getpid()}-{len(tokens)}"
        made = site.ask("POST", "/api/v1/tokens", {"name": name, "role": "auditor"})
        tokens.append(json.loads(made[2])["token"])
    for number in STREAMS:
        tasks += [asyncio.create_task(follow(site, tokens[index // EACH], counts, index))
                  for index in range(len(tasks), number)]
        await asyncio.sleep(4)
        used, events, start = site.processor_seconds(), sum(counts.values()), time.time()
        await asyncio.sleep(5)
        passed = time.time() - start
        used, events = site.processor_seconds() - used, sum(counts.values()) - events
        times = []
        for _ in range(60):
            # What there is not is looked for in a transaction all the same.
            times.append((await asyncio.to_thread(
                site.ask, "POST", "/api/v1/attendance/corrections/999999/decision",
                {"approve": True, "reason": "x"}))[0])
        print(f"{number} streams, {len(counts)} open: {used / passed:.1%} of a core, "
              f"{site.megabytes():.1f} MB, {events / passed:.0f} events/s; "
              f"through the loop {shown(times)}", flush=True)
    for task in tasks:
        task.cancel()


def sign_in(site):
    before = site.megabytes()
    text = site.ask("POST", "/api/v1/accounts", {"name": "load", "role": "member"})[2]
    invitation = json.loads(text)["invitation"]
    site.ask("POST", "/api/v1/session/invitation",
             {"invitation": invitation, "password": PASSWORD}, False)
    times = [site.ask("POST", "/api/v1/session", {"name": "load", "password": PASSWORD}, False)[0]
             for _ in range(60)]
    print(f"signing in: {shown(times)}; memory {before:.1f} MB before, "
          f"{site.megabytes():.1f} MB after", flush=True)
    answers, start = {}, time.time()
    for attempt in range(10000):
        status = site.ask("POST", "/api/v1/session",
                          {"name": "load", "password": f"wrong {attempt}"}, False)[1]
        answers[status] = answers.get(status, 0) + 1
    print(f"10,000 wrong passwords: {answers} in {time.time() - start:.1f} s, "
          f"{site.megabytes():.1f} MB")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    one = Site(sys.argv[1])
    sign_in(one)
    asyncio.run(streams(one))
