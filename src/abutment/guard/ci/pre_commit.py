"""Which hooks of `.pre-commit-config.yaml` call us, and for which files and stages?"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from abutment.guard.ci.calls import Call, calls_in
from abutment.guard.spelling import one_line, spelled
from abutment.sources.yaml_document import YamlDocument, mapping, sequence

# The hooks of ours, and what they run.
_OURS = {"abutment": "abutment check", "abutment-staged": "abutment check --staged"}
# What takes nothing from a hook, or from all. Each other key does, as far as is known here.
_NEUTRAL = frozenset(
    {"id", "name", "alias", "entry", "args", "description", "verbose", "log_file", "require_serial", "fail_fast"}
    | {"additional_dependencies", "language_version", "minimum_pre_commit_version", "repos", "ci"}
    | {"default_install_hook_types", "default_language_version"}
)
# What is the same as to say nothing: whole trees are checked, whatever files are handed over.
_PLAIN = {
    "language": ("python", "system", "unsupported"),
    "pass_filenames": ("false",),
    "always_run": ("true",),
}
_HERE = ("local", "meta", "builtin")
_STAGES = {"commit": "pre-commit", "push": "pre-push", "merge-commit": "pre-merge-commit"}  # as they were called once


def hook_calls(document: YamlDocument, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of all hooks."""
    whole = mapping(document.value)
    skipped = {spelled(name) for name in sequence(mapping(whole.get("ci")).get("skip"))}
    around = list(_conditions(whole, "all "))
    for at, repository in enumerate(sequence(whole.get("repos"))):
        for index, value in enumerate(sequence(mapping(repository).get("hooks"))):
            hook, name = mapping(value), spelled(mapping(value).get("id", ""))
            skips = [f"skipped in CI as {name}"] if name in skipped else []
            line = document.locate(("repos", at, "hooks", index))
            for call in calls_in(_command(hook, name), own):
                said = (*around, *_conditions(hook), *_brought(mapping(repository), hook), *skips)
                yield replace(call.under(*said), line=line)


def _command(hook: Mapping[str, object], name: str) -> str:
    entry = spelled(hook.get("entry", _OURS.get(name, "")))
    return " ".join((entry, *(shlex.quote(spelled(word)) for word in sequence(hook.get("args")))))


def _conditions(part: Mapping[str, object], of: str = "") -> Iterator[str]:
    for key, value in part.items():
        if key in _NEUTRAL or value in _PLAIN.get(key, ()):
            continue
        said = _stages(value) if key in ("stages", "default_stages") else value
        yield f"{of}{key}: {one_line(said)}"


def _brought(repository: Mapping[str, object], hook: Mapping[str, object]) -> Iterator[str]:
    """Yield from where the program of a hook comes, and what is installed beside it by a place and no name."""
    place = spelled(repository.get("repo", ""))
    if place not in _HERE:
        yield f"from {place.removesuffix('/').removesuffix('.git')}"
    for named in map(spelled, sequence(hook.get("additional_dependencies"))):
        if "/" in named or named.startswith("."):
            yield f"with {named.partition('#')[0]}"


def _stages(value: object) -> list[str]:
    return sorted({_STAGES.get(stage, stage) for stage in map(spelled, sequence(value))})
