"""Is what pip-audit prints read whole, and never believed where it did not look?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.pip_audit import parse_audit
from tests.broken import Broken, broken_outputs, kept_output

TOOL = "pip-audit"


def test_each_vulnerability_is_told_with_its_names_and_its_cure() -> None:
    audit = parse_audit(kept_output(TOOL, "found.json", 1))
    assert audit.looked_at == {"jinja2", "markupsafe"}
    assert [(one.package, one.version, one.ids, one.fixed_in) for one in audit.vulnerabilities] == [
        ("jinja2", "2.10", ("CVE-2019-10906", "GHSA-462w-v97r-4m45", "PYSEC-2019-217"), ("2.10.1",)),
        ("jinja2", "2.10", ("CVE-2020-28493", "GHSA-g3rq-g295-4j3m", "PYSEC-2021-66"), ("2.11.3",)),
    ]


def test_a_clean_audit_has_looked() -> None:
    audit = parse_audit(kept_output(TOOL, "clean.json", 0))
    assert audit.looked_at == {"jinja2", "markupsafe"}
    assert audit.vulnerabilities == ()


def test_what_was_skipped_is_not_what_was_looked_at() -> None:
    audit = parse_audit(kept_output(TOOL, "skipped.json", 0))
    assert audit.looked_at == frozenset()
    assert audit.skipped["jinja2"].startswith("Dependency not found on PyPI")


@pytest.mark.parametrize("status", [None, 1])
def test_a_kept_output_has_no_summary(status: int | None) -> None:
    kept = replace(kept_output(TOOL, "found.json", status), stderr=b"", is_kept=True)
    assert len(parse_audit(kept).vulnerabilities) == 2


@pytest.mark.parametrize("broken", broken_outputs(TOOL), ids=lambda broken: broken.name)
def test_a_broken_output_is_not_judged(broken: Broken) -> None:
    with pytest.raises(NotJudged) as refusal:
        parse_audit(broken.output)
    assert broken.says in refusal.value.faults[0].message


def test_the_collection_is_large_enough_to_mean_something() -> None:
    assert len(broken_outputs(TOOL)) >= 25
