"""The commands of who runs the service: what could not be settled, and is to be tried again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from ledger.cli.frame import House, commands, house, machine, write
from ledger.refusal import Refused

if TYPE_CHECKING:
    from ledger.jobs import Job

SECOND = 1_000_000


@commands.group(invoke_without_command=True)
@click.option("--all", "every", is_flag=True, help="With those that are not given up.")
@machine
@house
@click.pass_context
def jobs(context: click.Context, house: House, every: bool, machine: bool) -> None:
    """Show the jobs that were given up (parked), each with its error."""
    from ledger import jobs

    if context.invoked_subcommand:
        return
    with house.ledger().database.read() as connection:
        found = jobs.left(connection) if every else jobs.parked(connection)
    if machine:
        for job in found:
            write(_told(job))
    else:
        _show(found)


@jobs.command()
@click.argument("ids", metavar="[ID]...", type=int, nargs=-1)
@machine
@house
def retry(house: House, ids: tuple[int, ...], machine: bool) -> None:
    """Try parked jobs again from the beginning, all of them where none is named.

    Do it when what made them fail is mended; a worker takes them within seconds.
    """
    from ledger import jobs

    with house.ledger().database.write() as connection:
        parked = {job.id: job for job in jobs.parked(connection)}
        for one in ids or parked:
            if one not in parked:
                raise Refused("job_not_parked", job=one)
            jobs.retry(connection, parked[one].club, one)
    again = list(dict.fromkeys(ids or parked))
    if machine:
        write({"retried": again})
    else:
        click.echo(f"Tried again: {', '.join(map(str, again)) or 'none, for none is parked'}.")


def _show(found: Iterable[Job]) -> None:
    """A line for each job, for people."""
    for job in found:
        told = _told(job)
        said = f"job {job.id}  {job.club}  {job.kind} {job.subject}  {job.state}"
        tried = f"after {job.attempts} attempts" if job.attempts != 1 else "after 1 attempt"
        click.echo(f"{said} {tried}, left at {told['created_at']}: {job.error or 'no error'}")


def _told(job: Job) -> dict[str, Any]:
    """A job as JSON: what it is about, how often it was tried, and what it ended with."""
    left = datetime.fromtimestamp(job.created_at // SECOND, UTC)
    return {
        "job": job.id,
        "club": job.club,
        "kind": job.kind,
        "subject": job.subject,
        "state": job.state,
        "attempts": job.attempts,
        "error": job.error,
        "created_at": left.isoformat().replace("+00:00", "Z"),
    }
