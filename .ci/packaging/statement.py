#!/usr/bin/env python3
"""Writes the statement of a release: which files it has, and what they were built from, by which compiler and options.

    statement.py --commit HASH --compiler TEXT --resolved FILE [--inside NAME=FILE …] [--options NAME=FILE …] FOLDER

It is an in-toto statement (https://in-toto.io/Statement/v1) with SLSA's predicate of provenance, version 1. Its subjects
are the files of FOLDER, and each --inside: a file in one of them that a person meets alone, such as a command that a
package has installed. Nothing in it depends on the clock or on the machine's folders, so the same release has the same
statement.
"""

import argparse
import hashlib
import json
import pathlib

# What the builder and the build are called. Nothing stands at an address: the scripts are part of the source.
BUILDER = "urn:storekit-verify:release:by-hand"
BUILD_TYPE = "urn:storekit-verify:release:v1"


def subject(name, path):
    with path.open("rb") as file:
        return {"name": name, "digest": {"sha256": hashlib.file_digest(file, "sha256").hexdigest()}}


def pairs(arguments):
    """NAME=FILE, as pairs of a name and a path."""
    for argument in arguments:
        name, path = argument.split("=", 1)
        yield name, pathlib.Path(path)


def source(commit):
    """The repository. Files that differ from the commit are said to be so, and the commit is no digest of them."""
    if commit.endswith("-modified"):
        return {"name": "storekit-verify", "uri": "pkg:generic/storekit-verify", "annotations": {"modifiedAfter": commit[:-9]}}
    return {"name": "storekit-verify", "uri": "pkg:generic/storekit-verify", "digest": {"gitCommit": commit}}


def packages(resolved):
    """The Swift packages, with the commits that the package manager has resolved."""
    for pin in sorted(json.loads(resolved.read_text())["pins"], key=lambda pin: pin["identity"]):
        state = pin["state"]
        yield {
            "name": pin["identity"],
            "uri": f"git+{pin['location']}@{state['version']}",
            "digest": {"gitCommit": state["revision"]},
        }


def toolchain(compiler):
    return {"name": "swift", "uri": "pkg:generic/swift", "annotations": {"version": compiler}}


def debian(folder):
    """The Debian packages whose code is linked: the lists of parts name them."""
    found = {}
    for path in sorted(folder.glob("*.cdx.json")):
        for component in json.loads(path.read_text())["components"]:
            if component["purl"].startswith("pkg:deb/"):
                found[component["purl"]] = {"name": component["name"], "uri": component["purl"]}
    return [found[uri] for uri in sorted(found)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--commit", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--resolved", type=pathlib.Path, required=True)
    parser.add_argument("--inside", action="append", default=[])
    parser.add_argument("--options", action="append", default=[])
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    files = sorted(path for path in arguments.folder.iterdir() if path.is_file())
    subjects = [subject(path.name, path) for path in files] + [subject(*pair) for pair in pairs(arguments.inside)]
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {"script": ".ci/release", "commit": arguments.commit},
                "internalParameters": {
                    "buildOptions": {name: path.read_text().splitlines() for name, path in pairs(arguments.options)}
                },
                "resolvedDependencies": [
                    source(arguments.commit), toolchain(arguments.compiler), *packages(arguments.resolved),
                    *debian(arguments.folder),
                ],
            },
            "runDetails": {"builder": {"id": BUILDER}},
        },
    }
    print(json.dumps(statement, indent=2))


main()
