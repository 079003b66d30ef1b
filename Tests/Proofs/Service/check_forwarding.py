"""Receivers that answer anything: none ends the service, keeps a core busy, or takes memory.

check_forwarding.py COMMAND MINT

Each answer has its result in Tests/Modules/LibcurlTests, where a client of the service's kind asks once. Here are those
that ended the service once, beside some that would hold it up, and what the service costs meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

from check_operation import APP, COUNT, get, mint, post, wait
from kit import Service, expect, folder, service

AWAY = b"Location: http://127.0.0.1:1/\r\n"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
REDIRECT = b"HTTP/1.1 301 R\r\n" + AWAY
# The name of each, the beginning of its answer, what it repeats then for ever, and the reason; none for an accepted one.
ANSWERS = [
    ("100 and 301", b"HTTP/1.1 100 C\r\n\r\n" + REDIRECT + b"Content-Length: 0\r\n\r\n", b"", "status 301"),
    ("103 and 301", b"HTTP/1.1 103 H\r\n\r\n" + REDIRECT + b"Content-Length: 0\r\n\r\n", b"", "status 301"),
    ("trailer", REDIRECT + b"Transfer-Encoding: chunked\r\nTrailer: Location\r\n\r\n1\r\nx\r\n0\r\n" + AWAY + b"\r\n", b"", "status 301"),
    ("100 and 200", b"HTTP/1.1 100 Continue\r\n\r\n" + OK, b"", None),
    ("103 and 200", b"HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n" + OK, b"", None),
    ("half a head", b"HTTP/1.1 200 OK\r\nContent-Le", b"", "no answer: the connection was closed within the answer"),
    ("fields", b"HTTP/1.1 200 OK\r\n", b"X-A: aaaaaaaa\r\n" * 100, "no answer: the head of the answer is longer than 64 KiB"),
    ("100s", b"", b"HTTP/1.1 100 C\r\n\r\n" * 100, "no answer: the head of the answer is longer than 64 KiB"),
    ("zeros", b"", bytes(65536), "no answer: the answer is not HTTP/1.1"),
    ("a body", b"HTTP/1.1 200 OK\r\n\r\n", bytes(65536), None),
    ("extensions", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1", b";aaaaaaaa" * 100, None),
]


def receiver(answer: Callable[[socket.socket], None]) -> tuple[int, list[bytes]]:
    """A server that reads a request's head, lets `answer` send what it likes, and closes. Returns its port and the heads."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    heads: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            head = b""
            while b"\r\n\r\n" not in head:
                if not (more := connection.recv(65536)):
                    return
                head += more
            heads.append(head)
            answer(connection)

    def accept() -> None:
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1], heads


def spent(running: Service) -> float:
    """The seconds of the processor that the service has taken."""
    fields = Path(f"/proc/{running.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check_answers(work: Path, root: Path, bodies: list[bytes]) -> None:
    reasons: dict[str, str | None] = {}
    options = ["--root", str(root), *APP, "--database", str(work / "answers.db")]
    for name, first, repeated, reason in ANSWERS:

        def answer(connection: socket.socket, first: bytes = first, repeated: bytes = repeated) -> None:
            connection.sendall(first)
            while repeated:
                connection.sendall(repeated)

        url = f"http://127.0.0.1:{receiver(answer)[0]}/{name.replace(' ', '-')}"
        reasons[url] = reason
        options += ["--forward-to", url]
    with service(*options) as running:
        expect(post(running, bodies[0]) == 200, "a notification is not kept")

        def found() -> dict[str, dict]:
            return {one["address"]: one for one in get(running, "/v1/deliveries")["deliveries"]}

        failing = {url for url, reason in reasons.items() if reason}
        wait("an answer has no result", lambda: set(found()) == failing and all("lastFailure" in one for one in found().values()))
        expect({url: one["lastFailure"] for url, one in found().items()} == {u: reasons[u] for u in failing}, f"{found()}")
        expect(running.request("GET", "/healthz").status == 200, "the service does not live")
        expect(running.resident() < 200, f"{running.resident()} MB")


def check_waiting(work: Path, root: Path, bodies: list[bytes]) -> None:
    """Requests without an answer cost nothing. One of Foundation's kept a core busy."""
    port, heads = receiver(lambda _: time.sleep(3600))
    url = f"http://127.0.0.1:{port}/waiting"
    with service("--root", str(root), *APP, "--database", str(work / "waiting.db"), "--forward-to", url) as running:
        for body in bodies[:COUNT]:
            expect(post(running, body) == 200, "a notification is not kept")
        wait("nothing is sent", lambda: len(heads) == 8)
        start, before = time.monotonic(), spent(running)
        time.sleep(4)
        share = (spent(running) - before) / (time.monotonic() - start)
        print(f"eight requests without an answer take {share:.3f} of a core")
        expect(share < 0.1, f"{share:.2f} of a core")


def main() -> None:
    with folder() as work:
        root, bodies = mint(work)
        check_answers(work, root, bodies)
        check_waiting(work, root, bodies)


if __name__ == "__main__":
    main()
