"""Tokens with planted flaws, made from the test vectors. Every kind of edit knows the token's structure, and signs
again what the committed test keys can sign. So there is usually one flaw only that keeps the token from being verified.

The same seed gives the same tokens: signatures are deterministic (RFC 6979).
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from judge import (
    AUTHORITY_KEY_ID, BASIC_CONSTRAINTS, ECDSA_WITH, INTERMEDIATE_MARKER, KEY_USAGE, LEAF_MARKER, ORDER_P256,
    SUBJECT_KEY_ID, BadDER, BadJSON, Node, Number, Object, oid, parse_der, parse_json, time_of,
)


@dataclass(frozen=True)
class Setting:
    """The anchors (files of TestVectors) and the command's options to verify a token with."""

    roots: tuple[str, ...]
    options: tuple[str, ...]


@dataclass(frozen=True)
class Mutant:
    line: bytes
    about: str
    setting: Setting


@dataclass(frozen=True)
class Token:
    """A token in parts. segments has the written text; header and payload have the decoded values."""

    header: bytes
    payload: bytes
    signature: bytes
    setting: Setting

    @property
    def segments(self) -> list[bytes]:
        return [url(self.header), url(self.payload), url(self.signature)]

    @property
    def line(self) -> bytes:
        return b".".join(self.segments)


class Raw(str):
    """JSON text to write unchanged."""


def url(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def unurl(segment: bytes) -> bytes:
    return base64.urlsafe_b64decode(segment + b"=" * (-len(segment) % 4))


def write(value: Any) -> bytes:
    """Compact JSON, with members in order, duplicates included."""
    if isinstance(value, (Number, Raw)):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, Object):
        return b"{" + b",".join(write(n) + b":" + write(v) for n, v in value) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(write(v) for v in value) + b"]"
    return json.dumps(value, ensure_ascii=False).encode()


class Tree:
    """DER to edit: a tag with children or content, and how to write the length."""

    def __init__(self, tag: int, content: bytes = b"", children: list[Tree] | None = None) -> None:
        self.tag, self.content, self.children = tag, content, children
        self.length_form = "short"

    @staticmethod
    def of(node: Node) -> Tree:
        return Tree(node.tag, node.content, [Tree.of(c) for c in node.children] if node.tag & 0x20 else None)

    def encode(self) -> bytes:
        content = self.content if self.children is None else b"".join(c.encode() for c in self.children)
        n = len(content)
        if self.length_form == "indefinite":
            return bytes([self.tag, 0x80]) + content + b"\0\0"
        size = max(1, (n.bit_length() + 7) // 8)
        if self.length_form == "long":
            return bytes([self.tag, 0x80 | size + 1, 0]) + n.to_bytes(size, "big") + content
        if n < 0x80 and self.length_form != "needless":
            return bytes([self.tag, n]) + content
        return bytes([self.tag, 0x80 | size]) + n.to_bytes(size, "big") + content

    def all(self) -> list[Tree]:
        return [self] + [t for c in self.children or [] for t in c.all()]


def tree(data: bytes) -> Tree:
    return Tree.of(parse_der(data))


# --- keys and signatures ---------------------------------------------------------------------------------------


class Keys:
    """The committed test keys, by their public keys."""

    def __init__(self, vectors: Path) -> None:
        self.by_point: dict[bytes, ec.EllipticCurvePrivateKey] = {}
        for path in sorted((vectors / "pki").glob("TEST-KEY-*.pem")):
            data = path.read_bytes()
            begin = data.find(b"-----BEGIN EC PRIVATE KEY")
            key = load_pem_private_key(data[begin:], None) if begin >= 0 else None
            if isinstance(key, ec.EllipticCurvePrivateKey):
                self.by_point[point_of(key)] = key
        self.roots: dict[bytes, ec.EllipticCurvePrivateKey] = {}
        for path in sorted((vectors / "pki").glob("*.der")):
            key_of_root = self.of(path.read_bytes())
            if key_of_root is not None:
                self.roots[subject_of(path.read_bytes())] = key_of_root

    def of(self, certificate: bytes) -> ec.EllipticCurvePrivateKey | None:
        try:
            tbs = tbs_of(tree(certificate))
            assert tbs.children is not None
            return next(
                (self.by_point[c.children[1].content[1:]] for c in tbs.children
                 if c.children and len(c.children) == 2 and c.children[1].content[1:] in self.by_point), None,
            )
        except (BadDER, AssertionError, IndexError, TypeError):
            return None


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    numbers = key.public_key().public_numbers()
    width = (key.key_size + 7) // 8
    return b"\x04" + numbers.x.to_bytes(width, "big") + numbers.y.to_bytes(width, "big")


def tbs_of(certificate: Tree) -> Tree:
    assert certificate.children is not None
    return certificate.children[0]


def fields_of(certificate: Tree) -> list[Tree]:
    fields = tbs_of(certificate).children
    assert fields is not None and len(fields) >= 7
    return fields


def subject_of(certificate: bytes) -> bytes:
    return fields_of(tree(certificate))[5].encode()


def sign(key: ec.EllipticCurvePrivateKey, data: bytes, digest: hashes.HashAlgorithm) -> bytes:
    return key.sign(data, ec.ECDSA(digest, deterministic_signing=True))


def raw_signature(key: ec.EllipticCurvePrivateKey, data: bytes) -> bytes:
    r, s = decode_dss_signature(sign(key, data, hashes.SHA256()))
    width = (key.key_size + 7) // 8
    return r.to_bytes(width, "big") + s.to_bytes(width, "big")


def certificates_of(token: Token) -> list[bytes]:
    try:
        header = parse_json(token.header)
        return [base64.b64decode(text) for text in header.get("x5c")]
    except (BadJSON, AttributeError, TypeError, ValueError):
        return []


class Mutator:
    def __init__(self, vectors: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.keys = Keys(vectors)
        self.pool: list[Token] = []
        self.settings: dict[tuple[str, ...], list[Setting]] = {}
        for entry in json.loads((vectors / "manifest.json").read_text()):
            if not entry["file"].endswith(".jws"):
                continue
            setting = Setting(tuple(entry["roots"]), tuple(entry["options"]))
            if "size-limit" in entry["file"]:
                setting = Setting(setting.roots, ())
            of_roots = self.settings.setdefault(setting.roots, [])
            if setting not in of_roots and "--max-token-bytes" not in setting.options:
                of_roots.append(setting)
            good = {e["line"] for e in entry["lines"] if e["verified"]}
            for number, line in enumerate((vectors / entry["file"]).read_bytes().split(b"\n"), 1):
                line = line.removesuffix(b"\r")
                if number in good and line.count(b".") == 2 and not line.startswith(b"{"):
                    parts = [unurl(segment) for segment in line.split(b".")]
                    self.pool.append(Token(*parts, setting))
        both = ("pki/root.pem", "pki/p256-root.pem")
        device = "6f1c2b7e-0d3a-4e58-9b64-8a2f5c7d1e90"
        self.common = [
            Setting(both, options)
            for options in (
                (), (), ("--environment", "Sandbox"), ("--environment", "Production", "--environment", "Sandbox"),
                ("--bundle-id", "com.example.garden"), ("--app-apple-id", "1234567890"), ("--device-id", device),
                ("--effective-date", "2026-01-01T00:00:00Z"),
                ("--environment", "Xcode", "--environment", "Sandbox"),
                ("--environment", "Sandbox", "--bundle-id", "com.example.garden", "--app-apple-id", "1234567890"),
            )
        ]
        self.xcode = [
            Setting(("pki/xcode.pem", "pki/p256-root.pem"), options)
            for options in (("--environment", "Xcode"), ("--environment", "LocalTesting", "--environment", "Sandbox"),
                            ("--environment", "Xcode", "--bundle-id", "com.example.garden"))
        ]

    # Signing a token again

    def signed(self, token: Token) -> Token:
        """Sign with the first certificate's key or, if we do not have it, with the key that signed before."""
        presented = certificates_of(token)
        key = self.keys.of(presented[0]) if presented else None
        if key is None:
            key = self.fallback
        return replace(token, signature=raw_signature(key, url(token.header) + b"." + url(token.payload)))

    def pick(self) -> Token:
        token = self.random.choice(self.pool)
        roll = self.random.random()
        if token.setting.roots == ("pki/xcode.pem",):
            if roll < 0.5:
                token = replace(token, setting=self.random.choice(self.xcode))
        elif token.setting.roots in (("pki/root.pem",), ("pki/p256-root.pem",)) and roll < 0.6:
            token = replace(token, setting=self.random.choice(self.common))
        presented = certificates_of(token)
        key = self.keys.of(presented[0]) if presented else None
        self.fallback = key or next(iter(self.keys.by_point.values()))
        return token

    # Edits. Each returns a line and the name of the edit.

    def mutant(self) -> Mutant:
        token = self.pick()
        family: Callable[[Token], tuple[bytes, str]] = self.random.choices(
            [self.segments, self.spelling, self.header, self.x5c, self.certificate, self.payload_member,
             self.payload_text, self.date, self.inner, self.signature, self.line],
            [4, 8, 8, 7, 26, 16, 10, 7, 8, 8, 4],
        )[0]
        line, about = family(token)
        if self.random.random() < 0.04:
            line, again = self.line_of(line)
            about += ", " + again
        return Mutant(line.replace(b"\n", b"\r"), about, token.setting)

    def segments(self, token: Token) -> tuple[bytes, str]:
        parts, others = token.segments, self.random.choice(self.pool).segments
        i = self.random.randrange(3)
        how = self.random.choice(["swap", "cut", "extend", "drop", "twice", "order", "byte", "empty", "none"])
        match how:
            case "swap":
                parts[i] = others[i]
            case "cut":
                parts[i] = parts[i][: self.random.randrange(len(parts[i]) + 1)]
            case "extend":
                parts[i] += bytes(self.random.choices(b"AQgw-_09az", k=self.random.randint(1, 8)))
            case "drop":
                del parts[i]
            case "twice":
                parts.insert(i, parts[i])
            case "order":
                self.random.shuffle(parts)
            case "byte" if parts[i]:
                at = self.random.randrange(len(parts[i]))
                parts[i] = parts[i][:at] + bytes([self.random.randrange(256)]) + parts[i][at + 1 :]
            case "empty":
                parts[i] = b""
        return b".".join(parts), f"segments: {how}"

    def spelling(self, token: Token) -> tuple[bytes, str]:
        """Other forms of base64url, signed unchanged."""
        i = self.random.randrange(3)
        if i < 2 and self.random.random() < 0.6:  # white space at the end of JSON shifts the padding
            text = b" " * self.random.randrange(3)
            token = replace(token, header=token.header + text) if i == 0 else replace(token, payload=token.payload + text)
        parts = token.segments
        how, parts[i] = self.spelt(parts[i], b"-_", b"+/")
        presented = certificates_of(token)
        key = (self.keys.of(presented[0]) if presented else None) or self.fallback
        if i < 2:
            parts[2] = url(raw_signature(key, parts[0] + b"." + parts[1]))
        return b".".join(parts), f"spelling: {how} in segment {i}"

    def spelt(self, text: bytes, ours: bytes, theirs: bytes) -> tuple[str, bytes]:
        how = self.random.choice(["padding", "alphabet", "bits", "insert", "append", "prepend", "left over", "percent"])
        alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + ours
        strange = self.random.choice([b" ", b"\t", b"\r", b"\0", b"*", b"\xc3\xa9", b"=", b".", b",", b"\x7f", b"\xff", b"\x0b"])
        at = self.random.randrange(len(text) + 1)
        match how:
            case "padding":
                text = text.rstrip(b"=") if text.endswith(b"=") else text + b"=" * self.random.choice([1, 2, -len(text) % 4])
            case "alphabet":
                text = text.replace(ours[:1], theirs[:1]).replace(ours[1:], theirs[1:])
            case "bits":
                bare = text.rstrip(b"=")
                if bare:
                    value = alphabet.index(bare[-1]) if bare[-1] in alphabet else 0
                    text = bare[:-1] + bytes([alphabet[value ^ 1]]) + text[len(bare) :]
            case "insert":
                text = text[:at] + strange + text[at:]
            case "append":
                text += strange
            case "prepend":
                text = strange + text
            case "left over":
                text += b"A"
            case "percent":
                text = b"%" + text[:1].hex().encode() + text[1:]
        return how, text

    def header(self, token: Token) -> tuple[bytes, str]:
        header = parse_json(token.header)
        how = self.random.choice(["alg", "crit", "member", "duplicate", "drop", "order", "nested duplicate", "text", "escape"])
        match how:
            case "alg":
                self.put(header, "alg", self.random.choice(
                    ["none", "ES384", "es256", "ES256K", "HS256", "ES256 ", "", None, Number("256"), ["ES256"], Raw('"\\u0045S256"'),
                     Raw('"ES256\\u0000"'), True]))
            case "crit":
                header.insert(self.random.randrange(len(header) + 1),
                              (self.random.choice(["crit", "Crit", "crit ", "b64"]), self.value()))
            case "member":
                header.insert(self.random.randrange(len(header) + 1), (self.random.choice(["kid", "typ", "x5t", "", "x5u", "jwk"]), self.value()))
            case "duplicate":
                name, value = self.random.choice(header)
                header.insert(self.random.randrange(len(header) + 1), (name, self.random.choice([value, self.value()])))
            case "drop":
                header.remove(self.random.choice(header))
            case "order":
                self.random.shuffle(header)
            case "nested duplicate":
                header.append(("jwk", Object([("a", Number("1")), ("a", Number("1"))])))
            case "escape":
                name, value = header[0]
                header[0] = (Raw('"' + "".join(f"\\u{ord(c):04{self.random.choice('xX')}}" for c in name) + '"'), value)
        token = replace(token, header=write(header))
        if how == "text":
            token = replace(token, header=(edited := self.text(token.header))[1])
            how = f"text, {edited[0]}"
        return self.signed(token).line, f"header: {how}"

    def put(self, value: Object, name: str, new: Any) -> None:
        for i, (n, _) in enumerate(value):
            if n == name:
                value[i] = (name, new)
                return
        value.append((name, new))

    def x5c(self, token: Token) -> tuple[bytes, str]:
        header = parse_json(token.header)
        chain = list(header.get("x5c"))
        other = parse_json(self.random.choice(self.pool).header).get("x5c")
        i = self.random.randrange(len(chain))
        how = self.random.choice(["shuffle", "from another", "drop", "twice", "type", "spelling", "empty", "slash", "all types", "pem"])
        match how:
            case "shuffle":
                self.random.shuffle(chain)
            case "from another":
                chain[i] = self.random.choice(other)
            case "drop":
                del chain[i]
            case "twice":
                chain.insert(i, chain[i])
            case "type":
                chain[i] = self.value()
            case "spelling":
                what, text = self.spelt(chain[i].encode(), b"+/", b"-_")
                how += ", " + what
                chain[i] = text.decode("latin-1")
            case "empty":
                chain[i] = ""
            case "slash":
                chain[i] = Raw('"' + chain[i].replace("/", "\\/") + '"')
            case "pem":
                chain[i] = "-----BEGIN CERTIFICATE-----" + chain[i]
        self.put(header, "x5c", self.value() if how == "all types" else chain)
        return self.signed(replace(token, header=write(header))).line, f"x5c: {how}"

    # Certificates

    def certificate(self, token: Token) -> tuple[bytes, str]:
        presented = certificates_of(token)
        i = self.random.choices(range(len(presented)), [5, 5, 3][: len(presented)])[0]
        try:
            edited = tree(presented[i])
            how = self.edit(edited, i, token)
            if self.random.random() < 0.1:
                how += " and " + self.edit(edited, i, token)
            if i < 2 and self.random.random() < 0.93:
                self.sign_certificate(edited, presented, i)
            else:
                how += ", signature left" if i < 2 else ""
            presented[i] = edited.encode()
        except (AssertionError, IndexError, AttributeError, TypeError):
            how = "nothing"
        if self.random.random() < 0.03:
            how += " and bytes"
            data = bytearray(presented[i])
            match self.random.randrange(3):
                case 0:
                    data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)
                case 1:
                    del data[self.random.randrange(len(data)) :]
                case 2:
                    data += self.random.choice([b"\0", b"\0\0", bytes(data)])
            presented[i] = bytes(data)
        header = parse_json(token.header)
        self.put(header, "x5c", [base64.b64encode(c).decode() for c in presented])
        token = replace(token, header=write(header))
        key = self.keys.of(presented[0]) or self.fallback
        token = replace(token, signature=raw_signature(key, url(token.header) + b"." + url(token.payload)))
        return token.line, f"certificate {i}: {how}"

    def sign_certificate(self, edited: Tree, presented: list[bytes], i: int) -> None:
        if len(presented) == 1:
            key = self.keys.of(presented[0])
        elif i == 0:
            key = self.keys.of(presented[1])
        else:
            key = self.keys.roots.get(fields_of(tree(presented[1]))[3].encode())
        assert key is not None and edited.children is not None
        algorithm = next((c.content for c in edited.children[1].all() if c.tag == 6), b"")
        digest = ECDSA_WITH.get(algorithm, hashes.SHA384())
        edited.children[2] = Tree(3, b"\0" + sign(key, tbs_of(edited).encode(), digest))

    def edit(self, certificate: Tree, i: int, token: Token) -> str:
        fields = fields_of(certificate)
        at = next((f for f in fields if f.tag == 0xA3), None)
        assert at is not None and at.children is not None
        extensions = at.children[0].children
        assert extensions is not None
        choose = self.random.choice
        how = choose(["node", "node", "extension", "extension", "extension", "constraints", "usage", "identifier",
                      "validity", "validity", "serial", "version", "algorithm", "key", "name", "unique", "marker"])
        find: Callable[[bytes], Tree | None] = lambda which: next(
            (e for e in extensions if e.children and e.children[0].content == which), None)
        match how:
            case "node":
                return self.edit_node(choose(certificate.all() if i == 2 else tbs_of(certificate).all()), certificate)
            case "extension":
                what = choose(["drop", "twice", "critical", "false", "01", "unknown", "unknown critical", "shuffle", "value"])
                entry = choose(extensions)
                parts = entry.children
                assert parts is not None
                match what:
                    case "drop":
                        extensions.remove(entry)
                    case "twice":
                        extensions.append(entry)
                    case "critical":
                        if len(parts) == 3:
                            del parts[1]
                        else:
                            parts.insert(1, Tree(1, b"\xff"))
                    case "false":
                        parts[1:-1] = [Tree(1, b"\0")]
                    case "01":
                        parts[1:-1] = [Tree(1, b"\x01")]
                    case "unknown" | "unknown critical":
                        new = [Tree(6, oid("1.3.6.1.4.1.99999.1")), Tree(4, choose([b"", b"\x05\0", b"?"]))]
                        if what == "unknown critical":
                            new.insert(1, Tree(1, b"\xff"))
                        extensions.insert(self.random.randrange(len(extensions) + 1), Tree(0x30, children=new))
                    case "shuffle":
                        self.random.shuffle(extensions)
                    case "value":
                        parts[-1].content = choose([b"", b"\x05\0", b"\x30\0", b"?", parts[-1].content + b"\0", parts[-1].content[:-1]])
                return f"{how}, {what}"
            case "constraints":
                value = choose([b"", b"\x30\0", bytes.fromhex("30030101ff"), bytes.fromhex("3003010100"), bytes.fromhex("3003010101"),
                                bytes.fromhex("30060101ff020100"), bytes.fromhex("30060101ff0201ff"), bytes.fromhex("30060101ff020101"),
                                bytes.fromhex("30070101ff02020000"), bytes.fromhex("3003020100"), bytes.fromhex("30060101ff020300ffff"),
                                bytes.fromhex("30080101ff02010a0500"), bytes.fromhex("30800101ff0000"), bytes.fromhex("30810301 01ff"),
                                bytes.fromhex("300e0101ff0209010000000000000000"), bytes.fromhex("30050201000500")])
                self.set_extension(extensions, find(BASIC_CONSTRAINTS), BASIC_CONSTRAINTS, value)
                return f"{how} {value.hex()}"
            case "usage":
                value = choose([b"", *(bytes.fromhex(h) for h in (
                    "03020780", "03020106", "03020204", "030206c0", "03020186", "030100", "03020080", "03020700", "0303070080",
                    "03020780ff", "0302 0880", "0500", "23070302078000", "030307b480", "03010 7".replace(" ", ""), "0303078080", "03020308",
                    "030205a0", "03020640", "0304070400 80".replace(" ", "")))])
                self.set_extension(extensions, find(KEY_USAGE), KEY_USAGE, value)
                return f"{how} {value.hex()}"
            case "identifier":
                which = choose([AUTHORITY_KEY_ID, SUBJECT_KEY_ID])
                old = find(which)
                same = old.children[-1].content if old is not None and old.children else b""
                value = choose([b"", b"\x30\0", b"\x04\0", b"\x30\x02\x80\0", b"\x04\x02ab", b"\x30\x04\x80\x02ab", b"\x05\0", same,
                                same + b"\0", b"\x30\x80" + same[2:] + b"\0\0", b"\x30" + bytes([len(same) + 1 & 0x7F]) + same[2:] + b"\x82\x01\x05"])
                self.set_extension(extensions, old, which, value)
                return f"{'authority' if which == AUTHORITY_KEY_ID else 'subject'} key {how} {value.hex()[:12]}"
            case "validity":
                times = fields[4].children
                assert times is not None
                second = self.second_of(token)
                which = self.random.randrange(2)
                times[which] = self.time(second + choose([0, 0, 1, -1, 86400, -86400, 10**8, -(10**8)]), what := choose(
                    ["utc", "utc", "utc", "general", "general", "general", "no seconds", "offset", "fraction", "no zone", "text", "60", "24", "february", "year 0", "9999", "signs"]))
                return f"{'notAfter' if which else 'notBefore'} {what}"
            case "serial":
                value = choose([b"", b"\0", b"\x7f", b"\x80", b"\0\x80", b"\0\x7f", b"\xff", b"\xff\x80", b"\x01" * 21, b"\x01" * 200, b"\xff\x7f"])
                fields[1].content = value
                return f"{how} {value.hex()[:8]}"
            case "version":
                what = choose(["drop", "0", "1", "3", "-1", "two", "long", "256+2"])
                if what == "drop":
                    del fields[0]
                else:
                    contents = {"0": b"\0", "1": b"\1", "3": b"\3", "-1": b"\xff", "two": b"\2", "long": b"\0\2", "256+2": b"\1\2"}
                    fields[0].children = [Tree(2, contents[what])] * (2 if what == "two" else 1)
                return f"{how} {what}"
            case "algorithm":
                assert certificate.children is not None
                new = Tree(0x30, children=[Tree(6, oid(choose(
                    ["1.2.840.10045.4.3.2", "1.2.840.10045.4.3.3", "1.2.840.10045.4.3.4", "1.2.840.10045.4.3.1", "1.2.840.10045.4.1",
                     "1.2.840.113549.1.1.11", "2.16.840.1.101.3.4.3.10"])))])
                if self.random.random() < 0.3:
                    assert new.children is not None
                    new.children.append(Tree(5))
                where = choose(["inner", "outer", "both", "both"])
                if where != "outer":
                    fields[2] = new
                if where != "inner":
                    certificate.children[1] = new
                return f"{how} {where}"
            case "key":
                parts = fields[6].children
                assert parts is not None and parts[0].children is not None
                point = parts[1].content[1:]
                what = choose(["compressed", "hybrid", "off curve", "infinity", "short", "long", "unused bits", "curve", "no curve", "null", "other"])
                match what:
                    case "compressed":
                        parts[1].content = b"\0" + bytes([2 + (point[-1] & 1)]) + point[1 : 1 + len(point) // 2]
                    case "hybrid":
                        parts[1].content = b"\0" + bytes([6 + (point[-1] & 1)]) + point[1:]
                    case "off curve":
                        parts[1].content = b"\0" + point[:-1] + bytes([point[-1] ^ 1])
                    case "infinity":
                        parts[1].content = b"\0\0"
                    case "short":
                        parts[1].content = parts[1].content[:-1]
                    case "long":
                        parts[1].content += b"\0"
                    case "unused bits":
                        parts[1].content = b"\1" + point
                    case "curve":
                        parts[0].children[1] = Tree(6, oid(choose(["1.3.132.0.34", "1.2.840.10045.3.1.7", "1.3.132.0.10", "1.3.132.0.35"])))
                    case "no curve":
                        del parts[0].children[1:]
                    case "null":
                        parts[0].children.append(Tree(5))
                    case "other":
                        parts[1].content = b"\0" + choose([p for p in self.keys.by_point if len(p) == len(point)])
                return f"{how} {what}"
            case "name":
                which = choose([3, 5])
                leaves = [t for t in fields[which].all() if t.children is None and t.tag != 6]
                entry = choose(leaves)
                what = choose(["case", "tag", "space", "utf8", "empty", "order", "no attribute", "no name"])
                match what:
                    case "case":
                        entry.content = entry.content.swapcase()
                    case "tag":
                        entry.tag = choose([0x0C, 0x13, 0x16, 0x14, 0x1E, 0x1C])
                    case "space":
                        entry.content += b" "
                    case "utf8":
                        entry.tag, entry.content = 0x0C, b"\xff\xfe"
                    case "empty":
                        entry.content = b""
                    case "order":
                        assert fields[which].children is not None
                        self.random.shuffle(fields[which].children)
                    case "no attribute":
                        choose(fields[which].children).children = []
                    case "no name":
                        fields[which].children = []
                return f"{'issuer' if which == 3 else 'subject'} {what}"
            case "unique":
                new_tag = choose([0x81, 0x82, 0xA1, 0x84])
                fields.insert(7, Tree(new_tag, choose([b"\0", b"", b"\0ab", b"\x09a"])))
                return f"unique identifier {new_tag:02x}"
            case "marker":
                entry = find(LEAF_MARKER) or find(INTERMEDIATE_MARKER) or choose(extensions)
                assert entry.children is not None
                value = choose([LEAF_MARKER, INTERMEDIATE_MARKER, LEAF_MARKER + b"\1", LEAF_MARKER[:-1], oid("1.2.840.113635.100.6.2.6")])
                if self.random.random() < 0.3:
                    entry.children[-1].content = choose([b"", b"?", b"\5\0\5\0"])
                    return "marker's value"
                entry.children[0].content = value
                return "marker"
        raise AssertionError(how)

    def set_extension(self, extensions: list[Tree], entry: Tree | None, which: bytes, value: bytes) -> None:
        if entry is None or entry.children is None:
            extensions.append(Tree(0x30, children=[Tree(6, which), Tree(4, value)]))
        else:
            entry.children[-1].content = value

    def edit_node(self, node: Tree, certificate: Tree) -> str:
        what = self.random.choice(["tag", "drop child", "twice", "flip", "empty", "long", "needless", "indefinite", "swap", "constructed", "pad"])
        match what:
            case "tag":
                node.tag ^= 1 << self.random.randrange(8)
            case "drop child" if node.children:
                node.children.remove(self.random.choice(node.children))
            case "twice" if node.children:
                node.children.append(self.random.choice(node.children))
            case "flip" if node.children is None and node.content:
                at = self.random.randrange(len(node.content))
                node.content = node.content[:at] + bytes([node.content[at] ^ 1 << self.random.randrange(8)]) + node.content[at + 1 :]
            case "empty":
                node.content, node.children = b"", [] if node.children is not None else None
            case "long" | "needless" | "indefinite":
                node.length_form = what
            case "swap" if node.children:
                self.random.shuffle(node.children)
            case "constructed" if node.children is None:
                node.children = [Tree(node.tag, node.content)]
                node.tag |= 0x20
            case "pad" if node.children is None:
                node.content = b"\0" + node.content
        return f"node {node.tag:02x}, {what}"

    def second_of(self, token: Token) -> int:
        try:
            payload = parse_json(token.payload)
            return int(float(payload.get("receiptCreationDate") or payload.get("signedDate")) / 1000)
        except (BadJSON, TypeError, ValueError):
            return 1765000000

    def time(self, second: int, form: str) -> Tree:
        t = datetime.fromtimestamp(second, timezone.utc)
        short, full = t.strftime("%y%m%d%H%M%S"), f"{t.year:04}" + t.strftime("%m%d%H%M%S")
        match form:
            case "utc":
                return Tree(0x17, short.encode() + b"Z")
            case "general":
                return Tree(0x18, full.encode() + b"Z")
            case "no seconds":
                return Tree(0x17, short[:10].encode() + b"Z")
            case "offset":
                return Tree(0x17, short.encode() + b"+0000")
            case "fraction":
                return Tree(0x18, full.encode() + b".5Z")
            case "no zone":
                return Tree(0x17, short.encode())
            case "60":
                return Tree(0x17, short[:10].encode() + b"60Z")
            case "24":
                return Tree(0x17, short[:6].encode() + b"240000Z")
            case "february":
                return Tree(0x17, b"250229000000Z")
            case "year 0":
                return Tree(0x18, b"00000101000000Z")
            case "9999":
                return Tree(0x18, b"99991231235959Z")
            case "signs":
                return Tree(0x17, b"+" + short[1:].encode() + b"Z")
        return Tree(0x0C, full.encode() + b"Z")

    # Payloads

    def value(self) -> Any:
        return self.random.choice([
            None, True, False, Number("0"), Number("1"), Number("-1"), Number("1.5e3"), Number("9" * 400), "", "text", "Sandbox",
            "Production", "Xcode", "com.example.garden", [], ["a", None], Object(), Object([("a", Number("1"))]), Number("1234567890"),
            Number("1765000000123"), "é\U0001f33c", "SANDBOX_x", Object([("a", Number("1")), ("a", Number("2"))]), ["ES256"],
            Object([("environment", "Sandbox"), ("bundleId", "com.example.garden")]), Number("1E400"), Number("-0"),
        ])

    MEMBERS = (
        "signedDate", "receiptCreationDate", "environment", "receiptType", "bundleId", "appAppleId", "data", "appData", "summary",
        "externalPurchaseToken", "unclaimInfo", "deviceVerification", "deviceVerificationNonce", "x", "", "SignedDate", "environment ", "price",
    )

    def payload_member(self, token: Token) -> tuple[bytes, str]:
        try:
            payload = parse_json(token.payload)
        except BadJSON:
            payload = Object()
        inside = [v for _, v in payload if isinstance(v, Object) and v]
        target = self.random.choice(inside) if inside and self.random.random() < 0.5 else payload
        where = "inside" if target is not payload else "top"
        how = self.random.choice(["set", "set", "drop", "twice", "twice, other", "add", "order", "escape", "null"])
        name = "nothing"
        if target:
            i = self.random.randrange(len(target))
            name, value = target[i]
            at = self.random.randrange(len(target) + 1)
            match how:
                case "set":
                    target[i] = (name, self.value())
                case "null":
                    target[i] = (name, None)
                case "drop":
                    del target[i]
                case "twice":
                    target.insert(at, (name, value))
                case "twice, other":
                    target.insert(at, (name, self.value()))
                case "add":
                    name = self.random.choice(self.MEMBERS)
                    target.insert(at, (name, self.value()))
                case "order":
                    self.random.shuffle(target)
                    name = "all"
                case "escape":
                    target[i] = (Raw('"' + "".join(f"\\u{ord(c):04x}" for c in name) + '"'), value)
        name = name if name in self.MEMBERS or "Type" in name or name.startswith("signed") else "another"
        return self.signed(replace(token, payload=write(payload))).line, f"payload: {how} {name} ({where})"

    def text(self, data: bytes) -> tuple[str, bytes]:
        """JSON with an error in its text, or only written in another way."""
        choose = self.random.choice
        brackets = [i for i, b in enumerate(data) if b in b"{}[],:"]
        quotes = [i for i, b in enumerate(data) if b == 0x22]
        at = choose(brackets) if brackets else 0
        quote = choose(quotes) if quotes else 0
        how = choose(["space", "strange space", "mark", "byte", "cut", "append", "depth", "string", "number", "utf-16", "delete", "swap"])
        match how:
            case "space":
                data = data[:at] + choose([b" ", b"\t", b"\r", b"\n", b" \r\n\t"]) + data[at:]
            case "strange space":
                data = data[:at] + choose([b"\x0b", b"\x0c", b"\xc2\xa0", b"\0", b"\xe2\x80\xa8", b"/**/", b"\xef\xbb\xbf"]) + data[at:]
            case "mark":
                data = b"\xef\xbb\xbf" + data
            case "byte":
                i = self.random.randrange(len(data)) if data else 0
                data = data[:i] + bytes([self.random.randrange(256)]) + data[i + 1 :]
            case "cut":
                data = data[: self.random.randrange(len(data) + 1)]
            case "append":
                data += choose([b" ", b"\0", b"}", b"{}", b",", b"x", b"\r\n", b"null"])
            case "depth":
                n = self.random.choice([1, 126, 127, 128, 129, 2000])
                opening, closing = choose([(b"[", b"]"), (b'{"a":', b"}")])
                middle = b"" if opening == b"[" else b"1"
                data = data[:1] + b'"deep":' + opening * n + middle + closing * n + (b"," if data[1:2] == b'"' else b"") + data[1:]
                how = f"depth {n + 1}"
            case "string":
                new = choose([b"\\ud800", b"\\udc00", b"\\ud83c\\udf3c", b"\\ud83c\\ud83c", b"\\udf3c\\ud83c", b"\\ud83cx", b"\\ud83c\\n", b"\\u0000",
                              b"\\u00", b"\\x41", b"\\U0041", b"\\'", b"\\/", b"\\b\\f\\n\\r\\t", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xff",
                              b"\xc3", b"\xe2\x82\xac", b"\x1f", b"\x7f", b"\t", b"\xef\xbf\xbf", b"\xf0\x9f\x8c\xbc", b"\xef\xbb\xbf", b"\\uD83C\\uDF3C"])
                member = b'"new":"' + new + b'",' if choose([True, False]) else b'"' + new + b'":1,'
                data = data[:1] + member + data[1:]
            case "number":
                new = choose([b"01", b"-01", b"+1", b".5", b"1.", b"1e", b"1e+", b"0x1", b"-", b"NaN", b"Infinity", b"1e400", b"-0", b"0e0", b"-0.0e-0",
                              b"1E+5", b"1" * 5000, b"0." + b"1" * 5000, b"1e99999999999999999999", b"True", b"nul", b"nulll", b"tru", b"00", b"1_0"])
                data = data[:1] + b'"new":' + new + b"," + data[1:]
            case "utf-16":
                data = data.decode("utf-8", "replace").encode("utf-16-le")
            case "delete":
                data = data[:at] + data[at + 1 :]
            case "swap":
                data = data[:quote] + b"'" + data[quote + 1 :]
        return how, data

    def payload_text(self, token: Token) -> tuple[bytes, str]:
        how, payload = self.text(token.payload)
        return self.signed(replace(token, payload=payload)).line, f"payload text: {how}"

    def date(self, token: Token) -> tuple[bytes, str]:
        """The date at, before and after the ends of a certificate's validity, in every notation."""
        try:
            payload = parse_json(token.payload)
            chosen = self.random.choice(certificates_of(token))
            validity = parse_der(chosen).children[0].children[4].children
            milli = time_of(self.random.choice(validity)) * 1000
        except (BadJSON, BadDER, IndexError):
            return token.line, "date: nothing"
        name = "receiptCreationDate" if payload.has("receiptType") else "signedDate"
        milli += self.random.choice([0, 0, 1, -1, 999, 1000, -1000, 1001, 500, -999, 86400000, -86400000])
        how = self.random.choice(["integer", "fraction", "tiny fraction", "minus fraction", "exponent", "E+", "E-", "long exponent", "special"])
        sign_, digits = ("-", str(-milli)) if milli < 0 else ("", str(milli))
        spelt = {
            "integer": digits, "fraction": digits + "." + self.random.choice(["0", "5", "999", "000001"]),
            "tiny fraction": digits + "." + "0" * 400 + "1", "minus fraction": str(max(0, abs(milli) - 1)) + "." + "9" * 40,
            "exponent": digits[0] + "." + (digits[1:] or "0") + f"e{len(digits) - 1}", "E+": digits + "E+0",
            "E-": digits + "000E-3", "long exponent": digits + "0" * 330 + "e-330",
        }.get(how)
        text = sign_ + spelt if spelt is not None else self.random.choice(
            ["0", "-0", "-0.0", "1e400", "-1e400", "1e-400", "-1e-400", "253402300799999", "253402300800000", "253402300799999.9", "-62135596800000",
             "-62135596800001", "-62135596800000.5", "2.5e14", "2.6e14", "1e99999999999999999999", "1e-99999999999999999999", "0e99999999999999999999",
             "9" * 309, "1" + "0" * 15, "1765000000123e0000000000000000000000000000000", "0.000001765e18", "1765000000.123e3", "-1e-99999999999999999999"])
        if spelt is None:
            how += " " + text[:30]
        self.put(payload, name, Number(text))
        return self.signed(replace(token, payload=write(payload))).line, f"date: {how}"

    def inner(self, token: Token) -> tuple[bytes, str]:
        """Tokens inside notifications, with a flaw or of another kind; also notifications inside notifications."""
        outer = next((t for t in self.random.sample(self.pool, len(self.pool)) if b"notificationType" in t.payload[:40]
                      and t.setting.roots[0] in ("pki/root.pem", "pki/p256-root.pem")), token)
        token = replace(outer, setting=token.setting)
        self_signed = token.setting.roots == ("pki/xcode.pem",)
        if self_signed:
            token = replace(token, setting=self.random.choice(self.common))
        content = self.pick()
        families = [self.segments, self.spelling, self.header, self.x5c, self.certificate, self.payload_member, self.payload_text,
                    self.date, self.signature, self.line, None, None, None]
        family = self.random.choice(families)
        inside, about = family(content) if family is not None else (content.line, "good")
        payload = parse_json(token.payload)
        container, member = self.random.choice(
            [("data", "signedTransactionInfo"), ("data", "signedRenewalInfo"), ("appData", "signedAppTransactionInfo"),
             ("data", "signedAppTransactionInfo"), ("summary", "signedTransactionInfo")])
        target = payload.get(container)
        if not isinstance(target, Object):
            target = Object([("environment", "Sandbox"), ("bundleId", "com.example.garden")])
            self.put(payload, container, target)
        self.put(target, member, inside.decode("latin-1") if family is not None or self.random.random() < 0.9 else self.value())
        presented = certificates_of(token)
        self.fallback = (self.keys.of(presented[0]) if presented else None) or self.fallback
        return self.signed(replace(token, payload=write(payload))).line, f"inner {container}.{member}: {about.split(':')[0]}"

    # Signatures and lines

    def signature(self, token: Token) -> tuple[bytes, str]:
        presented = certificates_of(token)
        key = self.keys.of(presented[0]) or self.fallback
        data = url(token.header) + b"." + url(token.payload)
        r, s = int.from_bytes(token.signature[:32], "big"), int.from_bytes(token.signature[32:], "big")
        n = ORDER_P256
        pair: Callable[[int, int], bytes] = lambda a, b: (a % 2**256).to_bytes(32, "big") + (b % 2**256).to_bytes(32, "big")
        edits: dict[str, Callable[[], bytes]] = {
            "n-s": lambda: pair(r, n - s), "n-r": lambda: pair(n - r, s), "r=0": lambda: pair(0, s), "s=0": lambda: pair(r, 0),
            "both 0": lambda: bytes(64), "r=n": lambda: pair(n, s), "s=n": lambda: pair(r, n), "r+n": lambda: pair(r + n, s),
            "s+n": lambda: pair(r, s + n), "r=1": lambda: pair(1, s), "s=1": lambda: pair(r, 1), "r=n-1": lambda: pair(n - 1, s),
            "ones": lambda: b"\xff" * 64, "swap": lambda: pair(s, r), "der": lambda: encode_dss_signature(r, s),
            "short": lambda: token.signature[:-1], "long": lambda: token.signature + b"\0", "front": lambda: b"\0" + token.signature,
            "sha384": lambda: pair(*decode_dss_signature(sign(key, data, hashes.SHA384()))),
            "payload alone": lambda: raw_signature(key, url(token.payload)), "decoded": lambda: raw_signature(key, token.header + b"." + token.payload),
            "other key": lambda: raw_signature(self.random.choice([k for k in self.keys.by_point.values() if k.key_size == 256]), data),
            "anew": lambda: raw_signature(key, data), "empty": lambda: b"", "other": lambda: self.random.choice(self.pool).signature,
            "bit": lambda: (int.from_bytes(token.signature, "big") ^ 1 << self.random.randrange(512)).to_bytes(64, "big"),
            "n-s anew": lambda: (lambda g: g[:32] + pair(0, n - int.from_bytes(g[32:], "big"))[32:])(raw_signature(key, data)),
        }
        how = self.random.choice(list(edits))
        return replace(token, signature=edits[how]()).line, f"signature: {how}"

    def line(self, token: Token) -> tuple[bytes, str]:
        return self.line_of(token.line)

    def line_of(self, line: bytes) -> tuple[bytes, str]:
        names = [b"signedPayload", b"signedTransactionInfo", b"signedTransaction", b"signedRenewalInfo", b"signedAppTransactionInfo"]
        name, other = self.random.choice(names), self.random.choice([b"x", b"signedpayload", b"", b"payload"] + names)
        text = json.dumps(line.decode("latin-1")).encode()
        how = self.random.choice(["json", "json", "two members", "space before", "space behind", "cr", "two crs", "mark", "text of json", "null member", "quoted"])
        match how:
            case "json":
                line = b'{"' + name + b'":' + text + b"}"
            case "two members":
                line = b'{"' + name + b'":' + text + b',"' + other + b'":"a.b.c"}'
            case "null member":
                line = b'{"' + name + b'":' + text + b',"' + other + b'":null}'
            case "space before":
                line = self.random.choice([b" ", b"\t", b"\r", b"\xc2\xa0", b"\0"]) + line
            case "space behind":
                line += self.random.choice([b" ", b"\t", b"\x0b", b"\xc2\xa0", b"\0"])
            case "cr":
                line += b"\r"
            case "two crs":
                line += b"\r\r"
            case "mark":
                line = b"\xef\xbb\xbf" + line
            case "text of json":
                what, line = self.text(b'{"' + name + b'":' + text + b"}")
                how += f", {what}"
            case "quoted":
                line = b'"' + line + b'"'
        return line, f"line: {how}"


def mutants(vectors: Path, seed: int, count: int) -> Iterator[Mutant]:
    mutator = Mutator(vectors, seed)
    for _ in range(count):
        yield mutator.mutant()
