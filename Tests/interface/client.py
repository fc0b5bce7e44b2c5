#!/usr/bin/env python3
"""Uses a running demonstration by a client that openapi-python-client makes of schemas/openapi.json.

usage: beaconmesh demo --json demo.json; Tests/interface/client.py demo.json

Makes the client in a temporary directory; what the generator cannot make is a failure. By the client it lists
sessions of attendance, adds a person, and starts, pauses, resumes and completes their workout. Ends with 0 if
each answer was parsed as described. Loopback, a few seconds.
"""

import importlib
import pathlib
import subprocess
import sys
import tempfile

from demonstration import Demonstration

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The file of a site and a picture are bytes to the client. Its code is not formatted: nobody reads it.
SETTINGS = """\
content_type_overrides: {application/yaml: application/octet-stream, image/png: application/octet-stream}
post_hooks: []
"""
USER = "u-generated-client"
KEY = "123e4567-e89b-12d3-a456-426614174000"


def generate(folder):
    """Makes the package `generated` in a folder."""
    settings = folder / "settings.yaml"
    settings.write_text(SETTINGS, encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none",
         "--path", str(ROOT / "schemas" / "openapi.json"), "--config", str(settings),
         "--output-path", str(folder / "generated"), "--fail-on-warning"], check=True, timeout=60)
    sys.path.insert(0, str(folder))


def module(path):
    return importlib.import_module("generated." + path)


def model(name):
    """The type of a body."""
    return getattr(module("models"), name)


def ask(client, path, status=200, **parameters):
    """The parsed answer of an operation of the client."""
    answer = module("api." + path).sync_detailed(client=client, **parameters)
    assert answer.status_code == status, (path, answer.status_code, answer.content)
    return answer.parsed


def sessions(client):
    """Lists sessions of attendance, page by page."""
    page = ask(client, "attendance.get_attendance_sessions", limit=2)
    assert type(page).__name__ == "GetAttendanceSessionsResponse200", page
    assert page.demo is True and len(page.sessions) == 2 and page.next_, page
    for session in page.sessions:
        assert session.id > 0 and session.rev > 0 and session.user.startswith("u-"), session
        assert session.in_ms > 0 and session.date.year > 2000, session
        assert session.out_ms is None or session.out_ms >= session.in_ms, session
        assert isinstance(session.final, bool) and not session.additional_properties, session
    following = ask(client, "attendance.get_attendance_sessions", limit=2, cursor=page.next_)
    first = {session.id for session in page.sessions}
    assert first.isdisjoint(session.id for session in following.sessions), following
    print(f"sessions {sorted(first)} are listed")


def log(client, place):
    """Logs a set, twice."""
    exercise = model("PostExercisesBody").from_dict(
        {"id": "generated", "name": "Generated", "measure": "reps", "load": "weight"})
    ask(client, "exercises.post_exercises", 201, body=exercise)
    body = model("PostWorkoutsIdSetsBody").from_dict(
        {"user": USER, "id": KEY, "exercise": "generated", "reps": 8, "weight_kg": 82.5})
    once = ask(client, "workouts.post_workouts_id_sets", body=body, **place)
    assert once.set_.reps == 8 and once.set_.weight_kg == 82.5 and once.rev == 1, once
    assert once.records == [] and once.rest_until_ms > 0, once
    again = ask(client, "workouts.post_workouts_id_sets", body=body, **place)
    assert again == once, again


def workout(client):
    """Starts, pauses, resumes and completes a workout of a person of its own, with a set in it."""
    # The rows of a site file are not described member by member.
    person = model("PostUsersBody").from_dict({"id": USER, "name": "Generated Client"})
    ask(client, "users.post_users", 201, body=person)
    rows = {}
    for verb, state in (("", "active"), ("Pause", "paused"), ("Resume", "active"),
                        ("Complete", "completed")):
        name, place = ("PostWorkoutsId" + verb, {"id": str(row.id)}) if verb else ("PostWorkouts", {})
        body = model(name + "Body")(user=USER)
        path = "post_workouts_id_" + verb.lower() if verb else "post_workouts"
        answer = ask(client, "workouts." + path, body=body, **place)
        assert type(answer).__name__ == name + "Response200", answer
        row = answer.workout
        assert row.state.value == state and not row.additional_properties, row
        assert row.id > 0 and row.station is None and row.started_ms > 0, row
        assert (row.paused_since_ms is not None) == (state == "paused"), row
        assert (row.ended_ms is not None) == (state == "completed"), row
        rows[verb] = row
        if verb == "Resume":
            log(client, place)
    assert len({(row.id, row.started_ms) for row in rows.values()}) == 1, rows
    again = ask(client, "workouts.post_workouts_id_complete", 409, body=body, **place)
    assert type(again).__name__ == "Problem" and again.code.value == "already_completed", again
    ask(client, "users.delete_users_id", 204, id=USER)
    print(f"workout {row.id} was started, paused, resumed and completed")


def main():
    site = Demonstration(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="beaconmesh-client-") as folder:
        generate(pathlib.Path(folder))
        client = module("client").AuthenticatedClient(
            base_url=f"http://127.0.0.1:{site.port}", token=site.token,
            raise_on_unexpected_status=True)
        with client:
            sessions(client)
            workout(client)


if __name__ == "__main__":
    main()
