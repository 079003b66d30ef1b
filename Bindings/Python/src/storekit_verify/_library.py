"""The functions of storekit_verify.h, by ctypes, which lets other threads run during each call."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Iterator
from ctypes import POINTER, c_char, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint32, c_void_p

NAME = "libstorekitverify.so.1"


class Bytes(ctypes.Structure):
    """skv_bytes"""

    _fields_ = [("bytes", c_void_p), ("length", c_size_t)]


class ArrowSchema(ctypes.Structure):
    """A schema of the Arrow C data interface."""

    _fields_ = [
        ("format", c_char_p),
        ("name", c_char_p),
        ("metadata", c_char_p),
        ("flags", c_int64),
        ("n_children", c_int64),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


class ArrowArray(ctypes.Structure):
    """An array of the Arrow C data interface."""

    _fields_ = [
        ("length", c_int64),
        ("null_count", c_int64),
        ("offset", c_int64),
        ("n_buffers", c_int64),
        ("n_children", c_int64),
        ("buffers", c_void_p),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


class ArrowStream(ctypes.Structure):
    """A stream of the Arrow C stream interface."""

    _fields_ = [
        ("get_schema", c_void_p),
        ("get_next", c_void_p),
        ("get_last_error", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


def _load() -> ctypes.CDLL:
    path = os.environ.get("STOREKIT_VERIFY_LIBRARY") or os.path.join(os.path.dirname(os.path.abspath(__file__)), NAME)
    library = ctypes.CDLL(path)
    out = POINTER(c_void_p)
    results = [c_uint32, out]
    for name, result, arguments in [
        ("skv_version_string", c_char_p, []),
        ("skv_status_message", c_char_p, [c_int32]),
        ("skv_code_name", c_char_p, [c_int32]),
        ("skv_kind_name", c_char_p, [c_int32]),
        (
            "skv_verifier_create",
            c_int32,
            [POINTER(Bytes), c_size_t, c_char_p, c_size_t, out, POINTER(c_char), c_size_t],
        ),
        ("skv_verifier_free", None, [c_void_p]),
        ("skv_verify_token", c_int32, [c_void_p, c_char_p, c_size_t, *results]),
        ("skv_verify64", c_int32, [c_void_p, c_char_p, c_size_t, c_void_p, c_size_t, *results]),
        ("skv_verify_receipt", c_int32, [c_void_p, c_char_p, c_size_t, *results]),
        ("skv_results_count", c_size_t, [c_void_p]),
        ("skv_results_verified_count", c_size_t, [c_void_p]),
        ("skv_results_codes", POINTER(c_uint8), [c_void_p]),
        ("skv_results_kinds", POINTER(c_uint8), [c_void_p]),
        ("skv_results_text", c_void_p, [c_void_p, c_int32, POINTER(POINTER(c_int64))]),
        ("skv_results_free", None, [c_void_p]),
        (
            "skv_verify_lines",
            c_int32,
            [c_void_p, c_void_p, c_size_t, c_int32, out, POINTER(c_size_t), POINTER(c_size_t)],
        ),
        (
            "skv_inspect",
            c_int32,
            [c_void_p, c_char_p, c_size_t, c_int32, out, POINTER(c_size_t), POINTER(c_int32)],
        ),
        ("skv_free", None, [c_void_p]),
        ("skv_device_hash", c_int32, [c_char_p, c_char_p, POINTER(c_char)]),
        (
            "skv_verify_arrow",
            c_int32,
            [
                c_void_p,
                c_void_p,
                c_void_p,
                c_int32,
                POINTER(ArrowSchema),
                POINTER(ArrowArray),
                POINTER(c_char),
                c_size_t,
            ],
        ),
    ]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()

_state = threading.Condition()
_calls = 0
_forks = 0
_own = threading.local()


@contextlib.contextmanager
def call() -> Iterator[None]:
    """Surrounds each call that may take long: fork() waits for its end, because a thread inside the library would leave
    the child with locks that stay closed."""
    global _calls
    with _state:
        # Calls that never stop coming would keep fork() waiting.
        _state.wait_for(lambda: _forks == 0)
        _calls += 1
        _own.calls = getattr(_own, "calls", 0) + 1
    try:
        yield
    finally:
        with _state:
            _calls -= 1
            _own.calls -= 1
            _state.notify_all()


def _before_fork() -> None:
    global _forks
    _state.acquire()
    _forks += 1
    # A handler of signals may fork while its own thread has just left the library.
    _state.wait_for(lambda: _calls == getattr(_own, "calls", 0))


def _after_fork() -> None:
    global _forks
    _forks -= 1
    _state.notify_all()
    _state.release()


def _after_fork_in_child() -> None:
    global _calls, _forks
    # The child has one thread. Others that waited to fork are not in it.
    _calls, _forks = getattr(_own, "calls", 0), 1
    _after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child
    )


def check(status: int, message: str | None = None) -> None:
    """Raises the error of a status, unless it is SKV_OK."""
    if status == 0:
        return
    text = message or library.skv_status_message(status).decode()
    if status == -6:
        raise MemoryError(text)
    raise ValueError(text)
