"""Clients of servers that lie, break off or are none: a refusal in one line, and never an error of somebody else's."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator

import numpy as np
import pytest

import littlestone as ls
from littlestone.client import Answer, Answers, AsyncClient, Client, ServerError
from littlestone.client.calls import LARGEST

SOUND = b'{"prediction":1,"model_version":3}'


def response(body: bytes, status: bytes = b"200 OK") -> bytes:
    return b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)


@contextlib.contextmanager
def saying(*answers: bytes) -> Iterator[str]:
    """The address of a server that hears a request and says these bytes, then ends: the next connection hears the next."""
    listening, heard = socket.create_server(("127.0.0.1", 0)), list[bytes]()

    def work() -> None:
        for answer in answers:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):  # whoever has heard enough may be gone
                heard.append(_request(connection))
                connection.sendall(answer)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    continue

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        thread.join()
        listening.close()


def _request(connection: socket.socket) -> bytes:
    """A request with all of its body."""
    said = b""
    while b"\r\n\r\n" not in said:
        piece = connection.recv(1 << 16)
        assert piece
        said += piece
    head, _, body = said.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(1 << 16)
    return head


def in_turn(url: str, call: Callable[[AsyncClient], Awaitable[object]], **manners: object) -> object:
    async def asked() -> object:
        client: Callable[..., AsyncClient] = AsyncClient
        async with client(url, **{"retries": 0} | manners) as client_:
            return await call(client_)

    return asyncio.run(asked())


def waiting(url: str, call: Callable[[Client], object], **manners: object) -> object:
    made: Callable[..., Client] = Client
    with made(url, **{"retries": 0} | manners) as client:
        return call(client)


LIES: dict[str, bytes] = {
    "nothing": b"",
    "bytes": b"\xff\xfe\x00\r\n\r\n",
    "another protocol": b"SSH-2.0-OpenSSH\r\n",
    "no status": b"HTTP/1.1\r\n\r\n",
    "a status of letters": b"HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\n{}",
    "a status below 0": response(b"{}", b"-1 OK"),
    "a status of many digits": response(b"{}", b"99999 OK"),
    "only that it goes on": b"HTTP/1.1 100 Continue\r\n\r\n" * 50,
    "no content": b"HTTP/1.1 204 No Content\r\n\r\n",
    "elsewhere": response(b"", b"302 Found\r\nLocation: http://127.0.0.1:1/"),
    "elsewhere, as JSON": response(SOUND, b"302 Found\r\nLocation: /other"),
    "a page": response(b"<html>Internal error</html>", b"500 Oh"),
    "an error that is a list": response(b'{"error":[1]}', b"500 Oh"),
    "an error of lines": response(b'{"error":"a\\nb\\u001b[31m\\ud800"}', b"500 Oh"),
    "an error without an end": response(b'{"error":"' + b"x" * 100_000 + b'"}', b"500 Oh"),
    "no error": response(b"{}", b"400 Bad"),
    "a list": response(b"[1]"),
    "nothing, as JSON": response(b"null"),
    "no prediction": response(b"{}"),
    "a prediction that is a list": response(b'{"prediction":[1],"model_version":1}'),
    "a version that is a text": response(b'{"prediction":1,"model_version":"1"}'),
    "a version that is a truth value": response(b'{"prediction":1,"model_version":true}'),
    "no version": response(b'{"prediction":1}'),
    "letters of another code": response(b'{"prediction":"\xff","model_version":1}'),
    "brackets": response(b"[" * 100_000),
    "braces": response(b'{"a":' * 100_000),
    "digits": response(b'{"prediction":1,"model_version":' + b"9" * 5000 + b"}"),
    "half a body": b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}",
    "half a head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "a length of letters": b"HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n{}",
    "a length below 0": b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
    "a length beyond memory": b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
    "pieces of no length": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "pieces below 0": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nabc\r\n",
    "pieces that end": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    "a head without an end": b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000,
    "packed": response(b"\x1f\x8b\x08\x00", b"200 OK\r\nContent-Encoding: gzip"),
}


@pytest.mark.parametrize("ask", [waiting, in_turn], ids=["waiting", "in turn"])
@pytest.mark.parametrize("lie", LIES)
def test_what_is_no_answer_is_refused_in_one_line(lie: str, ask: Callable[..., object]) -> None:
    with saying(LIES[lie]) as url, pytest.raises(ServerError) as refused:
        ask(url, lambda client: client.predict({"a": 1.0}))
    assert str(refused.value).isprintable()
    assert 10 < len(str(refused.value)) < 700 or lie == "an error of lines"


@pytest.mark.parametrize("ask", [waiting, in_turn], ids=["waiting", "in turn"])
@pytest.mark.parametrize("predictions", [b"5", b"[]", b"[1]", b"[1,2,3]", b"[1,[2]]", b"null"])
def test_as_many_predictions_as_rows_are_expected(predictions: bytes, ask: Callable[..., object]) -> None:
    answer = response(b'{"predictions":%s,"model_version":1}' % predictions)
    with saying(answer) as url, pytest.raises(ServerError, match=r"expected as many predictions as rows, 2|expected a label"):
        ask(url, lambda client: client.predict_many([{"a": 1.0}, {"b": 1.0}]))


@pytest.mark.parametrize("ask", [waiting, in_turn], ids=["waiting", "in turn"])
@pytest.mark.parametrize(
    "answer",
    [
        response(SOUND),
        b"HTTP/1.1 100 Continue\r\n\r\n" + response(SOUND),
        b"HTTP/1.1 200 OK\r\n\r\n" + SOUND,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n11\r\n"
        + SOUND[:17]
        + b"\r\n11;x=y\r\n"
        + SOUND[17:]
        + b"\r\n0\r\nA: b\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length:34\r\n\r\n" + SOUND,
    ],
    ids=["plain", "after a word", "to the end", "in pieces", "without a space"],
)
def test_what_proxies_make_of_an_answer_is_read(answer: bytes, ask: Callable[..., object]) -> None:
    with saying(answer) as url:
        assert ask(url, lambda client: client.predict({"a": 1.0})) == Answer(1, 3)


@pytest.mark.parametrize("ask", [waiting, in_turn], ids=["waiting", "in turn"])
def test_an_answer_that_was_cut_is_asked_for_again(ask: Callable[..., object]) -> None:
    with saying(response(SOUND)[:-5], response(SOUND)) as url:
        assert ask(url, lambda client: client.learn({"a": 1.0}, 1), retries=1) == Answer(1, 3)


def test_an_answer_without_an_end_is_not_read_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("calls", "synchronous", "asynchronous"):
        monkeypatch.setattr(f"littlestone.client.{module}.LARGEST", 1000)
    endless = b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 5000 + SOUND
    for ask in (waiting, in_turn):
        with saying(endless) as url, pytest.raises(ServerError, match="with more than 1000 bytes"):
            ask(url, lambda client: client.predict({"a": 1.0}))
    assert LARGEST > 1 << 20


# Arguments.


@pytest.mark.parametrize(
    "url",
    [
        *("", "x", "http://", "http://[", "http://[::1", "http://a:99999", "http://a:-1", "http://a:x", "http://a b"),
        *("http://a\r\nX: y", "ftp://x", "http://..", "http://" + "a" * 300, "http://\ud800", "http://℀.com", "http://a/b"),
        *("http://me:secret@127.0.0.1", "http://127.0.0.1?x=1", "http://127.0.0.1#x", "http://%00", None, 5, b"http://x"),
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    for made in (Client, AsyncClient):
        with pytest.raises(ls.InvalidParameter, match="expected one like"):
            made(url)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("token", value) for value in ("a\r\nX: y", "ä", "", 5, b"x", "a b")),
        *(("timeout", value) for value in (-1, 0, float("nan"), float("inf"), "1", None, True)),
        *(("retries", value) for value in (-1, 1.5, "1", None, True)),
        *(("model", value) for value in (5, None, "\ud800", "a\nb")),
    ],
)
def test_manners_that_are_none_are_refused(name: str, value: object) -> None:
    makers: tuple[Callable[..., object], ...] = (Client, AsyncClient)
    for made in makers:
        with pytest.raises(ls.InvalidParameter, match=f"{name} "):
            made("http://127.0.0.1:1", **{name: value})
    if name == "retries":
        with pytest.raises(ls.InvalidParameter, match="connections "):
            makers[1]("http://127.0.0.1:1", connections=value)


ENDLESS: list[object] = []
ENDLESS.append(ENDLESS)
UNFIT: tuple[object, ...] = (float("nan"), float("-inf"), object(), {1}, 1j, {(1, 2): 1.0}, ENDLESS, 10**5000)


@pytest.mark.parametrize("value", UNFIT, ids=["nan", "infinite", "object", "set", "complex", "tuple", "endless", "huge"])
def test_what_json_does_not_have_is_refused_before_anything_is_sent(value: object) -> None:
    calls: tuple[Callable[..., object], ...] = (
        lambda client: client.predict({"a": value}),
        lambda client: client.learn({"a": 1.0}, value),
        lambda client: client.learn({"a": 1.0}, 1, weight=value),
        lambda client: client.learn_many([{"a": value}], [1]),
        lambda client: client.feedback("id", value),
    )
    with Client("http://127.0.0.1:1", retries=0) as client:
        for call in calls:
            with pytest.raises(ls.InvalidData, match="the call cannot be written as JSON") as refused:
                call(client)
            assert "\n" not in str(refused.value)


@pytest.mark.parametrize("id", ["a\r\nX: y", "ä", "\ud800", "x" * 201, "", " a", 5, b"x", {"a": 1}])
def test_an_id_that_no_header_holds_is_refused(id: str) -> None:
    with Client("http://127.0.0.1:1", retries=0) as client, pytest.raises(ls.InvalidParameter, match="id must be 1 to 200"):
        client.learn({"a": 1.0}, 1, id=id)


@pytest.mark.parametrize("what", ["a\r\nb", None, 5, "\ud800"])
def test_what_is_no_word_of_the_model_is_refused(what: str) -> None:
    with Client("http://127.0.0.1:1", retries=0) as client, pytest.raises(ls.InvalidParameter, match="what must be a word"):
        client.get(what)


def test_numbers_of_numpy_are_numbers() -> None:
    made: Callable[..., Answers] = Client("http://127.0.0.1:1", retries=0).predict_many
    with pytest.raises(ls.InvalidData, match="expected a list of rows"):
        made(5)
    with saying(response(b'{"predictions":[1,2],"model_version":1}')) as url, Client(url, retries=0) as client:
        rows: Callable[..., Answers] = client.predict_many
        assert rows([{"a": np.int64(1), "b": np.float32(0.5)}, np.ones(2)]) == Answers([1, 2], 1)


def test_a_call_that_nobody_waits_for_leaves_no_connection_to_the_next() -> None:
    """Its answer would be taken for that of the next call."""
    listening, heard = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def work() -> None:
        """Answers the first connection only when the second has come."""
        first, _ = listening.accept()
        with first:
            _request(first)
            heard.set()
            second, _ = listening.accept()
            with second, contextlib.suppress(OSError):
                first.sendall(response(b'{"prediction":2,"model_version":2}'))
                _request(second)
                second.sendall(response(SOUND))

    async def asked(url: str) -> object:
        async with AsyncClient(url, retries=0) as client:
            given_up = asyncio.create_task(client.predict({"a": 1.0}))
            await asyncio.to_thread(heard.wait)
            given_up.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await given_up
            return await client.predict({"b": 1.0})

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert asyncio.run(asked(f"http://127.0.0.1:{listening.getsockname()[1]}")) == Answer(1, 3)
    finally:
        thread.join()
        listening.close()
