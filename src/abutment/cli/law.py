"""What do the writing verbs have in common? Every asked gate's law and facts, and one write at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from abutment import __version__
from abutment.baselines.plan import Plan
from abutment.baselines.reading import Documents, read_documents
from abutment.baselines.store import commit, finish
from abutment.cli.opening import Opening
from abutment.cli.terminal import Streams
from abutment.config import Config
from abutment.errors import NotJudged
from abutment.gates import load_gates
from abutment.model.fault import Fault
from abutment.run import Measured, Project, measure_gate, read_all_settings
from abutment.sources.git import ignored_files

FINISHED = "A write that was interrupted has been carried out first."


@dataclass(frozen=True, slots=True)
class Bench:
    """A project with the gates that a verb works on, each with its law and its facts."""

    config: Config
    project: Project
    gates: tuple[Measured, ...]

    def commit(self, plan: Plan, streams: Streams) -> int:
        """Write the plan, say what was done, and return the exit status."""
        write(self.config, plan, streams)
        return 0


def write(config: Config, plan: Plan, streams: Streams) -> None:
    """Write a plan and say what was done."""
    paths = commit(Path(config.root), config.documents, plan, {"abutment": __version__})
    streams.emit("".join(f"{line}\n" for line in plan.lines))
    streams.emit("".join(f"wrote {path}\n" for path in paths) or "Nothing to write.\n")
    ignored = ignored_files(Path(config.root), paths)
    streams.complain([f"warning: git ignores {path}: nobody else will have it." for path in ignored])


def carry_out_first(config: Config) -> None:
    """Carry out a write that was interrupted, and say so: every writing verb begins with it."""
    if finish(Path(config.root), config.documents):
        Streams().complain([FINISHED])


def bench(opening: Opening, names: Sequence[str], *, writing: bool = False, blank_policies: bool = False) -> Bench:
    """Return the gates named (or those switched on), measured; raises NotJudged with the faults of all.

    A verb that is `writing` first carries out a write that was interrupted. With `blank_policies` a policy without
    a word in it counts as none.
    """
    config = opening.one()
    if writing:
        carry_out_first(config)
    asked = load_gates(names) if names else load_gates(config.gates, config.gate_site)
    if not asked:
        raise NotJudged(Fault(config.file, 0, "no gate is switched on and none was named."))
    settings = read_all_settings(config, asked)
    project = opening.project(config)
    documents = read_documents(project.tree, config.documents)
    if blank_policies:
        documents = _without_blank_policies(documents)
    measured: list[Measured] = []
    faults: list[Fault] = []
    for gate in asked:
        try:
            measured.append(measure_gate(project, documents, gate, settings[gate.name]))
        except NotJudged as refusal:
            faults.extend(refusal.faults)
    if faults:
        raise NotJudged(unique(faults))
    return Bench(config, project, tuple(measured))


def _without_blank_policies(documents: Documents) -> Documents:
    files = {path: data for path, data in documents.files.items() if data.strip() or not path.endswith(".toml")}
    return replace(documents, files=files)


def unique(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Return the faults without repeats, in the order in which they were met."""
    return tuple(dict.fromkeys(faults))
