"""What does a GitLab pipeline run, and under which conditions?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abutment.guard.ci.calls import Call, calls_in
from abutment.guard.spelling import spelled
from abutment.sources.yaml_document import YamlDocument, mapping, sequence

_DEEPEST = 10  # templates of templates
_CONDITIONS = ("rules", "only", "except", "allow_failure", "when", "start_in")
_PLAIN = {"allow_failure": ("false",), "when": ("on_success", "always")}


def pipeline_calls(document: YamlDocument, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of every job that runs; what only is a template does not."""
    whole = mapping(document.value)
    for name, value in whole.items():
        job = _extended(whole, mapping(value), _DEEPEST)
        if name.startswith(".") or "script" not in job:
            continue
        conditions = [*_conditions(job), *_conditions(mapping(whole.get("workflow")), "workflow ")]
        script = [line for key in ("before_script", "script") for line in _flat(job.get(key))]
        for call in calls_in("\n".join(script), own):
            yield Call(call.asks, call.softened, line=document.locate((name, "script"))).under(*conditions)


def _flat(value: object) -> Iterator[str]:
    for part in sequence(value):
        if isinstance(part, list):
            yield from _flat(part)
        else:
            yield spelled(part)


def _extended(whole: Mapping[str, object], job: Mapping[str, object], deep: int) -> Mapping[str, object]:
    """Return the job with what it takes from its templates."""
    found: dict[str, object] = {}
    for name in sequence(job.get("extends")) if deep else ():
        found.update(_extended(whole, mapping(whole.get(spelled(name))), deep - 1))
    return {**found, **job}


def _conditions(part: Mapping[str, object], of: str = "") -> Iterator[str]:
    for key in _CONDITIONS:
        if key in part and part[key] not in _PLAIN.get(key, ()):
            yield f"{of}{key}: {' '.join(spelled(part[key]).split())}"
