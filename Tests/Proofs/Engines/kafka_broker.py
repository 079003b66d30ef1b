"""A broker for tests, which librdkafka has built in: in memory, with groups and offsets, over TCP.

Prints its address, takes `NUMBER<TAB>TEXT` lines for a topic until a line `end<TAB>`, and stays until its input ends. TEXT is
a string in JSON.
"""

from __future__ import annotations

import json
import sys

from confluent_kafka import Producer

PARTITIONS = 3


def main(topic: str) -> None:
    producer = Producer(
        {"test.mock.num.brokers": 1, "message.max.bytes": 4_000_000, "linger.ms": 5, "log_level": 2}
    )
    brokers = producer.list_topics(topic, timeout=10).brokers.values()
    for line in sys.stdin:
        key, text = line.rstrip("\n").split("\t", 1)
        if key == "end":
            break
        producer.produce(topic, json.loads(text).encode(), key.encode(), partition=int(key) % PARTITIONS)
        producer.poll(0)
    producer.flush()
    print(*(f"{broker.host}:{broker.port}" for broker in brokers), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
