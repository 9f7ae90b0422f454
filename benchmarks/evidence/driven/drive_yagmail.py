"""Sends mail by yagmail: its synchronous and its asynchronous client, with password, OAuth2 and attachments."""

from __future__ import annotations

import asyncio
import builtins
import getpass
import json
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.evidence.driven.answers import Answer

TOKENS = {"access_token": "a", "refresh_token": "r", "expires_in": 3600}
CLIENT = {"google_client_id": "i", "google_client_secret": "s"}


def server(_method: str, _url: str, _body: bytes) -> Answer:
    return Answer(json.dumps(TOKENS).encode())


def drive(folder: Path) -> None:
    yagmail = import_module("yagmail")
    answers = {"Enter the": "http://localhost/?code=1", "Save user": "y"}
    builtins.input = lambda prompt="": answers.get(prompt[:9], "me@example.com")
    getpass.getpass = lambda *_given, **_named: "secret"  # type: ignore[assignment]
    attachment = folder / "a.txt"
    attachment.write_text("attached")
    authorized, fresh, secrets = folder / "authorized.json", folder / "fresh.json", folder / "secrets.json"
    authorized.write_text(json.dumps({"email_address": "me@example.com", **CLIENT, "google_refresh_token": "r"}))
    secrets.write_text(json.dumps({"installed": {"client_id": "i", "client_secret": "s"}}))
    send_at_once(yagmail, attachment, [authorized, fresh, secrets])
    authorized.write_text(
        json.dumps({**CLIENT, "google_refresh_token": "r"})
    )  # the asynchronous client wants no address
    asyncio.run(send_asynchronously(import_module("yagmail.async_core.aio"), attachment, authorized))
    look_after_passwords(yagmail)


def send_at_once(yagmail: Any, attachment: Path, files: list[Path]) -> None:
    for given in ({"smtp_ssl": True}, {"smtp_ssl": False}, {"smtp_ssl": False, "smtp_starttls": {"context": None}}):
        with yagmail.Client("me@example.com", "secret", **given) as client:
            client.send("you@example.com", "subject", ["<b>text</b>", str(attachment)], attachments=[str(attachment)])
            client.send("you@example.com", "subject", yagmail.inline(str(attachment)), preview_only=True)
            client.unsent.append((["you@example.com"], "text"))
            client.send_unsent()
            client.feedback()
    for file in files:
        client = yagmail.Client("me@example.com", oauth2_file=str(file), smtp_starttls=True)
        client.send("you@example.com", "subject", "text")
    client.set_logging(file_path_name=str(attachment.with_suffix(".log")))
    lose_connection(yagmail.Client("me@example.com", "secret"))


def lose_connection(client: Any) -> None:
    client.login()
    smtplib = import_module("smtplib")
    real = smtplib.SMTP.sendmail
    smtplib.SMTP.sendmail = disconnected
    client.send("you@example.com", "subject", "text")
    smtplib.SMTP.sendmail = real
    client.close()


def disconnected(*_given: object) -> None:
    raise import_module("smtplib").SMTPServerDisconnected("gone")


async def send_asynchronously(aio: Any, attachment: Path, authorized: Path) -> None:
    for port, starttls in ((465, None), (587, True)):
        async with aio.AsyncClient("me@example.com", "secret", port=port, smtp_starttls=starttls) as client:
            await client.send("you@example.com", "subject", "text", attachments=[str(attachment)])
            client.unsent.append((["you@example.com"], ".text\nmore"))
            await client.send_unsent()
    client = aio.AsyncClient("me@example.com", oauth2_file=str(authorized), port=587)
    await client.send("you@example.com", "subject", "text")
    await client.aclose()


def look_after_passwords(yagmail: Any) -> None:
    yagmail.validate.validate_email_with_regex("me@example.com")
    password = import_module("yagmail.password")
    password.keyring = Keyring()
    password.handle_password("me@example.com", None)


class Keyring:
    """Holds no password until it is given one."""

    def __init__(self) -> None:
        self._password: str | None = None

    def get_password(self, *_given: str) -> str | None:
        return self._password

    def set_password(self, _service: str, _user: str, password: str) -> None:
        self._password = password
