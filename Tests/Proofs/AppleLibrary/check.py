"""Apple's own library as the client of `storekit-test serve`: every method that it has, the errors, and its verifier for
everything that is signed. Exit status 0 means that all was as Apple's library expects it."""

import argparse
import sys
from collections import Counter

from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

from server import Receiver, Server
import cases_errors
import cases_fetching
import cases_messaging
import cases_notifications
import cases_purchases
import cases_scenarios
import cases_signatures

BUNDLE_ID = "com.example.garden"
APPLE_ID = 1234567890


class CountingClient(AppStoreServerAPIClient):
    """Apple's client, which counts the calls of its methods."""

    def __init__(self, url, *arguments):
        super().__init__(*arguments)
        self._base_url = url
        self.calls = Counter()

    def __getattribute__(self, name):
        value = super().__getattribute__(name)
        if callable(value) and not name.startswith("_"):
            self.calls[name] += 1
        return value

    def methods(self):
        """The names of all methods that Apple's client has."""
        own = vars(AppStoreServerAPIClient)
        return {name for name, value in own.items() if callable(value) and not name.startswith("_")}


class Check:
    """The scene of the cases: the server, the client, the verifier, and the count of passed checks."""

    def __init__(self, command, signer, environment, *options):
        self.command = command
        self.signer = signer
        self.receiver = Receiver()
        self.environment = environment
        self.server = Server(
            command, "--seed", "7", "--environment", environment.value, "--forward-to", self.receiver.url,
            "--retries", "5", *options)
        self.client = self.new_client(self.server.key)
        self.verifier = SignedDataVerifier([self.server.root], False, environment, BUNDLE_ID, APPLE_ID)
        self.held = 0
        self.verified = 0
        self.failures = []

    def new_client(self, key, key_id="TESTKEY123", issuer="99b16628-15e4-4668-972b-eeff55eeff55", bundle_id=BUNDLE_ID):
        return CountingClient(self.server.url, key, key_id, issuer, bundle_id, self.environment)

    def that(self, holds, what):
        """Counts passed checks, and reports the others."""
        if holds:
            self.held += 1
        else:
            self.failures.append(what)
            print(f"FAILED: {what}", file=sys.stderr)

    def equal(self, found, expected, what):
        self.that(found == expected, f"{what}: {found!r} is not {expected!r}")

    def refused(self, error, call, what=""):
        """The call must fail with one of Apple's errors, whose first digits are the status."""
        try:
            call()
        except APIException as exception:
            self.equal((exception.api_error, exception.http_status_code), (error, error.value // 10000), what or error.name)
            self.that(bool(exception.error_message), f"{error.name} has no message")
            return
        self.that(False, f"{what or error.name}: the call was not refused")

    # Signed payloads, verified by Apple's code.

    def transaction(self, token):
        self.verified += 1
        return self.verifier.verify_and_decode_signed_transaction(token)

    def renewal(self, token):
        self.verified += 1
        return self.verifier.verify_and_decode_renewal_info(token)

    def notification(self, token):
        """A notification, with the payloads inside it."""
        self.verified += 1
        notification = self.verifier.verify_and_decode_notification(token)
        if notification.data is not None and notification.data.signedTransactionInfo is not None:
            self.transaction(notification.data.signedTransactionInfo)
        if notification.data is not None and notification.data.signedRenewalInfo is not None:
            self.renewal(notification.data.signedRenewalInfo)
        return notification

    def realtime_request(self, token):
        self.verified += 1
        return self.verifier.verify_and_decode_realtime_request(token)

    def app_transaction(self, token):
        self.verified += 1
        return self.verifier.verify_and_decode_app_transaction(token)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", required=True, help="storekit-test, built with the trait TestServer")
    parser.add_argument("--signer", required=True, help="storekit-verify")
    arguments = parser.parse_args()
    held = verified = methods = 0
    for environment in [Environment.SANDBOX, Environment.PRODUCTION]:
        check = Check(arguments.command, arguments.signer, environment)
        for cases in [cases_purchases, cases_notifications, cases_messaging, cases_errors, cases_scenarios,
                      cases_signatures, cases_fetching]:
            cases.run(check)
        missing = check.client.methods() - set(check.client.calls)
        check.that(not missing, f"methods of Apple's client that were not called: {sorted(missing)}")
        # Ctrl-C does not wait for a request that lets years pass.
        check.server.let_a_century_pass()
        check.equal(check.server.interrupt(), (0, ""), "what Ctrl-C leaves")
        if check.failures:
            sys.exit(f"{environment.value}: {len(check.failures)} of {check.held + len(check.failures)} checks failed")
        held, verified, methods = held + check.held, verified + check.verified, len(check.client.methods())
    print(f"Apple's client: all {methods} methods in 2 environments, {held} checks; its verifier: {verified} payloads")


if __name__ == "__main__":
    main()
