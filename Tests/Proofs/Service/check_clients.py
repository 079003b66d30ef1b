"""Clients that mean no good, or do not know better: slow, silent, endless, compressed, without a token."""

from __future__ import annotations

import contextlib
import gzip
import socket
import subprocess
import threading
import time

from kit import (
    TEST_ROOT, VECTORS, Service, allow_descriptors, command, expect, folder, lines, read, service, transaction,
)

ROOT_OPTION = ("--root", str(TEST_ROOT))
HOST = b"Host: localhost\r\n"
IDLE_CONNECTIONS = 10_000


def check_refusals(running: Service) -> None:
    token = transaction()
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "GET"):
        given = running.request(method, "/v1/verify", token if method == "PUT" else None)
        given.problem(405, f"{method} /v1/verify")
        expect(given.headers.get("allow") == "POST", f"{method}: Allow {given.headers.get('allow')}")
    running.request("POST", "/healthz").problem(405, "POST /healthz")
    page = running.request("GET", "/")
    expect(page.status == 200 and b"<!doctype html>" in page.body, "the page")
    expect("default-src 'none'" in page.headers.get("content-security-policy", ""), "the page's policy")
    for path in ("/page.html", "/v1", "/v1/verify/", "/v1/verify/batch/x", "/v2/verify", "/%00"):
        running.request("GET", path).problem(404, path)
    for query in ("?vew=typed", "?view=", "?view=x", "?view=typed&view=typed", "?app=x", "?view=%ff"):
        running.request("POST", f"/v1/verify{query}", token).problem(400, query)
    running.request("POST", "/v1/verify", b"").problem(400, "an empty body")
    running.request("POST", "/v1/verify", b"\r\n").problem(400, "a body of nothing but a line's end")
    for target in ("/v1/verify", "/v1/verify/batch"):
        packed = gzip.compress(token)
        for encoding in ("gzip", "deflate", "br", "gzip, identity"):
            given = running.request("POST", target, packed, {"Content-Encoding": encoding})
            given.problem(415, f"{target}, {encoding}")
        running.request("POST", target, token, {"Content-Type": "multipart/form-data; boundary=x"}).problem(415, target)
    running.request("GET", "/healthz?" + "x" * 8_000).problem(400, "a long target")
    running.raw(b"GET /healthz?" + b"x" * 8_185 + b" HTTP/1.1\r\n" + HOST + b"\r\n").problem(414, "too long a target")
    running.raw(b"GET /healthz HTTP/1.1\r\nA: " + b"x" * 20_000 + b"\r\n\r\n").problem(431, "a long field")
    running.raw(b"GET /healthz HTTP/1.1\r\n" + b"A: x\r\n" * 200 + b"\r\n").problem(431, "many fields")
    for request in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"GET\r\n\r\n",
                    b"POST /v1/verify HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n"):
        running.raw(request).problem(400, f"{request[:30]!r}")
    # What two readers of HTTP may read in two ways is refused, and the connection ends with it.
    chunked = b"POST /v1/verify HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: %s\r\n\r\n0\r\n\r\n"
    for what, request in {
        "no Host": b"GET /healthz HTTP/1.1\r\n\r\n", "two Hosts": b"GET /healthz HTTP/1.1\r\n" + HOST * 2 + b"\r\n",
        "two spaces": b"GET  /healthz HTTP/1.1\r\n" + HOST + b"\r\n",
        "two spaces more": b"GET /healthz  HTTP/1.1\r\n" + HOST + b"\r\n",
        "two spaces after a request": b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\nGET  / HTTP/1.1\r\n" + HOST + b"\r\n",
        "gzip": chunked % b"gzip, chunked", "gzip apart": chunked % b"gzip\r\nTransfer-Encoding: chunked",
        "chunks of chunks": chunked % b"chunked, chunked",
    }.items():
        with running.connect() as connection:
            connection.sendall(request)
            text = b""
            with contextlib.suppress(ConnectionError):
                while part := connection.recv(1 << 16):
                    text += part
        expect(b"HTTP/1.1 400" in text and b"\r\nConnection: close" in text, f"{what}: {text!r}")
    expect(running.raw(b"GET /healthz HTTP/1.0\r\n\r\n").status == 200, "HTTP/1.0, as load balancers speak it")
    head = running.request("HEAD", "/healthz")
    expect(head.status == 200 and head.body == b"", "HEAD /healthz")


def check_lengths(running: Service) -> None:
    """Bodies that are too long, whether they say so or not, and a client that waits to be asked for its body."""
    declared = b"POST /v1/verify HTTP/1.1\r\n" + HOST + b"Content-Length: 1000000000000\r\n\r\n"
    running.raw(declared).problem(413, "a body that says it is too long")
    chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
    with running.connect() as connection:
        connection.sendall(b"POST /v1/verify HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n")
        start = time.monotonic()
        sender = threading.Thread(target=send_for_ever, args=(connection, chunk))
        sender.start()
        read(connection).problem(413, "a body without an end")
        sender.join()
        expect(time.monotonic() - start < 20, "a body without an end is read for long")
    with running.connect() as connection:
        token = transaction()
        connection.sendall(
            b"POST /v1/verify HTTP/1.1\r\n" + HOST + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(token))
        invitation = connection.recv(1_000)
        expect(invitation.startswith(b"HTTP/1.1 100"), f"no invitation: {invitation!r}")
        connection.sendall(token)
        expect(read(connection).status == 200, "after the invitation")


def send_for_ever(connection: socket.socket, chunk: bytes) -> None:
    try:
        while True:
            connection.sendall(chunk)
    except OSError:
        pass


def check_endless_batches(running: Service) -> None:
    """Lines without an end, and a client that never reads: memory stays where it is, and others are answered."""
    before = running.resident()
    head = b"POST /v1/verify/batch HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"
    with running.connect() as connection:
        connection.sendall(head)
        for _ in range(3_200):
            connection.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
        connection.sendall(b"0\r\n\r\n")
        given = read(connection)
        expect(b'"error":"tooLarge"' in given.body and b"209715200" in given.body, f"200 MB in a line: {given.body!r}")
    grown = running.resident() - before
    expect(grown < 64, f"a line without an end took {grown} MB")
    connections = []
    for _ in range(4):
        connection = running.connect()
        connection.settimeout(2)
        text = transaction() + b"\n"
        sender = threading.Thread(
            target=send_for_ever, args=(connection, b"%x\r\n%s\r\n" % (len(text) * 20, text * 20)))
        connection.sendall(head)
        sender.start()
        connections.append((connection, sender))
    time.sleep(1)
    start = time.monotonic()
    running.verify(transaction())
    expect(time.monotonic() - start < 0.5, "a verdict waits for clients that do not read")
    for connection, sender in connections:
        sender.join()
        connection.close()
    grown = running.resident() - before
    expect(grown < 150, f"clients that do not read took {grown} MB")


def ended(connection: socket.socket) -> bool:
    """Whether the service has closed a connection by now. Whatever it has written is read."""
    connection.setblocking(False)
    try:
        while connection.recv(65_536):
            pass
        return True
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def open_batch(running: Service, chunk: bytes = b"") -> socket.socket:
    connection = running.connect()
    connection.sendall(b"POST /v1/verify/batch HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n" + chunk)
    return connection


def has_place(batch: socket.socket) -> bool:
    """Whether a batch that was opened is answered, rather than refused."""
    try:
        return batch.recv(65_536).startswith(b"HTTP/1.1 200")
    except ConnectionError:
        return False


def check_slow(running: Service) -> None:
    """Half-open connections, and clients that send a byte now and then, are ended in time."""
    token = transaction()
    opened = {}
    for name, start in {
        "silent": b"", "half a head": b"POST /v1/ver", "half a body": b"POST /v1/verify HTTP/1.1\r\n" + HOST
        + b"Content-Length: %d\r\n\r\n" % len(token) + token[:100],
        "half a batch": b"POST /v1/verify/batch HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n",
    }.items():
        opened[name] = running.connect()
        opened[name].sendall(start)
    dripping = opened.pop("half a body")
    start = time.monotonic()
    status = b""
    dripping.settimeout(0.2)
    for byte in token[100:]:
        try:
            dripping.sendall(bytes([byte]))
            status += dripping.recv(65_536)
            break
        except TimeoutError:
            continue
        except OSError:
            break
    expect(status.startswith(b"HTTP/1.1 408"), f"a dripping body: {status!r}")
    expect(time.monotonic() - start < 10, "a dripping body is waited for")
    for name, connection in opened.items():
        connection.settimeout(10)
        try:
            while connection.recv(65_536):
                pass
        except ConnectionError:
            pass
        except TimeoutError:
            expect(False, f"{name}: the connection is kept")
        connection.close()
    # Batches that send nothing give their places back. They are opened until one is refused: only the head of an answer says
    # that its batch has a place, and on a busy machine the first may have lost theirs before the last have one.
    silent: list[socket.socket] = []
    end = time.monotonic() + 60
    while True:
        expect(time.monotonic() < end, "a batch more than there are places")
        if has_place(connection := open_batch(running)):
            silent.append(connection)
        elif len(silent) >= 16:
            break
    batch = b"POST /v1/verify/batch HTTP/1.1\r\n" + HOST + b"Content-Length: 2\r\n\r\nx\n"
    end = time.monotonic() + 10
    while (given := running.raw(batch)).status == 503:
        expect(time.monotonic() < end and "retry-after" in given.headers, "silent batches keep their places")
        time.sleep(0.2)
    for connection in silent:
        with contextlib.suppress(ConnectionError):
            while connection.recv(65_536):
                pass
        connection.close()
    # Batches that send a byte now and then keep their places until another needs one. The head of an answer says that its
    # batch has a place. Those of before are free a moment after their connections' end: one that gets none comes again.
    drip = b"1\r\nx\r\n"
    dripping: list[socket.socket] = []
    end = time.monotonic() + 10
    while len(dripping) < 16:
        expect(time.monotonic() < end, "silent batches keep their places")
        if has_place(connection := open_batch(running, drip)):
            dripping.append(connection)
    expect(running.raw(batch).status == 503, "dripping batches take all places")
    end = time.monotonic() + 15
    while (given := running.raw(batch)).status == 503:
        expect(time.monotonic() < end, "dripping batches keep all places")
        for connection in dripping:
            # The service may have ended one of them.
            with contextlib.suppress(OSError):
                connection.sendall(drip)
        time.sleep(0.3)
    expect(given.body.count(b"\n") == 1, f"the batch that got a place: {given.body!r}")
    # The service has answered, and closes the other connection meanwhile.
    end = time.monotonic() + 10
    while not any(ended(connection) for connection in dripping):
        expect(time.monotonic() < end, "a dripping batch that lost its place keeps its connection")
        time.sleep(0.05)
    time.sleep(0.2)
    lost = [connection for connection in dripping if ended(connection)]
    expect(len(lost) == 1, f"{len(lost)} dripping batches have lost their places, not one")
    for connection in dripping:
        connection.close()
    # A client that has sent everything may end its side.
    with running.connect() as connection:
        connection.sendall(
            b"POST /v1/verify HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(token) + token)
        connection.shutdown(socket.SHUT_WR)
        expect(read(connection).status == 200, "a half-closed connection")
    # Several requests at once are answered in their order.
    request = b"POST /v1/verify HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(token) + token
    with running.connect() as connection:
        connection.sendall(request * 3 + b"GET /healthz HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n")
        text = b""
        while part := connection.recv(1 << 20):
            text += part
        expect(text.count(b'"verified":true') == 3 and text.endswith(b'{"status":"ok"}\n'), "pipelined requests")


def check_idle(running: Service) -> None:
    """Ten thousand connections that do nothing: others are answered, and memory is bounded."""
    allow_descriptors(IDLE_CONNECTIONS + 1_000)
    before = running.resident()
    idle = [running.connect() for _ in range(IDLE_CONNECTIONS)]
    times = []
    for _ in range(200):
        start = time.monotonic()
        running.verify(transaction())
        times.append(time.monotonic() - start)
    slow = sorted(times)[-3]
    open_now = running.metric("storekit_verify_open_connections")
    grown = running.resident() - before
    for connection in idle:
        connection.close()
    expect(open_now >= IDLE_CONNECTIONS, f"only {open_now} connections are open")
    expect(slow < 0.25, f"a verdict takes {slow:.3f} s beside idle connections")
    expect(grown < 400, f"idle connections take {grown} MB")
    print(f"clients: {IDLE_CONNECTIONS} idle connections take {grown} MB; a verdict beside them {slow * 1000:.1f} ms")


def check_hostile(running: Service) -> None:
    """Tokens whose chains must each be judged delay others by no more than a few milliseconds."""
    hostile = [line for path in VECTORS.glob("invalid/03-*.jws") for line in lines(path) if line]
    stop = threading.Event()

    def send() -> None:
        while not stop.is_set():
            for line in hostile:
                running.request("POST", "/v1/verify", line)
                running.request("POST", "/v1/verify/batch", b"\n".join(hostile[:40]))
                if stop.is_set():
                    return

    sender = threading.Thread(target=send)
    sender.start()
    times = []
    for _ in range(300):
        start = time.monotonic()
        running.verify(transaction())
        times.append(time.monotonic() - start)
    stop.set()
    sender.join()
    slow = sorted(times)[int(len(times) * 0.95)]
    expect(slow < 0.1, f"beside hostile tokens, a verdict takes {slow:.3f} s")


def check_token() -> None:
    """Every path but health needs the token, and only the right one is accepted."""
    with folder() as work:
        file = work / "token"
        file.write_text("correct-horse-battery\n")
        with service(*ROOT_OPTION, "--token-file", str(file)) as running:
            for authorization in (None, "Bearer wrong", "Bearer correct-horse-batter", "Bearer correct-horse-battery2", "Basic x",
                                  "correct-horse-battery", "Bearer",
                                  "Bearer correct-horse-battery correct-horse-battery"):
                headers = {"Authorization": authorization} if authorization else {}
                for target in ("/v1/verify", "/v1/verify/batch"):
                    given = running.request("POST", target, transaction(), headers)
                    given.problem(401, f"{authorization}")
                    expect(given.headers.get("www-authenticate", "").startswith("Bearer"), "WWW-Authenticate")
                for target in ("/metrics", "/openapi.json"):
                    running.request("GET", target, None, headers).problem(401, f"{target}, {authorization}")
            for scheme in ("Bearer", "bearer", "BEARER"):
                headers = {"Authorization": f"{scheme} correct-horse-battery"}
                given = running.request("POST", "/v1/verify", transaction(), headers)
                expect(given.status == 200, f"{scheme}: {given.status}")
            for target in ("/healthz", "/readyz"):
                expect(running.request("GET", target).status == 200, target)
            for target in (b"/v1/verify", b"/v1/verify/batch"):
                waiting = b"POST " + target + b" HTTP/1.1\r\n" + HOST + b"Expect: 100-continue\r\nContent-Length: 9\r\n"
                running.raw(waiting + b"Authorization: Bearer x\r\n\r\n").problem(401, "a wrong token before a body")


def check_hosts() -> None:
    """A page in a browser of the machine cannot ask, whatever its name leads to; and others only if the operator says so."""
    def ask(running: Service, host: str, origin: str | None = None, method: str = "GET") -> int:
        fields = f"Host: {host}\r\n" + (f"Origin: {origin}\r\n" if origin else "")
        target = "/v1/deliveries/retry" if method == "POST" else "/openapi.json"
        given = running.raw(f"{method} {target} HTTP/1.1\r\n{fields}Content-Length: 0\r\n\r\n".encode())
        if given.status in (403, 421):
            given.problem(given.status, f"{host}, {origin}")
        return given.status

    with service(*ROOT_OPTION, "--allowed-host", "Verify.Example") as running:
        own = f"127.0.0.1:{running.port}"
        for host in (own, "127.0.0.1", "localhost", f"LOCALHOST:{running.port}", f"[::1]:{running.port}", "verify.example"):
            expect(ask(running, host) == 200, f"Host: {host}")
        for host in ("evil.example", f"evil.example:{running.port}", "localhost.evil.example", "127.0.0.1.evil.example",
                     "192.0.2.1", "", "localhost:x", "verify.example.evil"):
            expect(ask(running, host) == 421, f"Host: {host}")
        # 404: the path is asked, and there is no database.
        for origin in (f"http://{own}", f"https://{own}", "https://verify.example", "https://verify.example:8443"):
            expect(ask(running, own, origin, "POST") == 404, f"Origin: {origin}")
        for origin in ("http://evil.example", "null", "http://127.0.0.1", "http://localhost:1", f"http://evil.example/{own}"):
            expect(ask(running, own, origin, "POST") == 403, f"Origin: {origin}")
    with folder() as work:
        short = work / "short"
        short.write_text("fifteen-letters\n")
        for options, sentence in ((["--host", "0.0.0.0"], b"--token-file"), (["--host", "::"], b"--allow-anonymous"),
                                  (["--host", "shop.example"], b"--allow-anonymous"),
                                  (["--token-file", short], b"at least 16"), (["--allowed-host", "http://x"], b"a port")):
            done = subprocess.run([command(), "serve", "--port", "0", *options], capture_output=True, timeout=60, check=False)
            expect(done.returncode == 64 and sentence in done.stderr, f"{options}: {done}")
        # The address is one of this machine, in a service that listens on all of them.
        with service("--host", "0.0.0.0", "--allow-anonymous", *ROOT_OPTION) as running:
            expect([ask(running, host) for host in ("192.0.2.1", "[2001:db8::1]:80", "evil.example")] == [200, 200, 421],
                   "hosts of a service that others reach")


def main() -> None:
    # The service inherits the limit.
    allow_descriptors(IDLE_CONNECTIONS + 1_000)
    with service(*ROOT_OPTION) as running:
        check_refusals(running)
        check_lengths(running)
        check_hostile(running)
        check_idle(running)
    options = ("--idle-seconds", "2", "--body-seconds", "2", "--max-spool-bytes", "20000000")
    with service(*ROOT_OPTION, *options) as running:
        check_slow(running)
        check_endless_batches(running)
    check_token()
    check_hosts()
    print("clients: refusals, lengths, slow and endless clients, the token, and whose pages may ask")


if __name__ == "__main__":
    main()
