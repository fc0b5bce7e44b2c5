#!/usr/bin/env python3
"""Asks a running coordinator for everything its description names, as every role, with schemathesis.

usage: Tests/interface/run.py [--examples N] [--programs DIR]

Starts a coordinator of a site of its own on a free port of loopback, makes a token for each role, and
lets schemathesis send what the description allows and what it does not. Ends with 0 if every answer was
described, of the described form, and none was a fault of the server (5xx but 503).
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "deploy" / "examples" / "site.yaml"
ROLES = {
    "owner": [], "manager": [], "trainer": [], "member": ["--user", "u-k7m2qa"], "auditor": [],
    "screen": [], "kiosk": [],
    "integration": ["--scopes", "people:read,attendance:read,attendance:write,workouts:read,workouts:write,reports:read"],
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples", type=int, default=5, help="examples an operation and phase")
    parser.add_argument("--programs", default=str(ROOT / ".build" / "debug"))
    parser.add_argument("--roles", default=",".join(ROLES))
    options = parser.parse_args()
    tool = shutil.which("schemathesis", path=str(pathlib.Path(sys.executable).parent))
    if tool is None:
        sys.exit("schemathesis is not installed beside this Python: see requirements.txt")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="beaconmesh-interface-"))
    database = folder / "site.sqlite"
    verb = [options.programs + "/beaconmesh"]
    subprocess.run(verb + ["import", str(SITE), "--database", str(database)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (folder / "coordinator.yaml").write_text(
        "broker: {host: 127.0.0.1, port: 1}\n"
        "http: {host: 127.0.0.1, port: 0}\n"
        f"sites: [{{id: iron-works, database: {database}, backups: {{enabled: false}}}}]\n")
    log = folder / "coordinator.log"
    coordinator = subprocess.Popen(
        [options.programs + "/beacon-coordinator", "--config", str(folder / "coordinator.yaml")],
        stderr=log.open("w"), stdout=subprocess.DEVNULL)
    failed = []
    try:
        address = wait_for(log)
        # One worker each: ast of Python 3.11, which the tool uses, is not safe on threads.
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            asked = pool.map(
                lambda role: ask(role, tool, address, verb, database, folder, options.examples),
                options.roles.split(","))
            for role, (status, requests, seconds, text) in zip(options.roles.split(","), asked):
                print(f"{role}: exit {status}, {requests} requests, {seconds:.0f} s", flush=True)
                if status != 0:
                    failed.append(role)
                    print(text[:20000])
        if coordinator.poll() is not None:
            sys.exit(f"the coordinator ended with {coordinator.returncode}")
    finally:
        coordinator.send_signal(signal.SIGTERM)
        coordinator.wait(20)
        shutil.rmtree(folder)
    if failed:
        sys.exit("not as described for " + ", ".join(failed))


def ask(role, tool, address, verb, database, folder, examples):
    """Asks for everything as a role: the tool's status, how many requests, how long, what it said."""
    made = subprocess.run(
        verb + ["token", "add", f"t-{role}", "--role", role, "--json", "--database",
                str(database)] + ROLES[role], check=True, capture_output=True, text=True)
    token = json.loads(made.stdout)["token"]
    own = folder / role
    own.mkdir()
    (own / "schemathesis.toml").write_text("")
    started = time.monotonic()
    result = subprocess.run(
        [tool, "--config-file", str(own / "schemathesis.toml"), "run",
         address + "api/v1/openapi.json", "-H", f"Authorization: Bearer {token}",
         "--url", address.rstrip("/"), "--max-examples", str(examples), "--seed", "7", "--no-color",
         "--phases", "examples,coverage,fuzzing", "--workers", "1", "--generation-database", "none",
         # The stream never ends, and without a broker nothing is ready. The tool finds names in
         # answers: it would revoke its own token, and retire or erase the person of others.
         "--exclude-path", "/api/v1/stream", "--exclude-path", "/readyz",
         "--exclude-operation-id", "deleteTokensName", "--exclude-operation-id", "deleteUsersId",
         "--exclude-operation-id", "postUsersIdErase",
         "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,"
         "response_schema_conformance,unsupported_method,negative_data_rejection",
         ], capture_output=True, text=True, cwd=own)
    text = result.stdout + result.stderr
    cases = re.search(r"(\d+) generated", text) or re.search(r"Test cases:\s*\n?\s*(\d+)", text)
    return (result.returncode, cases.group(1) if cases else "?", time.monotonic() - started, text)


def wait_for(log):
    """The address of the dashboard, as the log says it."""
    for _ in range(200):
        found = re.search(r"dashboard at (\S+)", log.read_text())
        if found:
            return found.group(1)
        time.sleep(0.1)
    sys.exit("the coordinator does not start:\n" + log.read_text())


if __name__ == "__main__":
    os.environ.pop("BEACONMESH_CONFIG", None)
    main()
