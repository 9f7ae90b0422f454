"""Mirrors an index of two packages by bandersnatch, again after changes, verifies the mirror and deletes from it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import xmlrpc.client
from argparse import Namespace
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.evidence.driven.answers import Answer

CONTENT = b"a package"
SERIAL = {"X-PYPI-LAST-SERIAL": "12", "Content-Type": "text/xml"}
SETTINGS = """
[mirror]
directory = {folder}/mirror
json = {json}
master = https://index.example
timeout = 10
global-timeout = 100
workers = 2
hash-index = {hashed}
stop-on-error = false
storage-backend = filesystem
verifiers = 1
keep_index_versions = {versions}
compare-method = {compare}
api-method = {method}
cleanup = true
diff-file = {folder}/diff
diff-append-epoch = false
"""


def server(_method: str, url: str, body: bytes) -> Answer:
    if url.endswith("/pypi"):
        return Answer(_call(body), headers=SERIAL)
    if url.endswith("/simple"):
        projects = [{"name": name, "_last-serial": 12} for name in ("Foo.Bar", "baz")]
        return Answer(json.dumps({"projects": projects}).encode(), headers=SERIAL)
    if url.endswith("/json"):
        return Answer(json.dumps(_metadata(url.split("/")[-2])).encode(), headers=SERIAL)
    return Answer(CONTENT, headers=SERIAL)


def _call(body: bytes) -> bytes:
    given: tuple[Any, ...] = ({"Foo.Bar": 11, "baz": 12},)
    if b"changelog" in body:
        given = ([["baz", "1.0", 1, "new release", 12]],)
    return xmlrpc.client.dumps(given, methodresponse=True, allow_none=True).encode()


def _metadata(name: str) -> dict[str, Any]:
    file = {
        "url": f"https://files.example/packages/{name}-1.0.tar.gz",
        "filename": f"{name}-1.0.tar.gz",
        "size": len(CONTENT),
        "digests": {"sha256": hashlib.sha256(CONTENT).hexdigest(), "md5": "0"},
        "md5_digest": "0",
        "upload_time_iso_8601": "2024-01-01T00:00:00.000000Z",
        "packagetype": "sdist",
        "requires_python": None,
        "yanked": False,
    }
    return {"info": {"name": name, "version": "1.0"}, "last_serial": 12, "releases": {"1.0": [file]}}


def drive(folder: Path) -> None:
    for at, (method, compare, versions, hashed) in enumerate(
        [("xmlrpc", "hash", 0, "false"), ("simple", "stat", 2, "true")]
    ):
        place = folder / str(at)
        place.mkdir()
        file = place / "bandersnatch.conf"
        file.write_text(
            SETTINGS.format(folder=place, json="true", method=method, compare=compare, versions=versions, hashed=hashed)
        )
        use(place / "mirror", read(file))


def read(file: Path) -> Any:
    """Return the configuration: it is one for the process, so the one before is forgotten first."""
    configuration = import_module("bandersnatch.configuration")
    configuration.Singleton._instances.clear()
    configuration.create_example_config(file.with_name("example.conf"))
    return configuration.BandersnatchConfig(file)


def use(mirror: Path, config: Any) -> None:
    for _ in range(2):  # the second time, the index is asked for changes
        run(config, op="mirror", force_check=False)
    for change in (nothing, forget_serial, leave_old_names, spoil_packages, leave_work):
        change(mirror)
        run(config, op="mirror", force_check=change is nothing)
    run(config, op="sync", packages=["baz"], skip_simple_root=False)
    for update in (False, True):
        run(config, op="verify", json_update=update, delete=update, dry_run=False, workers=1)
        spoil_packages(mirror)
        (mirror / "web/packages/unowned.txt").write_text("x")
    for dry in (True, False):
        run(config, op="delete", pypi_packages=["Foo.Bar", "baz"], workers=1, dry_run=dry)
    run(config, op="delete", pypi_packages=["Foo.Bar"], workers=1, dry_run=False)


def run(config: Any, **given: object) -> None:
    asyncio.run(import_module("bandersnatch.main").async_main(Namespace(**given), config))


def nothing(_mirror: Path) -> None:
    """Leave the mirror as it is."""


def forget_serial(mirror: Path) -> None:
    (mirror / "status").unlink(missing_ok=True)


def leave_old_names(mirror: Path) -> None:
    """Leave directories as older versions named them."""
    forget_serial(mirror)
    for name in ("Foo.Bar", "F/Foo.Bar"):
        old = mirror / "web/simple" / name
        old.mkdir(parents=True, exist_ok=True)
        (old / "index.html").write_text("old")


def spoil_packages(mirror: Path) -> None:
    """Have files of other contents and sizes than the index says."""
    forget_serial(mirror)
    for at, file in enumerate(sorted((mirror / "web/packages").glob("*.tar.gz"))):
        file.write_bytes(CONTENT[::-1] if at else b"other")


def leave_work(mirror: Path) -> None:
    (mirror / "todo").write_text("12\nbaz 12\n")
