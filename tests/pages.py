"""What a page of the documentation shows: files, a package to install from them, and a session to play."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FILE = re.compile(r"<!-- file: (\S+) -->\n\n```\w+\n(.*?)```", re.DOTALL)
SESSION = re.compile(r"<!-- session -->\n\n```console\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Page:
    """One page with a whole example: the files of its package, and those of a project that uses it."""

    path: Path
    package: tuple[str, ...]  # of its files, those of the package

    @property
    def files(self) -> dict[str, str]:
        return dict(FILE.findall(self.path.read_text(encoding="utf-8")))

    def install(self, folder: Path) -> Path:
        """Return a folder into which the page's package was installed, from what is there and no index."""
        source, target = folder / "package", folder / "installed"
        write(source, {path: text for path, text in self.files.items() if path in self.package})
        options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(target)]
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", *options, str(source)]
        subprocess.run(command, check=True, capture_output=True)
        return target

    def play(self, folder: Path, installed: Path, *, accept: bool) -> tuple[str, str]:
        """Return what the session says now, and what the page says; with `accept` the page is written anew."""
        project, tools = folder / "project", folder / "bin"
        write(project, {path: text for path, text in self.files.items() if path not in self.package})
        write(tools, {"abutment": f'#!/bin/sh\nexec "{sys.executable}" -m abutment "$@"\n'})
        (tools / "abutment").chmod(0o755)
        path = os.pathsep.join((str(tools), os.environ["PATH"]))
        cache = str(folder / "cache")
        environment = {**os.environ, "PYTHONPATH": str(installed), "PATH": path, "XDG_CACHE_HOME": cache}
        page = self.path.read_text(encoding="utf-8")
        (session,) = SESSION.findall(page)
        said, status = "", 0
        for line in session.splitlines():
            if line.startswith("$ "):
                out, status = _played(line[2:].replace("$?", str(status)), project, environment)
                said += f"{line}\n{out}"
        said = re.sub(r"receipts/[0-9a-f]{32}", "receipts/6f0c…", said)
        if accept:
            self.path.write_text(page.replace(session, said), encoding="utf-8")
            session = said
        return said, session


def write(folder: Path, texts: Mapping[str, str]) -> None:
    for path, text in texts.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def _played(line: str, folder: Path, environment: Mapping[str, str]) -> tuple[str, int]:
    """Carry one line of the session out in a shell; return what it said on its output, and its status."""
    ended = subprocess.run(["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return ended.stdout, ended.returncode
