"""gunicorn behind nginx: two processes of 32 threads; of each 16 threads may hold a stream.

The master imports nothing that the ledger has or needs, for its workers would inherit it: after
a reload they would run the old code. A process that ends at once reads the settings for it.
"""

import json
import logging
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from socket import gethostname

READ_SETTINGS = """
import json, os
from ledger.refusal import Refused
from ledger.settings import load
from ledger.texts import sentence
try:
    settings = load(os.environ)
except Refused as refusal:
    raise SystemExit(sentence(refusal, "en")) from None
print(json.dumps([settings.host, settings.port, settings.log_level]))
"""


class JsonLine(logging.Formatter):
    """A line of the master in the form that ledger/logs.py gives to those of the workers."""

    def format(self, record: logging.LogRecord) -> str:
        """One JSON object."""
        line = {
            "event": record.getMessage(),
            "time": datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


def on_starting(_: object) -> None:
    """Forget what processes counted that have ended; those that run, such as workers, count on.

    At a reload they stay: a count that goes down in part would be taken for many new requests.
    """
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR", "").strip()
    host = gethostname().replace("_", "-")
    for file in Path(folder).glob(f"*_{host}-*.db") if folder else ():
        if not Path("/proc", file.stem.rpartition("-")[2]).exists():
            file.unlink(missing_ok=True)


read = subprocess.run(
    [sys.executable, "-c", READ_SETTINGS], stdout=subprocess.PIPE, text=True, check=False
)
if read.returncode != 0:
    raise SystemExit(read.returncode)
host, port, level = json.loads(read.stdout)

bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
workers = 2
worker_class = "gthread"
threads = 32
graceful_timeout = 5  # no request takes so long, and the reader of a stream comes again
control_socket_disable = True
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": JsonLine}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"level": level, "handlers": ["stderr"]},
    "loggers": {
        "gunicorn.error": {"level": level, "handlers": [], "propagate": True},
        "gunicorn.access": {"level": "CRITICAL"},
    },
}
