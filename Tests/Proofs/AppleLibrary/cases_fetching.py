"""`storekit-verify fetch` and Apple's client, asked the same of the same server: the same payloads in the same order. Each
answer is signed anew, so what differs is when."""

import base64
import datetime
import json
import ssl
import subprocess
import tempfile
from pathlib import Path

from appstoreserverlibrary.api_client import GetTransactionHistoryVersion
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest


def run(check):
    identifiers = sorted({item["originalTransactionId"] for item in check.server.transactions()})[:40]
    check.that(len(identifiers) > 20, f"only {len(identifiers)} purchases to ask about")
    with tempfile.TemporaryDirectory() as folder:
        fetch = Fetch(check, Path(folder))
        client = check.client
        asked = {
            "transaction": lambda id: [client.get_transaction_info(id).signedTransactionInfo],
            "app-transaction": lambda id: [client.get_app_transaction_info(id).signedAppTransactionInfo],
            "statuses": lambda id: statuses(client.get_all_subscription_statuses(id)),
            "history": lambda id: pages(
                lambda revision: client.get_transaction_history(
                    id, revision, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2)),
            "refunds": lambda id: pages(lambda revision: client.get_refund_history(id, revision)),
        }
        for kind, ask in asked.items():
            for identifier in identifiers:
                compare(check, fetch(kind, identifier), ask(identifier), f"{kind} {identifier}")
        notifications(check, fetch)


class Fetch:
    """The command, with the key and the root of the test App Store."""

    def __init__(self, check, folder):
        key, root = folder / "key.p8", folder / "root.pem"
        key.touch(mode=0o600)
        key.write_bytes(check.server.key)
        root.write_text(ssl.DER_cert_to_PEM_cert(check.server.root))
        self.command = check.signer
        self.options = [
            "--key", key, "--key-id", "TESTKEY123", "--issuer-id", "99b16628-15e4-4668-972b-eeff55eeff55", "--bundle-id",
            "com.example.garden", "--environment", check.environment.value, "--server", check.server.url, "--root", root,
            "--no-rate-limit"]

    def __call__(self, kind, *arguments):
        result = subprocess.run([self.command, "fetch", kind, *arguments, *self.options], capture_output=True, text=True)
        if result.returncode != 0:
            return [f"{result.returncode} {result.stderr}"]
        return result.stdout.split()


def pages(ask):
    found, revision = [], None
    while True:
        answer = ask(revision)
        found += answer.signedTransactions or []
        if not answer.hasMore:
            return found
        revision = answer.revision


def statuses(answer):
    """In the order of the answer's text."""
    items = [item for group in answer.data or [] for item in group.lastTransactions]
    return [token for item in items for token in (item.signedRenewalInfo, item.signedTransactionInfo)]


def notifications(check, fetch):
    """All that the cases before have led to, in several pages. The App Store is ahead of the clock by now."""
    now = datetime.datetime.now()
    end = datetime.datetime.combine(now.date() + datetime.timedelta(days=60), datetime.time(), datetime.timezone.utc)
    request = NotificationHistoryRequest(
        startDate=int((now - datetime.timedelta(days=2)).timestamp() * 1000),
        endDate=int(end.timestamp() * 1000))
    found, token = [], None
    while True:
        answer = check.client.get_notification_history(token, request)
        found += [item.signedPayload for item in answer.notificationHistory]
        if not answer.hasMore:
            break
        token = answer.paginationToken
    check.that(len(found) > 40, f"only {len(found)} notifications")
    names = lambda tokens: sorted(claims(token)["notificationUUID"] for token in tokens)
    fetched = fetch("notifications", "--since", "48h", "--until", end.strftime("%Y-%m-%d"))
    check.equal(names(fetched), names(found), "notifications")


# An app transaction is made for each request.
TIMES = {"signedDate", "receiptCreationDate", "requestDate"}


def claims(token):
    """The members of a token, without the time of signing."""
    try:
        body = token.split(".")[1]
    except (IndexError, AttributeError):
        return token
    members = json.loads(base64.urlsafe_b64decode(body + "=="))
    return {name: value for name, value in members.items() if name not in TIMES}


def compare(check, fetched, expected, what):
    check.equal([claims(token) for token in fetched], [claims(token) for token in expected], what)
