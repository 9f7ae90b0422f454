"""Sends, edits and deletes messages by discord-webhook: its synchronous and its asynchronous client."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.evidence.driven.answers import Answer

URL = "https://discord.com/api/webhooks/1/token"
_waits: list[int] = []  # for each, one request is answered by "wait a little"


def server(_method: str, _url: str, _body: bytes) -> Answer:
    if _waits:
        _waits.pop()
        return Answer(json.dumps({"retry_after": 0.01}).encode(), 429, {"Via": "1"})
    return Answer(json.dumps({"id": "7", "attachments": []}).encode())


def drive(folder: Path) -> None:
    file = folder / "a.txt"
    file.write_text("attached")
    module = import_module("discord_webhook")
    send_at_once(module.DiscordWebhook, module.DiscordEmbed, file)
    asyncio.run(send_asynchronously(module.AsyncDiscordWebhook, file))


def send_at_once(webhook: Any, embed: Any, file: Path) -> None:
    for waits in (0, 1):
        one = webhook(url=URL, content="text", rate_limit_retry=True, thread_id="3")
        one.add_embed(embed(title="t", description="d"))
        for step in (one.execute, one.edit, one.delete):
            _waits.extend([0] * waits)
            step()
        one.add_file(file=file.read_bytes(), filename="a.txt")
        for step in (one.edit, one.execute):
            one.add_file(file=file.read_bytes(), filename="a.txt")
            _waits.extend([0] * waits)
            step()
    for one in webhook.create_batch([URL, URL], content="text"):
        one.execute(remove_embeds=True)


async def send_asynchronously(webhook: Any, file: Path) -> None:
    for waits in (0, 1):
        one = webhook(url=URL, content="text", rate_limit_retry=True)
        for step in (one.execute, one.edit):
            _waits.extend([0] * waits)
            await step()
            one.add_file(file=file.read_bytes(), filename="a.txt")
            _waits.extend([0] * waits)
            await step()
        await one.delete()
