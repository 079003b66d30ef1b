"""What the checks of the service share: a running service, and requests to it byte by byte."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "TestVectors"
TEST_ROOT = VECTORS / "pki/root.pem"
PAGES = ROOT / "Bindings/HTTP"


def expect(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(f"FAILED: {what}")


def command() -> Path:
    return Path(sys.argv[1]).resolve()


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")


def transaction() -> bytes:
    """A token that the test root verifies."""
    return lines(VECTORS / "valid/transactions.jws")[0]


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def problem(self, status: int, what: str) -> dict[str, object]:
        """Checks that the answer is a problem of RFC 9457 with a sentence to act on."""
        expect(self.status == status, f"{what}: {self.status} {self.body[:200]!r}, not {status}")
        kind = self.headers.get("content-type")
        expect(kind == "application/problem+json", f"{what}: Content-Type {kind}")
        problem = json.loads(self.body)
        expect(set(problem) - {"error"} == {"type", "title", "status", "detail"}, f"{what}: {problem}")
        expect(problem["status"] == status and problem["title"] and len(problem["detail"]) > 20, f"{what}: {problem}")
        return problem


@dataclass
class Service:
    process: subprocess.Popen[bytes]
    port: int
    log: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def request(
        self, method: str, target: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, target, body, headers or {})
            return answer(connection.getresponse())
        finally:
            connection.close()

    def verify(self, body: bytes, query: str = "") -> bytes:
        given = self.request("POST", f"/v1/verify{query}", body)
        expect(given.status == 200, f"/v1/verify: {given.status} {given.body[:300]!r}")
        return given.body

    def batch(self, body: bytes, query: str = "") -> bytes:
        """Sends lines in one thread and reads verdicts in another, as a batch needs."""
        with self.connect() as connection:
            head = f"POST /v1/verify/batch{query} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
            sender = threading.Thread(target=connection.sendall, args=(head.encode() + body,))
            sender.start()
            given = read(connection)
            sender.join()
        expect(given.status == 200, f"/v1/verify/batch: {given.status} {given.body[:300]!r}")
        return given.body

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def raw(self, request: bytes) -> Answer:
        """Sends bytes as they are, and reads an answer."""
        with self.connect() as connection:
            # The service may have answered and closed before it has read everything.
            with contextlib.suppress(ConnectionError):
                connection.sendall(request)
            return read(connection)

    def metric(self, name: str) -> int:
        text = self.request("GET", "/metrics").body.decode()
        return sum(int(float(value)) for value in re.findall(rf"^{name}(?:\{{.*\}})? (\S+)$", text, re.MULTILINE))

    def resident(self) -> int:
        """The memory of the process, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        match = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert match
        return int(match[1]) // 1024

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def answer(response: http.client.HTTPResponse) -> Answer:
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Answer(response.status, headers, response.read())


def read(connection: socket.socket) -> Answer:
    response = http.client.HTTPResponse(connection)
    response.begin()
    return answer(response)


@contextlib.contextmanager
def service(*options: str, port: int = 0, check_log: bool = True) -> Iterator[Service]:
    """A service, by default on a free port. Its log must be JSON, and hold no token."""
    process = subprocess.Popen(
        [command(), "serve", "--port", str(port), "--drain-seconds", "0", *options], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    assert process.stderr
    # What the service does at its start may be logged before it listens.
    early: list[str] = []
    while not (match := re.search(r"listening on http://[0-9.]+:(\d+)$", line := process.stderr.readline().decode())):
        early.append(line)
        if not line:
            sys.exit(f"FAILED: the service did not start: {''.join(early)}")
    running = Service(process, int(match[1]))
    running.log.extend(early)
    reader = threading.Thread(target=lambda: running.log.extend(line.decode() for line in process.stderr or []))
    reader.start()
    try:
        yield running
    finally:
        if process.poll() is None:
            expect(running.end() == 0, f"the service ended with {process.returncode}")
        reader.join()
    for line in running.log if check_log else []:
        event = json.loads(line)
        expect({"time", "level", "message"} <= set(event), f"a log line: {line}")
        expect("eyJ" not in line and "payload\":" not in line, f"a log line with a payload: {line}")


def run_command(*arguments: str, given: bytes | None = None) -> bytes:
    return subprocess.run([command(), *arguments], input=given, stdout=subprocess.PIPE, check=False).stdout


def allow_descriptors(count: int) -> None:
    """Lets this process have that many connections, and the service too."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    expect(hard == resource.RLIM_INFINITY or hard >= count, f"only {hard} descriptors are allowed, {count} are needed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def openssl(*arguments: str, given: bytes | None = None) -> bytes:
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True).stdout


def new_key(path: Path) -> None:
    """A new private key in PKCS #8, which its owner alone can read."""
    path.touch(mode=0o600)
    path.write_bytes(openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"))


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def genuine() -> Path | None:
    """The folder of payloads that Apple signed, if PRIVATE_TEST_DATA names a folder that has it."""
    folder = Path(os.environ.get("PRIVATE_TEST_DATA", "/nowhere")) / "genuine"
    return folder if folder.is_dir() else None
