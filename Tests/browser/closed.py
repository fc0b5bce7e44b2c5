"""A site that shows nothing to whoever has not signed in: broker, database and coordinator of its own.

It is the site of deploy/examples/site.yaml, where no node has ever listened. Its programs are those of
the demonstration, so that no test runs another build.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Who claims it.
OWNER = "ada"
PASSWORD = "a long enough phrase"


class Site:
    """Runs until it is left."""

    def __init__(self, programs, is_claimed=True, file=ROOT / "deploy/examples/site.yaml", http=""):
        self._programs = pathlib.Path(programs)
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="beaconmesh-closed-"))
        self._running = []
        self._is_claimed = is_claimed
        self._file = file
        # More of the listener, as YAML goes on within braces.
        self._http = http
        self.database = self._folder / "site.sqlite"
        self._log = self._folder / "coordinator.log"

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self._running):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self._folder)

    def _start(self):
        self.port = port = free_port()
        self._write("mosquitto.conf", f"listener {port} 127.0.0.1\nallow_anonymous true\n")
        self._run("broker", ["/usr/sbin/mosquitto", "-c", str(self._folder / "mosquitto.conf")])
        self.verb("import", "--database", self.database, self._file)
        self._write("coordinator.yaml", f"""
broker: {{host: 127.0.0.1, port: {port}}}
http: {{host: 127.0.0.1, port: 0, token_file: token, anonymous_reading: false{self._http}}}
sites: [{{id: iron-works, database: site.sqlite, backups: {{enabled: false}}}}]
""")
        self._run("coordinator", [
            str(self._programs / "beacon-coordinator"), "--config",
            str(self._folder / "coordinator.yaml")])
        self.address = self._logged(r"dashboard at (http://\S+)/")
        self.code = self._logged(r"the code ([A-Z2-9]{4}-[A-Z2-9]{4})")
        if self._is_claimed:
            self.ask("POST", "/api/v1/claim",
                     {"code": self.code, "name": OWNER, "password": PASSWORD}, token=False)

    def ask(self, method, path, body=None, token=True):
        """What a program is answered, with the owner's token or none."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = "Bearer " + (self._folder / "token").read_text().strip()
        request = urllib.request.Request(
            self.address + path, method=method, headers=headers,
            data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=20) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def node(self, name, radio):
        """Starts a node that listens to a radio, as somebody does who plugs a box in."""
        (self._folder / name).mkdir()
        self._write(f"{name}.yaml", f"""
node: {name}
site: iron-works
radio: btsnoop:unix:{radio}
broker: {{host: 127.0.0.1, port: {self.port}}}
state: {name}
""")
        self._run(name, [str(self._programs / "beacon-node"), "--config", str(self._folder / f"{name}.yaml")])

    @property
    def folder(self):
        return self._folder

    def refusal(self, method, path, **options):
        """The status and the type of a refusal."""
        try:
            self.ask(method, path, **options)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers["Content-Type"]
        raise AssertionError(f"{method} {path} is not refused")

    def invite(self, name, role, user=None):
        """The address of an invitation."""
        more = {} if user is None else {"user": user}
        made = self.ask("POST", "/api/v1/accounts", {"name": name, "role": role, **more})
        return self.address + made["path"]

    def verb(self, *arguments):
        """What a verb prints."""
        return subprocess.run(
            [str(self._programs / "beaconmesh"), *map(str, arguments)], env=environment(),
            capture_output=True, text=True, timeout=60, check=True).stdout

    def sql(self, statement):
        """Changes the database past the coordinator, as nobody should."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=20)) as database:
            with database:
                database.execute(statement)

    def _write(self, name, text):
        (self._folder / name).write_text(text, encoding="utf-8")

    def _run(self, name, command):
        with open(self._folder / f"{name}.log", "w", encoding="utf-8") as log:
            self._running.append(subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment()))

    def _logged(self, pattern):
        """What the coordinator's log says, once it does."""
        deadline = time.monotonic() + 60
        while True:
            text = self._log.read_text(encoding="utf-8")
            found = re.search(pattern, text)
            if found:
                return found.group(1)
            assert self._running[-1].poll() is None and time.monotonic() < deadline, text
            time.sleep(0.05)


def environment():
    # A build with coverage would write its counts where it stands.
    return {**os.environ, "LLVM_PROFILE_FILE": "/dev/null"}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
