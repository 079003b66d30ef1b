"""A server that notifications are forwarded to: checks the HMAC of each by the documentation's sample,
and writes what came.

    python3 receiver.py SECRET-FILE LOG PLAN

It listens on a free port of 127.0.0.1 and prints the port. For each request it appends a line to LOG: the path, the
status that it answers with, whether the signature is right, and the SHA-256 of the body. PLAN is what it answers with:
`accept`; `fail N` (503 to the first N requests); `status S`; `redirect` (to /elsewhere, which accepts); `endless` (an
answer without end); `silent` (none at all); `slow` (a byte of the answer's head each 50 ms).
"""

import hashlib
import pathlib
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

secret = open(sys.argv[1], "rb").read().rstrip(b"\r\n")
log = open(sys.argv[2], "ab", buffering=0)
plan, *numbers = sys.argv[3].split()
number = int(numbers[0]) if numbers else 0
lock = threading.Lock()
requests = 0


def sample():
    """The function that the page of the documentation gives to receivers."""
    page = pathlib.Path(__file__).parents[3] / "Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc/ForwardingNotifications.md"
    code = page.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    names = {}
    exec(compile(code, str(page), "exec"), names)
    return names["is_forwarded"]


is_forwarded = sample()


class Receiver(BaseHTTPRequestHandler):
    """Answers as the plan says."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """A client that follows a redirect may ask by GET."""
        self.do_POST()

    def do_POST(self):
        """Notes the request, and answers."""
        global requests
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            # The sender was killed in the middle of the body.
            self.close_connection = True
            return
        with lock:
            requests += 1
            status = self.status()
            header = self.headers.get("Storekit-Verify-Signature", "")
            signed = "signed" if is_forwarded(secret, header, body) else "unsigned"
            line = f"{self.path} {status} {signed} {hashlib.sha256(body).hexdigest()}\n"
            log.write(line.encode())
        if plan == "silent":
            time.sleep(3600)
        if plan == "slow":
            try:
                for byte in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000:
                    self.wfile.write(bytes([byte]))
                    time.sleep(0.05)
            except OSError:
                return
        self.send_response(status)
        if plan == "redirect" and status == 307:
            self.send_header("Location", "/elsewhere")
        if plan == "endless":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
            except OSError:
                self.close_connection = True
                return
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def status(self):
        """The status that is next."""
        if plan == "fail" and requests <= number:
            return 503
        if plan == "status":
            return number
        if plan == "redirect" and self.path != "/elsewhere":
            return 307
        return 200

    def log_message(self, *_):
        """Nothing on standard error."""


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        """Nothing: senders are killed, or lose their patience."""


server = Server(("127.0.0.1", 0), Receiver)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
