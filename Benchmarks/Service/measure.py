"""The service's speed beside an echo of the same bodies, and a batch's beside the command's from a pipe."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BIN, TOKENS = Path(sys.argv[1]), Path(sys.argv[2])
SECONDS, OPTIONS = int(sys.argv[3]), sys.argv[4:]
ROUNDS = 5
CONNECTIONS = 32
PORTS = {"echo": 18_180, "verify": 18_181}
SCRIPT = """
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
function done(summary, latency)
  io.write(string.format("REPORT %%d %%d %%f %%d\\n", summary.requests, summary.duration, latency:percentile(99),
    summary.errors.status + summary.errors.read + summary.errors.timeout))
end
"""


def wrk(script: Path, name: str, seconds: int) -> tuple[int, float, float]:
    """The requests, their number a second, and the 99th percentile of their times in milliseconds."""
    path = {"echo": "/", "verify": "/v1/verify"}[name]
    url = f"http://127.0.0.1:{PORTS[name]}{path}"
    done = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}", "-s", script, url], capture_output=True, text=True, check=True)
    match = re.search(r"^REPORT (\d+) (\d+) (\S+) (\d+)$", done.stdout, re.MULTILINE)
    if not match or int(match[4]):
        sys.exit(f"wrk: {done.stdout}{done.stderr}")
    requests, microseconds = int(match[1]), int(match[2])
    return requests, requests / microseconds * 1e6, float(match[3]) / 1e3


def best(work: list[str], given: Path) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.monotonic()
        with subprocess.Popen(["cat", given], stdout=subprocess.PIPE) as source:
            subprocess.run(work, stdin=source.stdout, stdout=subprocess.DEVNULL, check=False)
        times.append(time.monotonic() - start)
    return min(times)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        script, paced, large = (Path(folder) / name for name in ("all.lua", "paced.lua", "large"))
        script.write_text(SCRIPT % TOKENS)
        echo = subprocess.Popen([BIN / "echo-server", str(PORTS["echo"])])
        command = BIN / "storekit-verify"
        verify = subprocess.Popen([command, "serve", "--port", str(PORTS["verify"]), *OPTIONS])
        try:
            time.sleep(2)
            for name in PORTS:
                wrk(script, name, 2)
            rates: dict[str, list[float]] = {name: [] for name in PORTS}
            for _ in range(ROUNDS):
                for name in PORTS:
                    rates[name].append(wrk(script, name, SECONDS)[1])
            pairs = [mine / other for mine, other in zip(rates["verify"], rates["echo"])]
            rate = statistics.median(rates["verify"])
            paced.write_text(
                SCRIPT % TOKENS + f"function delay() return {CONNECTIONS / (rate / 2) * 1e3:.3f} end\n")
            _, half, tail = wrk(paced, "verify", SECONDS)
            requests = 0
            while requests < 1_000_000:
                requests += wrk(script, "verify", 20)[0]
            status = Path(f"/proc/{verify.pid}/status").read_text()
            resident = re.search(r"VmRSS:\s+(\d+) kB", status)
            assert resident
            lines = TOKENS.read_bytes().splitlines(keepends=True)
            count = max(1, 40_000 // len(lines)) * len(lines)
            large.write_bytes(b"".join(lines) * (count // len(lines)))
            url = f"http://127.0.0.1:{PORTS['verify']}/v1/verify/batch"
            batch = best(["curl", "-sS", "-X", "POST", "-H", "Content-Type: application/x-ndjson", "-T", "-", url], large)
            pipe = best([str(command), *OPTIONS], large)
        finally:
            echo.terminate()
            verify.terminate()
    print("| what | measured | at least |\n|---|---:|---:|")
    print(f"| requests/s, verify | {rate:,.0f} | |")
    print(f"| requests/s, echo | {statistics.median(rates['echo']):,.0f} | |")
    print(f"| verify ÷ echo, median of {ROUNDS} pairs | {statistics.median(pairs):.2f} | 0.7 |")
    print(f"| p99 at {half:,.0f} requests/s | {tail:.1f} ms | 10 ms |")
    print(f"| memory after {requests:,} more requests | {int(resident[1]) // 1024} MB | 150 MB |")
    print(f"| tokens/s, batch | {count / batch:,.0f} | |")
    print(f"| tokens/s, the command from a pipe | {count / pipe:,.0f} | |")
    print(f"| batch ÷ command | {pipe / batch:.2f} | 0.6 |")


if __name__ == "__main__":
    main()
