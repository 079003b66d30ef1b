"""Batches from ordinary clients: those that read nothing before they have sent everything, directly and behind nginx.

check_batches.py COMMAND [MEGABYTES]    the size of a batch; 16 unless given. 200 takes some minutes.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from kit import PAGES, TEST_ROOT, VECTORS, Service, command, expect, folder, lines, read, run_command, service

ROOT_OPTION = ("--root", str(TEST_ROOT))
BATCH = "/v1/verify/batch"
HEAD = b"POST " + BATCH.encode() + b"%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked"
MEGABYTE = 1_000_000
# The samples of the page "Service". Python is this one, which has requests.
RUN = {"batch.py": [sys.executable], "Batch.java": ["java"], "batch.mjs": ["node"], "batch.sh": ["bash", "-e"]}
PROXY = """
user root;
daemon off;
error_log error.log;
pid nginx.pid;
events {}
http {
    access_log access.log;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    server {
        listen 127.0.0.1:%d;
        client_max_body_size 0;
        location / { proxy_pass http://127.0.0.1:%d; %s }
    }
}
"""


def tokens(megabytes: float) -> bytes:
    """Lines of several lengths, verified and not, with empty ones among them."""
    given = [line for name in ("valid/transactions", "valid/notifications", "valid/renewal-info", "invalid/04-signature")
             for line in lines(VECTORS / f"{name}.jws")]
    some = b"\n".join(given) + b"\n"
    return some * max(1, round(megabytes * MEGABYTE / len(some)))


def samples() -> dict[str, str]:
    text = (PAGES / "Service.md").read_text()
    found = dict(re.findall(r"^```\w+\n(?:#|//) ([Bb]atch\.\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
    expect(set(found) == set(RUN), f"the page's samples of a batch are {sorted(found)}")
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextlib.contextmanager
def nginx(upstream: int, directives: str = "") -> Iterator[int]:
    """nginx with its defaults but for the length of a body, which its operator has to allow, and these directives."""
    with folder() as work:
        port = free_port()
        (work / "nginx.conf").write_text(PROXY % (port, upstream, directives))
        process = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-p", work, "-c", work / "nginx.conf"],
                                   stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.05)
            yield port
        finally:
            process.terminate()
            process.wait(20)


class Cutter:
    """A connection that breaks off in the middle of an answer: what comes in goes on, and so many bytes come back."""

    def __init__(self, upstream: int, answered: int) -> None:
        self.upstream, self.answered = upstream, answered
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.server.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.server.accept()
                threading.Thread(target=self.carry, args=(connection,), daemon=True).start()

    def carry(self, client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", self.upstream)) as service:
            threading.Thread(target=self.forward, args=(client, service), daemon=True).start()
            left = self.answered
            with contextlib.suppress(OSError):
                while left > 0 and (part := service.recv(min(left, 65_536))):
                    client.sendall(part)
                    left -= len(part)
            for end in (client, service):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    @staticmethod
    def forward(client: socket.socket, service: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while part := client.recv(65_536):
                service.sendall(part)


def run_sample(name: str, source: str, work: Path, port: int) -> subprocess.CompletedProcess[bytes]:
    """Runs a sample of the page, which reads one file and writes another."""
    (work / "verdicts.ndjson").unlink(missing_ok=True)
    expect("http://127.0.0.1:8080" in source, f"{name} has another address")
    (work / name).write_text(source.replace("http://127.0.0.1:8080", f"http://127.0.0.1:{port}"))
    return subprocess.run([*RUN[name], name], cwd=work, capture_output=True, timeout=900, check=False)


def check_samples(running: Service, work: Path, expected: bytes) -> list[str]:
    """Every line has its verdict, directly and behind nginx; and an answer that is cut off is an error to every client."""
    times = []
    cutter = Cutter(running.port, len(expected) // 2)
    with nginx(running.port) as proxy, nginx(cutter.port) as cut_proxy:
        for name, source in samples().items():
            if not shutil.which(RUN[name][0]):
                print(f"SKIPPED {name}: no {RUN[name][0]}")
                continue
            expect(len(source.splitlines()) <= 14, f"{name} is long")
            for way, port in (("directly", running.port), ("behind nginx", proxy)):
                start = time.monotonic()
                done = run_sample(name, source, work, port)
                times.append(f"{name} {way} {time.monotonic() - start:.1f} s")
                expect(done.returncode == 0, f"{name} {way}: {done}")
                given = (work / "verdicts.ndjson").read_bytes()
                expect(given == expected, f"{name} {way}: {len(given.splitlines())} of {len(expected.splitlines())} lines")
            for way, port in (("directly", cutter.port), ("behind nginx", cut_proxy)):
                done = run_sample(name, source, work, port)
                expect(done.returncode != 0, f"{name} {way}: an answer that is cut off looks complete: {done}")
    return times


def check_late_readers(running: Service, content: bytes, expected: bytes) -> None:
    """A client on a bare connection that reads after its last byte, with both forms of a body and of an answer."""
    before = running.resident()
    length, chunk = b"Content-Length: %d" % len(content), 1 << 20
    in_chunks = b"".join(
        b"%x\r\n%s\r\n" % (len(part), part)
        for part in (content[start:start + chunk] for start in range(0, len(content), chunk))) + b"0\r\n\r\n"
    for query, field, body, has_length in (
        (b"", length, content, True), (b"", CHUNKED, in_chunks, False),
        (b"?answer=whole", CHUNKED, in_chunks, True), (b"?answer=stream", length, content, False),
    ):
        with running.connect() as connection:
            connection.sendall(HEAD % (query, field) + body)
            time.sleep(0.5)
            answer = read(connection)
        what = f"{query!r}, {field!r}"
        expect(answer.status == 200 and answer.body == expected, f"{what}: {answer.status}, {len(answer.body)} bytes")
        expect(("content-length" in answer.headers) == has_length, f"{what}: {answer.headers}")
    grown = running.resident() - before
    expect(grown < 100, f"batches whose clients read late took {grown} MB")
    expect(running.metric("storekit_verify_spooled_bytes") == 0, "files of batches that have ended are counted")
    running.request("POST", f"{BATCH}?answer=late", b"x").problem(400, "?answer=late")


def check_unbuffered(running: Service, content: bytes, expected: bytes) -> None:
    """nginx that passes chunks on sends nothing more once an answer begins, so the answer must wait."""
    with nginx(running.port, "proxy_request_buffering off; proxy_http_version 1.1;") as proxy:
        done = subprocess.run(["curl", "-sS", "-X", "POST", "-T", "-", f"http://127.0.0.1:{proxy}{BATCH}?answer=whole"],
                              input=content, capture_output=True, timeout=300, check=False)
    expect(done.returncode == 0 and done.stdout == expected, f"nginx without its buffer: {done.returncode} {done.stderr!r}")


def check_files(work: Path, content: bytes) -> None:
    """Verdicts in files have no name, and their room is free again when the client has gone."""
    with service(*ROOT_OPTION, "--spool-folder", str(work)) as running, running.connect() as connection:
        connection.sendall(HEAD % (b"", b"Content-Length: %d" % (len(content) + 1)) + content)
        for _ in range(100):
            if running.metric("storekit_verify_spooled_bytes") > 0:
                break
            time.sleep(0.1)
        descriptors = Path(f"/proc/{running.process.pid}/fd").iterdir()
        files = [os.readlink(entry) for entry in descriptors if entry.is_symlink()]
        files = [name for name in files if name.startswith(f"{work}/storekit-verify-")]
        expect(len(files) == 1 and files[0].endswith("(deleted)"), f"the files of a batch: {files}")
        expect(list(work.iterdir()) == [], "a file has a name")
        connection.close()
        for _ in range(100):
            if running.metric("storekit_verify_spooled_bytes") == 0:
                break
            time.sleep(0.1)
        expect(running.metric("storekit_verify_spooled_bytes") == 0, "a batch that broke off keeps its file")


def check_limit(content: bytes, expected: bytes) -> None:
    """With less room than the verdicts need, a client gets a sentence, or the connection ends without an end."""
    length = b"Content-Length: %d" % len(content)
    with service(*ROOT_OPTION, "--max-spool-bytes", "1000000", "--body-seconds", "2") as running:
        with running.connect() as connection:
            # It reads late, and the sentence reaches it.
            connection.sendall(HEAD % (b"", length) + content)
            problem = read(connection).problem(413, "more verdicts than there is room for")
        expect("1000000 bytes" in str(problem["detail"]), f"{problem}")
        # Behind nginx too.
        with nginx(running.port) as proxy, socket.create_connection(("127.0.0.1", proxy), timeout=60) as connection:
            connection.sendall(HEAD % (b"", length) + content)
            read(connection).problem(413, "the same behind nginx")
        # Who reads meanwhile needs no room.
        expect(running.batch(content, "?answer=stream") == expected, "a client that reads meanwhile")
        check_silent(running, content, b"")
    expect(any("--max-spool-bytes" in line for line in running.log), f"the log says nothing: {running.log}")
    with service(*ROOT_OPTION, "--body-seconds", "2") as running:
        check_silent(running, content * 2, b"0\r\n\r\n")
    with service(*ROOT_OPTION, "--max-spool-bytes", "0") as running:
        running.request("POST", BATCH, content).problem(413, "no room at all")
        short = content[:100_000].rsplit(b"\n", 1)[0]
        expect(running.batch(short) == run_command(*ROOT_OPTION, given=short), "a short batch needs no file")


def is_held(service_port: int, client_port: int) -> bool:
    """Whether the service has this connection: its end belongs to a process, not to the queue of new ones or to nobody."""
    ends = (f"0100007F:{service_port:04X}", f"0100007F:{client_port:04X}")
    rows = (row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return any((row[1], row[2]) == ends and row[9] != "0" for row in rows)


def check_silent(running: Service, content: bytes, end: bytes) -> None:
    """A client that never reads is left, whether or not it has sent everything, and its answer has no end."""
    with socket.socket() as connection:
        # Otherwise the system takes some megabytes for the client, and the service has nothing to wait for.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect(("127.0.0.1", running.port))
        ports = (running.port, connection.getsockname()[1])
        # The service's own count of connections has those of others.
        limit = time.monotonic() + 10
        while not is_held(*ports):
            expect(time.monotonic() < limit, "the service takes no connection")
            time.sleep(0.05)
        connection.settimeout(20)
        with contextlib.suppress(OSError):
            connection.sendall(HEAD % (b"", CHUNKED) + b"%x\r\n%s\r\n" % (len(content), content) + end)
        limit = time.monotonic() + 30
        while is_held(*ports):
            expect(time.monotonic() < limit, f"who never reads keeps the connection, with the end {end!r}")
            time.sleep(0.2)
        text = b""
        with contextlib.suppress(OSError):
            while part := connection.recv(1 << 16):
                text += part
        expect(text.startswith(b"HTTP/1.1 200") and not text.endswith(b"0\r\n\r\n"), "an answer that nobody reads has an end")


def check_disk(content: bytes) -> None:
    """A disk that takes no more ends a batch with a sentence, and the log has the system's words."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # The service inherits it: a file of its may have half a megabyte.
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, hard))
    try:
        with service(*ROOT_OPTION) as running:
            given = running.request("POST", BATCH, content)
            given.problem(503, "a disk that is full")
            expect("retry-after" in given.headers, f"a disk that is full: {given.headers}")
            expect(running.metric("storekit_verify_spooled_bytes") == 0, "what was not written is counted")
        expect(any("File too large" in line for line in running.log), f"a full disk in the log: {running.log}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def check_options() -> None:
    for options, status, sentence in (
        (["--spool-folder", "/no/such/folder"], 74, b"no file can be made"), (["--max-spool-bytes=-1"], 64, b"at least 0"),
    ):
        done = subprocess.run([command(), "serve", "--port", "0", *options], capture_output=True, timeout=60, check=False)
        expect(done.returncode == status and sentence in done.stderr, f"{options}: {done}")


def main() -> None:
    megabytes = float(sys.argv[2]) if len(sys.argv) > 2 else 16
    with folder() as work:
        content = tokens(megabytes)
        (work / "tokens.jws").write_bytes(content)
        expected = run_command(*ROOT_OPTION, given=content)
        with service(*ROOT_OPTION) as running:
            times = check_samples(running, work, expected)
            check_late_readers(running, content, expected)
            check_unbuffered(running, content, expected)
        if len(sys.argv) > 2:
            print(f"batches: {len(content)} bytes, {len(expected.splitlines())} lines, {len(expected)} bytes of verdicts")
            print("\n".join(times))
        content = tokens(min(megabytes, 16))
        (work / "spool").mkdir()
        check_files(work / "spool", content)
        check_limit(content, run_command(*ROOT_OPTION, given=content))
        check_disk(content)
        check_options()
    print("batches: complete from ordinary clients, directly and behind nginx, and never cut off without a sign")


if __name__ == "__main__":
    main()
