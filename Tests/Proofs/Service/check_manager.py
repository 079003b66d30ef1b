"""The service manager: what the service tells it at a socket, and when, by the protocol of sd_notify(3)."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from kit import TEST_ROOT, Service, command, expect, folder, service


@contextlib.contextmanager
def manager(name: str) -> Iterator[socket.socket]:
    """A socket as systemd has one, named in this process's environment, which the service inherits."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind("\0" + name[1:] if name[0] == "@" else name)
        receiver.settimeout(20)
        os.environ["NOTIFY_SOCKET"] = name
        try:
            yield receiver
        finally:
            del os.environ["NOTIFY_SOCKET"]


def told(receiver: socket.socket) -> dict[str, str]:
    """The assignments of the next datagram."""
    text = receiver.recv(4_096).decode()
    expect(text.endswith("\n"), f"a line without an end: {text!r}")
    return dict(line.split("=", 1) for line in text.splitlines())


def silent(receiver: socket.socket) -> None:
    receiver.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        expect(False, f"the manager is told more: {receiver.recv(4_096)!r}")
    receiver.settimeout(20)


def check_states(name: str) -> None:
    """Ready once the service answers, stopping at once after SIGTERM, and nothing else."""
    with manager(name) as receiver:
        with service("--root", str(TEST_ROOT), "--drain-seconds", "2") as running:
            expect(told(receiver) == {"READY": "1", "STATUS": f"listening on {running.url}"}, "the first state")
            expect(running.request("GET", "/readyz").status == 200, "it is ready, and does not answer")
            silent(receiver)
            running.process.send_signal(signal.SIGTERM)
            signalled = time.monotonic()
            expect(told(receiver) == {"STOPPING": "1", "STATUS": "ending, after 2 s"}, "the second state")
            expect(time.monotonic() - signalled < 1.5, "the manager is told only when the service has drained")
            running.request("GET", "/readyz").problem(503, "/readyz while it ends")
            expect(running.process.wait(30) == 0, "the end")
        silent(receiver)


def check_failed_start(name: str, taken: Service) -> None:
    """A service that does not start is never ready."""
    with manager(name) as receiver:
        failed = subprocess.run(
            [command(), "serve", "--port", str(taken.port)], stderr=subprocess.PIPE, check=False, timeout=60
        )
        expect(failed.returncode == 71, f"a port that is taken: {failed}")
        silent(receiver)


def check_absent(name: str, reason: str) -> None:
    """A manager that is not there is reported, and the service answers all the same."""
    os.environ["NOTIFY_SOCKET"] = name
    try:
        with service(check_log=False) as running:
            expect(running.request("GET", "/healthz").status == 200, f"{name}: no answer")
        expect(f"NOTIFY_SOCKET: {reason}\n" in "".join(running.log), f"{name}: {running.log}")
    finally:
        del os.environ["NOTIFY_SOCKET"]


def main() -> None:
    with folder() as work:
        check_states(str(work / "notify"))
        check_states(f"@storekit-verify-{os.getpid()}")
        # The longest name that a socket can have: 107 bytes and the end of the text.
        longest = str(work / "n").ljust(107, "n")
        check_states(longest)
        with service() as running:
            check_failed_start(str(work / "second"), running)
        check_absent(str(work / "nothing"), "No such file or directory")
        check_absent(f"@storekit-verify-{os.getpid()}-nothing", "Connection refused")
        for name in (str(work / "n").ljust(108, "n"), "relative", "", "vsock:2:1234"):
            check_absent(name, "Invalid argument")
    print("manager: ready, stopping, and a manager that is not there")


if __name__ == "__main__":
    main()
