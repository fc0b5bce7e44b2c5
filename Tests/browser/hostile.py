"""A server between browser and coordinator that gives everything a hostile name.

It passes everything on as it is, the content policy too, and rewrites only the names in the first
event of the stream, so that the page is tested with names no demo has.
"""

import contextlib
import http.server
import json
import threading
import urllib.error
import urllib.request

NAMES = [
    "<img src=x onerror=\"window.pwned='img'\">",
    "<script>window.pwned='script'</script>",
    "\"><svg onload=window.pwned='svg'>",
    "'); window.pwned='quote'; ('",
    "{{constructor.constructor('window.pwned=1')()}}",
    "\u202eevissergga\u202d",
    "مريم العلي",
    "🏋️‍♀️ Mia 💪",
    "W" * 60,
    "Robert\u0000\n\tTables",
    "__proto__",
]


@contextlib.contextmanager
def serving(handler):
    """Answers on a free port of this machine, at the address it gives."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def naming(upstream):
    """Serves what `upstream` does, under hostile names."""
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def do_GET(self):
            pass_on(self, upstream.rstrip("/"), renamed)

        def log_message(self, *_):
            pass

    return serving(Handler)


def pass_on(handler, upstream, change=lambda text: text):
    """Asks what was asked; `change` takes the first event of a stream."""
    try:
        answer = urllib.request.urlopen(upstream + handler.path, timeout=30)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        handler.send_response(answer.status)
        for name, value in answer.headers.items():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                handler.send_header(name, value)
        handler.end_headers()
        try:
            for line in answer:
                if line.startswith(b"data: ") and b'"names":' in line:
                    line = b"data: " + change(line[len(b"data: "):]) + b"\n"
                handler.wfile.write(line)
                handler.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            pass  # The browser went away, as browsers do.


def renamed(text):
    """Gives every named thing one of the names, in turn."""
    message = json.loads(text)
    names = message["names"]
    names["site"]["name"] = NAMES[0]
    for kind in ("rooms", "stations", "nodes", "users", "beacons"):
        for index, slug in enumerate(names[kind]):
            names[kind][slug] = NAMES[index % len(NAMES)]
    return json.dumps(message).encode()
