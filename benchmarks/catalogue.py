"""Which packages do we measure on, against which peers, and where do they lie?

Versions are pinned: a figure is only worth keeping where the next reader can have the same tree.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
CORPORA_FOLDER = HERE / "corpora"
PEERS_FOLDER = HERE / "peers"

# What importing every module asks for. pyogrio and shapely bring the C libraries GDAL and GEOS.
DJANGO_EXTRAS = (
    "jinja2==3.1.6",
    "oracledb==3.1.1",
    "psycopg2-binary==2.9.10",
    "pymysql==1.1.1",
    "pyogrio==0.10.0",
    "pyyaml==6.0.2",
    "selenium==4.33.0",
    "shapely==2.0.6",
)
DJANGO_SETUP = """
from pathlib import Path
import pymysql, pyogrio, shapely

def library(package, pattern):
    folder = Path(package.__file__).parent
    (found,) = folder.with_name(folder.name + ".libs").glob(pattern)
    return str(found)

pymysql.version_info = (2, 2, 7, "final", 0)  # stands in for mysqlclient, which has no wheel for Linux
pymysql.install_as_MySQLdb()

from django.conf import settings
settings.configure(
    SECRET_KEY="not a secret",
    GDAL_LIBRARY_PATH=library(pyogrio, "libgdal-*"),
    GEOS_LIBRARY_PATH=library(shapely, "libgeos_c-*"),
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    INSTALLED_APPS=["django.contrib." + app for app in (
        "admin", "admindocs", "auth", "contenttypes", "flatpages", "gis", "humanize", "messages",
        "postgres", "redirects", "sessions", "sitemaps", "sites", "staticfiles",
    )],
    SITE_ID=1,
)
import django
django.setup()
"""

AIRFLOW_EXTRAS = (
    "apache-airflow==3.0.2",
    "apache-airflow-providers-fab==2.2.1",
    "apache-airflow-task-sdk==1.0.2",
    "universal-pathlib==0.2.6",
)
AIRFLOW_SETUP = """
import os
os.environ["AIRFLOW_HOME"] = os.getcwd()
"""

PANDAS_EXTRAS = (
    "hypothesis==6.135.16",
    "jinja2==3.1.6",
    "matplotlib==3.10.3",
    "numba==0.61.2",
    "odfpy==1.4.1",
    "openpyxl==3.1.5",
    "pyarrow==20.0.0",
    "pyreadstat==1.2.9",
    "pytest==8.4.1",
    "tables==3.10.2",
    "tabulate==0.9.0",
    "xarray==2025.4.0",
    "xlrd==2.0.1",
    "xlsxwriter==3.2.3",
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """One real package: every file of it parses with the grammar of CPython 3.11."""

    name: str
    distribution: str
    version: str
    package: str
    extras: tuple[str, ...] = ()  # what else has to be installed before its modules can be imported
    setup: str | None = None  # code to run before importing modules; None: it is not imported at all

    @property
    def requirement(self) -> str:
        return f"{self.distribution}=={self.version}"

    @property
    def folder(self) -> Path:
        return CORPORA_FOLDER / self.name

    @property
    def importable_python(self) -> Path:
        return PEERS_FOLDER / f"importable-{self.name}" / "bin" / "python"


CORPORA = (
    Corpus("django", "django", "5.2.1", "django", DJANGO_EXTRAS, DJANGO_SETUP),
    Corpus(
        "sqlalchemy", "sqlalchemy", "2.0.41", "sqlalchemy", ("greenlet==3.2.3", "pytest==8.4.1", "mypy==1.16.1"), ""
    ),
    Corpus("airflow", "apache-airflow-core", "3.0.2", "airflow", AIRFLOW_EXTRAS, AIRFLOW_SETUP),
    Corpus("homeassistant", "homeassistant", "2024.3.3", "homeassistant"),
    Corpus("pandas", "pandas", "2.3.3", "pandas", PANDAS_EXTRAS, ""),
)
# Asyncio services, for what is asked of such alone.
SERVICES = (
    Corpus("datasette", "datasette", "0.65.5", "datasette"),
    Corpus("kopf", "kopf", "1.45.2", "kopf"),
)
# Small packages that are driven below fakes of the network.
DRIVEN = (
    Corpus("discord_webhook", "discord-webhook", "1.4.1", "discord_webhook", ("httpx==0.28.1", "requests==2.34.2"), ""),
    Corpus("yagmail", "yagmail", "0.16.0", "yagmail", ("premailer==3.10.0",), ""),
    Corpus(
        "bandersnatch",
        "bandersnatch",
        "6.8.0",
        "bandersnatch",
        ("aiohttp==3.14.5", "aiohttp-xmlrpc==1.5.0", "filelock==4.3.1"),
        "",
    ),
)
PEERS = ("grimp==3.20", "import-linter==2.17")

PEERS_PYTHON = PEERS_FOLDER / "linters" / "bin" / "python"
ABUTMENT_PYTHON = PEERS_FOLDER / "abutment" / "bin" / "python"


class MissingError(Exception):
    """Something that `python -m benchmarks.install` brings is not there."""


def chosen(names: Sequence[str]) -> tuple[Corpus, ...]:
    """Return the corpora of those names, CORPORA for no name; raises MissingError for an unknown one."""
    known = {corpus.name: corpus for corpus in (*CORPORA, *SERVICES, *DRIVEN)}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise MissingError(f"unknown corpus {', '.join(unknown)}; there are {', '.join(known)}")
    return tuple(known[name] for name in names) if names else CORPORA


def lay_out(corpus: Corpus, folder: Path) -> Path:
    """Copy the corpus into a new project at `folder`, away from this project's own settings; return `folder`.

    The copy has fresh mtimes, like a checkout. Raises MissingError where the corpus is not installed.
    """
    source = corpus.folder / corpus.package
    if not source.is_dir():
        raise MissingError(f"{source} is missing; run `python -m benchmarks.install` first")
    shutil.copytree(source, folder / corpus.package, copy_function=shutil.copyfile)
    return folder


def python_files(folder: Path) -> list[Path]:
    """Return every .py file below `folder`, sorted."""
    return sorted(folder.rglob("*.py"))


def module_names(folder: Path, package: str) -> Iterator[str]:
    """Yield the dotted name of every .py file of `package` below `folder` whose parts are identifiers."""
    for path in python_files(folder / package):
        parts = path.relative_to(folder).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        if all(part.isidentifier() for part in parts):
            yield ".".join(parts)


def run_quietly(arguments: Sequence[str | Path], *, cwd: Path | None = None, accept: Sequence[int] = (0,)) -> str:
    """Run a program and return its stdout; exits with all it said where its status is not accepted."""
    words = list(map(str, arguments))
    done = subprocess.run(words, check=False, cwd=cwd, text=True, capture_output=True, env=clean_environment())
    if done.returncode not in accept:
        sys.stderr.write(done.stdout + done.stderr)
        raise SystemExit(f"status {done.returncode} from: {' '.join(words)}")
    return done.stdout


def clean_environment() -> dict[str, str]:
    """Return the environment without what would change how Python or a measured program runs."""
    dropped = ("COVERAGE_", "PYTHON", "VIRTUAL_ENV")
    return {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
