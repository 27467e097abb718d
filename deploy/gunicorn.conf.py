"""gunicorn behind nginx: two processes of 32 threads; of each 16 threads may hold a stream."""

import os

from ledger import logs
from ledger.refusal import Refused
from ledger.settings import load
from ledger.texts import sentence

try:
    settings = load(os.environ)
except Refused as refusal:
    raise SystemExit(sentence(refusal, "en")) from None

host = f"[{settings.host}]" if ":" in settings.host else settings.host
bind = f"{host}:{settings.port}"
workers = 2
worker_class = "gthread"
threads = 32
graceful_timeout = 5  # no request takes so long, and the reader of a stream comes again
control_socket_disable = True
logconfig_dict = logs.config(settings.log_level)
