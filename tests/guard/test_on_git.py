"""What git does to branches, played on real repositories: nothing honest is red, and nothing loosened is green."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest

from tests.cli.tool import Tool, git
from tests.guard.shop import CONFIGURATION, LAW, NEW, PAGE, Shop, violations

ROOT = Path(__file__).parents[2]
ON = "on:\n  pull_request:\n    paths: ['src/**', '!src/docs/**']\njobs:\n  a:\n"
STEPS = "    steps:\n      - run: abutment check boundaries\n"
CI = ".github/workflows/ci.yml"
EXCLUDED = "cycles.exclude: 'shop.core' was added"


def test_a_branch_that_changes_no_law_is_held(shop: Shop) -> None:
    shop.branch()
    shop.write({"src/shop/core.py": "import os\n"})
    assert shop.guard().status == 0
    shop.commit()
    answer = shop.guard()
    assert answer.status == 0
    assert "0 narrowed and 0 neutral, against main at " in answer.out


def test_a_loosening_is_seen_before_and_after_it_is_committed(shop: Shop) -> None:
    shop.branch()
    shop.loosen()
    assert violations(shop.guard()) == [EXCLUDED]
    shop.commit()
    assert (shop.guard().status, violations(shop.guard())) == (1, [EXCLUDED])


def test_on_main_the_last_commit_is_judged(shop: Shop) -> None:
    shop.loosen()
    shop.commit()
    assert violations(shop.guard()) == [EXCLUDED]
    shop.commit("something else")
    assert shop.guard().status == 0
    assert violations(shop.guard("--against", shop.said_by_git("rev-parse", "HEAD~2"))) == [EXCLUDED]


def test_what_is_edited_on_a_fresh_branch_is_compared_with_where_it_began(shop: Shop) -> None:
    before = (shop.root / "abutment.toml").read_text(encoding="utf-8")
    shop.loosen("[cycles]\ndeferred = true\n")
    shop.commit("tighten")
    shop.branch()
    shop.write({"abutment.toml": before})
    assert violations(shop.guard()) == ["cycles.deferred: went from true to false"]
    shop.git("add", "-A")
    assert violations(shop.guard()) == ["cycles.deferred: went from true to false"]


def test_what_the_main_branch_did_last_is_not_held_against_an_edit(shop: Shop) -> None:
    shop.loosen()
    shop.commit()
    shop.branch()
    shop.write({"build/report.json": "{}"})
    assert violations(shop.guard()) == [EXCLUDED]  # a build left something behind: the commit is still the one to judge
    shop.write({"src/shop/core.py": "x = 1\n"})
    assert shop.guard().status == 0


def test_the_branch_that_was_found_is_the_one_that_is_compared_with(shop: Shop) -> None:
    """Git's own order of names would take `refs/remotes/main`, which is another commit."""
    first = shop.said_by_git("rev-parse", "HEAD")
    left = shop.commit("second")
    shop.branch()
    shop.commit()
    shop.back()
    shop.commit("third")
    shop.back("feature")
    shop.git("update-ref", "refs/remotes/main", first)
    assert f"against main at {left[:8]}" in shop.guard().out


def test_a_commit_of_main_is_judged_for_itself_when_main_has_gone_on(shop: Shop) -> None:
    shop.loosen()
    loosened = shop.commit()
    shop.commit("next")
    shop.git("checkout", "-q", "--detach", loosened)
    assert violations(shop.guard()) == [EXCLUDED]


def test_the_first_commit_is_compared_with_itself(shop: Shop) -> None:
    assert shop.guard().status == 0
    shop.loosen()
    assert violations(shop.guard()) == [EXCLUDED]


@pytest.mark.parametrize("style", ["merge", "squash", "rebase", "ff"])
def test_payment_is_no_loosening_however_it_is_merged(shop: Shop, style: str) -> None:
    shop.branch()
    shop.pay("cart")
    shop.back()
    shop.write({"src/shop/core.py": "x = 1\n"})
    if style != "ff":
        shop.commit()
    merge_into_main(shop, style)
    assert shop.guard().status == 0
    assert shop.tool("check").status == 0


@pytest.mark.parametrize("style", ["merge", "squash", "rebase", "ff"])
def test_a_loosening_that_nobody_decided_is_seen_however_it_is_merged(shop: Shop, style: str) -> None:
    shop.branch()
    shop.loosen()
    shop.commit()
    shop.back()
    shop.write({"src/shop/core.py": "x = 1\n"})
    if style != "ff":
        shop.commit()
    merge_into_main(shop, style)
    assert violations(shop.guard()) == [EXCLUDED]


def merge_into_main(shop: Shop, style: str) -> None:
    if style == "rebase":
        shop.back("feature")
        shop.git("rebase", "-q", "main")
        shop.back()
    options = {"merge": ["--no-ff"], "squash": ["--squash"]}.get(style, ["--ff-only"])
    if style == "ff":
        shop.git("stash", "-q")
    shop.git("merge", "-q", *options, *(["-m", "m"] if style == "merge" else []), "feature")
    if style == "squash":
        shop.commit("squashed")


@pytest.mark.parametrize("style", ["merge", "squash", "rebase"])
def test_what_was_decided_is_decided_on_main_too(shop: Shop, style: str) -> None:
    shop.branch()
    shop.loosen()
    shop.amend()
    shop.commit()
    assert shop.guard().status == 0
    shop.back()
    shop.write({"src/shop/core.py": "x = 1\n"})
    shop.commit()
    merge_into_main(shop, style)
    assert shop.guard().status == 0
    shop.commit("next")
    assert shop.guard().status == 0


def test_main_that_was_tightened_meanwhile_is_nobodys_fault(shop: Shop) -> None:
    shop.branch()
    shop.write({"src/shop/core.py": "x = 1\n"})
    shop.commit()
    shop.back()
    shop.pay("cart")
    shop.back("feature")
    answer = shop.guard("--verbose")
    assert answer.status == 0
    assert "your branch is behind main" in answer.out
    shop.git("merge", "-q", "-m", "m", "main")
    assert "behind" not in shop.guard("--verbose").out


def test_the_merge_commit_that_ci_makes_is_judged_against_main(shop: Shop) -> None:
    shop.branch()
    shop.loosen()
    shop.commit()
    shop.back()
    shop.pay("cart")
    shop.git("checkout", "-q", "--detach", "main")
    shop.git("merge", "-q", "--no-ff", "-m", "m", "feature")
    answer = shop.guard()
    assert violations(answer) == [EXCLUDED]
    assert "behind" not in answer.out


def test_the_revert_of_a_payment_is_no_returned_debt_and_asks_for_a_decision(shop: Shop) -> None:
    shop.pay("cart")
    shop.branch()
    shop.git("revert", "--no-edit", "HEAD")
    held = shop.tool("check")
    assert held.status == 0
    assert "returned" not in held.out
    said = violations(shop.guard())
    assert (
        said[0]
        == "boundaries grants web-not-db, shop.web.cart, shop.db: 1 instead of 0, and is no longer recorded as paid"
    )
    shop.amend()
    assert shop.guard().status == 0


def test_the_revert_of_a_loosening_narrows(shop: Shop) -> None:
    shop.loosen()
    shop.amend()
    shop.commit()
    shop.branch()
    shop.git("revert", "--no-edit", "HEAD")
    assert shop.guard().status == 0


def test_a_commit_that_was_picked_from_main_is_no_loosening(shop: Shop) -> None:
    shop.branch()
    shop.write({"src/shop/core.py": "x = 1\n"})
    shop.commit()
    shop.back()
    shop.loosen()
    shop.amend()
    picked = shop.commit()
    shop.back("feature")
    shop.git("cherry-pick", picked)
    assert shop.guard().status == 0


def test_a_loosening_that_was_picked_from_elsewhere_is_one(shop: Shop) -> None:
    shop.branch("other")
    shop.loosen()
    picked = shop.commit()
    shop.branch()
    shop.git("cherry-pick", picked)
    assert violations(shop.guard()) == [EXCLUDED]


def test_a_queue_of_two_branches_is_judged_as_a_whole(shop: Shop) -> None:
    for name, line in (
        ("one", '[cycles]\nexclude = ["shop.core"]\n'),
        ("two", '[blindspots]\nexclude = ["shop.db"]\n'),
    ):
        shop.branch(name)
        shop.loosen(line)
        shop.amend()
        (shop.root / LAW / "amendments.toml").rename(shop.root / f"{name}.toml")
        shop.commit()
        shop.back()
    shop.branch("queue")
    shop.git("merge", "-q", "--no-ff", "-m", "one", "one")
    first, second = shop.said_by_git("show", "one:one.toml"), shop.said_by_git("show", "two:two.toml")
    shop.loosen('[blindspots]\nexclude = ["shop.db"]\n')
    both = first + "\n" + second.removeprefix("schema = 1\n")
    (shop.root / LAW / "amendments.toml").write_text(both + "\n", encoding="utf-8")
    shop.commit("two")
    assert shop.guard().status == 0
    (shop.root / LAW / "amendments.toml").write_text(first + "\n", encoding="utf-8")
    assert violations(shop.guard()) == ["blindspots.exclude: 'shop.db' was added"]


def cloned(shop: Shop, tmp_path_factory: pytest.TempPathFactory, *options: str) -> Shop:
    """Return a clone of the shop, without its own set-up."""
    target = tmp_path_factory.mktemp("clone") / "shop"
    subprocess.run(["git", "clone", "-q", *options, shop.root.as_uri(), str(target)], check=True, capture_output=True)
    return Shop(Tool(target, shop.tool.capture))


def test_a_shallow_clone_is_not_judged_and_told_what_to_fetch(
    shop: Shop, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shop.commit("second")
    shop.branch()
    shop.loosen()
    shop.commit()
    shop.back()
    on_main = cloned(shop, tmp_path_factory, "--depth", "1", "--branch", "main").guard()
    assert on_main.status == 2
    assert "`git fetch --unshallow`, or `fetch-depth: 0` in CI" in on_main.out
    clone = cloned(shop, tmp_path_factory, "--depth", "1", "--branch", "feature")
    alone = clone.guard()
    assert alone.status == 2
    assert "the main branch is not known here: looked for origin/HEAD, origin/main" in alone.out
    clone.git("fetch", "-q", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    apart = clone.guard()
    assert apart.status == 2
    assert "git does not know a merge base of origin/main and HEAD" in apart.out
    assert clone.tool("check").status == 0  # which asks nothing of git's history
    clone.git("fetch", "-q", "--unshallow")
    assert violations(clone.guard()) == [EXCLUDED]


def test_the_main_branch_of_a_clone_is_found_whatever_it_is_called(
    shop: Shop, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shop.git("branch", "-m", "main", "trunk")
    clone = cloned(shop, tmp_path_factory)
    clone.branch("feature", "trunk")
    clone.loosen()
    clone.commit()
    answer = clone.guard()
    assert violations(answer) == [EXCLUDED]
    assert "against origin/HEAD at " in answer.out


def test_a_renamed_main_branch_is_named_by_an_option_or_the_configuration(shop: Shop) -> None:
    shop.git("branch", "-m", "main", "trunk")
    shop.loosen()
    shop.branch("feature", "trunk")
    shop.commit()
    assert shop.guard().status == 2
    assert violations(shop.guard("--against", "trunk")) == [EXCLUDED]
    shop.loosen('[guard]\nmain = "trunk"\n')
    assert EXCLUDED in violations(shop.guard())


def test_a_branch_cannot_name_itself_the_main_branch(shop: Shop) -> None:
    shop.branch()
    shop.loosen()
    shop.commit()
    shop.loosen('[guard]\nmain = "feature"\n')
    shop.commit("quiet")
    assert violations(shop.guard()) == [EXCLUDED, "guard.main: went from not there to feature"]


@pytest.mark.parametrize("asked", [(), ("--against", "origin/main"), ("--against", "main")])
def test_a_tag_that_is_called_like_the_main_branch_is_not_compared_with(
    shop: Shop, tmp_path_factory: pytest.TempPathFactory, asked: tuple[str, ...]
) -> None:
    clone = cloned(shop, tmp_path_factory)
    clone.git("remote", "set-head", "origin", "--delete")
    clone.branch()
    clone.loosen()
    clone.commit()
    for name in ("origin/HEAD", "origin/main", "main"):
        clone.git("tag", name)
    clone.commit("next")
    assert violations(clone.guard(*asked)) == [EXCLUDED]


@pytest.mark.parametrize("ref", ["nowhere", "-x", "main^{tree}"])
def test_a_revision_that_git_does_not_know_is_not_judged(shop: Shop, ref: str) -> None:
    answer = shop.tool("check", "guard", f"--against={ref}")
    assert answer.status == 2
    assert "git fetch origin" in answer.out


def test_without_git_the_guard_is_not_judged_and_the_gates_are(tmp_path: Path, shop: Shop) -> None:
    (tmp_path / ".git").rename(tmp_path / "git-elsewhere")
    answer = shop.tool("check", "--against", "main")
    assert answer.status == 2
    assert "is in no git repository" in answer.out
    assert "gates: 4 held, 0 broken, 1 not judged" in answer.out


def test_a_linked_work_tree_is_judged_like_any_other(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> None:
    target = tmp_path_factory.mktemp("linked") / "tree"
    shop.git("worktree", "add", "-q", "-b", "feature", str(target), "main")
    linked = Shop(Tool(target, shop.tool.capture))
    assert linked.guard().status == 0
    linked.loosen()
    assert violations(linked.guard()) == [EXCLUDED]


def test_file_modes_and_line_ends_are_no_law(shop: Shop) -> None:
    shop.branch()
    for path in [shop.root / "abutment.toml", *(shop.root / LAW).rglob("*.json*")]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        path.chmod(0o755)
    shop.commit()
    answer = shop.guard()
    assert answer.status == 0
    assert "0 narrowed and 0 neutral" in answer.out


@pytest.mark.parametrize(
    "words",
    [
        ("update-index", "--assume-unchanged", "abutment.toml", PAGE),
        ("update-index", "--skip-worktree", "abutment.toml", PAGE),
        ("config", "core.autocrlf", "true"),
        ("config", "core.fileMode", "false"),
    ],
)
@pytest.mark.parametrize("name", ["main", "feature"])
def test_what_git_was_told_of_the_work_tree_hides_no_loosening(shop: Shop, words: tuple[str, ...], name: str) -> None:
    shop.commit("second")
    if name != "main":
        shop.branch(name)
        shop.commit()
    shop.git(*words)
    shop.loosen()
    shop.write({PAGE: "import time\n\nasync def a():\n    time.sleep(1)  # abutment: ignore[ABT201] reason='x'\n"})
    assert EXCLUDED in violations(shop.guard())


def test_a_document_that_became_a_link_is_read_where_it_leads(shop: Shop) -> None:
    shop.branch()
    (shop.root / "settings.toml").write_text((shop.root / "abutment.toml").read_text(encoding="utf-8"))
    (shop.root / "abutment.toml").unlink()
    (shop.root / "abutment.toml").symlink_to("settings.toml")
    shop.commit()
    assert shop.guard().status == 0
    (shop.root / "settings.toml").write_text(CONFIGURATION + '[cycles]\nexclude = ["shop.core"]\n')
    shop.commit()
    assert violations(shop.guard()) == [EXCLUDED]


def test_a_repository_with_longer_names_of_commits_is_judged_like_any_other(tool: Tool) -> None:
    git(tool.root, "init", "-q", "-b", "main", "--object-format=sha256")
    shop = Shop.under_law(tool)
    shop.branch()
    shop.pay("cart")
    assert shop.guard().status == 0
    shop.loosen()
    assert violations(shop.guard("--against", shop.said_by_git("rev-parse", "main"))) == [EXCLUDED]


def test_a_project_below_the_top_of_its_repository_is_judged_with_the_ci_of_the_top(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workflow = "on: push\njobs:\n  a:\n    steps:\n      - run: abutment check boundaries\n"
    ci = {"../../.github/workflows/ci.yml": workflow}
    shop = Shop.under_law(Tool(tmp_path / "packages" / "shop", capsys), more=ci, top=tmp_path)
    shop.branch()
    shop.loosen()
    (tmp_path / ".github/workflows/ci.yml").write_text(workflow.replace("boundaries", "boundaries || true"))
    answer = shop.guard()
    assert violations(answer) == [
        "CI (GitHub workflows): boundaries: counts for less: `|| true` came to it",
        EXCLUDED,
    ]
    assert "../../.github/workflows/ci.yml:5: ABT954" in answer.out


def test_what_an_edit_of_ci_names_is_looked_up_among_the_files_that_git_keeps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = {CI: ON + STEPS, "ci/env": "export FOO=1\n", ".gitignore": ".venv\n"}
    shop = Shop.under_law(Tool(tmp_path, capsys), more=more)
    shop.branch()
    before = "run: source ci/env && export PATH=$PWD/.venv/bin:$PATH && timeout 300 .venv/bin/"
    shop.write({CI: ON + STEPS.replace("run: ", before), ".venv/bin/abutment": "#!/bin/sh\n"})
    assert violations(shop.guard()) == []
    shop.git("add", "--force", ".venv/bin/abutment")
    (said,) = violations(shop.guard())
    assert "`taken from `$PWD/.venv/bin``" in said or "`taken from `.venv/bin``" in said
    shop.git("rm", "--quiet", "--cached", ".venv/bin/abutment")
    shop.write({"ci/env": "export FOO=1\nset +e\n"})
    assert violations(shop.guard()) == [
        "CI (GitHub workflows): boundaries: counts for less: `set +e, in ci/env` came to it"
    ]


def moved_into(shop: Shop, name: str) -> Shop:
    """Move everything in the repository into a folder of it."""
    (shop.root / name).mkdir()
    for path in sorted(shop.root.iterdir()):
        if path.name not in (".git", ".github", name):
            shop.git("mv", path.name, f"{name}/{path.name}")
    return Shop(Tool(shop.root / name, shop.tool.capture))


def test_a_configuration_that_moved_is_compared_with_what_it_was(shop: Shop) -> None:
    shop.branch()
    inner = moved_into(shop, "backend")
    assert inner.guard().status == 0
    inner.loosen()
    assert violations(inner.guard()) == [EXCLUDED]
    inner.write(NEW)
    inner.remove_documents()
    inner.init()
    assert "boundaries grants web-not-db, shop.web.page, shop.db: 1 instead of 0" in violations(inner.guard())


IN_BACKEND = ON.replace("src/", "backend/src/") + "    defaults: {run: {working-directory: backend}}\n" + STEPS
MAKE = "check:\n\tabutment check cycles\n"


@pytest.mark.parametrize(
    ("workflow", "said"),
    [
        (IN_BACKEND, []),
        (IN_BACKEND.replace("backend/src", "./backend/src"), None),  # which GitHub does not match
        (ON.replace("src/", "backend/src/") + STEPS.replace("run: ", "run: cd backend && "), []),
        (ON.replace("src/", "backend/src/") + STEPS.replace("check", "check --config backend/abutment.toml"), []),
        (ON.replace("src/", "backend/src/") + STEPS, ["counts for less: `at the top of the repository` came to it"]),
        (IN_BACKEND.replace("backend/src", "src"), None),
        (IN_BACKEND.replace(": backend", ": backend/src"), ["counts for less: `in the folder backend/src` came to it"]),
        (ON.replace("src/", "backend/src/") + STEPS.replace("check", "check --config other"), ["is no longer run"]),
    ],
)
def test_a_project_that_moved_takes_its_ci_along(
    workflow: str, said: list[str] | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop = Shop.under_law(Tool(tmp_path, capsys), more={CI: ON + STEPS, "Makefile": MAKE})
    shop.branch()
    inner = moved_into(shop, "backend")
    shop.write({CI: workflow})
    shop.commit()
    found = [one.partition("boundaries: ")[2] for one in violations(inner.guard())]
    assert found == said if said is not None else found
    inner.write({"Makefile": MAKE.replace("\tabut", "\t-abut")})
    assert "CI (Makefile): cycles, by make check: counts for less: `-` came to it" in violations(inner.guard())


def test_a_project_that_moved_from_one_folder_to_another_takes_its_ci_along(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ci = {f"../../{CI}": IN_BACKEND.replace("backend", "packages/shop"), "Makefile": MAKE}
    shop = Shop.under_law(Tool(tmp_path / "packages" / "shop", capsys), more=ci, top=tmp_path)
    shop.branch()
    top = Shop(Tool(tmp_path, capsys))
    top.git("mv", "packages", "services")
    moved = Shop(Tool(tmp_path / "services" / "shop", capsys))
    assert "boundaries: counts for less" in " ".join(violations(moved.guard()))
    top.write({CI: IN_BACKEND.replace("backend", "services/shop")})
    assert violations(moved.guard()) == []
    moved.write({"Makefile": ""})
    assert violations(moved.guard()) == ["CI (Makefile): cycles, by make check: is no longer run"]


def test_a_step_that_leaves_the_projects_folder_is_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop = Shop.under_law(Tool(tmp_path / "backend", capsys), more={f"../{CI}": IN_BACKEND}, top=tmp_path)
    shop.branch()
    (tmp_path / CI).write_text(IN_BACKEND.replace("    defaults: {run: {working-directory: backend}}\n", ""))
    assert violations(shop.guard()) == [
        "CI (GitHub workflows): boundaries: counts for less: `at the top of the repository` came to it"
    ]


def test_of_several_configurations_that_are_gone_none_is_believed(shop: Shop) -> None:
    one = (shop.root / "abutment.toml").read_text(encoding="utf-8")
    shop.write({"other/abutment.toml": one, "other/src/shop/web/a.py": "", "other/src/shop/db.py": ""})
    shop.commit()
    shop.branch()
    inner = moved_into(shop, "backend")
    shop.commit()
    assert violations(inner.guard()) == [
        "configuration before: could not be read: "
        "the configurations of the top, other are gone, and which of them this one was cannot be told."
    ]


def test_a_project_that_is_new_beside_another_one_loosens_nothing(shop: Shop) -> None:
    shop.branch()
    shop.write({"other/abutment.toml": 'roots = ["src"]\ngates = ["cycles"]\n', "other/src/a.py": ""})
    other = Shop(Tool(shop.root / "other", shop.tool.capture))
    answer = other.guard("--verbose")
    assert answer.status == 0
    assert "there was no law in the commit before, " in answer.out


@pytest.mark.parametrize("roots", ['["."]', '["shop/web"]', '["src"]'])
def test_a_configuration_inside_of_another_ones_reach_is_compared_with_that_one(shop: Shop, roots: str) -> None:
    shop.branch()
    lax = f'roots = {roots}\ngates = ["blindspots"]\n'
    shop.write({"src/abutment.toml": lax, "src/src/decoy.py": "", **NEW})
    inner = Shop(Tool(shop.root / "src", shop.tool.capture))
    inner.init()
    said = violations(inner.guard())
    assert "gate boundaries: went from on to off" in " ".join(said).replace(", with documents", "")
    assert any(words.startswith("roots: ") for words in said) == (roots != '["."]')


def test_a_document_of_which_check_says_that_it_may_go_may_go(shop: Shop) -> None:
    path = shop.root / "abutment.toml"
    path.write_text(path.read_text(encoding="utf-8").replace(', "egress"', ""), encoding="utf-8")
    shop.write({f"{LAW}/egres.toml": "schema = 1\n"})
    shop.commit("off")
    shop.branch()
    assert "no gate that is switched on reads egres.toml, egress.jsonl." in shop.tool("check").out
    for name in ("egres.toml", "egress.jsonl"):
        (shop.root / LAW / name).unlink()
        answer = shop.guard()
        assert (answer.status, violations(answer)) == (0, [])
    assert "no gate that is switched on" not in shop.tool("check").out


FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit", "markdown")


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_shows_it(shop: Shop, form: str) -> None:
    shop.branch()
    shop.loosen()
    answer = shop.guard("--format", form)
    assert answer.status == 1
    assert "ABT951" in answer.out
    assert "was added" in answer.out
    assert "abutment draft guard" in answer.out.replace("\\`", "`")


def test_reports_for_machines_know_the_guards_rules(shop: Shop) -> None:
    shop.branch()
    shop.loosen()
    schema = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(shop.guard("--format", "json").out))
    (run,) = json.loads(shop.guard("--format", "sarif").out)["runs"]
    (rule,) = (rule for rule in run["tool"]["driver"]["rules"] if rule["id"] == "ABT951")
    assert rule["fullDescription"]["text"].startswith("Was the law loosened")


def test_what_the_guard_asks_is_listed_and_explained(shop: Shop) -> None:
    assert "guard (when asked: `check guard`, or `check --against REF`): Was the law loosened" in shop.tool("list").out
    assert "ABT954 ci-loosened (guard)" in shop.tool("list", "rules").out
    assert shop.tool("explain", "guard").out.startswith("# guard\n")
    told = shop.tool("explain", "ABT952").out
    assert told.startswith(
        "ABT952 grants-widened (guard): A policy, a baseline or a comment in the code grants more than it did."
    )
    assert "## ABT953" not in told


def test_a_draft_is_of_what_nobody_decided_yet(shop: Shop) -> None:
    assert "there is nothing to amend" in shop.tool("draft", "guard").err
    shop.branch()
    shop.loosen()
    shop.amend()
    assert shop.tool("draft", "guard").out == ""
    shop.loosen('[blindspots]\nexclude = ["shop.db"]\n')
    again = shop.tool("draft", "guard")
    assert "blindspots.exclude: shop.db" in again.out
    assert "shop.core" not in again.out
    assert not again.out.startswith("schema")
    assert shop.tool("draft", "guard", "--against", "nowhere").status == 2
    assert shop.tool("draft", "cycles", "--against", "main").status == 2


def test_git_is_asked_a_bounded_number_of_questions(
    shop: Shop, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.write({f"src/shop/web/m{number}.py": "" for number in range(300)})
    shop.commit()
    shop.branch()
    shop.loosen()
    shop.commit()
    tools, log = tmp_path_factory.mktemp("tools"), shop.root.parent / "asked.log"
    real = subprocess.run(["which", "git"], check=True, capture_output=True, text=True).stdout.strip()
    (tools / "git").write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {real} "$@"\n')
    (tools / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tools), prepend=":")
    assert shop.guard().status == 1
    asked = log.read_text().splitlines()
    log.unlink()
    assert 3 < len(asked) < 9
    assert sum("ls-tree" in line for line in asked) == 1


def test_narrowing_what_is_shown_hides_no_loosening(shop: Shop) -> None:
    shop.branch()
    shop.loosen()
    shop.commit()
    shop.write(NEW)
    assert EXCLUDED in violations(shop.tool("check", "guard", "--staged"))
    assert EXCLUDED in violations(shop.tool("check", "guard", "--changed", "HEAD"))
    assert shop.tool("check", "guard", "--stale=warn").status == 1


def test_a_plain_check_asks_no_history(shop: Shop) -> None:
    shop.branch()
    shop.loosen()
    assert "gate guard" not in shop.tool("check").out
    assert "gate guard" in shop.tool("check", "--against", "main").out
    assert "gate guard" in shop.tool("check", "cycles", "guard").out


def test_the_guard_is_no_gate_to_switch_on(shop: Shop) -> None:
    text = (shop.root / "abutment.toml").read_text(encoding="utf-8")
    shop.write({"abutment.toml": text.replace('"egress"]', '"egress", "guard"]')})
    answer = shop.tool("check")
    assert answer.status == 2
    assert "guard judges the law, not the code, and is no gate to switch on" in answer.out
