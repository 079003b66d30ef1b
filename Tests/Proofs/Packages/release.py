#!/usr/bin/env python3
"""Checks a release's statement by in-toto's own library, and against the files beside it.

    release.py FOLDER
"""

import hashlib
import json
import pathlib
import re
import sys

from google.protobuf import json_format
from in_toto_attestation.predicates.provenance.v1 import provenance_pb2
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.resource_descriptor import ResourceDescriptor
from in_toto_attestation.v1.statement import Statement

# The files of a release, by patterns. A file that matches no pattern was forgotten here.
EXPECTED = [
    r"Containerfile", r"Package\.resolved", r"SHA256SUMS", r"storekit-verify",
    r"storekit-verify\.cdx\.json", r"storekit-verify-service\.cdx\.json", r"libstorekitverify\.cdx\.json",
    r"storekit-verify-[\d.]+\.intoto\.json", r"storekit-verify-[\d.]+-source\.tar\.gz",
    r"storekit-verify-[\d.]+-linux-\w+\.tar\.gz", r"storekit-verify-service-[\d.]+-linux-\w+\.tar\.gz",
    r"libstorekitverify-[\d.]+-linux-\w+\.tar\.gz", r"storekit-verify_[\d.]+-1_\w+\.deb",
    r"storekit-verify-service_[\d.]+-1_\w+\.deb", r"storekit_verify-[\d.]+-py3-none-manylinux\w+\.whl",
]


def expect(holds, what):
    if not holds:
        sys.exit(f"FAILED: the release: {what}")


def check_form(text):
    """The statement and its predicate, with no member that their definitions lack."""
    message = json_format.Parse(text, statement_pb2.Statement())
    Statement.copy_from_pb(message).validate()
    document = json.loads(text)
    provenance = json_format.ParseDict(document["predicate"], provenance_pb2.Provenance())
    for dependency in provenance.build_definition.resolved_dependencies:
        ResourceDescriptor.copy_from_pb(dependency).validate()
    expect(document["predicateType"] == "https://slsa.dev/provenance/v1", "the predicate's type")
    expect(provenance.build_definition.build_type and provenance.run_details.builder.id, "who built it, and how")
    return document


def check_files(folder, document):
    names = sorted(path.name for path in folder.iterdir())
    for pattern in EXPECTED:
        expect(sum(bool(re.fullmatch(pattern, name)) for name in names) == 1, f"not one file {pattern}: {names}")
    expect(len(names) == len(EXPECTED), f"a file that nobody expects: {names}")
    subjects = {subject["name"]: subject["digest"] for subject in document["subject"]}
    expect(len(subjects) == len(document["subject"]), "a name stands twice")
    for name in names:
        # Neither can hold its own digest, and the checksums cover the statement.
        if name != "SHA256SUMS" and not name.endswith(".intoto.json"):
            digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            expect(subjects.get(name) == {"sha256": digest}, f"the digest of {name}")
    inside = [name for name in subjects if name not in names]
    expect(len(inside) == 1 and inside[0].endswith(".deb/usr/bin/storekit-verify"), f"other subjects: {inside}")
    sums = {line.split("  ")[1] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    expect(sums == {name for name in names if name != "SHA256SUMS"}, "SHA256SUMS has other files")


def check_origin(document):
    build = document["predicate"]["buildDefinition"]
    dependencies = {part["name"]: part for part in build["resolvedDependencies"]}
    source = dependencies["storekit-verify"]
    commit = source.get("digest", {}).get("gitCommit") or source["annotations"]["modifiedAfter"]
    expect(re.fullmatch("[0-9a-f]{40}", commit), f"the commit: {source}")
    expect("modified" in build["externalParameters"]["commit"] or "digest" in source, "the commit has no digest")
    expect(re.match(r"Swift \d", dependencies["swift"]["annotations"]["version"]), "the compiler")
    for name in ("swift-argument-parser", "grdb.swift", "swift-nio", "hummingbird", "libssl-dev"):
        expect(name in dependencies, f"{name} is not named")
    for name, options in build["internalParameters"]["buildOptions"].items():
        expect("-c" in options and "release" in options and "BUILD" in options, f"the options of {name}: {options}")
        expect(not any(option.startswith("/") for option in options), f"a folder of this machine: {options}")
    return commit


def main():
    folder = pathlib.Path(sys.argv[1])
    statement = next(folder.glob("*.intoto.json"))
    document = check_form(statement.read_text())
    check_files(folder, document)
    commit = check_origin(document)
    # A statement that is wrong in one place must be noticed.
    for spoil in ('"_type"', '"buildType"', '"sha256"'):
        try:
            spoilt = check_form(statement.read_text().replace(spoil, spoil[:-1] + 'x"', 1))
            check_files(folder, spoilt)
            check_origin(spoilt)
        except (json_format.ParseError, ValueError, KeyError, SystemExit):
            continue
        sys.exit(f"FAILED: the release: a statement without {spoil} passes")
    print(f"statement: {len(document['subject'])} subjects of commit {commit}")


main()
