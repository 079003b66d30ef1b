"""Ten rolling restarts of two services on one database, behind nginx and under load: no request fails.

check_restart.py COMMAND MINT
"""

from __future__ import annotations

import http.client
import itertools
import json
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from kit import blocks, expect, mint, ready

RESTARTS = 10
CLIENTS = 6
COUNT = 3_000


def nginx(work: Path) -> subprocess.Popen[bytes]:
    """nginx with the page's configuration, on a port that everyone may use, with a certificate of its own."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=verify.example.com", "-keyout", work / "verify.key", "-out", work / "verify.pem"],
        check=True, capture_output=True)
    site = blocks("nginx")[0].replace("/etc/ssl/", f"{work}/").replace("listen 443", "listen 8443")
    (work / "nginx.conf").write_text(
        f"user root; daemon off; pid {work}/nginx.pid; error_log {work}/error.log;\nevents {{}}\nhttp {{\n"
        f"access_log off; client_body_temp_path {work}/body; proxy_temp_path {work}/proxy; fastcgi_temp_path {work}/f;\n"
        f"uwsgi_temp_path {work}/u; scgi_temp_path {work}/s;\n{site}}}\n")
    return subprocess.Popen(["/usr/sbin/nginx", "-c", work / "nginx.conf", "-e", work / "error.log"])


def start(work: Path, port: int) -> subprocess.Popen[bytes]:
    log = (work / f"log-{port}").open("ab")
    process = subprocess.Popen(
        [sys.argv[1], "serve", "--bundle-id", "com.example.garden", "--root", work / "root.pem", "--database",
         work / "purchases.db", "--port", str(port), "--drain-seconds", "1"], stderr=log)
    ready(port)
    return process


def client(bodies: Iterator[bytes], failures: list[str], accepted: list[str], over: threading.Event) -> None:
    context = ssl._create_unverified_context()
    connection = http.client.HTTPSConnection("127.0.0.1", 8443, context=context, timeout=30)
    while not over.is_set():
        body = next(bodies)
        try:
            connection.request("POST", "/v1/notifications", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
        except OSError as error:
            failures.append(repr(error))
            return
        if answer.status == 200:
            accepted.append(json.loads(text)["notificationUUID"])
        else:
            failures.append(f"{answer.status} {text[:200]!r}")
        # A steady load, so that it lasts as long as the restarts.
        time.sleep(0.02)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        # Each client has notifications of its own, and begins anew when they are over: repetitions are accepted too.
        bodies = mint(work, COUNT)
        services = {port: start(work, port) for port in (8080, 8081)}
        proxy = nginx(work)
        failures, accepted, over = [], [], threading.Event()
        clients = [
            threading.Thread(target=client, args=(itertools.cycle(bodies[place::CLIENTS]), failures, accepted, over))
            for place in range(CLIENTS)]
        try:
            time.sleep(0.5)
            for one in clients:
                one.start()
            for place in range(RESTARTS):
                port = (8080, 8081)[place % 2]
                services[port].send_signal(signal.SIGTERM)
                status = services[port].wait(60)
                said = (work / f"log-{port}").read_text()[-2_000:]
                expect(status == 0, f"the service on port {port} ended with {status}:\n{said}")
                services[port] = start(work, port)
            over.set()
            for one in clients:
                one.join()
        finally:
            over.set()
            proxy.terminate()
            proxy.wait()
            for process in services.values():
                process.terminate()
                process.wait()
        expect(not failures, f"{len(failures)} of {len(accepted) + len(failures)} requests failed: {failures[:3]}")
        expect(len(accepted) > 50 * RESTARTS, f"{len(accepted)} requests")
        print(f"ten restarts: {len(accepted)} requests, none failed")


if __name__ == "__main__":
    main()
