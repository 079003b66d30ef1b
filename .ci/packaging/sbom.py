#!/usr/bin/env python3
"""Writes the list of what is linked into the command or the C library (CycloneDX 1.6), from the linker's own map.

    sbom.py --map FILE --command FILE --state FILE --version V --seconds SECONDS_SINCE_1970 [--library NAME]

`--state` is the package manager's workspace-state.json. Each archive or object in the map must belong to this
package, to a package that was resolved, to the Swift toolchain, or to a Debian package. Anything else is an error: a
command with a part of unknown origin is not released.
"""

import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import time
import urllib.parse
import uuid

SWIFT_LICENSE = "Apache-2.0 WITH Swift-exception"

# The licences of Debian's source packages, by the copyright files of their packages.
DEBIAN_LICENSES = {
    "openssl": "Apache-2.0",
    "glibc": "LGPL-2.1-or-later",
    "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "sqlite3": "blessing",
}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def sha256(path):
    return {"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}


def linked_files(link_map):
    """The archives and objects that the map names, also those that gave nothing in the end."""
    for line in link_map.read_text().splitlines():
        # Address, load address, size, alignment, and the file with its section.
        columns = line.split(None, 4)
        if len(columns) == 5 and ":(" in columns[4]:
            name = columns[4].split(":(")[0]
            if name.startswith("/"):
                yield pathlib.Path(re.sub(r"\([^()]*\)$", "", name))


def library(name, version, license_id, purl, **more):
    return {
        "type": "library", "bom-ref": purl, "name": name, "version": version, "licenses": [{"expression": license_id}],
        "purl": purl, **more,
    }


def file_components(files):
    return [{"type": "file", "name": str(path), "hashes": [sha256(path)]} for path in sorted(files)]


def swift_component(files):
    version = re.search(r"Swift version (\S+) \((\S+)\)", output("swift", "--version"))
    return library(
        "swift", version[1], SWIFT_LICENSE, f"pkg:github/swiftlang/swift@{version[2]}",
        description="The runtime, standard library, Dispatch and Foundation of the toolchain",
        components=file_components(files))


def debian_component(package, files):
    form = "${Version}\t${Architecture}\t${source:Package}\t${source:Version}"
    version, architecture, source, source_version = output("dpkg-query", "-W", "-f", form, package).split("\t")
    quoted = urllib.parse.quote(version, safe="~")
    upstream = urllib.parse.quote(f"{source}@{source_version}", safe="~")
    return library(
        package.split(":")[0], version, DEBIAN_LICENSES[source.split("-")[0]],
        f"pkg:deb/debian/{package.split(':')[0]}@{quoted}?arch={architecture}&upstream={upstream}",
        components=file_components(files))


def license_of(folder):
    """The licence of a package that was resolved, by its text. An unknown one is an error."""
    text = "".join(path.read_text() for path in sorted(folder.glob("LICENSE*")))
    if "Apache License" in text:
        return SWIFT_LICENSE if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    raise SystemExit(f"{folder}: its licence is not known")


def resolved_component(dependency, checkouts):
    checkout = dependency["state"]["checkoutState"]
    location = dependency["packageRef"]["location"].removesuffix(".git")
    return library(
        dependency["packageRef"]["identity"], checkout["version"], license_of(checkouts / dependency["subpath"]),
        f"pkg:swift/{location.removeprefix('https://')}@{checkout['version']}",
        externalReferences=[{"type": "vcs", "url": location, "comment": f"revision {checkout['revision']}"}])


def has_target(checkout, target):
    """Whether a package has this target: by the target's folder, or by the manifest if that is named otherwise."""
    if (checkout / "Sources" / target).is_dir() or (checkout / target).is_dir():
        return True
    declaration = re.compile(rf'\.target\(\s*name:\s*"{re.escape(target)}"')
    return any(declaration.search(manifest.read_text()) for manifest in checkout.glob("Package*.swift"))


def components(link_map, state):
    """What is linked, part by part. A target's objects are of this package or of one that was resolved."""
    folders = pathlib.Path("Sources").glob("*/*")
    own = {folder.name.replace("-", "_") for folder in folders}
    dependencies = json.loads(state.read_text())["object"]["dependencies"]
    checkouts = state.parent / "checkouts"
    # In an image of Swift, the toolchain stands among Debian's files.
    toolchain = pathlib.Path(output("which", "swift")).resolve().parent.parent / "lib"
    parts_of_swift = [toolchain / name for name in ("swift", "swift_static", "clang")]
    swift, debian, resolved = set(), {}, {}
    for path in {path.resolve() for path in linked_files(link_map)}:
        # A target's objects are in TARGET.build, or in folders in there.
        targets = [folder.stem for folder in path.parents if folder.suffix == ".build" and folder.stem]
        if targets:
            target = targets[0]
            owners = [one for one in dependencies if has_target(checkouts / one["subpath"], target)]
            if owners:
                resolved[owners[0]["subpath"]] = owners[0]
            elif target not in own:
                raise SystemExit(f"{path}: no package has the target {target}")
        elif any(path.is_relative_to(part) for part in parts_of_swift):
            swift.add(path)
        # Objects of .ci/package itself.
        elif path.name not in ("static.o", "facts.o"):
            package = output("dpkg", "-S", str(path)).rsplit(": ", 1)[0]
            debian.setdefault(package, set()).add(path)
    return (
        [resolved_component(resolved[name], checkouts) for name in sorted(resolved)] + [swift_component(swift)]
        + [debian_component(name, debian[name]) for name in sorted(debian)])


def main():
    parser = argparse.ArgumentParser()
    for name in ("map", "command", "state"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("--library")
    arguments = parser.parse_args()
    parts = components(arguments.map, arguments.state)
    name = arguments.library or "storekit-verify"
    command = library(
        name, arguments.version, "Apache-2.0", f"pkg:generic/{name}@{arguments.version}",
        hashes=[sha256(arguments.command)])
    if not arguments.library:
        command["type"] = "application"
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_OID, json.dumps([command, parts])).urn,
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(arguments.seconds)),
            "component": command,
        },
        "components": parts,
        "dependencies": [
            {"ref": command["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]},
            *({"ref": part["bom-ref"]} for part in parts),
        ],
    }
    print(json.dumps(document, indent=2))


main()
