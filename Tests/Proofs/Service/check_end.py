"""SIGTERM in mid-load: load balancers are told first, each busy connection ends with an answer that says so, what was
accepted is answered, and the process ends with status 0."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import threading
import time

from kit import TEST_ROOT, expect, read, service, transaction

CLIENTS = 48
DRAIN = 2


def main() -> None:
    token = transaction()
    answered, broken = [], []
    with service("--root", str(TEST_ROOT), "--drain-seconds", str(DRAIN)) as running:

        def load() -> None:
            count = 0
            connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)
            while True:
                try:
                    connection.request("POST", "/v1/verify", token)
                    response = connection.getresponse()
                except (OSError, http.client.HTTPException) as error:
                    broken.append(f"no answer, and none before said that it is the last one: {error!r}")
                    break
                try:
                    if not json.loads(response.read())["verified"]:
                        broken.append("another verdict")
                except (OSError, http.client.HTTPException, ValueError) as error:
                    broken.append(f"an answer breaks off: {error!r}")
                    break
                count += 1
                if response.will_close:
                    break
            answered.append(count)

        threads = [threading.Thread(target=load) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        # A batch and a body that are under way when the signal comes.
        batch, slow = running.connect(), running.connect()
        head = b"POST %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n"
        batch.sendall(head % (b"/v1/verify/batch", b"Transfer-Encoding: chunked"))
        line = b"%x\r\n%s\n\r\n" % (len(token) + 1, token)
        batch.sendall(line * 3)
        slow.sendall(head % (b"/v1/verify", b"Content-Length: %d" % len(token)) + token[:1_000])
        # The batch is under way when its answer has begun.
        expect(batch.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200", "a batch is not answered")
        time.sleep(1)
        running.process.send_signal(signal.SIGTERM)
        signalled = time.monotonic()
        time.sleep(0.3)
        while time.monotonic() < signalled + DRAIN - 0.5:
            running.request("GET", "/readyz").problem(503, "/readyz after SIGTERM")
            expect(json.loads(running.verify(token))["verified"], "a new connection after SIGTERM")
            expect(not answered, "a client is sent away before load balancers know")
            time.sleep(0.1)
        time.sleep(1)
        batch.sendall(line * 3 + b"0\r\n\r\n")
        slow.sendall(token[1_000:])
        expect(json.loads(read(slow).body)["verified"], "a request that had begun is not answered")
        verdicts = read(batch).body.splitlines()
        expect([json.loads(verdict)["line"] for verdict in verdicts] == [1, 2, 3, 4, 5, 6], "a batch is cut")
        for thread in threads:
            thread.join()
        expect(running.process.wait(30) == 0, f"the status is {running.process.returncode}")
    expect(not broken, f"{broken[:3]}")
    expect(sum(answered) > 100, f"only {sum(answered)} requests were answered")
    print(f"end: {sum(answered)} requests before and at SIGTERM, each answered in full")


if __name__ == "__main__":
    main()
