"""Python's counts in the payloads of an archive: the numbers that the pages' queries must find.

Nothing here is the product's: a token's payload is decoded here, an amount is a Decimal, and a month is one in UTC.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

Payload = dict[str, Any]
Rows = list[tuple[Any, ...]]
SUBSCRIPTION = "Auto-Renewable Subscription"
THOUSANDTH = Decimal("0.001")


@dataclass
class Payloads:
    """The transactions and the renewal information of payloads, as they were signed."""

    transactions: list[tuple[int, bool, int, Payload]] = field(default_factory=list)
    # With the app of the notification around it: renewal information names none.
    infos: list[tuple[str | None, Payload]] = field(default_factory=list)

    def add(self, payload: Payload) -> None:
        """Adds a verified payload, and those inside it."""
        date = payload.get("signedDate", payload.get("receiptCreationDate"))
        # The columns' dates are whole milliseconds.
        signed = round(date) if isinstance(date, (int, float)) else -1
        transaction = payload if is_transaction(payload) else inside(payload, "signedTransactionInfo")
        info = payload if is_renewal_info(payload) else inside(payload, "signedRenewalInfo")
        if info is not None:
            self.infos.append((app_of(payload.get("data"))[1], info))
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

    def purchases(self, environment: str) -> list[Purchase]:
        """The purchases of an environment: the transactions of one original."""
        found = defaultdict(list)
        for t in self.last():
            if t.get("environment") == environment and isinstance(t.get("purchaseDate"), int):
                found[t.get("bundleId"), t.get("originalTransactionId")].append(t)
        previous = {
            (app, original): t["previousOriginalTransactionId"] for (app, original), purchase in found.items()
            for t in purchase if t.get("previousOriginalTransactionId") is not None
        }  # fmt: skip
        purchases = []
        for (app, original), transactions in found.items():
            first = original
            while (app, first) in previous:
                first = previous[app, first]
            infos = [i for name, i in self.infos if name in (app, None) and i.get("originalTransactionId") == original]
            infos = [i for i in infos if i.get("environment") == environment]
            infos.sort(key=lambda info: info["signedDate"])
            purchases.append(Purchase((app, first), sorted(transactions, key=order), infos))
        return purchases

    def lines(self, environment: str) -> list[Line]:
        """What was paid, and what came back."""
        return [line for purchase in self.purchases(environment) for line in purchase.lines()]


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


def is_renewal_info(payload: Payload) -> bool:
    return "autoRenewStatus" in payload and isinstance(payload.get("signedDate"), int)


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


def order(t: Payload) -> tuple[int, int]:
    return t["purchaseDate"], int(t["transactionId"])


# --- Amounts ------------------------------------------------------------------------------------


def price(t: Payload) -> Decimal | None:
    """The charge: for several seats, the price is the average of one."""
    if (seats := t.get("multiSeatInfo")) is not None:
        return sum((Decimal(tier["price"]) * tier["quantity"] for tier in seats["priceTiers"]), Decimal()) / 1000
    return row_price(t)


def row_price(t: Payload) -> Decimal | None:
    """The column's value: the price as it was signed."""
    return None if t.get("price") is None else Decimal(t["price"]) / 1000


def share(amount: Decimal, part: Fraction) -> Decimal:
    """A part of an amount, to the thousandth, half of one up."""
    exact = Fraction(amount) * part * 1000
    return Decimal(int(exact + Fraction(1, 2))) / 1000


def refunded_part(t: Payload) -> Fraction:
    """The share that came back. The percentage is rounded: 33.333 is that of one product of three."""
    thousandths = min(t.get("revocationPercentage", 100_000), 100_000)
    for whole in (t.get("quantity", 1), 3):
        for part in range(whole + 1):
            if round(Fraction(100_000 * part, whole)) == thousandths:
                return Fraction(part, whole)
    return Fraction(thousandths, 100_000)


@dataclass(frozen=True)
class Line:
    """A charge, a refund, or what an upgrade gave back."""

    kind: str
    date: int
    amount: Decimal | None
    t: Payload
    reason: str | None = None
    # Of an amount that no payload has.
    estimate: Decimal | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        return month(self.date), self.t["bundleId"], self.t["productId"], self.t.get("currency")


@dataclass
class Purchase:
    """The last versions of an original's transactions, in order, and all of its renewal information."""

    # The app, and the original with which the customer's history began.
    subscription: tuple[Any, ...]
    transactions: list[Payload]
    infos: list[Payload]

    @property
    def type(self) -> str:
        return self.transactions[0]["type"]

    # --- What was paid ---

    def copies(self, t: Payload) -> list[Payload]:
        """The transactions that one payment has paid for: those of other devices have identifiers of their own."""
        return [other for other in self.transactions if other is t or is_copy(t, other)]

    def lines(self) -> Iterator[Line]:
        sold = [t for t in self.transactions if t.get("inAppOwnershipType") == "PURCHASED"]
        for t in sold:
            copies = [other for other in self.copies(t) if other in sold]
            if t is copies[0]:
                yield from self.lines_of(t, copies)

    def lines_of(self, t: Payload, copies: list[Payload]) -> Iterator[Line]:
        paid = next((known for copy in copies if (known := price(copy)) is not None), None)
        yield Line("charge", t["purchaseDate"], paid, t)
        back = Decimal()
        for item in (t.get("advancedCommerceInfo") or {}).get("items", []):
            for refund in item.get("refunds") or []:
                amount = Decimal(refund["refundAmount"]) / 1000
                back += amount
                yield Line("refund", refund["refundDate"], amount, t)
        if refunds := [copy for copy in copies if copy.get("revocationDate") is not None]:
            first = min(refunds, key=lambda copy: (copy["revocationDate"], order(copy)))
            amount = None if paid is None else max(share(paid, refunded_part(first)) - back, Decimal())
            reason = {0: "other", 1: "developerIssue"}.get(first.get("revocationReason"))
            yield Line("refund", first["revocationDate"], amount, t, reason)
            return
        if (count := (t.get("multiSeatInfo") or {}).get("revokedSeatQuantity", 0)) > 0:
            seats = [tier["price"] for tier in t["multiSeatInfo"]["priceTiers"] for _ in range(tier["quantity"])]
            # Those of the lowest prices.
            taken = Decimal(sum(sorted(seats)[:count])) / 1000
            back += taken
            yield Line("refund", t["signedDate"], None, t, estimate=taken)
        if (replaced := self.replaced(t)) is not None and paid is not None:
            part = Fraction(t["expiresDate"] - replaced, t["expiresDate"] - t["purchaseDate"])
            yield Line("upgraded", replaced, None, t, estimate=min(share(paid, part), paid - back))

    def replaced(self, t: Payload) -> int | None:
        """When an upgrade ended the period early."""
        end = t.get("expiresDate")
        if end is None:
            return None
        # Added seats replace nothing.
        later = [other for other in self.transactions if order(other) > order(t) and not is_copy(t, other)]
        later = [other for other in later if other.get("additionalTransactionReason") is None]
        is_upgraded = t.get("isUpgraded") is True
        if later and later[0]["purchaseDate"] < end and (is_upgraded or later[0]["productId"] != t["productId"]):
            return later[0]["purchaseDate"]
        # The successor is not in the archive: the mark was signed at the upgrade or later.
        return t["signedDate"] if is_upgraded and t["signedDate"] < end else None

    # --- When the customer had access ---

    def access(self, at: int) -> tuple[str | None, Payload] | None:
        """The state, and the transaction that gives access at an instant; `None` if there is no access."""
        past = [t for t in self.transactions if t["purchaseDate"] <= at]
        # Added seats stand beside the others of the period: it is enough that one of them is not refunded.
        while len(past) > 1 and self.is_refunded(past[-1], at) and is_added(past[-1], past[-2]):
            past.pop()
        if not past or self.type == "Consumable" or self.is_refunded(past[-1], at):
            return None
        t = past[-1]
        if self.type != SUBSCRIPTION:
            return None, t
        following = self.next_purchase(at)
        if t.get("isUpgraded") and (following is None or following >= t["expiresDate"]):
            return None
        if at < t["expiresDate"]:
            return "subscribed", t
        state = self.state_by_info(t, at)
        return None if state is None else (state, t)

    def next_purchase(self, at: int) -> int | None:
        return min((t["purchaseDate"] for t in self.transactions if t["purchaseDate"] > at), default=None)

    def is_refunded(self, t: Payload, at: int) -> bool:
        copies = self.copies(t) if t.get("inAppOwnershipType") == "PURCHASED" else [t]
        return any(copy.get("revocationDate", at + 1) <= at for copy in copies)

    def info(self, t: Payload, at: int) -> Payload | None:
        """The information about the end of a period: the last one, or the first that came later if none told of it yet."""
        following = self.next_purchase(at)
        about = [i for i in self.infos if t["purchaseDate"] <= i["signedDate"]]
        about = [i for i in about if following is None or i["signedDate"] < following]
        known = [i for i in about if i["signedDate"] <= at]
        if known and (has_failed(known[-1]) or at < known[-1].get("renewalDate", 0)):
            return known[-1]
        return next((i for i in about if i["signedDate"] > at), known[-1] if known else None)

    def state_by_info(self, t: Payload, at: int) -> str | None:
        info = self.info(t, at)
        if info is None:
            return None
        if has_failed(info):
            is_tried = info.get("isInBillingRetryPeriod") or info["autoRenewStatus"] == 1
            return "inGracePeriod" if is_tried and at < info.get("gracePeriodExpiresDate", at) else None
        return "subscribed" if info["signedDate"] <= at < info.get("renewalDate", at) else None

    def changes(self) -> list[int]:
        """All instants at which access may begin or end."""
        names = ("purchaseDate", "expiresDate", "revocationDate", "signedDate", "renewalDate", "gracePeriodExpiresDate")
        payloads = (*self.transactions, *self.infos)
        return sorted({p[name] for p in payloads for name in names if p.get(name) is not None})

    def reason(self, t: Payload, end: int) -> str:
        """Why a subscription ended."""
        if self.is_refunded(t, end):
            return "refund" if t["inAppOwnershipType"] == "PURCHASED" else "revoked"
        info = self.info(t, end)
        if info is None:
            return "unknown"
        reasons = {1: "voluntary", 2: "billing", 3: "price", 4: "unavailable"}
        if info.get("isInBillingRetryPeriod"):
            return "billing"
        return reasons.get(info.get("expirationIntent"), "unknown" if info["autoRenewStatus"] == 1 else "voluntary")


def is_copy(one: Payload, other: Payload) -> bool:
    """A renewal may have the number of an earlier period. The periods of copies overlap, and added seats are paid for."""
    if one["type"] == "Non-Consumable":
        return other.get("inAppOwnershipType") == "PURCHASED"
    item = one.get("webOrderLineItemId")
    if item is None or item != other.get("webOrderLineItemId") or is_added(one, other):
        return False
    return one["purchaseDate"] < other["expiresDate"] and other["purchaseDate"] < one["expiresDate"]


def is_added(one: Payload, other: Payload) -> bool:
    """Whether seats were added to a period."""
    reasons = one.get("additionalTransactionReason"), other.get("additionalTransactionReason")
    return any(reasons) and one["expiresDate"] == other["expiresDate"]


def has_failed(info: Payload) -> bool:
    names = ("isInBillingRetryPeriod", "expirationIntent", "gracePeriodExpiresDate")
    return any(info.get(name) for name in names)


# --- The pages' questions -----------------------------------------------------------------------


def revenue(lines: list[Line]) -> Rows:
    """By month, app, product and currency: charged, refunded, given back by estimate, the rest, and what is unknown."""
    sums: dict[tuple[Any, ...], list[Any]] = defaultdict(lambda: [Decimal(), Decimal(), Decimal(), 0])
    for line in lines:
        sums[line.key][0 if line.kind == "charge" else 1] += line.amount or 0
        sums[line.key][2] += line.estimate or 0
        sums[line.key][3] += line.amount is None and line.estimate is None
    return [(*key, a, b, c, a - b - c, unknown) for key, (a, b, c, unknown) in sums.items()]


def charges(lines: list[Line]) -> Rows:
    """By month, app, product and currency: the number of charges, and their sum."""
    groups = defaultdict(list)
    for line in lines:
        if line.kind == "charge":
            groups[line.key].append(line.amount)
    return [(*key, len(amounts), total(amounts)) for key, amounts in groups.items()]


def refunds(lines: list[Line]) -> Rows:
    """By month, app, product, reason and currency: the number of refunds, and their sum."""
    groups = defaultdict(list)
    for line in lines:
        if line.kind == "refund":
            groups[*line.key[:3], line.reason, line.key[3]].append(line.amount)
    return [(*key, len(amounts), total(amounts)) for key, amounts in groups.items()]


def total(amounts: list[Decimal | None]) -> Decimal | None:
    """A sum as in SQL: that of nothing is null."""
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Decimal()) if known else None


def histories(purchases: list[Purchase]) -> dict[tuple[Any, ...], list[Purchase]]:
    """The subscriptions, each under the original with which it began."""
    found = defaultdict(list)
    for purchase in purchases:
        if purchase.type == SUBSCRIPTION:
            found[purchase.subscription].append(purchase)
    return found


def is_active(history: list[Purchase], at: int) -> bool:
    return any((found := purchase.access(at)) is not None and found[0] == "subscribed" for purchase in history)


def churn(purchases: list[Purchase], now: int) -> Rows:
    """By month and app: the subscriptions that were active at its beginning, and those of them that were lost."""
    apps = defaultdict(list)
    for (app, _), history in histories(purchases).items():
        apps[app].append(history)
    results = []
    for app, subscriptions in apps.items():
        first = min(purchase.transactions[0]["purchaseDate"] for history in subscriptions for purchase in history)
        starts = months(first, now)
        for start, after in zip(starts, starts[1:]):
            present = [history for history in subscriptions if is_active(history, start)]
            lost = sum(1 for history in present if not is_active(history, after))
            if present:
                percent = (Decimal(1000 * lost) / len(present)).quantize(Decimal(1), ROUND_HALF_UP) / 10
                results.append((month(start), app, len(present), lost, percent))
    return results


def ended(purchases: list[Purchase], now: int) -> Rows:
    """By month, app, product and reason: the subscriptions that ended, and did not go on under another original."""
    counts: Counter[tuple[Any, ...]] = Counter()
    for (app, _), history in histories(purchases).items():
        for purchase in history:
            for date in purchase.changes():
                before = purchase.access(date - 1) if date <= now else None
                if before is not None and not any(other.access(date) for other in history):
                    counts[month(date), app, before[1]["productId"], purchase.reason(before[1], date)] += 1
    return [(*key, count) for key, count in counts.items()]


def owned(purchases: list[Purchase], at: int) -> Rows:
    """Customer, app, product, state and end of the period of each purchase that gives access at an instant."""
    rows = []
    for purchase in purchases:
        if (found := purchase.access(at)) is not None:
            state, t = found
            end = instant(t["expiresDate"]).replace(tzinfo=None) if "expiresDate" in t else None
            rows.append((f"app-transaction:{t['appTransactionId']}", t["bundleId"], t["productId"], state, end))
    return rows


def owners(purchases: list[Purchase], days: list[int]) -> Rows:
    """By day, app and product: the number of customers that had access when the day began."""
    counts: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for day in days:
        for customer, app, product, *_ in owned(purchases, day):
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


def difference(found: Rows, expected: Rows) -> str | None:
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
