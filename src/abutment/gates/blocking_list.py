"""What blocks the thread that calls it, unless the configuration says otherwise?"""

from __future__ import annotations

_HTTP = ("get", "post", "put", "patch", "delete", "head", "options", "request", "send")
_REQUESTS = tuple(f"requests{middle}.{verb}" for middle in ("", ".Session") for verb in _HTTP)
_HTTPX = tuple(f"httpx{middle}.{verb}" for middle in ("", ".Client") for verb in (*_HTTP, "stream"))
_SOCKET = ("connect", "accept", "recv", "recv_into", "recvfrom", "send", "sendall", "sendfile", "sendto")
_DRIVERS = ("psycopg2", "psycopg", "pymysql", "MySQLdb", "sqlite3", "pyodbc", "oracledb", "mysql.connector", "pymssql")
_CURSOR = ("execute", "executemany", "executescript", "fetchone", "fetchall", "fetchmany", "commit", "rollback")
# Certificates are read from files.
_CERTIFICATES = ("load_cert_chain", "load_default_certs", "load_verify_locations", "set_default_verify_paths")

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
    *("concurrent.futures.Future.result", "concurrent.futures.wait", "concurrent.futures.ThreadPoolExecutor.shutdown"),
    *(
        "concurrent.futures.ThreadPoolExecutor.submit().result",
        "concurrent.futures.ProcessPoolExecutor.submit().result",
    ),
    *("asyncio.run_coroutine_threadsafe().result", "threading.Thread.join", "threading.Event.wait", "queue.Queue.join"),
    *("queue.Queue.get", "threading.Lock.acquire", "threading.RLock.acquire"),
    *("gzip.open", "bz2.open", "lzma.open", "codecs.open", "redis.Redis.*", "paramiko.SSHClient.connect"),
    *("paramiko.SSHClient.exec_command", "paramiko.Transport", "pexpect.run"),
    "ssl.create_default_context",
    *(f"ssl.{context}.{method}" for context in ("SSLContext", "create_default_context()") for method in _CERTIFICATES),
    *("threading.Condition.wait", "threading.Barrier.wait", "multiprocessing.Process.join", "multiprocessing.Pool.map"),
)
PATH_METHODS = (
    *("read_text", "read_bytes", "write_text", "write_bytes", "open", "exists", "is_file", "is_dir", "is_symlink"),
    *("is_mount", "is_socket", "is_fifo", "is_block_device", "is_char_device", "iterdir", "glob", "rglob", "walk"),
    *("stat", "lstat", "mkdir", "rmdir", "unlink", "rename", "replace", "touch", "symlink_to", "hardlink_to"),
    *("readlink", "resolve", "samefile", "chmod", "lchmod", "owner", "group", "expanduser", "copy", "move"),
)
# By which argument a call says that it will not wait: (name, position). It is `False`, or 0 seconds.
NOT_WAITING = {
    "concurrent.futures.Future.result": ("timeout", 0),
    "concurrent.futures.ThreadPoolExecutor.shutdown": ("wait", 0),
    "concurrent.futures.wait": ("timeout", 1),
    "multiprocessing.Process.join": ("timeout", 0),
    "queue.Queue.get": ("block", 0),
    "select.select": ("timeout", 3),
    "threading.Condition.wait": ("timeout", 0),
    "threading.Event.wait": ("timeout", 0),
    "threading.Lock.acquire": ("blocking", 0),
    "threading.RLock.acquire": ("blocking", 0),
    "threading.Thread.join": ("timeout", 0),
}
