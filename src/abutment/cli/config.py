"""`abutment config`: which settings hold, where do they come from, and what was scanned?"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import click

from abutment.cli.opening import Opening, opening_options
from abutment.cli.terminal import Streams
from abutment.config import Config
from abutment.gates import load_gates
from abutment.run import Project, account, read_all_settings


@click.command("config")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--files", is_flag=True, help="List every file with what became of it.")
@opening_options
def command(opening: Opening, form: str, files: bool) -> int:
    """Show the resolved settings with their origins, and what became of every file."""
    config = opening.one()
    read_all_settings(config, load_gates(config.gates, config.gate_site))
    project = opening.project(config)
    document = _document(config, project, files)
    Streams().emit(json.dumps(document, indent=2, ensure_ascii=False) + "\n" if form == "json" else _text(document))
    return 2 if document["not_judged"] else 0


def _document(config: Config, project: Project, files: bool) -> dict[str, Any]:
    origins, found = dict(config.origins), account(project)
    document: dict[str, Any] = {
        "schema": 1,
        "file": config.file,
        "settings": [
            {"key": "roots", "value": [_root(root) for root in config.roots], "origin": origins["roots"]},
            {"key": "exclude", "value": list(config.exclude), "origin": origins["exclude"]},
            {"key": "documents", "value": config.documents, "origin": origins["documents"]},
            {"key": "gates", "value": list(config.gates), "origin": origins["gates"]},
        ],
        "grammar": found.grammar,
        "modules": dict(sorted(Counter(m.kind.value for m in project.program.modules.values()).items())),
        "scanned": found.scanned,
        "left_out": dict(found.left_out),
        "not_judged": [fault.line_text() for fault in found.not_judged],
    }
    if files:
        document["files"] = _files(project)
    return document


def _root(root: Any) -> str:
    extra = [f"role {root.role}"] if root.role != "source" else []
    extra += [f"package {root.package}"] if root.package else []
    return f"{root.path} ({', '.join(extra)})" if extra else str(root.path)


def _files(project: Project) -> list[str]:
    unread = {fault.path for fault in (*project.universe.not_judged, *project.program.unread)}
    rows = [(f.path, "not judged" if f.path in unread else f"module {f.module}") for f in project.universe.files]
    rows += [(k.path, f"{k.kind} module {k.module}") for k in project.universe.known]
    rows += [(path, f"left out: {rule}") for path, rule in project.universe.left_out]
    return [f"{path}: {what}" for path, what in sorted(rows)]


def _text(document: dict[str, Any]) -> str:
    lines = [f"configuration: {document['file']}"]
    for setting in document["settings"]:
        value = setting["value"]
        shown = value if isinstance(value, str) else ", ".join(value) or "(none)"
        lines.append(f"  {setting['key']} = {shown}    [{setting['origin']}]")
    lines.append(f"grammar: {document['grammar']}")
    lines.append(f"files: {document['scanned']} scanned")
    lines += [f"  left out, {rule}: {number}" for rule, number in document["left_out"].items()]
    lines += [f"  not judged: {fault}" for fault in document["not_judged"]]
    lines += [f"modules, {kind}: {number}" for kind, number in document["modules"].items()]
    lines += document.get("files", [])
    return "".join(f"{line}\n" for line in lines)
