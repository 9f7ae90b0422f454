"""What stands in the place of sockets, and of the connections that an event loop makes?"""

from __future__ import annotations

import asyncio
import io
import socket
import ssl
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.evidence.driven.answers import MailServer, Server
from benchmarks.evidence.driven.watcher import Watcher

SMTP_PORTS = (25, 465, 587)


class FakeSocket:
    """A connection that is open: what is sent is answered by the script."""

    def __init__(self, watcher: Watcher, respond: Callable[[bytes], bytes]) -> None:
        self._watcher, self._respond = watcher, respond
        self._replies = io.BytesIO()

    def sendall(self, data: bytes, flags: int = 0) -> None:
        self._watcher.leaves("socket.socket.sendall", waits=True)
        at = self._replies.tell()
        self._replies.seek(0, io.SEEK_END)
        self._replies.write(self._respond(bytes(data)))
        self._replies.seek(at)

    def makefile(self, *_arguments: object, **_named: object) -> io.BytesIO:
        return self._replies

    def settimeout(self, timeout: float | None) -> None:
        """Wait for nothing."""

    def setsockopt(self, *_arguments: object) -> None:
        """Have no options."""

    def close(self) -> None:
        """Stay: a response may be read after its connection is closed."""


def fake_sockets(watcher: Watcher, server: Server) -> None:
    def create_connection(address: tuple[str, int], *_arguments: object, **_named: object) -> FakeSocket:
        watcher.leaves("socket.create_connection", waits=True)
        if int(address[1]) in SMTP_PORTS:
            sock = FakeSocket(watcher, MailServer().respond)
            sock._replies = io.BytesIO(MailServer.GREETING)
            return sock
        return FakeSocket(watcher, lambda data: _http(server, data))

    def getfqdn(name: str = "") -> str:
        watcher.leaves("socket.getfqdn", waits=True)
        return name or "localhost"

    socket.create_connection = create_connection  # type: ignore[assignment]
    socket.getfqdn = getfqdn
    ssl.SSLContext.wrap_socket = lambda _self, sock, *_given, **_named: sock  # type: ignore[method-assign]
    time.sleep = _sleeper(watcher)  # type: ignore[assignment]


def _sleeper(watcher: Watcher) -> Callable[[float], None]:
    def sleep(_seconds: float) -> None:
        watcher.blocks("time.sleep", sys._getframe(1))

    return sleep


def _http(server: Server, data: bytes) -> bytes:
    head, _, body = data.partition(b"\r\n\r\n")
    if not head.startswith((b"GET ", b"POST ")):
        return b""  # the body of a request that was answered
    method, url, _ = head.decode("latin-1").split("\r\n")[0].split(" ")
    answer = server(method, url, body)
    return b"HTTP/1.1 %d OK\r\nContent-Length: %d\r\n\r\n%s" % (answer.status, len(answer.body), answer.body)


class FakeTransport(asyncio.Transport):
    """An open connection of a protocol to the mail server."""

    def __init__(self, watcher: Watcher, protocol: Any) -> None:
        super().__init__()
        self._watcher, self._protocol, self._server = watcher, protocol, MailServer()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._watcher.leaves("asyncio.Transport.write", waits=False)
        self._protocol.data_received(self._server.respond(bytes(data)))

    def get_protocol(self) -> Any:
        return self._protocol

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        """Have nothing to close."""


def fake_loop(watcher: Watcher) -> None:
    async def create_connection(_loop: Any, factory: Any, *_given: object, **_named: object) -> tuple[Any, Any]:
        watcher.leaves("asyncio.AbstractEventLoop.create_connection", waits=False)
        protocol = factory()
        transport = FakeTransport(watcher, protocol)
        protocol.connection_made(transport)
        protocol.data_received(MailServer.GREETING)
        return transport, protocol

    async def start_tls(_loop: Any, transport: Any, _protocol: Any, *_given: object, **_named: object) -> Any:
        watcher.leaves("asyncio.AbstractEventLoop.start_tls", waits=False)
        return transport

    asyncio.base_events.BaseEventLoop.create_connection = create_connection  # type: ignore[method-assign,assignment]
    asyncio.base_events.BaseEventLoop.start_tls = start_tls  # type: ignore[method-assign,assignment]
