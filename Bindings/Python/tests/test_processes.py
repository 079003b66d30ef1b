"""Threads, signals, forks and the end of the process. Each is tried hundreds of times, because such faults are rare."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import pytest

from conftest import ROOTS
from storekit_verify import Verifier

ROUNDS = int(os.environ.get("PROCESS_ROUNDS", "300"))


def test_threads(verifier: Verifier, tokens: list[str]) -> None:
    expected = [verdict.json for verdict in verifier.verify_many(tokens)]

    def work(_: int) -> bool:
        return [verdict.json for verdict in verifier.verify_many(tokens)] == expected

    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        assert all(pool.map(work, range(ROUNDS)))


def test_signals(verifier: Verifier, tokens: list[str]) -> None:
    """Signals interrupt system calls, and run Python's handlers between calls."""
    caught = 0

    def handler(*_: object) -> None:
        nonlocal caught
        caught += 1

    former = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        for _ in range(ROUNDS):
            assert verifier.verify_many(tokens * 5).verified_count == 5 * len(tokens)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
    assert caught > 0


def test_fork_while_threads_verify(verifier: Verifier, tokens: list[str]) -> None:
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            verifier.verify_many(tokens)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for number in range(ROUNDS):
            child = os.fork()
            if child == 0:
                # The child must verify too. It ends without what its parent's threads would do at the end.
                signal.alarm(60)
                verdicts = verifier.verify_many(tokens)
                os._exit(0 if verdicts.verified_count == len(tokens) else 1)
            _, status = os.waitpid(child, 0)
            assert status == 0, f"child {number} ended with {status}"
    finally:
        stop.set()
        for thread in threads:
            thread.join()


EXIT = """
import sys, threading
sys.path[:0] = {path!r}
from storekit_verify import Verifier
verifier = Verifier(roots=[open({root!r}, "rb").read()], jobs=2)
tokens = open({tokens!r}).read().split()
ready = threading.Barrier(5)
def work():
    verifier.verify_many(tokens)
    ready.wait()
    while True:
        verifier.verify_many(tokens * 10)
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
ready.wait()
"""


def test_exit_while_threads_verify() -> None:
    """The interpreter ends while daemon threads are inside libcrypto."""
    tokens = ROOTS[0].parents[1] / "valid/transactions.jws"
    code = EXIT.format(path=sys.path, root=str(ROOTS[0]), tokens=str(tokens))
    for number in range(ROUNDS // 2):
        finished = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
        assert finished.returncode == 0, f"round {number}: {finished.returncode} {finished.stderr.decode()}"


def _count(tokens: list[str]) -> int:
    verifier = Verifier(roots=[root.read_bytes() for root in ROOTS])
    return verifier.verify_many(tokens).verified_count


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_other_processes(tokens: list[str], method: str) -> None:
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(_count, [tokens] * 4) == [len(tokens)] * 4


def test_beside_other_users_of_openssl(verifier: Verifier, tokens: list[str]) -> None:
    import hashlib
    import ssl

    def work(_: int) -> int:
        ssl.create_default_context()
        hashlib.sha256(os.urandom(1000)).hexdigest()
        return verifier.verify_many(tokens).verified_count

    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        assert set(pool.map(work, range(ROUNDS))) == {len(tokens)}
