"""`abutment resolve`: what does a baseline have to say on which a merge did not agree?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import click

from abutment.baselines.document_bytes import conflict_line
from abutment.baselines.driver import merge_baselines
from abutment.baselines.reading import Documents, read_documents
from abutment.baselines.resolve import Unsettled, plan_resolve
from abutment.cli.file_path import FilePath
from abutment.cli.law import carry_out_first, unique, write
from abutment.cli.opening import Opening, place_option
from abutment.cli.terminal import Streams
from abutment.config import Config
from abutment.errors import NotJudged, Refused
from abutment.gates import load_gate
from abutment.model.fault import Fault
from abutment.sources.file_names import text_of_path
from abutment.sources.git import mark_conflict, unsettled_files
from abutment.sources.plain_file import content
from abutment.sources.whole_file import put_whole

Stages = Mapping[str, Mapping[int, bytes]]


@click.command("resolve")
@click.argument("files", nargs=-1, metavar="[FILE]...", type=FilePath(path_type=Path))
@click.option("--driver", is_flag=True, help="Answer as git's merge driver: the files are %O %A %B %P, in this order.")
@place_option
def command(opening: Opening, files: tuple[Path, ...], driver: bool) -> int:
    """Settle baselines on which a merge did not agree; by default all of them.

    Each entry gets the count that the receipts of both branches leave it. Policies, receipts and configuration are
    settled by people, first; where anything is not understood, nothing is written.
    """
    if driver:
        return _drive(files)
    config = opening.one()
    carry_out_first(config)
    documents = read_documents(opening.tree(config), config.documents)
    stages = unsettled_files(Path(config.root), config.documents)
    paths = _asked(config, files, documents, stages) if files else _in_conflict(documents, stages)
    chosen = [path for path in paths if _waits(path, documents, stages)]
    streams = Streams()
    streams.emit("".join(f"{path} is not in conflict.\n" for path in paths if path not in chosen))
    if not chosen:
        streams.emit("" if paths else "No baseline is in conflict.\n")
        return 0
    write(config, plan_resolve(_unsettled(config, chosen, documents, stages), documents), streams)
    streams.emit("".join(f"Then: git add {path}\n" for path in chosen if path in stages))
    return 0


def _asked(config: Config, files: tuple[Path, ...], documents: Documents, stages: Stages) -> list[str]:
    """Return the paths of these files as documents are called; raises Refused for what is no baseline here."""
    paths, faults = [], []
    for file in files:
        path = text_of_path(Path(os.path.relpath(file, config.root)).as_posix())
        if not _is_baseline(path, config.documents):
            remedy = "People settle policies and configuration; receipts are never edited: keep those of both sides."
            faults.append(Fault(text_of_path(file), 0, f"is no baseline in {config.documents}.", remedy))
        elif not any(path in known for known in (documents.files, documents.unread, stages)):
            faults.append(Fault(text_of_path(file), 0, "is not there."))
        paths.append(path)
    if faults:
        raise Refused(unique(faults))
    return list(dict.fromkeys(paths))


def _in_conflict(documents: Documents, stages: Stages) -> list[str]:
    known = {*documents.files, *documents.unread, *stages}
    return sorted(path for path in known if _is_baseline(path, documents.folder) and _waits(path, documents, stages))


def _waits(path: str, documents: Documents, stages: Stages) -> bool:
    """Say whether there is something to settle; of a file that cannot be read nobody knows that there is not."""
    is_marked = conflict_line(documents.files.get(path, b"")) > 0
    return is_marked or path in stages or path in documents.unread


def _is_baseline(path: str, folder: str) -> bool:
    return path.rpartition("/")[0] == folder and path.endswith(".jsonl")


def _unsettled(config: Config, paths: list[str], documents: Documents, stages: Stages) -> list[Unsettled]:
    """Return each with its gate's terms; raises NotJudged for all that cannot be read or are of no gate."""
    found: list[Unsettled] = []
    faults: list[Fault] = []
    for path in paths:
        faults.extend(documents.unread.get(path, ()))
        try:
            gate = load_gate(path.rpartition("/")[2].removesuffix(".jsonl"))
        except NotJudged as refusal:
            faults.extend(refusal.faults)
            continue
        terms = gate.terms(config.documents)
        found.append(Unsettled(terms, documents.files.get(path), stages.get(path, {}), terms.policy in stages))
    if faults:
        raise NotJudged(faults)
    return found


def _drive(files: tuple[Path, ...]) -> int:
    """Put the merge of three versions into the second; where that fails, leave the conflict as git would have."""
    if len(files) != 4:
        raise click.UsageError("--driver takes the four files %O %A %B %P")
    base, ours, theirs, path = files
    try:
        put_whole(ours, merge_baselines(path.as_posix(), *map(content, (base, ours, theirs))))
    except OSError as error:
        raise NotJudged(Fault(path.as_posix(), 0, f"cannot be merged: {error.strerror} ({error.filename}).")) from error
    except NotJudged:
        mark_conflict(Path.cwd(), ours, base, theirs)
        raise
    return 0
