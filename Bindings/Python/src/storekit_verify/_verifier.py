from __future__ import annotations

import ctypes
import datetime
import json
import uuid
from array import array
from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref, c_int32, c_int64, c_size_t, c_void_p
from itertools import accumulate, islice
from typing import Any, Literal, Union, overload

from . import _arrow
from ._library import Bytes, call, check, library

Token = Union[str, bytes]
Environment = Literal["Production", "Sandbox", "Xcode", "LocalTesting"]
Revocation = Literal["off", "soft", "hard"]
Engine = Literal["auto", "portable", "vector", "libcrypto"]

_TYPED = 2
_IN_ONE_THREAD = 4
_PAYLOAD, _MESSAGE, _DETAIL, _MEMBER = range(4)
_MESSAGE_BYTES = 512
_REVOCATION_UNKNOWN = 7
_CODES: list[str] = [library.skv_code_name(code).decode() for code in range(12)]
_KINDS: list[str | None] = [None] + [library.skv_kind_name(kind).decode() for kind in range(1, 8)]
_LINE_FORMATS = {"ndjson": 0, "typed": 1, "rows": 2, "csv": 3}
# With their results, the tokens of one call stay in the core's cache.
_TOKENS_PER_CALL = 1024


class VerificationError(Exception):
    """A payload that is not verified.

    Attributes:
        error: the stable code of the failed check, such as ``"invalidSignature"``.
        detail: a finer code.
        at: the path of the member in a notification that failed, or ``None``.
        message: a sentence that names the failure and both sides of the comparison.
        retryable: whether the same payload may pass later, because nothing said whether a certificate was revoked.
    """

    def __init__(self, error: str, detail: str, at: str | None, message: str, retryable: bool) -> None:
        super().__init__(f"{error}: {message}")
        self.error = error
        self.detail = detail
        self.at = at
        self.message = message
        self.retryable = retryable

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.error, self.detail, self.at, self.message, self.retryable)


class _Results:
    """The results of one call, which are freed with their last view."""

    __slots__ = ("_pointer", "codes", "count", "kinds", "_texts")

    def __init__(self, pointer: int) -> None:
        self._pointer = pointer
        self.count: int = library.skv_results_count(pointer)
        self.codes = library.skv_results_codes(pointer)
        self.kinds = library.skv_results_kinds(pointer)
        self._texts: list[tuple[int, Any] | None] = [None] * 4

    def verified_count(self) -> int:
        count: int = library.skv_results_verified_count(self._pointer)
        return count

    def text(self, column: int, row: int) -> bytes:
        found = self._texts[column]
        if found is None:
            offsets = ctypes.POINTER(c_int64)()
            base = library.skv_results_text(self._pointer, column, byref(offsets))
            found = self._texts[column] = (base, offsets)
        base, offsets = found
        start = offsets[row]
        return ctypes.string_at(base + start, offsets[row + 1] - start)

    def __del__(self, _free: Any = library.skv_results_free) -> None:
        _free(self._pointer)


class Verdict:
    """The verdict on one payload: a view that keeps the results of its call alive.

    Texts are copied out when they are asked for; ``payload`` is parsed each time.
    """

    __slots__ = ("_results", "_row")

    def __init__(self, results: _Results, row: int) -> None:
        self._results = results
        self._row = row

    @property
    def verified(self) -> bool:
        """Whether the payload has passed every check."""
        return bool(self._results.codes[self._row] == 0)

    def __bool__(self) -> bool:
        return self.verified

    @property
    def kind(self) -> str | None:
        """``"transaction"``, ``"renewalInfo"``, ``"appTransaction"``, ``"notification"``, ``"realtimeRequest"``,
        ``"receipt"`` or ``"unknown"``; ``None`` if the payload is not verified."""
        kind: int = self._results.kinds[self._row]
        return _KINDS[kind]

    @property
    def json(self) -> str | None:
        """The signed JSON, as it was signed; ``None`` if the payload is not verified."""
        return self._results.text(_PAYLOAD, self._row).decode() if self.verified else None

    @property
    def payload(self) -> dict[str, Any] | None:
        """The signed JSON as Python's objects; ``None`` if the payload is not verified."""
        return json.loads(self._results.text(_PAYLOAD, self._row)) if self.verified else None

    @property
    def error(self) -> str | None:
        """The code of the failed check; ``None`` if the payload is verified."""
        code: int = self._results.codes[self._row]
        return None if code == 0 else _CODES[code]

    @property
    def detail(self) -> str | None:
        """A finer code; ``None`` if the payload is verified."""
        return None if self.verified else self._results.text(_DETAIL, self._row).decode()

    @property
    def at(self) -> str | None:
        """The path of the member in a notification that failed, if one did."""
        return self._results.text(_MEMBER, self._row).decode() or None

    @property
    def message(self) -> str | None:
        """Why the payload is not verified, in a sentence; ``None`` if it is."""
        return None if self.verified else self._results.text(_MESSAGE, self._row).decode()

    @property
    def retryable(self) -> bool:
        """Whether the same payload may pass later."""
        return bool(self._results.codes[self._row] == _REVOCATION_UNKNOWN)

    def get(self) -> Payload:
        """The verified payload.

        Raises:
            VerificationError: if the payload is not verified.
        """
        if self.verified:
            return Payload(self._results.text(_PAYLOAD, self._row).decode(), self.kind or "unknown")
        raise VerificationError(
            self.error or "", self.detail or "", self.at, self.message or "", self.retryable
        )

    def __repr__(self) -> str:
        if self.verified:
            return f"<Verdict verified {self.kind}>"
        return f"<Verdict {self.error}: {self.message}>"


class Payload:
    """A verified payload.

    Attributes:
        json: the signed JSON, as it was signed.
        kind: as in ``Verdict.kind``.
    """

    __slots__ = ("json", "kind")

    def __init__(self, json: str, kind: str) -> None:
        self.json = json
        self.kind = kind

    @property
    def payload(self) -> dict[str, Any]:
        """The signed JSON as Python's objects. It is parsed each time."""
        parsed: dict[str, Any] = json.loads(self.json)
        return parsed

    def __repr__(self) -> str:
        return f"<Payload {self.kind} {self.json}>"


class Verdicts(Sequence[Verdict]):
    """The verdicts on many payloads, in their order. Each is made when it is asked for."""

    __slots__ = ("_chunks", "_starts", "_count")

    def __init__(self, chunks: list[_Results]) -> None:
        self._chunks = chunks
        self._starts = list(accumulate((chunk.count for chunk in chunks), initial=0))
        self._count = self._starts.pop()

    def __len__(self) -> int:
        return self._count

    @property
    def verified_count(self) -> int:
        """How many payloads are verified."""
        return sum(chunk.verified_count() for chunk in self._chunks)

    @overload
    def __getitem__(self, index: int) -> Verdict: ...

    @overload
    def __getitem__(self, index: slice) -> list[Verdict]: ...

    def __getitem__(self, index: int | slice) -> Verdict | list[Verdict]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self._count))]
        number = index + self._count if index < 0 else index
        if not 0 <= number < self._count:
            raise IndexError("there is no such verdict")
        # All chunks but the last have the same number of rows.
        chunk = number // self._chunks[0].count
        return Verdict(self._chunks[chunk], number - self._starts[chunk])

    def __iter__(self) -> Iterator[Verdict]:
        for chunk in self._chunks:
            for row in range(chunk.count):
                yield Verdict(chunk, row)


class Verifier:
    """Verifies payloads under roots and requirements. Any number of threads may share one.

    Args:
        roots: certificates to trust in place of Apple's roots, each one in DER or any number in PEM.
        bundle_ids: accept payloads of these apps only; neither the list nor a string in it may be empty.
        app_apple_id: accept payloads of the app with this number only, where a payload has one.
        environments: accept payloads of these environments only; the list may not be empty.
        device_id: accept payloads made for this device only.
        effective_date: judge certificates at this date instead of each payload's own; a string of ISO 8601, or a
            datetime with a time zone.
        max_token_bytes: refuse longer tokens (1 MiB).
        revocation: ask by OCSP over HTTP whether certificates were revoked. ``"soft"`` accepts a certificate if no
            responder answers, ``"hard"`` refuses it then.
        engine: the code for signatures of frequent keys; verdicts are the same.
        jobs: the most threads of one call, the caller's own included.

    Raises:
        ValueError: an option or a root is not usable; the text says which and why.
        TypeError: a root is not ``bytes``.
    """

    def __init__(
        self,
        *,
        roots: Iterable[bytes] | None = None,
        bundle_ids: Iterable[str] | None = None,
        app_apple_id: int | None = None,
        environments: Iterable[Environment] | None = None,
        device_id: str | uuid.UUID | None = None,
        effective_date: str | datetime.datetime | None = None,
        max_token_bytes: int | None = None,
        revocation: Revocation = "off",
        engine: Engine = "auto",
        jobs: int = 1,
    ) -> None:
        self._pointer: int | None = None
        if isinstance(effective_date, datetime.datetime):
            if effective_date.tzinfo is None:
                raise ValueError("effective_date needs a time zone")
            effective_date = effective_date.isoformat()
        for name, texts in (("bundle_ids", bundle_ids), ("environments", environments)):
            if isinstance(texts, (str, bytes)):
                raise TypeError(f"{name} must be a list of strings, not one string")
        options = {
            "bundleIds": None if bundle_ids is None else list(bundle_ids),
            "appAppleId": app_apple_id,
            "environments": None if environments is None else list(environments),
            "deviceId": str(device_id) if isinstance(device_id, uuid.UUID) else device_id,
            "effectiveDate": effective_date,
            "maxTokenBytes": max_token_bytes,
            "revocation": revocation,
            "engine": engine,
            "jobs": jobs,
        }
        text = json.dumps({name: value for name, value in options.items() if value is not None}).encode()
        certificates = [bytes(memoryview(root)) for root in roots] if roots is not None else []
        if roots is not None and not certificates:
            # No root given means Apple's. An empty list would trust no certificate, so it is refused.
            raise ValueError("roots is empty: nothing would be trusted")
        buffers = (Bytes * max(1, len(certificates)))()
        for buffer, certificate in zip(buffers, certificates):
            buffer.bytes = ctypes.cast(ctypes.c_char_p(certificate), c_void_p)
            buffer.length = len(certificate)
        pointer = c_void_p()
        message = ctypes.create_string_buffer(_MESSAGE_BYTES)
        with call():
            status = library.skv_verifier_create(
                buffers, len(certificates), text, len(text), byref(pointer), message, _MESSAGE_BYTES
            )
        check(status, message.value.decode() or None)
        self._pointer = pointer.value
        self._jobs = jobs

    def __del__(self, _free: Any = library.skv_verifier_free) -> None:
        pointer = getattr(self, "_pointer", None)
        if pointer is not None:
            _free(pointer)

    def __reduce__(self) -> Any:
        raise TypeError("a Verifier cannot be pickled: make one in each process")

    def verify(self, token: Token, *, typed: bool = False) -> Payload:
        """Verifies a compact JWS, a JSON object around one, or an app receipt in base64.

        Args:
            token: the token, with nothing before or after it.
            typed: give the payload by StoreKit's names, dates in ISO 8601, prices as decimals.

        Raises:
            VerificationError: the payload is not verified.
        """
        return self._verify_one(library.skv_verify_token, _encoded(token), typed)

    def _verify_one(self, function: Any, data: bytes, typed: bool) -> Payload:
        pointer = c_void_p()
        with call():
            status = function(self._pointer, data, len(data), _TYPED if typed else 0, byref(pointer))
        check(status)
        return Verdict(_Results(pointer.value or 0), 0).get()

    def verify_many(self, tokens: Iterable[Token], *, typed: bool = False) -> Verdicts:
        """Verifies many tokens, each as in ``verify``; never raises for a token.

        Returns:
            A verdict for each token, in their order. They keep the payloads in memory, outside of Python's objects.

        Raises:
            TypeError: an element is neither ``str`` nor ``bytes``, or ``tokens`` is itself one token.
        """
        if isinstance(tokens, (str, bytes, bytearray, memoryview)):
            raise TypeError("verify_many takes a list of tokens, not one token: verify takes one")
        rest = iter(tokens)
        chunks = iter(lambda: list(islice(rest, _TOKENS_PER_CALL)), [])
        if self._jobs == 1:
            return Verdicts([self._verify_chunk(_joined(chunk), typed) for chunk in chunks])
        # Few need these, and importing them takes longer than a verdict.
        import collections
        import concurrent.futures

        # While threads verify, this one joins the tokens of the next calls; no more of them than threads have to do.
        done: list[_Results] = []
        waiting: collections.deque[concurrent.futures.Future[_Results]] = collections.deque()
        with concurrent.futures.ThreadPoolExecutor(self._jobs) as threads:
            for chunk in chunks:
                waiting.append(threads.submit(self._verify_chunk, _joined(chunk), typed))
                if len(waiting) > 2 * self._jobs:
                    done.append(waiting.popleft().result())
            done.extend(future.result() for future in waiting)
        return Verdicts(done)

    def _verify_chunk(self, joined: tuple[bytes, list[int]], typed: bool) -> _Results:
        data, lengths = joined
        offsets = array("q", accumulate(lengths, initial=0))
        pointer = c_void_p()
        with call():
            status = library.skv_verify64(
                self._pointer,
                data,
                len(data),
                offsets.buffer_info()[0],
                len(lengths),
                _IN_ONE_THREAD | (_TYPED if typed else 0),
                byref(pointer),
            )
        check(status)
        return _Results(pointer.value or 0)

    def verify_receipt(self, content: bytes, *, typed: bool = False) -> Payload:
        """Verifies the content of a receipt's file: PKCS #7 in DER, or its base64.

        Raises:
            VerificationError: the receipt is not verified.
        """
        return self._verify_one(library.skv_verify_receipt, bytes(memoryview(content)), typed)

    def verify_lines(
        self, lines: bytes | bytearray | memoryview, *, format: Literal["ndjson", "typed", "rows", "csv"] = "ndjson"
    ) -> bytes:
        """The command's output about lines, one token or object each."""
        if format not in _LINE_FORMATS:
            raise ValueError(f"format must be one of {', '.join(_LINE_FORMATS)}")
        data = bytes(memoryview(lines))
        text, length = c_void_p(), c_size_t()
        with call():
            status = library.skv_verify_lines(
                self._pointer, data, len(data), _LINE_FORMATS[format], byref(text), byref(length), None
            )
        check(status)
        return _taken(text, length)

    def inspect(self, token: Token, *, json: bool = False) -> str:
        """Lays out a token or receipt for a person, or as one JSON object: chain, dates, payload, each check with its
        result. Unverified content is shown too, and labelled. The token may stand in other text, such as a mail, a log
        line or JSON: of several, the first one is laid out. The object's ``notes`` name the rest."""
        data = _encoded(token)
        text, length, verified = c_void_p(), c_size_t(), c_int32()
        with call():
            status = library.skv_inspect(
                self._pointer, data, len(data), int(json), byref(text), byref(length), byref(verified)
            )
        check(status)
        return _taken(text, length).decode()

    def verify_arrow(self, tokens: Any, *, form: Literal["verdicts", "typed", "rows"] = "verdicts") -> Any:
        """Verifies an Arrow array of strings or binary, without copying it.

        Args:
            tokens: anything with ``__arrow_c_array__`` or ``__arrow_c_stream__``: an array or a column of pyarrow, a
                series of polars; or a series of pandas.
            form: ``"verdicts"`` gives verified, type, error, retryable, at, detail, message and payload; ``"typed"`` the
                same with payloads by StoreKit's names; ``"rows"`` a typed column for each member, null where absent.

        Returns:
            A struct array with a row for each element; a null token gives a null row. With pyarrow installed it is a
            ``StructArray`` for an array, and a ``ChunkedArray`` for a stream; otherwise an object with
            ``__arrow_c_array__``, or a list of them.

        Raises:
            TypeError: the object is not of strings or binary.
        """
        return _arrow.verify(self._pointer, tokens, form)


def device_hash(nonce: str | uuid.UUID, device_id: str | uuid.UUID) -> str:
    """The value of ``deviceVerification`` for a nonce and a device, in base64.

    Raises:
        ValueError: one of them is not a UUID.
    """
    text = ctypes.create_string_buffer(65)
    given = [str(nonce), str(device_id)]
    # The library takes strings of C, which end at a zero byte.
    if any("\0" in each for each in given) or library.skv_device_hash(*map(str.encode, given), text) != 0:
        raise ValueError("the nonce and the device must be UUIDs")
    return text.value.decode()


def _encoded(token: Token) -> bytes:
    # A lone surrogate has no UTF-8. It becomes bytes that no token has, and the verdict says so.
    return token.encode("utf-8", "surrogatepass") if isinstance(token, str) else bytes(memoryview(token))


def _joined(tokens: list[Token]) -> tuple[bytes, list[int]]:
    try:
        text = "".join(tokens)  # type: ignore[arg-type]
        if text.isascii():
            return text.encode(), list(map(len, tokens))
    except TypeError:
        pass
    for token in tokens:
        if not isinstance(token, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"a token must be str or bytes, not {type(token).__name__}")
    encoded = [_encoded(token) for token in tokens]
    return b"".join(encoded), list(map(len, encoded))


def _taken(text: c_void_p, length: c_size_t) -> bytes:
    try:
        return ctypes.string_at(text.value or 0, length.value)
    finally:
        library.skv_free(text)
