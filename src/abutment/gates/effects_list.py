"""What is an effect when it happens at import, unless the configuration says otherwise?"""

from __future__ import annotations

THREAD, PROCESS, SUBPROCESS, NETWORK, FILE = "thread", "process", "subprocess", "network", "file"
ENVIRONMENT, PROCESS_STATE, REGISTRATION, EVENT_LOOP = "environment", "process_state", "registration", "event_loop"

_POOLED = ("submit", "map")
_PATH = ("open", "read_text", "read_bytes", "write_text", "write_bytes", "mkdir", "rmdir", "unlink", "touch")
_PATH_MOVES = ("rename", "replace", "symlink_to", "hardlink_to", "chmod")
_POOLS = ("multiprocessing.Pool", "multiprocessing.pool.Pool", "multiprocessing.Manager")
_LOGGERS = ("logging.getLogger()", "logging.Logger", "logging.root")
_LOGGER = ("setLevel", "addHandler", "removeHandler", "addFilter", "removeFilter")

_NAMES = {
    THREAD: (
        *("threading.Thread.start", "threading.Timer.start", "_thread.start_new_thread"),
        *(f"concurrent.futures.ThreadPoolExecutor.{one}" for one in _POOLED),
        *(f"concurrent.futures.thread.ThreadPoolExecutor.{one}" for one in _POOLED),
        *("multiprocessing.pool.ThreadPool", "multiprocessing.dummy.Pool", "watchdog.observers.Observer.start"),
        *("apscheduler.schedulers.background.BackgroundScheduler.start", "logging.handlers.QueueListener.start"),
    ),
    PROCESS: (
        *("multiprocessing.Process.start", "multiprocessing.context.Process.start", "os.fork", "os.forkpty"),
        *("multiprocessing.get_context().Process().start", "multiprocessing.get_context().Pool"),
        *(f"concurrent.futures.ProcessPoolExecutor.{one}" for one in _POOLED),
        *_POOLS,
    ),
    SUBPROCESS: (
        *("subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output"),
        *("subprocess.Popen", "subprocess.getoutput", "subprocess.getstatusoutput", "os.system", "os.popen"),
        *("os.posix_spawn", "os.posix_spawnp", "os.startfile", "pty.spawn"),
        *(f"os.spawn{one}" for one in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
        *(f"os.exec{one}" for one in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
    ),
    # Beside what `egress` calls a way out.
    NETWORK: ("socket.socket", "socket.create_server", "asyncio.start_server", "http.server.HTTPServer"),
    FILE: (
        *("builtins.open", "io.open", "codecs.open", "os.open", "os.fdopen", "gzip.open", "bz2.open", "lzma.open"),
        *("tarfile.open", "zipfile.ZipFile", "shelve.open", "dbm.open", "sqlite3.connect", "fileinput.input"),
        *("logging.FileHandler", "logging.handlers.RotatingFileHandler", "logging.handlers.TimedRotatingFileHandler"),
        *("os.makedirs", "os.mkdir", "os.rmdir", "os.removedirs", "os.remove", "os.unlink", "os.rename", "os.renames"),
        *("os.replace", "os.link", "os.symlink", "os.chmod", "os.chown", "os.utime", "os.truncate"),
        *("shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "shutil.rmtree", "shutil.move"),
        *("shutil.make_archive", "shutil.unpack_archive", "tempfile.mkdtemp", "tempfile.mkstemp"),
        *("tempfile.NamedTemporaryFile", "tempfile.TemporaryDirectory", "tempfile.TemporaryFile"),
        *(f"pathlib.Path.{method}" for method in (*_PATH, *_PATH_MOVES)),
    ),
    ENVIRONMENT: ("os.putenv", "os.unsetenv", "dotenv.load_dotenv"),
    REGISTRATION: ("atexit.register", "signal.signal", "codecs.register", "sys.addaudithook", "os.register_at_fork"),
    EVENT_LOOP: (
        *("asyncio.run", "asyncio.get_event_loop().run_until_complete", "asyncio.new_event_loop().run_until_complete"),
        *("asyncio.set_event_loop", "asyncio.set_event_loop_policy", "uvloop.install"),
    ),
    PROCESS_STATE: (
        *("logging.basicConfig", "logging.config.dictConfig", "logging.config.fileConfig", "logging.disable"),
        *("logging.captureWarnings", "logging.addLevelName", "logging.setLoggerClass", "logging.setLogRecordFactory"),
        *("warnings.filterwarnings", "warnings.simplefilter", "locale.setlocale", "socket.setdefaulttimeout"),
        *("os.chdir", "os.umask", "os.nice", "sys.setrecursionlimit", "sys.settrace", "sys.setprofile"),
        *("sys.setswitchinterval", "threading.setprofile", "threading.settrace", "threading.stack_size"),
        *("faulthandler.enable", "gc.disable", "gc.set_threshold", "random.seed", "numpy.random.seed"),
        *("resource.setrlimit", "decimal.setcontext", "multiprocessing.set_start_method", "site.addsitedir"),
        *("gevent.monkey.patch_all", "eventlet.monkey_patch", "mimetypes.add_type", "mimetypes.init", "time.tzset"),
        *("copyreg.pickle", "codecs.register_error", "sys.set_int_max_str_digits", "multiprocessing.freeze_support"),
        *(f"{logger}.{method}" for logger in _LOGGERS for method in _LOGGER),
    ),
}

CALLS = {name: kind for kind, names in _NAMES.items() for name in names}
STATE = {
    "os.environ": ENVIRONMENT,
    "os.environb": ENVIRONMENT,
    **dict.fromkeys(
        (
            *("sys.path", "sys.meta_path", "sys.path_hooks", "sys.modules", "sys.argv", "sys.excepthook"),
            *("sys.stdout", "sys.stderr", "sys.stdin", "sys.displayhook", "warnings.filters"),
            *(f"{logger}.{name}" for logger in _LOGGERS for name in ("handlers", "filters", "propagate", "disabled")),
            *(f"{logger}.level" for logger in _LOGGERS),
        ),
        PROCESS_STATE,
    ),
}
READ = ("os.environ", "os.environb", "os.getenv", "os.getenvb")
KINDS = (*_NAMES,)
