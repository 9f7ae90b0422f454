"""What stands in the place of the network: it answers from a script, and says that it was called.

The fakes are put below everything that a package calls (the adapter of `requests`, the transports of `httpx`, the one
method of `aiohttp` that all requests come to, sockets, the event loop's connections), so that what the package calls is
told by the stack alone.
"""

from __future__ import annotations

import io
from importlib import import_module
from typing import Any

from benchmarks.evidence.driven.answers import Answer, Server
from benchmarks.evidence.driven.watcher import Watcher
from benchmarks.evidence.driven.wires import fake_loop, fake_sockets


def install(watcher: Watcher, server: Server) -> None:
    """Put the fakes in place, of those libraries that are there."""
    fake_sockets(watcher, server)
    fake_loop(watcher)
    for name, fake in (("requests", _fake_requests), ("httpx", _fake_httpx), ("aiohttp", _fake_aiohttp)):
        try:
            library = import_module(name)
        except ModuleNotFoundError:
            continue
        fake(library, watcher, server)


def _fake_requests(requests: Any, watcher: Watcher, server: Server) -> None:
    def send(_adapter: Any, request: Any, **_named: object) -> Any:
        watcher.leaves("requests.adapters.HTTPAdapter.send", waits=True)
        answer = server(request.method, request.url, _bytes(request.body))
        response = requests.Response()
        response.status_code, response._content, response.url = answer.status, answer.body, request.url
        response.headers.update(answer.headers)
        response.request = request
        return response

    requests.adapters.HTTPAdapter.send = send


def _bytes(body: Any) -> bytes:
    return body if isinstance(body, bytes) else str(body or "").encode()


def _fake_httpx(httpx: Any, watcher: Watcher, server: Server) -> None:
    def answer_to(request: Any, body: bytes) -> Any:
        answer = server(request.method, str(request.url), body)
        return httpx.Response(answer.status, headers=answer.headers, content=answer.body)

    def handle_request(_transport: Any, request: Any) -> Any:
        watcher.leaves("httpx.HTTPTransport.handle_request", waits=True)
        return answer_to(request, request.read())

    async def handle_async_request(_transport: Any, request: Any) -> Any:
        watcher.leaves("httpx.AsyncHTTPTransport.handle_async_request", waits=False)
        return answer_to(request, await request.aread())

    httpx.HTTPTransport.handle_request = handle_request
    httpx.AsyncHTTPTransport.handle_async_request = handle_async_request


def _fake_aiohttp(aiohttp: Any, watcher: Watcher, server: Server) -> None:
    def request(_session: Any, method: str, url: Any, **named: Any) -> Any:
        watcher.leaves("aiohttp.ClientSession._request", waits=False)
        return _respond(server(method, str(url), _bytes(named.get("data"))), aiohttp, str(url))

    aiohttp.ClientSession._request = request


async def _respond(answer: Answer, aiohttp: Any, url: str) -> FakeResponse:
    if answer.status >= 400:
        raise aiohttp.ClientResponseError(aiohttp.RequestInfo(url, "GET", {}, url), (), status=answer.status)
    return FakeResponse(answer)


class FakeResponse:
    """What `aiohttp` gives for a request."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.status, self.headers, self.content = answer.status, answer.headers, FakeContent(answer.body)

    async def json(self) -> Any:
        return self._answer.json()

    async def read(self) -> bytes:
        return self._answer.body

    async def text(self) -> str:
        return self._answer.body.decode()

    def raise_for_status(self) -> None:
        """Be content: a request that failed has raised already."""

    def release(self) -> None:
        """Hold no connection."""

    async def wait_for_close(self) -> None:
        """Be closed."""

    async def __aenter__(self) -> FakeResponse:
        return self

    async def __aexit__(self, *_raised: object) -> None:
        self.release()


class FakeContent:
    """The body of a response, to be read in pieces."""

    def __init__(self, body: bytes) -> None:
        self._body = io.BytesIO(body)

    async def read(self, size: int = -1) -> bytes:
        return self._body.read(size)
