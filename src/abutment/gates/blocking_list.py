"""What blocks the thread that calls it, unless the configuration says otherwise?"""

from __future__ import annotations

_HTTP = ("get", "post", "put", "patch", "delete", "head", "options", "request", "send")
_SESSIONS = ("", ".Session", ".session()", ".sessions.Session", ".sessions.session()")
_REQUESTS = tuple(f"requests{middle}.{verb}" for middle in _SESSIONS for verb in _HTTP)
_HTTPX = tuple(f"httpx{middle}.{verb}" for middle in ("", ".Client") for verb in (*_HTTP, "stream"))
_SOCKET = ("connect", "accept", "recv", "recv_into", "recvfrom", "send", "sendall", "sendfile", "sendto")
_DRIVERS = ("psycopg2", "psycopg", "pymysql", "MySQLdb", "sqlite3", "pyodbc", "oracledb", "mysql.connector", "pymssql")
_CURSOR = ("execute", "executemany", "executescript", "fetchone", "fetchall", "fetchmany", "commit", "rollback")
# Certificates are read from files.
_CERTIFICATES = ("load_cert_chain", "load_default_certs", "load_verify_locations", "set_default_verify_paths")
_SYNCHRONIZED = ("Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore")
_CONTEXTS = ("multiprocessing", "multiprocessing.get_context()", "multiprocessing.Manager()")
_LOCKS = (
    *(f"threading.{lock}" for lock in _SYNCHRONIZED),
    *(f"{context}.{lock}" for context in (*_CONTEXTS, "multiprocessing.synchronize") for lock in _SYNCHRONIZED),
)
_FILE_LOCKS = (
    *("filelock.FileLock", "filelock.SoftFileLock", "filelock.UnixFileLock", "filelock.BaseFileLock"),
    *("fasteners.InterProcessLock", "fasteners.process_lock.InterProcessLock", "portalocker.Lock", "portalocker.RLock"),
)
_QUEUES = ("Queue", "LifoQueue", "PriorityQueue", "SimpleQueue")
_PROCESS_QUEUES = tuple(f"{context}.{queue}" for context in _CONTEXTS for queue in ("Queue", "JoinableQueue"))
_POOLS = (
    *("concurrent.futures.ThreadPoolExecutor", "concurrent.futures.ProcessPoolExecutor"),
    *("concurrent.futures.thread.ThreadPoolExecutor", "concurrent.futures.process.ProcessPoolExecutor"),
)
_WORKERS = ("multiprocessing.Pool", "multiprocessing.pool.Pool", "multiprocessing.pool.ThreadPool")
_WAITS = ("threading.Condition", "threading.Event", "threading.Barrier")

BLOCKING = (
    *("time.sleep", "builtins.open", "builtins.input", "io.open", "os.fdopen", "getpass.getpass", "select.select"),
    *_REQUESTS,
    *_HTTPX,
    *("urllib.request.urlopen", "urllib.request.urlretrieve", "urllib3.request", "urllib3.PoolManager.request"),
    *("urllib3.PoolManager.urlopen", "http.client.HTTPConnection.request", "http.client.HTTPSConnection.request"),
    *("http.client.HTTPConnection.getresponse", "http.client.HTTPSConnection.getresponse", "smtplib.SMTP"),
    *("smtplib.SMTP_SSL", "ftplib.FTP", "ftplib.FTP_TLS", "imaplib.IMAP4", "imaplib.IMAP4_SSL", "poplib.POP3"),
    *(f"socket.socket.{method}" for method in _SOCKET),
    *(f"socket.create_connection().{method}" for method in _SOCKET),
    *("socket.create_connection", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"),
    *("socket.getfqdn", "socket.getnameinfo"),
    *("subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen"),
    *("subprocess.getoutput", "subprocess.getstatusoutput", "subprocess.Popen.wait", "subprocess.Popen.communicate"),
    *("os.system", "os.popen", "os.wait", "os.wait3", "os.wait4", "os.waitpid", "os.waitid", "os.posix_spawn"),
    *("os.posix_spawnp", "os.spawnl", "os.spawnle", "os.spawnlp", "os.spawnlpe", "os.spawnv", "os.spawnve"),
    *("os.spawnvp", "os.spawnvpe", "pty.spawn"),
    *("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.makedirs", "os.mkdir", "os.rmdir", "os.removedirs"),
    *("os.remove", "os.unlink", "os.rename", "os.renames", "os.replace", "os.link", "os.symlink", "os.readlink"),
    *("os.stat", "os.lstat", "os.chmod", "os.chown", "os.utime", "os.truncate", "os.open", "os.read", "os.write"),
    *("os.fsync", "os.sync", "os.access", "os.path.exists", "os.path.isfile", "os.path.isdir", "os.path.getsize"),
    *("os.path.getmtime", "os.path.getctime", "os.path.realpath", "os.path.samefile"),
    *("shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copyfileobj", "shutil.copymode", "shutil.copystat"),
    *("shutil.copytree", "shutil.rmtree", "shutil.move", "shutil.make_archive", "shutil.unpack_archive"),
    *("shutil.disk_usage", "shutil.chown", "shutil.which", "glob.glob", "tempfile.mkdtemp", "tempfile.mkstemp"),
    *("tempfile.NamedTemporaryFile", "tempfile.TemporaryDirectory", "tempfile.TemporaryFile", "zipfile.ZipFile"),
    *("tarfile.open", "tarfile.TarFile.extractall", "zipfile.ZipFile.extractall", "fileinput.input"),
    *(f"{driver}.connect" for driver in _DRIVERS),
    *(f"{driver}.connect().{method}" for driver in _DRIVERS for method in _CURSOR),
    *(f"{driver}.connect().cursor().{method}" for driver in _DRIVERS for method in _CURSOR),
    *(f"sqlite3.Connection.{method}" for method in _CURSOR),
    *(f"sqlite3.Cursor.{method}" for method in _CURSOR),
    *("concurrent.futures.Future.result", "concurrent.futures.Future.exception", "concurrent.futures.wait"),
    *("concurrent.futures.as_completed", "concurrent.futures.Executor.shutdown", "concurrent.futures.Executor.map"),
    # A pool waits for what it was given where it is left.
    *(f"{pool}.{method}" for pool in _POOLS for method in ("shutdown", "map", "submit().result", "__exit__")),
    *(f"{pool}.{method}" for pool in _WORKERS for method in ("map", "starmap", "apply", "join", "apply_async().get")),
    *("asyncio.run_coroutine_threadsafe().result", "threading.Thread.join", "threading.Timer.join"),
    *(f"{lock}.{method}" for lock in (*_LOCKS, *_FILE_LOCKS) for method in ("acquire", "__enter__")),
    *(f"queue.{queue}.get" for queue in _QUEUES),
    *(f"queue.{queue}.join" for queue in _QUEUES[:3]),
    *(f"{queue}.{method}" for queue in _PROCESS_QUEUES for method in ("get", "join")),
    *(f"{one}.wait" for one in (*_WAITS, "multiprocessing.Event")),
    "threading.Condition.wait_for",
    *("gzip.open", "bz2.open", "lzma.open", "codecs.open", "redis.Redis.*", "paramiko.SSHClient.connect"),
    *("paramiko.SSHClient.exec_command", "paramiko.Transport", "pexpect.run"),
    "ssl.create_default_context",
    *(f"ssl.{context}.{method}" for context in ("SSLContext", "create_default_context()") for method in _CERTIFICATES),
    "multiprocessing.Process.join",
    *("logging.FileHandler", "logging.handlers.RotatingFileHandler", "logging.handlers.TimedRotatingFileHandler"),
    *(
        "logging.handlers.WatchedFileHandler",
        "logging.config.fileConfig",
        "shelve.open",
        "dbm.open",
        "linecache.getline",
    ),
    *("linecache.getlines", "configparser.ConfigParser.read", "os.path.islink", "os.path.lexists", "os.path.ismount"),
    "os.path.getatime",
)
PATH_METHODS = (
    *("read_text", "read_bytes", "write_text", "write_bytes", "open", "exists", "is_file", "is_dir", "is_symlink"),
    *("is_mount", "is_socket", "is_fifo", "is_block_device", "is_char_device", "iterdir", "glob", "rglob", "walk"),
    *("stat", "lstat", "mkdir", "rmdir", "unlink", "rename", "replace", "touch", "symlink_to", "hardlink_to"),
    *("readlink", "resolve", "samefile", "chmod", "lchmod", "owner", "group", "expanduser", "copy", "move"),
)
# By which arguments a call says that it will not wait: (name, position). One of them is `False`, or 0 seconds.
_TIMEOUT, _SECOND = ("timeout", 0), ("timeout", 1)
_NOT_WAITING = (
    (
        (_TIMEOUT,),
        (
            *(
                "concurrent.futures.Future.result",
                "concurrent.futures.Future.exception",
                "multiprocessing.Process.join",
            ),
            *("threading.Thread.join", "threading.Timer.join", "subprocess.Popen.wait"),
            *(f"{one}.wait" for one in (*_WAITS, "multiprocessing.Event")),
            *(f"{pool}.submit().result" for pool in _POOLS),
            *(f"{pool}.apply_async().get" for pool in _WORKERS),
            "asyncio.run_coroutine_threadsafe().result",
        ),
    ),
    ((_SECOND,), ("concurrent.futures.wait", "threading.Condition.wait_for", "subprocess.Popen.communicate")),
    ((("timeout", 3),), ("select.select",)),
    ((("wait", 0),), tuple(f"{pool}.shutdown" for pool in (*_POOLS, "concurrent.futures.Executor"))),
    ((("blocking", 0), _SECOND), tuple(f"threading.{lock}.acquire" for lock in _SYNCHRONIZED)),
    (
        (("block", 0), _SECOND),
        (
            *(f"queue.{queue}.get" for queue in _QUEUES),
            *(f"{queue}.get" for queue in _PROCESS_QUEUES),
            *(f"{lock}.acquire" for lock in _LOCKS if lock.startswith("multiprocessing")),
        ),
    ),
    ((_TIMEOUT, ("blocking", 3)), tuple(f"{lock}.acquire" for lock in _FILE_LOCKS)),
)
NOT_WAITING = {name: arguments for arguments, names in _NOT_WAITING for name in names}
