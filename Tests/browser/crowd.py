"""Measures the pages with a large site: 300 people, 100 stations, 30 rooms, 1,000 beacons, 60 nodes. It prints; it judges nothing.

usage: DEMO_JSON=demo.json python Tests/browser/crowd.py

A server between browser and demonstration answers the stream itself: everybody's place changes every ten seconds and
everything else as often as at a site. While it is scrolled from top to bottom for ten seconds, each page counts its
frames; a browser without a screen draws 60 a second at most.
"""

import http.server
import json
import os
import pathlib
import sys
import time

import conftest
import hostile

PEOPLE, STATIONS, ROOMS, BEACONS, NODES = 300, 100, 30, 1000, 60
# How many of each are told of in a second.
TOLD = {"presence": PEOPLE / 10, "attendance": PEOPLE / 300, "station": STATIONS / 20, "room": ROOMS / 10,
        "beacon": BEACONS / 5, "health": NODES / 30}
SECONDS = 10
FRAMES = """
    const done = arguments[arguments.length - 1];
    const start = performance.now();
    const gaps = [];
    let before = start;
    const tall = document.documentElement.scrollHeight - innerHeight;
    const step = (now) => {
        gaps.push(now - before);
        before = now;
        scrollTo(0, tall * Math.abs(Math.sin((now - start) / 2000)));
        if (now - start < arguments[0] * 1000) return requestAnimationFrame(step);
        gaps.sort((a, b) => a - b);
        done({ frames: gaps.length / (now - start) * 1000, p99: gaps[Math.floor(gaps.length * 0.99)],
            worst: gaps.at(-1), elements: document.querySelectorAll("*").length });
    };
    requestAnimationFrame(step);
"""


class Crowd:
    """The live state of a large site, and what changes of it."""

    def __init__(self, site):
        self.site = site
        self.turn = 0
        self.names = {
            "site": {"id": site, "name": "A large house", "demo": True},
            "rooms": {f"room-{i}": f"Room {i}" for i in range(ROOMS)},
            "stations": {f"station-{i}": f"Station {i}" for i in range(STATIONS)},
            "nodes": {f"node-{i}": f"Node {i}" for i in range(NODES)},
            "users": {f"u-{i}": f"Person {i} of the crowd" for i in range(PEOPLE)},
            "beacons": {f"b-{i}": f"Tag {i}" for i in range(BEACONS)}, "exercises": {}}

    def topic(self, kind, i):
        now = time.time_ns() // 10**6
        room = f"room-{(i + self.turn) % ROOMS}"
        station = f"station-{i}" if i < STATIONS else None
        if kind == "presence":
            return f"user/u-{i}/presence", {
                "t_ms": now, "state": ["present", "moving", "leaving"][(i + self.turn) % 3], "room": room,
                "station": station, "confidence": 0.9, "since_ms": now - i * 1000, "seen_ms": now - 500,
                "probability": 0.9, "confirmed": True}
        if kind == "attendance":
            return f"user/u-{i}/attendance", {
                "t_ms": now, "state": "in", "session": i + 1, "check_in_ms": now - 3_600_000, "check_out_ms": None,
                "review": ["too-long"] if i % 50 == 0 else []}
        if kind == "station":
            return f"station/station-{i}/state", {
                "t_ms": now, "state": ["occupied", "free"][(i + self.turn) % 2], "slots": 1, "by": [f"u-{i}"],
                "here": [f"u-{i}"], "since_ms": now - 60_000}
        if kind == "room":
            return f"room/room-{i}/state", {"t_ms": now, "count": PEOPLE // ROOMS}
        if kind == "beacon":
            return f"beacon/b-{i}/state", {"t_ms": now, "nodes": [
                {"node": f"node-{(i + n) % NODES}", "rssi": -50 - n - self.turn % 5, "age_ms": 400} for n in range(6)]}
        return f"node/node-{i}/health", {
            "t_ms": now, "uptime_s": 1, "adapter": "up", "adverts_s": 30.0 + self.turn % 9, "beacons": 100,
            "unregistered": 0, "dropped": 0, "malformed": 0, "rssi_unavailable": 0, "refused": 0, "mem_mb": 15,
            "cpu_pct": 1, "alerts": []}

    def count(self, kind):
        return {"presence": PEOPLE, "attendance": PEOPLE, "station": STATIONS, "room": ROOMS, "beacon": BEACONS,
                "health": NODES}[kind]

    def snapshot(self):
        topics = dict(self.topic(kind, i) for kind in TOLD for i in range(self.count(kind)))
        topics.update({f"station/station-{i}/info": {"name": f"Station {i}", "room": f"room-{i % ROOMS}", "slots": 1}
                       for i in range(STATIONS)})
        topics.update({f"node/node-{i}/status": {"state": "online", "boot": "0" * 16, "since_ms": 1}
                       for i in range(NODES)})
        topics["info"] = {"name": "A large house", "tz": "Europe/Berlin", "rooms": list(self.names["rooms"]),
                          "stations": list(self.names["stations"]), "nodes": list(self.names["nodes"])}
        topics["state"] = {"present": PEOPLE, "nodes_online": NODES, "nodes_total": NODES, "workouts": 0,
                           "listening_since_ms": 1}
        return {"names": self.names, "topics": {f"mesh/v1/{self.site}/{one}": value for one, value in topics.items()},
                "server_ms": time.time_ns() // 10**6}

    def stream(self, write, wanted):
        """Writes events until whoever listens goes away."""
        def event(kind, message):
            write(f"event: {kind}\ndata: {json.dumps(message)}\n\n".encode())
        event("snapshot", self.snapshot())
        told = dict.fromkeys(TOLD, 0)
        start = time.monotonic()
        while True:
            time.sleep(0.05)
            due = time.monotonic() - start
            self.turn = int(due)
            for kind, rate in TOLD.items():
                while told[kind] < due * rate:
                    topic, payload = self.topic(kind, told[kind] % self.count(kind))
                    told[kind] += 1
                    if topic.split("/")[0] in wanted:
                        event("change", {"topic": f"mesh/v1/{self.site}/{topic}", "payload": payload,
                                         "server_ms": time.time_ns() // 10**6})


def serve(upstream, crowd):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def do_GET(self):
            if not self.path.startswith("/api/v1/stream"):
                hostile.pass_on(self, upstream)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()

            def write(text):
                self.wfile.write(text)
                self.wfile.flush()
            try:
                crowd.stream(write, self.path)
            except (BrokenPipeError, ConnectionResetError):
                pass

        def log_message(self, *_):
            pass

    return hostile.serving(Handler)


def main():
    if "DEMO_JSON" not in os.environ:
        sys.exit("DEMO_JSON is not set: run `beaconmesh demo --json FILE` and name the file")
    demo = json.loads(pathlib.Path(os.environ["DEMO_JSON"]).read_text(encoding="utf-8"))
    with serve(demo["dashboard"].rstrip("/"), Crowd(demo["site"])) as address:
        for width, height in ((390, 844), (1440, 900)):
            for path in ("", "people", "plan", "devices", "nodes"):
                page = conftest.Page(width, height)
                try:
                    page.driver.get(address + path)
                    page.wait(lambda page=page: page.connected, 30, "live data")
                    time.sleep(2)
                    page.driver.set_script_timeout(SECONDS + 20)
                    found = page.driver.execute_async_script(FRAMES, SECONDS)
                    print(f"/{path} at {width} px: {found['frames']:.1f} frames/s, 99 of 100 within"
                          f" {found['p99']:.0f} ms, worst {found['worst']:.0f} ms, {found['elements']} elements",
                          flush=True)
                finally:
                    page.close()


if __name__ == "__main__":
    main()
