"""Drives one package below fakes of the network, and writes what its lines reached. Runs in a process of its own.

    python -m benchmarks.evidence.driven.child PACKAGE TREE ANSWER.json

The package's code is that below TREE. Its drive is `drive_PACKAGE.py` beside this file: it has a `server`, which
answers requests, and a `drive`, which calls the package's public functions and is given a folder to write to.
"""

from __future__ import annotations

import json
import logging
import sys
import tempfile
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from benchmarks.evidence.driven import fakes
from benchmarks.evidence.driven.watcher import Watcher


def main(package: str, tree: Path, answer: Path) -> None:
    logging.disable(logging.CRITICAL)
    watcher = Watcher(tree / package)
    drive = import_module(f"benchmarks.evidence.driven.drive_{package}")
    fakes.install(watcher, drive.server)
    loaded = import_module(package)
    if not str(loaded.__file__).startswith(watcher.prefix):
        raise SystemExit(f"{package} was loaded from {loaded.__file__}")
    with tempfile.TemporaryDirectory() as folder:
        watcher.start()
        drive.drive(Path(folder))
        watcher.stop()
    reached = [asdict(one) for one in sorted(watcher.reached)]
    said = {"reached": reached, "ran": sorted(watcher.ran), "adrift": watcher.adrift}
    answer.write_text(json.dumps(said), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
