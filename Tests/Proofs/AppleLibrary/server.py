"""The server under test, and an app's servers: one for its notifications, one that chooses retention messages."""

import atexit
import contextlib
import http.client
import json
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Receiver:
    """An app's server: it keeps the notifications, and refuses each of them once while `refuses_first` is set."""

    def __init__(self):
        self.payloads = []
        self._refused = set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                payload = body["signedPayload"]
                refuses = receiver.refuses_first and payload not in receiver._refused
                if refuses:
                    receiver._refused.add(payload)
                else:
                    receiver.payloads.append(payload)
                self.send_response(503 if refuses else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.refuses_first = False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/notifications"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()


class Chooser:
    """An app's server that chooses a retention message. It keeps the App Store's requests."""

    def __init__(self, message):
        self.payloads = []
        answer = json.dumps({"message": {"messageIdentifier": str(message)}}).encode()
        chooser = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                chooser.payloads.append(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["signedPayload"])
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_port}/retain"
        threading.Thread(target=server.serve_forever, daemon=True).start()


class Server:
    """`storekit-test serve` on a free port. Ctrl-C must end it quietly."""

    def __init__(self, command, *options):
        folder = Path(tempfile.mkdtemp())
        key, root = folder / "key.p8", folder / "root.pem"
        self._process = subprocess.Popen(
            [command, "serve", "--port", "0", "--hour", "50", "--write-api-key", key, "--write-root", root, *options],
            stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # A failed case leaves no server behind.
        atexit.register(self._process.kill)
        line = self._process.stderr.readline()
        if "http://" not in line:
            self._process.kill()
            raise SystemExit(f"the server did not start: {line}{self._process.stderr.read()}")
        self.url = line[line.index("http://"):].strip()
        # Its output about deliveries.
        threading.Thread(target=self._process.stdout.read, daemon=True).start()
        self.key = key.read_bytes()
        self.root = ssl.PEM_cert_to_DER_cert(root.read_text())

    def events(self, *lines):
        """Has customers act. Returns the answer, with the new transactions."""
        request = urllib.request.Request(f"{self.url}/test/events", "\n".join(lines).encode(), method="POST")
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def decide(self, word):
        """Stands for Apple's review of messages, and for its performance test."""
        request = urllib.request.Request(f"{self.url}/test/messaging", word.encode(), method="POST")
        urllib.request.urlopen(request).close()

    def let_a_century_pass(self):
        """Begins a request whose answer would take minutes."""
        body = b"set renewals unlimited\npopulation 1000 for 1y\n+100y end"
        request = urllib.request.Request(f"{self.url}/test/events", body, method="POST")

        def ask():
            # The server ends the connection, or answers that it was interrupted.
            with contextlib.suppress(OSError, http.client.HTTPException):
                urllib.request.urlopen(request)

        threading.Thread(target=ask, daemon=True).start()
        time.sleep(1)

    def transactions(self):
        """All transactions, in the local form."""
        with urllib.request.urlopen(f"{self.url}/test/transactions") as response:
            return json.load(response)["transactions"]

    def buy(self, product, customer="anna"):
        """Has a customer buy something. Returns the transaction, in the local form."""
        return self.events(f"{customer}: buy {product}")["transactions"][-1]

    def interrupt(self):
        """Ctrl-C. Returns the exit status and the text of standard error since the start."""
        self._process.send_signal(2)
        self._process.wait(timeout=20)
        return self._process.returncode, self._process.stderr.read()


def wait_for(condition, seconds=15):
    """Whether a condition holds within a time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False
