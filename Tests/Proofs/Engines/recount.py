"""Python's counts in the payloads of an archive: the numbers that the pages' queries must find.

Nothing here is the product's: a token's payload is decoded here, an amount is a Decimal, and a month is one in UTC.
"""

from __future__ import annotations

import base64
import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Any

Payload = dict[str, Any]
SUBSCRIPTION = "Auto-Renewable Subscription"
THOUSANDTH = Decimal("0.001")


@dataclass
class Payloads:
    """The transactions of payloads as they were signed, and the latest date of each app's payloads."""

    transactions: list[tuple[int, bool, int, Payload]] = field(default_factory=list)
    latest: dict[tuple[str | None, str | None], int] = field(default_factory=dict)
    # By environment and original transaction: renewal information names no app.
    renewals: dict[tuple[str | None, str], Payload] = field(default_factory=dict)

    def add(self, payload: Payload) -> None:
        """Adds a verified payload, and the transaction inside it."""
        date = payload.get("signedDate", payload.get("receiptCreationDate"))
        # The columns' dates are whole milliseconds.
        signed = round(date) if isinstance(date, (int, float)) else -1
        transaction = payload if is_transaction(payload) else inside(payload, "signedTransactionInfo")
        app = app_of(transaction) if transaction else app_of(payload.get("data"))
        self.latest[app] = max(self.latest.get(app, -1), signed)
        if (info := inside(payload, "signedRenewalInfo")) is not None:
            key = info.get("environment"), str(info.get("originalTransactionId"))
            if number(info.get("signedDate")) >= number(self.renewals.get(key, {}).get("signedDate")):
                self.renewals[key] = info
        if transaction is not None and identifier(transaction.get("transactionId")) is not None:
            revoked = transaction.get("revocationDate") is not None
            self.transactions.append((number(transaction.get("signedDate")), revoked, signed, transaction))

    def last(self) -> list[Payload]:
        """The last version of every transaction."""
        versions: dict[tuple[Any, ...], tuple[tuple[int, bool, int], Payload]] = {}
        for *place, transaction in self.transactions:
            key, version = (*app_of(transaction), transaction["transactionId"]), tuple(place)
            if key not in versions or version > versions[key][0]:
                versions[key] = version, transaction
        return [transaction for _, transaction in versions.values()]

    def sales(self, environment: str) -> list[Payload]:
        """Paid transactions, each with the instant of the upgrade that replaced it."""
        sold = [t for t in self.last() if t.get("environment") == environment]
        sold = [t for t in sold if t.get("inAppOwnershipType") == "PURCHASED"]
        purchases = defaultdict(list)
        for t in sold:
            purchases[app_of(t), t.get("originalTransactionId")].append(t)
        return [{**t, "replaced": replaced(t, purchases[app_of(t), t.get("originalTransactionId")])} for t in sold]


# --- Tokens and their payloads ------------------------------------------------------------------


def decoded(token: str) -> Payload:
    """The payload of a compact JWS."""
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def is_notification(payload: Payload) -> bool:
    return "notificationType" in payload or "notificationUUID" in payload


def is_transaction(payload: Payload) -> bool:
    members = ("transactionId", "purchaseDate", "inAppOwnershipType", "transactionReason")
    return not is_notification(payload) and any(name in payload for name in members)


def inside(payload: Payload, member: str) -> Payload | None:
    """The payload inside a notification, which was verified with it."""
    data = payload.get("data")
    token = data.get(member) if isinstance(data, dict) else None
    return decoded(token) if isinstance(token, str) and is_notification(payload) else None


def app_of(payload: object) -> tuple[str | None, str | None]:
    """The environment and the app."""
    return (payload.get("environment"), payload.get("bundleId")) if isinstance(payload, dict) else (None, None)


def number(value: object) -> int:
    return value if isinstance(value, int) else -1


def identifier(value: object) -> int | None:
    text = str(value)
    return int(text) if re.fullmatch(r"[0-9]+", text) and int(text) < 1 << 64 else None


def instant(milliseconds: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=milliseconds)


def month(milliseconds: int) -> str:
    return instant(milliseconds).strftime("%Y-%m")


# --- Amounts ------------------------------------------------------------------------------------


def price(t: Payload) -> Decimal | None:
    """The charge: for several seats, the price is the average of one."""
    if (seats := t.get("multiSeatInfo")) is not None:
        return sum((Decimal(tier["price"]) * tier["quantity"] for tier in seats["priceTiers"]), Decimal()) / 1000
    return row_price(t)


def row_price(t: Payload) -> Decimal | None:
    """The column's value: the price as it was signed."""
    return None if t.get("price") is None else Decimal(t["price"]) / 1000


def refund(t: Payload) -> Decimal | None:
    paid = price(t)
    if t.get("revocationDate") is None or paid is None:
        return None
    percent = Decimal(t.get("revocationPercentage", 100_000)) / 1000
    return (paid * percent / 100).quantize(THOUSANDTH, ROUND_HALF_UP)


def ends(t: Payload) -> int | None:
    """When the period ends by itself or by a refund."""
    dates = [t[name] for name in ("expiresDate", "revocationDate") if t.get(name) is not None]
    return min(dates) if t.get("expiresDate") is not None else None


def order(t: Payload) -> tuple[int, int]:
    return t["purchaseDate"], int(t["transactionId"])


def replaced(t: Payload, purchase: list[Payload]) -> int | None:
    """When an upgrade ended the period early."""
    end = ends(t)
    if end is None:
        return None
    later = [other for other in purchase if order(other) > order(t)]
    following = min(later, key=order, default=None)
    is_upgraded = t.get("isUpgraded") is True
    if following is not None and following["purchaseDate"] < end:
        if is_upgraded or following["productId"] != t["productId"]:
            return following["purchaseDate"]
    return t["signedDate"] if is_upgraded and t["signedDate"] < end else None


def prorated(t: Payload) -> Decimal | None:
    """The amount given back for the time that an upgrade cut off: by time, and never more than a refund has left."""
    paid = price(t)
    if t["replaced"] is None or paid is None:
        return None
    left, whole = t["expiresDate"] - t["replaced"], t["expiresDate"] - t["purchaseDate"]
    share = (paid * left / whole).quantize(THOUSANDTH, ROUND_DOWN)
    return min(share, paid - (refund(t) or 0))


# --- The pages' questions -----------------------------------------------------------------------


def revenue(sold: list[Payload]) -> list[tuple[Any, ...]]:
    """By month, app, product and currency: charged, refunded, prorated, and the rest."""
    sums: dict[tuple[Any, ...], list[Decimal]] = defaultdict(lambda: [Decimal(), Decimal(), Decimal()])
    for t in sold:
        paid, back, share = price(t), refund(t), prorated(t)
        for place, date, amount in ((0, "purchaseDate", paid), (1, "revocationDate", back), (2, "replaced", share)):
            if amount is not None:
                sums[month(t[date]), t["bundleId"], t["productId"], t.get("currency")][place] += amount
    return [(*key, *amounts, amounts[0] - amounts[1] - amounts[2]) for key, amounts in sums.items()]


def charges(sold: list[Payload]) -> list[tuple[Any, ...]]:
    """By month, app, product and currency: the number of charges, and their sum."""
    groups = defaultdict(list)
    for t in sold:
        if (paid := price(t)) is not None:
            groups[month(t["purchaseDate"]), t["bundleId"], t["productId"], t.get("currency")].append(paid)
    return [(*key, len(amounts), sum(amounts)) for key, amounts in groups.items()]


def refunds(sold: list[Payload]) -> list[tuple[Any, ...]]:
    reasons = {0: "other", 1: "developerIssue"}
    groups: dict[tuple[Any, ...], list[Decimal | None]] = defaultdict(list)
    for t in sold:
        if t.get("revocationDate") is not None:
            reason = reasons.get(t.get("revocationReason"))
            key = month(t["revocationDate"]), t["bundleId"], t["productId"], reason, t.get("currency")
            groups[key].append(refund(t))
    results = []
    for key, amounts in groups.items():
        known = [amount for amount in amounts if amount is not None]
        # A sum of nothing is null.
        results.append((*key, len(amounts), sum(known, Decimal()) if known else None))
    return results


def churn(sold: list[Payload], latest: dict[tuple[str | None, str | None], int]) -> list[tuple[Any, ...]]:
    """By month and app: the subscriptions that were active at its beginning, and those of them that were lost."""
    apps: dict[tuple[str | None, str | None], dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for t in sold:
        if t.get("type") == SUBSCRIPTION and (end := ends(t)) is not None:
            end = min(end, t["replaced"] or end)
            apps[app_of(t)][t["originalTransactionId"]].append((t["purchaseDate"], end))

    def is_active(life: list[tuple[int, int]], at: int) -> bool:
        return any(begins <= at < end for begins, end in life)

    results = []
    for app, periods in apps.items():
        starts = months(min(begins for life in periods.values() for begins, _ in life), latest[app])
        for start, after in zip(starts, starts[1:]):
            present = [life for life in periods.values() if is_active(life, start)]
            lost = sum(1 for life in present if not is_active(life, after))
            if present:
                percent = (Decimal(1000 * lost) / len(present)).quantize(Decimal(1), ROUND_HALF_UP) / 10
                results.append((month(start), app[1], len(present), lost, percent))
    return results


def owned(payloads: Payloads, environment: str, at: int) -> list[tuple[Any, ...]]:
    """Customer, app, product, state and end of each product owned at an instant, in payloads without restored copies."""
    purchases = defaultdict(list)
    for t in payloads.last():
        if t["environment"] == environment and t["type"] != "Consumable":
            purchases[t["bundleId"], t["originalTransactionId"]].append(t)
    latest: dict[tuple[Any, ...], tuple[tuple[int, int], tuple[Any, ...]]] = {}
    for (app, original), purchase in purchases.items():
        until_now = [t for t in purchase if t["purchaseDate"] <= at]
        if not until_now:
            continue
        t = max(until_now, key=order)
        later = [t["purchaseDate"] for t in purchase if t["purchaseDate"] > at]
        state = state_of(t, later, payloads.renewals.get((environment, original)), at)
        if t.get("revocationDate", at + 1) <= at or t["type"] == SUBSCRIPTION and state is None:
            continue
        end = instant(t["expiresDate"]).replace(tzinfo=None) if "expiresDate" in t else None
        key = t["appTransactionId"], app, t["productId"], t["inAppOwnershipType"]
        if key not in latest or order(t) > latest[key][0]:
            latest[key] = order(t), (*key[:3], state, end)
    return [row for _, row in latest.values()]


def state_of(t: Payload, later: list[int], info: Payload | None, at: int) -> str | None:
    """The state of a subscription that gives access, by its latest transaction and its renewal information."""
    if t["type"] != SUBSCRIPTION or t.get("isUpgraded") and not any(date < t["expiresDate"] for date in later):
        return None
    if at < t["expiresDate"]:
        return "subscribed"
    if info is None or info["signedDate"] < t["purchaseDate"] or any(date <= info["signedDate"] for date in later):
        return None
    if info.get("isInBillingRetryPeriod"):
        since = min(info.get("renewalDate", t["expiresDate"]), info["signedDate"])
        return "inGracePeriod" if since <= at < info.get("gracePeriodExpiresDate", at) else None
    renewed = info.get("expirationIntent") is None and info["signedDate"] <= at < info.get("renewalDate", at)
    return "subscribed" if renewed else None


def owners(payloads: Payloads, environment: str, days: list[int]) -> list[tuple[Any, ...]]:
    """By day, app and product: the number of customers that owned it when the day began."""
    counts: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for day in days:
        for customer, app, product, *_ in owned(payloads, environment, day):
            counts[instant(day).date(), app, product].add(customer)
    return [(*key, len(customers)) for key, customers in counts.items()]


def months(first: int, last: int) -> list[int]:
    """The beginnings of months, from that of the first instant on."""
    start, starts = instant(first).replace(day=1, hour=0, minute=0, second=0, microsecond=0), []
    while start <= instant(last):
        starts.append(int(start.timestamp()) * 1000)
        # Some day of the next month, and its first.
        start = (start + timedelta(days=32)).replace(day=1)
    return starts


def products(payloads: Payloads) -> list[tuple[Any, ...]]:
    """By environment, app and product: the number of transactions, and the last date at which one was signed."""
    groups = defaultdict(list)
    for t in payloads.last():
        groups[(*app_of(t), t["productId"])].append(t["signedDate"])
    return [(*key, len(dates), instant(max(dates)).replace(tzinfo=None)) for key, dates in groups.items()]


def difference(found: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> str | None:
    """How two results differ as bags of rows; numbers are the same in any spelling."""

    def plain(value: object) -> object:
        return Decimal(str(value)).normalize() if isinstance(value, (int, float, Decimal)) else value

    one = sorted(repr(tuple(map(plain, row))) for row in found)
    other = sorted(repr(tuple(map(plain, row))) for row in expected)
    if one == other:
        return None
    more = [row for row in one if row not in other][:5]
    less = [row for row in other if row not in one][:5]
    return f"{len(one)} rows, {more} instead of {len(other)}, {less}"
