"""A client of `littlestone serve`, for programs that wait and for programs that do not; it needs nothing but Python.

    from littlestone.client import Client

    with Client("http://127.0.0.1:8000") as client:
        client.learn({"offer": 1.0}, "spam")
        answer = client.predict({"offer": 1.0}, id="message 17")
        client.feedback("message 17", "spam")

A call that may have been lost is sent again: whatever changes the model carries an id of its own, so that it is learned once.
"""

from littlestone.client.asynchronous import AsyncClient
from littlestone.client.calls import Answer, Answers, ServerError
from littlestone.client.synchronous import Client

__all__ = ["Answer", "Answers", "AsyncClient", "Client", "ServerError"]
