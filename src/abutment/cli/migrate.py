"""`abutment migrate`: how do documents get other identities, planned, approved, and all at once?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from abutment import __version__
from abutment.adopt.foreign.kinds import KINDS
from abutment.baselines.code_names import CodeNames
from abutment.baselines.disk import RealDisk
from abutment.baselines.migration.applying import apply_migration, verify_migration
from abutment.baselines.migration.folder import Folder, reading
from abutment.baselines.migration.headers import Plan
from abutment.baselines.migration.names import borne_out, read_names
from abutment.baselines.migration.plan_file import plan_pieces, read_plan
from abutment.baselines.migration.planning import Subject, plan_migration
from abutment.baselines.migration.recording import plan_records
from abutment.baselines.migration.rewriting import Asked, Names, Rewriting
from abutment.baselines.plan import counted
from abutment.baselines.renaming import NameFields
from abutment.cli.file_path import FilePath
from abutment.cli.migrate_asked import assignments, renamed_values
from abutment.cli.migrate_sources import records_of
from abutment.cli.opening import Opening, opening_options, place_option
from abutment.cli.terminal import Streams
from abutment.config import Config
from abutment.errors import NotJudged, Refused, UnknownName
from abutment.gates import load_gates
from abutment.gates.gate import Gate
from abutment.model.fault import Fault
from abutment.model.grants import Approval
from abutment.model.reading import Faults
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.policies.approvals import read_policy
from abutment.sources.git import ignored_files
from abutment.sources.plain_file import content
from abutment.sources.scratch import Spool
from abutment.sources.toml_document import load_toml
from abutment.sources.whole_file import put_pieces

READ_ONLY = 0o444
_OUTPUT = FilePath(dir_okay=False, path_type=Path)
_PLAN = FilePath(exists=True, dir_okay=False, path_type=Path)


@click.group("migrate", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Give recorded debt other identities: what is planned is approved, and what is approved is done, once."""


@command.command("plan")
@click.option("--names", type=_PLAN, help="File of dotted names that have become others: TOML, CSV or JSON Lines.")
@click.option("--rename", nargs=2, multiple=True, metavar="GATE.FIELD OLD=NEW", help="A value of a field that changed.")
@click.option("--field", "fields", multiple=True, metavar="GATE.OLD=NEW", help="A field that has another name now.")
@click.option("--add", "added", multiple=True, metavar="GATE.FIELD=VALUE", help="A field that was not there before.")
@click.option(
    "--from",
    "foreign",
    nargs=2,
    multiple=True,
    type=(click.Choice(sorted(KINDS)), _PLAN),
    metavar="KIND FILE",
    help=f"Debt that another tool recorded, for gates without a baseline: {', '.join(sorted(KINDS))}.",
)
@click.option("--output", type=_OUTPUT, required=True, help="Where the plan goes; a file that is not there yet.")
@opening_options
def plan(
    opening: Opening,
    names: Path | None,
    rename: tuple[tuple[str, str], ...],
    fields: tuple[str, ...],
    added: tuple[str, ...],
    foreign: tuple[tuple[str, Path], ...],
    output: Path,
) -> int:
    """Write down what a migration would change, and nothing else.

    With --names the code is read: a name that is still there, or a new one that is not, is refused. The plan's digest
    is what `migrate apply` has to be given. Edits that a policy needs are printed; a person makes them.

    With --from, what another tool recorded and the code still has becomes a first baseline. What somebody approved
    there is printed as approvals, and what cannot be carried over is named.
    """
    if foreign and (names or rename or fields or added):
        raise click.UsageError("--from is a migration of its own")
    config = opening.one()
    _refuse_output(config, output)
    if foreign:
        return _plan_records(opening, config, foreign, output)
    asked = Asked(
        names=_names(opening, config, names),
        values=renamed_values(rename),
        fields=assignments(fields),
        added=assignments(added),
    )
    folder = _folder(config)
    with reading(folder.path), Spool() as spool:
        gates = _gates(folder, asked)
        policies = {gate.name: _policy(config, folder, gate) for gate in gates}
        subjects = [_subject(gate, policies[gate.name]) for gate in gates]
        edits = [edit for gate in gates for edit in _edits(folder, gate, asked, policies[gate.name])]
        made = plan_migration(folder, subjects, asked, __version__, spool, edits)
        _write(output, made, spool)
    Streams().emit("".join(f"{line}\n" for line in _summary(made, output)))
    return 0


def _refuse_output(config: Config, output: Path) -> None:
    """Raise Refused where a plan would come in the place of something, or would be taken for a baseline."""
    if output.exists():
        raise Refused(Fault(str(output), 0, "is there already; a plan is never overwritten."))
    if output.resolve().is_relative_to(_folder(config).place.resolve()):
        remedy = "Name a file elsewhere; the receipt will hold what was done."
        raise Refused(Fault(str(output), 0, "lies among the documents, where each .jsonl is a baseline.", remedy))


def _plan_records(opening: Opening, config: Config, foreign: Sequence[tuple[str, Path]], output: Path) -> int:
    documents = [(kind, path, _content(path)) for kind, path in foreign]
    records, sources, lines = records_of(opening, config, documents)
    streams = Streams()
    streams.emit("".join(f"{line}\n" for line in lines))
    if not records:
        streams.emit("Nothing to record, and no plan written.\n")
        return 0
    folder = _folder(config)
    with reading(folder.path), Spool() as spool:
        made = plan_records(folder, records, sources, __version__, spool)
        _write(output, made, spool)
    streams.emit("".join(f"{line}\n" for line in _summary(made, output)))
    return 0


def _folder(config: Config) -> Folder:
    return Folder(RealDisk(), Path(config.root), config.documents)


def _names(opening: Opening, config: Config, path: Path | None) -> Names:
    if path is None:
        return Names()
    pairs = read_names(str(path), _content(path))
    program = opening.project(config).program
    return Names(borne_out(str(path), pairs, CodeNames(program.modules.keys(), program.uses.definitions)))


def _content(path: Path) -> bytes:
    try:
        return content(path)
    except OSError as error:
        raise NotJudged(Fault(str(path), 0, f"cannot be read: {error.strerror or error}.")) from error


def _gates(folder: Folder, asked: Asked) -> list[Gate]:
    """Return the gates with a baseline that can be migrated; raises for a named one without, and for unknown ones."""
    recorded = [name.removesuffix(".jsonl") for name in folder.baselines()]
    lacking = sorted(asked.gates() - set(recorded))
    if lacking:
        raise UnknownName(Fault(folder.path, 0, f"there is no baseline of {', '.join(lacking)} here."))
    gates = [
        gate
        for gate in load_gates(recorded, lambda name: Site(folder.document(f"{name}.jsonl").path))
        if gate.direction is Direction.RATCHET
    ]
    kept = {gate.name for gate in gates}
    if not asked.gates() <= kept:
        odd = ", ".join(sorted(asked.gates() - kept))
        raise Refused(Fault("", 0, f"{odd}: only a ratchet is migrated.", "`abutment record` records a snapshot anew."))
    return gates


def _subject(gate: Gate, approvals: Sequence[Approval]) -> Subject:
    places = NameFields.of(gate.fields, gate.module_fields, gate.name_fields)
    return Subject(gate.name, gate.fields, places, frozenset(approval.key for approval in approvals))


def _policy(config: Config, folder: Folder, gate: Gate) -> tuple[Approval, ...]:
    """Return what people approve of a gate, by the fields that its baseline has."""
    place = folder.place / f"{gate.name}.toml"
    if not place.exists():
        return ()
    faults = Faults()
    terms = replace(gate.terms(config.documents), fields=folder.document(f"{gate.name}.jsonl").header().fields)
    approvals = read_policy(load_toml(terms.policy, _content(place)), terms, faults)
    faults.raise_if_any()
    return approvals


def _edits(folder: Folder, gate: Gate, asked: Asked, approvals: Sequence[Approval]) -> Iterator[str]:
    """Yield the edits of a policy that only a person may make, each with its place."""
    document = folder.document(f"{gate.name}.jsonl")
    before = document.header().fields
    places = NameFields.of(gate.fields, gate.module_fields, gate.name_fields)
    rewrite = Rewriting.of(gate.name, document.path, before, gate.fields, places, asked)
    for approval in approvals:
        old = dict(zip(before, approval.key, strict=True))
        new = dict(zip(gate.fields, rewrite(approval.key), strict=True))
        if old != new:
            became = ", ".join(f'{name} = "{value}"' for name, value in new.items() if old.get(name) != value)
            gone = ", ".join(name for name in old if name not in new)
            yield f"Edit {approval.site.place()}: {became}{f'; without {gone}' if gone else ''}."


def _write(output: Path, made: Plan, spool: Spool) -> None:
    try:
        put_pieces(output, plan_pieces(made, spool), mode=READ_ONLY)
    except OSError as error:
        raise NotJudged(Fault(str(output), 0, f"cannot be written: {error.strerror or error}.")) from error


def _summary(made: Plan, output: Path) -> Iterator[str]:
    for change in made.documents:
        fields = ", other fields" if change.before.fields != change.after.fields else ""
        entries = f"{counted(change.before.entries, 'entry')} before, {change.after.entries} after"
        yield f"{change.gate}: {counted(change.mutations, 'mutation')}; {entries}{fields}"
    yield from made.edits
    yield f"wrote {output}"
    yield f"After review: abutment migrate apply {output} --approve {made.digest}"


@command.command("apply")
@click.argument("plan_path", metavar="PLAN", type=_PLAN)
@click.option("--approve", required=True, metavar="DIGEST", help="The digest of the plan that was reviewed.")
@place_option
def apply(opening: Opening, plan_path: Path, approve: str) -> int:
    """Carry out a plan, if it is the one that was approved: all of it or nothing, and once.

    Says `applied`, or `existing` where that was done before and everything is as that left it.
    """
    config, disk, streams = opening.one(), RealDisk(), Streams()
    root = Path(config.root)
    done = apply_migration(
        root, config.documents, lambda: read_plan(disk, plan_path, str(plan_path)), approve, __version__
    )
    lines = [f"{done.word}: {config.documents}/{done.receipt}", *(f"wrote {path}" for path in done.paths)]
    streams.emit("".join(f"{line}\n" for line in (*lines, *read_plan(disk, plan_path, str(plan_path)).plan.edits)))
    ignored = ignored_files(root, done.paths)
    streams.complain([f"warning: git ignores {path}: nobody else will have it." for path in ignored])
    return 0


@command.command("verify")
@click.argument("plan_path", metavar="PLAN", type=_PLAN)
@place_option
def verify(opening: Opening, plan_path: Path) -> int:
    """Say whether a plan can be applied (`ready`) or was (`existing`). Writes nothing, and reads no code.

    Exit status: 0 it is one of these, 2 it is neither, with the first thing that does not agree.
    """
    config = opening.one()
    file = read_plan(RealDisk(), plan_path, str(plan_path))
    word = verify_migration(Path(config.root), config.documents, file, __version__)
    Streams().emit(f"{word}: {file.plan.digest}\n")
    return 0
