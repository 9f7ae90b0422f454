"""What a job runs for each member of its matrix, and with which inputs a part is used, is part of what CI asks."""

from __future__ import annotations

import pytest

from tests.guard.laws import widenings

YML, ACTION, PART = ".github/workflows/ci.yml", ".github/actions/gates/action.yml", ".github/workflows/gates.yml"
JOB = """\
on: pull_request
jobs:
  gates:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        python: ['3.11', '3.12']
        gate: [cycles, boundaries]
        include:
        - {gate: egress, soft: true}
        - {python: '3.12', more: x}
    continue-on-error: ${{ matrix.soft }}
    steps:
    - uses: actions/setup-python@v5
      with: {python-version: "${{ matrix.python }}"}
    - run: abutment check ${{ matrix.gate }}
    - if: matrix.python == '3.12'
      run: abutment check cycles --format github
"""


def changed(*pairs: tuple[str, str]) -> dict[str, bytes | str]:
    text = JOB
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return {YML: text}


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        (("[cycles, boundaries]", "[cycles]"), "boundaries: is no longer run"),
        (("[cycles, boundaries]", "[cycles, 'boundaries --exit-zero']"), "boundaries: counts for less"),
        (("        - {gate: egress, soft: true}\n", ""), "egress: is no longer run"),
        (("- {python: '3.12', more: x}", "- {soft: true}"), "boundaries: counts for less: `continue-on-error: true`"),
        (("{gate: egress, soft: true}", "{gate: cycles, soft: true}"), "egress: is no longer run"),
        (("${{ matrix.soft }}", "true"), "boundaries: counts for less: `continue-on-error: true` came to it"),
        (("${{ matrix.gate }}", "${{ matrix.other }}"), "boundaries: is no longer run"),
        (("    runs-on", "    if: matrix.gate == 'cycles'\n    runs-on"), "boundaries: is no longer run"),
    ],
    ids=str,
)
def test_a_member_that_is_gone_or_softer_is_seen(pair: tuple[str, str], said: str) -> None:
    found = widenings(changed(), changed(pair))
    assert any(said in one for one in found), found


def test_a_step_for_one_member_goes_with_it() -> None:
    alone = changed(("    - run: abutment check ${{ matrix.gate }}\n", ""))
    text = str(alone[YML])
    assert widenings(
        alone, {YML: text.replace("['3.11', '3.12']", "['3.11']").replace("{python: '3.12'", "{python: '3.11'")}
    )
    assert widenings(alone, {YML: text.replace("== '3.12'", "== '3.14'")})
    assert widenings(alone, {YML: text.replace("3.12", "3.14")}) == []
    assert widenings(alone, {YML: text.replace("['3.11', '3.12']", "['3.11', '3.12', '3.13']")}) == []
    assert widenings(alone, {YML: text.replace("    - if: matrix.python == '3.12'\n      run", "    - run")}) == []


@pytest.mark.parametrize(
    "pair",
    [
        ("['3.11', '3.12']", "['3.11', '3.12', '3.13']"),
        ("['3.11', '3.12']", "['3.12']"),
        ("[cycles, boundaries]", "[boundaries, cycles, sizes]"),
        ("soft: true", "soft: false"),
        ("ubuntu-latest", "${{ matrix.os }}"),
        ("matrix.gate }}\n", "matrix.gate }}\n    - run: echo ${{ matrix.python }}\n"),
    ],
    ids=str,
)
def test_a_matrix_may_grow_and_change_what_is_not_asked_for(pair: tuple[str, str]) -> None:
    assert widenings(changed(), changed(pair)) == []


def test_a_matrix_of_which_nobody_knows_the_members_is_what_is_written() -> None:
    asked = changed(("gate: [cycles, boundaries]", "gate: ${{ fromJSON(needs.x.outputs.gates) }}"))
    assert widenings(asked, asked) == []
    assert widenings(asked, {YML: str(asked[YML]).replace("outputs.gates", "outputs.other")})


USING = {
    YML: "on: pull_request\njobs:\n  a:\n    uses: ./.github/workflows/gates.yml\n"
    "  b:\n    steps: [{uses: ./.github/actions/gates}]\n",
    PART: "on:\n  workflow_call:\n    inputs: {strict: {default: 'true'}, other: {default: x}}\n"
    "jobs:\n  c:\n    steps:\n    - {if: inputs.strict, run: abutment check cycles}\n",
    ACTION: "inputs: {what: {default: boundaries}, other: {default: x}}\nruns:\n  steps:\n"
    "  - {run: 'abutment check ${{ inputs.what }}'}\n",
}


@pytest.mark.parametrize(
    ("path", "old", "new", "is_seen"),
    [
        (PART, "default: 'true'", "default: 'false'", True),
        (ACTION, "default: boundaries", "default: --help", True),
        (PART, "default: x", "default: y", False),
        (ACTION, "default: x", "default: y", False),
    ],
)
def test_the_default_of_an_input_that_is_asked_for_is_part_of_it(path: str, old: str, new: str, is_seen: bool) -> None:
    assert bool(widenings(USING, {**USING, path: USING[path].replace(old, new)})) is is_seen
