"""What is a way out over the network? The rules that the first users' tool had, and what it got wrong."""

from __future__ import annotations

import pytest

from abutment.facts.egress import KINDS
from abutment.gates.egress import GATE
from abutment.gates.egress_list import FACTORIES, HARMLESS, NETWORK_SDKS, PROTOCOL_OPERATIONS, RAW_TRANSPORTS
from tests.families import found, scanned


def ways(text: str, **table: object) -> list[str]:
    """Return the uses without imports and constructions, as `line api`."""
    return [f"{line} {what}" for line, word, what in map(str.split, found(GATE, text, **table)) if word == "egress"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import requests\ndef f(r: requests.Response): ...", ["1 import requests"]),  # used as a type only
        ("from requests.exceptions import HTTPError", ["1 import requests"]),  # runs the library all the same
        ("from urllib import request", ["1 import urllib.request"]),
        ("import azure.storage.blob", ["1 import azure"]),
        ("from requests import *\nimport requests", ["1 import requests"]),  # the door is open already
        ("def f():\n    import requests", ["2 import requests"]),
        ("try:\n    import requests\nexcept ImportError:\n    requests = None", ["2 import requests"]),
        ("import importlib\nr = importlib.import_module('requests')", ["2 import requests"]),
        ("r = __import__('httpx')", ["1 import httpx"]),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import requests", []),
        ("import typing as t\nif not t.TYPE_CHECKING:\n    import requests", ["3 import requests"]),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    ...\nelse:\n    import httpx", ["5 import httpx"]),
        ("import urllib.parse", []),
        ("import socket", []),  # its operations are watched, and it has many that reach nothing
        ("import requestsx, myrequests.requests", []),  # at dot boundaries only
        ("from .requests import get\nget('')", []),  # a module of that name is another thing
    ],
)
def test_a_run_time_import_holds_the_door_open(text: str, expected: list[str]) -> None:
    assert found(GATE, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import requests as r\nr.get('')", ["2 requests.get"]),
        ("from requests import get as g\ng('')", ["2 requests.get"]),
        ("from urllib import request\nrequest.urlopen('')", ["2 urllib.request.urlopen"]),
        ("from requests import *\nget('')", ["2 requests.get"]),
        ("def f(): r.get('')\nimport requests\nr = requests", ["1 requests.get"]),
        ("import requests\nkept = requests\nrequests = None\nkept.get('')\nrequests.get('')", ["4 requests.get"]),
        ("import requests\n(r := requests).get('')\nr.put('')", ["2 requests.get", "3 requests.put"]),
        ("import requests\nrequests.get(''); requests.get('')\nrequests.get('')",
         ["2 requests.get", "2 requests.get", "3 requests.get"]),
        ("def f():\n    import requests\n    requests.get('')", ["3 requests.get"]),
        ("import boto3.session\nboto3.session.Session().client('s3')", []),
        ("import requests\nclass C:\n    get = requests.get\n    def f(self): get('')", []),  # a class is no scope
        ("import requests\nclass C:\n    get = requests.get\n    def f(self): self.get('')", ["4 requests.get"]),
        ("import requests\ndef f(xs):\n    [c for c in [requests]]\n    c.get('')", []),  # a target is local
        ("import requests\ndef f(xs):\n    [(c := requests) for x in xs]\n    c.get('')", ["4 requests.get"]),
        ("import importlib\nr = importlib.import_module('requests')\nr.get('')", ["3 requests.get"]),
        ("h = __import__('httpx')\nh.get('')", ["2 httpx.get"]),
        ("import functools, requests\ng = functools.partial(requests.get, '')\ng()", ["3 requests.get"]),
        ("import requests\ngetattr(requests, 'post')('')", ["2 requests.post"]),
        ("import requests\ndef f(verb): getattr(requests, verb)('')", ["2 requests.*"]),
        ("import requests\ndef f(x, get=requests.get): get(x)", ["2 requests.get"]),
        ('"""requests.get(x)"""\n# requests.get(x)', []),
        ("def f(c): c.get('')", []),  # an unknown receiver is no fact
        ("def f():\n    import requests\ndef g(): requests.get('')", []),  # bound in another function
        ("import urllib.request\nimport urllib.parse\nurllib.parse.quote('')\nurllib.request.urlopen('')",
         ["4 urllib.request.urlopen"]),
        ("import http.client, http.cookies\nhttp.cookies.SimpleCookie()\nhttp.client.HTTPConnection('').request('GET')",
         ["3 http.client.HTTPConnection.request"]),
    ],
)  # fmt: skip
def test_a_name_is_followed_and_nothing_else(text: str, expected: list[str]) -> None:
    assert ways(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "def f(requests): requests.get('')",
        "f = lambda requests: requests.get('')",
        "def f(xs):\n    for requests in xs: requests.get('')",
        "def f(xs): return [requests.get('') for requests in xs]",
        "def f():\n    try: ...\n    except OSError as requests: requests.get('')",
        "def f(x):\n    match x:\n        case requests: requests.get('')",
        "def f():\n    requests = {}\n    requests.get('')",
        "def f():\n    requests.get('')\n    requests = {}",
        "def f(xs):\n    requests, other = xs\n    requests.get('')",
        "del requests\nrequests.get('')",
        "requests = {}\ndef f(): requests.get('')",
        "requests += 1\nrequests.get('')",
        "async def f(x):\n    async with x as requests: requests.get('')",
    ],
)
def test_what_shadows_the_import_is_not_the_import(text: str) -> None:
    assert ways(f"import requests\n{text}") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s = requests.Session()\ns.get('')", ["3 requests.Session.get"]),
        ("requests.Session().get('')", ["2 requests.Session.get"]),
        ("with requests.Session() as s: s.get('')", ["2 requests.Session.get"]),
        ("import aiohttp\nasync def f():\n    async with aiohttp.ClientSession() as s: await s.get('')",
         ["4 aiohttp.ClientSession.get"]),
        ("s: requests.Session = requests.Session()\ns.get('')", ["3 requests.Session.get"]),
        ("a, b = requests.Session(), 1\na.get('')\nb.get('')", ["3 requests.Session.get"]),
        ("def f(s: requests.Session): s.get('')", ["2 requests.Session.get"]),
        ("def f(s: 'requests.Session | None' = None): s.get('')", ["2 requests.Session.get"]),
        ("from typing import Optional\ndef f(s: Optional[requests.Session]): s.get('')", ["3 requests.Session.get"]),
        ("class A:\n    def g(self): self.s.get('')\n    def __init__(self): self.s = requests.Session()",
         ["3 requests.Session.get"]),
        ("class A:\n    def a(self): self.s = requests.Session()\n    def b(self): self.s = None\n"
         "    def c(self): self.s.get('')", ["5 requests.Session.get"]),
        ("class A:\n    def __init__(self, s: requests.Session | None = None):\n        self.s = s\n"
         "    def c(self): self.s.get('')", ["5 requests.Session.get"]),
        ("class A:\n    def __init__(self): self.s = requests.Session()\nclass B(A):\n    def c(self): self.s.get('')",
         ["5 requests.Session.get"]),
        ("class A:\n    def __init__(self): self.s = requests.Session()\nclass B:\n    def c(self): self.s.get('')",
         []),
        ("class S(requests.Session):\n    def __init__(self): super().__init__()\n    def go(self): self.get('')",
         ["4 requests.Session.get"]),
    ],
)  # fmt: skip
def test_a_client_is_followed_wherever_it_is_kept(text: str, expected: list[str]) -> None:
    assert ways(f"import requests\n{text}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x):\n    c = requests.Session() if x else None\n    c.get('')", ["4 requests.Session.get"]),
        ("C = httpx.Client if X else httpx.AsyncClient\nc = C()\nc.get('')",
         ["4 httpx.AsyncClient.get", "4 httpx.Client.get"]),
        ("def f(x):\n    if x: c = requests\n    else: c = httpx\n    c.get('')", ["5 httpx.get", "5 requests.get"]),
        ("def f():\n    try: c = requests.Session()\n    except OSError: c = None\n    c.get('')",
         ["5 requests.Session.get"]),
        ("def f(xs):\n    c = requests.Session()\n    for x in xs: c = None\n    c.get('')",
         ["5 requests.Session.get"]),
        ("def f(x):\n    c = None\n    while x: c = requests.Session()\n    c.get('')", ["5 requests.Session.get"]),
        ("def f(x):\n    match x:\n        case 1: c = requests\n        case _: c = {}\n    c.get('')",
         ["6 requests.get"]),
        ("def w(c): c.get('')\nw(requests); w(httpx); w(object())", ["2 httpx.get", "2 requests.get"]),
        ("def w(c): c.get('')\nw(object())", []),
        ("def f():\n    c = None\n    try: c = requests\n    finally: c.get('')", ["5 requests.get"]),
    ],
)  # fmt: skip
def test_one_path_on_which_it_may_go_out_is_enough(text: str, expected: list[str]) -> None:
    assert ways(f"import requests, httpx\n{text}") == expected


@pytest.mark.parametrize(
    "text",
    [
        "r = requests.get('')\nr.json()\nr.headers.get('')\nr.raise_for_status()",
        "with requests.get('') as r: r.iter_content()",
        "def f(r: requests.Response): return r.json()",
        "s = requests.Session()\ns.get('')\ns.headers.update({})\ns.cookies.get('')\ns.close()\nprint(s.headers)",
        "requests.get('')\nrequests.Request('GET', '').prepare()\nrequests.utils.quote('')\nprint(requests.codes.ok)",
        "requests.get('')\nprint(requests.__version__)",
        "import plexapi.server\nplexapi.server.PlexServer('').url.startswith('')",
        "class S(requests.Session):\n    def __init__(self):\n        super().__init__()\n        self.get('')",
    ],
)
def test_a_response_and_data_are_no_way_out(text: str) -> None:
    assert [way.split()[1] for way in ways(f"import requests\n{text}")] in (
        [],
        ["requests.get"],
        ["requests.Session.get"],
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import socket\nsocket.create_connection(('', 1))", ["2 socket.create_connection"]),
        ("import socket\ns = socket.socket()\ns.connect(('', 1))\ns.bind(('', 1))", ["3 socket.socket.connect"]),
        ("from socket import *\ngetaddrinfo('', 1); gethostbyname('')\ngethostname()",
         ["2 socket.getaddrinfo", "2 socket.gethostbyname"]),
        ("import asyncio\nasync def f(): await asyncio.open_connection('', 1)", ["2 asyncio.open_connection"]),
        ("from xmlrpc.client import ServerProxy\np = ServerProxy('')\np.system.listMethods()",
         ["2 xmlrpc.client.ServerProxy", "3 xmlrpc.client.ServerProxy.system.listMethods"]),
        ("import smtplib\nwith smtplib.SMTP('') as s: s.sendmail('', '', '')",
         ["2 smtplib.SMTP", "2 smtplib.SMTP.sendmail"]),
        ("import ftplib\nftplib.FTP('').retrlines('LIST')", ["2 ftplib.FTP", "2 ftplib.FTP.retrlines"]),
        ("import paramiko\nc = paramiko.SSHClient()\nc.connect('')", ["3 paramiko.SSHClient.connect"]),
        ("import grpc\ngrpc.insecure_channel('').unary_unary('')",
         ["2 grpc.insecure_channel.unary_unary"]),
        ("import boto3\nboto3.client('s3').put_object()", ["2 boto3.client.put_object"]),
        ("import psycopg2\npsycopg2.connect('').cursor().execute('')",
         ["2 psycopg2.connect", "2 psycopg2.connect.cursor", "2 psycopg2.connect.cursor.execute"]),
        ("import redis\nredis.Redis().set('', '')\nredis.from_url('').get('')",
         ["2 redis.Redis.set", "3 redis.from_url.get"]),
        ("import pika\npika.BlockingConnection().channel().basic_publish('')",
         ["2 pika.BlockingConnection.channel", "2 pika.BlockingConnection.channel.basic_publish"]),
        ("import openai\nopenai.OpenAI().chat.completions.create()", ["2 openai.OpenAI.chat.completions.create"]),
        ("import asyncio\nasync def f(): await asyncio.get_running_loop().create_connection(P, '')",
         ["2 asyncio.AbstractEventLoop.create_connection"]),
        ("from azure.servicebus.aio import ServiceBusClient\nc = ServiceBusClient('')\ns = c.get_topic_sender('')\n"
         "async def f(): await s.send_messages('')",
         ["3 azure.servicebus.aio.ServiceBusClient.get_topic_sender",
          "4 azure.servicebus.aio.ServiceBusClient.get_topic_sender.send_messages"]),
        ("from aiohttp_xmlrpc.client import ServerProxy\np = ServerProxy('')\nasync def f(m): await getattr(p, m)()",
         ["3 aiohttp_xmlrpc.client.ServerProxy.*"]),
        ("import spotipy\ns = spotipy.Spotify()\ns.set_auth('')", []),
        ("import sentry_sdk as s\ns.set_tag('', 1)\ns.add_breadcrumb()\ns.capture_message('')",
         ["4 sentry_sdk.capture_message"]),
        ("from pymodbus.client import ModbusSerialClient as S, ModbusTcpClient as T\n"
         "c = S('') if x else T('')\nc.connect()", ["3 pymodbus.client.ModbusTcpClient.connect"]),
        ("from aiobotocore.session import AioSession\nasync def f():\n"
         "    async with AioSession().create_client('iam') as c:\n        await c.get_user()",
         ["4 aiobotocore.session.AioSession.create_client.get_user"]),
        ("from aiobotocore.session import AioSession as S\nasync def f(): await S().get_available_regions('')", []),
        ("import boto3\nboto3.Session().get_available_services()", []),
        ("from pexpect import pxssh\ns = pxssh.pxssh()\ns.login('', '')", ["3 pexpect.pxssh.pxssh.login"]),
        ("import aioimaplib, paho.mqtt.client as m\naioimaplib.IMAP4_SSL('').has_pending_idle()\nc = m.Client()\n"
         "c.is_connected(); c.enable_logger(); c.loop_stop(); c.loop_start()",
         ["4 paho.mqtt.client.Client.loop_start"]),
        ("import botocore.session as s\ns.get_session().create_client('s3').list_buckets()",
         ["2 botocore.session.get_session.create_client.list_buckets"]),
        ("import oracledb, psycopg\noracledb.makedsn('', 1)\npsycopg.ClientCursor(1).mogrify('')", []),
        ("import oracledb\nc = oracledb.connect().cursor()\nc.execute(''); c.var(int); c.arrayvar(int, 1)",
         ["2 oracledb.connect", "2 oracledb.connect.cursor", "3 oracledb.connect.cursor.execute"]),
        ("import cx_Oracle\ncx_Oracle.create_pool().acquire().cursor()", []),
        ("import MySQLdb\nc = MySQLdb.connect()\nc.encoders.get(bytes)\nc.ping()",
         ["2 MySQLdb.connect", "4 MySQLdb.connect.ping"]),
        ("import redis\np = redis.Redis().pipeline()\np.execute()", ["3 redis.Redis.pipeline.execute"]),
        ("from influxdb_client import InfluxDBClient\nw = InfluxDBClient('').write_api()\nw.write('', '', '')",
         ["3 influxdb_client.InfluxDBClient.write_api.write"]),
        ("import asyncio\nasync def f(loop: asyncio.AbstractEventLoop): await loop.getaddrinfo('', 1)",
         ["2 asyncio.AbstractEventLoop.getaddrinfo"]),
        ("import asyncio\nclass C:\n    def __init__(self): self.loop = asyncio.get_event_loop()\n"
         "    async def f(self): await self.loop.sock_sendall(1, b'')", ["4 asyncio.AbstractEventLoop.sock_sendall"]),
        ("from sqlalchemy import Engine, create_engine\nE = create_engine('')\nE.connect()\n"
         "def f(e: Engine | None = None):\n    e = e or create_engine('')\n    e.begin()",
         ["3 sqlalchemy.engine.Engine.connect", "6 sqlalchemy.engine.Engine.begin"]),
        ("import dns.resolver\ndns.resolver.resolve('')", ["2 dns.resolver.resolve"]),
        ("import ssl\ndef f(c: ssl.SSLContext): c.wrap_socket(1)", ["2 ssl.SSLContext.wrap_socket"]),
        ("import logging.handlers\nlogging.handlers.SysLogHandler()", ["2 logging.handlers.SysLogHandler"]),
        ("import paho.mqtt.client as m\nm.error_string(1); m.connack_string(1)\nm.Client().connect('')",
         ["3 paho.mqtt.client.Client.connect"]),
        ("import httpx\nhttpx.Client().build_request('GET', '')", []),
        ("import functools, httpx\n@functools.wraps(httpx.get)\ndef f(): pass", []),
        ("import slack_bolt\napp = slack_bolt.App()\n@app.event('x')\ndef f(): pass\napp.client.chat_postMessage()",
         ["5 slack_bolt.App.client.chat_postMessage"]),
        ("import smtplib\nclass Mail(smtplib.SMTP):\n    def go(self): pass\nm = Mail('')\nm.go()\n"
         "m.sendmail('', '', '')", ["4 smtplib.SMTP", "6 smtplib.SMTP.sendmail"]),
        ("import telegram.ext as t\nt.Updater('').dispatcher.add_handler(1)", []),
    ],
)  # fmt: skip
def test_protocols_and_clients_of_services(text: str, expected: list[str]) -> None:
    assert ways(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import asyncio\nasync def f(): await asyncio.to_thread(requests.get, '')", ["3 requests.get"]),
        ("async def f(loop): await loop.run_in_executor(None, requests.get, '')", ["2 requests.get"]),
        ("import threading\nthreading.Thread(target=requests.get)", ["3 requests.get"]),
        ("s = requests.Session()\nmap(s.get, [])", ["3 requests.Session.get"]),
        ("s = requests.Session()\nprint('', s.get)", []),  # may be data, and stands where none is called
        ("s = requests.Session()\nprint(s, requests, requests.Session)", []),
        ("import plexapi\ns = plexapi.Server()\nmap(s.machineIdentifier); map(s.library.title); map(s.scan)",
         ["4 plexapi.Server.scan"]),
        ("import telegram\nq = telegram.CallbackQuery()\nmap(q.data); map(q.from_user); map(q.answer)",
         ["4 telegram.CallbackQuery.answer"]),
        ("import spotipy\ns = spotipy.Spotify()\nmap(s.current_user); map(s.me)",
         ["4 spotipy.Spotify.current_user", "4 spotipy.Spotify.me"]),
        ("import pysnmp.hlapi.asyncio as h\ndef f(x): g(key=getattr(h, x)); hasattr(h.auth, 'a')", []),
        ("str(requests.get); isinstance(requests.get, f); map(requests.get, [])", ["2 requests.get"]),
        ("import xmlrpc.client\np = xmlrpc.client.ServerProxy('')\nprint(p)", ["3 xmlrpc.client.ServerProxy"]),
    ],
)  # fmt: skip
def test_what_is_handed_on_to_be_called_counts(text: str, expected: list[str]) -> None:
    assert ways(f"import requests\n{text}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from kombu.log import get_logger\nget_logger('x')", []),
        ("from kombu.utils.encoding import safe_str\nsafe_str('x')", []),
        (
            "from kombu.utils import amq_manager\namq_manager.get_manager('x')",
            ["2 kombu.utils.amq_manager.get_manager"],
        ),
        ("import kombu\nkombu.Connection('x').ensure_connection()", ["2 kombu.Connection.ensure_connection"]),
        ("from kombu.pools import connections\nconnections['x'].acquire()", ["2 kombu.pools.connections.acquire"]),
        ("from docker.errors import create_api_error_from_http_exception as f\nf(1)", []),
    ],
)
def test_of_a_library_what_holds_no_transport_is_no_way_out(text: str, expected: list[str]) -> None:
    assert ways(text) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("s.files().list(q='x').execute()", ["4 googleapiclient.discovery.build.files.list.execute"]),
        ("r = s.files()", []),
        ("r = s.files().list(q='x')", []),
        ("r = s.files().list(q='x'); print(r.uri); r.execute()",
         ["4 googleapiclient.discovery.build.files.list.execute"]),
        ("b = s.new_batch_http_request(); b.add(1); b.execute()",
         ["4 googleapiclient.discovery.build.new_batch_http_request.execute"]),
    ],
)  # fmt: skip
def test_what_builds_a_request_goes_out_where_it_is_sent(call: str, expected: list[str]) -> None:
    text = f"from googleapiclient.discovery import build\ndef f():\n    s = build('drive', 'v3')\n    {call}"
    assert [one for one in ways(text) if not one.endswith("discovery.build")] == expected


def test_what_goes_by_one_name_is_taken_out_by_it() -> None:
    text = "import sqlalchemy\ndef f(e: sqlalchemy.Engine): e.connect()\nsqlalchemy.create_engine('').connect()"
    assert len(ways(text)) == 2
    assert ways(text, not_network=["sqlalchemy.engine.Engine.connect"]) == []


def test_a_construction_is_listed_as_its_own_kind() -> None:
    assert found(GATE, "import requests\nrequests.Session().get('')")[1:] == [
        "2 construction requests.Session",
        "2 egress requests.Session.get",
    ]


@pytest.mark.parametrize(
    ("imported", "call"),
    [
        *(("requests", f"requests.{name}()") for name in ("session", "Session", "sessions.session")),
        *(("boto3", f"boto3.{name}('s3')") for name in ("client", "resource", "Session", "Session().client")),
        *(("redis", call) for call in ("redis.Redis()", "redis.from_url('')", "redis.Redis.from_url('')")),
        *(("grpc", f"grpc.{name}('')") for name in ("insecure_channel", "secure_channel", "aio.insecure_channel")),
    ],
)
def test_a_client_is_made_by_a_function_as_by_its_class(imported: str, call: str) -> None:
    words = {one.split()[1] for one in found(GATE, f"import {imported}\n{call}")}
    assert words == {"import", "construction"}


def test_the_longest_root_wins() -> None:
    facts = scanned(GATE, "import app.net.http\napp.net.http.get()", network_sdks=["app"], raw_transports=["app.net"])
    assert {(fact.target, fact.kind) for fact in facts} == {("app.net", "raw_transport")}


def test_the_way_through_ones_own_modules_is_the_same_way() -> None:
    files = {
        "net/__init__.py": "from net.low import fetch, requests",
        "net/low.py": "import requests\nfetch = requests.get",
        "app.py": "import net\nfrom net import fetch as take\ntake('')\nnet.requests.post('')\nnet.low.fetch('')",
    }
    assert [line for line in found(GATE, files) if "egress" in line] == [
        "3 egress requests.get",
        "4 egress requests.post",
        "5 egress requests.get",
    ]


LIBRARY = {
    "redis/__init__.py": "import socket\ndef get(host): return socket.create_connection(host)",
    "redis/more.py": "import redis\nredis.get('')",
}


def test_of_a_library_that_is_on_a_list_only_what_it_calls_is_a_way_out() -> None:
    assert found(GATE, LIBRARY) == ["2 egress socket.create_connection"]
    assert found(GATE, LIBRARY, network_sdks=["redis"])[-1] == "2 egress redis.get"


@pytest.mark.parametrize(
    "table", [{"protocol_operations": ["psycopg2.extras.go"]}, {"network_sdks": ["psycopg2.extras"]}]
)
def test_what_the_configuration_names_counts_also_below_what_is_harmless(table: dict[str, object]) -> None:
    text = "import psycopg2.extras\npsycopg2.extras.go()"
    assert ways(text) == []
    assert ways(text, **table) == ["2 psycopg2.extras.go"]


def test_a_class_that_a_list_names_itself_is_made_all_the_same() -> None:
    text = "from vendor import Wire\nw = Wire()\nw.send()"
    for key, words in (("raw_transports", ["3"]), ("network_sdks", ["3"]), ("protocol_operations", ["2", "3"])):
        assert [way.split()[0] for way in ways(text, **{key: ["vendor.Wire"]})] == words


def test_a_moved_line_is_the_same_use_and_another_function_is_not() -> None:
    one, moved, other = (
        scanned(GATE, text)[-1]
        for text in (
            "import requests\ndef f(): requests.get('')",
            "import requests\n\n\ndef f():\n    return requests.get('')",
            "import requests\ndef g(): requests.get('')",
        )
    )
    assert one == moved
    assert one != other


def test_the_lists_hold_no_name_twice_and_what_is_harmless_stands_below_a_provider() -> None:
    names = (*RAW_TRANSPORTS, *NETWORK_SDKS, *PROTOCOL_OPERATIONS)
    assert len(names) == len(set(names))
    assert len(FACTORIES) == len(set(FACTORIES))
    assert len(HARMLESS) == len(set(HARMLESS))
    assert len(KINDS) == 3


@pytest.mark.parametrize(
    "name",
    [
        *("requests", "httpx", "httpx2", "aiohttp", "urllib.request", "urllib3", "http.client", "websocket"),
        *("websockets", "curl_cffi", "cloudscraper", "httplib2", "pycurl", "smtplib", "ftplib", "paramiko", "grpc"),
        *("boto3", "transmission_rpc", "qbittorrentapi", "plexapi", "openai", "anthropic", "redis", "pika", "kafka"),
        *("asyncio.open_connection", "socket.create_connection", "socket.getaddrinfo", "socket.gethostbyname"),
        "xmlrpc.client.ServerProxy",
    ],
)
def test_what_the_first_users_watched_is_watched(name: str) -> None:
    assert name in {*RAW_TRANSPORTS, *NETWORK_SDKS, *PROTOCOL_OPERATIONS}
