"""A second, plain implementation of storekit-verify's checks of signed payloads, for tests only.

It is written from the contract and the RFCs, and shares no code with the Swift sources. From pyca/cryptography it uses
only elliptic-curve arithmetic and hashes. Clarity comes before speed. It does not verify app receipts.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import lru_cache
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

ORDER_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class Verdict(NamedTuple):
    """A verdict: the type if verified, or else an error code and, in notifications, the path of the member that failed."""

    verified: bool
    word: str
    at: str | None = None


@dataclass(frozen=True)
class Options:
    """The caller's requirements. Without an environment, bundle identifier and so on, that one is not checked."""

    roots: tuple[bytes, ...]
    environments: frozenset[str] = frozenset()
    bundle_ids: frozenset[str] = frozenset()
    app_apple_id: int | None = None
    device_id: str | None = None
    effective_second: int | None = None
    max_token_bytes: int = 1 << 20


class Refused(Exception):
    """The first check that failed."""

    def __init__(self, code: str, at: str | None = None) -> None:
        super().__init__(code)
        self.code, self.at = code, at


# --- JSON (RFC 8259), strict -----------------------------------------------------------------------------------


class Number(str):
    """A number as it is written (RFC 8259, 6), of any size and precision."""


class Object(list[tuple[str, Any]]):
    """An object's members in order, duplicates included (RFC 8259, 4)."""

    def count(self, name: str) -> int:  # type: ignore[override]
        return sum(1 for n, _ in self if n == name)

    def get(self, name: str) -> Any:
        """The first member with that name; None if it is absent or null."""
        return next((v for n, v in self if n == name), None)

    def has(self, name: str) -> bool:
        return any(n == name for n, _ in self)


def has_duplicates(value: Any) -> bool:
    """Whether an object in the value, at any depth, has a name twice."""
    if isinstance(value, Object):
        names = [name for name, _ in value]
        return len(set(names)) < len(names) or any(has_duplicates(member) for _, member in value)
    return isinstance(value, list) and any(has_duplicates(element) for element in value)


class BadJSON(ValueError):
    pass


SPACE = re.compile(r"[ \t\n\r]*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
HEX4 = re.compile(r"[0-9a-fA-F]{4}")
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
MAX_DEPTH = 128
MAXIMUM_CERTIFICATE_BYTES = 16_384  # of each certificate in x5c
MAXIMUM_CERTIFICATES_BYTES = 24_576  # of all certificates in x5c together
MAXIMUM_OTHER_HEADER_BYTES = 65_536  # of a header besides x5c


def parse_json(data: bytes) -> Any:
    """One JSON text: UTF-8 without a byte order mark (RFC 8259, 8.1), nothing but white space around it."""
    try:
        text = data.decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        raise BadJSON("not UTF-8") from error
    value, i = _value(text, _space(text, 0), 0)
    if _space(text, i) != len(text):
        raise BadJSON("something after the value")
    return value


def _space(text: str, i: int) -> int:
    match = SPACE.match(text, i)
    assert match is not None
    return match.end()


def _value(text: str, i: int, depth: int) -> tuple[Any, int]:
    c = text[i : i + 1]
    if c == '"':
        return _string(text, i)
    if c in ("{", "["):
        if depth == MAX_DEPTH:
            raise BadJSON("nested too deep")
        return _object(text, i, depth + 1) if c == "{" else _array(text, i, depth + 1)
    for word, value in (("true", True), ("false", False), ("null", None)):
        if text.startswith(word, i):
            return value, i + len(word)
    match = NUMBER.match(text, i)
    if match is None:
        raise BadJSON("no value")
    return Number(match.group()), match.end()


def _object(text: str, i: int, depth: int) -> tuple[Object, int]:
    members = Object()
    i = _space(text, i + 1)
    if text[i : i + 1] == "}":
        return members, i + 1
    while True:
        if text[i : i + 1] != '"':
            raise BadJSON("no name")
        name, i = _string(text, i)
        i = _space(text, i)
        if text[i : i + 1] != ":":
            raise BadJSON("no colon")
        value, i = _value(text, _space(text, i + 1), depth)
        members.append((name, value))
        i = _space(text, i)
        c = text[i : i + 1]
        if c == "}":
            return members, i + 1
        if c != ",":
            raise BadJSON("no comma")
        i = _space(text, i + 1)


def _array(text: str, i: int, depth: int) -> tuple[list[Any], int]:
    elements: list[Any] = []
    i = _space(text, i + 1)
    if text[i : i + 1] == "]":
        return elements, i + 1
    while True:
        value, i = _value(text, i, depth)
        elements.append(value)
        i = _space(text, i)
        c = text[i : i + 1]
        if c == "]":
            return elements, i + 1
        if c != ",":
            raise BadJSON("no comma")
        i = _space(text, i + 1)


def _string(text: str, i: int) -> tuple[str, int]:
    """A string (RFC 8259, 7); a surrogate escape without its partner (8.2) is refused."""
    parts: list[str] = []
    i += 1
    while True:
        match = PLAIN.match(text, i)
        assert match is not None
        parts.append(match.group())
        i = match.end()
        c = text[i : i + 1]
        if c == '"':
            return "".join(parts), i + 1
        if c != "\\":
            raise BadJSON("unterminated string or control character")
        e = text[i + 1 : i + 2]
        if e in ESCAPES:
            parts.append(ESCAPES[e])
            i += 2
            continue
        if e != "u":
            raise BadJSON("unknown escape")
        unit, i = _unit(text, i + 2)
        if 0xDC00 <= unit <= 0xDFFF:
            raise BadJSON("low surrogate alone")
        if 0xD800 <= unit <= 0xDBFF:
            if text[i : i + 2] != "\\u":
                raise BadJSON("high surrogate alone")
            low, i = _unit(text, i + 2)
            if not 0xDC00 <= low <= 0xDFFF:
                raise BadJSON("high surrogate alone")
            unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)
        parts.append(chr(unit))


def _unit(text: str, i: int) -> tuple[int, int]:
    match = HEX4.match(text, i)
    if match is None:
        raise BadJSON("no four hexadecimal digits")
    return int(match.group(), 16), i + 4


# --- base64 ----------------------------------------------------------------------------------------------------

URL_ALPHABET = re.compile(rb"[A-Za-z0-9_-]*\Z")
STANDARD_ALPHABET = re.compile(rb"[A-Za-z0-9+/]*={0,2}\Z")


def base64url(segment: bytes) -> bytes:
    """Base64url without padding (RFC 7515, 2), in its one canonical spelling (RFC 4648, 3.5)."""
    if URL_ALPHABET.match(segment) is None or len(segment) % 4 == 1:
        raise Refused("invalidEncoding")
    data = base64.urlsafe_b64decode(segment + b"=" * (-len(segment) % 4))
    if base64.urlsafe_b64encode(data).rstrip(b"=") != segment:
        raise Refused("invalidEncoding")
    return data


def base64_standard(text: str) -> bytes:
    """Base64 with padding (RFC 7515, 4.1.6; RFC 4648, 4), in its one canonical spelling."""
    try:
        encoded = text.encode("ascii")
    except UnicodeEncodeError as error:
        raise Refused("invalidEncoding") from error
    if STANDARD_ALPHABET.match(encoded) is None or len(encoded) % 4 != 0:
        raise Refused("invalidEncoding")
    data = base64.b64decode(encoded)
    if base64.b64encode(data) != encoded:
        raise Refused("invalidEncoding")
    return data


# --- DER (X.690) -----------------------------------------------------------------------------------------------


class BadDER(ValueError):
    pass


BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, NULL, OID = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06
BMP_STRING, UNIVERSAL_STRING = 0x1E, 0x1C
ENUMERATED, UTF8_STRING, UTC_TIME, GENERALIZED_TIME, SEQUENCE, SET = 0x0A, 0x0C, 0x17, 0x18, 0x30, 0x31


@dataclass
class Node:
    """One value: its identifier byte, its content, all of its bytes, and its children if it is constructed."""

    tag: int
    content: bytes
    whole: bytes
    children: list[Node] = field(default_factory=list)


def parse_der(data: bytes) -> Node:
    """One value of strict DER with nothing after it."""
    node, end = _node(data, 0, 0)
    if end != len(data):
        raise BadDER("something after the value")
    return node


def _node(data: bytes, start: int, depth: int) -> tuple[Node, int]:
    if depth > 64:
        raise BadDER("nested too deep")
    if start + 2 > len(data):
        raise BadDER("truncated")
    tag = data[start]
    if tag & 0x1F == 0x1F:
        raise BadDER("a tag number that no certificate has")
    length, i = data[start + 1], start + 2
    if length >= 0x80:  # X.690, 8.1.3 and 10.1: definite, in the shortest form
        n = length & 0x7F
        if n == 0 or n > 4 or i + n > len(data) or data[i] == 0:
            raise BadDER("length")
        length = int.from_bytes(data[i : i + n], "big")
        i += n
        if length < 0x80:
            raise BadDER("length longer than needed")
    if i + length > len(data):
        raise BadDER("truncated")
    content = data[i : i + length]
    node = Node(tag, content, data[start : i + length])
    universal, constructed = tag & 0xC0 == 0, tag & 0x20 != 0
    if universal and constructed != (tag & 0x1F in (0x08, 0x0B, 0x10, 0x11)):
        raise BadDER("constructed where DER is primitive, or the reverse")  # X.690, 10.2, 8.9, 8.11
    if constructed:
        at = 0
        while at < len(content):
            child, at = _node(content, at, depth + 1)
            node.children.append(child)
    if universal:
        _check_universal(node)
    return node, i + length


def _check_universal(node: Node) -> None:
    content = node.content
    if node.tag == 0:
        raise BadDER("end of contents")
    if node.tag == BOOLEAN and content not in (b"\x00", b"\xff"):  # X.690, 11.1
        raise BadDER("BOOLEAN")
    if node.tag in (INTEGER, ENUMERATED):  # X.690, 8.3
        if not content:
            raise BadDER("INTEGER of no bytes")
        if len(content) > 1 and (content[0], content[1] >> 7) in ((0, 0), (0xFF, 1)):
            raise BadDER("INTEGER longer than needed")
    if node.tag == BIT_STRING:  # X.690, 8.6 and 11.2
        if not content or content[0] > 7 or (len(content) == 1 and content[0] != 0):
            raise BadDER("BIT STRING")
        if content[-1] & ((1 << content[0]) - 1) and len(content) > 1:
            raise BadDER("BIT STRING with unused bits set")
    if node.tag == NULL and content:
        raise BadDER("NULL")
    if node.tag == OID:  # X.690, 8.19
        if not content or content[-1] & 0x80:
            raise BadDER("OBJECT IDENTIFIER")
        if any(b == 0x80 and (i == 0 or not content[i - 1] & 0x80) for i, b in enumerate(content)):
            raise BadDER("OBJECT IDENTIFIER longer than needed")
    if node.tag == UTF8_STRING:
        try:
            content.decode("utf-8", "strict")
        except UnicodeDecodeError as error:
            raise BadDER("UTF8String") from error
    if (node.tag == BMP_STRING and len(content) % 2) or (node.tag == UNIVERSAL_STRING and len(content) % 4):
        raise BadDER("half a character")
    if node.tag in (UTC_TIME, GENERALIZED_TIME):
        time_of(node)
    if node.tag == SET:  # X.690, 11.6; certificates contain only SET OF
        encodings = [child.whole for child in node.children]
        if encodings != sorted(encodings):
            raise BadDER("SET OF out of order")


SECONDS_OF_2000_YEARS = 5 * 146097 * 86400  # five times 400 years


def time_of(node: Node) -> int:
    """Seconds since 1970 of a UTCTime or GeneralizedTime (RFC 5280, 4.1.2.5): seconds, no fraction, Z."""
    form = {UTC_TIME: rb"[0-9]{12}Z\Z", GENERALIZED_TIME: rb"[0-9]{14}Z\Z"}.get(node.tag)
    if form is None or re.match(form, node.content) is None:
        raise BadDER("time")
    digits = node.content[:-1].decode("ascii")
    if node.tag == UTC_TIME:
        digits = ("19" if digits >= "50" else "20") + digits
    if digits.startswith("0000"):  # Python has no year 0; the year 2000 is as long
        return time_of(Node(GENERALIZED_TIME, b"2" + node.content[1:], b"")) - SECONDS_OF_2000_YEARS
    numbers = [int(digits[:4])] + [int(digits[i : i + 2]) for i in range(4, 14, 2)]
    try:
        return int(datetime(*numbers, tzinfo=timezone.utc).timestamp())  # type: ignore[arg-type, misc]
    except ValueError as error:
        raise BadDER("no such date") from error


# --- certificates (RFC 5280) -----------------------------------------------------------------------------------


def oid(dotted: str) -> bytes:
    """The content of an OBJECT IDENTIFIER (X.690, 8.19)."""
    first, second, *rest = (int(part) for part in dotted.split("."))
    out = bytearray()
    for number in [first * 40 + second, *rest]:
        septets = [number & 0x7F]
        while number := number >> 7:
            septets.append(number & 0x7F | 0x80)
        out += bytes(reversed(septets))
    return bytes(out)


LEAF_MARKER = oid("1.2.840.113635.100.6.11.1")
INTERMEDIATE_MARKER = oid("1.2.840.113635.100.6.2.1")
SUBJECT_KEY_ID, KEY_USAGE, ALTERNATIVE_NAME, BASIC_CONSTRAINTS, AUTHORITY_KEY_ID = (
    oid(f"2.5.29.{n}") for n in (14, 15, 17, 19, 35)
)
STANDARD_EXTENSIONS = (oid("2.5.29"), oid("1.3.6.1.5.5.7.1"))  # RFC 5280, 4.2.1 and 4.2.2
DISTRIBUTION_POINTS = oid("2.5.29.31")
EC_PUBLIC_KEY = oid("1.2.840.10045.2.1")
CURVES: dict[bytes, ec.EllipticCurve] = {
    oid("1.2.840.10045.3.1.7"): ec.SECP256R1(),
    oid("1.3.132.0.34"): ec.SECP384R1(),
    oid("1.3.132.0.35"): ec.SECP521R1(),
}
ECDSA_WITH: dict[bytes, hashes.HashAlgorithm] = {
    oid("1.2.840.10045.4.3.2"): hashes.SHA256(),
    oid("1.2.840.10045.4.3.3"): hashes.SHA384(),
    oid("1.2.840.10045.4.3.4"): hashes.SHA512(),
}
DIGITAL_SIGNATURE, CERT_SIGN = 0, 5  # bits of KeyUsage (RFC 5280, 4.2.1.3)


@dataclass
class Certificate:
    raw: bytes
    tbs: bytes
    version: int
    serial: bytes
    inner_algorithm: Node
    outer_algorithm: Node
    issuer: Name
    subject: Name
    not_before: int
    not_after: int
    key_algorithm: Node
    key_bits: bytes
    extensions: list[tuple[bytes, bool, bytes]]
    signature: bytes

    def extension(self, which: bytes) -> bytes | None:
        return next((value for name, _, value in self.extensions if name == which), None)

    def valid_at(self, second: int) -> bool:
        """Whether the second is in the period, both ends included (RFC 5280, 4.1.2.5)."""
        return self.not_before <= second <= self.not_after


def expect(condition: bool, why: str) -> None:
    if not condition:
        raise BadDER(why)


def bits_of(node: Node) -> bytes:
    expect(node.tag == BIT_STRING and node.content[0] == 0, "a BIT STRING of whole bytes")
    return node.content[1:]


STRING_TYPES = {
    UTF8_STRING: "utf-8", 0x13: "latin-1", 0x14: "latin-1", 0x16: "latin-1", 0x1A: "latin-1",
    BMP_STRING: "utf-16-be", UNIVERSAL_STRING: "utf-32-be",
}


def _comparable(value: Node) -> tuple[int, bytes]:
    """Text to compare, ignoring its type, case and runs of white space (RFC 5280, 7.1)."""
    encoding = STRING_TYPES.get(value.tag)
    if encoding is None:
        return value.tag, value.content
    try:
        text = value.content.decode(encoding)
    except UnicodeDecodeError:
        return value.tag, value.content
    lower = "".join(c.lower() if c < "\x80" else c for c in text)
    return UTF8_STRING, " ".join(part for part in re.split(r"[ \t\n\v\f\r]+", lower) if part).encode("utf-8", "replace")


Name = tuple[tuple[tuple[bytes, tuple[int, bytes]], ...], ...]


def _name(node: Node) -> Name:
    """A Name (RFC 5280, 4.1.2.4), so that equal names compare equal."""
    expect(node.tag == SEQUENCE, "Name")
    for rdn in node.children:
        expect(rdn.tag == SET and len(rdn.children) > 0, "RelativeDistinguishedName")
        for pair in rdn.children:
            expect(pair.tag == SEQUENCE and len(pair.children) == 2 and pair.children[0].tag == OID, "attribute")
    return tuple(
        tuple(sorted((p.children[0].content, _comparable(p.children[1])) for p in rdn.children))
        for rdn in node.children
    )


def _algorithm(node: Node) -> Node:
    expect(node.tag == SEQUENCE and len(node.children) in (1, 2) and node.children[0].tag == OID, "algorithm")
    return node


@lru_cache(maxsize=8192)
def parse_certificate(raw: bytes) -> Certificate:
    """A certificate (RFC 5280, 4.1) in strict DER with nothing after it."""
    whole = parse_der(raw)
    expect(whole.tag == SEQUENCE and len(whole.children) == 3, "Certificate")
    tbs, outer, signature = whole.children
    expect(tbs.tag == SEQUENCE, "TBSCertificate")
    fields = list(tbs.children)
    version = 0
    if fields and fields[0].tag == 0xA0:
        explicit = fields.pop(0)
        expect(len(explicit.children) == 1 and explicit.children[0].tag == INTEGER, "version")
        version = int.from_bytes(explicit.children[0].content, "big", signed=True)
        expect(version != 0, "the default version spelled out")  # X.690, 11.5
    expect(len(fields) >= 6, "TBSCertificate is too short")
    serial, inner, issuer, validity, subject, key = fields[:6]
    expect(serial.tag == INTEGER, "serial number")
    expect(validity.tag == SEQUENCE and len(validity.children) == 2, "Validity")
    expect(key.tag == SEQUENCE and len(key.children) == 2, "SubjectPublicKeyInfo")
    extensions: list[tuple[bytes, bool, bytes]] = []
    rest = fields[6:]
    for tag in (0x81, 0x82):  # issuerUniqueID and subjectUniqueID
        if rest and rest[0].tag == tag:
            _check_universal(Node(BIT_STRING, rest[0].content, rest[0].whole))
            rest.pop(0)
    if rest and rest[0].tag == 0xA3:
        explicit = rest.pop(0)
        expect(len(explicit.children) == 1 and explicit.children[0].tag == SEQUENCE, "Extensions")
        expect(len(explicit.children[0].children) > 0, "no extension")
        for entry in explicit.children[0].children:
            expect(entry.tag == SEQUENCE and len(entry.children) in (2, 3), "Extension")
            expect(entry.children[0].tag == OID and entry.children[-1].tag == OCTET_STRING, "Extension")
            if len(entry.children) == 3:  # FALSE is the default, so it must not be written (X.690, 11.5)
                expect(entry.children[1].tag == BOOLEAN and entry.children[1].content == b"\xff", "critical")
            extensions.append((entry.children[0].content, len(entry.children) == 3, entry.children[-1].content))
    expect(not rest, "something after the extensions")
    return Certificate(
        raw=raw,
        tbs=tbs.whole,
        version=version,
        serial=serial.content,
        inner_algorithm=_algorithm(inner),
        outer_algorithm=_algorithm(outer),
        issuer=_name(issuer),
        subject=_name(subject),
        not_before=time_of(validity.children[0]),
        not_after=time_of(validity.children[1]),
        key_algorithm=_algorithm(key.children[0]),
        key_bits=bits_of(key.children[1]),
        extensions=extensions,
        signature=bits_of(signature),
    )


def public_key(certificate: Certificate) -> ec.EllipticCurvePublicKey:
    """An uncompressed point of a named curve (RFC 5480, 2)."""
    identifier = certificate.key_algorithm.children
    expect(len(identifier) == 2 and identifier[0].content == EC_PUBLIC_KEY and identifier[1].tag == OID, "no EC key")
    curve = CURVES.get(identifier[1].content)
    if curve is None:
        raise BadDER("another curve")
    width = (curve.key_size + 7) // 8
    expect(len(certificate.key_bits) == 1 + 2 * width and certificate.key_bits[0] == 4, "not uncompressed")
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(curve, certificate.key_bits)
    except ValueError as error:
        raise BadDER("not on the curve") from error


def signed_by(certificate: Certificate, issuer: Certificate) -> bool:
    """Whether the issuer's key made the signature: ECDSA, SHA-256 or better (RFC 5758, 3.2)."""
    if certificate.inner_algorithm.whole != certificate.outer_algorithm.whole:  # RFC 5280, 4.1.1.2
        return False
    algorithm = certificate.outer_algorithm.children
    digest = ECDSA_WITH.get(algorithm[0].content)
    if digest is None or len(algorithm) != 1:
        return False
    try:
        numbers = parse_der(certificate.signature)
        expect(numbers.tag == SEQUENCE and len(numbers.children) == 2, "Ecdsa-Sig-Value")
        expect(all(n.tag == INTEGER and n.content[0] < 0x80 and any(n.content) for n in numbers.children), "r, s")
        public_key(issuer).verify(certificate.signature, certificate.tbs, ec.ECDSA(digest))
    except (BadDER, InvalidSignature):
        return False
    return True


def basic_constraints(certificate: Certificate) -> tuple[bool, int | None]:
    """cA and pathLenConstraint (RFC 5280, 4.2.1.9)."""
    value = certificate.extension(BASIC_CONSTRAINTS)
    if value is None:
        return False, None
    node = parse_der(value)
    expect(node.tag == SEQUENCE, "BasicConstraints")
    parts = list(node.children)
    ca, path_length = False, None
    if parts and parts[0].tag == BOOLEAN:
        expect(parts.pop(0).content == b"\xff", "FALSE spelled out")
        ca = True
    if parts and parts[0].tag == INTEGER:
        path_length = int.from_bytes(parts.pop(0).content, "big", signed=True)
        expect(path_length >= 0, "negative path length")
    expect(not parts, "something after BasicConstraints")
    return ca, path_length


def key_usage(certificate: Certificate) -> set[int] | None:
    """The bits that are set (RFC 5280, 4.2.1.3); a named bit list has no trailing zeros (X.690, 11.2.2)."""
    value = certificate.extension(KEY_USAGE)
    if value is None:
        return None
    node = parse_der(value)
    expect(node.tag == BIT_STRING, "KeyUsage")
    unused, octets = node.content[0], node.content[1:]
    expect(not octets or octets[-1] >> unused & 1 == 1, "trailing zero bits")
    return {i for i in range(8 * len(octets)) if octets[i // 8] >> (7 - i % 8) & 1}


def subject_key_identifier(certificate: Certificate) -> bytes | None:
    """RFC 5280, 4.2.1.2."""
    value = certificate.extension(SUBJECT_KEY_ID)
    if value is None:
        return None
    node = parse_der(value)
    expect(node.tag == OCTET_STRING, "SubjectKeyIdentifier")
    return node.content


def names_key_of(certificate: Certificate, issuer: Certificate) -> bool:
    """Whether the authority key identifier (RFC 5280, 4.2.1.1), if there is one, is the issuer's."""
    value = certificate.extension(AUTHORITY_KEY_ID)
    if value is None:
        return True
    node = parse_der(value)
    expect(node.tag == SEQUENCE, "AuthorityKeyIdentifier")
    parts = list(node.children)
    if parts and parts[0].tag == 0x80:
        identifier, subject = parts.pop(0).content, subject_key_identifier(issuer)
        if subject is not None and subject != identifier:
            return False
    if parts:  # issuer and serial number come together
        expect([part.tag for part in parts] == [0xA1, 0x82], "AuthorityKeyIdentifier")
        return parts[1].content == issuer.serial
    return True


def has_relative_distribution_point(points: Node) -> bool:
    """Whether a CRL distribution point is named relative to its issuer (RFC 5280, 4.2.1.13)."""
    return any(
        form.tag == 0xA1
        for point in points.children
        for name in point.children
        if name.tag == 0xA0
        for form in name.children
    )


def check_presented(certificate: Certificate, marker: bytes) -> None:
    """The rules for both leaf and intermediate."""
    expect(certificate.version == 2, "not version 3")
    expect(certificate.serial[0] < 0x80, "negative serial number")
    names = [name for name, _, _ in certificate.extensions]
    expect(len(set(names)) == len(names), "an extension twice")  # RFC 5280, 4.2
    known = {LEAF_MARKER, INTERMEDIATE_MARKER, KEY_USAGE, ALTERNATIVE_NAME, BASIC_CONSTRAINTS}
    known |= {SUBJECT_KEY_ID, AUTHORITY_KEY_ID}
    for name, _, value in certificate.extensions:
        if name.startswith(STANDARD_EXTENSIONS):
            content = parse_der(value)
            if name == DISTRIBUTION_POINTS:
                expect(not has_relative_distribution_point(content), "a relative distribution point")
    expect(all(name in known for name, critical, _ in certificate.extensions if critical), "critical and unknown")
    expect(marker in names, "not marked")
    subject_key_identifier(certificate)


def may_sign_certificates(certificate: Certificate, below: int, usage_required: bool) -> bool:
    """A CA with keyCertSign whose path length allows this many intermediates below it (RFC 5280, 6.1.4)."""
    ca, path_length = basic_constraints(certificate)
    usage = key_usage(certificate)
    if usage is None:
        return ca and not usage_required and (path_length is None or path_length >= below)
    return ca and CERT_SIGN in usage and (path_length is None or path_length >= below)


@lru_cache(maxsize=8192)
def check_chain(x5c: tuple[bytes, ...], roots: tuple[bytes, ...]) -> tuple[Certificate, Certificate, tuple[Certificate, ...]]:
    """Check 3: leaf, intermediate and the anchors that can be above them. Raises BadDER."""
    expect(all(len(raw) <= MAXIMUM_CERTIFICATE_BYTES for raw in x5c), "a certificate is too long")
    expect(sum(len(raw) for raw in x5c) <= MAXIMUM_CERTIFICATES_BYTES, "the certificates are too long together")
    leaf, intermediate, _ = (parse_certificate(raw) for raw in x5c)
    check_presented(leaf, LEAF_MARKER)
    check_presented(intermediate, INTERMEDIATE_MARKER)
    expect(may_sign_certificates(intermediate, 0, usage_required=True), "the intermediate is no CA")
    expect(not basic_constraints(leaf)[0], "the leaf is a CA")
    usage = key_usage(leaf)
    expect(usage is None or DIGITAL_SIGNATURE in usage, "the leaf may not sign")
    expect(public_key(leaf).curve.name == "secp256r1", "the leaf is not on P-256")
    expect(leaf.issuer == intermediate.subject and names_key_of(leaf, intermediate), "names do not chain")
    expect(signed_by(leaf, intermediate), "the leaf's signature")
    anchors = []
    for raw in roots:
        anchor = parse_certificate(raw)
        if intermediate.issuer == anchor.subject and names_key_of(intermediate, anchor):
            if may_sign_certificates(anchor, 1, usage_required=False) and signed_by(intermediate, anchor):
                anchors.append(anchor)
    expect(len(anchors) > 0, "no anchor")
    return leaf, intermediate, tuple(anchors)


# --- dates -----------------------------------------------------------------------------------------------------

YEAR_1, YEAR_10000 = -62135596800000, 253402300800000  # in milliseconds


def milliseconds(value: Any) -> int | None:
    """A number in any notation, rounded down, if it is in the years 1 to 9999."""
    rounded = rounded_down(value)
    return rounded[0] if rounded is not None and YEAR_1 <= rounded[0] < YEAR_10000 else None


def rounded_down(value: Any) -> tuple[int, bool] | None:
    """A number in any notation (up to 20 digits), rounded down, and whether it was a whole number; uses only its digits."""
    if not isinstance(value, Number):
        return None
    mantissa, _, exponent = value.lower().partition("e")
    negative = mantissa.startswith("-")
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return 0, True
    shift = exponent.lstrip("+-").lstrip("0") or "0"
    if len(shift) > 12:
        if not exponent.startswith("-"):
            return None
        shift = "9" * 12
    point = len(digits) - len(fraction) + int(shift) * (-1 if exponent.startswith("-") else 1)
    if point > 20:
        return None
    integer = int((digits + "0" * max(0, point - len(digits)))[: max(0, point)] or "0")
    inexact = bool(digits[max(0, point) :].strip("0"))
    return -integer - inexact if negative else integer, not inexact


# --- payloads --------------------------------------------------------------------------------------------------

LINE_MEMBERS = (
    "signedPayload",
    "signedTransactionInfo",
    "signedTransaction",
    "signedRenewalInfo",
    "signedAppTransactionInfo",
)
INNER = (
    ("data", "signedTransactionInfo"),
    ("data", "signedRenewalInfo"),
    ("appData", "signedAppTransactionInfo"),
)
CONTAINERS = ("data", "summary", "appData", "externalPurchaseToken", "unclaimInfo")
KINDS = (
    ("notification", ("notificationType", "notificationUUID")),
    ("appTransaction", ("receiptType", "receiptCreationDate", "applicationVersion", "originalApplicationVersion")),
    ("realtimeRequest", ("requestIdentifier", "userLocale")),
    ("transaction", ("transactionId", "purchaseDate", "inAppOwnershipType")),
    (
        "renewalInfo",
        ("autoRenewStatus", "autoRenewProductId", "renewalDate", "recentSubscriptionStartDate", "expirationIntent",
         "isInBillingRetryPeriod"),
    ),
)
UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
LOCAL = frozenset({"Xcode", "LocalTesting"})


def kind_of(payload: Object) -> str:
    """The kind, by a member that only this kind has. The contract leaves this open; see README.md."""
    for kind, names in KINDS:
        if any(payload.has(name) for name in names):
            return kind
    return "unknown"


def containers_of(payload: Object) -> list[tuple[str, Object]]:
    """The parts of a notification; a null part counts as absent."""
    return [(name, payload.get(name)) for name in CONTAINERS if isinstance(payload.get(name), Object)]


def environments_of(kind: str, payload: Object) -> list[Any]:
    """Every claim of an environment; at least one, which may be None."""
    if kind == "appTransaction":
        return [payload.get("receiptType")]
    if kind != "notification":
        return [payload.get("environment")]
    found: list[Any] = []
    for name, container in containers_of(payload):
        if name != "externalPurchaseToken":
            found.append(container.get("environment"))
            continue
        identifier = container.get("externalPurchaseId")
        if not _text(identifier):
            found.append(None)
        else:
            found.append("Sandbox" if identifier.startswith("SANDBOX") else "Production")
    return found or [None]


def identities_of(kind: str, payload: Object, name: str) -> list[Any]:
    if kind != "notification":
        return [payload.get(name)]
    return [container.get(name) for _, container in containers_of(payload)] or [None]


def check_members(kind: str, payload: Object) -> None:
    """Check 5: no member that a check reads occurs twice, even if this caller did not ask for that check."""
    top = {"receiptCreationDate" if kind == "appTransaction" else "signedDate"}
    top |= {"deviceVerification", "deviceVerificationNonce"}
    if kind == "notification":
        top |= set(CONTAINERS)
    else:
        top.add("receiptType" if kind == "appTransaction" else "environment")
        if kind not in ("renewalInfo", "realtimeRequest"):
            top.add("bundleId")
        if kind in ("appTransaction", "realtimeRequest", "unknown"):
            top.add("appAppleId")
    if any(payload.count(name) > 1 for name in top):
        raise Refused("invalidEncoding")
    if kind != "notification":
        return
    if any(payload.get(name) is not None and not isinstance(payload.get(name), Object) for name in CONTAINERS):
        raise Refused("invalidEncoding")
    for name, container in containers_of(payload):
        read = {member for outer, member in INNER if outer == name}
        read |= {"environment", "bundleId", "appAppleId", "externalPurchaseId"}
        if any(container.count(member) > 1 for member in read):
            raise Refused("invalidEncoding")


def check_identity(kind: str, payload: Object, options: Options, pinned: bool) -> None:
    """Check 9, in the contract's order."""
    environments = environments_of(kind, payload)
    if options.environments and any(not _text(e) or e not in options.environments for e in environments):
        raise Refused("wrongEnvironment")
    if pinned and any(not _text(e) or e not in LOCAL for e in environments):
        raise Refused("wrongEnvironment")
    if options.bundle_ids and kind not in ("renewalInfo", "realtimeRequest"):
        for bundle in identities_of(kind, payload, "bundleId"):
            if not _text(bundle) or bundle not in options.bundle_ids:
                raise Refused("wrongBundleIdentifier")
    if options.app_apple_id is not None and kind not in ("transaction", "renewalInfo"):
        for environment, app in zip(environments, identities_of(kind, payload, "appAppleId"), strict=True):
            outside = _text(environment) and environment != "Production"
            if outside and (app is None or integer_of(app) == 0):
                continue
            if integer_of(app) != options.app_apple_id:
                raise Refused("wrongAppAppleIdentifier")


def _text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Number)


def integer_of(value: Any) -> int | None:
    """A whole number, in any notation."""
    rounded = rounded_down(value)
    return rounded[0] if rounded is not None and rounded[1] else None


def check_device(payload: Object, device: str) -> None:
    """Check 10: base64 of SHA-384 over nonce and device, both in lower case."""
    nonce, claimed = payload.get("deviceVerificationNonce"), payload.get("deviceVerification")
    if not _text(nonce) or not _text(claimed) or UUID.match(nonce) is None:
        raise Refused("invalidDeviceVerification")
    digest = hashlib.sha384((nonce.lower() + device.lower()).encode("ascii")).digest()
    if base64.b64encode(digest).decode("ascii") != claimed:
        raise Refused("invalidDeviceVerification")


# --- tokens ----------------------------------------------------------------------------------------------------


def judge_token(token: bytes, options: Options) -> str:
    """The type of a token that passes all checks. Raises Refused."""
    if len(token) > options.max_token_bytes:  # check 1
        raise Refused("tooLarge")
    segments = token.split(b".")  # check 2
    if len(segments) != 3:
        raise Refused("invalidEncoding")
    header_bytes, payload_bytes, signature = (base64url(segment) for segment in segments)
    try:
        header = parse_json(header_bytes)
    except BadJSON as error:
        raise Refused("invalidEncoding") from error
    if not isinstance(header, Object) or has_duplicates(header):
        raise Refused("invalidEncoding")
    algorithm, x5c = header.get("alg"), header.get("x5c")
    if not _text(algorithm) or algorithm != "ES256" or header.has("crit"):
        raise Refused("invalidEncoding")
    pinned = isinstance(x5c, list) and len(x5c) == 1 and bool(options.environments & LOCAL)
    if not isinstance(x5c, list) or isinstance(x5c, Object) or not (pinned or len(x5c) == 3):
        raise Refused("invalidEncoding")
    if not all(_text(element) for element in x5c):
        raise Refused("invalidEncoding")
    certificates = tuple(base64_standard(element) for element in x5c)
    # The array of x5c is written without escapes or white space wherever the size matters.
    if len(header_bytes) - sum(len(element) + 3 for element in x5c) - 1 > MAXIMUM_OTHER_HEADER_BYTES:
        raise Refused("invalidEncoding")

    try:  # check 3
        if pinned:
            expect(len(certificates[0]) <= MAXIMUM_CERTIFICATE_BYTES, "the certificate is too long")
            expect(certificates[0] in options.roots, "not pinned")
            leaf = parse_certificate(certificates[0])
            usage = key_usage(leaf)
            expect(usage is None or DIGITAL_SIGNATURE in usage, "the certificate may not sign")
            chains = [(leaf,)]
        else:
            leaf, intermediate, anchors = check_chain(certificates, options.roots)
            chains = [(leaf, intermediate, anchor) for anchor in anchors]
        key = public_key(leaf)
        expect(key.curve.name == "secp256r1", "not P-256")
    except BadDER as error:
        raise Refused("invalidCertificateChain") from error

    if len(signature) != 64:  # check 4 (RFC 7518, 3.4)
        raise Refused("invalidSignature")
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if not (1 <= r < ORDER_P256 and 1 <= s < ORDER_P256):
        raise Refused("invalidSignature")
    try:
        key.verify(encode_dss_signature(r, s), segments[0] + b"." + segments[1], ec.ECDSA(hashes.SHA256()))
    except InvalidSignature as error:
        raise Refused("invalidSignature") from error

    try:  # check 5
        payload = parse_json(payload_bytes)
    except BadJSON as error:
        raise Refused("invalidEncoding") from error
    if not isinstance(payload, Object):
        raise Refused("invalidEncoding")
    kind = kind_of(payload)
    check_members(kind, payload)

    second = options.effective_second  # check 6
    if second is None:
        date = milliseconds(payload.get("receiptCreationDate" if kind == "appTransaction" else "signedDate"))
        if date is None:
            raise Refused("missingRequiredProperties")
        second = date // 1000
    if not any(all(c.valid_at(second) for c in chain) for chain in chains):  # check 7
        raise Refused("invalidCertificateChain")
    check_identity(kind, payload, options, pinned)  # check 9
    if options.device_id is not None:
        check_device(payload, options.device_id)
    if kind == "notification":
        check_inner(payload, options)
    return kind


def check_inner(payload: Object, options: Options) -> None:
    """Check 11: signed payloads inside must pass all checks too; null counts as absent."""
    for name, member in INNER:
        container = payload.get(name)
        token = container.get(member) if isinstance(container, Object) else None
        if token is None:
            continue
        at = f"{name}.{member}"
        if not _text(token):
            raise Refused("invalidEncoding", at)
        try:
            judge_token(token.encode("utf-8"), options)
        except Refused as refused:
            raise Refused(refused.code, f"{at}.{refused.at}" if refused.at else at) from refused


def token_in_line(line: bytes) -> bytes:
    """The token of a line that begins with a brace: the one member of LINE_MEMBERS that is not null."""
    try:
        value = parse_json(line)
    except BadJSON as error:
        raise Refused("invalidEncoding") from error
    if any(value.count(name) > 1 for name in LINE_MEMBERS):
        raise Refused("invalidEncoding")
    found = [v for n, v in value if n in LINE_MEMBERS and v is not None]
    if len(found) != 1 or not _text(found[0]):
        raise Refused("invalidEncoding")
    return str(found[0]).encode("utf-8")


def judge(line: bytes, options: Options) -> Verdict | None:
    """The verdict on a line without its line feed; None for an empty line."""
    if line.endswith(b"\r"):
        line = line[:-1]
    if not line:
        return None
    try:
        token = token_in_line(line) if line.startswith(b"{") else line
        return Verdict(True, judge_token(token, options))
    except Refused as refused:
        return Verdict(False, refused.code, refused.at)
