"""Retention messages: images, messages, defaults, the server that chooses them, and its performance."""

import struct
import time
from uuid import UUID

from appstoreserverlibrary.api_client import APIError
from appstoreserverlibrary.models.BulletPoint import BulletPoint
from appstoreserverlibrary.models.DefaultConfigurationRequest import DefaultConfigurationRequest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.HeaderPosition import HeaderPosition
from appstoreserverlibrary.models.ImageSize import ImageSize
from appstoreserverlibrary.models.ImageState import ImageState
from appstoreserverlibrary.models.MessageState import MessageState
from appstoreserverlibrary.models.PerformanceTestRequest import PerformanceTestRequest
from appstoreserverlibrary.models.PerformanceTestStatus import PerformanceTestStatus
from appstoreserverlibrary.models.RealtimeUrlRequest import RealtimeUrlRequest
from appstoreserverlibrary.models.UploadMessageImage import UploadMessageImage
from appstoreserverlibrary.models.UploadMessageRequestBody import UploadMessageRequestBody

from server import Chooser

IMAGE = UUID("a1c7c1d4-5b6e-4c4f-8d2a-0f2f3d9b1111")
BULLET = UUID("a1c7c1d4-5b6e-4c4f-8d2a-0f2f3d9b2222")
MESSAGE = UUID("a1c7c1d4-5b6e-4c4f-8d2a-0f2f3d9b3333")
UNKNOWN = UUID("a1c7c1d4-5b6e-4c4f-8d2a-0f2f3d9b4444")
# A header of 3840 × 2160 pixels in red, green and blue, and the end. Checksums are not compared.
PNG = (b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBBI", 13, b"IHDR", 3840, 2160, 8, 2, 0, 0, 0, 0)
       + struct.pack(">I4sI", 0, b"IEND", 0))
PRODUCT = "com.example.garden.plus.monthly"


def run(check):
    images_and_messages(check)
    realtime(check)


def images_and_messages(check):
    client, refused = check.client, check.refused
    client.upload_image(IMAGE, PNG)
    client.upload_image(BULLET, PNG, ImageSize.BULLET_POINT)
    refused(APIError.IMAGE_ALREADY_EXISTS, lambda: client.upload_image(IMAGE, PNG))
    refused(APIError.INVALID_IMAGE, lambda: client.upload_image(UNKNOWN, b"GIF89a"))
    first = (ImageState.PENDING, MessageState.PENDING) if is_production(check) else (
        ImageState.APPROVED, MessageState.APPROVED)
    images = {item.imageIdentifier: (item.imageState, item.imageSize) for item in client.get_image_list().imageIdentifiers}
    check.equal(images, {IMAGE: (first[0], ImageSize.FULL_SIZE), BULLET: (first[0], ImageSize.BULLET_POINT)}, "images")
    body = UploadMessageRequestBody(
        header="Stay", body="The roses are in bloom.", image=UploadMessageImage(IMAGE, "Roses"),
        headerPosition=HeaderPosition.ABOVE_IMAGE, bulletPoints=[BulletPoint("All plants", BULLET, "A plant")])
    client.upload_message(MESSAGE, body)
    refused(APIError.MESSAGE_ALREADY_EXISTS, lambda: client.upload_message(MESSAGE, body))
    lost = UploadMessageRequestBody(header="Stay", body="Please.", image=UploadMessageImage(UNKNOWN, "Nothing"))
    refused(APIError.IMAGE_NOT_FOUND, lambda: client.upload_message(UNKNOWN, lost))
    bare = UploadMessageRequestBody(header="Stay", body="Please.", headerPosition=HeaderPosition.ABOVE_IMAGE)
    refused(APIError.BAD_REQUEST_ABOVE_IMAGE_REQUIRES_AN_IMAGE, lambda: client.upload_message(UNKNOWN, bare))
    messages = [(item.messageIdentifier, item.messageState) for item in client.get_message_list().messageIdentifiers]
    check.equal(messages, [(MESSAGE, first[1])], "messages")
    if is_production(check):
        refused(APIError.MESSAGE_NOT_APPROVED, lambda: client.configure_default_message(
            PRODUCT, "en-US", DefaultConfigurationRequest(messageIdentifier=MESSAGE)))
    check.server.decide("approve")
    defaults(check)
    refused(APIError.IMAGE_IN_USE, lambda: client.delete_image(IMAGE))
    client.delete_message(MESSAGE)
    refused(APIError.MESSAGE_NOT_FOUND, lambda: client.delete_message(MESSAGE))
    client.delete_image(IMAGE)
    refused(APIError.IMAGE_NOT_FOUND, lambda: client.delete_image(IMAGE))


def is_production(check):
    return check.environment == Environment.PRODUCTION


def defaults(check):
    client, refused = check.client, check.refused
    client.configure_default_message(PRODUCT, "en-US", DefaultConfigurationRequest(messageIdentifier=MESSAGE))
    check.equal(client.get_default_message(PRODUCT, "en-US").messageIdentifier, MESSAGE, "the default message")
    refused(APIError.MESSAGE_NOT_FOUND, lambda: client.configure_default_message(
        PRODUCT, "en-US", DefaultConfigurationRequest(messageIdentifier=UNKNOWN)))
    refused(APIError.INVALID_LOCALE, lambda: client.get_default_message(PRODUCT, "english language"))
    refused(APIError.INVALID_PRODUCT_ID, lambda: client.get_default_message("nothing", "en-US"))
    client.delete_default_message(PRODUCT, "en-US")
    refused(APIError.DEFAULT_MESSAGE_NOT_FOUND, lambda: client.get_default_message(PRODUCT, "en-US"))


def realtime(check):
    client, refused = check.client, check.refused
    identifier = check.server.buy("$subscription", "paul")["originalTransactionId"]
    request = PerformanceTestRequest(originalTransactionId=identifier)
    refused(APIError.REALTIME_URL_NOT_FOUND, client.get_realtime_url)
    refused(APIError.REALTIME_URL_NOT_FOUND, lambda: client.initiate_performance_test(request))
    refused(APIError.BAD_REQUEST_REALTIME_URL, lambda: client.configure_realtime_url(
        RealtimeUrlRequest(realtimeURL="nowhere")))
    chooser = Chooser(MESSAGE)
    retain = RealtimeUrlRequest(realtimeURL=chooser.url)
    if is_production(check):
        refused(APIError.FORBIDDEN_NO_PASSING_TEST, lambda: client.configure_realtime_url(retain))
        check.server.decide("pass-performance-test")
    client.configure_realtime_url(retain)
    check.equal(client.get_realtime_url().realtimeURL, chooser.url, "realtimeURL")
    test = client.initiate_performance_test(request)
    check.equal(
        client.get_performance_test_results(test.requestId).result, PerformanceTestStatus.PENDING, "a test that runs")
    refused(APIError.EXISTING_PERFORMANCE_TEST_RUN, lambda: client.initiate_performance_test(request))
    end = time.monotonic() + 120
    while client.get_performance_test_results(test.requestId).result == PerformanceTestStatus.PENDING:
        if time.monotonic() > end:
            break
        time.sleep(0.1)
    result = client.get_performance_test_results(test.requestId)
    check.equal((result.result, result.target), (PerformanceTestStatus.PASS, chooser.url), "a test")
    check.equal((result.numPending, len(chooser.payloads)), (0, result.config.totalRequests), "a test's requests")
    requests = [check.realtime_request(payload) for payload in chooser.payloads]
    check.equal({(one.originalTransactionId, one.productId) for one in requests}, {(identifier, PRODUCT)}, "requests")
    check.equal(len({one.requestIdentifier for one in requests}), len(requests), "identifiers of requests")
    refused(APIError.PERFORMANCE_TEST_RUN_NOT_FOUND, lambda: client.get_performance_test_results(str(UNKNOWN)))
    refused(APIError.INVALID_REQUEST_ID, lambda: client.get_performance_test_results("one"))
    refused(APIError.INVALID_PERFORMANCE_TEST_REQUEST, lambda: client.initiate_performance_test(
        PerformanceTestRequest(originalTransactionId="one")))
    client.delete_realtime_url()
    refused(APIError.REALTIME_URL_NOT_FOUND, client.delete_realtime_url)
