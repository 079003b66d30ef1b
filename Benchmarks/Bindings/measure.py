"""How fast the C library and the Python package are beside the command, on one file and number of jobs.

    python measure.py --command PATH --c-benchmark PATH TOKENS.jws

TOKENS.jws has one token a line. Each way is run in turn, round after round, so that all meet the same machine; the
medians are printed as a table, and the ratio to the command's time for the same lines.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from storekit_verify import Verifier


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def import_and_first_verdict(token: str) -> float:
    """A process of its own measures itself from before the import on: the cost for a host, without Python's own start."""
    code = (
        "import time; start = time.perf_counter()\n"
        "from storekit_verify import Verifier\n"
        f"Verifier().verify({token!r})\n"
        "print(time.perf_counter() - start)"
    )
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)


def apple(tokens: list[str]) -> Callable[[], object] | None:
    """Apple's own library on the same tokens, without online checks; None where it is not installed."""
    try:
        from appstoreserverlibrary.models.Environment import Environment
        from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
    except ImportError:
        return None
    import base64
    import json

    roots = [base64.b64decode(json.loads(base64.urlsafe_b64decode(tokens[0].split(".")[0] + "=="))["x5c"][2])]

    def work() -> None:
        for token in tokens:
            payload = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
            environment = Environment(payload["environment"])
            SignedDataVerifier(
                roots, False, environment, payload["bundleId"], 1
            ).verify_and_decode_signed_transaction(token)

    return work


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--command", required=True)
    arguments.add_argument("--c-benchmark", required=True, help="the program of measure.c")
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("tokens", type=Path)
    options = arguments.parse_args()

    lines = options.tokens.read_text().split()
    array = pa.array(lines)
    few = lines[:300]
    ours = apple(few)
    for jobs in (1, 2):
        verifier = Verifier(jobs=jobs)
        expected = verifier.verify_many(lines).verified_count
        command = [options.command, "--jobs", str(jobs), str(options.tokens)]
        c_program = [options.c_benchmark, str(options.tokens), str(jobs)]
        ways: dict[str, Callable[[], float]] = {
            "command, file to /dev/null": lambda: seconds(
                lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
            ),
            "verify_arrow": lambda: seconds(lambda: verifier.verify_arrow(array)),
            "verify_arrow, rows": lambda: seconds(lambda: verifier.verify_arrow(array, form="rows")),
            "verify_many of a list of str": lambda: seconds(lambda: verifier.verify_many(lines)),
        }
        first_call, later_call = "C, one buffer, first call of a process", "C, one buffer"
        times: dict[str, list[float]] = {name: [] for name in [*list(ways)[:1], first_call, later_call, *list(ways)[1:]]}
        for _ in range(options.rounds):
            for name, way in ways.items():
                times[name].append(way())
            done = subprocess.run(c_program, capture_output=True, check=True)
            for name, text in zip((first_call, later_call), done.stdout.split()):
                times[name].append(float(text))
        base = statistics.median(times["command, file to /dev/null"])
        print(f"\n{jobs} job(s), {len(lines)} tokens, {expected} verified, medians of {options.rounds} rounds\n")
        print("| way | tokens/s | ÷ command |\n|---|---:|---:|")
        for name, found in times.items():
            median = statistics.median(found)
            print(f"| {name} | {len(lines) / median:,.0f} | {base / median:.2f} |")
        if jobs == 1 and ours is not None:
            each = statistics.median(seconds(ours) for _ in range(3)) / len(few)
            arrow = statistics.median(times["verify_arrow"]) / len(lines)
            print(f"| Apple's Python library | {1 / each:,.0f} | verify_arrow is {each / arrow:,.0f} times as fast |")
    first = statistics.median(import_and_first_verdict(lines[0]) for _ in range(15))
    print(f"\nimport and first verdict: {first * 1000:.1f} ms (median of 15 processes)")


if __name__ == "__main__":
    main()
