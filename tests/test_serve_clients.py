"""Whoever talks to a server: our clients, the client of the Open Inference Protocol, Prometheus, TLS, several models."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tritonclient.http as triton
from prometheus_client.parser import text_string_to_metric_families

import littlestone as ls
from littlestone.client import Answer, AsyncClient, Client, ServerError
from serving import Json, Server, free_port, served


def models(folder: Path) -> list[str]:
    """A model of every kind, as flags."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    named = [{"a": x[0], "b": x[1]} for x in X.tolist()]
    kinds: dict[str, ls.Learner] = {
        "binary": ls.Learner(ls.Perceptron()),
        "columns": ls.Learner(ls.Perceptron()),
        "classes": ls.Learner(ls.OneVersusRest(rule=ls.Perceptron())),
        "targets": ls.Learner(ls.PassiveAggressiveRegression(epsilon=0.1)),
        "ball": ls.Learner(ls.Uniclass(epsilon=1.0)),
        "kernel": ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5))),
        "pool": ls.Learner(ls.Pool()),
    }
    kinds["binary"].learn_many(named, ["up" if x[0] > 0 else "down" for x in X])
    kinds["columns"].learn_many(X, X[:, 0] > 0.0)
    kinds["classes"].learn_many(named, ["abc"[k % 3] for k in range(50)])
    kinds["targets"].learn_many(named, X[:, 0])
    kinds["ball"].learn_many(named)
    kinds["kernel"].learn_many(named, ["up" if x[0] > 0 else "down" for x in X])
    kinds["pool"].learn_many(named, ["up" if x[0] > 0 else "down" for x in X])
    flags = []
    for name, learner in kinds.items():
        learner.save(folder / f"{name}.lst")
        flags += ["--model", f"{name}={folder / name}.lst"]
    return flags


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("models")
    with served(folder / "data", *models(folder)) as running:
        running.errors = folder  # where the files are
        yield running


OUTCOMES: dict[str, Json] = {
    "binary": "up", "columns": True, "classes": "d", "targets": 0.25, "ball": None, "kernel": "up", "pool": "down",
}  # fmt: skip


@pytest.mark.parametrize("name", OUTCOMES)
def test_every_kind_of_model_learns_and_predicts_as_it_does_alone(server: Server, name: str) -> None:
    alone = ls.load(server.errors / f"{name}.lst")
    row: dict[str, float] | list[float] = [0.5, -1.0, 2.0] if name == "columns" else {"a": 0.5, "b": -1.0}
    label = OUTCOMES[name]
    assert not isinstance(label, list | dict)
    with Client(server.url, model=name) as client:
        assert client.predict(row).prediction == alone.predict_one(row)
        learned = client.learn(row, label)
        assert learned.prediction == (alone.learn_one(row) if label is None else alone.learn_one(row, label))
        assert tuple(client.predict(row)) == (alone.predict_one(row), learned.model_version)
        assert client.get("ledger")["rounds"] == alone.ledger.rounds
        assert isinstance(client.get("certificates")["certificates"], list)
        if label is not None:
            asked = client.predict(row, id="late")
            assert tuple(client.feedback("late", label)) == (alone.learn_one(row, label), asked.model_version + 1)


def test_columns_may_be_named_by_their_numbers(server: Server) -> None:
    with Client(server.url, model="columns") as client:
        assert client.predict({"0": 0.5, "2": 2.0}) == client.predict([0.5, 0.0, 2.0])
        with pytest.raises(ServerError, match="not a column") as caught:
            client.predict({"nobody": 1.0})
        assert caught.value.status == 422


# The Open Inference Protocol, by a client that others wrote.


def tensor(name: str, values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], *, binary: bool) -> triton.InferInput:
    made = triton.InferInput(name, list(values.shape), "FP64")
    made.set_data_from_numpy(values, binary_data=binary)
    return made


@pytest.mark.parametrize("binary", [True, False])
def test_the_client_of_triton(server: Server, binary: bool) -> None:
    client = triton.InferenceServerClient(server.url.removeprefix("http://"))
    assert client.is_server_live()
    assert client.is_server_ready()
    assert client.is_model_ready("binary")
    assert client.is_model_ready("columns", "1")
    about = client.get_server_metadata()
    assert (about["name"], "littlestone.learn" in about["extensions"]) == ("littlestone", True)
    described = client.get_model_metadata("binary")
    assert [each["name"] for each in described["inputs"]] == ["a", "b"]
    assert client.get_model_metadata("columns")["inputs"][0]["shape"] == [-1, 3]
    X = np.array([[0.5, -1.0, 2.0], [-3.0, 1.0, 0.5]])
    outputs = [triton.InferRequestedOutput("prediction", binary_data=binary)]
    by_column = client.infer("columns", [tensor("rows", X, binary=binary)], outputs=outputs, request_id="q")
    with Client(server.url, model="columns") as mine:
        expected = mine.predict_many(X.tolist())
    assert by_column.as_numpy("prediction").tolist() == expected.predictions
    assert by_column.get_response()["id"] == "q"
    by_name = client.infer(
        "binary", [tensor("a", X[:, 0], binary=binary), tensor("b", X[:, 1:2], binary=binary)], outputs=outputs
    )
    with Client(server.url, model="binary") as mine:
        labels = mine.predict_many([{"a": a, "b": b} for a, b, _ in X.tolist()]).predictions
    assert [str(label, "utf-8") if isinstance(label, bytes) else label for label in by_name.as_numpy("prediction")] == labels
    targets = client.infer("targets", [tensor("a", X[:, 0], binary=binary)])
    assert targets.as_numpy("prediction").dtype == np.float64
    with pytest.raises(triton.InferenceServerException, match="there is no model 'nobody'"):
        client.infer("nobody", [tensor("a", X[:, 0], binary=binary)])
    with pytest.raises(triton.InferenceServerException, match="shapes"):
        client.infer("binary", [tensor("a", X[:, 0], binary=binary), tensor("b", X[:1, 1], binary=binary)])
    client.close()


# Our clients.


def test_the_client_that_does_not_wait(server: Server) -> None:
    async def calls() -> None:
        async with AsyncClient(server.url, model="classes", connections=4) as client:
            rows: list[dict[str, float | str | bool | None]] = [{"a": float(k)} for k in range(20)]
            learned = await asyncio.gather(*(client.learn(row, "a") for row in rows))
            assert len({answer.model_version for answer in learned}) == 20
            assert (await client.learn_many(rows[:2], ["a", "b"])).model_version > max(a.model_version for a in learned)
            asked = await client.predict(rows[0], id="one")
            assert await client.predict(rows[0], id="one") == asked
            assert (await client.feedback("one", "b")).model_version == asked.model_version + 1
            assert (await client.predict_many(rows)).predictions != []
            assert "snapshot" in await client.snapshot()
            with pytest.raises(ServerError, match="no prediction with the id"):
                await client.feedback("nobody", "a")
            ledger = await client.get("ledger")
            assert ledger["rounds"] == (await client.get("status"))["rounds"]

    asyncio.run(calls())


def test_clients_wait_for_a_server_that_is_away_and_learn_once(tmp_path: Path) -> None:
    port = free_port()
    flags = ("--port", str(port))
    with served(tmp_path / "data", *flags) as first, Client(first.url, retries=0) as client:
        assert client.learn({"a": 1.0}, 1, id="once").model_version == 1
        first.kill()
        with pytest.raises(ServerError, match="did not answer") as caught:
            client.learn({"a": 1.0}, 1, id="once")
        assert caught.value.status == 0
    with served(tmp_path / "data", *flags) as again, Client(again.url) as client:
        assert client.learn({"a": 1.0}, 1, id="once").model_version == 1
        assert client.get("ledger")["rounds"] == 1
        assert client.learn_many([{"a": 1.0}, {"a": 2.0}], [1, 0], weights=[1.0, 1.0]).predictions == [1, 1]


@pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "ftp://localhost", "http://localhost/v2"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(ls.InvalidParameter, match="expected one like http"):
        Client(url)


def test_the_client_needs_no_extra() -> None:
    code = (
        "import sys, littlestone.client; heavy = {'msgspec', 'uvicorn', 'httptools', 'uvloop', 'prometheus_client'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip() == "[]"


# Metrics, TLS, addresses.


def test_metrics_are_what_the_ledger_says(server: Server) -> None:
    with Client(server.url, model="binary") as client:
        client.learn({"a": 1.0}, "up")
        ledger = client.get("ledger")
    _, content = server.request("GET", "/metrics")
    found = {
        (sample.name, sample.labels.get("model") or sample.labels.get("verb")): sample.value
        for family in text_string_to_metric_families(content.decode())
        for sample in family.samples
    }
    assert found["littlestone_learns_total", "binary"] == ledger["rounds"]
    assert found["littlestone_mistakes_total", "binary"] == ledger["mistakes"]
    assert found["littlestone_features", "columns"] == 3
    assert found["littlestone_pending_labels", "binary"] == 0
    assert found["littlestone_journal_sync_seconds_count", "binary"] >= 1
    assert found["littlestone_request_duration_seconds_count", "learn"] >= 1
    assert found["littlestone_snapshot_age_seconds", "binary"] >= 0


def test_tls(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    made = subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-keyout",
            str(key),
            "-out",
            str(certificate),
            *subject,
        ],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("there is no openssl to make a certificate with")
    with served(tmp_path / "data", "--tls-certificate", str(certificate), "--tls-key", str(key)) as server:
        assert server.url.startswith("https://")
        trusted = ssl.create_default_context(cafile=str(certificate))
        with Client(server.url, context=trusted) as client:
            assert client.learn({"a": 1.0}, 1).model_version == 1

        async def asked() -> Answer:
            async with AsyncClient(server.url, context=trusted) as other:
                return await other.predict({"a": 1.0})

        assert asyncio.run(asked()).model_version == 1


def test_pages_of_other_sites_are_refused(server: Server) -> None:
    body: Json = {"row": {"a": 1.0}, "label": "up"}
    host = server.url.removeprefix("http://")
    for headers, status in (
        ({"Origin": "https://example.org"}, 403),
        ({"Origin": f"http://{host}"}, 200),
        ({"Host": "example.org"}, 403),
        ({"Host": f"localhost:{server.port}"}, 200),
    ):
        assert server.request("POST", "/v2/models/binary/learn", body, headers)[0] == status


def request(verb: str, content: str, *fields: str) -> bytes:
    """A request to the model of two labels as it goes over the wire."""
    head = [f"POST /v2/models/binary/{verb} HTTP/1.1", "Host: localhost", *fields, f"Content-Length: {len(content)}"]
    return "\r\n".join([*head, "", content]).encode()


def heard_one(connection: socket.socket) -> tuple[int, dict[str, Json]]:
    """Status and body of one answer."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += connection.recv(1 << 16)
    head, _, body = heard.partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(1 << 16)
    assert len(body) == length
    answer: dict[str, Json] = json.loads(body)
    return int(head.split()[1]), answer


def test_a_head_that_is_said_again_is_another_request(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=150.0) as connection:
        versions = []
        for number in range(8):
            connection.sendall(request("learn", f'{{"row": {{"a": {number}}}, "label": "up"}}'))
            status, answer = heard_one(connection)
            assert status == 200
            versions.append(answer["model_version"])
            connection.sendall(request("predict", '{"row": {"a": "one"}}'))
            status, answer = heard_one(connection)
            assert (status, list(answer)) == (422, ["error"])
            connection.sendall(request("predict", '{"row": {"a": 1.5}}'))
            assert heard_one(connection) == (200, {"prediction": "up", "model_version": versions[-1]})
        assert versions == list(range(int(str(versions[0])), int(str(versions[0])) + 8))
        for key in ("one", "two", "one"):  # whoever repeats an id is not taken for somebody else
            connection.sendall(request("learn", '{"row": {"a": 1}, "label": "up"}', f"Idempotency-Key: {key}"))
            versions.append(heard_one(connection)[1]["model_version"])
        assert versions[-1] == versions[-3] != versions[-2]


def test_what_lies_in_a_body_is_never_taken_for_a_head(server: Server) -> None:
    victim = request("learn", '{"row": {"a": 1}, "label": "up"}'.ljust(600), "X-Victim: yes")
    head = victim[:-600]
    # A prediction whose body ends in the head of somebody else, and then what has the length of both their bodies.
    attack = request("predict", head.decode().rjust(600))
    with socket.create_connection(("127.0.0.1", server.port), timeout=150.0) as connection:
        connection.sendall(attack[: -len(head)])
        time.sleep(0.2)  # in two pieces, as it has to be; in one the test is passed for nothing
        connection.sendall(head + b"y" * 600)
        heard = b""
        while piece := connection.recv(1 << 16):
            heard += piece
    assert heard.count(b"HTTP/1.1 400 Bad Request") == 2
    with Client(server.url, model="binary") as client:
        before = client.get("ledger")["rounds"]
        assert isinstance(before, int)
        with socket.create_connection(("127.0.0.1", server.port), timeout=150.0) as connection:
            connection.sendall(request("predict", '{"row": {"a": 1}}'))
            assert heard_one(connection)[0] == 200
            for _ in range(3):
                connection.sendall(victim)
                assert heard_one(connection)[0] == 200
        assert client.get("ledger")["rounds"] == before + 3


def test_what_is_sent_while_an_answer_is_owed_is_answered_after_it(server: Server) -> None:
    learn, predict = request("learn", '{"row": {"a": 1}, "label": "up"}'), request("predict", '{"row": {"a": 1}}')
    with socket.create_connection(("127.0.0.1", server.port), timeout=150.0) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for known in (learn, predict, learn, predict):
            connection.sendall(known)
            heard_one(connection)
        last = 0
        for _ in range(20):  # whether the second comes with the first, or before it is answered, makes no difference
            connection.sendall(learn)
            connection.sendall(predict[:40])
            first = heard_one(connection)[1]["model_version"]
            connection.sendall(predict[40:])
            assert heard_one(connection) == (200, {"prediction": "up", "model_version": first})
            assert isinstance(first, int)
            assert first > last
            last = first


def test_who_sends_everything_before_reading_is_answered_in_full(server: Server) -> None:
    predict, count = request("predict", '{"row": {"a": 1}}'), 20_000
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # so that answers pile up in the server
        connection.settimeout(150.0)
        connection.connect(("127.0.0.1", server.port))
        for _ in range(2):
            connection.sendall(predict)
            heard_one(connection)
        sending = threading.Thread(target=connection.sendall, args=(predict * count,))
        sending.start()
        heard, kept = 0, b""
        while heard < count:
            piece = connection.recv(1 << 16)
            assert piece, heard
            heard += (kept + piece).count(b"HTTP/1.1 200 OK")
            kept = (kept + piece)[-14:]
        sending.join()
    assert heard == count


def test_pipelined_requests_are_answered_in_order_or_not_at_all(server: Server) -> None:
    with Client(server.url, model="binary") as client:
        before = client.get("ledger")["rounds"]
        assert isinstance(before, int)
    learn, predict = request("learn", '{"row": {"a": 1}, "label": "up"}'), request("predict", '{"row": {"a": 1}}')
    with socket.create_connection(("127.0.0.1", server.port), timeout=150.0) as connection:
        connection.sendall(predict + predict + learn + predict)
        heard = b""
        while piece := connection.recv(1 << 16):
            heard += piece
    assert heard.count(b"HTTP/1.1 200 OK") == 3
    assert heard.rindex(b"connection: close") > heard.rindex(b"HTTP/1.1 200 OK")
    with Client(server.url, model="binary") as client:
        assert client.get("ledger")["rounds"] == before + 1


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--host", "192.0.2.1"), "can be reached by others; give --token-file"),
        (("--tls-key", "key.pem"), "TLS needs both"),
        (("--C", "1"), "--C is of a rule; give --rule"),
        (("--rule", "perceptron", "--task", "labels"), "--task is for the pool"),
        (("--model", "spam"), "expected NAME=FILE"),
        (("--model", "../x=f.lst"), "expected NAME=FILE"),
        (("--token-file", "short"), "no token"),
        (("missing.lst",), "missing.lst cannot be read"),
    ],
)
def test_what_a_server_does_not_start_with(tmp_path: Path, flags: tuple[str, ...], words: str) -> None:
    from click.testing import CliRunner

    from littlestone.cli.main import main

    (tmp_path / "short").write_text("too short\n")
    given = [str(tmp_path / flag) if flag == "short" else flag for flag in flags]
    result = CliRunner().invoke(main, ["serve", "--data", str(tmp_path / "data"), *given])
    assert result.exit_code in (1, 2)
    assert words in " ".join(result.output.split())
    assert "Serving" not in result.output


@pytest.mark.parametrize(("task", "rule", "label"), [("labels", ls.Pool(), "up"), ("targets", ls.PoolRegression(), 0.5)])
def test_without_a_rule_it_is_a_pool(tmp_path: Path, task: str, rule: ls.LinearRule, label: str | float) -> None:
    alone = ls.Learner(rule, missing="skip")
    with served(tmp_path / "data", "--task", task) as server, Client(server.url) as client:
        for k in range(5):
            row = {"a": float(k), "b": None} if k % 2 else {"a": 1.0}
            assert client.learn(row, label).prediction == alone.learn_one(row, label)
        assert client.get("ledger")["missing"] == 2


def test_a_folder_of_models_is_served_again_without_naming_them(tmp_path: Path) -> None:
    from littlestone.cli.serve import Beginning
    from littlestone.serve.folder import Folder
    from littlestone.serve.models import ServedLearner

    def fresh() -> ServedLearner:
        return ServedLearner(ls.Learner(ls.Perceptron()))

    assert list(Beginning(None, (), fresh, asked=False).models(tmp_path / "new")) == ["default"]
    for name in ("spam", "other"):
        folder = Folder(tmp_path / name)
        folder.begin(fresh())
        folder.close()
    assert list(Beginning(None, (), fresh, asked=False).models(tmp_path)) == ["other", "spam"]
    assert list(Beginning(None, (), fresh, asked=True).models(tmp_path)) == ["default"]


def test_a_mixture_of_experts(tmp_path: Path) -> None:
    alone = ls.Mixture(ls.MLpol(), experts=["gam", "ar"], loss="absolute")
    rows: list[dict[str, float | None]] = [{"gam": 1.0, "ar": 3.0}, {"gam": 2.0}, {"gam": 2.5, "ar": None}, {"ar": 1.0}]
    with served(tmp_path / "data", "--experts", "gam,ar", "--loss", "absolute") as server, Client(server.url) as client:
        for row, truth in zip(rows, (1.5, 2.0, 2.0, 1.0), strict=True):
            assert client.predict(row).prediction == alone.predict_one(row)
            assert client.learn(row, truth).prediction == alone.learn_one(row, truth)
        client.snapshot()
        client.learn([1.0, 2.0], 1.0)
        alone.learn_one([1.0, 2.0], 1.0)
        ledger = client.get("ledger")
        assert (ledger["rounds"], ledger["loss"]) == (5, alone.ledger.loss)
        assert ledger["losses"] == alone.ledger.losses.tolist()
        assert client.get("certificates")["certificates"] == [certificate.to_dict() for certificate in alone.certify()]
        with pytest.raises(ServerError, match="there is no expert 'nobody'"):
            client.learn({"nobody": 1.0}, 1.0)
        with pytest.raises(ServerError, match="learns from numbers"):
            client.learn({"gam": 1.0}, "high")
        with pytest.raises(ServerError, match="sleep"):
            client.learn({}, 1.0)
        with pytest.raises(ServerError, match="gives weights no meaning"):
            client.learn({"gam": 1.0}, 1.0, weight=2.0)
        server.kill()
    with served(tmp_path / "data") as again, Client(again.url) as client:
        assert client.get("ledger")["losses"] == alone.ledger.losses.tolist()
        assert client.predict({"gam": 1.0, "ar": 5.0}).prediction == alone.predict_one({"gam": 1.0, "ar": 5.0})
