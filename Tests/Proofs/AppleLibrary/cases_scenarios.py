"""The output of storekit-test run for every scenario, verified by Apple's code."""

import json
import subprocess


def run(check):
    listed = subprocess.run([check.command, "scenarios"], capture_output=True, text=True, check=True).stdout
    names = [line.split()[0] for line in listed.splitlines()]
    check.that(len(names) > 30, "the scenarios are listed")
    # Random lives have nothing that the others lack.
    for name in names:
        if name != "population":
            scenario(check, name)


def scenario(check, name):
    """Every payload of a scenario, with the payloads inside it."""
    written = subprocess.run(
        [check.command, "run", "--scenario", name, "--seed", "7", "--environment", check.environment.value],
        capture_output=True, text=True)
    check.equal((written.returncode, written.stderr), (0, ""), f"storekit-test run --scenario {name}")
    verify = {
        "signedPayload": check.notification,
        "signedTransactionInfo": check.transaction,
        "signedAppTransactionInfo": check.app_transaction,
    }
    for line in written.stdout.splitlines():
        ((member, token),) = json.loads(line).items()
        try:
            verify[member](token)
        except Exception as error:
            check.that(False, f"{name}: {member}: {error!r}")
        else:
            check.that(True, name)
