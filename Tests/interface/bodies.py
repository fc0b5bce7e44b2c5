#!/usr/bin/env python3
"""Sends a coordinator bodies made to cost it much, as a member and as a member's phone.

usage: Tests/interface/bodies.py [--programs DIR] [--long] [--bars] [--cgroup DIR]

Every route that takes JSON × some of the shapes below × the askers, of 60 kB; where long bodies are taken all shapes, of 1 MiB.
Then every topic that clients and nodes write × all shapes over MQTT, of 8 KiB and of as much as a packet holds, at a broker
where nobody is enrolled, so that nothing is refused for whose it is. While each is under way the owner asks for /healthz. Ends with 1 if anything was answered 5xx but 503, if the coordinator
ended, did not end within 10 s of SIGTERM, or took more memory than 40 MB for a body of 4 MiB. --long: bodies of 4 MiB
instead of one, and four at once, too. --bars, for a release build: the owner must not wait longer than 50 ms, and no body
but a history that is as it should be take more than 300 ms of a core. --cgroup: the coordinator runs in this control group,
such as one with the memory of the shipped unit.
"""

import argparse
import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "deploy" / "examples" / "site.yaml"
USER = "u-k7m2qa"
MIB = 1 << 20
# The longest payload that fits into a packet of 1,049,600 bytes, and the longest request.
PACKET = 1_048_000
REQUEST = 8192
MOST_MEMORY_MB = 40
MOST_CPU_S = 0.3
MOST_WAIT_S = 0.05


def repeated(head, item, tail, size, between=","):
    count = max(1, (size - len(head) - len(tail)) // (len(item) + len(between)))
    return (head + between.join([item] * count) + tail).encode()


def numbered(head, make, tail, size):
    items, length, number = [], len(head) + len(tail), 0
    while length < size:
        items.append(make(number))
        length += len(items[-1]) + 1
        number += 1
    return (head + ",".join(items[:-1]) + tail).encode()


RECORD = ('{"count":12,"start_time":"2026-10-05T11:%02d:00Z","end_time":"2026-10-05T11:%02d:30Z",'
          '"metadata":{"data_origin":"com.example.app","device":{"model":"Pixel"}}}')
SHAPES = {
    "members": lambda n: numbered("{", lambda i: f'"a{i}":1', "}", n),
    "one name": lambda n: repeated("{", '"a":1', "}", n),
    "empty steps": lambda n: repeated('{"timestamp":"x","steps":[', "{}", "]}", n),
    "steps of members": lambda n: repeated(
        '{"timestamp":"x","steps":[', '{"a":1,"b":2,"c":3}', "]}", n),
    "honest steps": lambda n: numbered(
        '{"timestamp":"x","steps":[', lambda i: RECORD % (i % 59, i % 59), "]}", n),
    "empty metrics": lambda n: repeated('{"data":{"metrics":[', "{}", "]}}", n),
    "one metric": lambda n: numbered(
        '{"data":{"metrics":[{"name":"step_count","units":"count","data":[',
        lambda i: f'{{"date":"2026-10-05 11:{i % 60:02d}:00 +0200","qty":{i}.5}}', "]}]}}", n),
    "many metrics": lambda n: repeated(
        '{"data":{"metrics":[', '{"name":"step_count","units":"count","data":[{"date":"x","qty":1}]}',
        "]}}", n),
    "samples": lambda n: repeated('{"samples":[', "{}", "]}", n),
    "sets": lambda n: repeated('{"started_ms":1,"ended_ms":2,"sets":[', "{}", "]}", n),
    "lines": lambda n: json.dumps({"csv": "a,b\n" * (n // 5)}).encode(),
    "history": lambda n: json.dumps({"dry_run": True, "csv": (
        "title,start_time,end_time,description,exercise_title,superset_id,exercise_notes,set_index,set_type,"
        "weight_kg,reps,distance_km,duration_seconds,rpe\n"
        + "".join(f'Push,"{1 + i // 20 % 28} Nov {2010 + i // 560 % 16}, 10:00","{1 + i // 20 % 28} Nov '
                  f'{2010 + i // 560 % 16}, 11:00",,Bench Press,,,{i % 20},normal,80,5,,,\n'
                  for i in range(n // 96)))}).encode(),
    "quotes": lambda n: json.dumps({"csv": '"' * (n // 2 - 20)}).encode(),
    "names": lambda n: repeated('{"csv":"a","exercises":[', '{"name":"x","exercise":"y"}', "]}", n),
    "deep": lambda n: b'{"a":' + b"[" * (n - 10),
    "numbers": lambda n: repeated('{"a":[', "1.0000000000000000000000000000000001e10", "]}", n),
    "one number": lambda n: b'{"a":' + b"1" * (n - 10) + b"}",
    "text": lambda n: b'{"a":"' + b"x" * (n - 10) + b'"}',
    "escapes": lambda n: repeated('{"user":"', "\\u0061", '"}', n, ""),
    "name": lambda n: b'{"' + b"x" * (n - 10) + b'":1}',
    "torn": lambda n: repeated('{"timestamp":"x","steps":[', '{"count":1}', "", n),
    "blanks": lambda n: b"{" + b" " * (n - 2) + b"}",
    "nothing": lambda n: b"\0" * n,
}


class Coordinator:
    def __init__(self, programs, cgroup=None):
        self.cgroup = cgroup
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="beaconmesh-bodies-"))
        self.programs = programs

    def __enter__(self):
        self.environment = {**os.environ, "LLVM_PROFILE_FILE": "/dev/null"}
        database = self.folder / "site.sqlite"
        subprocess.run([f"{self.programs}/beaconmesh", "import", str(SITE), "--database", str(database)],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
        (self.folder / "token").write_text("letmein")
        (self.folder / "token").chmod(0o600)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.broker_port = free.getsockname()[1]
        (self.folder / "mosquitto.conf").write_text(
            f"listener {self.broker_port} 127.0.0.1\nallow_anonymous true\nmax_packet_size 1049600\n"
            + ("user root\n" if os.getuid() == 0 else ""))
        self.broker = subprocess.Popen(["/usr/sbin/mosquitto", "-c", str(self.folder / "mosquitto.conf")],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (self.folder / "coordinator.yaml").write_text(
            f"broker: {{host: 127.0.0.1, port: {self.broker_port}}}\n"
            "http: {host: 127.0.0.1, port: 0, token_file: token}\n"
            f"sites: [{{id: iron-works, database: {database}, backups: {{enabled: false}}}}]\n")
        command = [f"{self.programs}/beacon-coordinator", "--config", str(self.folder / "coordinator.yaml")]
        self.log = self.folder / "log"
        if self.cgroup:
            # The shell puts itself there, and becomes the coordinator.
            command = ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', self.cgroup, *command]
        self.process = subprocess.Popen(command, stderr=self.log.open("w"), stdout=subprocess.DEVNULL,
                                        env=self.environment)
        deadline = time.monotonic() + 60
        while True:
            found = re.search(r"dashboard at http://127\.0\.0\.1:(\d+)/", self.log.read_text())
            if found:
                break
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit(self.log.read_text())
            time.sleep(0.05)
        self.port = int(found.group(1))
        return self

    def __exit__(self, *_):
        for process in (self.process, self.broker):
            process.kill()
            process.wait()
        shutil.rmtree(self.folder)

    def publish(self, topic, payload):
        """Says something over MQTT; returns once the broker has it."""
        subprocess.run(["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.broker_port), "-q", "1", "-t",
                        f"mesh/v1/iron-works/{topic}", "-s"], input=payload, check=True, timeout=60)

    def ask(self, method, path, body=None, token="letmein", timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except TimeoutError:
            return 999, b"no answer within a minute"
        except (OSError, http.client.HTTPException):
            # Cut: what is longer than any route takes is not read to its end.
            return 0, b""
        finally:
            connection.close()

    def figures(self):
        """Megabytes in memory now and at most since `forget`, and seconds of a core."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        size = {name: int(re.search(rf"{name}:\s+(\d+)", status).group(1)) / 1024 for name in ("VmRSS", "VmHWM")}
        times = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return size["VmRSS"], size["VmHWM"], (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")

    def forget(self):
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")


class Owner(threading.Thread):
    """Asks for /healthz all the time, and keeps how long it waited."""

    def __init__(self, site):
        super().__init__(daemon=True)
        self.site, self.waits, self.isOver = site, [], False

    def run(self):
        while not self.isOver:
            began = time.monotonic()
            status, _ = self.site.ask("GET", "/healthz")
            self.waits.append(time.monotonic() - began if status == 200 else 99)
            time.sleep(0.01)


def routes(site):
    """Method, path and longest body of each route that takes one."""
    document = json.loads(site.ask("GET", "/api/v1/openapi.json")[1])
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            content = about.get("requestBody", {}).get("content", {}) if isinstance(about, dict) else {}
            if "application/json" in content:
                yield method.upper(), re.sub(r"\{[^}]*\}", "x", path)


def topics(site, isLong):
    """What clients and nodes write: of each a topic."""
    document = json.loads(site.ask("GET", "/api/v1/asyncapi.json")[1])
    addresses = [channel["address"].replace("mesh/v1/{site}/", "") for channel in document["channels"].values()]
    asked = [address for address in addresses if address.startswith("req/")]
    if not isLong:
        asked = [one for one in asked if one.rsplit("/", 1)[1] in ("attendance-check-in", "attendance-correct", "set-add")]
    node = {f"node/{{node}}/{level}" for level in (
        "status", "info", "health", "beat", "frame", "evidence", "event", "res", "config/active")}
    others = [one for one in addresses if one.startswith("ingest/") or one in node]
    assert len(asked) >= 3 and len(others) == 14, (asked, others)
    parts = {"client": "tests", "user": USER, "node": "n-bench"}
    return ["req/tests/other"] + [re.sub(r"\{(\w+)\}", lambda part: parts[part[1]], one) for one in asked + others]


def tokens_of(site, person):
    """The least that may send long bodies: a member's, and that of a member's phone."""
    made = site.ask("POST", "/api/v1/tokens", json.dumps({"name": person, "role": "member", "user": person}))[1]
    member = json.loads(made)["token"]
    made = site.ask("POST", "/api/v1/activity/phones", b"{}", member)[1]
    return {"member": member, "phone": json.loads(made)["token"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", default=str(ROOT / ".build" / "debug"))
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--bars", action="store_true")
    parser.add_argument("--cgroup")
    options = parser.parse_args()
    failed, rows = [], []
    with Coordinator(options.programs, options.cgroup) as site:
        tokens = tokens_of(site, USER)
        long_ones = {("POST", "/api/v1/activity/app"), ("POST", "/api/v1/activity/samples"),
                     ("POST", "/api/v1/workouts/import")}
        everything = list(routes(site))
        assert long_ones <= set(everything) and len(everything) > 60, everything
        # The shortest bodies that cost something go to every route, the longest where long ones are taken.
        cases = [(route, shape, 60_000, 1) for route in everything
                 for shape in ("members", "deep", "escapes", "torn", "sets")]
        longest = 4 * MIB
        for route in sorted(long_ones):
            for shape in SHAPES:
                cases.append((route, shape, longest if options.long else MIB, 1))
                if options.long:
                    cases.append((route, shape, longest, 4))
        site.ask("GET", "/healthz")
        for number, ((method, path), shape, size, at_once) in enumerate(cases):
            body = SHAPES[shape](size)
            if size > 60_000:
                # Nobody else has used up what this person may send within a minute.
                person = f"u-{number}"
                site.ask("POST", "/api/v1/users", json.dumps({"id": person, "name": person}))
                tokens = tokens_of(site, person)
            for name, token in tokens.items():
                before = site.figures()
                site.forget()
                owner = Owner(site)
                owner.start()
                with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
                    answers = list(pool.map(
                        lambda _: site.ask(method, path, body, token), range(at_once)))
                owner.isOver = True
                owner.join()
                if site.process.poll() is not None:
                    failed.append(f"{name} {method} {path} {shape}: the coordinator ended")
                    break
                after = site.figures()
                case = f"{name} {method} {path} · {shape} · {len(body)} bytes × {at_once}"
                more, cpu = after[1] - before[0], after[2] - before[2]
                waits = sorted(owner.waits)
                wait = waits[min(len(waits) - 1, int(len(waits) * 0.99))]
                codes = [status for status, _ in answers]
                rows.append((more, cpu, wait, case, codes))
                if any(code >= 500 and code != 503 for code in codes):
                    failed.append(f"{case}: {answers}")
                if size > 60_000 and more > MOST_MEMORY_MB * max(0.5, size / longest):
                    failed.append(f"{case}: {more:.0f} MB more")
                isHonest = shape == "history" and path.endswith("/import")
                if options.bars and (wait > MOST_WAIT_S or cpu > MOST_CPU_S * at_once and not isHonest):
                    failed.append(f"{case}: {cpu:.2f} s of a core, the owner waited {wait * 1000:.0f} ms")
            if failed and site.process.poll() is not None:
                break
        shapes = SHAPES if options.long else ("members", "deep", "escapes", "samples", "torn")
        messages = [(topic, shape, size) for topic in topics(site, options.long) for shape in shapes
                    for size in (REQUEST, PACKET)]
        for topic, shape, size in messages if site.process.poll() is None else []:
            before = site.figures()
            site.forget()
            owner = Owner(site)
            owner.start()
            site.publish(topic, SHAPES[shape](size))
            # The broker has it; the coordinator has read it when it works on nothing any more.
            cpu = -1
            while cpu != site.figures()[2]:
                cpu = site.figures()[2]
                time.sleep(0.02)
            owner.isOver = True
            owner.join()
            if site.process.poll() is not None:
                failed.append(f"MQTT {topic} {shape}: the coordinator ended")
                break
            after = site.figures()
            waits = sorted(owner.waits)
            case = f"MQTT {topic} · {shape} · {size} bytes"
            more, cpu, wait = after[1] - before[0], after[2] - before[2], waits[-1]
            rows.append((more, cpu, wait, case, []))
            if more > MOST_MEMORY_MB:
                failed.append(f"{case}: {more:.0f} MB more")
            if options.bars and (wait > MOST_WAIT_S or cpu > MOST_CPU_S):
                failed.append(f"{case}: {cpu:.2f} s of a core, the owner waited {wait * 1000:.0f} ms")
        if site.process.poll() is None:
            status, body = site.ask("GET", "/readyz")
            if status != 200:
                failed.append(f"/readyz: {status} {body}")
            began = time.monotonic()
            site.process.send_signal(signal.SIGTERM)
            try:
                site.process.wait(10)
                print(f"ended {time.monotonic() - began:.1f} s after SIGTERM")
            except subprocess.TimeoutExpired:
                failed.append("the coordinator does not end")
    print(f"{len(rows)} bodies, {sum(row[3].startswith('MQTT') for row in rows)} of them over MQTT")
    for title, place in (("memory, MB", 0), ("core, s", 1), ("the owner's wait, s", 2)):
        print(f"most {title}:")
        for row in sorted(rows, key=lambda row: -row[place])[:5]:
            print(f"  {row[place]:8.3f}  {row[3]}  {row[4]}")
    for line in failed[:40]:
        print("FAILED:", line)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
