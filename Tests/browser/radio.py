"""The air around a node: a Unix socket that sends a btsnoop stream of what it hears, as `radio: btsnoop:unix:` reads."""

import os
import socket
import struct
import threading
import time

# Microseconds from the year 0 to 1970, from which btsnoop counts.
YEAR_0 = 0x00DCDDB30F2F8000
# So often each tag is heard, in seconds.
PERIOD_S = 0.1


class Radio:
    """Hears the tags of `levels`, from an address to dBm, which may be changed at any time."""

    def __init__(self, path, period=PERIOD_S):
        self.path = path
        self.period = period
        self.levels = {}
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(path)
        self._listener.listen(1)
        self._listener.settimeout(0.5)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def close(self):
        self._is_over.set()
        self._thread.join(10)
        self._listener.close()
        os.unlink(self.path)

    def _work(self):
        while not self._is_over.is_set():
            try:
                peer, _ = self._listener.accept()
            except TimeoutError:
                continue
            with peer:
                try:
                    peer.sendall(b"btsnoop\0" + struct.pack(">II", 1, 1002))
                    while not self._is_over.wait(self.period):
                        for address, level in list(self.levels.items()):
                            peer.sendall(record(report(address, level)))
                except OSError:
                    continue


def report(address, level):
    """An LE Advertising Report of a tag that says its name, as a controller writes it (Core 7.7.65.2)."""
    data = bytes([2, 0x01, 0x06, 4, 0x09]) + b"tag"
    body = bytes([0x02, 1, 0x03, 0x00]) + bytes.fromhex(address.replace(":", ""))[::-1] + bytes([len(data)]) + data
    body += struct.pack("b", level)
    return bytes([0x04, 0x3E, len(body)]) + body


def record(packet):
    now = YEAR_0 + time.time_ns() // 1000
    return struct.pack(">IIIIq", len(packet), len(packet), 3, 0, now) + packet
