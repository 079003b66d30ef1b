"""The texts of `storekit-verify sign` beside the creators of signatures in Apple's library: the same text, byte for byte,
where nonce and time are the same. The signatures differ, since each has a random number; they are verified."""

import base64
import datetime
import json
import subprocess
import tempfile
import uuid
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from appstoreserverlibrary import jws_signature_creator
from appstoreserverlibrary.api_client import APIError, APIException
from appstoreserverlibrary.jws_signature_creator import (
    AdvancedCommerceAPIInAppRequest, AdvancedCommerceAPIInAppSignatureCreator, IntroductoryOfferEligibilitySignatureCreator,
    PromotionalOfferV2SignatureCreator)
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator

KEY_ID, ISSUER_ID, BUNDLE_ID = "TESTKEY123", "99b16628-15e4-4668-972b-eeff55eeff55", "com.example.garden"
NONCE = uuid.UUID("20fba8a0-2b80-4a7d-a17f-85c1854727f8")
REQUEST = {"operation": "CREATE_SUBSCRIPTION", "version": "1", "currency": "EUR", "items": [{"price": 1990}]}


def run(check):
    with tempfile.TemporaryDirectory() as folder:
        signer = Signer(check, Path(folder))
        requests(check, signer)
        first_form(check, signer)
        token(check, signer)


class Signer:
    """The command, with the key of the test App Store."""

    def __init__(self, check, folder):
        self.command = check.signer
        self.file = folder / "key.p8"
        self.file.touch(mode=0o600)
        self.file.write_bytes(check.server.key)
        self.request = folder / "request.json"
        self.request.write_text(json.dumps(REQUEST))
        self.public = load_pem_private_key(check.server.key, None).public_key()

    def sign(self, kind, *options):
        names = ["--key", self.file, "--key-id", KEY_ID, "--issuer-id", ISSUER_ID, "--bundle-id", BUNDLE_ID]
        result = subprocess.run([self.command, "sign", kind, *names, *options], capture_output=True, check=True)
        return json.loads(result.stdout)


class Request(AdvancedCommerceAPIInAppRequest):
    """Apple's library serializes a request by its class; this one stands for its JSON."""


def requests(check, signer):
    """The three kinds of JWS."""
    arguments = (check.server.key, KEY_ID, ISSUER_ID, BUNDLE_ID)
    offer = PromotionalOfferV2SignatureCreator(*arguments)
    eligibility = IntroductoryOfferEligibilitySignatureCreator(*arguments)
    commerce = AdvancedCommerceAPIInAppSignatureCreator(*arguments)
    named = ["--product-id", "plus", "--nonce", str(NONCE).upper()]
    cases = [
        ("promotional-offer", [*named, "--offer-identifier", "spring", "--transaction-id", "20"],
         lambda: offer.create_signature("plus", "spring", "20")),
        ("promotional-offer", [*named, "--offer-identifier", "spring"], lambda: offer.create_signature("plus", "spring", None)),
        ("introductory-offer", [*named, "--transaction-id", "20", "--allow-introductory-offer", "true"],
         lambda: eligibility.create_signature("plus", True, "20")),
        ("introductory-offer", [*named, "--transaction-id", "20", "--allow-introductory-offer", "false"],
         lambda: eligibility.create_signature("plus", False, "20")),
        ("advanced-commerce", ["--nonce", str(NONCE), "--request", signer.request], lambda: commerce.create_signature(Request())),
    ]
    converter = SimpleNamespace(unstructure=lambda request: REQUEST)
    for kind, options, create in cases:
        answer = signer.sign(kind, *options)
        ours = answer["compactJWS"]
        claims = jwt.decode(ours, signer.public, algorithms=["ES256"], options={"verify_aud": False, "verify_iat": False})
        now = datetime.datetime.fromtimestamp(claims["iat"], datetime.timezone.utc)
        clock = SimpleNamespace(datetime=SimpleNamespace(now=lambda zone: now), timezone=datetime.timezone)
        with mock.patch.object(jws_signature_creator, "datetime", clock), \
                mock.patch.object(jws_signature_creator.uuid, "uuid4", lambda: NONCE), \
                mock.patch.object(jws_signature_creator, "_get_cattrs_converter", lambda kind: converter):
            theirs = create()
        check.equal(ours.rsplit(".", 1)[0], theirs.rsplit(".", 1)[0], f"the signed text of {kind}")
        check.that("exp" not in claims, f"{kind} has no exp")
        if kind == "advanced-commerce":
            data = json.loads(base64.b64decode(answer["advancedCommerceData"]))
            check.equal(data, {"signatureInfo": {"token": ours}}, "advancedCommerceData")


def first_form(check, signer):
    """The first form of promotional offers: a signature in DER over seven parts."""
    for account in ["6BB6F6E0-0000-4000-8000-00000000000A", ""]:
        options = ["--product-id", "plus", "--offer-identifier", "spring", "--nonce", str(NONCE)]
        answer = signer.sign("promotional-offer-v1", *options, *(["--app-account-token", account] if account else []))
        creator = PromotionalOfferSignatureCreator(check.server.key, KEY_ID, BUNDLE_ID)
        signed = []
        creator._signing_key = SimpleNamespace(sign=lambda text, algorithm: signed.append(text) or b"")
        creator.create_signature("plus", "spring", account, NONCE, answer["timestamp"])
        # It throws if the signature is another text's.
        signer.public.verify(base64.b64decode(answer["signature"]), signed[0], ECDSA(SHA256()))
        check.equal((answer["keyIdentifier"], answer["nonce"]), (KEY_ID, str(NONCE)), "what the app gets")


def token(check, signer):
    """The token of the API, in the hands of Apple's client."""
    ours = signer.sign("token")["token"]
    client = check.new_client(check.server.key)
    theirs = client._generate_token()
    options = {"verify_signature": False}
    claims, expected = jwt.decode(ours, options=options), jwt.decode(theirs, options=options)
    check.equal(claims["exp"] - claims["iat"], 300, "the life of a token")
    check.that(abs(claims.pop("exp") - expected.pop("exp")) < 60, "the end of a token")
    claims.pop("iat")
    check.equal(claims, expected, "the claims of a token")
    check.equal(jwt.get_unverified_header(ours), jwt.get_unverified_header(theirs), "the header of a token")
    client._generate_token = lambda: ours
    check.refused(APIError.TRANSACTION_ID_NOT_FOUND, lambda: client.get_transaction_info("1"), "a call with our token")
    client._generate_token = lambda: ours[:-8] + "AAAAAAAA"
    try:
        client.get_transaction_info("1")
        check.that(False, "a changed token was accepted")
    except APIException as exception:
        check.equal(exception.http_status_code, 401, "a changed token")
