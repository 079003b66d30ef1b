#!/usr/bin/env python3
"""Checks the list of linked parts: by CycloneDX's schema, and against the linker's map and the command.

    sbom.py SBOM MAP COMMAND [PACKAGE ...]

PACKAGEs must be on the list besides those of every command. It also takes each archive out of the list, and fails if that goes unnoticed.
"""

import copy
import hashlib
import json
import pathlib
import re
import subprocess
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def archives(link_map):
    """Every archive that the map names, whatever it gave, and the start files of C and Swift."""
    text = pathlib.Path(link_map).read_text()
    start_files = re.findall(r" (/[^ :()]*/(?:[Sr]?crt|swiftrt)[^/ :]*\.o):", text)
    return sorted({*re.findall(r" (/[^ :()]+\.a)\(", text), *start_files})


def faults(document, files, command):
    """The faults of the list; empty if it is right."""
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(document))
    if error:
        yield f"schema: {error.data}"
    if [entry["content"] for entry in document["metadata"]["component"]["hashes"]] != [command]:
        yield "the hash is not the command's"
    listed = {
        entry["content"]: component
        for component in document["components"] for file in component.get("components", []) for entry in file["hashes"]
    }
    for path, content in files.items():
        if content not in listed:
            yield f"{path} is linked, and not listed"
    for content in set(listed) - set(files.values()):
        yield f"{listed[content]['name']} lists a file that is not linked: {content}"
    for component in document["components"]:
        if not component.get("version") or not component.get("licenses"):
            yield f"{component['name']} has no version or no license"


def main():
    sbom, link_map, command, *others = sys.argv[1:]
    document = json.loads(pathlib.Path(sbom).read_text())
    files = {path: digest(path) for path in archives(link_map)}
    assert len(files) > 10, "the map names too few archives"
    found = list(faults(document, files, digest(command)))
    names = [component["name"] for component in document["components"]]
    for name in ("swift", "swift-argument-parser", "libc6-dev", *others):
        if name not in names:
            found.append(f"{name} is not listed")
    # The version of libcrypto is the one whose code is in the command, where it is inside.
    dynamic = subprocess.run(["readelf", "--dynamic", command], check=True, capture_output=True, text=True).stdout
    if "[libcrypto.so" not in dynamic:
        strings = subprocess.run(["strings", command], check=True, capture_output=True, text=True).stdout
        libcrypto = [part["version"] for part in document["components"] if part["name"] == "libssl-dev"]
        if not libcrypto or libcrypto[0].split("-")[0] not in strings.splitlines():
            found.append(f"the command does not have OpenSSL {libcrypto}")
    for component, part in enumerate(document["components"]):
        for index in range(len(part.get("components", []))):
            spoilt = copy.deepcopy(document)
            del spoilt["components"][component]["components"][index]
            if not list(faults(spoilt, files, digest(command))):
                found.append(f"{part['components'][index]['name']} can be left out unnoticed")
    if not list(faults({**document, "specVersion": 7}, files, digest(command))):
        found.append("a document that is not CycloneDX passes")
    if found:
        sys.exit("FAILED: SBOM:\n" + "\n".join(found))
    print(f"SBOM: {len(document['components'])} components, {len(files)} files, all of them listed")


main()
