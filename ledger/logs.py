"""Log lines: one JSON object a line on stderr, whoever writes it, with what is bound to its work.

The loggers of celery, gunicorn, waitress and alembic write through the same renderer. A line
names keys, clubs and jobs; what a request said is never in it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import MutableMapping
from logging.config import dictConfig
from typing import Any

import structlog
from structlog.contextvars import merge_contextvars
from structlog.processors import JSONRenderer, TimeStamper, format_exc_info
from structlog.stdlib import LoggerFactory, ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import Processor

CHATTY = ("alembic", "celery.beat", "celery.worker.strategy", "celery.app.trace")
"""What tells at INFO of each sweep and each look at the schema, and nothing that is not known."""

DETAIL = re.compile(r"\n(DETAIL|CONTEXT):.*", re.DOTALL)
"""Where PostgreSQL tells the row that it refused, with all that stands in it, line ends too."""

REQUEST = re.compile(
    r"(Invalid request|Error handling request|Ignored premature client disconnection).*", re.DOTALL
)
"""Where gunicorn tells of a request that it does not understand, and repeats it: a query, a
header without a colon, what was left of a body."""


def without_rows(_: object, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A line without the rows that a database's error tells."""
    cut = {name: DETAIL.sub("", said) for name, said in line.items() if isinstance(said, str)}
    return {**line, **cut}


def without_request(_: object, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A line of the web server without what a request said."""
    if line.get("logger") != "gunicorn.error":
        return line
    return {**line, "event": REQUEST.sub(r"\1", str(line["event"]))}


TOLD: list[Processor] = [
    TimeStamper(fmt="iso", utc=True, key="time"),
    add_log_level,
    add_logger_name,
    merge_contextvars,
    format_exc_info,
    without_rows,
    without_request,
]
"""What every line has: when, how grave, where from, and what is bound: a request, a job."""


def configure(level: str) -> None:
    """Write what is at least as grave as a level to stderr, one JSON object a line."""
    dictConfig(config(level))
    structlog.configure(
        processors=[*TOLD, ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level)),
        logger_factory=LoggerFactory(),
    )


def config(level: str) -> dict[str, Any]:
    """The same for the standard library, as `logging.config` wants it."""
    rendered = {
        "()": ProcessorFormatter,
        "foreign_pre_chain": TOLD,
        "processors": [ProcessorFormatter.remove_processors_meta, JSONRenderer()],
    }
    written = {"class": "logging.StreamHandler", "formatter": "json"}
    chatty = {"level": "WARNING" if level == "INFO" else "NOTSET"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": rendered},
        "handlers": {"stderr": written},
        "root": {"level": level, "handlers": ["stderr"]},
        "loggers": {
            **dict.fromkeys(CHATTY, chatty),
            # billiard, which runs a worker's processes, lets no line of its own through to the root
            "multiprocessing": {"level": "WARNING", "handlers": ["stderr"], "propagate": False},
            "gunicorn.error": {"level": level, "handlers": [], "propagate": True},
            "gunicorn.access": {"level": "CRITICAL"},  # it would repeat each request's query
        },
    }


def keep(**_: object) -> None:
    """Take what celery would set up for lines of its own, and leave all as it is."""
