"""The service's speed beside an echo of the same bodies and beside Apple's library for Python, a batch's beside the
command's from a pipe, and notifications a second with a database.

measure.py BIN TOKENS ROOT SECONDS
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

BIN, TOKENS, ROOT = (Path(name) for name in sys.argv[1:4])
SECONDS = int(sys.argv[4])
COMMAND = BIN / "storekit-verify"
PEERS = Path(__file__).resolve().parents[1] / "Peers"
ROUNDS = 5
CONNECTIONS = 32
BATCH_LINES = 40_000
# More notifications than a second can keep, so that each one is new.
NOTIFICATIONS_PER_SECOND = 8_000
URLS = {
    "echo": "http://127.0.0.1:18180/", "verify": "http://127.0.0.1:18181/v1/verify", "apple": "http://127.0.0.1:18182/"
}
REPORT = """
function done(summary, latency)
  io.write(string.format("REPORT %d %d %f %d\\n", summary.requests, summary.duration, latency:percentile(99),
    summary.errors.status + summary.errors.read + summary.errors.timeout))
end
"""
# The same thousand bodies again and again.
REPEATING = """
local bodies = {}
for line in io.lines("%s") do
  if #line > 0 then bodies[#bodies + 1] = line end
  if #bodies == 1000 then break end
end
local next = 0
wrk.method = "POST"
function request()
  next = next %% #bodies + 1
  return wrk.format(nil, nil, nil, bodies[next])
end
"""
# Each body once.
ONCE = """
local file = io.open("%s")
wrk.method = "POST"
function request()
  return wrk.format(nil, nil, nil, file:read("*l") or "no more notifications")
end
"""


def wrk(script: Path, url: str, seconds: int) -> tuple[int, float, float]:
    """The requests, their number a second, and the 99th percentile of their times in milliseconds."""
    done = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}", "-s", script, url], capture_output=True, text=True, check=True)
    match = re.search(r"^REPORT (\d+) (\d+) (\S+) (\d+)$", done.stdout, re.MULTILINE)
    if not match or int(match[4]):
        sys.exit(f"wrk: {done.stdout}{done.stderr}")
    requests, microseconds = int(match[1]), int(match[2])
    return requests, requests / microseconds * 1e6, float(match[3]) / 1e3


def best(work: list[str | Path], given: Path) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.monotonic()
        with subprocess.Popen(["cat", given], stdout=subprocess.PIPE) as source:
            subprocess.run(work, stdin=source.stdout, stdout=subprocess.DEVNULL, check=False)
        times.append(time.monotonic() - start)
    return min(times)


def answer(url: str, body: bytes | None = None) -> bytes:
    with urllib.request.urlopen(urllib.request.Request(url, body), timeout=10) as given:
        return given.read()


@contextlib.contextmanager
def running(arguments: list[str | Path], url: str, **others: object) -> Iterator[subprocess.Popen[bytes]]:
    """A server, from when it answers to its end."""
    process = subprocess.Popen(arguments, stderr=subprocess.DEVNULL, **others)  # type: ignore[call-overload]
    try:
        for _ in range(100):
            with contextlib.suppress(OSError):
                answer(url, b"x")
                break
            time.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait()


def good_and_bad(url: str) -> None:
    """A server must accept a token and refuse a spoilt one before it is timed."""
    token = TOKENS.read_bytes().split(b"\n", 1)[0]
    spoilt = token[:-20] + (b"B" if token[-20:-19] == b"A" else b"A") + token[-19:]
    verdicts = [json.loads(answer(url, body))["verified"] for body in (token, spoilt)]
    if verdicts != [True, False]:
        sys.exit(f"{url}: wrong verdicts {verdicts}")


def resident(process: subprocess.Popen[bytes]) -> int:
    match = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())
    assert match
    return int(match[1]) // 1024


def notifications(work: Path) -> list[float]:
    """Notifications that the service kept in a second: on the disk, and queued for one address."""
    root, bodies, script = work / "root.pem", work / "bodies", work / "once.lua"
    subprocess.run(
        [BIN / "mint", "corpus", "--content", "notifications", "--wrapped-percent", "100", "--root", root,
         "--tokens", str(NOTIFICATIONS_PER_SECOND * SECONDS), bodies], check=True, stderr=subprocess.DEVNULL)
    script.write_text(ONCE % bodies + REPORT)
    rates = []
    for number in range(ROUNDS):
        database = work / f"{number}.db"
        options = ["--root", root, "--bundle-id", "com.example.garden", "--database", database,
                   "--forward-to", "http://127.0.0.1:9/"]
        url = "http://127.0.0.1:18183"
        with running([COMMAND, "serve", "--port", "18183", *options], f"{url}/v1/verify"):
            requests, rate, _ = wrk(script, f"{url}/v1/notifications", SECONDS)
            metrics = answer(f"{url}/metrics").decode()
        match = re.search(r'^storekit_verify_notifications_total\{app="[^"]*",outcome="accepted"\} (\d+)$', metrics, re.MULTILINE)
        # Those that were on their way at the end are kept, and not counted by wrk.
        if not match or not requests <= int(match[1]) <= requests + CONNECTIONS:
            sys.exit(f"{requests} answers, and of notifications {match and match[1]} are kept")
        rates.append(rate)
        for file in work.glob(f"{number}.db*"):
            file.unlink()
    return rates


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as servers:
        work = Path(folder)
        script, paced, large = (work / name for name in ("all.lua", "paced.lua", "large"))
        script.write_text(REPEATING % TOKENS + REPORT)
        root = work / "apple.pem"
        subprocess.run(["openssl", "x509", "-inform", "der", "-in", ROOT, "-out", root], check=True)
        servers.enter_context(running([BIN / "echo-server", "18180"], URLS["echo"]))
        verify = servers.enter_context(running([COMMAND, "serve", "--port", "18181", "--root", root], URLS["verify"]))
        servers.enter_context(
            running(
                [Path(sys.executable).with_name("uvicorn"), "--workers", "2", "--port", "18182", "--no-access-log",
                 "--log-level", "warning", "apple_library_server:app"],
                URLS["apple"], cwd=PEERS, env=os.environ | {"ROOT": str(ROOT)}))
        for name in ("verify", "apple"):
            good_and_bad(URLS[name])
        for url in URLS.values():
            wrk(script, url, 2)
        rates: dict[str, list[float]] = {name: [] for name in URLS}
        for _ in range(ROUNDS):
            for name, url in URLS.items():
                rates[name].append(wrk(script, url, SECONDS)[1])

        def ratio(name: str) -> float:
            return statistics.median(mine / other for mine, other in zip(rates["verify"], rates[name]))

        rate = statistics.median(rates["verify"])
        paced.write_text(script.read_text() + f"function delay() return {CONNECTIONS / (rate / 2) * 1e3:.3f} end\n")
        _, half, tail = wrk(paced, URLS["verify"], SECONDS)
        requests = 0
        while requests < 1_000_000:
            requests += wrk(script, URLS["verify"], 20)[0]
        memory = resident(verify)
        lines = TOKENS.read_bytes().splitlines(keepends=True)[:BATCH_LINES]
        large.write_bytes(b"".join(lines))
        batch = best(
            ["curl", "-sS", "-X", "POST", "-H", "Content-Type: application/x-ndjson", "-T", "-", URLS["verify"] + "/batch"],
            large)
        pipe = best([COMMAND, "--root", root], large)
        kept = notifications(work)
    print("| what | measured | at least |\n|---|---:|---:|")
    print(f"| requests/s, verify | {rate:,.0f} | |")
    print(f"| requests/s, echo | {statistics.median(rates['echo']):,.0f} | |")
    print(f"| requests/s, Apple's library for Python | {statistics.median(rates['apple']):,.0f} | |")
    print(f"| verify ÷ echo, median of {ROUNDS} pairs | {ratio('echo'):.2f} | 0.7 |")
    print(f"| verify ÷ Apple's library, median of {ROUNDS} pairs | {ratio('apple'):.0f} | 50 |")
    print(f"| p99 at {half:,.0f} requests/s | {tail:.1f} ms | at most 10 ms |")
    print(f"| memory after {requests:,} more requests | {memory} MB | at most 150 MB |")
    print(f"| tokens/s, batch | {len(lines) / batch:,.0f} | |")
    print(f"| tokens/s, the command from a pipe | {len(lines) / pipe:,.0f} | |")
    print(f"| batch ÷ command | {pipe / batch:.2f} | 0.6 |")
    print(f"| notifications/s with a database, median of {ROUNDS} | {statistics.median(kept):,.0f} | 2,000 |")


if __name__ == "__main__":
    main()
