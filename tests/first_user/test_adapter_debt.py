"""The first user's reviewed debt: every import of an adapter is somebody's, and no edit of ours or theirs hides one."""

from __future__ import annotations

import pytest

from tests.laws.workshop import DOCUMENTS, Workshop, adopted

LAW = """\
roots = ["app"]
gates = ["boundaries"]

[[contracts]]
id = "adapters"
kind = "raw"
sources = ["app.application", "app.chain"]
target = ["app.adapters"]
"""
POLICY = f"{DOCUMENTS}/boundaries.toml"
HOST = {
    "abutment.toml": LAW,
    "app/__init__.py": "",
    "app/adapters/__init__.py": "",
    "app/adapters/mail.py": "def send(): ...\n",
    "app/adapters/system/__init__.py": "",
    "app/adapters/system/rust.py": "",
    "app/application/__init__.py": "",
    "app/application/passkey.py": "from app.adapters.mail import send\n",
    "app/chain/__init__.py": "",
    "app/chain/feed.py": "import app.adapters.system as system\n",
    "app/chain/site.py": "def f():\n    import app.adapters.mail as m\n",
    "app/api.py": "import app.adapters.mail\n",  # no source of the contract
}
REVIEWED = (
    ("app.application.passkey", "app.adapters.mail", "S2-L6"),
    ("app.chain.feed", "app.adapters.system", "S2-L7"),
    ("app.chain.site", "app.adapters.mail", "S2-L7"),
)


def entry(importer: str, imported: str, tracking: str, more: str = "", contract: str = "adapters") -> str:
    return (
        f'[[approvals]]\ncontract = "{contract}"\nimporter = "{importer}"\nimported = "{imported}"\nclass = "debt"\n'
        f'owner = "core"\nreason = "Waits for its port."\ntracking = "{tracking}"\ntarget_state = "empty"\n{more}\n'
    )


WHOLE = "schema = 1\n\n" + "".join(entry(*row) for row in REVIEWED)


def reviewed(shop: Workshop, policy: str = WHOLE) -> Workshop:
    shop.write({POLICY: policy})
    return shop


def test_nothing_is_held_before_it_was_reviewed() -> None:
    with adopted(HOST) as shop:
        assert shop.recorded("boundaries") == {}
        assert shop("check").status == 1
        assert [kind for kind, _what in shop.kinds("boundaries")] == ["new"] * 3


def test_reviewed_debt_is_held_and_summed_by_what_tracks_it() -> None:
    with adopted(HOST) as shop:
        (gate,) = reviewed(shop).report()["gates"]
        assert gate["status"] == "held"
        assert "contract adapters: 3 imports, 3 importers, 2 targets; S2-L6 1; S2-L7 2." in gate["notes"]


ROW = "adapters {} {}".format
FEED = ROW("app.chain.feed", "app.adapters.system")
FEED_MAIL = ROW("app.chain.feed", "app.adapters.mail")
SITE = ROW("app.chain.site", "app.adapters.mail")


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"app/chain/feed.py": "import app.adapters.mail, app.adapters.system\n"}, [("new", FEED_MAIL)]),
        ({"app/chain/feed.py": ""}, [("gone", FEED)]),
        ({"app/chain/feed.py": "import app.adapters.mail\n"}, [("gone", FEED), ("new", FEED_MAIL)]),
        ({"app/chain/feed.py": "import app.adapters.system.rust\n"}, [("gone", FEED), ("new", f"{FEED}.rust")]),
        (
            {"app/chain/feed.py": "", "app/chain/late.py": "import app.adapters.system\n"},
            [("gone", FEED), ("new", ROW("app.chain.late", "app.adapters.system"))],
        ),
        ({"app/chain/feed.py": "\n\n\nfrom ..adapters.system import Rust as r\n"}, []),  # the same debt
        ({"app/chain/feed.py": "from ..adapters.system import rust, Rust\n"}, []),
        ({"app/chain/feed.py": "import app.adapters.system as s\nimport app.adapters.system\n"}, []),
        ({"app/applicationx.py": "import app.adapters.mail\n", "app/chain/x.py": "import app.adaptersx\n"}, []),
    ],
)
def test_adding_removing_and_replacing_are_told_apart(files: dict[str, str], found: list[tuple[str, str]]) -> None:
    with adopted(HOST) as shop:
        reviewed(shop).write(files)
        assert shop.kinds("boundaries") == found
        assert shop("check").status == (1 if found else 0)


def test_a_paid_debt_is_shown_at_its_line_of_the_policy() -> None:
    with adopted(HOST) as shop:
        reviewed(shop).write({"app/chain/feed.py": ""})
        answer = shop("check")
        line = WHOLE[: WHOLE.index("app.chain.feed")].count("\n") - 1
        assert answer.out.startswith(f"{POLICY}:{line}: ABT312 boundaries: gone:")
        assert "Delete the approval" in answer.out
        assert shop("tighten").status == 0
        assert shop("check").status == 1  # no verb of ours takes an approval away


def test_without_debt_an_empty_policy_is_enough() -> None:
    with adopted(HOST) as shop:
        reviewed(shop, "schema = 1\n").write(
            {"app/application/passkey.py": "", "app/chain/feed.py": "", "app/chain/site.py": ""}
        )
        assert shop("check").status == 0


@pytest.mark.parametrize(
    ("policy", "line", "said"),
    [
        (WHOLE + entry(*REVIEWED[1]), 33, "approves once more what line 13 approves"),
        (WHOLE.replace('"app.chain.feed"', '"app.chain.*"'), 15, "without wildcards"),
        (WHOLE.replace('"app.adapters.system"', '"**"'), 16, "without wildcards"),
        (WHOLE.replace('reason = "Waits for its port."', 'reason = ""', 1), 9, "reason: must not be empty"),
        (WHOLE.replace('tracking = "S2-L6"', 'tracking = " "'), 10, "tracking: must not be empty"),
        (WHOLE.replace('tracking = "S2-L6"\n', ""), 3, "tracking is missing"),
        (WHOLE.replace('owner = "core"', 'owner = "TODO"', 1), 8, "is a placeholder"),
        (WHOLE.replace('class = "debt"', 'class = "approved_exception"', 1), 7, "expected one of exception, debt"),
        (WHOLE.replace('target_state = "empty"', "fingerprint = 'e3b0'", 1), 11, "fingerprint: unknown key"),
        (WHOLE.replace("schema = 1", "schema = 3"), 1, "for a newer abutment"),
        ("<<<<<<< ours\n" + WHOLE, 1, ""),
        ("", 0, "schema is missing"),
    ],
)  # fmt: skip
def test_a_policy_that_is_not_exact_is_not_judged(policy: str, line: int, said: str) -> None:
    with adopted(HOST) as shop:
        documents = reviewed(shop, policy).documents()
        place = f"{POLICY}:{line}: " if line else f"{POLICY}: "
        for answer in (shop("check"), shop("tighten"), shop.host("--check-host"), shop.host("--write-host")):
            assert answer.status == 2
            faults = (answer.out + answer.err).splitlines()
            assert any(place in fault and said in fault for fault in faults), faults
        assert shop.documents() == documents


@pytest.mark.parametrize(
    ("policy", "stale"),
    [
        (WHOLE + entry("app.api", "app.adapters.mail", "S2-L7"), ROW("app.api", "app.adapters.mail")),  # no source
        (WHOLE + entry("app.chain.feed", "app.api", "S2-L7"), ROW("app.chain.feed", "app.api")),  # no target
        (WHOLE + entry("app.chain.feed", "app.adapters.system.rust", "S2-L7"), f"{FEED}.rust"),  # not as written
        (WHOLE + entry("app.chain", "app.adapters.mail", "S2-L7"), ROW("app.chain", "app.adapters.mail")),
        (
            WHOLE + entry(*REVIEWED[1], contract="adapter"),
            "adapter app.chain.feed app.adapters.system",
        ),  # no such contract
    ],
)
def test_an_approval_of_what_is_not_there_is_gone_at_once(policy: str, stale: str) -> None:
    with adopted(HOST) as shop:
        assert reviewed(shop, policy).kinds("boundaries") == [("gone", stale)]
        assert shop("check").status == 1


def test_an_approval_for_more_than_the_code_has_is_shrunk() -> None:
    with adopted(HOST) as shop:
        reviewed(shop, WHOLE.replace('tracking = "S2-L6"', 'tracking = "S2-L6"\ncount = 2'))
        assert shop.kinds("boundaries") == [("shrunk", ROW("app.application.passkey", "app.adapters.mail"))]


def test_a_scope_that_was_narrowed_leaves_its_approvals_behind() -> None:
    with adopted(HOST) as shop:
        reviewed(shop).write({"abutment.toml": LAW.replace('"app.application", ', "")})
        assert shop.kinds("boundaries") == [("gone", ROW("app.application.passkey", "app.adapters.mail"))]
        shop.write({"abutment.toml": LAW.replace("app.chain", "app.chains")})
        answer = shop("check")
        assert answer.status == 2
        assert "abutment.toml:7" in answer.out and "'app.chains' matches no module" in answer.out


def test_the_order_of_approvals_means_nothing() -> None:
    with adopted(HOST) as shop:
        turned = "schema = 1\n\n" + "".join(entry(*row) for row in reversed(REVIEWED))
        assert reviewed(shop, turned)("check").status == 0
        shop.write({"app/chain/feed.py": "import app.adapters.mail\n"})
        told = shop.kinds("boundaries")
        assert reviewed(shop).kinds("boundaries") == told != []


def test_an_approval_that_ran_out_is_expired_and_warned_of_before() -> None:
    dated = WHOLE.replace('tracking = "S2-L6"', 'tracking = "S2-L6"\nexpires = 2027-03-31')
    with adopted(HOST) as shop:
        reviewed(shop, dated)
        assert "runs out" not in shop("check", today="2027-03-16").out
        last = shop("check", today="2027-03-31")
        assert last.status == 0
        assert "runs out on 2027-03-31 (owner core)" in last.out
        after = shop("check", today="2027-04-01")
        assert after.status == 1
        assert "app/application/passkey.py:1: ABT312 boundaries: expired:" in after.out
        assert shop("check", "--stale", "warn", today="2027-04-01").status == 1
        assert shop("tighten", today="2027-04-01").status == 2


def test_a_line_in_the_baseline_grants_nothing_that_has_to_be_reviewed() -> None:
    with adopted(HOST) as shop:
        baseline = shop.documents()["boundaries.jsonl"].decode()
        line = '{"contract": "adapters", "importer": "app.chain.feed", "imported": "app.adapters.system", "count": 1}\n'
        policy = "schema = 1\n\n" + entry(*REVIEWED[0]) + entry(*REVIEWED[2])
        reviewed(shop, policy).write({f"{DOCUMENTS}/boundaries.jsonl": baseline + line})
        assert shop.kinds("boundaries") == [("new", FEED)]
        assert "which does not count: only approvals grant this" in shop("check").out


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({}, []),
        ({"app/chain/feed.py": ""}, [("gone", FEED)]),
        ({"app/chain/feed.py": "import app.adapters.mail, app.adapters.system\n"}, [("new", FEED_MAIL)]),
        ({"app/chain/feed.py": "import app.adapters.mail\n"}, [("gone", FEED), ("new", FEED_MAIL)]),
    ],
)
def test_an_exception_is_held_as_exactly_as_debt(files: dict[str, str], found: list[tuple[str, str]]) -> None:
    policy = WHOLE.replace('class = "debt"', 'class = "exception"')
    with adopted(HOST) as shop:
        reviewed(shop, policy).write(files)
        assert shop.kinds("boundaries") == found


@pytest.mark.parametrize("text", ["from app.adapters.system import rust", "from ..adapters.system import rust as r"])
def test_a_module_taken_by_name_counts_as_its_package_as_written(text: str) -> None:
    with adopted(HOST) as shop:
        reviewed(shop).write({"app/chain/feed.py": f"{text}\n"})
        assert shop.kinds("boundaries") == []


RATCHET = LAW.replace('"raw"', '"forbidden"').replace("target =", "forbidden =")


def test_recorded_debt_renamed_exception_is_no_way_out() -> None:
    renamed = "schema = 1\n\n" + entry("app.chain.feed", "app.adapters.system", "S2-L7")
    renamed = renamed.replace('class = "debt"', 'class = "exception"')
    key = ("adapters", "app.chain.feed", "app.adapters.system")
    with adopted({**HOST, "abutment.toml": RATCHET}) as shop:
        assert shop.recorded("boundaries")[key] == 1
        reviewed(shop, renamed)
        # It is granted twice now: the baseline's line has to go, and nothing is free meanwhile.
        assert shop.kinds("boundaries") == [("shrunk", " ".join(key))]
        assert shop("tighten").status == 0
        assert key not in shop.recorded("boundaries")
        assert shop("check").status == 0
        shop.write({"app/chain/feed.py": ""})
        assert shop.kinds("boundaries") == [("gone", " ".join(key))]
        shop.write({"app/chain/feed.py": "import app.adapters.system\nimport app.adapters.mail\n"})
        assert shop.kinds("boundaries") == [("new", FEED_MAIL)]


def test_what_was_paid_returns_only_where_a_person_lifts_it() -> None:
    key = ("adapters", "app.chain.site", "app.adapters.mail")
    back = "schema = 1\n\n" + entry("app.chain.site", "app.adapters.mail", "S2-L9")
    with adopted({**HOST, "abutment.toml": RATCHET}) as shop:
        site = (shop.root / "app/chain/site.py").read_text()
        shop.write({"app/chain/site.py": ""})
        assert shop("tighten").status == 0
        shop.write({"app/chain/site.py": site})
        assert shop.kinds("boundaries") == [("returned", " ".join(key))]
        # Code and policy together: the first user's frozen tables let this pass.
        assert reviewed(shop, back).kinds("boundaries") == [("returned", " ".join(key))]
        assert shop("tighten").status == 2
        reviewed(shop, back.replace('tracking = "S2-L9"', 'tracking = "S2-L9"\nlifts = true'))
        assert shop("check").status == 0


def test_a_ceiling_is_that_of_each_edge() -> None:
    with adopted({**HOST, "abutment.toml": RATCHET}) as shop:
        shop.write({"app/chain/site.py": "", "app/chain/feed.py": "import app.adapters.system, app.adapters.mail\n"})
        assert shop.kinds("boundaries") == [("gone", SITE), ("new", FEED_MAIL)]
        assert shop("check", "--stale", "warn").status == 1
        assert shop("tighten").status == 2
