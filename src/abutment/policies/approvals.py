"""What did people approve? `<gate>.toml`, read exactly and never written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from abutment.model.grants import Approval
from abutment.model.identity import Key, named
from abutment.model.reading import Faults, TableReader
from abutment.model.site import Site
from abutment.model.terms import Terms
from abutment.policies.words import is_placeholder
from abutment.sources.toml_document import TomlDocument

SCHEMA = 1
CLASSES = ("exception", "debt")


def read_policy(document: TomlDocument, terms: Terms, faults: Faults) -> tuple[Approval, ...]:
    """Return the approvals in the order written; whatever is wrong goes into `faults`, each with its line."""
    table = TableReader(terms.policy, document.table, faults, document.locate)
    if not _is_our_schema(table):
        return ()
    approvals = tuple(_read_approval(each, terms) for each in table.tables("approvals"))
    table.close()
    _name_repeats(approvals, terms, faults)
    return approvals


def _is_our_schema(table: TableReader) -> bool:
    schema = table.integer("schema", least=1)
    if schema > SCHEMA:
        table.fault(("schema",), f"{schema} is for a newer abutment (known here: {SCHEMA})", "Upgrade abutment.")
    return schema <= SCHEMA


def _read_approval(entry: TableReader, terms: Terms) -> Approval:
    klass = entry.choice("class", CLASSES)
    wants_target = terms.asks_exit or (klass == "debt" and terms.has_targets)
    approval = Approval(
        key=tuple(_read_identity(entry, name) for name in terms.fields),
        count=entry.integer("count", 1, least=1),
        klass=klass,
        owner=read_word(entry, "owner"),
        reason=read_word(entry, "reason"),
        tracking=read_word(entry, "tracking") if klass == "debt" else entry.optional_text("tracking"),
        target_state=read_word(entry, "target_state") if wants_target else entry.optional_text("target_state"),
        expires=_read_expiry(entry, terms),
        lifts=entry.boolean("lifts", False),
        site=Site(terms.policy, entry.line()),
    )
    entry.close()
    return approval


def _read_expiry(entry: TableReader, terms: Terms) -> date | None:
    if terms.asks_expiry and "expires" not in entry:
        entry.fault((), "expires is missing: expected the last day on which it holds", "Write `expires = 2027-01-31`.")
    return entry.day("expires")


def _read_identity(entry: TableReader, name: str) -> str:
    value = entry.text(name, blank=True)
    if "*" in value:
        entry.fault((name,), "an approval names one fact, without wildcards", "Write one approval for each.")
    return value


def read_word(entry: TableReader, name: str) -> str:
    """Return a text that says something: neither blank nor a placeholder."""
    value = entry.text(name)
    if is_placeholder(value):
        entry.fault((name,), f"{value.strip()!r} is a placeholder", "Fill it in.")
    return value


def _name_repeats(approvals: tuple[Approval, ...], terms: Terms, faults: Faults) -> None:
    first: dict[Key, Approval] = {}
    for approval in approvals:
        earlier = first.setdefault(approval.key, approval)
        if earlier is not approval:
            faults.add(
                terms.policy,
                approval.site.line,
                f"approves once more what line {earlier.site.line} approves.",
                "Make it one approval, with `count`.",
            )


@dataclass(frozen=True, slots=True, order=True)
class Missing:
    """One fact that an approval would have to name."""

    key: Key
    count: int
    lifts: bool = False  # it was paid before
    follows: bool = False  # another missing one has brought it about


def draft(terms: Terms, missing: Iterable[Missing], *, new: bool = False) -> str:
    """Return approvals to be filled in, as TOML to print; `new` makes it a whole document.

    Owner, reason and tracking are empty, which is a fault until a person writes them. What only follows comes last.
    """
    wanted = sorted(one for one in missing if one.count > 0)
    first = [_drafted(terms, one) for one in wanted if not one.follows]
    then = [_drafted(terms, one) for one in wanted if one.follows]
    head = [f"schema = {SCHEMA}\n"] if new else []
    if first and then:
        head.append(_BOTH.format(first=len(first), then=len(then), every=len(wanted)))
        then.insert(0, _REST.format(first=len(first)))
    return "\n".join((*head, *first, *then))


_BOTH = """\
# The first {first} closed what all the others follow from: without them in the code, none of the {then} below is
# needed. Should they stay, all {every} have to be approved, as an approval names one fact.
"""
_REST = "# These follow from the first {first} and go with them.\n"


def _drafted(terms: Terms, one: Missing) -> str:
    import tomlkit

    identity = (f"{name} = {tomlkit.item(value).as_string()}" for name, value in named(terms.fields, one.key).items())
    lines = ["[[approvals]]", *identity]
    if one.count != 1:
        lines.append(f"count = {one.count}")
    if one.lifts:
        lines.append("lifts = true  # it was paid before")
    lines += ['class = "debt"  # or "exception", which needs no tracking', 'owner = ""', 'reason = ""', 'tracking = ""']
    lines += ['expires = ""  # a day, without quotes'] if terms.asks_expiry else []
    lines += ['target_state = ""'] if terms.has_targets or terms.asks_exit else []
    return "\n".join(lines) + "\n"
