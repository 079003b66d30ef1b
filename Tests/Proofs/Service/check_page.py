"""The samples of the page "Service", in the languages that are installed, against a service with a token."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

from kit import PAGES, TEST_ROOT, expect, folder, service, transaction

RUN = {"verify.mjs": ["node"], "verify.py": ["python3"], "Verify.java": ["java"]}


def main() -> None:
    text = (PAGES / "Service.md").read_text()
    samples = dict(re.findall(r"^```\w+\n(?:#|//) (\w+\.\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
    # Those of batches are check_batches.py's.
    samples = {name: source for name, source in samples.items() if not name.lower().startswith("batch.")}
    expect(set(samples) == set(RUN), f"the page's samples are {sorted(samples)}")
    ran = []
    with folder() as work, service("--root", str(TEST_ROOT)) as running:
        for name, source in samples.items():
            expect(len(source.splitlines()) <= 14, f"{name} is long")
            expect("http://127.0.0.1:8080" in source, f"{name} has another address")
            (work / name).write_text(source.replace("http://127.0.0.1:8080", running.url))
            if not shutil.which(RUN[name][0]):
                print(f"SKIPPED {name}: no {RUN[name][0]}")
                continue
            done = subprocess.run(
                [*RUN[name], name], cwd=work, input=transaction(), stdout=subprocess.PIPE, timeout=120, check=True)
            expect(json.loads(done.stdout)["productId"].startswith("com.example."), f"{name}: {done.stdout!r}")
            ran.append(name)
    expect("verify.py" in ran, "no sample ran")
    print(f"page: {', '.join(ran)}")


if __name__ == "__main__":
    main()
