"""The service against its OpenAPI document, by schemathesis."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from kit import TEST_ROOT, expect, service


def main() -> None:
    with service("--root", str(TEST_ROOT)) as running:
        document = json.loads(running.request("GET", "/openapi.json").body)
        expect(document["openapi"] == "3.1.0" and len(document["paths"]) >= 6, "the OpenAPI document")
        done = subprocess.run(
            [
                Path(sys.executable).with_name("st"), "run", f"{running.url}/openapi.json", "--no-color",
                "--max-examples", "60", "--checks",
                "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
                "response_headers_conformance,unsupported_method",
            ],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=540, check=False,
        )
    expect(done.returncode == 0, f"schemathesis:\n{done.stdout.decode()[-6000:]}")
    print("description: the service is as /openapi.json says")


if __name__ == "__main__":
    main()
