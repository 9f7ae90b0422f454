"""What do GitHub's workflows and composite actions run, on what, and under which conditions?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from abutment.guard.ci.calls import Call, calls_in
from abutment.guard.spelling import spelled
from abutment.sources.yaml_document import YamlDocument, mapping, sequence

_ANY = "any branch"
_USUAL = ("opened", "reopened", "synchronize")  # what `pull_request` means where no types are written
_SHELLS = ("bash", "sh", "pwsh", "powershell", "cmd", "")


def workflow_calls(document: YamlDocument, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of a workflow, each with what it runs on and with the conditions of its step and its job.

    `own` may hold paths of the repository's own workflows and actions: to use one of them is a call.
    """
    whole = mapping(document.value)
    when, narrowed = _triggers(whole.get("on"))
    for name, value in mapping(whole.get("jobs")).items():
        job = mapping(value)
        conditions = [*narrowed, *_conditions(job), *_defaults(whole), *_defaults(job)]
        own_line = document.locate(("jobs", name))
        for call in (*_used(job, own, own_line), *step_calls(document, ("jobs", name, "steps"), job.get("steps"), own)):
            yield replace(call.under(*conditions), when=frozenset(when))


def action_calls(document: YamlDocument, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of a composite action."""
    yield from step_calls(document, ("runs", "steps"), mapping(mapping(document.value).get("runs")).get("steps"), own)


def step_calls(document: YamlDocument, at: tuple[str | int, ...], steps: object, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of a list of steps."""
    for index, value in enumerate(sequence(steps)):
        step = mapping(value)
        for call in _used(step, own, document.locate((*at, index))):
            yield call.under(*_conditions(step))
        script = step.get("run")
        if isinstance(script, str):
            for call in calls_in(script, own, first_line=document.locate((*at, index, "run"))):
                yield call.under(*_conditions(step))


def _used(part: Mapping[str, object], own: Sequence[str], line: int) -> Iterator[Call]:
    used = spelled(part.get("uses", "")).rstrip("/")
    if used in own:
        yield Call(f"what {used} runs", line=line)


def _conditions(part: Mapping[str, object]) -> Iterator[str]:
    """Yield what a step or a job says about whether it runs, where, and whether it may fail."""
    if "if" in part:
        yield f"if: {_one_line(part['if'])}"
    if part.get("continue-on-error", "false") != "false":
        yield f"continue-on-error: {_one_line(part['continue-on-error'])}"
    if part.get("working-directory"):
        yield f"in the folder {_one_line(part['working-directory'])}"
    shell = _one_line(part.get("shell", ""))
    if shell not in _SHELLS:
        yield f"shell: {shell}"


def _defaults(part: Mapping[str, object]) -> Iterator[str]:
    return _conditions({k: v for k, v in mapping(mapping(part.get("defaults")).get("run")).items() if k != "if"})


def _triggers(value: object) -> tuple[set[str], list[str]]:
    """Return on which events and branches a workflow runs, and by what that is narrowed further."""
    events = {name: mapping(about) for name, about in mapping(value).items()} if isinstance(value, dict) else {}
    if not isinstance(value, dict):
        events = {spelled(name): {} for name in sequence(value)}
    when: set[str] = set()
    narrowed: list[str] = []
    for event, about in events.items():
        branches = [spelled(name) for name in sequence(about.get("branches"))]
        when.update(f"{event} of {branch}" for branch in branches or [_ANY])
        usual = list(_USUAL) if event.startswith("pull_request") else []
        when.update(f"{event} when {kind}" for kind in map(spelled, sequence(about.get("types")) or usual))
        rest = {name: found for name, found in about.items() if name not in ("branches", "types")}
        narrowed += [f"{event} only by {name}: {_one_line(found)}" for name, found in sorted(rest.items())]
    return when, narrowed


def _one_line(value: object) -> str:
    return " ".join(spelled(value).split())
