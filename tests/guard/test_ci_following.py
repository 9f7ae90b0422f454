"""What a step of CI depends on elsewhere is followed: what it includes, what it was told, what it has make run."""

from __future__ import annotations

import pytest

from tests.guard.laws import verdict, widenings

PIPELINE = ".gitlab-ci.yml"
GITLAB = "a:\n  script: [abutment check cycles]\n"
REFERRED = ".rules:\n  main:\n    - if: $CI\n" + GITLAB + "  rules:\n    - !reference [.rules, main]\n"
WHOLE = REFERRED.replace("\n    - !reference", " !reference")
BY_VARIABLE = 'variables: {RUN: "1"}\n' + GITLAB + '  rules: [{if: $RUN == "1"}]\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (GITLAB, GITLAB + "  rules: [{changes: [docs/**]}]\n"),
        (GITLAB + "  rules: [{changes: [src/**]}]\n", GITLAB + "  rules: [{changes: [docs/**]}]\n"),
        *((text, text.replace("if: $CI", "when: never")) for text in (REFERRED, WHOLE)),
        (BY_VARIABLE, BY_VARIABLE.replace('RUN: "1"', 'RUN: "0"')),
        (GITLAB, GITLAB + "  variables: {GIT_STRATEGY: none}\n"),
        (GITLAB, 'variables: {GIT_CHECKOUT: {value: "false"}}\n' + GITLAB),
    ],
)
def test_rules_of_a_pipeline_are_seen_wherever_they_are_written(before: str, after: str) -> None:
    assert widenings({PIPELINE: before}, {PIPELINE: after})


def test_rules_may_be_written_elsewhere() -> None:
    written = GITLAB + "  rules:\n    - if: $CI\n"
    assert widenings({PIPELINE: written}, {PIPELINE: REFERRED}) == []
    assert widenings({PIPELINE: REFERRED}, {PIPELINE: WHOLE}) == []
    plain = 'variables: {GIT_STRATEGY: fetch, GIT_CHECKOUT: "true", GIT_DEPTH: "0"}\n'
    assert widenings({PIPELINE: GITLAB}, {PIPELINE: plain + GITLAB}) == []


def test_a_list_of_names_is_no_reference() -> None:
    needs = "b: {script: [x]}\nscript: {script: [x]}\n" + GITLAB + "  tags: [b, script]\n"
    assert widenings({PIPELINE: needs}, {PIPELINE: needs.replace("[x]", "[y]")}) == []


INCLUDING = "include: {local: /ci/gates.yml}\n"
PART = "ci/gates.yml"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((INCLUDING, GITLAB), (INCLUDING, "a: {script: [x]}\n")),
        ((INCLUDING, GITLAB), ("b: {script: [x]}\n", GITLAB)),
        ((INCLUDING, GITLAB), ("include: [{local: ci/gates.yml, rules: [{if: $X}]}]\n", GITLAB)),
        ((INCLUDING + GITLAB, ""), (INCLUDING + GITLAB, "a: {rules: [{when: never}]}\n")),
        ((GITLAB, "a: {rules: [{when: never}]}\n"), ("include: ci/*.yml\n" + GITLAB, "a: {rules: [{when: never}]}\n")),
        ((INCLUDING, GITLAB), (INCLUDING, GITLAB + "  allow_failure: true\n")),
    ],
)
def test_a_file_that_a_pipeline_includes_is_part_of_it(before: tuple[str, str], after: tuple[str, str]) -> None:
    old, new = ({PIPELINE: pipeline, PART: part} for pipeline, part in (before, after))
    assert widenings(old, new)


def test_a_job_may_move_into_a_file_that_is_included() -> None:
    direct, apart = {PIPELINE: GITLAB}, {PIPELINE: INCLUDING, PART: GITLAB}
    assert widenings(direct, apart) == []
    assert widenings(apart, {PIPELINE: "include: /ci/*.yml\n", PART: GITLAB}) == []
    below = {PIPELINE: INCLUDING, PART: "include: ci/more.yml\n", "ci/more.yml": INCLUDING + GITLAB}
    assert widenings(direct, below) == []
    assert widenings(below, direct) == []


def test_what_is_included_from_elsewhere_is_not_known() -> None:
    elsewhere = "include:\n- template: x.yml\n- https://example.org/x.yml\n- {project: a/b, file: x.yml}\n"
    assert widenings({PIPELINE: GITLAB}, {PIPELINE: elsewhere + GITLAB}) == []


def test_an_included_file_that_cannot_be_read_is_not_judged_where_it_speaks_of_us() -> None:
    broken = {PIPELINE: INCLUDING, PART: GITLAB + "a: ]\n"}
    assert [fault.path for fault in verdict({PIPELINE: GITLAB}, broken).faults] == [PART]
    assert verdict({PIPELINE: INCLUDING}, {PIPELINE: INCLUDING, PART: "a: ]\n"}).faults == ()


MADE = "check:\n\t$(MAKE) gates\n\ngates:\n\tabutment check cycles\n"
NEEDED = "check: gates\n\ngates:\n\tabutment check cycles\n"
BELOW = {"Makefile": "check:\n\t$(MAKE) -C sub gates\n", "sub/Makefile": "gates:\n\tabutment check cycles\n"}


@pytest.mark.parametrize(
    "other",
    [
        "echo", "-$(MAKE) gates", "$(MAKE) gates || true", "$(MAKE) -i gates", "$(MAKE) -n gates", "$(MAKE) gates A=b",
        "$(MAKE) -f x gates", "$(MAKE) -C sub gates", "true $(MAKE) gates", "$(MAKE) other",
    ],
)  # fmt: skip
def test_what_a_recipe_has_make_run_is_held(other: str) -> None:
    after = MADE.replace("$(MAKE) gates", other)
    assert widenings({"Makefile": MADE}, {"Makefile": after}) != []
    assert widenings({"Makefile": after}, {"Makefile": MADE}) == []


@pytest.mark.parametrize(
    "other", ["${MAKE} gates", "@$(MAKE) --no-print-directory -s gates", "make gates", "$(MAKE) -j4 other gates"]
)
def test_make_may_be_called_otherwise(other: str) -> None:
    assert widenings({"Makefile": MADE}, {"Makefile": MADE.replace("$(MAKE) gates", other) + "\nother:\n"}) == []
    assert widenings({"Makefile": NEEDED}, {"Makefile": MADE}) == []
    assert widenings({"Makefile": MADE}, {"Makefile": NEEDED}) == []


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("sub/Makefile", "abutment", "echo abutment"),
        ("sub/Makefile", "cycles", "cycles || true"),
        ("sub/Makefile", "gates:", "other:"),
        ("Makefile", "-C sub gates", "-C sub"),
        ("Makefile", "-C sub gates", "-C other gates"),
        ("Makefile", "\t$(MAKE)", "\t-$(MAKE)"),
    ],
)
def test_a_makefile_in_another_folder_is_followed(path: str, old: str, new: str) -> None:
    more = {"sub/Makefile": "first:\n\n" + BELOW["sub/Makefile"]}
    before = {**BELOW, **more}
    assert widenings(before, {**before, path: before[path].replace(old, new)}) != []


@pytest.mark.parametrize("recipe", ["$(MAKE) --directory=sub gates", "cd sub && $(MAKE) gates", "$(MAKE) -C ./sub"])
def test_another_folder_may_be_named_otherwise(recipe: str) -> None:
    assert widenings(BELOW, {**BELOW, "Makefile": f"check:\n\t{recipe}\n"}) == []
    direct = {"Makefile": "check:\n\tcd sub && abutment check cycles\n"}
    assert widenings(direct, BELOW) == []


def test_makefiles_that_make_each_other_come_to_an_end() -> None:
    loops = {
        "Makefile": "a:\n\t$(MAKE) b\n\t$(MAKE) -C sub a\nb:\n\t$(MAKE) a\n\tabutment check cycles\n",
        "sub/Makefile": "a:\n\t$(MAKE) -C .. a\n",
    }
    assert widenings(loops, loops) == []
    assert widenings(loops, {**loops, "Makefile": loops["Makefile"].replace("abutment", "echo")}) != []


TARGETS = {"Makefile": "check: gates\n\ngates:\n\tabutment check cycles\n\nother:\n\techo\n"}
CI = {
    ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n    - run: {}\n",
    ".gitlab-ci.yml": "a:\n  script:\n  - {}\n",
    ".ci/run": "set -e\n{}\n",
    "Jenkinsfile": "sh '{}'\n",
}


@pytest.mark.parametrize("path", CI)
@pytest.mark.parametrize(
    "other", ["echo", "make other", "make check || true", "make -n check", "true make check", "make -C sub check"]
)
def test_a_target_that_ci_has_made_is_held(path: str, other: str) -> None:
    before, after = ({**TARGETS, path: CI[path].format(line)} for line in ("make check", other))
    assert widenings(before, after) != []
    assert widenings(after, before) == []


@pytest.mark.parametrize("path", CI)
@pytest.mark.parametrize("other", ["make gates", "make -j4 other check", "make", "abutment check cycles"])
def test_a_target_may_be_made_otherwise(path: str, other: str) -> None:
    before, after = ({**TARGETS, path: CI[path].format(line)} for line in ("make check", other))
    assert widenings(before, after) == []
    assert widenings(after, before) == []


def test_a_target_of_another_folder_is_made_there() -> None:
    path = ".github/workflows/ci.yml"
    law = {"sub/Makefile": TARGETS["Makefile"]}
    inside, named, other = (
        {**law, path: CI[path].format(f"cd sub && make {words}")} for words in ("check", "-C . gates", "other")
    )
    assert widenings(inside, named) == []
    assert widenings(inside, other) != []


def test_make_that_runs_nothing_of_ours_is_nobodys_business() -> None:
    path = ".github/workflows/ci.yml"
    installed = [
        {**TARGETS, path: CI[path].format(f"apt-get install {what}")} for what in ("make git", "git", "x make")
    ]
    assert all(widenings(one, other) == [] for one in installed for other in installed)
    assert widenings({path: CI[path].format("make check")}, {path: CI[path].format("make other")}) == []
    broken = {".github/workflows/x.yml": "make: ]\n"}
    assert verdict({**TARGETS, path: CI[path]}, {**TARGETS, path: CI[path], **broken}).faults == ()


YML = ".github/workflows/ci.yml"


def workflow(*steps: str, job: str = "", whole: str = "") -> dict[str, bytes | str]:
    """Return a workflow whose one job runs these scripts."""
    runs = "".join(f"    - id: s{at}\n      run: |\n{_indented(text)}" for at, text in enumerate(steps))
    return {YML: f"on: push\n{whole}jobs:\n  a:\n    runs-on: x\n{job}    steps:\n{runs}"}


def _indented(text: str) -> str:
    return "".join(f"        {line}\n" for line in text.split("\n"))


CHECK = "abutment check cycles"


@pytest.mark.parametrize(
    ("told", "then", "otherwise"),
    [
        ('echo "RUN=abutment" >> $GITHUB_ENV', "$RUN check cycles", 'echo "RUN=true" >> $GITHUB_ENV'),
        ("echo RUN=abutment >> ${GITHUB_ENV}", "$RUN check cycles", "echo 'RUN=true' >> \"$GITHUB_ENV\""),
        ("echo GATE=cycles >> $GITHUB_ENV", "abutment check $GATE", "echo GATE=egress >> $GITHUB_ENV"),
        ("echo MORE= >> $GITHUB_ENV", f"{CHECK} $MORE", "echo MORE=--exit-zero >> $GITHUB_ENV"),
        ("echo MORE=--quiet >> $GITHUB_ENV", CHECK + " ${{ env.MORE }}", "echo MORE=--exit-zero >> $GITHUB_ENV"),
        ("echo MORE=--quiet >> $GITHUB_ENV", CHECK + " $MORE", "cat <<E >> $GITHUB_ENV\nMORE=--exit-zero\nE"),
        ("make setup", CHECK, '{\necho "PATH=/x"\n} >> $GITHUB_ENV'),
        ("make setup", CHECK, 'cat <<E >> "$GITHUB_ENV"\nBASH_ENV=x\nE'),
    ],
)  # fmt: skip
def test_what_a_step_tells_those_behind_it_is_seen(told: str, then: str, otherwise: str) -> None:
    assert widenings(workflow(told, then), workflow(otherwise, then)) != []
    assert widenings(workflow(told, then), workflow(f"# more\n{told}", "make more", then)) == []


def test_an_output_that_a_command_asks_for_is_part_of_it() -> None:
    then = CHECK + " ${{ steps.s0.outputs.m }}"
    before, after = (workflow(f"echo m={word} >> $GITHUB_OUTPUT", then) for word in ("--quiet", "--exit-zero"))
    assert widenings(before, after) != []
    assert widenings(before, workflow("echo m=--quiet >> $GITHUB_OUTPUT", "make more", then)) == []


def test_a_variable_that_a_step_sets_anew_is_seen() -> None:
    env = "    env: {RUN: abutment}\n"
    before = workflow("$RUN check cycles", job=env)
    assert widenings(before, workflow("echo RUN=true >> $GITHUB_ENV", "$RUN check cycles", job=env)) != []
    assert widenings(before, workflow("echo OTHER=true >> $GITHUB_ENV", "$RUN check cycles", job=env)) == []
    assert widenings(before, workflow("$RUN check cycles", "echo RUN=true >> $GITHUB_ENV", job=env)) == []


def test_a_step_in_javascript_that_sets_another_path_is_seen() -> None:
    script = "    - uses: actions/github-script@v7\n      with: {script: core.SAID}\n"
    before = workflow(CHECK)
    for said, is_seen in (("addPath('x')", True), ("exportVariable('PATH', 'x')", True), ("info('x')", False)):
        after = str(before[YML]).replace("    steps:\n", f"    steps:\n{script.replace('SAID', said)}")
        assert bool(widenings(before, {YML: after})) is is_seen


CHANGES = """\
on: push
env: {GO: "1"}
jobs:
  changes:
    outputs: {src: "${{ steps.filter.outputs.src }}"}
    steps:
    - uses: actions/checkout@v4
    - id: filter
      uses: example/filter@v2
      with: {filters: src/**}
  gates:
    needs: changes
    if: needs.changes.outputs.src == 'true'
    steps:
    - if: env.GO == '1'
      run: abutment check cycles
"""


@pytest.mark.parametrize(
    ("old", "new", "is_seen"),
    [
        ("filters: src/**", "filters: docs/**", True),
        ("steps.filter.outputs.src", "steps.filter.outputs.docs", True),
        ('GO: "1"', 'GO: "0"', True),
        ("    steps:\n    - if", "    env: {GO: x}\n    steps:\n    - if", True),
        ("filter@v2", "filter@v3", False),
        ("checkout@v4", "checkout@v5", False),
        ("env: {GO", "env: {MORE: x, GO", False),
    ],
)
def test_what_a_condition_asks_is_part_of_it(old: str, new: str, is_seen: bool) -> None:
    assert bool(widenings({YML: CHANGES}, {YML: CHANGES.replace(old, new)})) is is_seen


RUN = '    session.run("abutment", "check", "cycles")\n'


def nox(body: str, top: str = "", decorator: str = "@nox.session") -> dict[str, bytes | str]:
    return {"noxfile.py": f"import nox\n{top}\n{decorator}\ndef gates(session):\n{body}"}


LISTED = 'CHECK = ["abutment", "check", "cycles"]\n'
LIST = "    session.run(*CHECK)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        tuple(nox('    session.run(X, "check")\n', f'X = "{name}"\n') for name in ("abutment", "true")),
        *((nox(LIST, LISTED), nox(body, LISTED)) for body in ("    pass\n", "    session.log(CHECK)\n")),
        (nox(LIST, LISTED), nox(LIST, LISTED.replace('"cycles"', '"cycles", "--exit-zero"'))),
        *((nox(LIST, LISTED), nox(LIST, LISTED + more)) for more in ('CHECK += ["x"]\n', 'CHECK.append("x")\n')),
        *((nox(LIST, LISTED), nox(LIST, LISTED + more)) for more in ("from x import CHECK\n", 'CHECK = ["true"]\n')),
        (nox(LIST, LISTED), nox("    for CHECK in MANY:\n    " + LIST, LISTED)),
        (nox(RUN), nox(RUN, "nox.options.sessions = ['lint']\n")),
        (nox(RUN), nox(RUN, decorator="@nox.session(default=False)")),
        (nox(RUN), nox(RUN, decorator="@nox.session(\n    default=False,\n)")),
        (nox(RUN), nox(RUN, decorator="")),
        (nox(RUN), nox(RUN.replace('"cycles"', '"cycles", success_codes=[0, 1]'))),
        (nox(RUN.replace("(", "(\n        ").replace(", ", ",\n        ")), nox("    pass\n")),
    ],
)  # fmt: skip
def test_a_noxfile_that_holds_less_is_seen(before: dict[str, bytes | str], after: dict[str, bytes | str]) -> None:
    assert widenings(before, after) != []


@pytest.mark.parametrize(
    "after",
    [
        nox(RUN.replace("(", "(\n        ").replace(", ", ",\n        ")),
        nox(LIST, LISTED),
        nox('    session.run(X, "check", "cycles")\n', 'X = "abutment"\n'),
        nox(RUN, decorator='@nox.session(\n    python=["3.13"],\n)'),
        nox('    """Look at (all\n    of it :(\n    """\n' + RUN),
        nox("    def inner():\n        return 1\n\n" + RUN),
        nox('    # it\'s ( no "abutment"\n    x = [1, 2]\n' + RUN),
        nox(RUN + "\n\n@nox.session\ndef other(session):\n    return\n"),
    ],
)
def test_a_noxfile_may_be_written_otherwise(after: dict[str, bytes | str]) -> None:
    assert widenings(nox(RUN), after) == []


TOX = "[tox]\nenvlist = lint, gates\n\n[testenv:gates]\ncommands = abutment check cycles\n"


@pytest.mark.parametrize(
    ("names", "is_seen"),
    [
        ("lint", True),
        ("lint, more-gates", True),
        ("gates", False),
        ("\n  lint\n  gates", False),
        ("{lint,gates}", False),
    ],
)
def test_an_environment_that_tox_does_not_run_by_itself_is_seen(names: str, is_seen: bool) -> None:
    for key in ("envlist", "env_list"):
        after = TOX.replace("envlist = lint, gates", f"{key} = {names}")
        assert bool(widenings({"tox.ini": TOX}, {"tox.ini": after})) is is_seen
