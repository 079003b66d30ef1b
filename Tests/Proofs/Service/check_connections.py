"""A connection stays usable after any legal request: the next one on it is answered at once.

check_connections.py COMMAND [STOREKIT-TEST]
"""

from __future__ import annotations

import contextlib
import http.client
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from kit import TEST_ROOT, expect, folder, service, transaction

# Of an answer on a connection that waits for nothing. The idle time of a connection is 60 seconds.
AT_ONCE = 2.0
UPGRADE = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAA\r\n"
JAVA = """
import java.net.URI;
import java.net.http.*;

public class Several {
    public static void main(String[] arguments) throws Exception {
        var client = HttpClient.newHttpClient();
        var body = HttpRequest.BodyPublishers.ofString(arguments[1]);
        var request = HttpRequest.newBuilder(URI.create(arguments[0])).POST(body).build();
        for (int i = 0; i < 3; i++) {
            long start = System.nanoTime();
            var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            System.out.printf("%d %d%n", answer.statusCode(), (System.nanoTime() - start) / 1_000_000);
        }
    }
}
"""
NODE = """
const [url, body] = process.argv.slice(2);
for (let i = 0; i < 3; i++) {
  const start = Date.now();
  const answer = await fetch(url, { method: "POST", body });
  await answer.text();
  console.log(answer.status, Date.now() - start);
}
"""


def requests(host: bytes) -> dict[str, bytes]:
    """Legal requests, whether or not the server has an answer that pleases."""
    fields, body = b"Host: " + host + b"\r\n", transaction()
    length = b"Content-Length: %d\r\n" % len(body)
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    websocket = (b"Connection: keep-alive, upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                 b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
    return {
        "an upgrade": b"GET /healthz HTTP/1.1\r\n" + fields + UPGRADE + b"\r\n",
        "an upgrade with a body": b"POST /v1/verify HTTP/1.1\r\n" + fields + UPGRADE + length + b"\r\n" + body,
        "an upgrade with chunks": b"POST /v1/verify HTTP/1.1\r\n" + fields + UPGRADE
        + b"Transfer-Encoding: chunked\r\n\r\n" + chunks,
        "a WebSocket": b"GET / HTTP/1.1\r\n" + fields + websocket + b"\r\n",
        "an upgrade without a connection's word": b"GET /healthz HTTP/1.1\r\n" + fields + b"Upgrade: h2c\r\n\r\n",
        "CONNECT": b"CONNECT example.com:443 HTTP/1.1\r\n" + fields + b"\r\n",
        "HEAD": b"HEAD /healthz HTTP/1.1\r\n" + fields + b"\r\n",
        "OPTIONS of everything": b"OPTIONS * HTTP/1.1\r\n" + fields + b"\r\n",
        "an empty line before": b"\r\nGET /healthz HTTP/1.1\r\n" + fields + b"\r\n",
        "a body": b"POST /v1/verify HTTP/1.1\r\n" + fields + length + b"\r\n" + body,
        "chunks": b"POST /v1/verify HTTP/1.1\r\n" + fields + b"Transfer-Encoding: chunked\r\n\r\n" + chunks,
        "chunks and a trailer": b"POST /v1/verify HTTP/1.1\r\n" + fields + b"Transfer-Encoding: chunked\r\n\r\n"
        + chunks[:-2] + b"A: b\r\n\r\n",
        "a batch": b"POST /v1/verify/batch HTTP/1.1\r\n" + fields + length + b"\r\n" + body,
        "another path": b"GET /nothing HTTP/1.1\r\n" + fields + b"\r\n",
    }


def status(connection: socket.socket, method: str = "GET") -> int:
    response = http.client.HTTPResponse(connection, method=method)
    response.begin()
    response.read()
    expect(not response.will_close, f"the answer {response.status} to {method} ends the connection")
    return response.status


def check_sockets(port: int, second: str) -> int:
    """Each request with each way to send it and what follows: after its answer, with it, and byte by byte."""
    host = b"127.0.0.1:%d" % port
    after = b"GET %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (second.encode(), host)
    given = requests(host)
    for name, request in given.items():
        method = "HEAD" if name == "HEAD" else "GET"
        for way in ("after it", "with it", "byte by byte"):
            with socket.create_connection(("127.0.0.1", port), timeout=AT_ONCE) as connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    if way == "with it":
                        # One reader for both answers would read ahead.
                        connection.sendall(request + after)
                        text = b""
                        while text.count(b"HTTP/1.1 ") < 2:
                            part = connection.recv(1 << 16)
                            expect(part != b"", f"{name}, and another {way}: the connection is closed after {text!r}")
                            text += part
                        expect(b"HTTP/1.1 200" in text[text.rindex(b"HTTP/1.1 "):], f"{name}, {way}: {text!r}")
                        continue
                    for part in [request] if way == "after it" else [bytes([byte]) for byte in request]:
                        connection.sendall(part)
                    status(connection, method)
                    connection.sendall(after)
                    found = status(connection)
                    expect(found == 200, f"{name}, and another {way}: {found}")
                except TimeoutError:
                    expect(False, f"{name}, and another {way}: no answer within {AT_ONCE} s")
    return len(given)


def check_clients(url: str) -> list[str]:
    """Real clients, which offer what they like."""
    ran = []
    body = transaction().decode()
    start = time.monotonic()
    curl = subprocess.run(
        ["curl", "-sv", "--http2", f"{url}/healthz", f"{url}/readyz", f"{url}/healthz"], capture_output=True, timeout=200)
    expect(curl.stdout.count(b'{"status":') == 3 and time.monotonic() - start < AT_ONCE, f"curl --http2: {curl}")
    expect(curl.stderr.lower().count(b"re-us") >= 2, f"curl --http2 opens a connection again: {curl.stderr!r}")
    ran.append("curl")
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=AT_ONCE)
    for _ in range(3):
        connection.request("POST", "/v1/verify", body)
        expect(connection.getresponse().read().startswith(b'{"verified":true'), "Python")
    ran.append("Python")
    with folder() as work:
        for language, command, source in (("Node", "node", NODE), ("Java", "java", JAVA)):
            if not shutil.which(command):
                print(f"SKIPPED {language}: no {command}")
                continue
            file = work / ("several.mjs" if language == "Node" else "Several.java")
            file.write_text(source)
            done = subprocess.run(
                [command, str(file), f"{url}/v1/verify", body], capture_output=True, timeout=300, text=True)
            answers = [line.split() for line in done.stdout.splitlines()]
            # The first one loads the client's classes.
            expect([answer[0] for answer in answers] == ["200"] * 3, f"{language}: {done}")
            expect(all(int(answer[1]) < AT_ONCE * 1_000 for answer in answers[1:]), f"{language}: {done.stdout}")
            ran.append(language)
    return ran


def check_content_of_connect(port: int) -> None:
    """What follows CONNECT is the next request. Content would be one that no client has sent as such."""
    with socket.create_connection(("127.0.0.1", port), timeout=AT_ONCE) as connection:
        inner = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        connection.sendall(b"CONNECT a:1 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % len(inner) + inner)
        text = b""
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(1 << 16):
                text += part
        expect(text.startswith(b"HTTP/1.1 400") and b"HTTP/1.1 200" not in text, f"CONNECT with content: {text!r}")


def check_pages(port: int) -> None:
    """A page in a browser of the machine cannot make customers act: neither its form, nor with its name."""
    for fields, expected in (
        (f"Host: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n", 403), ("Host: evil.example\r\n", 421),
        (f"Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n", 200),
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=AT_ONCE) as connection:
            connection.sendall(f"POST /test/events HTTP/1.1\r\n{fields}Content-Length: 0\r\n\r\n".encode())
            found = status(connection)
            expect(found == expected, f"/test/events with {fields!r}: {found}")


@contextlib.contextmanager
def test_server(command: str) -> Iterator[int]:
    """The test App Store on a free port."""
    with folder() as work:
        process = subprocess.Popen(
            [Path(command).resolve(), "serve", "--port", "0", "--write-root", "root.pem"], cwd=work,
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        assert process.stderr
        try:
            line = process.stderr.readline()
            match = re.search(r"http://127.0.0.1:(\d+)$", line)
            if not match:
                sys.exit(f"FAILED: the test server did not start: {line}")
            yield int(match[1])
        finally:
            process.terminate()
            process.wait(20)


def main() -> None:
    with service("--root", str(TEST_ROOT)) as running:
        count = check_sockets(running.port, "/readyz")
        check_content_of_connect(running.port)
        ran = check_clients(running.url)
    if len(sys.argv) > 2:
        with test_server(sys.argv[2]) as port:
            check_sockets(port, "/test/transactions")
            check_content_of_connect(port)
            check_pages(port)
    print(f"connections: usable after {count} kinds of requests, and with {', '.join(ran)}")


if __name__ == "__main__":
    main()
