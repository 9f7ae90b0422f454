"""Each way in which CI may stop to hold us is seen, and what only reads otherwise is not."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

import pytest

from abutment.guard.ci.calls import ANY, calls_in
from tests.guard.laws import GONE, differences, toml, verdict, widenings

WORKFLOW = """\
on:
  pull_request:
  push:
    branches: [main]
jobs:
  gates:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: Boundaries
        run: abutment check boundaries
      - run: |
          pip install abutment
          abutment check cycles --format github
"""
YML = ".github/workflows/ci.yml"
HELD = "CI (GitHub workflows): boundaries: "
BOTH = "CI (GitHub workflows): cycles: "


def changed(*pairs: tuple[str, str]) -> dict[str, bytes | str]:
    text = WORKFLOW
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return {YML: text}


CALL = "abutment check boundaries"


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        ((CALL, "echo nothing"), ["is no longer run"]),
        ((CALL, f"{CALL} || true"), ["counts for less: `|| true` came to it"]),
        ((CALL, f"'{CALL} || :'"), ["counts for less: `|| :` came to it"]),
        ((CALL, f"{CALL} && echo held || true"), ["counts for less: `|| true` came to it"]),
        ((CALL, f"{CALL}; true"), ["counts for less: `; true` came to it"]),
        ((CALL, f"{CALL} | tee log"), ["counts for less: `| tee log` came to it"]),
        ((CALL, f"{CALL} &"), ["counts for less: `&` came to it"]),
        ((CALL, f"false || {CALL}"), ["counts for less: `only if `false` fails` came to it"]),
        (
            (CALL, f"if {CALL}; then echo; fi"),
            ["counts for less: `; then echo; fi`, ``if` asks for its status` came to it"],
        ),
        ((CALL, f"cd other && {CALL}"), ["counts for less: `in the folder other` came to it"]),
        ((CALL, f"{CALL} --exit-zero"), ["counts for less: `--exit-zero` came to it"]),
        ((CALL, f"{CALL} --stale=warn"), ["counts for less: `--stale=warn` came to it"]),
        ((CALL, f"{CALL} --stale warn"), ["counts for less: `--stale=warn` came to it"]),
        ((CALL, f"{CALL} --changed main"), ["counts for less: `--changed=main` came to it"]),
        ((CALL, f"|\n          set +e\n          {CALL}"), ["counts for less: `set +e` came to it"]),
        ((CALL, f"|\n          cd other\n          {CALL}"), ["counts for less: `in the folder other` came to it"]),
        ((CALL, f"|\n          exit 0\n          {CALL}"), ["counts for less: `behind `exit 0`` came to it"]),
        (
            (CALL, f"|\n          if [ $X ]; then\n            {CALL}\n          fi"),
            ["counts for less: `inside `if [ $X ]; then`` came to it"],
        ),
        ((CALL, f"{CALL}\n        continue-on-error: true"), ["counts for less: `continue-on-error: true` came to it"]),
        ((CALL, f"{CALL}\n        if: github.actor"), ["counts for less: `if: github.actor` came to it"]),
        ((CALL, f"{CALL}\n        working-directory: x"), ["counts for less: `in the folder x` came to it"]),
        ((CALL, f"{CALL}\n        shell: bash {{0}}"), ["counts for less: `shell: bash {0}` came to it"]),
    ],
    ids=str,
)
def test_a_step_that_holds_less_is_seen_and_the_way_back_is_not(pair: tuple[str, str], said: list[str]) -> None:
    assert widenings(changed(), changed(pair)) == [HELD + words for words in said]
    assert widenings(changed(pair), changed()) == []


@pytest.mark.parametrize("option", ["--config other", "--later"])
def test_an_option_that_asks_something_else_is_seen_both_ways(option: str) -> None:
    assert widenings(changed(), changed((CALL, f"{CALL} {option}"))) == [HELD + "is no longer run"]
    assert widenings(changed((CALL, f"{CALL} {option}")), changed())


def test_another_branch_is_seen_both_ways() -> None:
    other = changed(("    branches: [main]", "    branches: [other]"))
    assert widenings(changed(), other) == [name + "is no longer run on push of main" for name in (HELD, BOTH)]
    assert widenings(other, changed()) == [name + "is no longer run on push of other" for name in (HELD, BOTH)]


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (
            [("    runs-on: ubuntu-latest\n", "    runs-on: ubuntu-latest\n    if: false\n")],
            "counts for less: `if: false` came to it",
        ),
        (
            [("    runs-on: ubuntu-latest\n", "    continue-on-error: true\n")],
            "counts for less: `continue-on-error: true` came to it",
        ),
        ([("  pull_request:\n", "")], "is no longer run on pull_request of any branch"),
        (
            [("  pull_request:\n", "  pull_request:\n    branches: [main]\n")],
            "is no longer run on pull_request of any branch",
        ),
        (
            [("  pull_request:\n", "  pull_request:\n    types: [opened]\n")],
            "is no longer run on pull_request when reopened, pull_request when synchronize",
        ),
        (
            [("  pull_request:\n", "  pull_request:\n    paths: [src]\n")],
            'counts for less: `pull_request only by paths: ["src"]` came to it',
        ),
    ],
    ids=str,
)
def test_a_job_or_a_workflow_that_runs_less_is_seen(pairs: list[tuple[str, str]], said: str) -> None:
    assert widenings(changed(), changed(*pairs)) == [HELD + said, BOTH + said]
    assert widenings(changed(*pairs), changed()) == []


@pytest.mark.parametrize(
    "pairs",
    [
        [("name: Boundaries", "name: The boundaries")],
        [("run: abutment check boundaries", 'run: "abutment   check boundaries"')],
        [("abutment check boundaries", "python -m abutment check boundaries --format github --jobs 2")],
        [("abutment check boundaries", "uv run --frozen abutment check boundaries > out.txt 2>&1")],
        [("abutment check boundaries", "abutment check boundaries cycles"), ("abutment check cycles", "echo")],
        [("pip install abutment\n", "pip install abutment==1.2\n")],
        [("checkout@v4", "checkout@v5")],
        [("jobs:\n  gates:", "jobs:\n  architecture:")],
        [("on:\n  pull_request:\n  push:\n    branches: [main]", "on: [pull_request, push]")],
        [("    branches: [main]", "    branches: [main, release]")],
        [("abutment check boundaries", "abutment check")],  # all that are switched on
        [("abutment check boundaries", "abutment check boundaries && echo held || exit 1")],
        [("abutment check boundaries", "abutment check boundaries || exit 2")],
        [
            (
                "abutment check boundaries",
                "|\n          set -euo pipefail\n          make setup\n          abutment check boundaries",
            )
        ],
    ],
    ids=str,
)
def test_what_reads_otherwise_and_holds_as_much_is_not_seen(pairs: list[tuple[str, str]]) -> None:
    assert widenings(changed(), changed(*pairs)) == []


def test_every_gate_by_name_is_as_good_as_all_that_are_switched_on() -> None:
    every, named = "abutment check", "abutment check boundaries cycles egress"
    assert widenings(changed((CALL, every)), changed((CALL, named))) == []
    fewer = widenings(changed((CALL, every)), changed((CALL, "abutment check boundaries")))
    assert fewer == ["CI (GitHub workflows): egress: is no longer run"]


USED = """\
on: pull_request
jobs:
  a:
    uses: ./.github/workflows/gates.yml
  b:
    steps:
      - uses: ./.github/actions/gates
"""
STEPS = "    steps: [{run: abutment check cycles}]\n"
OWN_PARTS = {
    ".github/workflows/gates.yml": f"on: workflow_call\njobs:\n  c:\n{STEPS}",
    ".github/actions/gates/action.yml": f"runs:\n{STEPS.replace('cycles', 'boundaries')}",
    ".github/actions/other/action.yml": "runs: {}",
}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    uses: ./.github/workflows/gates.yml\n", "    steps: []\n", "cycles: is no longer run"),
        ("./.github/actions/gates", "./.github/actions/other", "boundaries: is no longer run"),
        ("gates.yml\n", "gates.yml\n    if: false\n", "cycles: counts for less: `if: false` came to it"),
    ],
)
def test_what_a_workflow_uses_of_the_repository_is_held(old: str, new: str, said: str) -> None:
    before, after = {**OWN_PARTS, YML: USED}, {**OWN_PARTS, YML: USED.replace(old, new)}
    assert widenings(before, after) == ["CI (GitHub workflows): " + said]
    assert widenings(after, before) == []


def test_a_job_may_move_into_a_part_of_the_repository_s_own() -> None:
    direct = {YML: f"on: pull_request\njobs:\n  a:\n{STEPS}  b:\n{STEPS.replace('cycles', 'boundaries')}"}
    apart = {**OWN_PARTS, YML: USED}
    assert widenings(direct, apart) == []
    assert widenings(apart, {**dict.fromkeys(OWN_PARTS, GONE), **direct}) == []
    softer = OWN_PARTS[".github/workflows/gates.yml"].replace("    steps", "    if: false\n    steps")
    assert widenings(direct, {**apart, ".github/workflows/gates.yml": softer})
    assert widenings(apart, {**apart, YML: GONE})


def test_a_step_may_move_to_another_workflow_but_not_into_another_kind_of_file() -> None:
    other = {YML: GONE, ".github/workflows/other.yaml": WORKFLOW}
    assert widenings(changed(), other) == []
    assert widenings(changed(), {YML: GONE, "Makefile": f"check:\n\t{CALL}\n\tabutment check cycles\n"}) == [
        HELD + "is no longer run",
        BOTH + "is no longer run",
    ]


def test_the_guard_and_what_it_compares_with_is_held_too() -> None:
    with_guard = changed((CALL, "abutment check --against origin/main"))
    other = changed((CALL, "abutment check --against HEAD"))
    assert widenings(with_guard, other) == ["CI (GitHub workflows): guard against origin/main: is no longer run"]


GITLAB = """\
.base:
  script:
    - abutment check boundaries
gates:
  extends: .base
  stage: test
"""


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("  allow_failure: true\n", "counts for less: `allow_failure: true` came to it"),
        ("  when: manual\n", "counts for less: `when: manual` came to it"),
        ("  rules: [{if: $X}]\n", 'counts for less: `rules: [{"if": "$X"}]` came to it'),
        ("  only: [main]\n", 'counts for less: `only: ["main"]` came to it'),
        ("workflow:\n  rules: [{if: $X}]\n", 'counts for less: `workflow rules: [{"if": "$X"}]` came to it'),
    ],
)
def test_a_gitlab_job_that_holds_less_is_seen(more: str, said: str) -> None:
    before, after = {".gitlab-ci.yml": GITLAB}, {".gitlab-ci.yml": GITLAB + more}
    assert widenings(before, after) == ["CI (.gitlab-ci.yml): boundaries: " + said]
    assert widenings(after, before) == []
    assert widenings(before, {".gitlab-ci.yml": GITLAB + "  allow_failure: false\n  when: on_success\n"}) == []


HOOKS = "repos:\n- repo: https://example.org/abutment\n  rev: v1\n  hooks:\n  - id: abutment\n"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("    stages: [manual]\n", 'counts for less: `stages: ["manual"]` came to it'),
        ("    args: [--exit-zero]\n", "counts for less: `--exit-zero` came to it"),
        ("ci: {skip: [abutment]}\n", "counts for less: `skipped in CI as abutment` came to it"),
        ("exclude: src\n", "counts for less: `all exclude: src` came to it"),
    ],
)
def test_a_hook_that_holds_less_is_seen(more: str, said: str) -> None:
    before, after = {".pre-commit-config.yaml": HOOKS}, {".pre-commit-config.yaml": HOOKS + more}
    assert said in {words.partition("boundaries: ")[2] for words in widenings(before, after)}
    assert widenings(after, before) == []
    assert widenings(before, {".pre-commit-config.yaml": HOOKS.replace("v1", "v2")}) == []


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("Makefile", "check:\n\tabutment check cycles\n", "check:\n\t-abutment check cycles\n"),
        ("Makefile", "a: b\nb:\n\tabutment check cycles\n", "a:\nb:\n\tabutment check cycles\n"),
        ("tox.ini", "commands =\n  abutment check cycles\n", "commands =\n  - abutment check cycles\n"),
        (
            "noxfile.py",
            'session.run("abutment", "check", "cycles")',
            'session.run("abutment", "check", "cycles", success_codes=[0, 1])',
        ),
        ("justfile", "check:\n  abutment check cycles\n", "check:\n  echo\n"),
        (".ci/run", "abutment check cycles\n", "abutment check cycles || true\n"),
        ("azure-pipelines.yml", "- script: abutment check cycles\n", "- script: abutment check cycles || exit 0\n"),
        (".circleci/config.yml", "- run: abutment check cycles\n", "- run: abutment check cycles --exit-zero\n"),
        ("Jenkinsfile", "stage('a') {\n  sh 'abutment check cycles'\n}\n", "stage('a') {\n}\n"),
        ("Jenkinsfile", "sh 'abutment check cycles'\n", "sh 'abutment check cycles; true'\n"),
        ("bitbucket-pipelines.yml", "- abutment check cycles\n", "- abutment check cycles | cat\n"),
    ],
)
def test_other_files_are_read_line_by_line(path: str, before: str, after: str) -> None:
    assert widenings({path: before}, {path: after})
    assert widenings({path: before}, {path: before + "# a comment\n"}) == []


def test_what_stands_behind_a_block_is_not_inside_of_it() -> None:
    script = "if [ $X ]; then\n  echo\nfi\nfor x in 1; do\n  echo\ndone\nrun() {\n  echo\n}\nabutment check cycles\n"
    assert {call.softened for call in calls_in(script, ())} == {frozenset()}


def test_a_stage_may_be_called_otherwise() -> None:
    stage = "stage('a') {\n  sh 'abutment check cycles'\n}\n"
    assert widenings({"Jenkinsfile": stage}, {"Jenkinsfile": stage.replace("'a'", "'b'")}) == []


def test_a_makefile_may_get_more_targets() -> None:
    before = "a: b\nb:\n\t@$(BIN)/abutment check cycles\n"
    after = "a: c b | d\n\nc:\n\techo\nb:  # as before\n\t$(BIN)/abutment check cycles\n"
    assert widenings({"Makefile": before}, {"Makefile": after}) == []


def test_commands_and_files_of_the_users_own_are_held() -> None:
    settings = toml('[guard]\ncommands = ["make check"]\nfiles = ["ops/*.sh"]\n')
    assert widenings({**settings, "ops/ci.sh": "make check\n"}, {**settings, "ops/ci.sh": "make check || true\n"})
    assert widenings({**settings, "ops/ci.sh": "make check\n"}, {**settings, "ops/ci.sh": "make -s check\n"})
    assert widenings({"ops/ci.sh": "make check\n"}, {"ops/ci.sh": ""}) == []


@pytest.mark.parametrize("text", ["a: [", "a: &a [*a]", "\0"])
def test_ci_that_cannot_be_read_is_not_judged(text: str) -> None:
    found = verdict(changed(), {YML: f"# abutment\n{text}"})
    assert [fault.path for fault in found.faults] == [YML]
    assert verdict({YML: text}, {YML: text}).faults == ()  # it does not speak of us


def test_a_bomb_of_aliases_is_refused() -> None:
    rows = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12))
    assert verdict(changed(), {YML: f"# abutment\na0: &a0 x\n{rows}\n"}).faults


def test_where_nothing_was_configured_a_check_is_still_a_check() -> None:
    every = (("boundaries", ""), ("cycles ", ""))
    none = {"abutment.toml": "", **changed(*every)}
    assert widenings(none, changed(*every)) == []
    other = changed(*every, ("abutment check", "abutment check --config other"))
    assert widenings(none, other) == ["CI (GitHub workflows): a check: is no longer run"]


def test_a_new_gate_brings_its_step_along() -> None:
    without = {"abutment.toml": 'roots = ["src"]\ngates = ["cycles"]\n'}
    found = differences({**without, **changed((CALL, "echo"))}, changed())
    assert found.widenings == ()


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("echo abutment check", []),
        ("echo make check", []),
        ("abutment check cycles  # boundaries", ["cycles"]),
        ("git commit -m 'run abutment check'", []),
        ("pip install abutment", []),
        ("bash -lc 'abutment check cycles'", ["cycles"]),
        (".venv/bin/abutment check cycles", ["cycles"]),
        ("FOO=1 timeout 60 abutment check cycles", ["cycles"]),
        ("abutment tighten", ["abutment tighten"]),
        ("abutment", []),
        ("# abutment check", []),
        ("echo '#' && abutment check cycles", ["cycles"]),
        ("abutment check guard", ["guard"]),
        ("for x in 1 2; do echo; done\nabutment check cycles", ["cycles"]),
    ],
)
def test_what_a_line_asks(line: str, asked: list[str]) -> None:
    assert [call.asks for call in calls_in(line, ["make check"]) if call.asks != ANY] == asked


@pytest.mark.parametrize(
    "front",
    [
        *(
            "timeout",
            "timeout --preserve-status 1",
            "timeout -s 0 1",
            "timeout 1 true",
            "PATH=bin",
            "PATH=$X/bin:$PATH",
        ),
        *("PATH=.:$PATH", "PATH=x/bin:y:$PATH"),
        *("true", ":", "sh -n", "command -v", "xargs -r", "env -C sub", "uv run --directory sub"),
        *("PATH=/x:$PATH", "env PATH=/x", "uv run --project x", "uv run --with ./fake", "python -c", "nohup", "$RUN"),
        *("python", "MAKEFLAGS=-n", "sudo -u nobody", "docker run x"),
    ],
)
def test_words_in_front_that_may_not_run_the_command_are_seen(front: str) -> None:
    for call in ("abutment check cycles", "make check"):
        found = [call.softened for call in calls_in(f"{front} {call}", ["make check"])]
        assert all(found), (front, found)
    assert widenings(changed(), changed((CALL, f"{front} {CALL}")))


@pytest.mark.parametrize(
    "front",
    [
        *("FOO=1", "env FOO=1 BAR=2", "uv run", "uv run --frozen --with x", "poetry run", "pdm run", "hatch run"),
        *("pipenv run", "python -m", "python3.12 -I -m", ".venv/bin/python -m", "sudo -E", "nice -n 10", "time"),
        *(
            "timeout 300",
            "timeout --foreground --kill-after=9s 5m",
            "PATH=.venv/bin:$PATH",
            "env PATH=~/bin:${PATH}:/x",
        ),
        *("exec", "xvfb-run -a", "npx", "uvx", "uvx --from abutment", "uv tool run", "pipx run --spec abutment"),
    ],
)
def test_words_in_front_that_run_the_command_are_no_difference(front: str) -> None:
    assert widenings(changed(), changed((CALL, f"{front} {CALL}"))) == []


@pytest.mark.parametrize("call", ["true 'abutment check boundaries'", "ops/abutment check boundaries"])
def test_our_name_in_another_program_s_words_is_no_plain_call(call: str) -> None:
    assert widenings(changed(), changed((CALL, call)))
    assert widenings(changed(), changed((CALL, f".venv/bin/{CALL}"))) == []


@pytest.mark.parametrize(
    "script",
    [
        *("test -z $X && exit 0\nC", "exit 0; C", "exec true; C", "exec true\nC", "test -z $X && C", "false ||\nC"),
        *("test $X &&\nC", "cat <<X\nC\nX", "cat <<-'X'\nC\n\tX", "cat <<X\n X\nC\nX", "echo '\nC\n'"),
        *("f() { C; }", "f() {\nC\n}", "f()\n{\nC\n}", "function f {\nC\n}", "{ C; } || true", "{\nC\n} || true"),
        *(
            "set +o errexit\nC",
            "set +xe\nC",
            "set +e; C",
            "set -n\nC",
            "trap 'exit 0' EXIT\nC",
            "alias abutment=true\nC",
        ),
        *("abutment() { true; }\nC", "abutment() {\ntrue\n}\nC", "export PATH=/x:$PATH\nC", "PATH=/x\nC", "pushd x\nC"),
        *("cd x; C", "cd x; cd y; cd ..; C", "(\nC\n)", "if test $X; then\nexit 0\nfi\nC", "exit\nC", "exit 256\nC"),
        *("case $X in a) exit 0 ;; esac\nC", "f() { exit 0; }\nf\nC", "abutment record boundaries\nC", "eval $X\nC"),
        *("ln -sf /bin/true .venv/bin/abutment\nC", "echo true > .venv/bin/abutment\nC", "source ops/env\nC"),
        *(
            "rm abutment.toml\nC",
            "git checkout x abutment.toml\nC",
            "C && echo held\necho done",
            "bash -c 'set +e\nC\ntrue'",
        ),
        *(
            "BIN=/x\n$BIN/C",
            "RUN=true\n$RUN C",
            "BIN=.venv/bin\nBIN=/x\n$BIN/C",
            "if test $X; then\nBIN=/x\nfi\n$BIN/C",
        ),
        *("export PATH=$X/bin:$PATH\nC", "export PATH=.venv/bin\nC", "export PATH=.venv/bin:$PATH BASH_ENV=x\nC"),
        *("bash <<X\nC\nX", "for x in 1; do\nC\ndone | cat", "python() { true; }\npython -m C", "C || exit 256"),
    ],
)
def test_lines_around_a_command_that_take_from_it_are_seen(script: str) -> None:
    assert loosened(script)


def loosened(script: str, before: str = "C", more: Mapping[str, str] | None = None) -> list[str]:
    """Return what is widened where a step of one command gets this script, in a repository with some more files."""
    texts = [
        "- run: |\n" + textwrap.indent(re.sub(r"\bC\b", CALL, text) + "\n", " " * 10, lambda _line: True)
        for text in (before, script)
    ]
    pair = [changed((f"- name: Boundaries\n        run: {CALL}\n", text)) for text in texts]
    return widenings(*({**files, **(more or {})} for files in pair))


@pytest.mark.parametrize(
    "script",
    [
        *("cd docs; make; cd ..; C", "cd docs\nmake\ncd -\nC", "pushd x\npopd\nC", "(cd docs && make)\nC"),
        *(
            "cat <<X\nif this\nX\nC",
            "cat <<X > y\nexit 0\nX\nC",
            "echo 'exit 0\nif'\nC",
            "# don't\nC",
            "pip install x && C",
        ),
        *("if test $X; then\necho x\nexit 1\nfi\nC", "test $X || exit 1\nC", "set -x\nset +x\nC", "set +e\nset -e\nC"),
        *("f() {\nexit 0\n}\nC", "source .venv/bin/activate\nC", "export FOO=1\nC", "for x in 1; do echo; done\nC"),
        *(
            "make setup\nuv sync\ngit fetch origin main\nC",
            "C\n# the end\n",
            "pip install \\\n  abutment\nC",
            "C && echo held",
        ),
        *("case $X in a) echo ;; esac\nC", "abutment check cycles &&\nC", "exec > log\nC", "cd $GITHUB_WORKSPACE\nC"),
        *('export PATH="$HOME/.local/bin:$PATH"\nC', "export PATH=$PATH:/x\nC", 'PATH="$(pwd)/.venv/bin:${PATH}"\nC'),
        *("RUN='uv run'\n$RUN C", "BIN=.venv/bin\n$BIN/C", "export X=$BIN/x\nC", "BIN=.venv/bin; ${BIN}/C"),
        *("bash -c '\nset -e\nC\n'", "bash -euo pipefail -c 'C'", 'echo "it\'s"\nC', "abutment check cycles\nC"),
    ],
)
def test_lines_around_a_command_that_take_nothing_from_it_are_no_difference(script: str) -> None:
    assert loosened(script) == []


def test_what_the_end_of_a_block_takes_from_the_calls_in_it_is_seen() -> None:
    assert loosened("if test $X\nthen\nC\nfi || true", "if test $X\nthen\nC\nfi")


ENVIRONMENT = "export FOO=1\nset -a\n. ci/more\nset +a\nexport PATH=$PWD/.venv/bin:$PATH\n"


@pytest.mark.parametrize("line", ["source ci/env && C", ". ci/env\nC", 'source "$PWD/ci/env"\nC'])
@pytest.mark.parametrize(
    ("environment", "is_harmless"),
    [
        (ENVIRONMENT, True),
        *((f"{ENVIRONMENT}{line}\n", False) for line in ("exit 0", "set +e", "PATH=/x", "trap true EXIT", "cd docs")),
        *(
            (f"{ENVIRONMENT}{line}\n", False)
            for line in ("abutment() { true; }", ". ci/env", ". elsewhere", "[ $X ] && {")
        ),
        (ENVIRONMENT.replace("$PWD/.venv", "$PWD/ci"), False),  # where the repository has programs of its own
        (GONE, False),
    ],
)
def test_a_script_that_is_sourced_is_looked_into(line: str, environment: str, is_harmless: bool) -> None:
    files = {"ci/env": environment, "ci/more": "BAR=2\n", "ci/bin/python": "#!/bin/sh\n"}
    assert (loosened(line, more=files) == []) == is_harmless
    if environment not in (GONE, ENVIRONMENT):
        before = {**files, "ci/env": ENVIRONMENT}
        script = changed((CALL, f"source ci/env && {CALL}"))
        assert widenings({**before, **script}, {**files, **script})


@pytest.mark.parametrize(
    "script", ["ops/bin/C", "$PWD/ops/bin/C", "export PATH=$PWD/ops/bin:$PATH\nC", "cd ops; bin/C"]
)
def test_a_program_of_our_name_that_the_repository_keeps_is_not_ours(script: str) -> None:
    assert loosened(script, more={"ops/bin/abutment": "#!/bin/sh\n"})
    assert bool(loosened(script, more={"ops/bin/abutment": GONE})) == script.startswith("cd ")


VALUED = "BIN := .venv/bin\nABUTMENT = $(BIN)/abutment\n\ncheck:\n\t$(ABUTMENT) check cycles\n"


@pytest.mark.parametrize(
    ("path", "before", "old", "new", "is_seen"),
    [
        ("Makefile", VALUED, ".venv/bin", "/x", True),
        ("Makefile", VALUED, ".venv/bin", "env/bin", False),
        ("Makefile", VALUED, "$(BIN)/abutment", "true", True),
        ("Makefile", VALUED, "$(BIN)/abutment", "abutment", False),
        ("Makefile", VALUED, "$(ABUTMENT)", "$(BIN)/abutment", False),
        ("Makefile", VALUED, "\n\n", "\nBIN = /x\n\n", True),
        ("Makefile", VALUED, "\n\n", "\nifdef X\nBIN = /x\nendif\n\n", True),
        ("Makefile", VALUED, " check cycles", " check cycles || true", True),
        ("Makefile", VALUED, " check", " record", True),
        (YML, "env: {RUN: uv run}\n" + WORKFLOW.replace(CALL, f"$RUN {CALL}"), "uv run", "true", True),
        (YML, "env: {RUN: uv run}\n" + WORKFLOW.replace(CALL, f"$RUN {CALL}"), "uv run", "poetry run", False),
        (
            YML,
            WORKFLOW.replace(CALL, f"${{{{ env.X }}}} {CALL}\n        env: {{X: uv run}}"),
            "X: uv run",
            "X: true",
            True,
        ),
        (".gitlab-ci.yml", "variables: {A: abutment}\na:\n  script: [$A check cycles]\n", "A: abut", "A: x", True),
        (".ci/run", "A=abutment\n$A check cycles\n", "A=abutment", "A=true", True),
    ],
)
def test_the_value_of_a_variable_is_part_of_the_command(
    path: str, before: str, old: str, new: str, is_seen: bool
) -> None:
    assert old in before
    assert bool(widenings({path: before}, {path: before.replace(old, new, 1)})) == is_seen


JOB = "    runs-on: ubuntu-latest\n"
OTHER = "jobs:\n  first:\n    {}\n    runs-on: x\n  gates:\n    needs: [first]\n"
CHECKOUT = "      - uses: actions/checkout@v4\n"


@pytest.mark.parametrize(
    "pair",
    [
        *(
            (JOB, f"{JOB}    {more}\n")
            for more in ("environment: x", "timeout-minutes: 1", "env: {PATH: /x}", "unheard: of")
        ),
        *(
            (JOB, f"{JOB}    strategy: {{matrix: {more}}}\n")
            for more in ("{a: [1], exclude: [{a: 1}]}", "$X", "{a: []}")
        ),
        *((JOB, f"{JOB}    {more}\n") for more in ("container: python:3", "defaults: {run: {shell: pwsh}}")),
        *(
            ("jobs:\n  gates:\n", OTHER.format(more))
            for more in ("if: false", "strategy: {matrix: {a: [1], exclude: [{a: 1}]}}")
        ),
        *((CHECKOUT, f"{CHECKOUT}        with: {{{more}: x}}\n") for more in ("ref", "repository", "path")),
        *((CHECKOUT, f"{CHECKOUT}      - run: {more}\n") for more in ("echo /x >> $GITHUB_PATH", "rm abutment.toml")),
        *(
            (CHECKOUT, f"{CHECKOUT}      - run: {more}\n")
            for more in ("cp x .venv/bin/abutment", "sed -i d abutment.toml")
        ),
        *((CALL, f"{CALL}\n        {more}") for more in ("shell: pwsh", "timeout-minutes: 1", "env: {PYTHONPATH: x}")),
        ("jobs:\n", "env: {PATH: /x}\njobs:\n"),
    ],
    ids=str,
)
def test_keys_and_steps_that_may_take_from_a_step_are_seen(pair: tuple[str, str]) -> None:
    assert widenings(changed(), changed(pair))
    assert widenings(changed(pair), changed()) == []


@pytest.mark.parametrize(
    "pair",
    [
        ("on:\n", "on:\n  workflow_dispatch:\n    inputs: {x: {type: string}}\n"),
        ("  pull_request:\n", "  pull_request:\n    branches: ['**']\n"),
        ("    branches: [main]\n", "    branches: [main]\n    tags: ['v*']\n"),
        *(
            (CALL, f"{CALL}\n        if: {more}")
            for more in ("always()", "${{ always() }}", "success()", "'!cancelled()'")
        ),
        *(
            (CALL, f"{CALL}\n        {more}")
            for more in ("id: x", "env: {X: y}", "shell: bash", "working-directory: .")
        ),
        *(
            (JOB, f"{JOB}    {more}\n")
            for more in ("permissions: {}", "concurrency: x", "outputs: {}", "services: {}", "name: x")
        ),
        (JOB, f"{JOB}    strategy: {{fail-fast: false, matrix: {{python: ['3.12']}}}}\n"),
        ("jobs:\n  gates:\n", OTHER.format("name: x")),
        (CHECKOUT, f"{CHECKOUT}        with: {{fetch-depth: 0}}\n"),
        (CHECKOUT, f"{CHECKOUT}      - uses: actions/setup-python@v5\n        with: {{python-version: '3.12'}}\n"),
        (CHECKOUT, f"{CHECKOUT}      - run: |\n          set +e\n          make setup\n"),
        (CHECKOUT, f'{CHECKOUT}      - run: echo "$HOME/.local/bin" >> $GITHUB_PATH\n'),
    ],
    ids=str,
)
def test_keys_and_steps_that_take_nothing_are_no_difference(pair: tuple[str, str]) -> None:
    assert widenings(changed(), changed(pair)) == []


@pytest.mark.parametrize(
    "more",
    [
        *("before_script: [exit 0]\n", "default: {before_script: [set +e]}\n", "default: {allow_failure: true}\n"),
        *(
            "  needs: [a]\na: {when: manual, script: [x]}\n",
            "  needs: [{job: a}]\na: {rules: [{if: $X}], script: [x]}\n",
        ),
        *("  before_script:\n  - !reference [.x, script]\n.x: {script: [exit 0]}\n", "variables: {PATH: /x}\n"),
        *("  unheard: of\n", "  inherit: {default: false}\n", "  parallel: 0\n", "  timeout: 1s\n"),
    ],
)
def test_a_gitlab_pipeline_that_holds_less_is_seen(more: str) -> None:
    before, after = {".gitlab-ci.yml": GITLAB}, {".gitlab-ci.yml": GITLAB + more}
    assert widenings(before, after)
    assert widenings(after, before) == []


@pytest.mark.parametrize(
    "more",
    [
        *("before_script: [make setup]\n", "default: {image: x, retry: 1}\n", "  needs: [a]\na: {script: [x]}\n"),
        *("  before_script:\n  - !reference [.x, script]\n.x: {script: [make setup]}\n", "variables: {X: y}\n"),
        *("  tags: [x]\n", "  artifacts: {paths: [x]}\n", "include: x.yml\n", "stages: [test]\n"),
    ],
)
def test_what_a_gitlab_pipeline_may_get_besides_is_no_difference(more: str) -> None:
    assert widenings({".gitlab-ci.yml": GITLAB}, {".gitlab-ci.yml": GITLAB + more}) == []


def test_a_gitlab_script_may_move_to_a_template_that_is_referred_to() -> None:
    after = GITLAB.replace("  extends: .base\n", "  script:\n    - !reference [.base, script]\n")
    assert widenings({".gitlab-ci.yml": GITLAB}, {".gitlab-ci.yml": after}) == []
    lost = after.replace("    - abutment check boundaries\n", "    - echo\n")
    assert widenings({".gitlab-ci.yml": after}, {".gitlab-ci.yml": lost})


@pytest.mark.parametrize(
    "more",
    [
        *(
            "default_stages: [manual]\n",
            "    entry: true abutment check\n",
            "    language: fail\n",
            "    language: pygrep\n",
        ),
        *("    pass_filenames: true\n", "    always_run: false\n", "    unheard: of\n", "files: src\n"),
    ],
)
def test_a_key_that_may_take_from_a_hook_is_seen(more: str) -> None:
    before, after = {".pre-commit-config.yaml": HOOKS}, {".pre-commit-config.yaml": HOOKS + more}
    assert widenings(before, after)
    assert widenings(after, before) == []


def test_keys_that_take_nothing_from_a_hook_are_no_difference() -> None:
    old = {".pre-commit-config.yaml": HOOKS + "    stages: [commit, push]\n"}
    new = {".pre-commit-config.yaml": HOOKS + "    stages: [pre-push, pre-commit]\n    always_run: true\n"}
    assert widenings(old, new) == []
    more = "    name: x\n    verbose: true\n    language: system\n    pass_filenames: false\nfail_fast: true\n"
    assert widenings(old, {".pre-commit-config.yaml": old[".pre-commit-config.yaml"] + more}) == []


MAKE = "check: cycles\n\ncycles:\n\tabutment check cycles\n"
TOX = "[testenv:gates]\ncommands =\n  abutment check cycles\n"
NOX = 'def gates(session):\n    session.run("abutment", "check", "cycles")\n'


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        *(("Makefile", MAKE, more + MAKE) for more in (".IGNORE:\n", "MAKEFLAGS += -i\n", "SHELL := /bin/true\n")),
        *(
            ("Makefile", MAKE, more + MAKE)
            for more in (".ONESHELL:\n", "-include x\n", "include x\n", "export PATH = x\n")
        ),
        *(
            ("Makefile", MAKE, MAKE + more)
            for more in ("cycles:\n\ttrue\n", "cycles: SHELL = true\n", ".SHELLFLAGS = -nc\n")
        ),
        ("Makefile", MAKE, MAKE.replace("cycles:\n", "ifdef X\ncycles:\n") + "endif\n"),
        ("Makefile", MAKE, MAKE.replace("\tabut", "ifdef X\n\tabut") + "endif\n"),
        *(("tox.ini", TOX, TOX + more) for more in ("ignore_outcome = true\n", "platform = x\n", "changedir = x\n")),
        ("tox.ini", TOX, "[testenv]\nignore_outcome = true\n" + TOX),
        *(
            ("noxfile.py", NOX, NOX.replace(":\n", f":\n    {more}\n"))
            for more in ("return", "if x: return", "session.skip()")
        ),
        ("noxfile.py", NOX, NOX.replace("    session", "    if x:\n        session")),
    ],
)
def test_what_stands_elsewhere_in_a_file_and_takes_from_a_call_is_seen(path: str, before: str, after: str) -> None:
    assert widenings({path: before}, {path: after})
    assert widenings({path: after}, {path: before}) == []


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        *(
            ("Makefile", MAKE, more + MAKE)
            for more in ("SHELL := /bin/bash\n", "X := y\n", ".SHELLFLAGS := -eu -o pipefail -c\n")
        ),
        *(
            ("Makefile", MAKE, more + MAKE)
            for more in (".PHONY: other\n", "ifdef X\nY = 1\nendif\n", "other:\n\ttrue\n")
        ),
        ("Makefile", MAKE, MAKE + "cycles: other\n"),
        *(("tox.ini", TOX, TOX + more) for more in ("[testenv:x]\nignore_outcome = true\n", "deps = x\n")),
        ("noxfile.py", NOX, "def other(session):\n    return\n\n\n" + NOX),
        ("noxfile.py", NOX, NOX.replace(":\n", ':\n    session.install(".")\n')),
    ],
)
def test_what_stands_elsewhere_in_a_file_may_be_ordinary(path: str, before: str, after: str) -> None:
    assert widenings({path: before}, {path: after}) == []


def test_of_several_makefiles_the_one_that_make_takes_is_read() -> None:
    assert widenings({"Makefile": MAKE}, {"Makefile": MAKE, "GNUmakefile": "check:\n\ttrue\n"})
    assert widenings({"Makefile": MAKE}, {"Makefile": GONE, "GNUmakefile": MAKE}) == []


@pytest.mark.parametrize("line", ["$(exit 0)", "x $(a b)", "`a b` c", 'x "y $(a b)"', "$(abutment record cycles)"])
def test_a_command_that_another_one_writes_is_read_to_its_end(line: str) -> None:
    assert [call.asks for call in calls_in(f"{line}\nabutment check cycles", ()) if call.asks != ANY] == ["cycles"]


@pytest.mark.parametrize("script", ["|| abutment check cycles", "make lint\n|| abutment check cycles"])
def test_a_line_that_begins_with_an_operator_holds_no_plain_call(script: str) -> None:
    (softened,) = {call.softened for call in calls_in(script, ())}
    assert "only if `...` fails" in softened


NAMES = [f"j{number}" for number in range(60)]
CHAINED = {
    YML: "on: push\njobs:\n"
    + "".join(f"  {name}:\n    needs: [{', '.join(NAMES[:at])}]\n" for at, name in enumerate(NAMES))
    + f"  last:\n    needs: [{', '.join(NAMES)}]\n    steps:\n      - run: abutment check cycles\n",
    ".gitlab-ci.yml": "".join(
        f"{name}:\n  needs: [{', '.join(NAMES[:at])}]\n  script: [make]\n" for at, name in enumerate(NAMES)
    )
    + f"last:\n  needs: [{', '.join(NAMES)}]\n  script: [abutment check cycles]\n",
}


@pytest.mark.parametrize(("path", "stop"), [(YML, "    if: false\n"), (".gitlab-ci.yml", "  when: manual\n")])
def test_jobs_that_each_wait_for_all_before_are_looked_at_once(path: str, stop: str) -> None:
    """Going every way from job to job would never end."""
    before = CHAINED[path]
    assert widenings({path: before}, {path: before.replace("needs: []\n", f"needs: []\n{stop}", 1)})
