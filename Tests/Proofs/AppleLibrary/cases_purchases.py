"""Transactions, subscriptions, orders, refunds and extensions."""

from appstoreserverlibrary.api_client import GetTransactionHistoryVersion
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType, TransactionHistoryRequest
from appstoreserverlibrary.models.Type import Type
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest

V2 = GetTransactionHistoryVersion.V2
PREMIUM = "com.example.garden.premium.monthly"
TOKEN = "5c1b0c63-7a3c-4a3b-8a53-1f9be2f0a111"
MASS_REQUEST = "c5e0b6f6-9b3f-4f3e-9a53-6d40a4b6f111"


def run(check):
    history(check)
    transactions(check)
    subscriptions(check)
    extensions(check)
    consumption(check)


def pages(check, identifier, version=V2, **filters):
    """All transactions of a customer, page by page."""
    found, revision = [], None
    while True:
        answer = check.client.get_transaction_history(
            identifier, revision, TransactionHistoryRequest(**filters), version)
        check.equal(answer.bundleId, "com.example.garden", "bundleId")
        check.equal(answer.environment, check.environment, "environment")
        is_production = check.environment == Environment.PRODUCTION
        check.equal(answer.appAppleId, 1234567890 if is_production else None, "appAppleId")
        check.that(len(answer.signedTransactions) <= 20, "a page has more than 20 transactions")
        found += [check.transaction(token) for token in answer.signedTransactions]
        if not answer.hasMore:
            return found
        revision = answer.revision


def history(check):
    bought = [check.server.buy("$consumable", "hugo")["transactionId"] for _ in range(23)]
    house = check.server.buy("$non-consumable", "hugo")["transactionId"]
    plan = check.server.buy("$subscription", "hugo")["transactionId"]
    check.server.events(f"hugo: refund {house}")
    everything = pages(check, house)
    check.equal({item.transactionId for item in everything}, {*bought, house, plan}, "the history")
    identifiers = lambda **filters: [item.transactionId for item in pages(check, house, **filters)]
    check.equal(identifiers(sort=Order.DESCENDING), [item.transactionId for item in everything][::-1], "sort")
    check.equal(identifiers(productTypes=[ProductType.AUTO_RENEWABLE, ProductType.NON_CONSUMABLE],
                            revoked=False), [plan], "productTypes and revoked")
    check.equal(identifiers(revoked=True), [house], "revoked")
    check.equal(identifiers(productIds=["com.example.garden.seeds"]), bought, "productIds")
    check.equal(identifiers(subscriptionGroupIdentifiers=["5AD00010"]), [plan], "subscriptionGroupIdentifiers")
    check.equal(identifiers(inAppOwnershipType=InAppOwnershipType.FAMILY_SHARED), [], "inAppOwnershipType")
    check.equal(identifiers(startDate=1, endDate=2), [], "dates")
    refunds = check.client.get_refund_history(plan, None)
    check.equal([check.transaction(token).transactionId for token in refunds.signedTransactions], [house], "refunds")
    check.equal(refunds.hasMore, False, "hasMore of refunds")
    check.client.finish_transaction(bought[0])
    former = [item.transactionId for item in pages(check, house, GetTransactionHistoryVersion.V1)]
    check.that(bought[0] not in former and bought[1] in former, "V1 leaves out finished consumables")


def transactions(check):
    bought = check.server.buy("$consumable")
    info = check.client.get_transaction_info(bought["transactionId"])
    transaction = check.transaction(info.signedTransactionInfo)
    check.equal(transaction.transactionId, bought["transactionId"], "transactionId")
    check.equal(transaction.type, Type.CONSUMABLE, "type")
    check.equal(transaction.environment, check.environment, "environment of a transaction")
    for identifier in [bought["transactionId"], bought["appTransactionId"]]:
        token = check.client.get_app_transaction_info(identifier).signedAppTransactionInfo
        check.equal(check.app_transaction(token).appTransactionId, bought["appTransactionId"], "appTransactionId")
    order = check.client.look_up_order_id(bought["orderId"])
    check.equal(order.status, OrderLookupStatus.VALID, "status of an order")
    check.equal(check.transaction(order.signedTransactions[0]).transactionId, bought["transactionId"], "order")
    unknown = check.client.look_up_order_id("M1")
    check.equal((unknown.status, unknown.signedTransactions), (OrderLookupStatus.INVALID, None), "unknown order")
    check.client.set_app_account_token(bought["transactionId"], UpdateAppAccountTokenRequest(appAccountToken=TOKEN))
    changed = check.client.get_transaction_info(bought["transactionId"]).signedTransactionInfo
    check.equal(check.transaction(changed).appAccountToken, TOKEN, "appAccountToken")
    check.that(bought in check.server.transactions(), "the local list has the transaction")


def status(check, identifier, wanted=None):
    """The status of a customer's subscription, its transaction and its renewal info."""
    answer = check.client.get_all_subscription_statuses(identifier, wanted)
    if not answer.data:
        return None
    check.equal(answer.data[0].subscriptionGroupIdentifier, "5AD00010", "subscriptionGroupIdentifier")
    last = answer.data[0].lastTransactions[0]
    renewal = check.renewal(last.signedRenewalInfo)
    transaction = check.transaction(last.signedTransactionInfo)
    check.equal(transaction.originalTransactionId, last.originalTransactionId, "originalTransactionId of a status")
    return last.status, transaction, renewal


def subscriptions(check):
    bought = check.server.buy("$trial", "sara")
    identifier = bought["transactionId"]
    check.equal(status(check, identifier)[0], Status.ACTIVE, "status after the purchase")
    check.server.events("sara: cancel")
    check.equal(status(check, identifier)[2].autoRenewStatus, AutoRenewStatus.OFF, "autoRenewStatus")
    check.server.events("sara: resume", "sara: fail-payments")
    check.server.events("+8d tina: buy $consumable")
    found, _, renewal = status(check, identifier)
    check.equal((found, renewal.isInBillingRetryPeriod), (Status.BILLING_RETRY, True), "status after a failed payment")
    check.equal(status(check, identifier, [Status.ACTIVE, Status.EXPIRED]), None, "status filter")
    check.equal(status(check, identifier, [Status.BILLING_RETRY])[0], Status.BILLING_RETRY, "status filter")
    check.server.events("sara: fix-payments")
    check.equal(status(check, identifier)[0], Status.ACTIVE, "status after the payment")
    check.server.events("sara: refund $present")
    check.equal(status(check, identifier)[0], Status.REVOKED, "status after a refund")


def extensions(check):
    identifier = check.server.buy(PREMIUM, "emma")["transactionId"]
    before = status(check, identifier)[1].expiresDate
    request = ExtendRenewalDateRequest(
        extendByDays=30, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE, requestIdentifier="emma-1")
    answer = check.client.extend_subscription_renewal_date(identifier, request)
    check.equal((answer.success, answer.originalTransactionId), (True, identifier), "an extension")
    check.equal(answer.effectiveDate, before + 30 * 86_400_000, "effectiveDate")
    transaction = status(check, identifier)[1]
    check.equal(transaction.expiresDate, answer.effectiveDate, "expiresDate after the extension")
    check.equal(transaction.webOrderLineItemId, answer.webOrderLineItemId, "webOrderLineItemId")
    mass = MassExtendRenewalDateRequest(
        extendByDays=3, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier=MASS_REQUEST, productId=PREMIUM,
        storefrontCountryCodes=["USA", "DEU"])
    for _ in range(2):
        answer = check.client.extend_renewal_date_for_all_active_subscribers(mass)
        check.equal(answer.requestIdentifier, MASS_REQUEST, "requestIdentifier")
    result = check.client.get_status_of_subscription_renewal_date_extensions(MASS_REQUEST, PREMIUM)
    check.equal((result.complete, result.succeededCount, result.failedCount), (True, 1, 0), "a mass extension")
    check.that(result.completeDate is not None, "completeDate")
    check.equal(status(check, identifier)[1].expiresDate, before + 33 * 86_400_000, "extended once by the mass")


def consumption(check):
    identifier = check.server.buy("$consumable")["transactionId"]
    check.server.events(f"anna: request-refund {identifier}")
    check.client.send_consumption_information(identifier, ConsumptionRequest(
        customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED,
        refundPreference=RefundPreference.GRANT_PRORATED, consumptionPercentage=50_000))
    check.client.send_consumption_data(identifier, ConsumptionRequestV1(
        customerConsented=True, sampleContentProvided=False, rawConsumptionStatus=1, rawPlatform=1, rawDeliveryStatus=0,
        appAccountToken="", rawAccountTenure=3, rawPlayTime=2, rawLifetimeDollarsRefunded=1,
        rawLifetimeDollarsPurchased=2, rawUserStatus=1, rawRefundPreference=2))
