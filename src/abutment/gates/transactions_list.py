"""What opens database sessions and transactions, in libraries that many use."""

from __future__ import annotations

from abutment.facts.transactions import DECORATOR, MAKER, SESSION, Provider

# Called, it is a session or a connection: it can commit.
SESSIONS = (
    *("sqlalchemy.orm.Session", "sqlalchemy.ext.asyncio.AsyncSession"),
    *("sqlalchemy.engine.Connection", "sqlalchemy.Connection"),
    *("sqlalchemy.ext.asyncio.AsyncConnection", "sqlmodel.Session"),
    *(
        "sqlmodel.ext.asyncio.session.AsyncSession",
        "sqlalchemy.engine.Transaction",
        "sqlalchemy.orm.SessionTransaction",
    ),
    *("sqlite3.connect", "sqlite3.Connection", "aiosqlite.connect", "aiosqlite.Connection", "asyncpg.connect"),
    *("asyncpg.Connection", "psycopg2.connect", "psycopg2.extensions.connection"),
    *("psycopg.connect", "psycopg.Connection", "psycopg.AsyncConnection", "psycopg.Connection.connect"),
    *("psycopg.AsyncConnection.connect", "pymysql.connect", "pymysql.connections.Connection", "MySQLdb.connect"),
    *("mysql.connector.connect", "aiomysql.connect", "pyodbc.connect", "cx_Oracle.connect", "oracledb.connect"),
    *("pymssql.connect", "duckdb.connect", "snowflake.connector.connect", "trino.dbapi.connect"),
)
# Called, it makes sessions; or it is a database of which connections and transactions are asked.
MAKERS = (
    *("sqlalchemy.orm.sessionmaker", "sqlalchemy.orm.scoped_session"),
    *("sqlalchemy.ext.asyncio.async_sessionmaker", "sqlalchemy.ext.asyncio.async_scoped_session"),
    *("sqlalchemy.create_engine", "sqlalchemy.engine.Engine", "sqlalchemy.Engine"),
    *(
        "sqlalchemy.ext.asyncio.create_async_engine",
        "sqlalchemy.ext.asyncio.AsyncEngine",
        "sqlalchemy.engine_from_config",
    ),
    *("sqlmodel.create_engine", "flask_sqlalchemy.SQLAlchemy", "databases.Database", "asyncpg.create_pool"),
    *("psycopg_pool.ConnectionPool", "psycopg_pool.AsyncConnectionPool", "psycopg2.pool.SimpleConnectionPool"),
    *("django.db.connection", "django.db.transaction", "tortoise.transactions"),
    *("peewee.SqliteDatabase", "peewee.PostgresqlDatabase", "peewee.MySQLDatabase", "peewee.Database"),
    *("pymongo.MongoClient.start_session", "motor.motor_asyncio.AsyncIOMotorClient.start_session"),
)
DECORATORS = ("pony.orm.db_session", "tortoise.transactions.atomic", "django.db.transaction.non_atomic_requests")

# The same class under another address.
_ALSO = {
    "sqlalchemy.orm.session.Session": "sqlalchemy.orm.Session",
    "sqlalchemy.orm.session.sessionmaker": "sqlalchemy.orm.sessionmaker",
    "sqlalchemy.orm.scoping.scoped_session": "sqlalchemy.orm.scoped_session",
    "sqlalchemy.ext.asyncio.session.AsyncSession": "sqlalchemy.ext.asyncio.AsyncSession",
    "sqlalchemy.engine.base.Connection": "sqlalchemy.engine.Connection",
    "sqlalchemy.Connection": "sqlalchemy.engine.Connection",
    "sqlalchemy.engine.base.Engine": "sqlalchemy.engine.Engine",
    "sqlalchemy.Engine": "sqlalchemy.engine.Engine",
    "sqlalchemy.engine.create_engine": "sqlalchemy.create_engine",
    "asyncpg.connection.Connection": "asyncpg.Connection",
}
_KINDS = {**dict.fromkeys(SESSIONS, SESSION), **dict.fromkeys(MAKERS, MAKER), **dict.fromkeys(DECORATORS, DECORATOR)}
BUILT_IN = {name: Provider(kind, name) for name, kind in _KINDS.items()} | {
    name: Provider(_KINDS[same], same) for name, same in _ALSO.items()
}
# What they give was opened by somebody else.
_GIVEN = {
    "sqlalchemy.orm.object_session": "sqlalchemy.orm.Session",
    "sqlalchemy.orm.session.object_session": "sqlalchemy.orm.Session",
    "sqlalchemy.orm.Session.object_session": "sqlalchemy.orm.Session",
    "sqlalchemy.ext.asyncio.async_object_session": "sqlalchemy.ext.asyncio.AsyncSession",
}
BUILT_IN |= {name: Provider(MAKER, same) for name, same in _GIVEN.items()}
