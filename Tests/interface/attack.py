#!/usr/bin/env python3
"""Attacks the availability of a running demonstration, and measures how its owner is answered meanwhile.

usage: beaconmesh demo --json demo.json; Tests/interface/attack.py demo.json [PATTERN]

One attack after the other, each for at most 15 s; with PATTERN only those whose name it fits. For each a line says
what the attacker got, and one for each thing that the owner asks how many times they were answered or
refused, and how long they waited. Ends with 1 if the owner was refused or waited longer than 2 s.

Loopback only, about four minutes. Leaves two accounts and some tokens in the demonstration, and a token's day
of requests partly used; the attackers are strangers: a header that only proxies send keeps the demonstration
from taking them for somebody of its own machine.
"""

import asyncio
import collections
import http.client
import json
import multiprocessing
import os
import re
import resource
import socket
import sys
import threading
import time

from demonstration import Demonstration

SPAN = 15.0
PATIENCE = 2.0
PASSWORD = "a long enough phrase"
SITE_FILE = 4 << 20
DESCRIPTORS = 4096
TCP_ESTABLISHED = 1
STRANGER = "X-Forwarded-For: 127.0.0.1\r\n"


class Site(Demonstration):
    """The demonstration, its owner's token, and what the attackers need of it."""

    def __init__(self, file):
        super().__init__(file)
        self.user = json.loads(self.ask("GET", "/api/v1/users")[1])["users"][0]["id"]
        self.account = f"attacked-{os.getpid()}"
        self.make_account()
        self.member = self.make_token("member", user=self.user)
        self.importer = self.make_token("integration", scopes=["people:write", "places:write"])

    def ask(self, method, path, body=None, is_owner=True):
        """The status and the text of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {"Content-Type": "application/json"}
        if is_owner:
            headers["Authorization"] = "Bearer " + self.token
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def made(self, path, body, is_owner=True):
        status, text = self.ask("POST", path, body, is_owner)
        if status != 201:
            sys.exit(f"{path}: {status} {text.decode()}")
        return json.loads(text)

    def make_account(self):
        """An account whose household is known: it was entered from 127.0.0.1."""
        invitation = self.made("/api/v1/accounts", {"name": self.account, "role": "manager"})
        self.made("/api/v1/session/invitation",
                  {"invitation": invitation["invitation"], "password": PASSWORD}, False)
        self.sign_in()

    def sign_in(self):
        return self.ask("POST", "/api/v1/session", {"name": self.account, "password": PASSWORD},
                        False)[0]

    def make_token(self, role, **more):
        name = f"attack-{role}-{os.getpid()}"
        return self.made("/api/v1/tokens", {"name": name, "role": role, **more})["token"]

    def write(self):
        return self.ask("POST", "/api/v1/leave", {"user": self.user, "from": "2031-01-06"})[0]

    def stream(self):
        """Opens a stream as the owner, and closes it after the first event."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", "/api/v1/stream", headers={
                "Authorization": "Bearer " + self.token})
            answer = connection.getresponse()
            answer.readline()
            return answer.status
        finally:
            connection.close()


class Asker:
    """Asks for one thing at a steady pace as the owner, on a thread of its own."""

    def __init__(self, name, pause, ask):
        self.name, self.pause, self.ask = name, pause, ask
        self.seconds, self.refused = [], collections.Counter()
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.is_over.is_set():
            start = time.perf_counter()
            try:
                status = self.ask()
                if status not in (200, 201, 204):
                    self.refused[str(status)] += 1
            except (OSError, http.client.HTTPException) as error:
                self.refused[type(error).__name__] += 1
            passed = time.perf_counter() - start
            self.seconds.append(passed)
            self.is_over.wait(max(0, self.pause - passed))

    def end(self):
        self.is_over.set()
        self.thread.join()

    def is_kept_out(self):
        return bool(self.refused) or max(self.seconds) > PATIENCE

    def line(self):
        ordered = sorted(self.seconds)
        half, most = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
        why = f" ({shown(self.refused)})" if self.refused else ""
        return (f"  {self.name}: {len(ordered)} times, refused {self.refused.total()}{why}, "
                f"p50 {half * 1e3:.1f} ms, p95 {most * 1e3:.1f} ms, worst {ordered[-1] * 1e3:.0f} ms")


def shown(counts):
    return ", ".join(f"{key} {count}" for key, count in sorted(counts.items())) or "nothing"


# What the attackers do. Each runs in a process of its own and counts what it got.


def head(method, path, length=None, token=None):
    lines = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{STRANGER}"
    if token:
        lines += f"Authorization: Bearer {token}\r\n"
    if length is not None:
        kind = "yaml" if path.endswith(".yaml") else "json"
        lines += f"Content-Type: application/{kind}\r\nContent-Length: {length}\r\n"
    return (lines + "\r\n").encode()


def address(index):
    return f"127.{1 + index // 62500}.{1 + index // 250 % 250}.{1 + index % 250}"


async def hold(site, got, until, start, source=None, drip=None):
    """Keeps one connection that never ends its request; makes it anew, after half a second, when it is ended."""
    while time.time() < until:
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", site.port, local_addr=(source, 0) if source else None)
        except OSError:
            got["not connected"] += 1
            await asyncio.sleep(0.5)
            continue
        got["opened"] += 1
        try:
            writer.write(start)
            feeding = asyncio.create_task(feed(writer, *drip)) if drip else None
            answer = await asyncio.wait_for(reader.read(4096), max(0, until - time.time()))
            got[answer[9:12].decode() if answer.startswith(b"HTTP/") else "ended"] += 1
        except (asyncio.TimeoutError, TimeoutError):
            got["kept"] += 1
        except OSError:
            got["ended"] += 1
        finally:
            if drip and feeding:
                feeding.cancel()
            writer.transport.abort()
        await asyncio.sleep(0.5)


async def feed(writer, piece, pause):
    try:
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)
    except OSError:
        pass


async def crowd_of(number, site, until, start, sources=0, drip=None):
    got = collections.Counter()
    await asyncio.gather(*(
        hold(site, got, until, start, address(index % sources) if sources else None, drip)
        for index in range(number)))
    return got


async def bodies(site, until):
    return await crowd_of(1500, site, until, head("POST", "/api/v1/session", 60000) + b"{")


async def bodies_from_many(site, until):
    return await crowd_of(1500, site, until, head("POST", "/api/v1/session", 60000) + b"{", 750)


async def bodies_of_a_member(site, until):
    return await crowd_of(
        1500, site, until, head("POST", "/api/v1/workouts/start", 60000, site.member) + b"{")


async def half_heads(site, until):
    return await crowd_of(2000, site, until, b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: ")


async def silence(site, until):
    return await crowd_of(1000, site, until, b"")


async def slow_files(site, until):
    """The longest site file, by a token that may write it: 256 kB a second for each of 64."""
    return await crowd_of(
        64, site, until, head("PUT", "/api/v1/site.yaml", SITE_FILE, site.importer),
        drip=(b"#" * 65536, 0.25))


async def slow_files_of_strangers(site, until):
    return await crowd_of(
        64, site, until, head("PUT", "/api/v1/site.yaml", SITE_FILE), drip=(b"#" * 65536, 0.25))


async def streams(site, until):
    """One member's, of which none is given up."""
    got = collections.Counter()

    async def follow():
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        writer.write(head("GET", "/api/v1/stream", token=site.member))
        try:
            status = (await reader.read(4096))[9:12].decode() or "ended"
            got[status] += 1
            while time.time() < until and await asyncio.wait_for(
                    reader.read(65536), max(0, until - time.time())):
                pass
        except (OSError, asyncio.TimeoutError, TimeoutError):
            pass
        finally:
            writer.transport.abort()

    await asyncio.gather(*(follow() for _ in range(540)))
    return got


async def deaf(site, until):
    """One member's, each of which asks for much and takes nothing of it."""
    got = collections.Counter()
    request = head("GET", "/api/v1/openapi.json", token=site.member) * 200

    async def ask():
        while time.time() < until:
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.setblocking(False)
            try:
                await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", site.port))
                one.send(request[:60000])
                got["opened"] += 1
                while time.time() < until and not one.getsockopt(
                        socket.SOL_SOCKET, socket.SO_ERROR) and not is_closed(one):
                    await asyncio.sleep(0.5)
                got["kept" if time.time() >= until else "ended"] += 1
            except OSError:
                got["not connected"] += 1
            finally:
                one.close()
            await asyncio.sleep(0.5)

    await asyncio.gather(*(ask() for _ in range(1500)))
    return got


def is_closed(one):
    """Whether the other end has closed a connection of which nothing is read."""
    state = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return state != TCP_ESTABLISHED


async def once(site, request, source=None):
    """The status of one answer, on a connection of its own."""
    try:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", site.port, local_addr=(source, 0) if source else None)
    except OSError:
        return "not connected"
    try:
        writer.write(request)
        answer = await asyncio.wait_for(reader.read(4096), 10)
        return answer[9:12].decode() or "ended"
    except (OSError, asyncio.TimeoutError, TimeoutError):
        return "ended"
    finally:
        writer.transport.abort()


async def paced(until, rate, ask):
    """`rate` a second at most, and not more than that wait at once for their answers."""
    got, start, index = collections.Counter(), time.time(), 0
    places = asyncio.Semaphore(rate)

    async def count(number):
        async with places:
            got[await ask(number)] += 1

    tasks = []
    while time.time() < until:
        tasks.append(asyncio.create_task(count(index)))
        index += 1
        await asyncio.sleep(max(0, start + index / rate - time.time()))
    await asyncio.gather(*tasks)
    return got


def guess(name, number):
    body = json.dumps({"name": name, "password": f"wrong {number}"}).encode()
    return head("POST", "/api/v1/session", len(body)) + body


async def crowd_at_one(site, until):
    """Wrong passwords for one account, 100 a second, from 750 addresses in turn."""
    return await paced(until, 100, lambda number: once(
        site, guess(site.account, number), address(number % 750)))


async def crowd_at_any(site, until):
    """The same for names that nobody has, so that no account's limit is reached."""
    return await paced(until, 100, lambda number: once(
        site, guess(f"nobody-{number % 500}", number), address(number % 750)))


async def reads(site, until):
    """One token, 300 requests a second on connections of their own."""
    paths = ("/api/v1/rooms", "/api/v1/stations", "/api/v1/snapshot", "/api/v1/attendance/sessions")
    return await paced(until, 300, lambda number: once(
        site, head("GET", paths[number % len(paths)], token=site.member)))


ATTACKS = (
    ("1,500 unfinished bodies from one address", bodies, None),
    ("1,500 unfinished bodies from 750 addresses", bodies_from_many, None),
    ("2,000 half heads", half_heads, None),
    ("1,000 silent connections", silence, None),
    ("wrong passwords for one account from 750 addresses", crowd_at_one, "sign in"),
    ("wrong passwords for nobody's accounts from 750 addresses", crowd_at_any, "sign in"),
    ("540 streams of one member", streams, "stream"),
    ("300 reads a second with one token", reads, None),
    ("64 site files sent slowly by strangers", slow_files_of_strangers, None),
    ("64 site files sent slowly with a token for them", slow_files, None),
    ("1,500 unfinished bodies of one member", bodies_of_a_member, None),
    ("1,500 connections of one member that read nothing", deaf, None),
)


def work(attack, site, until, pipe):
    pipe.send(asyncio.run(attack(site, until)))


def run(site, name, attack, extra):
    """Whether the owner was kept out."""
    askers = [Asker("snapshot", 0.5, lambda: site.ask("GET", "/api/v1/snapshot")[0]),
              Asker("healthz", 0.5, lambda: site.ask("GET", "/healthz", None, False)[0]),
              Asker("write", 1, site.write)]
    if extra:
        askers.append(Asker(extra, 1, {"sign in": site.sign_in, "stream": site.stream}[extra]))
    if attack:
        mine, theirs = multiprocessing.Pipe()
        attacker = multiprocessing.Process(
            target=work, args=(attack, site, time.time() + SPAN, theirs), daemon=True)
        attacker.start()
        theirs.close()
        try:
            got = shown(mine.recv()) if mine.poll(2 * SPAN) else "did not end"
        except EOFError:
            got = "failed"
        memory = site.megabytes()
        attacker.kill()
        attacker.join()
    else:
        time.sleep(SPAN / 3)
        got, memory = "nothing", site.megabytes()
    for asker in askers:
        asker.end()
    print(f"{name}: {got}; coordinator {memory:.1f} MB")
    print("\n".join(asker.line() for asker in askers), flush=True)
    return any(asker.is_kept_out() for asker in askers)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most != resource.RLIM_INFINITY and most < DESCRIPTORS:
        sys.exit(f"{DESCRIPTORS} descriptors are needed, {most} allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, most))
    one = Site(sys.argv[1])
    word = sys.argv[2] if len(sys.argv) == 3 else ""
    kept_out = [] if not run(one, "without an attack", None, "sign in") else ["without an attack"]
    for named, done, also in ATTACKS:
        if re.search(word, named):
            if run(one, named, done, also):
                kept_out.append(named)
            time.sleep(1)
    if kept_out:
        sys.exit("the owner was refused or waited too long: " + "; ".join(kept_out))
