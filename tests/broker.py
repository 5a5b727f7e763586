"""Brokers for the tests, each a process of its own: the mock cluster that librdkafka has, and a real Redis server.

As a script: holds a mock cluster until it is killed; says where it listens.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from confluent_kafka import Producer
from redis import Redis
from redis.exceptions import RedisError

QUIET = {"log_level": "0"}


class MockKafka:
    """A cluster of one broker."""

    def __init__(self) -> None:
        command = [sys.executable, __file__]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()

    def producer(self) -> Producer:
        return Producer({"bootstrap.servers": self.address, **QUIET})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


class RealRedis:
    """A server that syncs what it acknowledges, and can be killed and started anew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"redis://127.0.0.1:{self._port}/0"
        self.client = Redis.from_url(self.address)
        self._process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        words = f"--port {self._port} --bind 127.0.0.1 --dir {self._folder} --appendonly yes --appendfsync always --save"
        process = subprocess.Popen(["redis-server", *words.split(), ""], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 30.0
        while True:
            try:
                self.client.ping()
            except RedisError:
                assert time.monotonic() < deadline
                time.sleep(0.02)
            else:
                return process

    def restart(self) -> None:
        """As after a power cut."""
        self._process.kill()
        self._process.wait()
        self._process = self._started()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self._process.kill()
        self._process.wait()


def main() -> None:
    producer = Producer({"bootstrap.servers": "none", "test.mock.num.brokers": "1", **QUIET})
    broker = next(iter(producer.list_topics(timeout=10.0).brokers.values()))
    print(f"{broker.host}:{broker.port}", flush=True)
    while True:
        time.sleep(60.0)


if __name__ == "__main__":
    main()
