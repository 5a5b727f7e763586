"""A client that waits for each answer."""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Sequence
from types import TracebackType
from typing import final

from littlestone.client.calls import (
    LARGEST,
    Address,
    Answer,
    Answers,
    Call,
    Json,
    Label,
    Manners,
    Row,
    ServerError,
    again,
    answer,
    answers,
    count_of,
    pause,
    read,
    unanswered,
)


@final
class Client:
    """One connection to a server, kept open; for one thread.

    Args:
        url: where it is, such as http://127.0.0.1:8000.
        model: which of its models.
        token: what it was told to ask for.
        timeout: seconds to wait for an answer.
        retries: how often a call is sent again that got none, or a 503.
        context: of TLS, where the certificate is not one that this machine trusts.
    """

    def __init__(
        self,
        url: str,
        *,
        model: str = "default",
        token: str | None = None,
        timeout: float = 10.0,
        retries: int = 5,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._address = Address.of(url, model)
        self._token, timeout, self._retries = Manners(token, timeout, retries).checked()
        host, port = self._address.host, self._address.port
        if self._address.secure:
            trusted = context or ssl.create_default_context()
            self._connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, port, timeout=timeout, context=trusted
            )
        else:
            self._connection = http.client.HTTPConnection(host, port, timeout=timeout)

    def learn(self, row: Row, label: Label = None, *, weight: float = 1.0, id: str | None = None) -> Answer:
        """One round; the prediction made before it. With an id of your own a retry of yours is learned once, too."""
        return answer(self._sent(self._address.learn(row, label, weight, id)))

    def learn_many(
        self,
        rows: Sequence[Row],
        labels: Sequence[Label] | None = None,
        *,
        weights: Sequence[float] | None = None,
        id: str | None = None,
    ) -> Answers:
        """Some rounds, all of them or none."""
        count = count_of(rows)
        return answers(self._sent(self._address.learn_many(rows, labels, weights, id)), count)

    def predict(self, row: Row, *, id: str | None = None) -> Answer:
        """A prediction; with an id its label may come later, by `feedback`."""
        return answer(self._sent(self._address.predict(row, id)))

    def predict_many(self, rows: Sequence[Row]) -> Answers:
        """Predictions."""
        count = count_of(rows)
        return answers(self._sent(self._address.call("POST", "predict", {"rows": rows})), count)

    def feedback(self, id: str, label: Label, *, weight: float = 1.0) -> Answer:
        """The label of a prediction."""
        return answer(self._sent(self._address.call("POST", "feedback", {"id": id, "label": label, "weight": weight})))

    def get(self, what: str) -> dict[str, Json]:
        """What the model says of itself: "ledger", "certificates", "status", "snapshots"."""
        return self._sent(self._address.call("GET", what))

    def snapshot(self) -> dict[str, Json]:
        """Has a snapshot taken."""
        return self._sent(self._address.call("POST", "snapshot", {}))

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _sent(self, call: Call) -> dict[str, Json]:
        """Sends a call until it is answered.

        Raises:
            ServerError: if it is refused, or was sent often enough.
        """
        for attempt in range(self._retries + 1):
            try:
                return self._once(call)
            except ServerError as error:
                if not again(error.status) or attempt == self._retries:
                    raise
            time.sleep(pause(attempt))
        raise AssertionError

    def _once(self, call: Call) -> dict[str, Json]:
        try:
            self._connection.request(call.method, call.path, call.body, call.headers(self._token))
            response = self._connection.getresponse()
            known = response.length  # a body that is shorter than it says is an error, and is read only if it can be an answer
            content = response.read(None if known is not None and known <= LARGEST else LARGEST + 1)
        except (OSError, ValueError, http.client.HTTPException) as error:
            self._connection.close()
            raise unanswered(self._address, error) from None
        if not response.isclosed():
            self._connection.close()
        return read(response.status, content)
