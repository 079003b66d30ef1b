#!/usr/bin/env python3
"""Writes the package manager's Package.resolved from what builds have used, which is in their workspace-state.json.

    resolved.py STATE ... > Package.resolved

The package manager's own file has only what its last build needed: each set of traits needs others.
"""

import json
import pathlib
import sys


def pins(state):
    for dependency in json.loads(pathlib.Path(state).read_text())["object"]["dependencies"]:
        package, checkout = dependency["packageRef"], dependency["state"]["checkoutState"]
        yield package["identity"], {
            "identity": package["identity"],
            "kind": package["kind"],
            "location": package["location"],
            "state": {"revision": checkout["revision"], "version": checkout["version"]},
        }


def main():
    found = {}
    for state in sys.argv[1:]:
        for identity, pin in pins(state):
            if found.setdefault(identity, pin) != pin:
                sys.exit(f"FAILED: two builds have used two versions of {identity}")
    print(json.dumps({"pins": [found[identity] for identity in sorted(found)], "version": 2}, indent=2))


main()
