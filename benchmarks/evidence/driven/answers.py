"""What do the servers say that are not there?"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What a server says to one request."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def json(self) -> Any:
        return json.loads(self.body)


Server = Callable[[str, str, bytes], Answer]  # method, URL, body


class MailServer:
    """Says what a mail server says."""

    GREETING = b"220 ready\r\n"

    def __init__(self) -> None:
        self._in_data = False

    def respond(self, data: bytes) -> bytes:
        if self._in_data:
            self._in_data = not data.endswith(b"\r\n.\r\n")
            return b"" if self._in_data else b"250 taken\r\n"
        verb = data[:4].upper()
        self._in_data = verb == b"DATA"
        return {
            b"EHLO": b"250-here\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN XOAUTH2\r\n",
            b"STAR": b"220 go\r\n",
            b"AUTH": b"235 welcome\r\n",
            b"DATA": b"354 go on\r\n",
            b"QUIT": b"221 bye\r\n",
        }.get(verb, b"250 ok\r\n")
