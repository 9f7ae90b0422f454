"""What do a workflow's earlier steps and jobs tell the later ones: values of variables, and outputs?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from abutment.guard.ci.front import governs
from abutment.guard.ci.values import Values
from abutment.guard.spelling import one_line, spelled
from abutment.sources.yaml_document import mapping, sequence

_FILE = "GITHUB_ENV"
_PLAIN = re.compile(
    r"echo (?P<quote>[\"']?)(?P<name>[A-Za-z_]\w*)=(?P<value>[^\"'\n]*)(?P=quote) *>> *[\"']?\$\{?GITHUB_ENV\}?[\"']?"
)
_NAMED = re.compile(r"([A-Za-z_]\w*)(?:=|<<)")
_BY_SCRIPT = re.compile(r"\b(?:exportVariable|addPath)\s*\([^)]*\)")  # as a step in JavaScript does it
_STEPS = re.compile(r"\bsteps\.([\w-]+)\.")
_JOBS = re.compile(r"\bneeds\.([\w-]+)\.outputs\.")
_INPUTS = re.compile(r"\binputs\.([\w-]+)")
NO_INPUTS: Mapping[str, object] = MappingProxyType({})
_SAYING = ("id", "if", "uses", "with", "env", "run")  # the keys of a step on which its outputs depend


@dataclass(slots=True)
class Told:
    """What the steps of a job have told those that follow."""

    values: dict[str, str] = field(default_factory=dict)
    several: set[str] = field(default_factory=set)  # variables of which nobody knows the value

    def hear(self, step: Mapping[str, object]) -> Iterator[str]:
        """Take note of what a step tells; yield what decides which program a name means."""
        script = spelled(step.get("run", ""))
        for line in script.splitlines() if _FILE in script else ():
            found = _PLAIN.fullmatch(line.strip())
            names = [found["name"]] if found else _NAMED.findall(line)
            yield from (f"behind a step with `{' '.join(line.split())}`" for name in names if governs(f"{name}="))
            self._set({found["name"]: found["value"]} if found else {}, names)
        for call in _BY_SCRIPT.finditer(one_line(step.get("with", ""))):
            yield f"behind a step with `{call[0]}`"

    def _set(self, values: Mapping[str, str], names: Sequence[str]) -> None:
        self.several.update(names)
        self.several.difference_update(values)
        self.values.update(values)

    def values_for(self, step: Mapping[str, object], around: Sequence[Mapping[str, object]]) -> Values:
        """Return the variables as a step sees them: its own before those that it was told, before those around it."""
        outer = {name: value for part in around for name, value in mapping(part.get("env")).items()}
        given = {**outer, **self.values}
        own = mapping(step.get("env"))
        known = {name: one_line(value) for name, value in given.items() if name not in self.several}
        return Values({**known, **{name: one_line(value) for name, value in own.items()}}, self.several - own.keys())


def told_by_steps(text: str, steps: Sequence[object]) -> Iterator[str]:
    """Yield what the steps say of which a text uses outputs."""
    named = set(_STEPS.findall(text))
    for step in map(mapping, steps):
        if step.get("id") in named:
            said = {key: _unversioned(step[key]) if key == "uses" else step[key] for key in _SAYING if key in step}
            yield f"told by {one_line(said)}"


def told_by_jobs(text: str, jobs: Mapping[str, object]) -> Iterator[str]:
    """Yield what the jobs say of which a text uses outputs."""
    for name in sorted(set(_JOBS.findall(text))):
        job = mapping(jobs.get(name))
        outputs = one_line(job.get("outputs", ""))
        yield f"told by {name} as {outputs}"
        yield from told_by_steps(outputs, sequence(job.get("steps")))


def told_by_inputs(text: str, inputs: Mapping[str, object]) -> Iterator[str]:
    """Yield what the inputs are by default of which a text makes use."""
    for name in sorted(set(_INPUTS.findall(text)) & inputs.keys()):
        yield f"told by the input {name}, by default {one_line(mapping(inputs[name]).get('default', ''))}"


def _unversioned(used: object) -> str:
    return spelled(used).partition("@")[0]
