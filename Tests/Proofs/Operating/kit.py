"""Shared by the checks of the operation."""

from __future__ import annotations

import http.server
import re
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "Bindings/HTTP/Operating.md").read_text(encoding="utf-8")


def expect(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(f"FAILED: {what}")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def mint(work: Path, count: int) -> list[bytes]:
    """Writes root.pem; returns bodies as the App Store sends them."""
    subprocess.run(
        [sys.argv[2], "corpus", "--content", "notifications", "--wrapped-percent", "100", "--tokens", str(count),
         "--root", work / "root.pem", work / "bodies"], check=True, stderr=subprocess.DEVNULL)
    return (work / "bodies").read_bytes().splitlines()


def ready(port: int, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2):
                return
        except OSError:
            expect(time.monotonic() < end, f"nothing is ready on port {port}")
            time.sleep(0.05)


def receiver(port: int) -> list[bytes]:
    """A server that accepts forwarded notifications, and keeps them."""
    came: list[bytes] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            came.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Nothing: the service ends while connections are open."""

    server = Server(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return came
