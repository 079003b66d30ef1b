"""The service against its OpenAPI document, by schemathesis."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

from kit import TEST_ROOT, VECTORS, Service, expect, folder, lines, run_command, service


def check_examples(running: Service, document: dict) -> None:
    """The document's examples name what the file has, so that the answers with content are compared too."""
    for path, item in document["paths"].items():
        query = {"environment": "Sandbox"} if "customers" in path else {}
        for one in item.get("get", {}).get("parameters", []):
            path = path.replace(f"{{{one['name']}}}", one.get("example", ""))
            if one["in"] == "query" and one["required"]:
                query[one["name"]] = one["example"]
        if "get" in item:
            path += f"?{urlencode(query)}"
            expect(running.request("GET", path).status == 200, f"the example of {path}")


def main() -> None:
    with folder() as work:
        options = ["--root", str(TEST_ROOT), "--database", str(work / "purchases.db")]
        purchases = (str(VECTORS / f"valid/{name}.jws") for name in ("transactions", "renewal-info"))
        run_command("ingest", *options, "--refused", str(work / "refused"), *purchases)
        # A port on which no program listens: deliveries wait.
        check(*options, "--bundle-id", "com.example.garden", "--forward-to", "http://127.0.0.1:9/")


def check(*options: str) -> None:
    with service(*options) as running:
        document = json.loads(running.request("GET", "/openapi.json").body)
        expect(document["openapi"] == "3.1.0" and len(document["paths"]) >= 6, "the OpenAPI document")
        bodies = filter(None, lines(VECTORS / "valid/notifications.jws"))
        statuses = [running.request("POST", "/v1/notifications", body).status for body in bodies]
        # One names no app.
        expect(statuses.count(200) == len(statuses) - 1 and 503 in statuses, f"notifications: {statuses}")
        check_examples(running, document)
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
