"""Does the page of migrations say what the code does?"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import click

from abutment.adopt.foreign.kinds import KINDS
from abutment.baselines.migration.applying import TRIES
from abutment.baselines.migration.headers import Done, Plan
from abutment.baselines.migration.lines import MOST_BYTES
from abutment.baselines.migration.mutation import BATCH, MOST, MOST_IN_DOCUMENT, read_mutations
from abutment.cli.migrate import command

PAGE = (Path(__file__).parent.parent / "docs/migrations.md").read_text(encoding="utf-8")


def test_the_limits_are_those_of_the_code() -> None:
    assert f"At most {MOST:,}, of one document {MOST_IN_DOCUMENT:,};" in PAGE
    assert f"more than {MOST_BYTES:,} bytes" in PAGE
    assert f"handled {BATCH} at a time" in PAGE
    assert (TRIES, "waited for three times" in PAGE) == (3, True)


def test_every_option_and_verb_is_on_the_page() -> None:
    assert set(re.findall(r"abutment migrate (\w+) ", PAGE)) == set(command.commands)
    plan = command.commands["plan"]
    shared = {"--config", "--cache-dir", "--no-cache", "--jobs", "--output"}
    options = {option for parameter in plan.params if isinstance(parameter, click.Option) for option in parameter.opts}
    assert set(re.findall(r"`(--[a-z]+) ", PAGE)) == options - shared


def test_every_kind_of_record_is_on_the_page() -> None:
    table = PAGE.partition("| kind | becomes |")[2]
    assert sorted(re.findall(r"`([\w-]+)`", "".join(re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)))) == sorted(
        KINDS
    )


def test_every_member_of_a_plan_and_the_digests_of_a_receipt_are_on_the_page() -> None:
    rows = "".join(
        re.findall(r"^\| (`.*?`) \|", PAGE.partition("| member of the header |")[2].partition("\n\n")[0], re.MULTILINE)
    )
    assert set(re.findall(r"`(\w+)`", rows)) == {field.name for field in fields(Plan)}
    assert {"intent", "old", "mutations", "new"} <= {field.name for field in fields(Done)}


def test_the_mutation_on_the_page_is_one() -> None:
    (line,) = re.findall(r'^\{"ordinal": .*$', PAGE, re.MULTILINE)
    (mutation,) = read_mutations("page", [line.encode()])
    assert json.loads(mutation.line) == json.loads(line)
