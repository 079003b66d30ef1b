"""Apple's app-store-server-library behind HTTP: an ASGI application that verifies the transaction in a request's body.

ROOT names the root certificate (DER). Online checks are off.
"""

import base64
import functools
import json
import os
from pathlib import Path

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException

ROOT = Path(os.environ["ROOT"]).read_bytes()


@functools.cache
def verifier(environment: str, bundle: str) -> SignedDataVerifier:
    return SignedDataVerifier([ROOT], False, Environment(environment), bundle, 1)


def verdict(token: str) -> dict:
    try:
        middle = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
        decoded = verifier(claims["environment"], claims["bundleId"]).verify_and_decode_signed_transaction(token)
        return {"verified": True, "transactionId": decoded.transactionId}
    except (VerificationException, ValueError, KeyError) as error:
        return {"verified": False, "error": repr(error)}


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        part = await receive()
        body += part.get("body", b"")
        more = part.get("more_body", False)
    # It takes milliseconds of processor time, so that a thread for it would gain nothing: each worker has one core.
    answer = json.dumps(verdict(body.decode("ascii", "replace").strip())).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": answer})
