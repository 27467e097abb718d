"""The commands that make what is shown of a club anew, beside what is shown meanwhile."""

from __future__ import annotations

import time
from collections.abc import Sequence

import click

from ledger import store
from ledger.database import Database
from ledger.refusal import Refused
from ledger.terminal import machine, progress, say, write
from projections import checkpoint, projection
from projections.checkpoint import Mark
from projections.operating import NAMES, House, standing

INTERRUPTED = 130
"""The exit status of who was interrupted at the keyboard."""
names = click.argument("projections", metavar="[PROJECTION]...", nargs=-1)


@standing.command()
@click.argument("club")
@names
@click.option("--resume", is_flag=True, help="Go on where one stopped that was interrupted.")
@machine
@click.pass_obj
@click.pass_context
def rebuild(
    context: click.Context,
    house: House,
    club: str,
    projections: tuple[str, ...],
    resume: bool,
    machine: bool,
) -> None:
    """Make what is shown of a club anew from its log, beside what is shown meanwhile.

    All projections, or those named. Ctrl-C stops it, and leaves what was done: --resume goes on
    with it, `projections cancel` drops it. What is shown stays as it was until the new one is
    whole.
    """
    wanted = _known(projections)
    database = house.database
    begun = _unfinished(database, club, wanted) if resume else _begin(database, club, wanted)
    for mark in begun:
        try:
            _finish(database, mark, machine)
        except KeyboardInterrupt:
            _say_interrupted(database, mark)
            context.exit(INTERRUPTED)
    if not begun:
        say("rebuild.none", err=True)


@standing.command()
@click.argument("club")
@names
@click.pass_obj
def cancel(house: House, club: str, projections: tuple[str, ...]) -> None:
    """Drop what rebuilds have left that were interrupted; whoever is at one just now is stopped."""
    wanted = _known(projections)
    given_up = [mark for mark in _begun(house.database, club) if mark.projection in wanted]
    for mark in given_up:
        projection.give_up(house.database, mark)
        say("rebuild.dropped", projection=mark.projection, generation=mark.generation)
    if not given_up:
        say("rebuild.nothing")


def _known(named: Sequence[str]) -> tuple[str, ...]:
    """The projections that are named, all where none is."""
    for name in named:
        if name not in NAMES:
            raise Refused("projection_unknown", projection=name, allowed=", ".join(NAMES))
    return tuple(dict.fromkeys(named)) or NAMES


def _begin(database: Database, club: str, wanted: Sequence[str]) -> list[Mark]:
    """Begin all of them at once, so that an interruption leaves none forgotten."""
    return [projection.begin(database, club, name) for name in wanted]


def _unfinished(database: Database, club: str, wanted: Sequence[str]) -> list[Mark]:
    """Of each projection the newest rebuild that was begun and has not ended."""
    newest = {mark.projection: mark for mark in _begun(database, club) if mark.error is None}
    return [newest[name] for name in wanted if name in newest]


def _begun(database: Database, club: str) -> list[Mark]:
    with database.read() as connection:
        found = checkpoint.begun(connection, club)
        if store.head(connection, club) is None:
            raise Refused("club_unknown", club=club)
        return found


def _finish(database: Database, mark: Mark, machine: bool) -> None:
    with progress(mark.projection, None, quiet=machine) as done:
        generation = projection.finish(database, mark, _now, told=done)
    told = {"club": mark.club, "projection": mark.projection, "generation": generation}
    if machine:
        write(told)
    else:
        say("rebuild.done", projection=mark.projection, generation=generation)


def _say_interrupted(database: Database, mark: Mark) -> None:
    """How far a rebuild has come that was interrupted, and what can be done with it."""
    with database.read() as connection:
        come = checkpoint.find(connection, mark.projection, mark.club, mark.generation)
    done = come.position if come else 0
    say("rebuild.interrupted", err=True, projection=mark.projection, done=done, club=mark.club)


def _now() -> int:
    return time.time_ns() // 1000
