"""Prints the public declarations of symbol graphs, one a line, and the conformances of their types; sorted.

    python3 declarations.py FILE ...

Members that the compiler derives for a conformance are left out: the conformance stands for them. So are the
conformances that the language gives to almost every type.
"""

import json
import sys

GIVEN = {"Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"}


def lines(graph):
    """The lines of one graph."""
    names = {}
    for symbol in graph["symbols"]:
        identifier = symbol["identifier"]["precise"]
        name = ".".join([graph["module"]["name"]] + symbol["pathComponents"])
        names[identifier] = name
        if "::SYNTHESIZED::" in identifier or symbol["kind"]["identifier"] == "swift.extension":
            continue
        declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
        yield f"{name}: {' '.join(declaration.split())}"
        for availability in symbol.get("availability", []):
            yield f"{name}: availability {json.dumps(availability, sort_keys=True)}"
    for relation in graph["relationships"]:
        if relation["kind"] not in ("conformsTo", "inheritsFrom") or relation["source"] not in names:
            continue
        target = names.get(relation["target"]) or relation.get("targetFallback") or relation["target"]
        if target in GIVEN:
            continue
        constraints = relation.get("swiftConstraints", [])
        where = "".join(f" where {each['lhs']} {each['kind']} {each['rhs']}" for each in constraints)
        yield f"{names[relation['source']]}: {relation['kind']} {target}{where}"


def main(paths):
    """Prints the lines of all graphs."""
    found = set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            found.update(lines(json.load(file)))
    print("\n".join(sorted(found)))


if __name__ == "__main__":
    main(sys.argv[1:])
