"""A running demonstration, by the file that `beaconmesh demo --json` writes."""

import json
import pathlib
import re


class Demonstration:
    """Its way in, its owner's token, and its coordinator's process."""

    def __init__(self, file):
        demo = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        self.token = pathlib.Path(demo["api_token_file"]).read_text(encoding="utf-8").strip()
        self.port = int(re.search(r":(\d+)/", demo["dashboard"]).group(1))
        self.pid = next(p["pid"] for p in demo["processes"] if p["name"] == "coordinator")

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def megabytes(self):
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024
