"""What gives access to the network, unless the configuration says otherwise?

Names are those under which a library is imported. A longer name wins over a shorter one at a dot boundary.
"""

from __future__ import annotations

from abutment.facts.egress import PROTOCOL, RAW, SDK, Network
from abutment.gates.concurrency_list import LOOP, LOOPS

RAW_TRANSPORTS = (
    *("requests", "httpx", "httpx2", "aiohttp", "urllib.request", "urllib3", "http.client", "websocket", "websockets"),
    *("curl_cffi", "cloudscraper", "httplib2", "pycurl", "niquests", "treq", "asks", "hyper", "h2.connection"),
    "aiohttp_xmlrpc.client",
    *("requests_html", "requests_toolbelt", "requests_futures", "aiohttp_retry", "httpcore", "tls_client", "primp"),
    *("smtplib", "ftplib", "poplib", "imaplib", "nntplib", "telnetlib", "telnetlib3", "aiosmtplib", "aioftp"),
    *("paramiko", "asyncssh", "fabric", "pexpect.pxssh", "grpc", "grpclib", "zmq", "socks", "tornado.httpclient"),
    *("tornado.websocket", "wsproto", "picows", "scrapy", "mechanize", "selenium", "playwright", "pyppeteer"),
    *("requests_oauthlib", "requests_cache", "requests_ntlm", "grequests", "authlib.integrations", "httpx_sse"),
    "httpx_ws",
    *("httpx_socks", "aiohttp_socks", "twisted.web.client", "pysftp", "netmiko", "ncclient", "scrapli", "winrm"),
    "scapy",
    *("imapclient", "aioimaplib", "yagmail", "exchangelib", "ntplib", "ping3", "icmplib"),
)
NETWORK_SDKS = (
    # clouds and storage
    *("boto3", "botocore", "aioboto3", "aiobotocore", "google.cloud", "googleapiclient", "google.auth.transport"),
    *("azure", "msal", "oci", "ibm_boto3", "minio", "s3fs", "gcsfs", "adlfs", "b2sdk", "dropbox", "boxsdk"),
    "digitalocean",
    *("kubernetes", "kubernetes_asyncio", "docker", "aiodocker", "openstack", "hvac", "consul", "etcd3", "cloudflare"),
    # databases and search
    *("psycopg", "psycopg2", "asyncpg", "aiopg", "pg8000", "pymysql", "MySQLdb", "mysql.connector", "aiomysql"),
    "asyncmy",
    *("pyodbc", "aioodbc", "oracledb", "cx_Oracle", "pymssql", "pymongo", "motor", "redis", "aioredis", "valkey"),
    "coredis",
    *("memcache", "pymemcache", "aiomcache", "cassandra", "elasticsearch", "opensearchpy", "clickhouse_driver"),
    *("clickhouse_connect", "neo4j", "influxdb", "influxdb_client", "couchdb", "snowflake.connector", "pinecone"),
    *("trino", "prestodb", "pyhive", "impala", "databricks.sql", "teradatasql", "vertica_python", "rethinkdb"),
    "arango",
    *("pysolr", "kazoo", "mongoengine.connect", "mongoengine.register_connection"),
    *("qdrant_client", "weaviate", "chromadb", "pymilvus", "meilisearch", "typesense", "ldap3", "ldap"),
    # brokers and tasks
    *("pika", "aio_pika", "kombu", "kafka", "aiokafka", "confluent_kafka", "nats", "stomp", "paho.mqtt", "aiomqtt"),
    *("rq", "arq.create_pool", "dns.resolver", "dns.asyncresolver", "dns.query", "dns.asyncquery", "aiodns", "pycares"),
    *("asyncio_mqtt", "gmqtt", "proton", "pulsar", "socketio", "engineio"),
    # language models
    *("openai", "anthropic", "google.generativeai", "google.genai", "cohere", "mistralai", "groq", "ollama", "litellm"),
    *("huggingface_hub", "replicate", "together", "langchain_openai", "langchain_anthropic", "voyageai", "tavily"),
    # services
    *("slack_sdk", "slack_bolt", "telegram", "telebot", "telethon", "pyrogram", "aiogram", "discord", "tweepy"),
    "twilio",
    *("sendgrid", "mailchimp_marketing", "stripe", "braintree", "paypalrestsdk", "github", "gitlab", "jira"),
    "atlassian",
    *("sentry_sdk", "datadog", "newrelic", "statsd", "opentelemetry.exporter", "prometheus_client.exposition"),
    *("sparkpost", "firebase_admin"),
    *("plexapi", "qbittorrentapi", "transmission_rpc", "smbclient", "smbprotocol", "smb", "webdav3", "webdavclient3"),
    *("wandb", "mlflow", "comet_ml", "gspread", "praw", "asyncpraw", "notion_client", "simple_salesforce", "shopify"),
    *("googlemaps", "geopy.geocoders", "yfinance", "ccxt", "web3", "youtube_dl"),
    *("pysnmp", "pymodbus", "zeep", "suds", "gql", "spotipy", "feedparser", "yt_dlp", "p115client", "u115pan", "aligo"),
)
PROTOCOL_OPERATIONS = (
    *("asyncio.open_connection", "asyncio.open_unix_connection", "socket.create_connection", "socket.getaddrinfo"),
    *("socket.gethostbyname", "socket.gethostbyname_ex", "socket.gethostbyaddr", "socket.getnameinfo"),
    "socket.getfqdn",
    *("socket.socket.connect", "socket.socket.connect_ex", "socket.socket.sendto", "xmlrpc.client.ServerProxy"),
    *("ssl.get_server_certificate", "anyio.connect_tcp", "trio.open_tcp_stream", "multiprocessing.connection.Client"),
    *("logging.handlers.SocketHandler", "logging.handlers.SMTPHandler", "logging.handlers.HTTPHandler"),
    *("logging.handlers.DatagramHandler", "logging.handlers.SysLogHandler", "ssl.wrap_socket"),
    *("ssl.SSLContext.wrap_socket", "ssl.create_default_context().wrap_socket", "celery.Celery.send_task"),
    *("celery.Task.delay", "celery.Task.apply_async", "celery.app.task.Task.delay", "celery.app.task.Task.apply_async"),
    *("celery.result.AsyncResult.get", "celery.group.apply_async", "celery.chain.apply_async"),
    "celery.chord.apply_async",
    *(f"twisted.internet.reactor.connect{how}" for how in ("TCP", "SSL", "UNIX")),
)
_LOOP_OPERATIONS = (
    *("create_connection", "create_datagram_endpoint", "create_unix_connection", "getaddrinfo", "getnameinfo"),
    *("sock_connect", "sock_sendall", "sock_sendto", "sock_sendfile", "sendfile", "start_tls"),
)
_ENGINE = "sqlalchemy.engine.Engine"
_ENGINES = (
    *(_ENGINE, "sqlalchemy.Engine", "sqlalchemy.engine.base.Engine", "sqlalchemy.create_engine()"),
    *("sqlalchemy.engine.create_engine()", "sqlalchemy.engine_from_config()", "sqlmodel.create_engine()"),
    *("sqlalchemy.ext.asyncio.create_async_engine()", "sqlalchemy.ext.asyncio.AsyncEngine"),
    "sqlalchemy.ext.asyncio.engine.AsyncEngine",
)
# One operation under several names: how it is reached -> how it is told.
SAME = {
    **{f"{loop}.{name}": f"{LOOP}.{name}" for name in _LOOP_OPERATIONS for loop in LOOPS},
    **{f"{one}.{name}": f"{_ENGINE}.{name}" for name in ("connect", "begin", "raw_connection") for one in _ENGINES},
}
# Classes whose construction connects.
CONNECTING = (
    *("smtplib.SMTP", "smtplib.SMTP_SSL", "smtplib.LMTP", "ftplib.FTP", "ftplib.FTP_TLS", "telnetlib.Telnet"),
    *("imaplib.IMAP4", "imaplib.IMAP4_SSL", "poplib.POP3", "poplib.POP3_SSL", "nntplib.NNTP", "nntplib.NNTP_SSL"),
    *("paramiko.Transport", "telebot.TeleBot", "neo4j.GraphDatabase"),
)
_AIO_SESSION = "aiobotocore.session.AioSession"
_ORACLE = ("cx_Oracle.connect", "oracledb.connect", "oracledb.create_pool().acquire")
_INFLUX = ("write_api", "query_api", "delete_api", "buckets_api", "tasks_api")
# What stands below a provider and reaches nothing. An import of it runs the provider all the same.
HARMLESS = (
    *("requests.utils", "requests.exceptions", "requests.structures", "requests.codes", "requests.compat"),
    *("requests.certs", "requests.cookies", "requests.auth", "requests.status_codes", "requests.hooks"),
    *("httpx.codes", "aiohttp.web", "aiohttp.hdrs", "aiohttp.typedefs", "aiohttp.web_exceptions", "aiohttp.helpers"),
    *("aiohttp.web_request", "aiohttp.web_response", "aiohttp.web_urldispatcher", "aiohttp.http_exceptions"),
    *("aiohttp.client_exceptions", "aiohttp.abc", "aiohttp.test_utils", "aiohttp.log"),
    *("urllib.request.url2pathname", "urllib.request.pathname2url", "urllib.request.getproxies"),
    *("urllib.request.proxy_bypass", "urllib.request.parse_http_list", "urllib.request.parse_keqv_list"),
    *("urllib3.exceptions", "urllib3.util", "urllib3.fields", "urllib3.filepost", "urllib3.disable_warnings"),
    *("http.client.responses", "http.client.parse_headers", "websockets.exceptions", "websockets.http11"),
    *("websockets.server", "websockets.serve", "websockets.asyncio.server", "grpc.server", "grpc.aio.server"),
    *("psycopg.sql", "psycopg.types", "psycopg.adapt", "psycopg.adapters", "psycopg2.sql", "psycopg2.extensions"),
    *("psycopg2.extras", "cx_Oracle.makedsn", "oracledb.makedsn", "MySQLdb.connect().encoders"),
    # What holds a value of a statement; and what only the younger of the two libraries has.
    *(f"{made}().cursor().{what}" for made in _ORACLE for what in ("var", "arrayvar")),
    *("cx_Oracle.create_pool", "cx_Oracle.create_pool()"),
    *("kubernetes.client.models", "kubernetes_asyncio.client.models", "selenium.webdriver.support.expected_conditions"),
    *("selenium.webdriver.common.by", "selenium.webdriver.common.keys", "redis.exceptions", "botocore.exceptions"),
    *("kubernetes.config", "kubernetes_asyncio.config", "aiohttp.encode_basic_auth", "google.protobuf"),
    *("azure.core.exceptions", "google.api_core.exceptions", "openai.types", "anthropic.types"),
    *("httpx.create_ssl_context", "paho.mqtt.matcher", "paho.mqtt.properties", "paho.mqtt.reasoncodes"),
    *("paho.mqtt.enums", "paho.mqtt.packettypes", "paho.mqtt.client.error_string", "paho.mqtt.client.connack_string"),
    *("paho.mqtt.client.topic_matches_sub", "paho.mqtt.client.base62", "grpc.unary_unary_rpc_method_handler"),
    *("grpc.unary_stream_rpc_method_handler", "grpc.stream_unary_rpc_method_handler"),
    "grpc.composite_channel_credentials",
    *("grpc.stream_stream_rpc_method_handler", "grpc.method_handlers_generic_handler", "grpc.ssl_channel_credentials"),
    *("dns.resolver.NXDOMAIN", "sentry_sdk.integrations", "mlflow.entities", "mlflow.set_tracking_uri", "scrapy.Field"),
    # What the next report is to say, and a line that is no network.
    *("sentry_sdk.add_breadcrumb", "sentry_sdk.configure_scope", "sentry_sdk.push_scope", "sentry_sdk.new_scope"),
    *("sentry_sdk.set_tag", "sentry_sdk.set_tags", "sentry_sdk.set_user", "sentry_sdk.set_context"),
    *("sentry_sdk.set_extra", "sentry_sdk.set_level", "sentry_sdk.isolation_scope", "sentry_sdk.get_current_scope"),
    *("sentry_sdk.get_isolation_scope", "sentry_sdk.Scope", "sentry_sdk.scope"),
    # What botocore has in files of its own, and a thread that ends.
    *(
        f"{session}.get_available_{what}"
        for session in ("boto3.Session", "boto3.session.Session", "botocore.session.Session", _AIO_SESSION)
        for what in ("regions", "services", "partitions", "resources")
    ),
    *(f"paho.mqtt.client.Client.{name}" for name in ("loop_stop", "enable_logger", "disable_logger")),
    *("pymodbus.client.ModbusSerialClient", "pymodbus.client.AsyncModbusSerialClient"),
    *("kombu.abstract", "kombu.clocks", "kombu.compression", "kombu.matcher", "kombu.serialization", "kombu.uuid"),
    *(f"kombu.utils.{name}" for name in ("collections", "compat", "debug", "div", "encoding", "functional", "imports")),
    *(f"kombu.utils.{name}" for name in ("json", "limits", "objects", "scheduling", "text", "time", "url", "uuid")),
    *("kombu.enable_insecure_serializers", "kombu.disable_insecure_serializers", "kombu.parse_url"),
    *("googleapiclient.mimeparse", "googleapiclient.model", "googleapiclient.schema"),
    "googleapiclient.http.set_user_agent",
    *("discord.utils", "telegram.helpers", "slack_sdk.models", "bson", "pymongo.errors", "kafka.errors"),
)
# What modules right below a library are called that hold no transport: `kombu.log`.
PLAIN_MODULES = ("constants", "enums", "errors", "exceptions", "log", "typing")
# Providers whose calls build requests, and the operations that send one.
BUILDERS = {"googleapiclient": frozenset(("execute", "next_chunk"))}
# Functions whose result is a client: calls on it are calls of the library.
FACTORIES = (
    *("client", "resource", "connect", "connect_async", "create_client", "create_connection", "create_pool"),
    "from_url",
    *("session", "Session", "get_session", "get_client", "async_client", "build", "build_opener", "create_session"),
    *("open_session", "open_sftp", "from_env", "from_connection_string", "get_container", "collection", "document"),
    *("register_session", "channel", "insecure_channel", "secure_channel", "invoke_shell", "get_transport", "cursor"),
    *("create_scraper", "cloud", "create_async_client", "get_bucket", "bucket", "blob", "get_blob_client", "Bucket"),
    *("get_container_client", "Table", "Object", "get_database", "get_collection", "launch", "new_page", "new_context"),
    *("get_queue_sender", "get_topic_sender", "get_queue_receiver", "get_subscription_receiver", "get_queue_client"),
    *("get_file_client", "get_directory_client", "get_table_client", "get_file_system_client", "get_share_client"),
    *("get_running_loop", "get_event_loop", "new_event_loop", "pool", "acquire", "pipeline", "pubsub", "basic_client"),
    *("pxssh", *_INFLUX),
)
# Functions that make a client as its class does, and reach nothing.
CONSTRUCTING = (
    *("requests.session", "requests.sessions.session", "boto3.client", "boto3.resource"),
    *(f"{home}.{what}" for home in ("boto3.Session", "boto3.session.Session") for what in ("client", "resource")),
    *(f"{home}.{what}" for home in ("aioboto3.Session", "aioboto3.session.Session") for what in ("client", "resource")),
    *("botocore.session.get_session", "botocore.session.get_session().create_client"),
    *("aiobotocore.session.get_session", "aiobotocore.session.get_session().create_client"),
    *("botocore.session.Session.create_client", f"{_AIO_SESSION}.create_client", "pexpect.pxssh.pxssh"),
    *("redis.from_url", "redis.Redis.from_url", "redis.asyncio.from_url", "redis.asyncio.Redis.from_url"),
    *("redis.Redis.pipeline", "redis.asyncio.Redis.pipeline"),
    *(f"influxdb_client.InfluxDBClient.{name}" for name in _INFLUX),
    *(f"{home}.{kind}secure_channel" for home in ("grpc", "grpc.aio") for kind in ("", "in")),
)
# By the name under which a configuration adds to it: the kind of what a list holds, and the list.
LISTS = {
    "raw_transports": (RAW, RAW_TRANSPORTS),
    "network_sdks": (SDK, NETWORK_SDKS),
    "protocol_operations": (PROTOCOL, (*PROTOCOL_OPERATIONS, *SAME)),
}
_LIBRARIES = (*RAW_TRANSPORTS, *NETWORK_SDKS)
BUILT_IN = Network(
    {name: kind for kind, names in LISTS.values() for name in names},
    frozenset(FACTORIES),
    frozenset(CONNECTING),
    frozenset((*HARMLESS, *(f"{library}.{name}" for library in _LIBRARIES for name in PLAIN_MODULES))),
    frozenset(CONSTRUCTING),
    SAME,
    BUILDERS,
)
