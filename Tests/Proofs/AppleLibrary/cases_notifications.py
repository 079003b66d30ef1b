"""Notifications: their delivery, history and tests."""

import time

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Subtype import Subtype

from server import wait_for


def run(check):
    test_notification(check)
    history(check)
    renewals(check)


def test_notification(check):
    """A test notification that the app's server refuses once."""
    check.that(wait_for(lambda: len(check.receiver.payloads) >= len(history_of(check))), "all notifications arrive")
    check.receiver.refuses_first = True
    token = check.client.request_test_notification().testNotificationToken
    answers = []

    def has_arrived():
        try:
            answers.append(check.client.get_test_notification_status(token))
        except Exception:
            return False
        return len(answers[-1].sendAttempts) == 2

    check.that(wait_for(has_arrived), "the test notification arrives at the second attempt")
    check.receiver.refuses_first = False
    results = [attempt.sendAttemptResult for attempt in answers[-1].sendAttempts]
    expected = [SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE, SendAttemptResult.SUCCESS]
    check.equal(results, expected, "sendAttempts")
    notification = check.notification(answers[-1].signedPayload)
    check.equal(notification.notificationType, NotificationTypeV2.TEST, "notificationType of a test")
    check.that(answers[-1].signedPayload in check.receiver.payloads, "the test notification is what was sent")


def history_of(check, **filters):
    """All pages of the notification history of the last days, as the App Store's clock has them."""
    now = check.server.events("")["now"]
    days = 170 if check.environment == Environment.PRODUCTION else 29
    request = NotificationHistoryRequest(startDate=now - days * 86_400_000, endDate=now + 1, **filters)
    found, token = [], None
    while True:
        page = check.client.get_notification_history(token, request)
        check.that(len(page.notificationHistory) <= 20, "a page has more than 20 notifications")
        found += page.notificationHistory
        if not page.hasMore:
            return found
        token = page.paginationToken


def history(check):
    everything = history_of(check)
    check.that(len(everything) > 40, "the history has more than two pages")
    decoded = [check.notification(item.signedPayload) for item in everything]
    check.equal(len({notification.notificationUUID for notification in decoded}), len(decoded), "notificationUUID")
    check.that(all(payload in {item.signedPayload for item in everything} for payload in check.receiver.payloads),
               "the history has all that was received")
    for payload in check.receiver.payloads:
        check.notification(payload)
    check.that(all(item.sendAttempts[-1].sendAttemptResult == SendAttemptResult.SUCCESS for item in everything),
               "every notification has arrived")
    check.equal(history_of(check, onlyFailures=True), [], "onlyFailures")
    refunds = history_of(check, notificationType=NotificationTypeV2.REFUND)
    types = {check.notification(item.signedPayload).notificationType for item in refunds}
    check.equal((types, len(refunds)), ({NotificationTypeV2.REFUND}, 2), "notificationType")
    bought = history_of(
        check, notificationType=NotificationTypeV2.SUBSCRIBED, notificationSubtype=Subtype.INITIAL_BUY)
    check.equal(len(bought), 3, "notificationSubtype")
    transaction = check.notification(bought[0].signedPayload).data.signedTransactionInfo
    identifier = check.transaction(transaction).transactionId
    own = [check.notification(item.signedPayload) for item in history_of(check, transactionId=identifier)]
    owners = {check.transaction(item.data.signedTransactionInfo).appTransactionId for item in own}
    check.that(len(own) > 20 and len(owners) == 1, "transactionId restricts the history to one customer")


def renewals(check):
    """The server's time passes by itself: a subscription whose periods take two seconds renews."""
    check.server.events("set rate oneRenewalEveryTwoSeconds", "rita: buy com.example.garden.premium.monthly")
    renewed = lambda: history_of(check, notificationType=NotificationTypeV2.DID_RENEW)
    before = len(renewed())
    check.that(wait_for(lambda: len(renewed()) > before, 10), "a subscription renews by itself")
    check.server.events("rita: cancel", "set rate realTime")
    time.sleep(0.3)
