"""Which verb was asked for, and with which status does the process end?"""

from __future__ import annotations

import gc
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from abutment import __version__
from abutment.cli.terminal import Streams
from abutment.errors import NotJudged

# Each verb is imported when it is asked for: `abutment --version` loads click and nothing else.
VERBS = {
    "init": "abutment.cli.init",
    "check": "abutment.cli.check",
    "tighten": "abutment.cli.tighten",
    "move": "abutment.cli.move",
    "migrate": "abutment.cli.migrate",
    "resolve": "abutment.cli.resolve",
    "receipts": "abutment.cli.receipts",
    "record": "abutment.cli.record",
    "draft": "abutment.cli.draft",
    "explain": "abutment.cli.explain",
    "why": "abutment.cli.why",
    "facts": "abutment.cli.facts",
    "graph": "abutment.cli.graph",
    "list": "abutment.cli.listing",
    "config": "abutment.cli.config",
}

NOT_JUDGED = 2
INTERRUPTED = 130


class LazyVerbs(click.Group):
    """A group whose commands are modules with a `command`, imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order in which a newcomer meets them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the verb's command, or None where there is no such verb."""
        if cmd_name not in VERBS:
            return None
        command = importlib.import_module(VERBS[cmd_name]).command
        assert isinstance(command, click.Command)
        return command


@click.group(
    "abutment", cls=LazyVerbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="abutment")
@click.option("--traceback", is_flag=True, help="Show the whole traceback of a fault in abutment itself.")
def cli(traceback: bool) -> None:
    """Hold a Python codebase against the law that people wrote and the debt that was recorded.

    Exit status: 0 held, 1 broken, 2 could not be judged.
    """


def main(arguments: Sequence[str] | None = None, command: click.Command | None = None) -> NoReturn:
    """Run the command line, or one command of it, and end the process with its exit status."""
    gc.disable()  # a verb makes hardly a cycle, and to look for them takes a third of a cold run
    given = _in_utf8(sys.argv[1:] if arguments is None else arguments)
    traceback = "--traceback" in given
    status = status_of([word for word in given if word != "--traceback"], traceback, command)
    gc.freeze()  # what is left goes with the process; a search through it would take longer than some verbs
    sys.exit(status)


def _in_utf8(words: Sequence[str]) -> list[str]:
    """Return the words as text that stands for their bytes, whatever Python read them as."""
    if sys.getfilesystemencoding() == "utf-8":
        return list(words)
    from abutment.sources.file_names import text_of_path

    return [text_of_path(word) for word in words]


def status_of(arguments: list[str], traceback: bool = False, command: click.Command | None = None) -> int:
    """Run the command line (or one command of it) in this process and return its exit status."""
    streams = Streams()
    try:
        return _answer(arguments, command)
    except (KeyboardInterrupt, click.Abort):
        streams.complain(["interrupted"])
        return INTERRUPTED
    except SystemExit:
        # click ends the process where its own help finds no reader; a verb's answer never comes this way.
        streams.silence()
        return 0
    except Exception as fault:
        streams.complain(_complaint(fault, traceback))
        return NOT_JUDGED
    finally:
        _flush(streams)


def _answer(arguments: list[str], command: click.Command | None) -> int:
    chosen, name = (cli, "abutment") if command is None else (command, command.name)
    answer = chosen.main(args=arguments, prog_name=name, standalone_mode=False)
    return answer if isinstance(answer, int) else 0


def _complaint(fault: Exception, traceback: bool) -> list[str]:
    """Return what is said of an exception: its causes where it is ours; where it is a bug, one line or the whole."""
    if isinstance(fault, NotJudged):
        return [each.line_text() for each in fault.faults]
    if isinstance(fault, click.ClickException):
        said = io.StringIO()
        fault.show(said)
        return said.getvalue().splitlines()
    if traceback:
        from traceback import format_exception

        return "".join(format_exception(fault)).splitlines()
    what = " ".join(f"{type(fault).__name__}: {fault}".split())
    return [f"abutment {__version__} failed: {what}. Run again with --traceback for the rest."]


def _flush(streams: Streams) -> None:
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        streams.silence()
    except (OSError, ValueError):
        # The reader is gone or standard output was closed before we began: nobody is left to tell.
        os._exit(NOT_JUDGED)
