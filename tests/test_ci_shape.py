"""Does CI hold what `.ci/run` holds, hard, in steps that can be told apart?"""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from abutment.gates import TABLE

PROJECT = Path(__file__).parents[1]
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (PROJECT / "Makefile").read_text(encoding="utf-8")
RUN = (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))

WRITING = ("tighten", "record", "init", "move", "resolve", "migrate", "--write", "--write-host", "lock")
SOFT = ("|| true", "|| :", "set +e", "--exit-zero", "--stale=warn", "continue-on-error", "always()", "-i ", "-k ")


def workflow() -> dict[str, Any]:
    loaded = yaml.safe_load((PROJECT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def steps(job: str) -> list[dict[str, Any]]:
    found = workflow()["jobs"][job]["steps"]
    assert isinstance(found, list)
    return found


def commands(job: str) -> list[str]:
    return [step["run"] for step in steps(job) if "run" in step]


def all_commands() -> list[str]:
    return [command for job in workflow()["jobs"] for command in commands(job)]


def target(name: str) -> str:
    """Return what the Makefile's target runs, its prerequisites in front."""
    found = re.search(rf"^{re.escape(name)}:(.*)\n((?:\t.*\n)*)", MAKEFILE, re.MULTILINE)
    assert found, f"the Makefile has no target {name}"
    return found[1] + "\n" + found[2]


def gates_in(text: str) -> list[str]:
    """Return the gates that the `abutment check` commands in the text name."""
    return [gate for words in re.findall(r"abutment check(.*)", text) for gate in words.split()]


def test_ci_runs_on_pull_requests_and_on_pushes() -> None:
    # YAML 1.1 reads the bare key `on` as a boolean.
    (triggers,) = (value for key, value in workflow().items() if str(key) == "True")
    assert set(triggers) == {"pull_request", "push"}


def test_there_is_one_workflow_and_it_may_only_read() -> None:
    assert [path.name for path in WORKFLOWS] == ["ci.yml"]
    assert workflow()["permissions"] == {"contents": "read"}


@pytest.mark.parametrize(
    ("job", "runs"),
    [
        ("lint", ["make setup", "make lint"]),
        ("types", ["make setup", "make types"]),
        ("tests", ["make setup", "make test"]),
        ("gates", ["make setup", "make rooms", "make semantic-policy", "make snapshot", "make guard"]),
    ],
)
def test_a_job_installs_from_the_lock_and_then_runs_its_targets_in_order(job: str, runs: list[str]) -> None:
    assert commands(job) == runs
    assert [step["uses"].split("@")[0] for step in steps(job)[:2]] == ["actions/checkout", "actions/setup-python"]


def test_there_are_no_other_jobs() -> None:
    assert list(workflow()["jobs"]) == ["lint", "types", "tests", "gates"]


def test_tests_run_on_every_python_we_claim() -> None:
    claimed = [
        name.rpartition(" ")[2]
        for name in PYPROJECT["project"]["classifiers"]
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", name)
    ]
    assert workflow()["jobs"]["tests"]["strategy"]["matrix"]["python"] == claimed
    assert PYPROJECT["project"]["requires-python"] == f">={claimed[0]}"


def test_semantic_policy_and_snapshot_are_steps_of_their_own_in_that_order() -> None:
    named = [step["name"] for step in steps("gates") if "name" in step]
    assert named.index("Semantic policy") < named.index("Snapshot")
    semantic, snapshot = gates_in(target("semantic-policy")), gates_in(target("snapshot"))
    assert semantic[:3] == ["blindspots", "cycles", "boundaries"]
    assert snapshot == ["snapshot"]


def test_the_host_is_checked_exactly_once() -> None:
    assert all_commands().count("make snapshot") == 1
    assert all_commands().count("make semantic-policy") == 1
    assert not [command for command in all_commands() if "--check-host" in command]


# What the suite covers is known behind it; and ruff judges every file of ours, changed or not.
ELSEWHERE = {"coverage": ("test", "check coverage"), "changed": ("lint", "ruff check")}


def test_our_own_tree_is_held_by_every_gate() -> None:
    assert PYPROJECT["tool"]["abutment"]["gates"] == [gate for gate in TABLE if gate not in ELSEWHERE]
    assert all(words in target(where) for where, words in ELSEWHERE.values())


def test_ci_leaves_out_no_gate_of_our_own_law() -> None:
    own = PYPROJECT["tool"]["abutment"]["gates"]
    assert sorted(own) == sorted(gates_in(target("semantic-policy")) + gates_in(target("snapshot")))


def test_no_step_runs_under_a_condition_or_may_fail() -> None:
    for name, job in workflow()["jobs"].items():
        parts = [job, *job["steps"]]
        assert not [part for part in parts if "if" in part or "continue-on-error" in part], name


@pytest.mark.parametrize("soft", SOFT)
def test_nothing_softens_a_failure(soft: str) -> None:
    for path in WORKFLOWS:
        assert soft not in path.read_text(encoding="utf-8"), path
    assert soft not in MAKEFILE
    assert soft not in RUN


def test_ci_has_no_writing_verb() -> None:
    run_by_ci = [target(command.removeprefix("make ")) for command in all_commands()] + [target("own-law")]
    words = " ".join(run_by_ci).split()
    assert not set(WRITING) & set(words)


def test_every_action_is_pinned_to_a_commit_and_one_version_is_used_throughout() -> None:
    used = {step["uses"] for job in workflow()["jobs"] for step in steps(job) if "uses" in step}
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", use) for use in used)
    assert len({use.split("@")[0] for use in used}) == len(used)


def test_the_local_run_and_the_workflow_hold_the_same() -> None:
    (local,) = re.findall(r"^for target in (.*); do$", RUN, re.MULTILINE)
    assert local.split() == ["check", "test"]
    at_a_desk = set(target("check").split()) - {"own-law"} | {"test", "semantic-policy", "snapshot"}
    in_ci = {command.removeprefix("make ") for command in all_commands()} - {"setup", "guard"}
    assert in_ci == at_a_desk
    assert gates_in(target("own-law")) == []  # no gate named: all that are switched on


def test_the_guard_has_the_history_it_needs_and_knows_what_ci_calls() -> None:
    assert steps("gates")[0]["with"]["fetch-depth"] == 0
    assert target("guard").split()[-3:] == ["$(BIN)/abutment", "check", "guard"]
    asked = {command for command in all_commands() if "abutment" in target(command.removeprefix("make "))}
    assert asked - {"make setup"} == set(PYPROJECT["tool"]["abutment"]["guard"]["commands"])


def test_every_target_installs_first() -> None:
    for name in (
        "lint",
        "types",
        "rooms",
        "own-law",
        "semantic-policy",
        "snapshot",
        "guard",
        "test",
        "evidence",
        "bench",
    ):
        assert "$(STAMP)" in target(name), name


def test_tests_have_a_coverage_floor_with_branches() -> None:
    assert PYPROJECT["tool"]["coverage"]["run"]["branch"] is True
    assert PYPROJECT["tool"]["coverage"]["report"]["fail_under"] >= 95


@pytest.mark.parametrize("script", [".ci/run", ".ci/setup"])
def test_the_scripts_are_sound_shell(script: str) -> None:
    shell = "bash" if script == ".ci/run" else "sh"
    subprocess.run([shell, "-n", script], cwd=PROJECT, check=True)


def test_hooks_take_no_file_names_and_the_whole_tree_is_the_default() -> None:
    hooks = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [(hook["id"], hook["entry"]) for hook in hooks] == [
        ("abutment", "abutment check"),
        ("abutment-staged", "abutment check --staged"),
    ]
    assert all(hook["pass_filenames"] is False and hook["always_run"] is True for hook in hooks)
