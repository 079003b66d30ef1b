"""Compare the verdicts of storekit-verify with the judge's, line by line. Exit status 1 if some do not agree for no listed reason."""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import mutate
from judge import Options, Verdict, judge

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parents[2] / "TestVectors"
APPLE_ROOT_G3 = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"


@dataclass
class Tally:
    """The results for one source of lines."""

    lines: int = 0
    agreed: int = 0
    listed: int = 0
    verified: int = 0
    seconds_judge: float = 0
    seconds_command: float = 0
    kinds: Counter[str] = field(default_factory=Counter)


@dataclass
class Disagreement:
    source: str
    about: str
    arguments: list[str]
    line: bytes
    ours: Verdict | None
    judged: Verdict | None
    listed: bool = False

    @property
    def kind(self) -> str:
        return f"command {word(self.ours)}, judge {word(self.judged)}"


def word(verdict: Verdict | None) -> str:
    if verdict is None:
        return "nothing"
    return ("verified " if verdict.verified else "") + verdict.word + (f" at {verdict.at}" if verdict.at else "")


def certificates_in(path: Path) -> list[bytes]:
    """The certificates of a DER or PEM file."""
    data = path.read_bytes()
    begin, end = b"-----BEGIN CERTIFICATE-----", b"-----END CERTIFICATE-----"
    if begin not in data:
        return [data]
    return [base64.b64decode(b"".join(part.split(end)[0].split())) for part in data.split(begin)[1:]]


def options_from(roots: list[bytes], arguments: list[str]) -> Options:
    """The judge's options that correspond to the command's."""
    environments, bundle_ids = set(), set()
    app, device, second, limit = None, None, None, 1 << 20
    for name, value in zip(arguments[::2], arguments[1::2], strict=True):
        match name:
            case "--environment":
                environments.add(value)
            case "--bundle-id":
                bundle_ids.add(value)
            case "--app-apple-id":
                app = int(value)
            case "--device-id":
                device = value
            case "--effective-date":
                second = int(datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp())
            case "--max-token-bytes":
                limit = int(value)
            case _:
                raise SystemExit(f"the judge does not know {name}")
    return Options(tuple(roots), frozenset(environments), frozenset(bundle_ids), app, device, second, limit)


def run_command(command: str, arguments: list[str], data: bytes) -> tuple[dict[int, Verdict], set[int]]:
    """The command's verdict of every line that is not empty, and the lines of certificates it could not read."""
    with tempfile.NamedTemporaryFile(suffix=".jws") as file:
        file.write(data)
        file.flush()
        result = subprocess.run(
            [command, "verify", "--output", "ndjson", "--no-progress", *arguments, file.name],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
        )
    if result.returncode not in (0, 1):
        raise SystemExit(f"the command ended with {result.returncode}: {result.stderr.decode(errors='replace')}")
    verdicts: dict[int, Verdict] = {}
    unreadable: set[int] = set()
    for text in result.stdout.split(b"\n")[:-1]:
        # strict=False: payloads pass through as signed; huge numbers stay text
        answer = json.loads(text, parse_int=str, parse_float=str)
        number = int(answer["line"])
        if number in verdicts:
            raise SystemExit(f"two verdicts for line {number}")
        if answer["verified"]:
            verdicts[number] = Verdict(True, answer["type"])
        else:
            verdicts[number] = Verdict(False, answer["error"], answer.get("at"))
            if answer.get("detail") == "unreadableCertificate":
                unreadable.add(number)
    return verdicts, unreadable


def compare_lines(
    command: str, source: str, tally: Tally, root_files: list[Path], roots: list[bytes], arguments: list[str],
    lines: list[bytes], abouts: list[str], ended: bool = True,
) -> Iterator[Disagreement]:
    """Compare both verdicts on the same lines."""
    everything = [part for path in root_files for part in ("--root", str(path))] + arguments
    began = time.monotonic()
    ours, unreadable = run_command(command, everything, b"\n".join(lines) + (b"\n" if ended else b""))
    tally.seconds_command += time.monotonic() - began
    began = time.monotonic()
    options = options_from(roots, arguments)
    for number, (line, about) in enumerate(zip(lines, abouts, strict=True), 1):
        judged = judge(line, options)
        mine = ours.get(number)
        if judged is None and mine is None:
            continue
        tally.lines += 1
        tally.verified += judged is not None and judged.verified
        if judged == mine:
            tally.agreed += 1
        else:
            # The README lists this: libcrypto checks the text in names, and the judge does not.
            listed = source == "mutants" and number in unreadable
            tally.listed += listed
            yield Disagreement(source, about, everything, line, mine, judged, listed)
    tally.seconds_judge += time.monotonic() - began


def compare_vectors(command: str, tally: Tally) -> Iterator[Disagreement]:
    """Every line of TestVectors: the command, the judge and the manifest must agree."""
    for entry in json.loads((VECTORS / "manifest.json").read_text()):
        if not entry["file"].endswith(".jws"):
            continue
        files = [VECTORS / root for root in entry["roots"]]
        roots = [raw for path in files for raw in certificates_in(path)]
        data = (VECTORS / entry["file"]).read_bytes()
        lines = data.split(b"\n")
        ended = lines[-1] == b""
        if ended:
            lines.pop()
        abouts = [f"{entry['file']}:{n}" for n in range(1, len(lines) + 1)]
        yield from compare_lines(command, "vectors", tally, files, roots, entry["options"], lines, abouts, ended)
        options = options_from(roots, entry["options"])
        expected = {
            e["line"]: Verdict(True, e["type"]) if e["verified"] else Verdict(False, e["error"], e.get("at"))
            for e in entry["lines"]
        }
        for number, line in enumerate(lines, 1):
            judged = judge(line, options)
            if judged != expected.get(number):
                about = f"manifest of {abouts[number - 1]}"
                yield Disagreement("manifest", about, entry["options"], line, expected.get(number), judged)


def compare_kept(command: str, tally: Tally) -> Iterator[Disagreement]:
    """Lines on which command and judge once disagreed (written by --keep)."""
    for path in sorted((HERE / "Kept").glob("*.json")):
        note = json.loads(path.read_text())
        pairs = list(zip(note["arguments"][::2], note["arguments"][1::2], strict=True))
        files = [VECTORS / value for name, value in pairs if name == "--root"]
        options = [part for pair in pairs if pair[0] != "--root" for part in pair]
        roots = [raw for file in files for raw in certificates_in(file)]
        line = path.with_suffix(".jws").read_bytes().removesuffix(b"\n")
        about = f"{path.name}, {note['about']}"
        yield from compare_lines(command, "kept", tally, files, roots, options, [line], [about])


def tokens_in(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.glob("*.jws")):
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            if line:
                yield f"{path.name}:{number}", line


def x5c_of(line: bytes) -> list[bytes]:
    segment = line.split(b".")[0]
    header = json.loads(base64.urlsafe_b64decode(segment + b"=" * (-len(segment) % 4)))
    return [base64.b64decode(text) for text in header["x5c"]]


def compare_genuine(command: str, folder: Path, tally: Tally) -> Iterator[Disagreement]:
    """Payloads from the App Store, under the command's default anchor, and from Xcode, pinned."""
    tokens = list(tokens_in(folder / "jws"))
    root = next(
        raw for _, line in tokens for raw in x5c_of(line) if hashlib.sha256(raw).hexdigest() == APPLE_ROOT_G3
    )
    lines, abouts = [line for _, line in tokens], [about for about, _ in tokens]
    for arguments in ([], ["--environment", "Sandbox"], ["--environment", "Production"], ["--app-apple-id", "1"],
                      ["--bundle-id", "com.example.garden"], ["--environment", "Xcode"],
                      ["--effective-date", "2022-06-01T00:00:00Z"],
                      ["--device-id", "6f1c2b7e-0d3a-4e58-9b64-8a2f5c7d1e90"]):
        yield from compare_lines(command, "genuine", tally, [], [root], arguments, lines, abouts)
    for about, line in tokens_in(folder / "xcode"):
        pinned = x5c_of(line)[0]
        with tempfile.NamedTemporaryFile(suffix=".der") as file:
            file.write(pinned)
            file.flush()
            for arguments in (["--environment", "Xcode"], ["--environment", "LocalTesting"], [],
                              ["--environment", "Xcode", "--effective-date", "2020-01-01T00:00:00Z"]):
                yield from compare_lines(
                    command, "genuine", tally, [Path(file.name)], [pinned], arguments, [line], [about]
                )


def batches(mutants: Iterable[mutate.Mutant], size: int) -> Iterator[tuple[mutate.Setting, list[mutate.Mutant]]]:
    """Mutants with the same setting, in groups of the size that one run of the command takes."""
    waiting: dict[mutate.Setting, list[mutate.Mutant]] = {}
    for mutant in mutants:
        group = waiting.setdefault(mutant.setting, [])
        group.append(mutant)
        if len(group) == size:
            yield mutant.setting, waiting.pop(mutant.setting)
    yield from waiting.items()


def compare_mutants(command: str, seed: int, count: int, tally: Tally) -> Iterator[Disagreement]:
    for setting, group in batches(mutate.mutants(VECTORS, seed, count), 2000):
        files = [VECTORS / root for root in setting.roots]
        roots = [raw for path in files for raw in certificates_in(path)]
        lines, abouts = [m.line for m in group], [m.about for m in group]
        for mutant in group:
            tally.kinds[mutant.about] += 1
        yield from compare_lines(command, "mutants", tally, files, roots, list(setting.options), lines, abouts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", default="storekit-verify", help="the storekit-verify to judge")
    parser.add_argument("--mutations", type=int, default=20000, metavar="N", help="how many mutants (default 20000)")
    parser.add_argument("--seed", type=int, default=1, help="of the mutants")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write the lines of disagreements there")
    parser.add_argument("--kinds", action="store_true", help="say how many mutants there were of each kind")
    arguments = parser.parse_args()

    tallies = {"vectors": Tally(), "kept": Tally(), "genuine": Tally(), "mutants": Tally()}
    found: list[Disagreement] = list(compare_vectors(arguments.command, tallies["vectors"]))
    found += compare_kept(arguments.command, tallies["kept"])
    genuine = Path(os.environ.get("PRIVATE_TEST_DATA", "/nowhere")) / "genuine"
    if genuine.is_dir():
        found += compare_genuine(arguments.command, genuine, tallies["genuine"])
    else:
        print("skipped: PRIVATE_TEST_DATA names no folder with Apple's payloads")
    began = time.monotonic()
    if arguments.mutations > 0:
        found += compare_mutants(arguments.command, arguments.seed, arguments.mutations, tallies["mutants"])
    elapsed = time.monotonic() - began

    groups: dict[tuple[str, str, str], list[Disagreement]] = {}
    for item in found:
        groups.setdefault((item.source, item.kind, item.about if item.source == "mutants" else ""), []).append(item)
    for (source, kind, about), items in sorted(groups.items(), key=lambda pair: -len(pair[1])):
        first = items[0]
        listed = "listed, " if all(item.listed for item in items) else ""
        print(f"{len(items):6} × {listed}{source}: {kind}; {about or ', '.join(i.about for i in items[:5])}")
        print(f"         {' '.join(first.arguments)}\n         {first.line[:100]!r}…")
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            name = hashlib.sha256(first.line).hexdigest()[:12]
            (arguments.keep / f"{name}.jws").write_bytes(first.line + b"\n")
            shown = [part.removeprefix(f"{VECTORS}/") for part in first.arguments]
            note = {"about": first.about, "was": kind, "arguments": shown}
            (arguments.keep / f"{name}.json").write_text(json.dumps(note, indent=2) + "\n")
            print(f"         kept as {name}.jws")
    for name, tally in tallies.items():
        if tally.lines:
            print(
                f"{name}: {tally.lines} lines, {tally.agreed} agree, {tally.lines - tally.agreed} do not "
                f"({tally.listed} for a listed reason); the judge "
                f"verified {tally.verified}; {tally.seconds_judge:.1f} s judge, {tally.seconds_command:.1f} s command"
            )
    if arguments.kinds:
        for about, number in sorted(tallies["mutants"].kinds.items()):
            print(f"{number:7} {about}")
    total = sum(tally.lines for tally in tallies.values())
    unlisted = sum(not item.listed for item in found)
    print(
        f"compare: {total} lines, {unlisted} disagreements that are not listed, mutants in {elapsed:.1f} s "
        f"(seed {arguments.seed})"
    )
    return 1 if unlisted else 0


if __name__ == "__main__":
    sys.exit(main())
