#!/usr/bin/env python3
"""A name server and an OCSP responder for the test PKI, on an address of this machine's own.

    responder.py ADDRESS FOLDER

The name server gives ADDRESS for every name. The responder has openssl sign its answers, with the keys of
TestVectors/pki: every certificate is good. It writes the names that were asked for to FOLDER/names.
"""

import http.server
import pathlib
import socketserver
import struct
import subprocess
import sys
import threading

address, folder = sys.argv[1], pathlib.Path(sys.argv[2])
pki = pathlib.Path(__file__).resolve().parents[3] / "TestVectors/pki"

# The path of a request names the issuer whose key signs the answer.
ISSUERS = {"/leaf": "intermediate", "/root": "root"}


class Names(socketserver.BaseRequestHandler):
    def handle(self):
        query, connection = self.request
        end = query.index(0, 12) + 5
        labels, position = [], 12
        while query[position]:
            labels.append(query[position + 1:position + 1 + query[position]].decode())
            position += 1 + query[position]
        with open(folder / "names", "a") as names:
            names.write(".".join(labels) + "\n")
        # Only a question for an IPv4 address (type 1) has an answer.
        (kind,) = struct.unpack(">H", query[end - 4:end - 2])
        answer = b""
        if kind == 1:
            answer = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 0, 4) + bytes(map(int, address.split(".")))
        header = query[:2] + struct.pack(">HHHHH", 0x8180, 1, int(bool(answer)), 0, 0)
        connection.sendto(header + query[12:end] + answer, self.client_address)


class Responder(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        issuer = ISSUERS[self.path]
        request, response = folder / f"{issuer}.request", folder / f"{issuer}.response"
        request.write_bytes(self.rfile.read(int(self.headers["Content-Length"])))
        subprocess.run(
            ["openssl", "ocsp", "-index", folder / "index", "-CA", pki / f"{issuer}.pem", "-rsigner",
             pki / f"{issuer}.pem", "-rkey", pki / f"TEST-KEY-{issuer}.pem", "-reqin", request, "-respout", response,
             "-nmin", "60"], check=True, stdout=subprocess.DEVNULL)
        body = response.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "application/ocsp-response")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serial(certificate):
    written = subprocess.run(
        ["openssl", "x509", "-noout", "-serial", "-in", certificate], check=True, capture_output=True, text=True)
    return written.stdout.strip().removeprefix("serial=")


with open(folder / "index", "w") as index:
    for certificate in [pki / "intermediate.pem", *pki.glob("leaf-*.pem")]:
        index.write(f"V\t491231235959Z\t\t{serial(certificate)}\tunknown\t/CN={certificate.stem}\n")

names = socketserver.ThreadingUDPServer((address, 53), Names)
responder = http.server.ThreadingHTTPServer((address, 80), Responder)
(folder / "ready").touch()
threading.Thread(target=names.serve_forever, daemon=True).start()
responder.serve_forever()
