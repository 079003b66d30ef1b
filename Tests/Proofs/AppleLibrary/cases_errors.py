"""Requests that must be refused: bad tokens, unknown identifiers, bad pages and bad members."""

import time

import jwt
import requests
from appstoreserverlibrary.api_client import APIError, APIException
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.Subtype import Subtype
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from cases_purchases import PREMIUM, V2

UUID = "c5e0b6f6-9b3f-4f3e-9a53-6d40a4b6f999"
DAY = 86_400_000


def run(check):
    tokens(check)
    identifiers(check)
    pages(check)
    members(check)
    extensions(check)
    notifications(check)


def tokens(check):
    """Tokens that Apple would not accept: status 401, without a body."""
    other = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    key, now = check.server.key, int(time.time())
    payload = {"iss": "99b16628-15e4-4668-972b-eeff55eeff55", "iat": now, "exp": now + 300,
               "aud": "appstoreconnect-v1", "bid": "com.example.garden"}
    header = {"kid": "TESTKEY123"}
    sign = lambda changes, key=key, header=header, algorithm="ES256": jwt.encode(
        {**payload, **changes}, key, algorithm=algorithm, headers=header)
    wrong = {
        "another key": sign({}, key=other), "an unknown kid": sign({}, header={"kid": "OTHERKEY99"}),
        "HS256": sign({}, key="0" * 64, algorithm="HS256"), "an expired token": sign({"iat": now - 600, "exp": now - 1}),
        "more than an hour": sign({"exp": now + 3700}), "another audience": sign({"aud": "appstore"}),
        "another app": sign({"bid": "com.example.other"}), "another issuer": sign({"iss": "other"}), "no token": "",
    }
    ask = lambda token: requests.get(
        f"{check.server.url}/inApps/v1/transactions/1", headers={"Authorization": f"Bearer {token}"}, timeout=30)
    check.equal(ask(sign({})).status_code, 404, "a good token")
    for name, token in wrong.items():
        response = ask(token)
        check.equal((response.status_code, response.content), (401, b""), name)
    check.equal(requests.get(f"{check.server.url}/inApps/v1/transactions/1", timeout=30).status_code, 401, "no header")
    try:
        check.new_client(other).get_transaction_info("1")
        check.that(False, "a client with another key was not refused")
    except APIException as exception:
        check.equal((exception.http_status_code, exception.api_error), (401, None), "a client with another key")


def identifiers(check):
    client, refused = check.client, check.refused
    request = TransactionHistoryRequest()
    bought = check.server.buy("$consumable")
    calls = [
        client.get_transaction_info, client.get_app_transaction_info, client.get_all_subscription_statuses,
        client.finish_transaction, lambda id: client.get_refund_history(id, None),
        lambda id: client.get_transaction_history(id, None, request, V2),
        lambda id: client.send_consumption_information(id, ConsumptionRequest(True, True, DeliveryStatus.DELIVERED)),
    ]
    for call in calls:
        refused(APIError.TRANSACTION_ID_NOT_FOUND, lambda: call("1"))
        refused(APIError.INVALID_TRANSACTION_ID, lambda: call("one"))
    for call in [calls[0], calls[3], calls[6]]:
        refused(APIError.APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR, lambda: call(bought["appTransactionId"]))
    token = UpdateAppAccountTokenRequest(appAccountToken=UUID)
    refused(APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND, lambda: client.set_app_account_token("1", token))
    refused(APIError.INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR, lambda: client.set_app_account_token(
        bought["transactionId"], UpdateAppAccountTokenRequest(appAccountToken="anna")))
    refused(APIError.GENERAL_BAD_REQUEST, lambda: client.look_up_order_id("a_b"))


def pages(check):
    client, refused = check.client, check.refused
    bought = check.server.buy("$consumable")["transactionId"]
    refused(APIError.INVALID_REQUEST_REVISION, lambda: client.get_transaction_history(
        bought, "nonsense", TransactionHistoryRequest(), V2))
    refused(APIError.INVALID_REQUEST_REVISION, lambda: client.get_refund_history(bought, "nonsense"))
    refused(APIError.INVALID_PRODUCT_ID, lambda: client.get_transaction_history(
        bought, None, TransactionHistoryRequest(productIds=[""]), V2))
    refused(APIError.INVALID_START_DATE, lambda: client.get_transaction_history(
        bought, None, TransactionHistoryRequest(startDate=-1), V2))
    refused(APIError.INVALID_END_DATE, lambda: client.get_transaction_history(
        bought, None, TransactionHistoryRequest(endDate=-1), V2))


def members(check):
    client, refused = check.client, check.refused
    seeds, plan = check.server.buy("$consumable")["transactionId"], check.server.buy("$trial", "olga")["transactionId"]
    send = lambda *arguments, id=seeds, **more: client.send_consumption_information(
        id, ConsumptionRequest(*arguments, **more))
    delivered = DeliveryStatus.DELIVERED
    refused(APIError.INVALID_CUSTOMER_CONSENTED, lambda: send(False, True, delivered))
    refused(APIError.INVALID_DELIVERY_STATUS, lambda: send(True, True, rawDeliveryStatus="LOST"))
    refused(APIError.GENERAL_BAD_REQUEST, lambda: send(True, True, delivered, consumptionPercentage=100_001))
    try:
        send(True, True, delivered, consumptionPercentage=5, id=plan)
        check.that(False, "a percentage of a subscription was not refused")
    except APIException as exception:
        check.equal(exception.raw_api_error, 4000209, "a percentage of a subscription")


def extensions(check):
    client, refused = check.client, check.refused
    reason = ExtendReasonCode.OTHER
    plan = check.server.buy(PREMIUM, "nils")["transactionId"]
    trial = check.server.buy("$trial", "lena")["transactionId"]
    extend = lambda id=plan, days=1, code=reason, request="n": client.extend_subscription_renewal_date(
        id, ExtendRenewalDateRequest(extendByDays=days, extendReasonCode=code, requestIdentifier=request))
    refused(APIError.INVALID_EXTEND_BY_DAYS, lambda: extend(days=91))
    refused(APIError.INVALID_EXTEND_REASON_CODE, lambda: extend(code=None))
    refused(APIError.INVALID_REQUEST_IDENTIFIER, lambda: extend(request="n" * 129))
    refused(APIError.INVALID_ORIGINAL_TRANSACTION_ID, lambda: extend("one"))
    refused(APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND, lambda: extend("1"))
    refused(APIError.SUBSCRIPTION_EXTENSION_INELIGIBLE, lambda: extend(trial))
    shared = check.server.events("nils: share with=mia")["transactions"][-1]["transactionId"]
    refused(APIError.FAMILY_SHARED_SUBSCRIPTION_EXTENSION_INELIGIBLE, lambda: extend(shared))
    refused(APIError.FAMILY_TRANSACTION_NOT_SUPPORTED_ERROR, lambda: client.set_app_account_token(
        shared, UpdateAppAccountTokenRequest(appAccountToken=UUID)))
    extend()
    extend()
    refused(APIError.SUBSCRIPTION_MAX_EXTENSION, extend)
    mass = lambda product=PREMIUM, request=UUID, places=None: client.extend_renewal_date_for_all_active_subscribers(
        MassExtendRenewalDateRequest(1, reason, request, places, product))
    refused(APIError.INVALID_PRODUCT_ID, lambda: mass("nothing"))
    refused(APIError.INVALID_REQUEST_IDENTIFIER, lambda: mass(request="one"))
    refused(APIError.INVALID_EMPTY_STOREFRONT_COUNTRY_CODE_LIST, lambda: mass(places=[]))
    refused(APIError.INVALID_STOREFRONT_COUNTRY_CODE, lambda: mass(places=["us"]))
    refused(APIError.STATUS_REQUEST_NOT_FOUND,
            lambda: client.get_status_of_subscription_renewal_date_extensions(UUID, PREMIUM))


def notifications(check):
    refused = check.refused
    now = check.server.events("")["now"]
    ask = lambda token=None, start=now - DAY, end=now, **more: check.client.get_notification_history(
        token, NotificationHistoryRequest(startDate=start, endDate=end, **more))
    refused(APIError.INVALID_PAGINATION_TOKEN, lambda: ask("nonsense"))
    refused(APIError.INVALID_START_DATE, lambda: ask(start=None))
    refused(APIError.INVALID_END_DATE, lambda: ask(end=None))
    refused(APIError.START_DATE_AFTER_END_DATE, lambda: ask(start=now, end=now))
    refused(APIError.START_DATE_TOO_FAR_IN_PAST, lambda: ask(start=now - 181 * DAY))
    refused(APIError.INVALID_NOTIFICATION_TYPE, lambda: ask(notificationSubtype=Subtype.UPGRADE))
    refused(APIError.INVALID_NOTIFICATION_TYPE, lambda: ask(
        notificationType=NotificationTypeV2.REFUND, notificationSubtype=Subtype.UPGRADE))
    refused(APIError.MULTIPLE_FILTERS_SUPPLIED, lambda: ask(
        notificationType=NotificationTypeV2.REFUND, transactionId="1"))
    refused(APIError.TRANSACTION_ID_NOT_FOUND, lambda: ask(transactionId="1"))
    refused(APIError.INVALID_TRANSACTION_ID, lambda: ask(transactionId="one"))
    status = check.client.get_test_notification_status
    refused(APIError.INVALID_TEST_NOTIFICATION_TOKEN, lambda: status("one"))
    refused(APIError.TEST_NOTIFICATION_NOT_FOUND, lambda: status(UUID))
