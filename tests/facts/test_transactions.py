"""Sessions and transactions, by where the receiver comes from."""

from __future__ import annotations

import pytest

from abutment.facts.transactions import DECORATOR, SESSION, Provider, scan_transactions
from abutment.gates.transactions_list import BUILT_IN
from tests.families import program_of as built

OWN = {"db.update": Provider(DECORATOR, "db.update"), "db.get_session": Provider(SESSION, "db.get_session")}
DB = (
    "def update(f):\n    def inner(*a):\n        return f(*a)\n    return inner\n"
    "def get_session():\n    return make_it()\n"
)


def told(text: str) -> list[str]:
    """Return `line operation target` of what one module does."""
    found = scan_transactions(built({"m.py": text, "db.py": DB}), BUILT_IN | OWN)
    return sorted(f"{one.site.line} {one.operation} {one.target}" for one in found if one.module == "m")


SA = "from sqlalchemy.orm import Session, sessionmaker, scoped_session\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SA + "def f(s: Session): s.commit()", ["2 commit sqlalchemy.orm.Session"]),
        (SA + "def f(s: 'Session | None' = None): s.rollback()", ["2 rollback sqlalchemy.orm.Session"]),
        (SA + "S = Session\ns = S()\ns.commit()",
         ["3 session sqlalchemy.orm.Session", "4 commit sqlalchemy.orm.Session"]),
        (SA + "M = sessionmaker()\nwith M() as s:\n    s.commit()",
         ["3 session sqlalchemy.orm.sessionmaker", "4 commit sqlalchemy.orm.sessionmaker"]),
        (SA + "M = sessionmaker()\nwith M.begin() as s:\n    s.rollback()",
         ["3 begin sqlalchemy.orm.sessionmaker", "4 rollback sqlalchemy.orm.sessionmaker"]),
        (SA + "s = scoped_session(sessionmaker())\ns.commit()", ["3 commit sqlalchemy.orm.scoped_session"]),
        (SA + "class C:\n    def __init__(self, s: Session): self.s = s\n    def save(self): self.s.commit()",
         ["4 commit sqlalchemy.orm.Session"]),
        (SA + "class Own(Session): pass\ndef f(s: Own): s.commit()", ["3 commit sqlalchemy.orm.Session"]),
        ("from sqlalchemy.orm.session import Session\ndef f(s: Session): s.commit()",
         ["2 commit sqlalchemy.orm.Session"]),
        ("from sqlalchemy import create_engine\nwith create_engine('').begin() as c: c.execute('')",
         ["2 begin sqlalchemy.create_engine"]),
        ("import sqlite3\nc = sqlite3.connect('')\nc.commit()",
         ["2 session sqlite3.connect", "3 commit sqlite3.connect"]),
        ("from flask_sqlalchemy import SQLAlchemy\ndb = SQLAlchemy()\ndb.session.commit()",
         ["3 commit flask_sqlalchemy.SQLAlchemy"]),
        # begun inside a function inside a function, in a branch, and in module code
        (SA + "def f(s: Session):\n    def g(): s.commit()\n    g()", ["3 commit sqlalchemy.orm.Session"]),
        (SA + "if True:\n    def f(s: Session): s.commit()", ["3 commit sqlalchemy.orm.Session"]),
        # decorators
        ("from django.db import transaction\n@transaction.atomic\ndef f(): pass", ["2 decorate django.db.transaction"]),
        ("from django.db.transaction import atomic as a\n@a(using='x')\ndef f(): pass",
         ["2 decorate django.db.transaction"]),
        ("from django.db import transaction\nwith transaction.atomic(): pass", ["2 begin django.db.transaction"]),
        ("from django.db import transaction\ntransaction.commit()", ["2 commit django.db.transaction"]),
        ("from db import update as u\n@u\ndef f(): pass", ["2 decorate db.update"]),
        ("import db\n@db.update\nasync def f(): pass", ["2 decorate db.update"]),
        ("import db\n@db.update()\ndef f(): pass", ["2 decorate db.update"]),
        (SA + "async def f(s: Session): await s.commit()", ["2 commit sqlalchemy.orm.Session"]),
        (SA + "def f(s: Session):\n    end = s.commit\n    end()", ["4 commit sqlalchemy.orm.Session"]),
        ("import db\nclass C:\n    @db.update\n    def f(self): pass", ["3 decorate db.update"]),
        ("import db\ndb.get_session()", ["2 session db.get_session"]),
        # a class of ours is what it is below
        (SA + "class Own(Session):\n    def commit(self): super().commit()\n    def save(self): self.commit()\n"
         "def f(s: Own): s.commit()\nOwn()",
         ["3 commit sqlalchemy.orm.Session", "4 commit sqlalchemy.orm.Session", "5 commit sqlalchemy.orm.Session",
          "6 session sqlalchemy.orm.Session"]),
        ("from flask_sqlalchemy import SQLAlchemy\nclass DB(SQLAlchemy): pass\ndb = DB()\ndb.session.commit()",
         ["4 commit flask_sqlalchemy.SQLAlchemy"]),
        # called by the class, handed on, or had from an object
        (SA + "def f(s: Session): Session.commit(s)", ["2 commit sqlalchemy.orm.Session"]),
        (SA + "def f(ss: list[Session]): list(map(Session.commit, ss))", ["2 commit sqlalchemy.orm.Session"]),
        (SA + "import asyncio\nasync def f(s: Session): await asyncio.to_thread(s.commit)",
         ["3 commit sqlalchemy.orm.Session"]),
        (SA + "def f(s: Session): print(s, Session)", []),
        ("from sqlalchemy.orm import object_session\ndef f(a): object_session(a).commit()",
         ["2 commit sqlalchemy.orm.Session"]),
        # one place, one fact
        (SA + "S = scoped_session(sessionmaker())\ndef get() -> Session: return S()\ndef f(): get().commit()",
         ["3 session sqlalchemy.orm.scoped_session", "4 commit sqlalchemy.orm.Session"]),
        ("from sqlalchemy import Engine, create_engine\ndef f(e: Engine = create_engine('')): e.connect()",
         ["2 session sqlalchemy.engine.Engine"]),
    ],
)  # fmt: skip
def test_what_is_done_with_a_database(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("method", "operation"),
    [
        *((one, "commit") for one in ("commit", "savepoint_commit", "commit_prepared")),
        *((one, "rollback") for one in ("rollback", "savepoint_rollback", "rollback_prepared")),
        *((one, "begin") for one in ("begin", "begin_nested", "begin_twophase", "atomic", "transaction", "savepoint")),
        *((one, "begin") for one in ("in_transaction", "start_transaction", "manual_commit")),
        *((one, "session") for one in ("connect", "raw_connection", "acquire", "get_connection")),
        *((one, "") for one in ("add", "execute", "flush", "close", "committed")),
    ],
)
def test_each_method_has_its_operation(method: str, operation: str) -> None:
    expected = [f"2 {operation} sqlalchemy.orm.Session"] if operation else []
    assert told(f"{SA}def f(s: Session): s.{method}()") == expected


@pytest.mark.parametrize(
    ("way", "leads"),
    [
        *((one, True) for one in ("connection", "session", "sync_session", "execution_options", "registry")),
        *((one, True) for one in ("autocommit", "begin", "begin_nested", "connect", "raw_connection", "acquire")),
        *((one, True) for one in ("get_connection", "transaction", "start_transaction")),
        *((one, False) for one in ("query", "execute", "scalars", "get")),
    ],
)
def test_only_some_ways_lead_to_the_same_database(way: str, leads: bool) -> None:
    for step in (way, f"{way}()"):
        found = [one for one in told(f"{SA}def f(s: Session): s.{step}.commit()") if " commit " in one]
        assert found == (["2 commit sqlalchemy.orm.Session"] if leads else [])


@pytest.mark.parametrize(
    "text",
    [
        "import git\nrepo = git.Repo('')\nrepo.index.commit('x')",
        "from kafka import KafkaConsumer\nKafkaConsumer('x').commit()",
        "class Form:\n    def commit(self): pass\nForm().commit()",
        "def f(session): session.commit()",  # nobody knows what it is
        SA + "def f(s: Session): s.add(1)\n",
        SA + "def f(s: Session): s.query(1).commit()\n",  # of what a query gives
        SA + "def Session(): return 1\nSession().commit()",  # another thing of that name
        "def update(f): return f\n@update\ndef f(): pass",
        '"""Call session.commit() yourself."""',
    ],
)
def test_what_has_nothing_to_do_with_one(text: str) -> None:
    assert told(text) == []


def test_a_place_is_there_once_however_many_origins_lead_to_it() -> None:
    text = SA + "def f(x):\n    s = Session() if x else Session(x)\n    s.commit()"
    assert told(text).count("4 commit sqlalchemy.orm.Session") == 1


@pytest.mark.parametrize(
    ("text", "qualname"),
    [
        ("class A:\n    class B:\n        def f(self, s: Session): s.commit()", "A.B.f"),
        ("if x:\n    def f(s: Session): s.commit()", "f"),
        ("try:\n    class C:\n        def f(self, s: Session): s.commit()\nexcept OSError: pass", "C.f"),
        ("def f(s: Session):\n    def g(): s.commit()", "f.<locals>.g"),
        ("s: Session = x()\ns.commit()", "<module>"),
    ],
)
def test_the_owner_is_the_function_that_holds_the_call(text: str, qualname: str) -> None:
    (one,) = scan_transactions(built({"m.py": SA + text}), BUILT_IN)
    assert (one.module, one.qualname, one.api) == ("m", qualname, "sqlalchemy.orm.Session.commit")
