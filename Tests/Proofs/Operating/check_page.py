"""Runs the page's commands in their order, in one shell.

check_page.py COMMAND MINT
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from kit import blocks, expect, mint, receiver

# Between two blocks, the reader waits until the service listens, and lets the App Store send something.
WAITING = "until curl --fail --silent http://127.0.0.1:8080/readyz >/dev/null; do sleep 0.1; done\n"
SENDING = """\
while read -r body; do
    curl --fail --silent --output /dev/null --header 'Content-Type: application/json' --data-raw "$body" \\
        http://127.0.0.1:8080/v1/notifications
done <bodies
sleep 1
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        bodies = mint(work, 20)
        came = receiver(8091)
        (work / "bin").mkdir()
        (work / "bin/storekit-verify").symlink_to(Path(sys.argv[1]).resolve())
        start, *others = blocks("sh")
        expect(len(others) >= 7, f"the page has {len(others) + 1} blocks")
        marked = [f"echo '== {place}'\n{block}" for place, block in enumerate(others)]
        script = "set -eu\n" + start + WAITING + SENDING + "\n".join(marked)
        done = subprocess.run(
            ["sh", "-c", script], cwd=work, env=os.environ | {"PATH": f"{work / 'bin'}:{os.environ['PATH']}"},
            capture_output=True, text=True, timeout=120)
        expect(done.returncode == 0, f"the page's commands: status {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        expect("storekit_verify_deliveries{" in done.stdout, "no metrics of deliveries")
        expect(f'{{"queued":{len(bodies)}}}' in done.stdout, "the replay")
        expect(len(came) == 2 * len(bodies), f"{len(came)} requests came to the address")
        forgotten = json.loads(done.stdout.strip().splitlines()[-1])
        expect(forgotten["remains"] == 0, f"{forgotten}")
        expect('"the configuration was read anew"' in done.stderr, "the reload is not in the log")
        print(f"the page: {len(others) + 1} blocks")


if __name__ == "__main__":
    main()
