"""Verifies data that Apple's App Store signed: transactions, renewal information, app transactions, server notifications,
realtime requests and app receipts.

>>> from storekit_verify import Verifier
>>> verifier = Verifier(bundle_ids=["com.example.app"])
>>> verifier.verify(token).payload["productId"]

The verdicts, codes and messages are those of the command storekit-verify, to the byte.
"""

from ._library import library
from ._verifier import Payload, VerificationError, Verdict, Verdicts, Verifier, device_hash

__version__: str = library.skv_version_string().decode()

__all__ = ["Payload", "VerificationError", "Verdict", "Verdicts", "Verifier", "device_hash"]
