"""How is `[[tool.abutment.tools.declared]]` read? A declaration without a proof is none."""

from __future__ import annotations

import re
from dataclasses import dataclass

from abutment.gates.tool_settings import ToolSettings, read_tool_settings
from abutment.model.reading import TableReader
from abutment.sources.tools.declared import Declared, Fields, Form, Proof
from abutment.sources.tools.pointers import is_pointer

_ID = re.compile(r"[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?")
_SARIF_VERSION = ("/runs/0/tool/driver/version",)


@dataclass(frozen=True, slots=True)
class Written:
    """One declared tool, and how it is asked."""

    declared: Declared
    tool: ToolSettings


def read_declared(entry: TableReader) -> Written:
    """Return one declaration; whatever is wrong with it becomes a fault with its line."""
    form = Form(entry.choice("format", tuple(Form)))
    proof = _read_proof(entry.table("proof"), form)
    declared = Declared(
        id=_read_id(entry),
        command=entry.texts("command", least=1),
        version=_read_version(entry, form),
        form=form,
        proof=proof,
        configuration=entry.texts("configuration", ()),
        pattern=_read_pattern(entry, "pattern", ("path", "message")) if "pattern" in entry else "",
        skip=_read_patterns(entry, "skip"),
        results=_read_pointer(entry, "results"),
        fields=_read_fields(entry.table("fields")) if form in (Form.JSON, Form.JSONL) else None,
        first_line=entry.integer("first_line", 1),
        first_column=entry.integer("first_column", 1),
    )
    _refuse_foreign(entry, form)
    written = Written(declared, read_tool_settings(entry, command=declared.command))
    entry.close()
    return written


def _read_id(entry: TableReader) -> str:
    name = entry.text("id")
    if name and not _ID.fullmatch(name):
        entry.fault(("id",), f"{name!r} is no id: small letters, digits, - and _")
    return name


def _read_version(entry: TableReader, form: Form) -> tuple[str, ...]:
    """Return the command that prints the version, or the pointer to it in the output."""
    if "version" not in entry and form is Form.SARIF:
        entry.ignore("version")
        return _SARIF_VERSION
    if entry.is_text("version"):
        pointer = entry.text("version")
        if form not in (Form.JSON, Form.SARIF) or not pointer.startswith("/") or not is_pointer(pointer):
            entry.fault(
                ("version",), "expected the command that prints it, or a pointer (`/version`) into JSON or SARIF"
            )
        return (pointer,)
    return entry.texts("version", least=1)


def _read_fields(table: TableReader) -> Fields:
    fields = Fields(
        path=_read_pointer(table, "path", is_needed=True),
        message=_read_pointer(table, "message", is_needed=True),
        line=_read_pointer(table, "line"),
        column=_read_pointer(table, "column"),
        code=_read_pointer(table, "code"),
    )
    table.close()
    return fields


def _read_proof(table: TableReader, form: Form) -> Proof:
    proof = Proof(
        clean=_read_statuses(table, "clean"),
        found=_read_statuses(table, "found"),
        is_silent=table.choice("stderr", ("empty", "any"), "empty") == "empty",
        summary=_read_patterns(table, "summary"),
        is_summary_on_stderr=table.choice("summary_on", ("stdout", "stderr"), "stdout") == "stderr",
        total=_read_pointers(table, "total"),
        none=_read_pointers(table, "none"),
        failures=table.texts("failures", ()),
        looked_at=_read_pointer(table, "looked_at"),
    )
    if proof.summary and not any("(?P<count>" in one for one in proof.summary):
        table.fault(("summary",), "none of them has a group (?P<count>…)")
    if proof.summary and proof.is_summary_on_stderr and proof.is_silent:
        table.fault(("stderr",), "a summary on stderr needs `any`")
    if form in (Form.JSON, Form.SARIF) and proof.summary and not proof.is_summary_on_stderr:
        table.fault(("summary",), "a document has no last line", "Name a `total`, or `summary_on`.")
    if form in (Form.LINES, Form.JSONL):
        for key in ("total", "none", "looked_at"):
            if key in table:
                table.fault((key,), "points into one document, and there is none")
    if not proof.tells_by_status and not proof.summary and not proof.total:
        both = ", ".join(map(str, sorted({*proof.clean} & {*proof.found})))
        table.fault((), f"status {both} stands for both, so that nothing proves the output whole", _NEEDS)
    table.close()
    return proof


_NEEDS = "Name a `summary` or a `total`."


def _read_statuses(table: TableReader, key: str) -> tuple[int, ...]:
    found = []
    for at, value in enumerate(table.values(key, least=1)):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 255:
            table.fault((key, at), "expected a status from 0 to 255")
        else:
            found.append(value)
    return tuple(found)


def _read_patterns(table: TableReader, key: str) -> tuple[str, ...]:
    texts = table.texts(key, ())
    return tuple(text for at, text in enumerate(texts) if _groups(table, (key, at), text) is not None)


def _read_pattern(table: TableReader, key: str, groups: tuple[str, ...]) -> str:
    text = table.text(key)
    found = _groups(table, (key,), text)
    lacking = [name for name in groups if found is not None and name not in found]
    if lacking:
        table.fault((key,), f"has no group {', '.join(f'(?P<{name}>…)' for name in lacking)}")
    return text


def _groups(table: TableReader, at: tuple[str | int, ...], text: str) -> frozenset[str] | None:
    """Return the names of a regular expression's groups; None, and a fault, where it is none."""
    try:
        return frozenset(re.compile(text).groupindex)
    except re.error as error:
        table.fault(at, f"{text!r} is no regular expression: {error}")
        return None


def _read_pointer(table: TableReader, key: str, *, is_needed: bool = False) -> str:
    pointer = table.text(key) if is_needed else table.text(key, "")
    if pointer and not is_pointer(pointer):
        table.fault((key,), f"{pointer!r} is no JSON Pointer: it begins with /")
    return pointer


def _read_pointers(table: TableReader, key: str) -> tuple[str, ...]:
    found = table.texts(key, ())
    for at, pointer in enumerate(found):
        if not is_pointer(pointer):
            table.fault((key, at), f"{pointer!r} is no JSON Pointer: it begins with /")
    return found


_ONLY = {
    "pattern": (Form.LINES,),
    "skip": (Form.LINES,),
    "results": (Form.JSON,),
    "fields": (Form.JSON, Form.JSONL),
    "first_line": (Form.LINES, Form.JSON, Form.JSONL),
    "first_column": (Form.LINES, Form.JSON, Form.JSONL),
}


def _refuse_foreign(entry: TableReader, form: Form) -> None:
    for key, forms in _ONLY.items():
        entry.ignore(key)
        if key in entry and form not in forms:
            entry.fault((key,), f"is of no use with format {form.value}")
