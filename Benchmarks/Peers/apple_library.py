"""Times Apple's app-store-server-library: apple_library.py ROOT TOKENS COUNT

Verifies COUNT transactions from the file TOKENS, one on each line, under the root certificate ROOT (DER), with online
checks off. Prints the seconds that this took. Ends with an error if it refuses a good one or accepts a bad one.
"""

import itertools
import sys
import time

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException


def main():
    root, tokens, count = sys.argv[1:]
    with open(root, "rb") as file:
        certificate = file.read()
    with open(tokens, encoding="ascii") as file:
        lines = [line.rstrip("\n") for line in itertools.islice(file, int(count))]
    verifier = SignedDataVerifier([certificate], False, Environment.SANDBOX, "com.example.garden")

    verifier.verify_and_decode_signed_transaction(lines[0])
    place = len(lines[0]) - 20
    flipped = lines[0][:place] + ("B" if lines[0][place] == "A" else "A") + lines[0][place + 1 :]
    try:
        verifier.verify_and_decode_signed_transaction(flipped)
        sys.exit("a bad signature was accepted")
    except VerificationException:
        pass

    start = time.perf_counter()
    for index in range(int(count)):
        verifier.verify_and_decode_signed_transaction(lines[index % len(lines)])
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main()
