"""`abutment list suppressions`: which comments in the code grant something, why, and is each of them used?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from abutment.cli.opening import Opening
from abutment.gates import load_gates
from abutment.gates.suppressions import Gates, covered_uses, speaks_to, wrong
from abutment.model.grants import Grants
from abutment.policies.suppressions import Suppression
from abutment.reports.characters import visible
from abutment.reports.plain_json import dump
from abutment.reports.wording import counted
from abutment.run import Project, measure, read_all_settings, rules_of
from abutment.sources.codeowners import repository_owners

Listed = dict[str, object]
_Uses = Mapping[tuple[Suppression, str], int]  # comment and rule -> how many uses it covers


def listed(opening: Opening) -> tuple[list[Listed], int]:
    """Return a row for each comment, in order of place, and the status: 2 where one is wrong or a file is unread."""
    config = opening.one()
    settings = read_all_settings(config, ())
    project, gates = opening.project(config), rules_of(config)
    uses = dict(_uses(project, settings, gates))
    owners = repository_owners(Path(config.root))
    rows = [_row(one, uses, gates, owners.of(one.site.path)) for one in project.suppressions]
    return rows, 2 if project.program.unread or any(row["faults"] for row in rows) else 0


def _uses(
    project: Project, settings: Mapping[str, object], gates: Gates
) -> Iterator[tuple[tuple[Suppression, str], int]]:
    """Yield what is covered of the gates that are switched on."""
    sound = [one for one in project.suppressions if not any(wrong(one, gates))]
    for gate in load_gates(project.config.gates, project.config.gate_site):
        asked = settings[gate.name]
        heard = [one for one in sound if speaks_to(one, gate, asked, project.program, gates)]
        if heard:
            measured = measure(project, gate, asked, Grants())
            for found in covered_uses(measured, gate, heard, gates):
                yield (found.suppression, found.rule), sum(found.counts.values())


def _row(one: Suppression, uses: _Uses, gates: Gates, owners: Sequence[str]) -> Listed:
    return {
        "path": one.site.path,
        "line": one.site.line,
        "scope": one.site.scope,
        "rules": [
            {"rule": rule, "gate": gates[rule].name if rule in gates else "", "uses": uses.get((one, rule))}
            for rule in one.rules
        ],
        "reason": one.reason,
        "expires": one.expires.isoformat() if one.expires else None,
        "owners": list(owners),
        "faults": [fault.message for fault in wrong(one, gates)],
    }


def as_json(rows: list[Listed]) -> str:
    """Return `{"schema", "suppressions"}`; `uses` is null where no gate that is switched on could tell."""
    return dump({"schema": 1, "suppressions": rows})


def as_text(rows: list[Listed]) -> str:
    """Return one line a comment."""
    return "".join(f"{_line(row)}\n" for row in rows)


def _line(row: Listed) -> str:
    rules, faults, owners = row["rules"], row["faults"], row["owners"]
    assert isinstance(rules, list)
    assert isinstance(faults, list)
    assert isinstance(owners, list)
    told = ", ".join(f"{visible(each['rule'])} ({_used(each)})" for each in rules) or "no rule"
    until = f", until {row['expires']}" if row["expires"] else ""
    said = [visible(str(row["reason"]))] if row["reason"] else []
    said += [f"[{visible(', '.join(owners))}]"] if owners else []
    said += [f"Wrong: {' '.join(map(visible, faults))}"] if faults else []
    return f"{visible(str(row['path']))}:{row['line']}: {told}{until}: {' '.join(said)}"


def _used(rule: Mapping[str, object]) -> str:
    uses = rule["uses"]
    if not isinstance(uses, int):
        return "not judged"
    return counted(uses, "use") if uses else "unused"
